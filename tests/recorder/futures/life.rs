//! Futures that wait, move, fail, fork, are dropped, or meet a pause or a reset.

use super::{Yield, fails, finish, forever, leaf, ms, pends, poll, polls, sleep, twice};
use crate::alone::{alone, calls, check, edges, find, site};
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::thread;
use timed::timed;

alone! {
    fn a_call_begins_with_its_first_poll() {
        drop(pends(1));
        let never = pends(2);
        leaf();
        let snapshot = timed::snapshot();
        assert!(find(&snapshot, "pends").is_none_or(|pends| pends.calls + pends.in_flight == 0));
        drop(never);
    }

    fn a_dropped_call_is_cancelled() {
        for n in 0..10 {
            let mut future = Box::pin(pends(3));
            for _ in 0..n % 4 {
                assert!(poll(future.as_mut()).is_pending());
            }
            assert_eq!(timed::snapshot().sites.len().min(2), if n == 0 { 0 } else { 2 });
        }
        let snapshot = timed::snapshot();
        check(&snapshot);
        let pends = site(&snapshot, "pends");
        assert_eq!((pends.calls, pends.timed, pends.cancelled, pends.in_flight), (7, 0, 7, 0));
        assert_eq!(polls(pends), 13);
    }

    fn what_waits_is_in_flight() {
        let mut futures: Vec<_> = (0..5).map(|_| Box::pin(pends(2))).collect();
        for future in &mut futures {
            assert!(poll(future.as_mut()).is_pending());
        }
        sleep(40);
        let snapshot = timed::snapshot();
        check(&snapshot);
        let waiting = site(&snapshot, "pends");
        assert_eq!((waiting.calls, waiting.in_flight), (0, 5));
        assert!(waiting.in_flight_ns > ms(5 * 39), "{waiting:#?}");
        assert!(waiting.in_flight_self_ns == 0.0 && waiting.self_ns < ms(39), "{waiting:#?}");
        futures.into_iter().for_each(|future| assert_eq!(finish(future), 2));
        let pends = timed::snapshot();
        let pends = site(&pends, "pends");
        assert_eq!((pends.calls, pends.in_flight, pends.in_flight_ns), (5, 0, 0.0));
    }

    fn the_first_poll_is_in_flight_while_it_lasts() {
        finish(async {
            #[timed]
            async fn looks() -> timed::Snapshot {
                sleep(20);
                let first = timed::snapshot();
                let seen = site(&first, "looks");
                assert_eq!((seen.calls, seen.in_flight), (0, 1), "{seen:#?}");
                assert!(seen.in_flight_ns > ms(19) && seen.in_flight_self_ns > ms(19), "{seen:#?}");
                Yield(1).await;
                timed::snapshot()
            }
            let later = looks().await;
            let seen = site(&later, "looks");
            assert_eq!((seen.calls, seen.in_flight), (0, 1), "{seen:#?}");
            assert!(seen.in_flight_ns > ms(19), "{seen:#?}");
        });
        let snapshot = timed::snapshot();
        let looks = site(&snapshot, "looks");
        assert_eq!((looks.calls, looks.in_flight, polls(looks)), (1, 0, 2));
    }

    fn a_future_may_move_between_threads() {
        for _ in 0..50 {
            let mut future = Box::pin(twice(2));
            assert!(poll(future.as_mut()).is_pending());
            let mut future = thread::spawn(move || {
                assert!(poll(future.as_mut()).is_pending());
                leaf();
                future
            }).join().expect("it returns");
            assert!(poll(future.as_mut()).is_pending());
            thread::spawn(move || assert_eq!(finish(future), 4)).join().expect("it returns");
        }
        let snapshot = timed::snapshot();
        check(&snapshot);
        for (name, calls, times) in [("twice", 50, 250), ("pends", 100, 300)] {
            let site = site(&snapshot, name);
            assert_eq!((site.calls, site.timed, site.in_flight, polls(site)), (calls, calls, 0, times));
        }
        let expected = [(">leaf", 50), (">twice", 250), ("pends>leaf", 100), ("twice>pends", 300)];
        assert_eq!(edges(&snapshot), expected.map(|(edge, n)| (edge.to_owned(), n)));
    }

    fn a_panic_ends_the_call() {
        std::panic::set_hook(Box::new(|_| ()));
        for when in [0, 2] {
            let mut future = Box::pin(fails(when));
            for _ in 0..when {
                assert!(poll(future.as_mut()).is_pending());
            }
            for _ in 0..3 {
                let poll = catch_unwind(AssertUnwindSafe(|| poll(future.as_mut())));
                assert!(poll.is_err());
            }
        }
        let _ = std::panic::take_hook();
        let snapshot = timed::snapshot();
        check(&snapshot);
        let fails = site(&snapshot, "fails");
        assert_eq!((fails.calls, fails.timed, fails.cancelled, fails.in_flight), (2, 2, 0, 0));
        assert_eq!(polls(fails), 4);
    }

    fn a_reset_drops_what_waits() {
        let mut waiting = Box::pin(pends(3));
        assert!(poll(waiting.as_mut()).is_pending());
        timed::reset();
        let mut fresh = Box::pin(pends(3));
        assert!(poll(fresh.as_mut()).is_pending());
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!((site(&snapshot, "pends").in_flight, snapshot.dropped), (1, 1));
        finish(waiting);
        finish(fresh);
        let snapshot = timed::snapshot();
        check(&snapshot);
        let pends = site(&snapshot, "pends");
        assert_eq!((pends.calls, pends.in_flight, pends.cancelled, snapshot.dropped), (1, 0, 0, 1));
    }

    fn a_reset_in_the_middle_of_a_poll() {
        #[timed]
        async fn resets(again: bool) {
            if !again {
                timed::reset();
            }
            Yield(1).await;
            if again {
                timed::reset();
            }
        }
        finish(resets(false));
        leaf();
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!((calls(&snapshot, "resets"), snapshot.dropped), (0, 1));
        finish(resets(true));
        leaf();
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!((calls(&snapshot, "resets"), snapshot.dropped), (0, 1));
        assert!(find(&snapshot, "resets").is_none_or(|resets| resets.in_flight == 0));
    }

    fn a_pause_leaves_out_what_begins_in_it() {
        let mut before = Box::pin(pends(1));
        assert!(poll(before.as_mut()).is_pending());
        timed::pause();
        let mut during = Box::pin(pends(1));
        assert!(poll(during.as_mut()).is_pending());
        finish(before);
        timed::resume();
        finish(during);
        let snapshot = timed::snapshot();
        check(&snapshot);
        let pends = site(&snapshot, "pends");
        assert_eq!((pends.calls, pends.timed, pends.in_flight, polls(pends)), (1, 1, 0, 1));
    }

    fn what_never_ends_is_cancelled_when_dropped() {
        let mut future = Box::pin(forever());
        for _ in 0..5 {
            assert!(poll(future.as_mut()).is_pending());
        }
        drop(future);
        let snapshot = timed::snapshot();
        check(&snapshot);
        let forever = site(&snapshot, "forever");
        assert_eq!((forever.calls, forever.cancelled, polls(forever)), (1, 1, 5));
    }

    fn threads_poll_many_at_once() {
        let polled = |from: u32| {
            let mut futures: Vec<_> = (from..from + 500).map(|n| Box::pin(twice(n % 4))).collect();
            while !futures.is_empty() {
                futures.retain_mut(|future| poll(future.as_mut()).is_pending());
            }
        };
        thread::scope(|scope| {
            for t in 0..4 {
                scope.spawn(move || polled(t));
            }
            for _ in 0..20 {
                check(&timed::snapshot());
            }
        });
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!((calls(&snapshot, "twice"), calls(&snapshot, "pends")), (2000, 4000));
        assert!(snapshot.sites.iter().all(|site| site.in_flight == 0));
    }

    fn a_forked_child_finishes_its_parent_s_futures() {
        for n in 0..20 {
            let mut waiting = Box::pin(twice(3));
            for _ in 0..n % 5 {
                assert!(poll(waiting.as_mut()).is_pending());
            }
            // SAFETY: the child does what a child of a process with threads may do with this C library.
            let child = unsafe { libc::fork() };
            assert!(child >= 0);
            assert_eq!(finish(waiting), 6);
            if child == 0 {
                drop(twice(1));
                assert_eq!(finish(pends(2)), 2);
                let snapshot = timed::snapshot();
                check(&snapshot);
                // What had begun is its parent's, and what it had not is its own.
                let began = u64::from(n % 5 == 0);
                let counts = [calls(&snapshot, "twice"), calls(&snapshot, "pends"), snapshot.dropped];
                let flying = snapshot.sites.iter().any(|site| site.in_flight > 0);
                let inner = 2 * began + u64::from((1..4).contains(&(n % 5)));
                let expected = [began, inner + 1, 0];
                // SAFETY: ends the child at once, whose test harness is not its own.
                unsafe { libc::_exit(i32::from(counts != expected || flying)) }
            }
            let mut status = -1;
            // SAFETY: the status has a place.
            assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
            assert_eq!(status, 0, "after {} polls", n % 5);
        }
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!((calls(&snapshot, "twice"), calls(&snapshot, "pends")), (20, 40));
        assert!(snapshot.sites.iter().all(|site| site.in_flight == 0));
    }

    fn a_poll_may_fork() {
        #[timed]
        async fn forks() -> i32 {
            leaf();
            // SAFETY: as in the test before this one.
            let child = unsafe { libc::fork() };
            leaf();
            Yield(1).await;
            leaf();
            child
        }
        let child = finish(forks());
        if child == 0 {
            let snapshot = timed::snapshot();
            check(&snapshot);
            let counts = [calls(&snapshot, "forks"), calls(&snapshot, "leaf"), snapshot.dropped];
            let flying = snapshot.sites.iter().any(|site| site.in_flight > 0);
            // SAFETY: ends the child at once.
            unsafe { libc::_exit(i32::from(counts != [0, 2, 0] || flying)) }
        }
        let mut status = -1;
        // SAFETY: the status has a place.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        assert_eq!(status, 0);
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!((calls(&snapshot, "forks"), calls(&snapshot, "leaf")), (1, 3));
    }

    fn futures_outlive_their_threads_recorder() {
        thread_local!(static LAST: std::cell::RefCell<Option<Pin<Box<dyn Future<Output = u32>>>>> =
            const { std::cell::RefCell::new(None) });
        struct Polls;
        impl Drop for Polls {
            fn drop(&mut self) {
                // The recorder's own destructor may have run.
                assert_eq!(finish(pends(1)), 1);
            }
        }
        thread_local!(static POLLS: Polls = const { Polls });
        for _ in 0..20 {
            thread::spawn(|| {
                POLLS.with(|_| ());
                LAST.set(Some(Box::pin(pends(9))));
                LAST.with_borrow_mut(|last| assert!(poll(last.as_mut().expect("set").as_mut()).is_pending()));
            }).join().expect("it returns");
        }
        let snapshot = timed::snapshot();
        check(&snapshot);
        let pends = site(&snapshot, "pends");
        assert_eq!((pends.calls, pends.cancelled, pends.in_flight), (40, 20, 0));
    }
}
