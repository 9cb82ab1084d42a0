//! Stamps and hops: what is counted, on one thread and between several, and what it leaves alone.

use crate::alone::{alone, calls, check, edges, site};
use std::cell::Cell;
use std::hint::black_box;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};
use timed::{Kind, SiteStats, Snapshot, Stamp, timed};

/// The sites here, each in one place.
fn here(begin: Stamp) {
    timed::hop!("here", begin);
}

fn there(begin: Stamp) {
    timed::hop!("there", begin);
}

#[timed]
fn leaf() {
    black_box(());
}

#[timed]
fn stamped() -> Stamp {
    timed::stamp()
}

#[timed]
fn hopped(begin: Stamp) {
    here(begin);
}

#[timed]
fn caller() {
    hopped(stamped());
    leaf();
}

#[timed]
fn thousand() {
    for _ in 0..1000 {
        here(timed::stamp());
    }
}

/// What holds of every hop's site.
#[track_caller]
fn hop<'a>(snapshot: &'a Snapshot, name: &str, calls: u64) -> &'a SiteStats {
    check(snapshot);
    let hop = site(snapshot, name);
    assert_eq!((hop.kind, hop.calls), (Kind::Hop, calls), "{hop:#?}");
    assert_eq!((hop.in_flight, hop.cancelled, hop.futures), (0, 0, None));
    assert!(hop.self_ns == 0.0 && hop.self_uncertainty_ns == 0.0 && hop.self_percent == 0.0);
    assert!(hop.migrated <= hop.timed);
    let is_in_tree = snapshot.tree.iter().any(|node| snapshot.sites[node.site].name == name);
    assert!(!is_in_tree, "{:#?}", snapshot.tree);
    hop
}

thread_local! {
    static LATE: Cell<Option<Late>> = const { Cell::new(None) };
}

/// Hops when it drops.
struct Late(Stamp);

impl Drop for Late {
    fn drop(&mut self) {
        there(self.0);
        here(timed::stamp());
    }
}

