//! Readings, and what they are readings of.
//!
//! Each function asks first which clock it is to read: one load in front of the first fence, or of
//! `rdtscp`, which both wait for it. A pair takes 1.035 times what the bare instructions take.

use super::used::{is_counter, known};
use super::{arch, join, monotonic_ns, stop_counter};
use core::sync::atomic::{AtomicU64, Ordering};

/// A CPU that nobody tells.
const NO_CPU: u32 = u32::MAX;

/// A reading at the start of a region: no instruction before it is left to be done when it is taken,
/// and none after it begins before it has been.
///
/// In ticks of the processor's counter, or in nanoseconds of the system's monotonic clock: see
/// [`counter`](super::counter()).
#[inline(always)]
#[must_use]
pub fn start() -> u64 {
    if is_counter() { arch::start() } else { start_slowly() }
}

/// A reading at the end of a region: everything before it has been done, and nothing after it begins
/// before it has been taken. Cheaper by some ticks than another [`start`].
#[inline(always)]
#[must_use]
pub fn stop() -> u64 {
    if is_counter() { stop_counter() } else { start_slowly() }
}

/// A bare reading, which the processor may take earlier or later than it stands in the program,
/// by some ten nanoseconds. The cheapest one.
#[inline(always)]
#[must_use]
pub fn relaxed() -> u64 {
    if !is_counter() {
        return start_slowly();
    }
    let (low, high) = arch::relaxed_parts();
    join(low, high)
}

/// Where it is not known yet which clock is read, or known that it is the system's.
#[cold]
#[inline(never)]
fn start_slowly() -> u64 {
    if known().choice.counter { arch::start() } else { monotonic_ns() }
}

/// A reading, fenced as [`stop`]'s is, and the CPU that it was taken on: `u32::MAX` where the system
/// does not tell.
///
/// On x86-64 both come from one instruction. On `AArch64`, and on the system's clock, Linux is asked
/// before and after the reading, which has to be taken again if the thread was moved in between: the C
/// library knows the CPU without a system call where the kernel keeps it up to date (rseq, since
/// glibc 2.35), and makes one elsewhere.
#[inline]
#[must_use]
pub fn now_cpu() -> (u64, u32) {
    #[cfg(target_arch = "x86_64")]
    if is_counter() || known().choice.counter {
        // The kernel's word there: the node above twelve bits of CPU.
        const CPU_BITS: u32 = 12;
        let (low, high, word) = arch::stop_parts();
        arch::settle();
        return (join(low, high), word & ((1 << CPU_BITS) - 1));
    }
    ask_around()
}

/// A reading between two questions after the CPU, to which the answer was the same.
#[inline(never)]
fn ask_around() -> (u64, u32) {
    let mut before = current_cpu();
    // A thread that is moved that often is on none of them.
    for _ in 0..8 {
        let reading = stop();
        let after = current_cpu();
        if before == after {
            return (reading, after);
        }
        before = after;
    }
    (stop(), before)
}

/// The CPU that the thread is on, or has just been on.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn current_cpu() -> u32 {
    // SAFETY: the call has no conditions.
    u32::try_from(unsafe { libc::sched_getcpu() }).unwrap_or(NO_CPU)
}

/// Not asked here.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn current_cpu() -> u32 {
    NO_CPU
}

/// The step in which readings advance, in their own unit, at least 1.
///
/// Not 1 everywhere: some processors' counters advance by 26 at a time. Measured at the first call,
/// in some ten microseconds.
#[must_use]
pub fn resolution() -> u64 {
    /// 0 before it has been measured.
    static RESOLUTION: AtomicU64 = AtomicU64::new(0);
    let found = RESOLUTION.load(Ordering::Relaxed);
    if found != 0 {
        return found;
    }
    let found = super::step(start).max(1);
    RESOLUTION.store(found, Ordering::Relaxed);
    found
}

/// A moment on the clock, to ask later how long ago it was.
///
/// ```
/// use timed_runtime::clock::{TickCounter, ticks_to_ns};
///
/// let counter = TickCounter::current();
/// let squares: u64 = (0..1000).map(|n| n * n).sum();
/// println!("{squares} took {} ns", ticks_to_ns(counter.elapsed()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TickCounter {
    start: u64,
}

impl TickCounter {
    /// Now: [`start`].
    #[inline(always)]
    #[must_use]
    pub fn current() -> Self {
        Self { start: start() }
    }

    /// Ticks since, by [`stop`]. Not corrected for what the two readings take.
    ///
    /// 0 where the counter seems to have run back: the thread has moved to a core whose counter is
    /// behind, which those of a counter that Linux trusts are not.
    #[inline(always)]
    #[must_use]
    pub fn elapsed(&self) -> u64 {
        elapsed(self.start, stop())
    }
}

/// From `start` to `end`, 0 if that is backwards.
#[inline(always)]
pub(super) fn elapsed(start: u64, end: u64) -> u64 {
    let ticks = end.wrapping_sub(start);
    if (ticks as i64) < 0 { 0 } else { ticks }
}
