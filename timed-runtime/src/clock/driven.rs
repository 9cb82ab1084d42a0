//! A counter that tests drive, and break, in the place of the processor's: everything above runs on it
//! as it is. Built with `--cfg driven_clock` only.
//!
//! Reading takes time, and so do a chain's links, as the machine says; nothing else does.

#![cfg_attr(not(test), allow(dead_code, unused_imports, reason = "tests drive it"))]

mod machine;

pub(crate) use machine::{AcrossSuspend, Machine, Mode, drive, move_to, pass_ns};

use super::Unavailable;
use super::choice::judge;
use crate::sync::{Ordering, Word};

/// The reading at the start of a region.
pub(crate) fn start() -> u64 {
    drive(Machine::read_counter)
}

/// [`start`], stored.
pub(crate) fn start_into(word: &Word) {
    word.store(start(), Ordering::Release);
}

fn halves(ticks: u64) -> (u32, u32) {
    (ticks as u32, (ticks >> 32) as u32)
}

/// The reading at the end of a region, in halves, and the CPU it was taken on.
pub(crate) fn stop_parts() -> (u32, u32, u32) {
    let (low, high) = halves(start());
    (low, high, machine::cpu())
}

/// Nothing to wait for.
pub(crate) fn settle() {}

/// A bare reading.
pub(crate) fn relaxed_parts() -> (u32, u32) {
    halves(start())
}

/// Takes one off a count: whether it is below zero now.
pub(crate) fn count_down(count: &Word) -> bool {
    use crate::sync::Own as _;
    count.bump(u64::MAX);
    (count.get() as i64) < 0
}

/// A chain of `LINKS` links, which take what the machine says.
pub(crate) fn chain<const LINKS: usize>(x: u64) -> u64 {
    drive(|machine| machine.run_links(LINKS as u64));
    x.wrapping_mul(7).wrapping_add(3)
}

/// As on x86-64, from what the machine's CPUID and kernel say.
pub(crate) fn available() -> Result<String, Unavailable> {
    judge(&drive(|machine| machine.facts.clone()))
}

/// What the machine has others say of the frequency.
pub(crate) fn claims() -> Vec<(&'static str, f64)> {
    drive(|machine| machine.claims.clone())
}

/// Whether a hypervisor says that it is there.
pub(crate) fn is_guest() -> bool {
    drive(|machine| machine.facts.hypervisor)
}

/// The system's monotonic clock.
pub(crate) fn monotonic_ns() -> u64 {
    drive(Machine::read_system)
}

/// For how long the machine has been suspended.
pub(crate) fn asleep_ns() -> u64 {
    drive(|machine| machine.asleep_ns)
}

/// What the kernel keeps time by.
pub(crate) fn kernel_clocksource() -> Option<String> {
    drive(|machine| machine.facts.clocksource.clone())
}
