//! Timed functions in signal handlers: no call is lost, and no figure is upset, wherever in the
//! recorder the signal comes.

#[cfg(target_arch = "x86_64")]
mod every_instruction;

use crate::alone::{alone, calls, check, edges, site};
use std::future::Future;
use std::hint::black_box;
use std::mem::zeroed;
use std::pin::pin;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};
use timed::timed;

static SIGNALS: AtomicU64 = AtomicU64::new(0);

#[timed]
fn work() {
    black_box(());
}

#[timed]
fn caller() {
    work();
    work();
}

#[timed]
fn handled() {
    black_box(());
}

#[timed(sample = 3)]
fn seldom() {
    black_box(());
}

/// Pending at its first poll, and after a call.
#[timed]
async fn later() {
    let mut pending = true;
    std::future::poll_fn(|_| {
        if std::mem::take(&mut pending) { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
    work();
}

/// One call of `later`: three polls' worth of instructions, of which one call of `work`.
fn two_polls() {
    let mut future = pin!(later());
    let mut poll = || future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    let polls = (poll().is_pending(), poll().is_ready());
    assert_eq!(polls, (true, true));
}

/// Two hops, and a call between the first one's stamp and its end.
#[timed]
fn hopping() {
    let begin = timed::stamp();
    work();
    hop(begin);
    hop(timed::stamp());
}

fn hop(begin: timed::Stamp) {
    timed::hop!("hop", begin);
}

/// Of futures, or hops, too, where a test has them.
static POLLS: AtomicBool = AtomicBool::new(false);
static HOPS: AtomicBool = AtomicBool::new(false);

/// The same site as the code that it interrupts, and one of its own.
extern "C" fn handler(_: libc::c_int) {
    SIGNALS.fetch_add(1, Ordering::Relaxed);
    work();
    handled();
    seldom();
    if POLLS.load(Ordering::Relaxed) {
        two_polls();
    }
    if HOPS.load(Ordering::Relaxed) {
        hopping();
    }
}

fn install(signal: libc::c_int, handler: usize, flags: libc::c_int) {
    // SAFETY: zeros are a valid structure, and the handlers keep to atomics and timed calls.
    unsafe {
        let mut action: libc::sigaction = zeroed();
        action.sa_sigaction = handler;
        action.sa_flags = flags | libc::SA_RESTART;
        assert_eq!(libc::sigaction(signal, &raw const action, ptr::null_mut()), 0);
    }
}

/// A timer that sends this thread the signal every `ns`, until it is deleted.
fn hammer(signal: libc::c_int, ns: libc::c_long) -> libc::timer_t {
    // SAFETY: zeros are valid structures; the pointers are to locals.
    unsafe {
        let mut event: libc::sigevent = zeroed();
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = signal;
        event.sigev_notify_thread_id = libc::gettid();
        let mut timer: libc::timer_t = zeroed();
        assert_eq!(libc::timer_create(libc::CLOCK_MONOTONIC, &raw mut event, &raw mut timer), 0);
        let every = libc::timespec { tv_sec: 0, tv_nsec: ns };
        let schedule = libc::itimerspec { it_interval: every, it_value: every };
        assert_eq!(libc::timer_settime(timer, 0, &raw const schedule, ptr::null_mut()), 0);
        timer
    }
}

fn end_hammer(timer: libc::timer_t) {
    // SAFETY: it is a timer, for the last time.
    assert_eq!(unsafe { libc::timer_delete(timer) }, 0);
}

/// What `made` calls of `caller`, and so many signals, have called.
#[track_caller]
fn check_calls(snapshot: &timed::Snapshot, made: u64, signals: u64) {
    let found = ["caller", "work", "handled", "seldom"].map(|name| calls(snapshot, name));
    assert_eq!(found, [made, 2 * made + signals, signals, signals], "{signals} signals");
}

/// After everything, plain calls must be what they were: an activation that has not ended, or
/// that was taken for an inner one, would show.
#[track_caller]
fn check_calm() {
    assert!(timed::snapshot().sites.iter().all(|site| site.in_flight == 0));
    timed::reset();
    (0..1000).for_each(|_| caller());
    (0..1000).for_each(|_| handled());
    let snapshot = timed::snapshot();
    check(&snapshot);
    assert_eq!(snapshot.dropped, 0);
    let expected = [(">caller", 1000), (">handled", 1000), ("caller>work", 2000)];
    let expected = expected.map(|(edge, calls)| (edge.to_owned(), calls));
    assert_eq!(edges(&snapshot), expected, "{snapshot:#?}");
}

/// What an interrupted site's figures would show if an activation were left open for good: a call
/// inside of it counts, but not its time.
#[track_caller]
fn check_outermost(snapshot: &timed::Snapshot, name: &str) {
    let tree: Vec<_> = snapshot
        .tree
        .iter()
        .filter(|node| snapshot.sites[node.site].name.ends_with(name))
        .collect();
    let (total, own) = tree
        .iter()
        .fold((0.0, 0.0), |(total, own), node| (total + node.total_ns, own + node.self_ns));
    assert!(
        total >= own * 0.5,
        "{name}: of {own} ns, {total} are in outermost activations: {tree:#?}"
    );
}

alone! {
    fn at_a_high_rate() {
        install(libc::SIGALRM, handler as *const () as usize, 0);
        let timer = hammer(libc::SIGALRM, 15_000);
        let mut made = 0;
        while SIGNALS.load(Ordering::Relaxed) < 40_000 {
            caller();
            made += 1;
        }
        end_hammer(timer);
        let signals = SIGNALS.load(Ordering::Relaxed);
        let snapshot = timed::snapshot();
        check(&snapshot);
        check_calls(&snapshot, made, signals);
        // Those that met the recorder at work.
        let untimed = signals - site(&snapshot, "handled").timed;
        assert!(untimed < signals, "none was timed");
        check_calm();
    }

    fn while_the_recorder_starts_and_measures() {
        install(libc::SIGALRM, handler as *const () as usize, 0);
        let timer = hammer(libc::SIGALRM, 20_000);
        let mut made = 0;
        for _ in 0..200 {
            caller();
            made += 1;
            check(&timed::snapshot());
        }
        end_hammer(timer);
        let signals = SIGNALS.load(Ordering::Relaxed);
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert!(signals > 200);
        check_calls(&snapshot, made, signals);
        check_calm();
    }
}
