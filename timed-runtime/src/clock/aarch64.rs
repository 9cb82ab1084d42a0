//! The generic timer's virtual counter.
//!
//! `isb` before the read keeps it from running ahead of older instructions, `isb` after it keeps
//! younger ones behind it. The register names no CPU.

use crate::sync::{Ordering, Word};
use core::arch::asm;

#[inline(always)]
fn read_after_isb() -> u64 {
    let ticks: u64;
    // SAFETY: CNTVCT_EL0 can be read at EL0 wherever an operating system keeps time by it.
    unsafe {
        asm!("isb", "mrs {}, cntvct_el0", out(reg) ticks, options(nostack, preserves_flags));
    }
    ticks
}

fn halves(ticks: u64) -> (u32, u32) {
    (ticks as u32, (ticks >> 32) as u32)
}

/// The reading at the start of a region.
#[inline(always)]
pub(crate) fn start() -> u64 {
    let ticks = read_after_isb();
    settle();
    ticks
}

/// [`start`], stored.
#[inline(always)]
pub(crate) fn start_into(word: &Word) {
    word.store(start(), Ordering::Release);
}

/// The reading at the end of a region, in halves, and 0 for the CPU. No barrier follows.
#[inline(always)]
pub(crate) fn stop_parts() -> (u32, u32, u32) {
    let (low, high) = halves(read_after_isb());
    (low, high, 0)
}

/// Keeps what follows behind the reading before it.
#[inline(always)]
pub(crate) fn settle() {
    // SAFETY: a barrier, without operands.
    unsafe { asm!("isb", options(nostack, preserves_flags)) }
}

/// A bare reading, ordered by nothing.
#[inline(always)]
pub(crate) fn relaxed_parts() -> (u32, u32) {
    let ticks: u64;
    // SAFETY: as in `read_after_isb`.
    unsafe {
        asm!("mrs {}, cntvct_el0", out(reg) ticks, options(nostack, preserves_flags));
    }
    halves(ticks)
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
#[inline(always)]
pub(crate) fn chain<const LINKS: usize>(mut x: u64) -> u64 {
    // SAFETY: arithmetic on a register.
    unsafe {
        asm!(".rept {links}", "madd {x}, {x}, {x}, {x}", ".endr", x = inout(reg) x, links = const LINKS,
            options(nostack, nomem, preserves_flags));
    }
    x
}

/// The counter is architectural; that every process may read it is Linux's word.
pub(crate) fn available() -> Result<String, super::Unavailable> {
    if !super::system::IS_LINUX {
        return Err(super::Unavailable::OperatingSystem);
    }
    Ok(String::from("the architecture's counter"))
}

/// What the counter's own frequency register says.
pub(crate) fn claims() -> Vec<(&'static str, f64)> {
    let hz: u64;
    // SAFETY: CNTFRQ_EL0 can be read wherever CNTVCT_EL0 can.
    unsafe {
        asm!("mrs {}, cntfrq_el0", out(reg) hz, options(nostack, nomem, preserves_flags));
    }
    vec![("cntfrq", hz as f64)]
}

/// Nothing here asks.
pub(crate) fn is_guest() -> bool {
    false
}
