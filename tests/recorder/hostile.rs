//! Timed functions where a recorder is in the way: in hooks, in handlers of exit, in destructors,
//! in forked children.

use crate::alone::{alone, calls, check, site};
use std::cell::RefCell;
use std::hint::black_box;
use std::panic::catch_unwind;
use std::thread;
use timed::timed;

#[timed]
fn work() {
    black_box(());
}

#[timed]
fn around<T>(f: impl FnOnce() -> T) -> T {
    f()
}

#[timed]
fn panics() {
    work();
    panic!("as planned");
}

fn times(n: u64) {
    (0..n).for_each(|_| work());
}

/// Waits for a child; its exit status.
fn status_of(pid: libc::pid_t) -> i32 {
    assert!(pid > 0);
    let mut status = 0;
    // SAFETY: the child is ours, and nobody else waits for it.
    assert_eq!(unsafe { libc::waitpid(pid, &raw mut status, 0) }, pid);
    assert!(libc::WIFEXITED(status), "{status:#x}");
    libc::WEXITSTATUS(status)
}

/// The end of a forked child: 0 if the process has made these many calls of `work`.
fn end_child(work: u64, around: u64) -> ! {
    let snapshot = timed::snapshot();
    let found = (calls(&snapshot, "work"), calls(&snapshot, "around"));
    if found != (work, around) {
        eprintln!("{found:?}, not {:?}", (work, around));
    }
    // SAFETY: ends the process at once: what the harness has to say at exit is the parent's.
    unsafe { libc::_exit(i32::from(found != (work, around))) }
}

/// Drops another thread-local's value, and makes timed calls itself.
struct Chain(u64, Option<Box<Chain>>);

impl Drop for Chain {
    fn drop(&mut self) {
        times(self.0);
        around(|| drop(self.1.take()));
    }
}

thread_local! {
    static FIRST: RefCell<Option<Chain>> = const { RefCell::new(None) };
    static SECOND: RefCell<Option<Chain>> = const { RefCell::new(None) };
}

/// Checks at the process's end; a failure there is a status that is not 0.
extern "C" fn at_exit() {
    around(|| times(4));
    let snapshot = timed::snapshot();
    if (calls(&snapshot, "work"), calls(&snapshot, "around")) != (9, 1) {
        eprintln!("{snapshot:#?}");
        // SAFETY: ends the process at once.
        unsafe { libc::_exit(3) }
    }
}

alone! {
    fn in_a_panic_hook() {
        std::panic::set_hook(Box::new(|_| around(|| times(2))));
        for _ in 0..100 {
            assert!(catch_unwind(panics).is_err());
        }
        let threads: Vec<_> = (0..4).map(|_| thread::spawn(panics)).collect();
        threads.into_iter().for_each(|thread| assert!(thread.join().is_err()));
        let _ = std::panic::take_hook();
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!((calls(&snapshot, "panics"), calls(&snapshot, "work")), (104, 104 * 3));
        assert_eq!((calls(&snapshot, "around"), site(&snapshot, "panics").in_flight), (104, 0));
    }

    fn in_a_handler_of_exit() {
        times(5);
        // SAFETY: the handler has no conditions.
        assert_eq!(unsafe { libc::atexit(at_exit) }, 0);
    }

    fn in_a_handler_of_exit_alone() {
        extern "C" fn handler() {
            work();
            if calls(&timed::snapshot(), "work") != 1 {
                // SAFETY: ends the process at once.
                unsafe { libc::_exit(3) }
            }
        }
        // SAFETY: the handler has no conditions.
        assert_eq!(unsafe { libc::atexit(handler) }, 0);
    }

    fn nested_in_thread_local_destructors() {
        for _ in 0..50 {
            thread::spawn(|| {
                FIRST.set(Some(Chain(2, Some(Box::new(Chain(3, None))))));
                work();
                SECOND.set(Some(Chain(1, None)));
            })
            .join()
            .unwrap();
        }
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!((calls(&snapshot, "work"), calls(&snapshot, "around")), (50 * 7, 50 * 3));
        assert!(snapshot.sites.iter().all(|site| site.in_flight == 0), "{snapshot:#?}");
        assert!(snapshot.lanes <= 2, "{}", snapshot.lanes);
    }

    fn in_forked_children() {
        times(10);
        for round in 0..20 {
            // Out of the middle of an activation, which is the parent's.
            let pid = around(|| {
                // SAFETY: the child does nothing but timed calls, and ends.
                let pid = unsafe { libc::fork() };
                if pid == 0 {
                    times(round);
                    around(work);
                }
                pid
            });
            if pid == 0 {
                times(2);
                end_child(round + 3, 1);
            }
            assert_eq!(status_of(pid), 0);
        }
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!((calls(&snapshot, "work"), calls(&snapshot, "around"), snapshot.dropped), (10, 20, 0));
    }

    fn in_children_of_children() {
        around(|| {
            // SAFETY: as above.
            let pid = unsafe { libc::fork() };
            if pid == 0 {
                times(2);
                // SAFETY: as above.
                let grandchild = unsafe { libc::fork() };
                if grandchild == 0 {
                    thread::spawn(|| times(5)).join().unwrap();
                    end_child(5, 0);
                }
                assert_eq!(status_of(grandchild), 0);
                end_child(2, 0);
            }
            assert_eq!(status_of(pid), 0);
        });
        let snapshot = timed::snapshot();
        assert_eq!((calls(&snapshot, "work"), calls(&snapshot, "around")), (0, 1));
    }

    fn snapshots_in_destructors_and_activations() {
        struct Looks;
        impl Drop for Looks {
            fn drop(&mut self) {
                work();
                timed::reset();
                timed::pause();
                timed::resume();
                work();
                assert_eq!(calls(&timed::snapshot(), "work"), 1);
            }
        }
        thread_local!(static LOOKS: Looks = const { Looks });
        let in_activation = around(|| around(timed::snapshot));
        assert_eq!((calls(&in_activation, "around"), site(&in_activation, "around").in_flight), (0, 2));
        thread::spawn(|| {
            LOOKS.with(|_| ());
            work();
        })
        .join()
        .unwrap();
        assert_eq!(calls(&timed::snapshot(), "work"), 1);
    }
}
