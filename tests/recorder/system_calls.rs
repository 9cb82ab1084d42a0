//! A warm timed call asks nothing of the kernel.
//!
//! A filter on the thread turns each of its system calls into a signal, whose handler counts. It stays
//! for as long as the thread, which therefore never ends: it spins until the process is over.

use crate::alone::{alone, calls};
use std::hint::black_box;
use std::mem::offset_of;
use std::pin::pin;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};
use timed::{ClockSource, timed};
use timed_runtime::clock::{self, TickCounter, WallClock, ticks_to_ns};

/// System calls that have been counted, and the number of the first.
static MADE: AtomicU64 = AtomicU64::new(0);
static FIRST: AtomicI64 = AtomicI64::new(-1);

/// What came of it: how often it was done, the system calls meanwhile, and whether it is over.
static TIMES: AtomicU64 = AtomicU64::new(0);
static UNDER_TEST: AtomicU64 = AtomicU64::new(0);
static OVER: AtomicBool = AtomicBool::new(false);

/// Nanoseconds that each call spins for, while they are warmed.
static STRETCH_NS: AtomicU64 = AtomicU64::new(0);

fn stretch() {
    let ns = STRETCH_NS.load(Ordering::Relaxed);
    if ns == 0 {
        return;
    }
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_nanos(ns) {
        std::hint::spin_loop();
    }
}

#[timed]
fn plain() {
    stretch();
}

#[timed]
fn nested() {
    middle();
    plain();
}

#[timed]
fn middle() {
    plain();
}

#[timed]
fn recursion(n: u32) {
    stretch();
    if n > 0 {
        recursion(n - 1);
    }
}

#[timed(sample = 64)]
fn sampled() {
    plain();
}

#[timed(fence = "relaxed")]
fn relaxed() {
    stretch();
}

#[timed]
fn scoped() {
    timed::scope!("scope");
    timed::block!("block", { stretch() });
}

/// Pending so many times.
struct Later(u32);

impl Future for Later {
    type Output = ();

    fn poll(mut self: std::pin::Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.0 == 0 {
            return Poll::Ready(());
        }
        self.0 -= 1;
        Poll::Pending
    }
}

#[timed]
async fn polled() {
    Later(2).await;
    plain();
}

/// Timed calls of one [`round`].
const CALLS: u64 = 1 + 4 + 5 + 2 + 1 + 3 + 2;

fn round() {
    plain();
    nested();
    recursion(4);
    sampled();
    relaxed();
    scoped();
    let mut future = pin!(polled());
    let mut context = Context::from_waker(Waker::noop());
    while future.as_mut().poll(&mut context).is_pending() {}
}

/// Calls of all lengths at every site: nothing is left to be made when one is met. In the filtered part
/// what is interrupted is long.
fn warm() {
    for octave in 5..25 {
        STRETCH_NS.store(1 << octave, Ordering::Relaxed);
        round();
    }
    STRETCH_NS.store(0, Ordering::Relaxed);
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(50) {
        round();
    }
}

/// Counts, and leaves the call undone.
extern "C" fn count(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    /// Behind signal, error and code, and the address of the call.
    const NUMBER_AT: usize = 24;
    // SAFETY: the kernel's record of a trapped call has its number there.
    let number = unsafe { info.byte_add(NUMBER_AT).cast::<libc::c_int>().read() };
    if MADE.fetch_add(1, Ordering::Relaxed) == 0 {
        FIRST.store(number.into(), Ordering::Relaxed);
    }
}

/// From now on each system call of this thread is counted, and not done, but the one that a handler
/// returns with. False where there is no such filter.
fn filter() -> bool {
    let statement =
        |code: u32, jt: u8, jf: u8, k: u32| libc::sock_filter { code: code as u16, jt, jf, k };
    let number = offset_of!(libc::seccomp_data, nr) as u32;
    let mut program = [
        statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, number),
        statement(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 0, 1, libc::SYS_rt_sigreturn as u32),
        statement(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
        statement(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_TRAP),
    ];
    let program = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    // SAFETY: an action of zeros is one without flags and mask; the handler touches atomics and what
    // the kernel gives it; the program is valid for the call, which copies it.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = count as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO;
        libc::sigaction(libc::SIGSYS, &raw const action, ptr::null_mut());
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) == 0
    }
}

/// Does `calls` under the filter, at least so many times, and for at least 120 ms, so that twelve batches
/// of bare pairs are in it. Returns how often; none where the system has no such filter.
fn filtered(least: u64, warm: fn(), calls: fn()) -> Option<u64> {
    const LEAST_NS: f64 = 120e6;
    thread::spawn(move || {
        warm();
        let _known = clock::frequency();
        if filter() {
            let begin = TickCounter::current();
            let mut times = 0;
            while times < least || ticks_to_ns(begin.elapsed()) < LEAST_NS {
                calls();
                times += 1;
            }
            let made = MADE.swap(0, Ordering::Relaxed);
            // SAFETY: asks for a number.
            unsafe { libc::syscall(libc::SYS_getppid) };
            UNDER_TEST.store(made, Ordering::Relaxed);
            TIMES.store(times, Ordering::Relaxed);
        }
        OVER.store(true, Ordering::Release);
        // To end takes system calls.
        loop {
            std::hint::spin_loop();
        }
    });
    while !OVER.load(Ordering::Acquire) {
        thread::sleep(Duration::from_millis(5));
    }
    let times = TIMES.load(Ordering::Relaxed);
    if times == 0 {
        println!("no filter for system calls here");
        return None;
    }
    assert_eq!(MADE.load(Ordering::Relaxed), 1, "what is made is counted");
    let (made, first) = (UNDER_TEST.load(Ordering::Relaxed), FIRST.load(Ordering::Relaxed));
    assert_eq!(made, 0, "in {times} rounds, the first of the number {first}");
    Some(times)
}

alone! {
    fn timed_calls_make_none() {
        plain();
        // The system's clock may be one that the kernel has to be asked for.
        if timed::snapshot().clock.source == ClockSource::Monotonic {
            return;
        }
        let Some(times) = filtered(1_000_000 / CALLS + 1, warm, round) else { return };
        let snapshot = timed::snapshot();
        assert!(calls(&snapshot, "recursion") >= times * 5);
        let all: u64 = snapshot.sites.iter().map(|site| site.calls).sum();
        assert!(all >= times * CALLS && all >= 1_000_000, "{all} calls");
    }

    fn readings_make_none() {
        fn readings() {
            black_box((clock::start(), clock::relaxed(), clock::stop(), clock::now_cpu()));
            let span = black_box(WallClock::start());
            black_box(span.end_unix_ns());
        }
        if clock::counter().is_ok() {
            filtered(100_000, readings, readings);
        }
    }
}
