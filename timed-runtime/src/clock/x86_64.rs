//! The time stamp counter.
//!
//! `rdtsc` is ordered by nothing. The `lfence` before the first read keeps it from running ahead
//! of older instructions, the one after it keeps the body from running ahead of the read.
//! `rdtscp` waits for older instructions by itself; the `lfence` after it, which keeps younger ones
//! behind the read, stands in the recorder, so that bookkeeping fills the wait.
//!
//! None of the blocks says `nomem`: the compiler may not move memory accesses across a read.

use super::choice::TscFacts;
use crate::sync::Word;
use core::arch::asm;
use core::arch::x86_64::{__cpuid, CpuidResult};

/// The reading at the start of a region.
#[inline(always)]
pub(crate) fn start() -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: rdtsc and lfence exist on every x86-64; they touch no memory, stack or flags.
    unsafe {
        asm!("lfence", "rdtsc", "lfence", out("rax") low, out("rdx") high, options(nostack, preserves_flags));
    }
    high << 32 | low
}

/// [`start`], stored: behind the second fence, since an empty body would otherwise have another
/// floor than a short one.
///
/// The halves are stored one by one, the lower first, which spares the body's first instructions
/// from waiting for their union. A reader may see the lower half alone; see `snapshot::lanes`.
#[inline(always)]
pub(crate) fn start_into(word: &Word) {
    // SAFETY: as for `start`; the stores stay within the word, which may be written at any time,
    // and are done in their order.
    unsafe {
        asm!("lfence", "rdtsc", "lfence", "mov [{0}], eax", "mov [{0} + 4], edx", in(reg) word.as_ptr(),
            out("rax") _, out("rdx") _, options(nostack, preserves_flags));
    }
}

/// The reading at the end of a region, in halves, and the CPU it was taken on. No fence follows.
#[inline(always)]
pub(crate) fn stop_parts() -> (u32, u32, u32) {
    let (low, high, aux): (u32, u32, u32);
    // SAFETY: a clock is only chosen where CPUID reports RDTSCP (`available`), and whoever reads
    // without a choice is told so by `clock::stop`; it touches no memory, stack or flags.
    unsafe {
        asm!("rdtscp", out("eax") low, out("edx") high, out("ecx") aux, options(nostack, preserves_flags));
    }
    (low, high, aux)
}

/// Keeps what follows behind the reading before it.
#[inline(always)]
pub(crate) fn settle() {
    // SAFETY: lfence exists on every x86-64; it touches no memory, stack or flags.
    unsafe { asm!("lfence", options(nostack, preserves_flags)) }
}

/// Takes one off a count: whether it is below zero now. One instruction, between whose halves no
/// signal handler can come.
#[inline(always)]
pub(crate) fn count_down(count: &Word) -> bool {
    let below: u8;
    // SAFETY: the word is valid, and may be written at any time by this thread.
    unsafe {
        asm!("sub qword ptr [{0}], 1", "sets {1}", in(reg) count.as_ptr(), out(reg_byte) below, options(nostack));
    }
    below != 0
}

/// A bare reading, ordered by nothing.
#[inline(always)]
pub(crate) fn relaxed_parts() -> (u32, u32) {
    let (low, high): (u32, u32);
    // SAFETY: rdtsc exists on every x86-64; it touches no memory, stack or flags.
    unsafe {
        asm!("rdtsc", out("eax") low, out("edx") high, options(nostack, preserves_flags));
    }
    (low, high)
}

/// A link of a chain: 4 cycles that nothing shortens (imul 3, add 1), `LINKS` of them.
#[inline(always)]
pub(crate) fn chain<const LINKS: usize>(mut x: u64) -> u64 {
    // SAFETY: arithmetic on a register, flags declared changed by default.
    unsafe {
        asm!(".rept {links}", "imul {x}, {x}, 7", "add {x}, 3", ".endr", x = inout(reg) x, links = const LINKS,
            options(nostack, nomem));
    }
    x
}

/// A leaf of CPUID.
fn cpuid(leaf: u32) -> CpuidResult {
    #[allow(unused_unsafe, reason = "later compilers than the oldest supported have it safe")]
    // SAFETY: the instruction exists on every x86-64; a leaf that does not reads as something.
    unsafe {
        __cpuid(leaf)
    }
}

/// Whether the counter can be used, from CPUID and the kernel.
pub(crate) fn available() -> Result<String, super::Unavailable> {
    super::choice::judge(&facts())
}

fn facts() -> TscFacts {
    let extended = cpuid(0x8000_0000).eax;
    TscFacts {
        invariant: extended >= 0x8000_0007 && cpuid(0x8000_0007).edx >> 8 & 1 == 1,
        rdtscp: extended >= 0x8000_0001 && cpuid(0x8000_0001).edx >> 27 & 1 == 1,
        linux: super::system::IS_LINUX,
        hypervisor: is_guest(),
        clocksource: super::kernel_clocksource(),
    }
}

/// Whether a hypervisor says that it is there.
pub(crate) fn is_guest() -> bool {
    cpuid(1).ecx >> 31 == 1
}

/// What the processor and the hypervisor say that the frequency is.
pub(crate) fn claims() -> Vec<(&'static str, f64)> {
    let mut claims = Vec::new();
    if cpuid(0).eax >= 0x15 {
        let leaf = cpuid(0x15);
        if leaf.eax != 0 && leaf.ebx != 0 && leaf.ecx != 0 {
            claims.push((
                "cpuid 15h",
                f64::from(leaf.ecx) * f64::from(leaf.ebx) / f64::from(leaf.eax),
            ));
        }
    }
    if is_guest() && cpuid(0x4000_0000).eax >= 0x4000_0010 {
        let khz = cpuid(0x4000_0010).eax;
        if khz != 0 {
            claims.push(("hypervisor", f64::from(khz) * 1e3));
        }
    }
    claims.extend(kernel_hz().map(|hz| ("kernel", hz)));
    claims
}

/// What the kernel takes the frequency for. It shows it as its delay loop's speed, which on
/// processors with an invariant counter is the counter's: two turns a tick.
fn kernel_hz() -> Option<f64> {
    let text = super::system::first_processor()?;
    text.contains(" constant_tsc ").then_some(())?;
    let line = text.lines().find(|line| line.starts_with("bogomips"))?;
    let bogomips: f64 = line.split(':').nth(1)?.trim().parse().ok()?;
    (bogomips > 0.0).then_some(bogomips * 1e6 / 2.0)
}
