//! The program has plans of its own for a signal: they come before ours.

use super::child::{Child, say_ready, wait_for_parent};
use super::{Program, Test, named, work, work_times};
use libc::{SIGHUP, SIGINT, SIGTERM, c_int, sighandler_t};
use std::mem::MaybeUninit;
use std::process::ExitCode;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

pub(super) const PROGRAMS: &[Program] = named![
    ignoring,
    handling_first,
    handling_later,
    handling_and_chaining,
    handling_for_a_while,
    waiting_for_signals,
    hooking_first,
    hooking_later,
    tokio_first,
    tokio_later,
];

pub(super) const TESTS: &[Test] = named![
    ignored_stays_ignored,
    own_handler_shuts_down,
    own_handler_given_up,
    sigwait_gets_it,
    signal_hook_shuts_down,
    tokio_shuts_down,
];

static HANDLED: AtomicUsize = AtomicUsize::new(0);

extern "C" fn count(_: c_int) {
    HANDLED.fetch_add(1, Ordering::Relaxed);
}

/// Installs a handler; returns what was there.
fn install(signal: c_int, handler: sighandler_t) -> libc::sigaction {
    let (mut new, mut old) = (MaybeUninit::<libc::sigaction>::zeroed(), MaybeUninit::zeroed());
    // SAFETY: zeros are a valid structure; the handlers only touch atomics.
    unsafe {
        new.assume_init_mut().sa_sigaction = handler;
        assert_eq!(libc::sigaction(signal, new.as_ptr(), old.as_mut_ptr()), 0);
        old.assume_init()
    }
}

/// A shutdown that takes a moment: who kills the process meanwhile has not waited.
fn shut_down_when(mut signalled: impl FnMut() -> bool) -> ExitCode {
    say_ready();
    while !signalled() {
        thread::sleep(Duration::from_millis(2));
    }
    thread::sleep(Duration::from_millis(100));
    work();
    ExitCode::from(42)
}

fn handled() -> bool {
    HANDLED.load(Ordering::Relaxed) == 1
}

fn ignoring() -> ExitCode {
    install(SIGHUP, libc::SIG_IGN);
    work_times(3);
    say_ready();
    wait_for_parent();
    ExitCode::from(42)
}

fn ignored_stays_ignored() {
    let mut child = Child::new("ignoring").start();
    child.wait_ready();
    child.signal(SIGHUP);
    thread::sleep(Duration::from_millis(50));
    child.end().assert_code(42).assert_reported(3);
}

fn handling_first() -> ExitCode {
    install(SIGTERM, count as *const () as sighandler_t);
    work_times(3);
    shut_down_when(handled)
}

fn handling_later() -> ExitCode {
    work_times(3);
    install(SIGTERM, count as *const () as sighandler_t);
    shut_down_when(handled)
}

static FOUND: AtomicUsize = AtomicUsize::new(0);

/// Calls what it found.
extern "C" fn chain(signal: c_int) {
    count(signal);
    let found = FOUND.load(Ordering::Relaxed);
    if found != libc::SIG_DFL && found != libc::SIG_IGN {
        // SAFETY: what else can be installed without SA_SIGINFO is a handler.
        let handler: extern "C" fn(c_int) = unsafe { std::mem::transmute(found) };
        handler(signal);
    }
}

fn handling_and_chaining() -> ExitCode {
    work_times(3);
    let old = install(SIGTERM, libc::SIG_DFL);
    FOUND.store(old.sa_sigaction, Ordering::Relaxed);
    install(SIGTERM, chain as *const () as sighandler_t);
    shut_down_when(handled)
}

/// Sends a signal to each program, which shuts itself down.
#[track_caller]
fn assert_shut_down(programs: &[&str], signal: c_int) {
    for program in programs {
        let mut child = Child::new(program).start();
        child.wait_ready();
        child.signal(signal);
        child.end().assert_code(42).assert_reported(4);
    }
}

fn own_handler_shuts_down() {
    assert_shut_down(&["handling_first", "handling_later", "handling_and_chaining"], SIGTERM);
}

/// Puts back what it found, which is ours.
fn handling_for_a_while() -> ExitCode {
    work_times(3);
    let old = install(SIGINT, count as *const () as sighandler_t);
    // SAFETY: the handler only counts, and the action was installed before.
    unsafe {
        libc::raise(SIGINT);
        libc::sigaction(SIGINT, &raw const old, ptr::null_mut());
    }
    assert!(handled());
    say_ready();
    wait_for_parent();
    ExitCode::from(9)
}

fn own_handler_given_up() {
    let mut child = Child::new("handling_for_a_while").start();
    child.wait_ready();
    child.signal(SIGINT);
    child.end().assert_signal(SIGINT).assert_reported(3);
}

/// Blocked in all threads, and waited for by one: no thread of ours takes it away.
fn waiting_for_signals() -> ExitCode {
    let (mut set, mut signal) = (MaybeUninit::uninit(), 0);
    // SAFETY: the set is made whole before it is used.
    let set = unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), SIGTERM);
        libc::pthread_sigmask(libc::SIG_BLOCK, set.as_ptr(), ptr::null_mut());
        set.assume_init()
    };
    work_times(3);
    shut_down_when(|| {
        // SAFETY: the set is whole.
        unsafe { libc::sigwait(&raw const set, &raw mut signal) == 0 && signal == SIGTERM }
    })
}

fn sigwait_gets_it() {
    assert_shut_down(&["waiting_for_signals"], SIGTERM);
}

fn hook() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(SIGTERM, Arc::clone(&flag)).unwrap();
    flag
}

fn hooking_first() -> ExitCode {
    let flag = hook();
    work_times(3);
    shut_down_when(|| flag.load(Ordering::Relaxed))
}

fn hooking_later() -> ExitCode {
    work_times(3);
    let flag = hook();
    shut_down_when(|| flag.load(Ordering::Relaxed))
}

fn signal_hook_shuts_down() {
    assert_shut_down(&["hooking_first", "hooking_later"], SIGTERM);
}

/// Waits for ctrl-c in the way of most servers.
fn serve(before: usize, after: usize) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        work_times(before);
        let mut signals =
            tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt()).unwrap();
        work_times(after);
        say_ready();
        signals.recv().await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        work();
    });
    ExitCode::from(42)
}

fn tokio_first() -> ExitCode {
    serve(0, 3)
}

fn tokio_later() -> ExitCode {
    serve(3, 0)
}

fn tokio_shuts_down() {
    assert_shut_down(&["tokio_first", "tokio_later"], SIGINT);
}
