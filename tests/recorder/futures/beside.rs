//! Scopes and blocks that are open while a future waits.

use super::{blocks, finish, leaf, ms, poll, polls, scoped, sleep};
use crate::alone::{alone, check, edges, site};
use std::thread;
use timed::Kind;

alone! {
    fn a_scope_that_a_poll_leaves_open_has_wall_time_and_no_place() {
        for round in 0..3 {
            let mut future = Box::pin(scoped(2));
            assert!(poll(future.as_mut()).is_pending());
            leaf();
            let snapshot = timed::snapshot();
            check(&snapshot);
            let held = site(&snapshot, "held");
            assert_eq!((held.calls, held.in_flight), (round, 1), "{held:#?}");
            sleep(20);
            finish(future);
        }
        let snapshot = timed::snapshot();
        check(&snapshot);
        let held = site(&snapshot, "held");
        assert_eq!((held.calls, held.timed, held.in_flight), (3, 3, 0));
        assert!(held.total_ns > ms(57) && held.self_ns.abs() < ms(1), "{held:#?}");
        let scoped = site(&snapshot, "scoped");
        assert_eq!((scoped.calls, polls(scoped)), (3, 9));
        let of_leaf = edges(&snapshot).into_iter().filter(|(edge, _)| edge.ends_with(">leaf"));
        let expected = [(">leaf", 3), ("scoped>leaf", 3)].map(|(edge, n)| (edge.to_owned(), n));
        assert_eq!(of_leaf.collect::<Vec<_>>(), expected);
    }

    fn a_scope_that_was_left_open_is_nothing_to_the_next_thread() {
        let outer = || {
            leaf();
            let mut future = Box::pin(scoped(1));
            assert!(poll(future.as_mut()).is_pending());
            finish(future);
        };
        for _ in 0..5 {
            thread::spawn(|| finish(scoped(2))).join().expect("it returns");
            thread::spawn(outer).join().expect("it returns");
        }
        let snapshot = timed::snapshot();
        check(&snapshot);
        for (name, calls) in [("leaf", 15), ("scoped", 10), ("held", 10)] {
            let site = site(&snapshot, name);
            assert_eq!((site.calls, site.in_flight), (calls, 0), "{site:#?}");
        }
        assert_eq!(snapshot.dropped, 0);
    }

    fn scopes_that_are_left_open_take_no_more_and_more_memory() {
        let resident = || {
            let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
            statm.split(' ').nth(1).map_or(0, |pages| pages.parse::<usize>().unwrap_or(0))
        };
        finish(scoped(1));
        let before = resident();
        for _ in 0..50_000 {
            finish(scoped(1));
        }
        let pages = resident().saturating_sub(before);
        assert!(pages < 512, "{pages} pages");
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!(site(&snapshot, "held").calls, 50_001);
    }

    fn many_scopes_are_left_open_and_end_in_any_order() {
        let mut futures: Vec<_> = (0..200).map(|n| Box::pin(scoped(1 + n % 7))).collect();
        while !futures.is_empty() {
            let mut at = 0;
            futures.retain_mut(|future| {
                at += 1;
                if at % 3 == 0 {
                    leaf();
                }
                poll(future.as_mut()).is_pending()
            });
        }
        let snapshot = timed::snapshot();
        check(&snapshot);
        let (held, scoped) = (site(&snapshot, "held"), site(&snapshot, "scoped"));
        assert_eq!((held.calls, held.in_flight, scoped.calls, scoped.in_flight), (200, 0, 200, 0));
        assert_eq!(snapshot.dropped, 0);
        assert!(edges(&snapshot).iter().all(|(edge, _)| {
            [">leaf", ">scoped", "scoped>leaf", "scoped>held"].contains(&edge.as_str())
        }), "{:?}", edges(&snapshot));
    }

    fn a_block_that_awaits_is_wall_time() {
        let mut future = Box::pin(blocks(10));
        assert!(poll(future.as_mut()).is_pending());
        sleep(20);
        let snapshot = timed::snapshot();
        let waits = site(&snapshot, "waits");
        assert_eq!((waits.kind, waits.calls, waits.in_flight), (Kind::Block, 0, 1));
        assert!(waits.in_flight_ns > ms(19), "{waits:#?}");
        let future = thread::spawn(move || finish(future)).join();
        assert_eq!(future.expect("it returns"), 10);
        let snapshot = timed::snapshot();
        check(&snapshot);
        let waits = site(&snapshot, "waits");
        assert_eq!((waits.calls, waits.timed, waits.in_flight), (1, 1, 0));
        assert!(waits.total_ns > ms(29) && waits.self_ns == 0.0, "{waits:#?}");
        assert!(!edges(&snapshot).iter().any(|(edge, _)| edge.contains("waits")));
    }
}
