//! How fast the counter runs, and what that makes of ticks.
//!
//! Measured against the system's raw monotonic clock, over the time since first use: two moments
//! at which both were read give a frequency, and how tightly they were read gives its error. Others
//! state figures, too. Of those only a figure that the kernel itself keeps time by has a bound of
//! its own, because the clock that is measured against is then that figure, rounded; and only if
//! it lies where the measurement says that it may. A CPUID leaf that a hypervisor made up does not.

use super::used::known;
use super::{Anchor, claims, monotonic_ns, resolution};
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::OnceLock;
use std::time::Duration;

/// Ticks a second of the clock that the readings are taken from.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Frequency {
    /// Ticks a second.
    pub hz: f64,
    /// Whose figure it is.
    pub source: Source,
    /// The bound of its error, in millionths.
    ///
    /// Against the system's raw monotonic clock (`CLOCK_MONOTONIC_RAW` on Linux), which this is: of
    /// what was measured, how far apart the two clocks were read, and the counter's step; of a stated
    /// figure, its rounding. Not covered is how far that clock is from true seconds: crystals are off by
    /// some ten ppm.
    pub error_ppm: f64,
}

/// Where a frequency is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// The processor or the hypervisor states it (CPUID, `CNTFRQ_EL0`), and the kernel keeps time by it.
    Hardware,
    /// The kernel states it, and keeps time by it. Also where the system's own clock is read.
    Kernel,
    /// Measured against the system's raw monotonic clock.
    Measured {
        /// For so long.
        over: Duration,
    },
}

/// The least time to measure over: brackets of 50 ns are 50 ppm of it.
const LEAST_NS: u64 = 1_000_000;

/// How fast the counter runs: the figure with the smallest bound of its error.
///
/// The first call returns at the earliest a millisecond after the clock's first use, by any function
/// here, and waits for that if it must; it never sleeps. Later calls take some microseconds, and what is
/// measured gets better with the time since first use: 50 ppm after a millisecond, 0.05 after a second.
///
/// ```
/// let frequency = timed_runtime::clock::frequency();
/// println!("{} Hz ± {} ppm ({:?})", frequency.hz, frequency.error_ppm, frequency.source);
/// ```
#[must_use]
pub fn frequency() -> Frequency {
    static STATED: OnceLock<Vec<Frequency>> = OnceLock::new();
    let known = known();
    if !known.choice.counter {
        return Frequency { hz: 1e9, source: Source::Kernel, error_ppm: 0.0 };
    }
    wait_until(known.began.ns.saturating_add(LEAST_NS));
    let now = Anchor::take(&known.choice);
    let ticks = now.ticks.wrapping_sub(known.began.ticks);
    let measured = known.began.frequency(&now).map(|measured| Frequency {
        hz: measured.hz,
        source: Source::Measured { over: Duration::from_nanos(now.ns - known.began.ns) },
        // Each moment's reading may be a step old.
        error_ppm: measured.error_ppm + resolution() as f64 / ticks as f64 * 1e6,
    });
    let frequency = best(measured, STATED.get_or_init(stated));
    remember(&frequency, ticks);
    frequency
}

/// Spins until the system's clock shows `ns`; not for ever, should it stand still.
fn wait_until(ns: u64) {
    for _ in 0..1_000_000 {
        if monotonic_ns() >= ns {
            break;
        }
        core::hint::spin_loop();
    }
}

/// The figure with the smallest bound, of what was measured and of what is stated and agrees with it.
fn best(measured: Option<Frequency>, stated: &[Frequency]) -> Frequency {
    let agrees = |stated: &&Frequency| {
        measured.is_none_or(|measured| {
            let apart_ppm = (stated.hz / measured.hz - 1.0).abs() * 1e6;
            apart_ppm <= stated.error_ppm + measured.error_ppm
        })
    };
    // A clock that has stood still since first use, or has run back, and of which nobody says more.
    let nothing = Frequency { hz: 1e9, source: Source::Kernel, error_ppm: f64::INFINITY };
    let figures = stated.iter().filter(agrees).copied().chain(measured);
    figures.min_by(|a, b| a.error_ppm.total_cmp(&b.error_ppm)).unwrap_or(nothing)
}

/// What the kernel rounds to, and what its conversion of ticks to nanoseconds rounds by.
const KERNEL_STEP_HZ: f64 = 1e3;
const KERNEL_SCALE_PPM: f64 = 0.05;

/// The figures that are stated and have a bound: none where the kernel does not keep time by them.
fn stated() -> Vec<Frequency> {
    if kernel_keeps_it() { with_bounds(&claims()) } else { Vec::new() }
}

