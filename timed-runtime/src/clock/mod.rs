//! The clock: fenced reads of the processor's counter, and what is known about it.
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
mod estimate;
mod resolution;
#[cfg(not(driven_clock))]
mod system;

pub(crate) use anchor::Anchor;
pub use choice::Unavailable;
pub(crate) use choice::{Choice, follows_counter};
#[cfg(driven_clock)]
pub(crate) use driven::{asleep_ns, kernel_clocksource, monotonic_ns};
pub(crate) use estimate::{Basis, CLAIM_PPM, Estimate, Event, What, estimate};
pub(crate) use resolution::{bare_pair, resolution};
#[cfg(not(driven_clock))]
pub(crate) use system::{asleep_ns, kernel_clocksource, monotonic_ns};

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

/// What others say that the counter's frequency is, to be compared with what was measured. What is no
/// frequency at all is left out.
pub(crate) fn claims() -> Vec<(&'static str, f64)> {
    let mut claims = arch::claims();
    claims.retain(|(_, hz)| hz.is_finite() && *hz > 0.0);
    claims
}
