//! Unix time for one counter reading.
//!
//! The common path reads the counter, and the line that turns readings into Unix time; see `line`,
//! and `published` for how the line is shared. Whoever finds that it has come to its end reads counter
//! and system clock together, and publishes the next one. Where there is no line to go by, the
//! system's clock itself is read: in the first millisecond, while it cannot be read together with
//! the counter (a machine that is too busy), and in the few nanoseconds of a replacement.

mod line;
mod published;

use super::counter::{elapsed, relaxed};
use super::used::{Known, is_counter, known};
use super::{Anchor, arch, monotonic_ns, ticks_to_ns};
use crate::errno::Errno;
use core::sync::atomic::{AtomicU64, Ordering};
use line::{Course, Line, Moment};
use published::Published;

static COURSE: Published<{ Course::WORDS }> = Published::new();

/// The system's clock for the price of a counter reading.
///
/// Made for spans, whose start and end are Unix times: each costs one unfenced reading and some
/// arithmetic.
///
/// ```
/// use timed_runtime::clock::WallClock;
///
/// let span = WallClock::start();
/// let sum: u64 = (0..1000).sum();
/// let (start, end) = (span.start_unix_ns(), span.end_unix_ns());
/// assert!(start <= end);
/// println!("{sum}, between {start} and {end} ns after 1970 began");
/// ```
///
/// It follows the system's clock (`CLOCK_REALTIME`), which it compares itself with every 4.2 ms, at
/// the next use: slews up to 1000 ppm without a jump, and at most 4.2 µs behind; a step with the first
/// use 4.2 ms after it. Between that it is off by what the comparison was: some ten nanoseconds. It
/// shows none of the system clock's own spikes, which are the moments when the kernel updates it and
/// its readers have to wait.
///
/// Assumed is a counter that all cores agree on, which [`counter`](super::counter()) says whether
/// there is. Where there is none, the system's clock is read.
///
/// Threads share one clock, and never wait for one another in it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct WallClock;

impl WallClock {
    /// Now, in nanoseconds since 1970 began.
    #[inline]
    #[must_use]
    pub fn unix_ns() -> u64 {
        at(relaxed())
    }

    /// When a reading was taken: as good as [`WallClock::unix_ns`] for the last milliseconds', and off
    /// by what the system's clock has been corrected by since for older ones.
    #[must_use]
    pub fn unix_ns_at(reading: u64) -> u64 {
        if known().choice.counter
            && let Some((_, words)) = COURSE.read()
            && Line::of(words).reaches(reading)
        {
            return Line::of(words).at(reading);
        }
        let now = relaxed();
        let before = ticks_to_ns(elapsed(reading, now)) as u64;
        at(now).saturating_sub(before)
    }

    /// The start of a span: now.
    #[inline]
    #[must_use]
    pub fn start() -> Span {
        let reading = relaxed();
        Span { reading, start_unix_ns: at(reading) }
    }
}

/// A span that has started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    reading: u64,
    start_unix_ns: u64,
}

impl Span {
    /// When it started, in nanoseconds since 1970 began.
    #[inline]
    #[must_use]
    pub fn start_unix_ns(&self) -> u64 {
        self.start_unix_ns
    }

    /// Now, which is when it ends, and never before its start: if the system's clock has been set
    /// back so far meanwhile, it is the start and what the span took by the counter.
    #[inline]
    #[must_use]
    pub fn end_unix_ns(&self) -> u64 {
        let reading = relaxed();
        let end = at(reading);
        if end >= self.start_unix_ns { end } else { self.end_after_a_step(reading) }
    }

    #[cold]
    #[inline(never)]
    fn end_after_a_step(&self, reading: u64) -> u64 {
        self.start_unix_ns.saturating_add(ticks_to_ns(elapsed(self.reading, reading)) as u64)
    }
}

/// The Unix time of a reading that has just been taken.
#[inline(always)]
fn at(reading: u64) -> u64 {
    if is_counter()
        && let Some((_, words)) = COURSE.read()
        && Line::of(words).reaches(reading)
    {
        return Line::of(words).at(reading);
    }
    at_slowly(reading)
}

#[cold]
#[inline(never)]
fn at_slowly(reading: u64) -> u64 {
    let known = known();
    if !known.choice.counter {
        return realtime_ns();
    }
    let _errno = Errno::keep();
    go_on(known);
    // Another thread may have been first, or may be about to be: for that long the old one will do.
    match COURSE.read() {
        Some((_, words)) if Course::of(words).is_fresh(reading) => Course::of(words).at(reading),
        _ => realtime_ns(),
    }
}

/// What took longer to be read together than this tells less than the line does: it was interrupted.
const LOOSEST_NS: f64 = 1000.0;

/// Publishes the line on from now, unless the clocks cannot be read together, or another thread has
/// published one meanwhile.
fn go_on(known: &Known) {
    let (number, bracket, next) = if let Some((number, words)) = COURSE.read() {
        let (bracket, now) = moment();
        (number, bracket, Course::of(words).follow(now))
    } else if COURSE.is_blank()
        && let Some(ns_per_tick) = first_rate(known)
    {
        let (bracket, now) = moment();
        (0, bracket, Course::begin(now, ns_per_tick))
    } else {
        return;
    };
    if next.ns(bracket) <= LOOSEST_NS {
        COURSE.replace(number, &next.words());
    }
}

/// Nanoseconds a tick, once a millisecond has passed since first use: some 50 ppm until more is learnt.
fn first_rate(known: &Known) -> Option<f64> {
    if monotonic_ns().checked_sub(known.began.ns)? < 1_000_000 {
        return None;
    }
    let frequency = known.began.frequency(&Anchor::take(&known.choice))?;
    Some(1e9 / frequency.hz)
}

/// Counter and system clock read together, and the ticks that it took: the first of a few attempts in
/// which nothing came between, or the tightest of them.
fn moment() -> (u64, Moment) {
    /// The tightest lately, by which is told whether anything came between.
    static TIGHTEST: AtomicU64 = AtomicU64::new(u64::MAX / 2);
    let tightest = TIGHTEST.load(Ordering::Relaxed);
    let mut found = (u64::MAX, Moment { ticks: 0, unix_ns: 0 });
    for _ in 0..4 {
        let before = arch::start();
        let unix_ns = realtime_ns();
        let bracket = elapsed(before, arch::start());
        if bracket < found.0 {
            found = (bracket, Moment { ticks: before.wrapping_add(bracket / 2), unix_ns });
        }
        if bracket <= tightest.saturating_mul(2) {
            break;
        }
    }
    // Where all four were wide, the core may be slower now.
    if found.0 < tightest || found.0 > tightest.saturating_mul(2) {
        TIGHTEST.store(found.0, Ordering::Relaxed);
    }
    found
}

/// The system's clock in nanoseconds since 1970 began.
#[cfg(unix)]
fn realtime_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid timespec to write to.
    unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, &raw mut time) };
    (time.tv_sec as u64).wrapping_mul(1_000_000_000).wrapping_add(time.tv_nsec as u64)
}

/// A clock that stands still: the standard library's would panic.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn realtime_ns() -> u64 {
    0
}

/// The system's clock in nanoseconds since 1970 began.
#[cfg(not(any(unix, all(target_family = "wasm", target_os = "unknown"))))]
fn realtime_ns() -> u64 {
    use std::time::{SystemTime, UNIX_EPOCH};
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}
