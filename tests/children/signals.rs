//! A signal ends a program that has not said what is to become of it.

use super::child::{Child, say_ready, wait_for_parent};
use super::{Program, Test, named, work, work_times};
use libc::{SIGHUP, SIGINT, SIGKILL, SIGTERM};
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use timed::timed;

pub(super) const PROGRAMS: &[Program] = named![
    waiting,
    allocating,
    raising,
    becoming_another,
    ending_slowly,
    ending_late,
    counting_threads,
];

pub(super) const TESTS: &[Test] = named![
    dies_of_the_signal,
    dies_of_many_signals,
    killed_reports_nothing,
    signals_off,
    signals_off_has_no_thread,
    among_threads_that_allocate,
    raised_by_the_program,
    after_exec,
    while_the_exit_reports,
    while_the_program_goes_on_to_exit,
];

/// Does not return by itself.
#[timed]
fn wait() {
    work_times(3);
    say_ready();
    wait_for_parent();
}

fn waiting() -> ExitCode {
    wait();
    ExitCode::from(9)
}

fn dies_of_the_signal() {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        let mut child = Child::new("waiting").start();
        child.wait_ready();
        let start = Instant::now();
        child.signal(signal);
        while !child.is_over() {
            assert!(start.elapsed() < Duration::from_secs(2), "it takes its time");
            thread::sleep(Duration::from_millis(1));
        }
        let ended = child.end();
        ended.assert_signal(signal).assert_reported(3);
        let (_, report) = &ended.reports()[0];
        let sites = report["sites"].as_array().unwrap();
        let open = sites.iter().find(|site| site["name"].as_str().unwrap().ends_with("::wait"));
        assert_eq!(open.unwrap()["in_flight"], 1, "{report:#}");
    }
}

fn dies_of_many_signals() {
    let mut child = Child::new("waiting").start();
    child.wait_ready();
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGTERM] {
        child.signal(signal);
    }
    let ended = child.end();
    ended.assert_reported(3);
    assert_eq!(ended.status.code(), None, "{ended:#?}");
}

fn killed_reports_nothing() {
    let mut child = Child::new("waiting").start();
    child.wait_ready();
    child.signal(SIGKILL);
    child.end().assert_signal(SIGKILL).assert_silent();
}

fn signals_off() {
    let mut child = Child::new("waiting").env("TIMED_SIGNALS", "off").start();
    child.wait_ready();
    child.signal(SIGTERM);
    child.end().assert_signal(SIGTERM).assert_silent();
}

fn counting_threads() -> ExitCode {
    work();
    let threads = fs::read_dir("/proc/self/task").unwrap();
    ExitCode::from(u8::try_from(threads.count()).unwrap())
}

fn signals_off_has_no_thread() {
    Child::new("counting_threads").run().assert_code(2).assert_reported(1);
    let off = Child::new("counting_threads").env("TIMED_SIGNALS", "off").run();
    off.assert_code(1).assert_reported(1);
}

/// The signal interrupts code that holds locks, of the allocator and of our own.
fn allocating() -> ExitCode {
    let busy = || {
        let mut kept = Vec::new();
        for size in (1..20_000).cycle() {
            work();
            kept.push(vec![0_u8; size]);
            if kept.len() > 100 {
                kept.clear();
            }
        }
    };
    thread::spawn(busy);
    work();
    say_ready();
    busy();
    unreachable!()
}

fn among_threads_that_allocate() {
    for _ in 0..10 {
        let mut child = Child::new("allocating").start();
        child.wait_ready();
        thread::sleep(Duration::from_millis(5));
        child.signal(SIGTERM);
        let ended = child.end();
        ended.assert_signal(SIGTERM).assert_tables(1);
        assert!(ended.calls_of(ended.pid).unwrap() > 0);
    }
}

/// What stands behind the `raise` is not reached.
fn raising() -> ExitCode {
    work_times(3);
    // SAFETY: ends the process.
    unsafe { libc::raise(SIGTERM) };
    ExitCode::from(9)
}

fn raised_by_the_program() {
    Child::new("raising").run().assert_signal(SIGTERM).assert_reported(3);
}

/// What a process becomes has nothing to do with us, and finds its signals at their default.
fn becoming_another() -> ExitCode {
    work_times(3);
    let error = Command::new("/bin/sh").args(["-c", "echo ready; read x; exit 3"]).exec();
    panic!("{error}");
}

fn after_exec() {
    let mut child = Child::new("becoming_another").start();
    child.wait_ready();
    child.signal(SIGINT);
    child.end().assert_signal(SIGINT).assert_silent();
}

/// Exits with a stderr that nobody reads: the report takes two seconds.
fn ending_slowly() -> ExitCode {
    use std::io::Write;

    work_times(3);
    // SAFETY: only sets flags, as it does below.
    unsafe { libc::fcntl(2, libc::F_SETFL, libc::O_NONBLOCK) };
    while io::stderr().write(&[b'#'; 4096]).is_ok() {}
    // SAFETY: see above.
    unsafe { libc::fcntl(2, libc::F_SETFL, 0) };
    say_ready();
    ExitCode::from(9)
}

/// The signal is deadly there too, but lets the report come to its end.
fn while_the_exit_reports() {
    let mut child = Child::new("ending_slowly").stderr(Stdio::piped()).start();
    child.wait_ready();
    let reader = child.take_stderr();
    thread::sleep(Duration::from_millis(300));
    child.signal(SIGTERM);
    let ended = child.end();
    drop(reader);
    ended.assert_signal(SIGTERM);
    assert_eq!(ended.calls_of(ended.pid), Some(3));
}

/// The thread that the signal does not interrupt runs on, and gets to the end of `main` while the
/// report is being written.
fn ending_late() -> ExitCode {
    work_times(3);
    thread::spawn(|| {
        // SAFETY: comes to this thread, as it is sent to it.
        unsafe { libc::raise(SIGTERM) };
    });
    thread::sleep(Duration::from_micros(300));
    ExitCode::from(9)
}

fn while_the_program_goes_on_to_exit() {
    for _ in 0..20 {
        let ended = Child::new("ending_late").run();
        ended.assert_reported(3);
        assert!(ended.status.code().is_none_or(|code| code == 9), "{ended:#?}");
    }
}
