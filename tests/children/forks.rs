//! Processes that a program forks off.

use super::child::{Child, Ended, limit_time, say_ready};
use super::{Program, Test, named, work, work_times};
use libc::{SIGTERM, pid_t};
use std::process::{ExitCode, exit};
use std::thread;
use std::time::Duration;

pub(super) const PROGRAMS: &[Program] = named![
    forking,
    forking_in_vain,
    forking_bare,
    forking_before,
    forking_twice,
    forking_among_threads,
    forking_for_the_kill,
];

pub(super) const TESTS: &[Test] = named![
    each_reports_its_own,
    a_child_without_timed_calls_is_silent,
    a_child_of_a_bare_system_call,
    before_the_first_timed_call,
    grandchildren,
    beside_busy_threads,
    children_die_of_their_signals,
];

/// Forks through the C library.
fn fork() -> pid_t {
    // SAFETY: the children here do what a child of a process with threads may do with this C
    // library, or are those of a process without.
    let pid = unsafe { libc::fork() };
    assert!(pid >= 0);
    if pid == 0 {
        limit_time();
    }
    pid
}

/// Forks behind the back of the C library.
fn bare_fork() -> pid_t {
    // SAFETY: as above; a process without threads.
    let pid = unsafe { libc::syscall(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0) };
    assert!(pid >= 0);
    if pid == 0 {
        limit_time();
    }
    pid_t::try_from(pid).unwrap()
}

/// Waits for a child; 128 + n stands for signal n.
fn status_of(pid: pid_t) -> i32 {
    let mut status = 0;
    // SAFETY: the status has a place.
    assert_eq!(unsafe { libc::waitpid(pid, &raw mut status, 0) }, pid);
    if libc::WIFSIGNALED(status) { 128 + libc::WTERMSIG(status) } else { libc::WEXITSTATUS(status) }
}

/// The calls in the reports of all processes but the first.
fn calls_of_children(ended: &Ended) -> Vec<u64> {
    let pids = ended.reports().into_iter().map(|(pid, _)| pid).filter(|pid| *pid != ended.pid);
    let mut calls: Vec<u64> = pids.map(|pid| ended.calls_of(pid).unwrap()).collect();
    calls.sort_unstable();
    calls
}

#[track_caller]
fn assert_calls(ended: &Ended, own: u64, of_children: &[u64]) {
    ended.assert_code(0).assert_tables(1 + of_children.len());
    assert_eq!(ended.calls_of(ended.pid), Some(own), "{ended:#?}");
    assert_eq!(calls_of_children(ended), of_children, "{ended:#?}");
}

fn forking() -> ExitCode {
    work_times(3);
    let pid = fork();
    if pid == 0 {
        work_times(5);
        exit(3)
    }
    work();
    assert_eq!(status_of(pid), 3);
    ExitCode::SUCCESS
}

fn each_reports_its_own() {
    assert_calls(&Child::new("forking").run(), 4, &[5]);
}

fn forking_in_vain() -> ExitCode {
    work_times(3);
    for fork in [fork, bare_fork] {
        let pid = fork();
        if pid == 0 {
            exit(3)
        }
        assert_eq!(status_of(pid), 3);
    }
    ExitCode::SUCCESS
}

fn a_child_without_timed_calls_is_silent() {
    assert_calls(&Child::new("forking_in_vain").run(), 3, &[]);
}

fn forking_bare() -> ExitCode {
    work_times(3);
    let pid = bare_fork();
    if pid == 0 {
        work_times(5);
        exit(3)
    }
    assert_eq!(status_of(pid), 3);
    ExitCode::SUCCESS
}

fn a_child_of_a_bare_system_call() {
    for signals in ["on", "off"] {
        let child = Child::new("forking_bare").env("TIMED_SIGNALS", signals);
        assert_calls(&child.run(), 3, &[5]);
    }
}

fn forking_before() -> ExitCode {
    let pid = fork();
    work_times(if pid == 0 { 5 } else { 3 });
    if pid != 0 {
        assert_eq!(status_of(pid), 0);
    }
    ExitCode::SUCCESS
}

fn before_the_first_timed_call() {
    assert_calls(&Child::new("forking_before").run(), 3, &[5]);
}

fn forking_twice() -> ExitCode {
    work_times(3);
    let pid = fork();
    if pid != 0 {
        assert_eq!(status_of(pid), 0);
        return ExitCode::SUCCESS;
    }
    work_times(5);
    let pid = fork();
    if pid == 0 {
        work_times(7);
    } else {
        assert_eq!(status_of(pid), 0);
    }
    ExitCode::SUCCESS
}

fn grandchildren() {
    assert_calls(&Child::new("forking_twice").run(), 3, &[5, 7]);
}

fn forking_among_threads() -> ExitCode {
    for _ in 0..2 {
        thread::spawn(|| {
            loop {
                std::hint::black_box(vec![0_u8; 100]);
                work();
            }
        });
    }
    work();
    for _ in 0..10 {
        let pid = fork();
        if pid == 0 {
            work_times(5);
            exit(3)
        }
        assert_eq!(status_of(pid), 3);
    }
    ExitCode::SUCCESS
}

fn beside_busy_threads() {
    let ended = Child::new("forking_among_threads").run();
    ended.assert_code(0).assert_tables(11);
    assert_eq!(calls_of_children(&ended), [5; 10]);
}

/// Children that have and that have not made timed calls get a signal.
fn forking_for_the_kill() -> ExitCode {
    work_times(3);
    for (fork, calls) in [(fork as fn() -> pid_t, 0), (bare_fork, 0), (fork, 5)] {
        let pid = fork();
        if pid == 0 {
            work_times(calls);
            thread::sleep(Duration::from_secs(10));
            exit(3)
        }
        thread::sleep(Duration::from_millis(100));
        // SAFETY: the child has not been waited for.
        assert_eq!(unsafe { libc::kill(pid, SIGTERM) }, 0);
        assert_eq!(status_of(pid), 128 + SIGTERM);
    }
    say_ready();
    ExitCode::SUCCESS
}

fn children_die_of_their_signals() {
    let ended = Child::new("forking_for_the_kill").run();
    assert_calls(&ended, 3, &[5]);
    assert_eq!(ended.stdout, "ready\n");
}
