//! Calls made are calls reported, whatever becomes of the threads that made them.

use crate::alone::{Stop, alone, calls, check, site};
use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use timed::timed;

#[timed]
fn work() {
    black_box(());
}

#[timed]
fn outer() {
    work();
    work();
}

fn times(n: u64) {
    (0..n).for_each(|_| work());
}

/// Waits for what another thread does.
#[timed]
fn waits() -> Duration {
    let began = Instant::now();
    thread::spawn(|| (0..50_000).for_each(|_| outer())).join().unwrap();
    began.elapsed()
}

/// A thread-local whose destructor makes timed calls.
struct Late(Cell<u64>);

impl Drop for Late {
    fn drop(&mut self) {
        times(self.0.get());
    }
}

thread_local! {
    static EARLY: Late = const { Late(Cell::new(0)) };
    static LAST: Late = const { Late(Cell::new(0)) };
}

alone! {
    fn many_short_threads() {
        for round in 0..50 {
            let threads: Vec<_> = (0..6).map(|at| thread::spawn(move || times(round * at + 1))).collect();
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        }
        let snapshot = timed::snapshot();
        check(&snapshot);
        let made: u64 = (0..50).flat_map(|round| (0..6).map(move |at| round * at + 1)).sum();
        assert_eq!(site(&snapshot, "work").calls, made);
        assert_eq!(site(&snapshot, "work").timed, made, "nothing needs to be untimed here");
        assert_eq!(snapshot.threads, 300);
        assert!(snapshot.lanes <= 6, "{} lanes for six threads at once", snapshot.lanes);
    }

    fn many_threads_at_once() {
        let start = Arc::new(Barrier::new(48));
        let threads: Vec<_> = (0..48)
            .map(|_| {
                let start = Arc::clone(&start);
                thread::spawn(move || {
                    // Also the process's first timed call is made by all of them together.
                    start.wait();
                    (0..2000).for_each(|_| outer());
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!((calls(&snapshot, "outer"), calls(&snapshot, "work")), (96_000, 192_000));
        assert_eq!(snapshot.dropped, 0);
    }

    fn scoped_threads() {
        for _ in 0..20 {
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| times(250));
                }
            });
        }
        // The scope ends before its threads have: their last calls are still pending.
        assert_eq!(calls(&timed::snapshot(), "work"), 20_000);
    }

    fn what_others_do_is_not_inside() {
        let took = waits().as_nanos() as f64;
        let snapshot = timed::snapshot();
        check(&snapshot);
        let waits = site(&snapshot, "waits");
        // All that it has waited is its own time: the probes of another thread are not taken off.
        assert!(waits.self_ns > 0.99 * took && waits.total_ns > 0.99 * took, "{took} ns, {waits:#?}");
        let root = snapshot.tree.iter().find(|node| snapshot.sites[node.site].name.ends_with("outer"));
        assert!(root.expect("it was called").parent.is_none(), "{:#?}", snapshot.tree);
    }

    fn threads_that_never_end() {
        let (done, all) = mpsc::channel();
        for _ in 0..5 {
            let done = done.clone();
            thread::spawn(move || {
                times(1234);
                done.send(()).unwrap();
                loop {
                    thread::sleep(Duration::from_secs(60));
                }
            });
        }
        (0..5).for_each(|_| all.recv().unwrap());
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!(calls(&snapshot, "work"), 5 * 1234);
        assert_eq!(snapshot.lanes, 5);
    }

    fn thread_local_destructors() {
        for round in 0..20 {
            thread::spawn(move || {
                // One is registered before the recorder's own destructor, one after it.
                EARLY.with(|late| late.0.set(3));
                times(round);
                LAST.with(|late| late.0.set(5));
            })
            .join()
            .unwrap();
        }
        // The first timed call of all is made when the thread is over.
        thread::spawn(|| EARLY.with(|late| late.0.set(7))).join().unwrap();
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!(calls(&snapshot, "work"), (0..20).sum::<u64>() + 20 * 8 + 7);
        assert!(snapshot.lanes <= 2, "{} lanes, for threads one after another", snapshot.lanes);
    }

    fn snapshots_of_busy_threads() {
        let (stop, made) = (AtomicBool::new(false), AtomicU64::new(1));
        outer();
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let mut own = 0;
                    while !stop.load(Ordering::Relaxed) {
                        outer();
                        own += 1;
                    }
                    made.fetch_add(own, Ordering::Relaxed);
                });
            }
            let _at_the_end = Stop(&stop);
            let mut before = 0;
            for _ in 0..150 {
                let snapshot = timed::snapshot();
                check(&snapshot);
                let now = calls(&snapshot, "outer") + calls(&snapshot, "work");
                // A lane's call in progress may be seen, or not.
                assert!(now + 3 >= before, "{now} calls after {before}");
                before = now;
                for site in &snapshot.sites {
                    // Of a lane whose thread has lost its processor right before a reading is whole.
                    assert!(site.negative <= 3, "half of one reading, half of another: {site:#?}");
                    assert!(site.in_flight <= 3, "{site:#?}");
                }
            }
        });
        let snapshot = timed::snapshot();
        check(&snapshot);
        let made = made.load(Ordering::Relaxed);
        assert!(made > 1000);
        assert_eq!((calls(&snapshot, "outer"), calls(&snapshot, "work")), (made, 2 * made));
        assert!(snapshot.sites.iter().all(|site| site.in_flight == 0));
    }
}
