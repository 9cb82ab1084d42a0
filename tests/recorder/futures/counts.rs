//! What is a call, what is a poll, and how long each takes.

use super::{
    boxed, down, finish, leaf, ms, opaque, pends, poll, polls, relaxed, sampled, sleep, sleeps,
    twice,
};
use crate::alone::{alone, calls, check, edges, find, site};
use std::pin::pin;
use timed::Kind;

alone! {
    fn calls_are_calls_and_polls_are_polls() {
        for n in 0..100 {
            assert_eq!(finish(pends(n % 5)), n % 5);
        }
        let snapshot = timed::snapshot();
        check(&snapshot);
        let pends = site(&snapshot, "pends");
        assert_eq!((pends.kind, pends.calls, pends.timed, pends.in_flight), (Kind::Async, 100, 100, 0));
        assert_eq!((polls(pends), pends.cancelled), (300, 0));
        assert_eq!(calls(&snapshot, "leaf"), 100);
        assert!(find(&snapshot, "leaf").is_some_and(|leaf| leaf.futures.is_none()));
    }

    fn awaits_appear_under_their_caller() {
        finish(twice(2));
        leaf();
        let snapshot = timed::snapshot();
        check(&snapshot);
        // Each is pending twice; the first one's last poll and the second one's first are one of the
        // caller's.
        let expected = [(">leaf", 1), (">twice", 5), ("pends>leaf", 2), ("twice>pends", 6)];
        assert_eq!(edges(&snapshot), expected.map(|(edge, n)| (edge.to_owned(), n)));
    }

    fn wall_time_busy_time_and_the_time_between() {
        let mut future = pin!(sleeps(20));
        assert!(poll(future.as_mut()).is_pending());
        sleep(80);
        assert!(poll(future.as_mut()).is_ready());
        let snapshot = timed::snapshot();
        check(&snapshot);
        let sleeps = site(&snapshot, "sleeps");
        let futures = sleeps.futures.expect("a future");
        assert!(sleeps.total_ns >= ms(140) && sleeps.max_ns >= ms(139), "{sleeps:#?}");
        assert!(futures.busy_ns >= ms(60) && futures.busy_ns < sleeps.total_ns - ms(79), "{sleeps:#?}");
        assert!(sleeps.self_ns >= ms(60) && sleeps.self_ns < sleeps.total_ns - ms(79), "{sleeps:#?}");
        assert!(futures.idle_ns >= ms(79), "{sleeps:#?}");
        assert!(futures.longest_poll_ns >= ms(40), "{sleeps:#?}");
        assert!((futures.idle_ns + futures.busy_ns - sleeps.total_ns).abs() < 1e3, "{sleeps:#?}");
    }

    fn a_recursion_counts_its_outermost_wall_time() {
        let mut future = pin!(down(5));
        assert!(poll(future.as_mut()).is_pending());
        sleep(40);
        assert_eq!(finish(future), 5);
        let snapshot = timed::snapshot();
        check(&snapshot);
        let down = site(&snapshot, "down");
        assert_eq!((down.calls, down.in_flight, polls(down)), (6, 0, 12));
        assert!(down.total_ns > ms(39) && down.total_ns < 2.0 * down.max_ns, "{down:#?}");
        assert!(down.min_ns > ms(39), "{down:#?}");
    }

    fn sampled_calls_are_all_counted() {
        for _ in 0..1000 {
            finish(sampled());
        }
        let mut future = Box::pin(sampled());
        let _ = poll(future.as_mut());
        drop(future);
        let snapshot = timed::snapshot();
        check(&snapshot);
        let sampled = site(&snapshot, "sampled");
        assert_eq!(sampled.calls + sampled.in_flight, 1001);
        assert!((150..400).contains(&sampled.timed), "{sampled:#?}");
        assert!(polls(sampled).abs_diff(2001) < 60, "{sampled:#?}");
    }

    fn relaxed_polls_count_too() {
        for _ in 0..100 {
            finish(relaxed());
        }
        let snapshot = timed::snapshot();
        check(&snapshot);
        let relaxed = site(&snapshot, "relaxed");
        assert_eq!((relaxed.calls, relaxed.timed, polls(relaxed)), (100, 100, 300));
    }

    fn functions_that_are_an_async_block_are_futures() {
        for _ in 0..10 {
            assert_eq!(finish(boxed(1)) + finish(opaque(2)), 3);
        }
        drop((boxed(1), opaque(1)));
        let snapshot = timed::snapshot();
        check(&snapshot);
        for (name, n) in [("boxed", 20), ("opaque", 30)] {
            let site = site(&snapshot, name);
            assert_eq!((site.kind, site.calls, polls(site)), (Kind::Async, 10, n));
        }
    }
}
