//! The program ends by itself.

use super::child::{Child, calls_in};
use super::{Program, Test, named, work, work_times};
use std::cell::RefCell;
use std::process::{ExitCode, exit};
use std::sync::Barrier;
use std::thread;
use std::time::Duration;
use timed::timed;

pub(super) const PROGRAMS: &[Program] = named![
    returning,
    exiting,
    exiting_from_a_thread,
    exiting_from_two_threads,
    panicking,
    panicking_in_a_thread,
    aborting,
    leaving_at_once,
    idle,
    with_late_calls,
    with_busy_threads,
];

pub(super) const TESTS: &[Test] = named![
    return_from_main,
    exit_from_main,
    exit_from_a_thread,
    exit_from_two_threads_at_once,
    panic_out_of_main,
    panic_in_a_thread,
    abort_reports_nothing,
    underscore_exit_reports_nothing,
    no_timed_call_reports_nothing,
    calls_in_destructors_and_exit_handlers,
    threads_that_still_run,
];

fn returning() -> ExitCode {
    work_times(3);
    ExitCode::from(3)
}

fn return_from_main() {
    Child::new("returning").run().assert_code(3).assert_reported(3);
}

#[timed]
fn leave(code: i32) {
    work();
    exit(code)
}

fn exiting() -> ExitCode {
    leave(7);
    unreachable!()
}

fn exit_from_main() {
    let ended = Child::new("exiting").run();
    ended.assert_code(7).assert_reported(1);
    let (_, report) = &ended.reports()[0];
    let sites = report["sites"].as_array().unwrap();
    let open = sites.iter().find(|site| site["name"].as_str().unwrap().ends_with("::leave"));
    assert_eq!(open.unwrap()["in_flight"], 1, "{report:#}");
    assert_eq!(calls_in(report, "leave"), 0, "it has not returned");
}

fn exiting_from_a_thread() -> ExitCode {
    let _ = thread::spawn(|| leave(7)).join();
    unreachable!()
}

fn exit_from_a_thread() {
    Child::new("exiting_from_a_thread").run().assert_code(7).assert_reported(1);
}

fn exiting_from_two_threads() -> ExitCode {
    static START: Barrier = Barrier::new(2);
    let go = || {
        work();
        START.wait();
        exit(7)
    };
    thread::spawn(go);
    go()
}

fn exit_from_two_threads_at_once() {
    for _ in 0..20 {
        Child::new("exiting_from_two_threads").run().assert_code(7).assert_reported(2);
    }
}

#[timed]
fn fail() {
    work();
    panic!("on purpose");
}

fn panicking() -> ExitCode {
    fail();
    ExitCode::SUCCESS
}

fn panic_out_of_main() {
    let ended = Child::new("panicking").run();
    ended.assert_code(101).assert_reported(1);
    assert!(ended.stderr.contains("on purpose"), "{ended:#?}");
    assert_eq!(calls_in(&ended.reports()[0].1, "fail"), 1);
}

fn panicking_in_a_thread() -> ExitCode {
    assert!(thread::spawn(fail).join().is_err());
    work();
    ExitCode::SUCCESS
}

fn panic_in_a_thread() {
    let ended = Child::new("panicking_in_a_thread").run();
    ended.assert_code(0).assert_reported(2);
    assert_eq!(calls_in(&ended.reports()[0].1, "fail"), 1);
}

fn aborting() -> ExitCode {
    work();
    std::process::abort()
}

fn abort_reports_nothing() {
    Child::new("aborting").run().assert_signal(libc::SIGABRT).assert_silent();
}

fn leaving_at_once() -> ExitCode {
    work();
    // SAFETY: ends the process.
    unsafe { libc::_exit(5) }
}

fn underscore_exit_reports_nothing() {
    Child::new("leaving_at_once").run().assert_code(5).assert_silent();
}

fn idle() -> ExitCode {
    ExitCode::from(4)
}

fn no_timed_call_reports_nothing() {
    Child::new("idle").run().assert_code(4).assert_silent();
}

/// Timed calls in everything that runs after `main`, before and behind the report.
fn with_late_calls() -> ExitCode {
    struct Last;
    impl Drop for Last {
        fn drop(&mut self) {
            work();
        }
    }
    thread_local! {
        static BEFORE: RefCell<Option<Last>> = const { RefCell::new(None) };
        static AFTER: RefCell<Option<Last>> = const { RefCell::new(None) };
    }
    extern "C" fn at_exit() {
        work();
    }
    fn scenario() {
        BEFORE.set(Some(Last));
        work();
        AFTER.set(Some(Last));
    }
    // SAFETY: the hook may run at any time after this.
    unsafe { libc::atexit(at_exit) };
    thread::spawn(scenario).join().unwrap();
    scenario();
    // SAFETY: as above.
    unsafe { libc::atexit(at_exit) };
    ExitCode::from(6)
}

fn calls_in_destructors_and_exit_handlers() {
    let ended = Child::new("with_late_calls").run();
    // All but the handler that was there before us: it runs behind the report.
    ended.assert_code(6).assert_reported(7);
    assert!(!ended.stderr.contains("panicked"), "{ended:#?}");
}

fn with_busy_threads() -> ExitCode {
    for _ in 0..3 {
        thread::spawn(|| {
            loop {
                std::hint::black_box(vec![0_u8; 100]);
                work();
            }
        });
    }
    work();
    thread::sleep(Duration::from_millis(20));
    ExitCode::SUCCESS
}

fn threads_that_still_run() {
    let ended = Child::new("with_busy_threads").run();
    ended.assert_code(0).assert_tables(1);
    assert!(ended.calls_of(ended.pid).unwrap() > 1);
}