/// The bounds of figures that the kernel keeps time by.
fn with_bounds(claims: &[(&'static str, f64)]) -> Vec<Frequency> {
    let figure = |&(name, hz): &(&str, f64)| {
        let (source, hz, step_hz) = match name {
            // Two digits of a turn a microsecond, the rest cut off: up to 5 kHz more.
            "kernel" => (Source::Kernel, hz + 2.5e3, 2.5e3),
            // What the kernel makes of the register is not rounded.
            "cntfrq" => (Source::Hardware, hz, 0.0),
            _ => (Source::Hardware, hz, KERNEL_STEP_HZ),
        };
        Frequency { hz, source, error_ppm: step_hz / hz * 1e6 + KERNEL_SCALE_PPM }
    };
    claims.iter().filter(|(_, hz)| *hz >= 1.0).map(figure).collect()
}

/// Whether the kernel's clock is the counter at the rate that the hardware, or the hypervisor, states.
/// Else the kernel has measured the rate, and what it states is what it took it for before that.
fn kernel_keeps_it() -> bool {
    let told = |text: String| text.contains(" tsc_known_freq ");
    match super::kernel_clocksource().as_deref() {
        Some("tsc") => super::system::first_processor().is_some_and(told),
        Some("arch_sys_counter") => true,
        _ => false,
    }
}

/// Nanoseconds a tick, as the bits of an `f64`, and the longest interval that it is good for.
static NS_PER_TICK: AtomicU64 = AtomicU64::new(0);
static GOOD_FOR: AtomicU64 = AtomicU64::new(0);

/// Keeps a frequency that was measured over `ticks`.
fn remember(frequency: &Frequency, ticks: u64) {
    NS_PER_TICK.store((1e9 / frequency.hz).to_bits(), Ordering::Relaxed);
    GOOD_FOR.store(ticks, Ordering::Release);
}

/// Nanoseconds of an interval in ticks.
///
/// A multiplication by the frequency as it was when it was last asked for: by [`frequency`], or here,
/// which asks anew for an interval longer than the time that it had been measured over. So
/// what the conversion adds to an interval since first use is about what the anchors' reading was
/// off by (some ten nanoseconds), or less. Sums of many short intervals are as good as the last answer of
/// [`frequency`]: call it once in a while, a second after first use, say. The first conversion waits
/// as `frequency` does.
#[must_use]
pub fn ticks_to_ns(ticks: u64) -> f64 {
    if ticks > GOOD_FOR.load(Ordering::Acquire) {
        improve();
    }
    ticks as f64 * f64::from_bits(NS_PER_TICK.load(Ordering::Relaxed))
}

/// Measures anew, where that makes a difference.
#[cold]
#[inline(never)]
fn improve() {
    let known = known();
    if !known.choice.counter {
        NS_PER_TICK.store(1.0_f64.to_bits(), Ordering::Relaxed);
        GOOD_FOR.store(u64::MAX, Ordering::Release);
        return;
    }
    // An interval that is longer than all that there was, as a sum of some is, shall not have every
    // conversion measure.
    let since = super::counter::elapsed(known.began.ticks, known.choice.now());
    let good_for = GOOD_FOR.load(Ordering::Relaxed);
    if good_for == 0 || since / 2 > good_for {
        let _now_kept = frequency();
    }
}

/// The nanoseconds of [`resolution`]: what a single interval cannot be told from 0 below.
#[must_use]
pub fn precision_ns() -> f64 {
    ticks_to_ns(resolution())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(hz: f64, error_ppm: f64) -> Frequency {
        Frequency { hz, source: Source::Measured { over: Duration::from_millis(1) }, error_ppm }
    }

    #[test]
    fn a_leaf_that_is_wrong_loses_against_the_measurement() {
        let measured = measured(2.8e9, 50.0);
        for factor in [2.8, 1.0 / 2.8, 1.001, 0.999] {
            let stated = with_bounds(&[("cpuid 15h", 2.8e9 * factor)]);
            assert_eq!(best(Some(measured), &stated), measured);
        }
    }

    #[test]
    fn the_smallest_bound_wins_among_those_that_agree() {
        let stated = with_bounds(&[("cpuid 15h", 2.8e9), ("kernel", 2.799_998e9)]);
        let first = best(Some(measured(2.800_05e9, 50.0)), &stated);
        assert_eq!((first.source, first.hz), (Source::Hardware, 2.8e9));
        // Without the leaf the kernel's, in the middle of what its digits leave open.
        let kernel = best(Some(measured(2.800_05e9, 50.0)), &stated[1..]);
        assert_eq!((kernel.source, kernel.hz), (Source::Kernel, 2.800_000_5e9));
        assert!(kernel.error_ppm > 0.8 && kernel.error_ppm < 1.0, "{kernel:?}");
        let later = measured(2.8e9, 0.05);
        assert_eq!(best(Some(later), &stated), later);
    }

    #[test]
    fn without_a_measurement_what_is_stated_must_do() {
        let stated = with_bounds(&[("cntfrq", 24e6)]);
        assert_eq!(best(None, &stated), stated[0]);
        assert!(best(None, &[]).error_ppm.is_infinite());
        assert!(with_bounds(&[("cntfrq", 0.0)]).is_empty());
    }
}
