//! Where no counter is known: the system's monotonic clock, in nanoseconds.

use crate::sync::{Ordering, Word};

/// The reading at the start of a region.
pub(crate) fn start() -> u64 {
    super::monotonic_ns()
}

/// [`start`], stored.
#[inline(always)]
pub(crate) fn start_into(word: &Word) {
    word.store(start(), Ordering::Release);
}

/// The reading at the end of a region, in halves, and 0 for the CPU.
pub(crate) fn stop_parts() -> (u32, u32, u32) {
    let (low, high) = relaxed_parts();
    (low, high, 0)
}

/// Nothing to wait for: the clock is a call.
pub(crate) fn settle() {}

/// The same clock: it has no cheaper form.
pub(crate) fn relaxed_parts() -> (u32, u32) {
    let ns = super::monotonic_ns();
    (ns as u32, (ns >> 32) as u32)
}

/// Takes one off a count: whether it is below zero now. A signal handler that comes in between is
/// not noticed.
#[inline(always)]
pub(crate) fn count_down(count: &Word) -> bool {
    use crate::sync::Own as _;
    count.bump(u64::MAX);
    (count.get() as i64) < 0
}

/// A chain of `LINKS` dependent multiply-adds.
pub(crate) fn chain<const LINKS: usize>(mut x: u64) -> u64 {
    for _ in 0..LINKS {
        x = core::hint::black_box(x.wrapping_mul(7).wrapping_add(3));
    }
    x
}

/// No counter here.
pub(crate) fn available() -> Result<String, super::Unavailable> {
    use super::Unavailable;
    let stands = cfg!(all(target_family = "wasm", target_os = "unknown"));
    Err(if stands { Unavailable::NoClock } else { Unavailable::Architecture })
}

/// None.
pub(crate) fn claims() -> Vec<(&'static str, f64)> {
    Vec::new()
}

/// Nothing here asks.
pub(crate) fn is_guest() -> bool {
    false
}
