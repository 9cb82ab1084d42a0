//! The processor's counter as a clock: readings with fences, how fast it runs and how sure that is,
//! and Unix time for the price of a reading.
//!
//! ```
//! use timed_runtime::clock;
//!
//! let start = clock::start();
//! let squares: u64 = (0..1000).map(|n| n * n).sum();
//! let ticks = clock::stop() - start;
//!
//! println!("{squares} took {ticks} ticks, {:.1} ns", clock::ticks_to_ns(ticks));
//! println!("in steps of {} ticks, {:.1} ns", clock::resolution(), clock::precision_ns());
//! println!("at {:?}", clock::frequency());
//! ```
//!
//! | | |
//! | --- | --- |
//! | [`start`], [`stop`] | readings that nothing in between can be moved across |
//! | [`relaxed`] | a bare reading, cheaper, ordered by nothing |
//! | [`TickCounter`] | a moment, and the ticks since |
//! | [`now_cpu`] | a reading, and the CPU that it was taken on |
//! | [`frequency`], [`ticks_to_ns`] | what ticks are in time, with the bound of the error |
//! | [`resolution`], [`precision_ns`] | the step in which readings advance |
//! | [`counter`](counter()) | which counter is read, or why none is |
//! | [`WallClock`] | Unix time by the counter, for the start and end of spans |
//!
//! There is nothing to set up. The first use of any of these finds out which clock is to be read
//! (0.05 ms), and the first that needs the frequency waits until that is a millisecond ago; nothing sleeps.
//! A reading costs what its instructions cost: on the machine that the README's figures are from, 46 ns
//! for `start` and `stop`, 19 ns for two `relaxed` ones, 19 ns for a span by `WallClock`.
//!
//! # Which clock
//!
//! The time stamp counter on x86-64, where CPUID has RDTSCP and either the kernel keeps time by
//! the counter, or by a hypervisor's scaling of it and CPUID says that it is invariant; `CNTVCT_EL0` on
//! `AArch64`; both on Linux and Android alone, since other kernels do not say whether the cores'
//! counters agree. Anywhere else every function here reads the system's monotonic clock, a tick is a
//! nanosecond, and [`counter`](counter()) says why. A target without any clock
//! (`wasm32-unknown-unknown`) has one that stands still. Nothing panics for want of a counter, and
//! no instruction is executed that the processor may not have.
//!
//! # What is assumed
//!
//! * Ticks are not core cycles: the counter runs at a constant rate, the core does not.
//! * The counter runs on, at that rate, on all cores alike, which is what is asked of CPUID and the kernel. A
//!   machine that is suspended, or moved to another host, while the program runs may break that.
//! * A reading says when it was taken. What the two readings around a region add to it is not taken off
//!   here: some twenty nanoseconds, which `#[timed]` measures and takes off.
//! * The first use is not in a signal handler: it allocates, and opens files of `/sys` and `/proc`. After
//!   it readings may be taken anywhere. [`frequency`], and the first [`ticks_to_ns`], take a lock once.
//! * A forked child may go on with all of it.
//!
//! # How it is built
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
mod counter;
mod hz;
mod resolution;
#[cfg(test)]
mod tests;
mod used;
mod wall;

pub(crate) use anchor::Anchor;
pub use counter::{TickCounter, now_cpu, relaxed, resolution, start, stop};
pub use hz::{Frequency, Source, frequency, precision_ns, ticks_to_ns};
pub(crate) use resolution::{bare_pair, resolution as step};
pub(crate) use used::can_read;
pub use used::{Counter, counter};
pub use wall::{Span, WallClock};

use std::fmt;

/// Why the processor's counter is not used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unavailable {
    /// No counter is known for this architecture.
    Architecture,
    /// Whether the counter can be trusted is known on Linux alone.
    OperatingSystem,
    /// The target has no clock at all: what is read in its place stands still, at 0.
    NoClock,
    /// The program was built to do without (`--cfg system_clock`).
    BuiltWithout,
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
            Self::OperatingSystem => {
                f.write_str("whether the counter can be trusted is known on Linux alone")
            }
            Self::NoClock => f.write_str("this target has no clock: it stands still"),
            Self::BuiltWithout => f.write_str("built for it"),
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

/// The counter at the end of a region, with what follows kept behind it, for whoever knows that it
/// is the counter that is read.
#[inline(always)]
pub(crate) fn stop_counter() -> u64 {
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

/// Whether the kernel is one that says what it thinks of the counter.
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    expect(dead_code, reason = "there is no counter to ask for")
)]
const IS_LINUX: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// The kernel's current clock source, where it tells.
fn kernel_clocksource() -> Option<String> {
    let path = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    std::fs::read_to_string(path).ok().map(|name| name.trim().to_owned())
}

/// What the kernel says of the first processor, where it tells: the whole file is long on large
/// machines.
fn first_processor() -> Option<String> {
    use std::io::Read as _;
    let mut start = [0; 4096];
    let length = std::fs::File::open("/proc/cpuinfo").ok()?.read(&mut start).ok()?;
    Some(String::from_utf8_lossy(&start[..length]).into_owned())
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

/// A clock that stands still: the standard library's would panic.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) fn monotonic_ns() -> u64 {
    0
}

/// The system's monotonic clock in nanoseconds since its first use here.
#[cfg(not(any(unix, all(target_family = "wasm", target_os = "unknown"))))]
pub(crate) fn monotonic_ns() -> u64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed().as_nanos() as u64
}