alone! {
    fn between_many_threads() {
        const EACH: u64 = 5000;
        let (send, receive) = mpsc::sync_channel::<Stamp>(64);
        let (send_on, receive_on) = mpsc::channel::<Stamp>();
        thread::scope(|scope| {
            for _ in 0..4 {
                let send = send.clone();
                scope.spawn(move || (0..EACH).for_each(|_| send.send(timed::stamp()).unwrap()));
            }
            drop(send);
            scope.spawn(move || {
                for begin in receive {
                    here(begin);
                    send_on.send(begin).unwrap();
                }
            });
            // The same stamps again, further down.
            scope.spawn(move || receive_on.iter().for_each(there));
        });
        let snapshot = timed::snapshot();
        let (first, second) = (hop(&snapshot, "here", 4 * EACH), hop(&snapshot, "there", 4 * EACH));
        assert_eq!((first.timed, second.timed), (4 * EACH, 4 * EACH));
        assert_eq!(snapshot.dropped, 0);
        assert!(second.negative > 0 || second.total_ns > first.total_ns, "{snapshot:#?}");
        assert!(snapshot.probe_ns > 0.0 && snapshot.threads == 6, "{snapshot:#?}");
    }

    fn an_interval_is_what_it_is() {
        for _ in 0..20 {
            let begin = timed::stamp();
            let clock = Instant::now();
            thread::sleep(Duration::from_millis(2));
            here(begin);
            let elapsed = clock.elapsed().as_secs_f64() * 1e9;
            let begin = timed::stamp();
            thread::spawn(move || there(begin)).join().unwrap();
            assert!(elapsed < 1e9);
        }
        let snapshot = timed::snapshot();
        let slept = hop(&snapshot, "here", 20);
        assert!((1.9e6..5e8).contains(&slept.min_ns), "{slept:#?}");
        assert!(slept.total_ns >= 20.0 * 1.9e6 && slept.typical_ns <= slept.max_ns * 1.02, "{slept:#?}");
        // Starting a thread takes longer than nothing, and the threads have ended.
        assert!(hop(&snapshot, "there", 20).typical_ns > 500.0);
    }

    fn nobody_is_charged() {
        (0..3).for_each(|_| thousand());
        timed::reset();
        // The shortest of twenty has not been interrupted.
        let shortest = (0..20)
            .map(|_| {
                let clock = Instant::now();
                thousand();
                clock.elapsed().as_secs_f64() * 1e9
            })
            .fold(f64::INFINITY, f64::min);
        let snapshot = timed::snapshot();
        hop(&snapshot, "here", 20_000);
        let thousand = site(&snapshot, "thousand");
        assert_eq!(thousand.calls, 20);
        // Without optimisation more is the user's code.
        let most = if cfg!(debug_assertions) { 0.9 } else { 0.5 };
        assert!(thousand.min_ns < most * shortest, "{shortest}: {thousand:#?}");
        let apart = (thousand.self_ns - thousand.total_ns).abs();
        assert!(apart < 0.3 * 20.0 * shortest, "{shortest}: {thousand:#?}");
        // What cold paths take is no probe's, and on the system's clock all are cold.
        let least = if cfg!(system_clock) { 0.0 } else { 0.05 * 20.0 * shortest };
        assert!(snapshot.probe_ns > least, "{shortest}: {snapshot:#?}");
    }

    fn activations_stay_what_they_are() {
        (0..1000).for_each(|_| caller());
        // What a stamp has taken from an activation is not taken from the next one in its place.
        (0..1000).for_each(|_| leaf());
        let snapshot = timed::snapshot();
        hop(&snapshot, "here", 1000);
        assert_eq!(edges(&snapshot)[..], [
            (String::from(">caller"), 1000),
            (String::from(">leaf"), 1000),
            (String::from("caller>hopped"), 1000),
            (String::from("caller>leaf"), 1000),
            (String::from("caller>stamped"), 1000),
        ]);
        for name in ["caller", "leaf", "stamped", "hopped"] {
            let site = site(&snapshot, name);
            assert_eq!((site.timed, site.negative, site.in_flight), (site.calls, 0, 0), "{site:#?}");
        }
    }

    fn a_reset_in_between() {
        let before = timed::stamp();
        here(before);
        timed::reset();
        here(before);
        let after = timed::stamp();
        // Also in a lane that has not been told of the reset.
        thread::spawn(move || [before, after].map(there)).join().unwrap();
        here(after);
        let snapshot = timed::snapshot();
        hop(&snapshot, "here", 1);
        hop(&snapshot, "there", 1);
        assert_eq!(snapshot.dropped, 2, "{snapshot:#?}");
    }

    fn paused_hops_are_left_out() {
        let before = timed::stamp();
        here(before);
        timed::pause();
        here(before);
        there(before);
        let paused = timed::stamp();
        timed::resume();
        here(paused);
        there(before);
        let snapshot = timed::snapshot();
        hop(&snapshot, "here", 2);
        hop(&snapshot, "there", 1);
        assert_eq!(snapshot.dropped, 0);
    }

    [TIMED = "off"]
    fn off() {
        here(timed::stamp());
        caller();
        timed::resume();
        timed::reset();
        here(timed::stamp());
        let snapshot = timed::snapshot();
        assert!(snapshot.sites.is_empty() && snapshot.lanes == 0, "{snapshot:#?}");
    }

    [TIMED_FILTER = "!he*"]
    fn filtered_out() {
        for _ in 0..10 {
            here(timed::stamp());
            there(timed::stamp());
        }
        let snapshot = timed::snapshot();
        hop(&snapshot, "there", 10);
        assert_eq!(calls(&snapshot, "here"), 0);
    }

    fn one_that_nobody_reaches_is_known() {
        here(timed::stamp());
        let snapshot = timed::snapshot();
        let never: Vec<&str> = snapshot.never_called.iter().map(|place| &*place.name).collect();
        assert!(never.contains(&"there") && !never.contains(&"here"), "{never:?}");
    }

    fn in_destructors_of_thread_locals() {
        for timed_before in [false, true] {
            thread::spawn(move || {
                // Ahead of the recorder's own, or after it.
                LATE.set(Some(Late(timed::stamp())));
                if timed_before {
                    leaf();
                }
            })
            .join()
            .unwrap();
        }
        let snapshot = timed::snapshot();
        hop(&snapshot, "here", 2);
        hop(&snapshot, "there", 2);
    }

    fn in_a_forked_child() {
        let parents = timed::stamp();
        here(parents);
        // SAFETY: the child calls the recorder, and ends; there is no other thread that matters.
        let pid = unsafe { libc::fork() };
        assert!(pid >= 0);
        if pid == 0 {
            here(parents);
            here(timed::stamp());
            let snapshot = timed::snapshot();
            let is_its_own = calls(&snapshot, "here") == 1 && snapshot.dropped == 1;
            // SAFETY: always.
            unsafe { libc::_exit(i32::from(!is_its_own)) };
        }
        let mut status = 0;
        // SAFETY: the status has a place.
        assert_eq!(unsafe { libc::waitpid(pid, &raw mut status, 0) }, pid);
        assert_eq!(status, 0);
        here(parents);
        let snapshot = timed::snapshot();
        hop(&snapshot, "here", 2);
        assert_eq!(snapshot.dropped, 0);
    }

    fn a_snapshot_in_the_middle() {
        let begin = timed::stamp();
        (0..100).for_each(|_| here(begin));
        for round in 1..=50 {
            let snapshot = timed::snapshot();
            hop(&snapshot, "here", 99 + round);
            here(begin);
        }
    }
}
