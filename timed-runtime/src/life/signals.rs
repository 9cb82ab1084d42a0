//! The report when a signal ends the process: SIGINT, SIGTERM, SIGHUP.
//!
//! Only where the program has left the signal at its default, which is to die of it; the process
//! still does. The handler is our own and shared with nobody: a registry of handlers would run us
//! beside the program's graceful shutdown. It does nothing but wake a thread, which may do what a
//! handler may not.
//!
//! A program that installs handlers later has the last word: they replace ours. Libraries that
//! call what they found in their place reach a handler that sees that it is no longer installed.

use super::bell::Bell;
use super::{TURN, pid, report_once};
use crate::errno::Errno;
use libc::{c_int, sighandler_t};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

const SIGNALS: [c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// Enough for a report; the kernel only gives out what is used.
const STACK: usize = 256 * 1024;

/// How long the interrupted code waits for the process to die.
const WAIT: libc::timespec = libc::timespec { tv_sec: 2, tv_nsec: 0 };

/// Rung by the handler; holds the signal.
static BELL: Bell = Bell::new();

/// Sets all of it up, in a process that has not done so.
pub(super) fn arm() {
    // The first process of a container does not die of a signal at its default, so there is
    // nothing to report: its report comes when it exits.
    if pid() == 1 {
        return;
    }
    BELL.reset();
    if start_thread().is_err() {
        return;
    }
    hook_fork();
    for signal in SIGNALS {
        install(signal);
    }
}

/// Starts the thread. It takes no signal: none of the program's handlers shall run on its small stack.
fn start_thread() -> std::io::Result<()> {
    let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    // SAFETY: `sigfillset` makes a whole set, and blocking in one's own thread cannot fail, so
    // that the former mask is written.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
    }
    let spawned = thread::Builder::new()
        .name("timed-signals".into())
        .stack_size(STACK)
        .spawn(|| die_of(watch()));
    // SAFETY: it is the mask of this thread, as it was written above.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), ptr::null_mut()) };
    spawned.map(drop)
}

/// Sleeps until a signal has come, and reports.
fn watch() -> c_int {
    let signal = BELL.wait();
    report_once();
    signal
}

/// Does what the signal would have done without us.
fn die_of(signal: c_int) {
    set(signal, libc::SIG_DFL);
    let mut only = MaybeUninit::uninit();
    // SAFETY: the set is made whole before it is used. The signal kills the process, here and
    // now, unless a debugger holds it back.
    unsafe {
        libc::sigemptyset(only.as_mut_ptr());
        libc::sigaddset(only.as_mut_ptr(), signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, only.as_ptr(), ptr::null_mut());
        libc::raise(signal);
    }
}

/// The handler. It may only do what is safe wherever the program is: system calls, atomics.
extern "C" fn on_signal(signal: c_int) {
    let _errno = Errno::keep();
    if is_installed(signal) {
        let pid = pid();
        if TURN.is_of(pid) {
            BELL.ring(signal);
            sleep();
            // Still alive. Code that we have interrupted may hold what the report needs, so it
            // goes on; but the next signal is not ours to wait for.
            remove(signal);
        } else {
            // A child that has made no timed call since the fork: as if we had never been here.
            // The signal is blocked until the handler returns, and deadly then.
            set(signal, libc::SIG_DFL);
            // SAFETY: a signal to one's own process can be sent from a handler. (`raise` would
            // address the parent's thread if the child came from a bare system call.)
            unsafe { libc::kill(pid.cast_signed(), signal) };
        }
    }
}

/// Sleeps for `WAIT`, also if the process is stopped and continued meanwhile.
fn sleep() {
    let mut left = WAIT;
    // SAFETY: the time is valid, and what remains is written into the same place.
    while unsafe { libc::nanosleep(&raw const left, &raw mut left) } == -1
        && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
    {}
}

fn own() -> sighandler_t {
    on_signal as *const () as sighandler_t
}

/// What the process does upon a signal.
fn disposition(signal: c_int) -> sighandler_t {
    let mut now = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: nothing is changed, only asked. Should it fail, the zeros are a valid structure.
    let now = unsafe {
        libc::sigaction(signal, ptr::null(), now.as_mut_ptr());
        now.assume_init()
    };
    now.sa_sigaction
}

fn is_installed(signal: c_int) -> bool {
    disposition(signal) == own()
}

/// Changes what the process does upon a signal, and tells what it did.
fn set(signal: c_int, action: sighandler_t) -> libc::sigaction {
    let (mut new, mut old) = (MaybeUninit::<libc::sigaction>::zeroed(), MaybeUninit::zeroed());
    // SAFETY: zeros are a valid structure; it is filled in before it is used. What is installed is
    // the default or `on_signal`, which is made for it.
    unsafe {
        let new = new.assume_init_mut();
        new.sa_sigaction = action;
        // The code that is interrupted may have hardly any stack, and the one set aside for
        // handlers has room for one: no other handler on top of ours.
        new.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
        libc::sigfillset(&raw mut new.sa_mask);
        libc::sigaction(signal, &raw const *new, old.as_mut_ptr());
        old.assume_init()
    }
}

/// Takes a signal over if nobody has: it is at its default, or a parent's handler is still there.
fn install(signal: c_int) {
    let is_free = |action| action == libc::SIG_DFL || action == own();
    if !is_free(disposition(signal)) {
        return;
    }
    let old = set(signal, own());
    if !is_free(old.sa_sigaction) {
        // Another thread was faster by a moment: it has the last word.
        // SAFETY: the action is the one that was installed.
        unsafe { libc::sigaction(signal, &raw const old, ptr::null_mut()) };
    }
}

/// Gives a signal back, unless the program has taken it.
fn remove(signal: c_int) {
    if is_installed(signal) {
        set(signal, libc::SIG_DFL);
    }
}

/// Has every forked child start without us. (One that comes from a bare system call does not
/// run this: it meets the same in the handler.)
fn hook_fork() {
    static HOOKED: AtomicBool = AtomicBool::new(false);
    if !HOOKED.swap(true, Ordering::Relaxed) {
        // SAFETY: `in_child` only does what is safe in a child of a process with threads.
        unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    }
}

/// The pid alone does not tell a child: in a pid namespace of its own it may have its parent's.
unsafe extern "C" fn in_child() {
    TURN.leave();
    SIGNALS.into_iter().for_each(remove);
}
