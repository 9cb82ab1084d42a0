//! Counters at the ends of their range, calls of futures, and threads that all meet a broken one.

use super::{WORKED, alone, report, right_frequency, right_work, stats, trust, work};
use crate::clock::driven::{AcrossSuspend, drive, move_to, pass_ns};
use crate::recorder::future::{every, future};
use crate::recorder::guard::Full;
use crate::recorder::site::{Kind, Name, Reads, Site};
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker};

static CALL: Site = Site::new(Name::Given("call"), "", "broken.rs", 1, Kind::Async, 0, Reads::Full);

/// A future that is ready at its second poll; `between` comes in between.
fn poll_twice(between: impl FnOnce()) {
    let mut polls = 0;
    let body = std::future::poll_fn(move |_| {
        polls += 1;
        pass_ns(1_000);
        if polls == 2 { Poll::Ready(()) } else { Poll::Pending }
    });
    let mut call = pin!(future(every::<Full, _>(|| &CALL), body));
    let mut context = Context::from_waker(Waker::noop());
    assert!(call.as_mut().poll(&mut context).is_pending());
    between();
    assert!(call.as_mut().poll(&mut context).is_ready());
}

alone! {
    fn futures_on_a_counter_that_begins_anew() {
        trust();
        work();
        (0..50).for_each(|_| poll_twice(|| pass_ns(1_000_000)));
        poll_twice(|| drive(|machine| machine.suspend(1_000_000_000, AcrossSuspend::Restarts)));
        // Before the first reading of all, as it seems.
        (0..50).for_each(|_| poll_twice(|| pass_ns(1_000_000)));
        let snapshot = report();
        right_frequency(&snapshot);
        let call = stats(&snapshot, "call");
        assert_eq!((call.calls, call.timed, call.negative), (101, 101, 1), "{call:#?}");
        assert_eq!(call.in_flight, 0, "{call:#?}");
        assert!((call.typical_ns / 1.002e6 - 1.0).abs() < 0.01, "{call:#?}");
    }

    fn a_counter_that_overflows() {
        trust();
        // Two seconds before the end of 64 bits.
        drive(|machine| {
            let now = machine.read_counter();
            machine.ahead[0] = (u64::MAX - now - 5_200_000_000) as i64;
        });
        (0..4000).for_each(|_| work());
        let snapshot = report();
        right_work(&snapshot);
        right_frequency(&snapshot);
    }

    fn a_counter_that_begins_at_nothing() {
        trust();
        drive(|machine| machine.suspend(0, AcrossSuspend::Restarts));
        (0..3000).for_each(|_| work());
        let snapshot = report();
        right_work(&snapshot);
        right_frequency(&snapshot);
    }

    fn threads_on_a_counter_that_is_set_all_the_time() {
        trust();
        work();
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..3_u32)
                .map(|thread| {
                    scope.spawn(move || {
                        for call in 0..20_000_u32 {
                            move_to(call / 3 + thread);
                            let _outer = super::enter(&super::OUTER);
                            work();
                        }
                    })
                })
                .collect();
            let over = &over;
            scope.spawn(move || {
                let mut seed = 7_u64;
                while !over.load(Ordering::Relaxed) {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let ticks = (seed >> 30) as i64 - (1 << 33);
                    drive(|machine| {
                        machine.jump(ticks);
                        machine.ahead[1] = ticks / 2;
                    });
                    super::check(&crate::snapshot::take());
                }
            });
            threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
            over.store(true, Ordering::Relaxed);
        });
        let snapshot = report();
        let outer = stats(&snapshot, "outer");
        assert_eq!((outer.calls, WORKED.load(Ordering::Relaxed)), (60_000, 60_001), "{outer:#?}");
        assert!(!snapshot.notes.is_empty());
    }
}
