//! The clock: fenced reads of the processor's counter, and what is known about it.
//!
//! One architecture a file. A region's start and end are read differently: the start must not
//! begin before what is older nor let the body begin before it; the end must not be taken before
//! the body is done.

#[cfg(target_arch = "aarch64")]
#[path = "aarch64.rs"]
pub(crate) mod arch;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[path = "other.rs"]
pub(crate) mod arch;
#[cfg(target_arch = "x86_64")]
#[path = "x86_64.rs"]
pub(crate) mod arch;

mod anchor;
mod resolution;

pub(crate) use anchor::Anchor;
pub(crate) use resolution::{bare_pair, resolution};

use std::fmt;

/// Why the processor's counter is not used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unavailable {
    /// No counter is known for this architecture.
    Architecture,
    /// The processor cannot read the counter and the CPU in one instruction.
    NoRdtscp,
    /// The counter stops or changes its rate with the processor's power states.
    NotInvariant,
    /// The kernel keeps time by another clock, which it names.
    KernelDistrusts(String),
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Architecture => f.write_str("no counter is known for this architecture"),
            Self::NoRdtscp => f.write_str("the processor has no RDTSCP"),
            Self::NotInvariant => f.write_str("the processor's counter is not invariant"),
            Self::KernelDistrusts(other) => {
                write!(f, "the kernel keeps time by {other}, not by the counter")
            }
        }
    }
}

/// The clock that this process measures with.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    /// Whether it is the processor's counter; else the system's monotonic clock.
    pub(crate) counter: bool,
    /// Why.
    pub(crate) reason: String,
}

impl Choice {
    pub(crate) fn make() -> Self {
        // For the tests of what otherwise only machines without a usable counter do.
        if cfg!(system_clock) {
            return Self { counter: false, reason: String::from("built for it") };
        }
        match arch::available() {
            Ok(reason) => Self { counter: true, reason },
            Err(why) => Self { counter: false, reason: why.to_string() },
        }
    }

    /// A reading of it, unfenced: for intervals far above a read's cost.
    pub(crate) fn now(&self) -> u64 {
        now(self.counter)
    }
}

/// A bare reading of the counter, or of the system's clock.
pub(crate) fn now(counter: bool) -> u64 {
    if counter {
        let (low, high) = arch::relaxed_parts();
        join(low, high)
    } else {
        monotonic_ns()
    }
}

/// The counter at the end of a region, with what follows kept behind it.
#[inline(always)]
pub(crate) fn stop() -> u64 {
    let (low, high, _) = arch::stop_parts();
    arch::settle();
    join(low, high)
}

/// A reading, of its halves.
#[inline(always)]
pub(crate) fn join(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// What others say that the counter's frequency is, to be compared with what was measured.
pub(crate) fn claims() -> Vec<(&'static str, f64)> {
    arch::claims()
}

/// The kernel's current clock source, where it tells.
#[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only the TSC asks"))]
fn kernel_clocksource() -> Option<String> {
    let path = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    std::fs::read_to_string(path).ok().map(|name| name.trim().to_owned())
}

/// The system's monotonic clock in nanoseconds, without NTP's steering where that can be had.
#[cfg(unix)]
pub(crate) fn monotonic_ns() -> u64 {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    const CLOCK: libc::clockid_t = libc::CLOCK_MONOTONIC_RAW;
    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    const CLOCK: libc::clockid_t = libc::CLOCK_MONOTONIC;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid timespec to write to; a clock that is unknown leaves it at zero.
    unsafe { libc::clock_gettime(CLOCK, &raw mut time) };
    (time.tv_sec as u64).wrapping_mul(1_000_000_000).wrapping_add(time.tv_nsec as u64)
}

/// The system's monotonic clock in nanoseconds since its first use here.
#[cfg(not(unix))]
pub(crate) fn monotonic_ns() -> u64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed().as_nanos() as u64
}
