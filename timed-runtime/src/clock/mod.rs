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

#[cfg(all(target_arch = "aarch64", not(driven_clock)))]
#[path = "aarch64.rs"]
pub(crate) mod arch;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", driven_clock)))]
#[path = "other.rs"]
pub(crate) mod arch;
#[cfg(all(target_arch = "x86_64", not(driven_clock)))]
#[path = "x86_64.rs"]
pub(crate) mod arch;
// A clock that tests break, with the system's beside it.
#[cfg(driven_clock)]
pub(crate) mod driven;
#[cfg(driven_clock)]
pub(crate) use driven as arch;

mod anchor;
mod choice;
mod counter;
mod estimate;
mod hz;
mod resolution;
#[cfg_attr(
    driven_clock,
    allow(dead_code, reason = "the clocks that the driven machine stands for")
)]
mod system;
#[cfg(all(test, not(driven_clock)))]
mod tests;
mod used;
mod wall;

pub(crate) use anchor::Anchor;
pub use choice::Unavailable;
pub(crate) use choice::{Choice, follows_counter};
pub use counter::{TickCounter, now_cpu, relaxed, resolution, start, stop};
#[cfg(driven_clock)]
pub(crate) use driven::{asleep_ns, kernel_clocksource, monotonic_ns};
pub(crate) use estimate::{Basis, CLAIM_PPM, Estimate, Event, What, estimate};
pub use hz::{Frequency, Source, frequency, precision_ns, ticks_to_ns};
pub(crate) use resolution::{bare_pair, resolution as step};
#[cfg(not(driven_clock))]
pub(crate) use system::{asleep_ns, kernel_clocksource, monotonic_ns};
pub(crate) use used::can_read;
pub use used::{Counter, counter};
pub use wall::{Span, WallClock};

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

/// What others say that the counter's frequency is, to be compared with what was measured. What is no
/// frequency at all is left out.
pub(crate) fn claims() -> Vec<(&'static str, f64)> {
    let mut claims = arch::claims();
    claims.retain(|(_, hz)| hz.is_finite() && *hz > 0.0);
    claims
}
