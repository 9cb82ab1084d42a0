//! Off, filtered, paused, reset: also in the middle of what is being timed.

use crate::alone::{Stop, alone, calls, check, edges, find, site};
use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use timed::timed;

#[timed]
fn leaf() {
    black_box(());
}

#[timed]
fn around(inside: &mut dyn FnMut()) {
    leaf();
    inside();
    leaf();
}

#[timed]
fn nest(n: u32, inside: &mut dyn FnMut()) {
    if n == 0 { inside() } else { nest(n - 1, inside) }
}

mod one {
    #[timed::timed(name = "shared")]
    pub(super) fn f() {
        super::leaf();
    }
}

mod other {
    #[timed::timed(name = "shared")]
    pub(super) fn f() {
        super::leaf();
        super::leaf();
    }
}

/// Nobody calls these: the compiler leaves out their code, and that of the second was never made.
mod idle {
    #[timed::timed]
    #[allow(dead_code)]
    fn plain() {}

    #[timed::timed(name = "idle generic")]
    #[allow(dead_code)]
    fn generic<T: Default>() -> T {
        T::default()
    }
}

fn leaves(n: u32) {
    (0..n).for_each(|_| leaf());
}

alone! {
    fn paused_calls_are_left_out() {
        leaves(10);
        timed::pause();
        leaves(1000);
        timed::resume();
        leaves(7);
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!(calls(&snapshot, "leaf"), 17);
    }

    fn a_pause_while_activations_are_open() {
        around(&mut || {
            timed::pause();
            leaf();
            around(&mut leaf);
        });
        // Both ended in the pause, one had begun before it, with one callee.
        leaf();
        timed::resume();
        around(&mut leaf);
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!((calls(&snapshot, "around"), calls(&snapshot, "leaf")), (2, 1 + 3));
        assert_eq!(site(&snapshot, "around").in_flight, 0);
        assert_eq!(snapshot.dropped, 0);
    }

    fn a_pause_leaves_the_probe_alone() {
        leaves(1000);
        timed::pause();
        // The probe's cost is measured again while everything is paused.
        let clock = timed::snapshot().clock;
        for cost in [clock.floor_ns, clock.outside_ns] {
            assert!(cost.end >= 0.2 * cost.start, "{clock:#?}");
        }
    }

    fn a_resume_while_paused_activations_are_open() {
        timed::pause();
        around(&mut || {
            timed::resume();
            leaf();
        });
        let snapshot = timed::snapshot();
        check(&snapshot);
        // `around` began in the pause: its callees stand alone.
        assert_eq!(edges(&snapshot), [(String::from(">leaf"), 2)]);
    }

    fn a_reset_drops_what_is_open() {
        leaves(100);
        around(&mut || {
            timed::reset();
            leaf();
        });
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!((calls(&snapshot, "leaf"), calls(&snapshot, "around"), snapshot.dropped), (2, 0, 1));
        around(&mut leaf);
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!((calls(&snapshot, "leaf"), calls(&snapshot, "around"), snapshot.dropped), (5, 1, 1));
        assert_eq!(edges(&snapshot)[..], [
            (String::from(">around"), 1),
            (String::from(">leaf"), 2),
            (String::from("around>leaf"), 3),
        ]);
    }

    fn a_reset_without_a_call_after_it() {
        around(&mut || {
            leaf();
            timed::reset();
            let snapshot = timed::snapshot();
            check(&snapshot);
            assert!(snapshot.sites.is_empty(), "{snapshot:#?}");
            assert_eq!(snapshot.dropped, 1);
        });
    }

    fn a_reset_deep_in_a_recursion() {
        for depth in [0_u32, 1, 5, 300] {
            nest(depth, &mut || {
                timed::reset();
                leaf();
                // The same site again, outermost now that what is around it is dropped.
                nest(depth, &mut leaf);
            });
            nest(2, &mut leaf);
            let snapshot = timed::snapshot();
            check(&snapshot);
            let depth = u64::from(depth);
            assert_eq!((calls(&snapshot, "nest"), calls(&snapshot, "leaf")), (depth + 1 + 3, 3));
            assert_eq!((snapshot.dropped, site(&snapshot, "nest").in_flight), (depth + 1, 0));
            // Only outermost activations have a total, which may come out on either side of zero.
            assert!(site(&snapshot, "nest").total_ns.abs() > 0.0, "{snapshot:#?}");
        }
    }

    fn resets_from_another_thread() {
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        nest(3, &mut leaf);
                    }
                });
            }
            let _at_the_end = Stop(&stop);
            for _ in 0..300 {
                timed::reset();
                thread::sleep(Duration::from_micros(200));
                check(&timed::snapshot());
            }
        });
        timed::reset();
        // The lanes of the two have been cleared by none: they are not in what follows.
        thread::spawn(|| (0..9).for_each(|_| nest(1, &mut leaf))).join().unwrap();
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!((calls(&snapshot, "nest"), calls(&snapshot, "leaf")), (18, 9));
    }

    fn a_reset_is_exact_for_calls_after_it() {
        let barrier = Barrier::new(3);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        leaves(123);
                        barrier.wait();
                        // The reset is here.
                        barrier.wait();
                        leaves(45);
                        barrier.wait();
                        barrier.wait();
                    }
                });
            }
            for _ in 0..50 {
                barrier.wait();
                timed::reset();
                barrier.wait();
                barrier.wait();
                assert_eq!(calls(&timed::snapshot(), "leaf"), 90);
                barrier.wait();
            }
        });
    }

    fn sites_that_are_never_called_are_known() {
        leaf();
        let snapshot = timed::snapshot();
        let named = |name: &str| {
            snapshot.never_called.iter().filter(|place| place.name.ends_with(name)).count()
        };
        assert_eq!(named("control::idle::plain"), 1);
        assert_eq!(named("idle generic"), 1);
        assert_eq!(named("control::leaf"), 0);
    }

    [TIMED = "off"]
    fn off() {
        around(&mut leaf);
        timed::resume();
        leaf();
        timed::reset();
        leaf();
        let snapshot = timed::snapshot();
        assert!(snapshot.sites.is_empty() && snapshot.lanes == 0, "{snapshot:#?}");
    }

    [TIMED_FILTER = "*control::leaf"]
    fn filtered() {
        (0..10).for_each(|_| around(&mut leaf));
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!(edges(&snapshot), [(String::from(">leaf"), 30)]);
        assert!(snapshot.never_called.iter().all(|place| place.name.ends_with("control::leaf")));
    }

    [TIMED_FILTER = "!*leaf"]
    fn filtered_out() {
        (0..10).for_each(|_| around(&mut leaf));
        timed::pause();
        around(&mut leaf);
        timed::resume();
        timed::reset();
        around(&mut leaf);
        assert_eq!(edges(&timed::snapshot()), [(String::from(">around"), 1)]);
    }

    fn two_sites_of_one_name() {
        (0..5).for_each(|_| one::f());
        (0..7).for_each(|_| other::f());
        let snapshot = timed::snapshot();
        check(&snapshot);
        let mut shared: Vec<u64> =
            snapshot.sites.iter().filter(|site| site.name == "shared").map(|site| site.calls).collect();
        shared.sort_unstable();
        assert_eq!(shared, [5, 7]);
        assert_eq!(calls(&snapshot, "leaf"), 19);
        assert!(find(&snapshot, "around").is_none());
    }
}
