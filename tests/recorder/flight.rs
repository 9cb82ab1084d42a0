//! What has not returned yet.

use crate::alone::{alone, calls, check, site};
use std::hint::black_box;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};
use timed::{Snapshot, timed};

/// In milliseconds, longer than a machine is likely to be busy elsewhere.
const LONG: u64 = 60;

fn ms(n: f64) -> f64 {
    n * 1e6
}

fn sleep(n: u64) {
    thread::sleep(Duration::from_millis(n));
}

#[timed]
fn ended() {
    sleep(3 * LONG);
}

#[timed]
fn inner(then: &dyn Fn()) {
    sleep(LONG);
    then();
}

#[timed]
fn outer(then: &dyn Fn()) {
    sleep(LONG);
    ended();
    inner(then);
}

#[timed]
fn nest(n: u32, then: &dyn Fn()) {
    if n == 0 { then() } else { nest(n - 1, then) }
}

#[timed]
fn tick() {
    black_box(());
}

/// `outer`, its callee that has ended, and the one that has not.
#[track_caller]
fn check_nested(snapshot: &Snapshot) {
    check(snapshot);
    let (outer, inner, ended) =
        (site(snapshot, "outer"), site(snapshot, "inner"), site(snapshot, "ended"));
    assert_eq!((outer.calls, outer.in_flight), (0, 1), "{outer:#?}");
    assert_eq!((inner.calls, inner.in_flight), (0, 1), "{inner:#?}");
    assert_eq!((ended.calls, ended.in_flight), (1, 0), "{ended:#?}");
    let long = ms(LONG as f64);
    assert!(inner.in_flight_ns > 0.9 * long, "{inner:#?}");
    assert!(outer.in_flight_ns > 4.9 * long + inner.in_flight_ns - 0.9 * long - long, "{outer:#?}");
    assert!(inner.in_flight_self_ns > 0.9 * long, "its own time is not its sibling's: {inner:#?}");
    assert!(outer.in_flight_self_ns > 0.9 * long, "{outer:#?}");
    assert!(
        outer.in_flight_self_ns < outer.in_flight_ns - 3.5 * long,
        "what has ended, and what is still open, is not its own: {outer:#?}"
    );
}

alone! {
    fn seen_from_inside() {
        outer(&|| check_nested(&timed::snapshot()));
        let snapshot = timed::snapshot();
        assert!(snapshot.sites.iter().all(|site| site.in_flight == 0 && site.calls == 1), "{snapshot:#?}");
    }

    fn seen_from_another_thread() {
        let barrier = Barrier::new(2);
        thread::scope(|scope| {
            scope.spawn(|| {
                outer(&|| {
                    barrier.wait();
                    barrier.wait();
                });
            });
            barrier.wait();
            check_nested(&timed::snapshot());
            barrier.wait();
        });
        assert_eq!(calls(&timed::snapshot(), "outer"), 1);
    }

    fn of_a_recursion_the_outermost() {
        let began = Instant::now();
        nest(99, &|| {
            sleep(LONG);
            let snapshot = timed::snapshot();
            let took = began.elapsed().as_nanos() as f64;
            check(&snapshot);
            let nest = site(&snapshot, "nest");
            assert_eq!((nest.calls, nest.in_flight), (0, 100), "{nest:#?}");
            assert!(nest.in_flight_ns > ms(0.9 * LONG as f64) && nest.in_flight_ns <= took, "{nest:#?}");
            assert!(nest.in_flight_self_ns <= took * 1.01, "{nest:#?}");
        });
    }

    fn of_threads_that_sleep_forever() {
        let barrier = std::sync::Arc::new(Barrier::new(4));
        for _ in 0..3 {
            let barrier = std::sync::Arc::clone(&barrier);
            thread::spawn(move || {
                inner(&|| {
                    tick();
                    barrier.wait();
                    sleep(1_000_000);
                });
            });
        }
        barrier.wait();
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!((site(&snapshot, "inner").in_flight, calls(&snapshot, "tick")), (3, 3));
        let percent = site(&snapshot, "inner").self_percent;
        assert!(percent > 99.0, "{percent}");
    }
}
