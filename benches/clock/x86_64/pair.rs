//! What readings cost, against the bare instructions.

use super::median;
use super::table::Table;
use std::arch::asm;
use std::hint::black_box;
use timed_runtime::clock::{TickCounter, now_cpu, relaxed, start, stop};

/// `lfence; rdtsc; lfence`
#[inline(always)]
fn bare_start() -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: both instructions exist on every x86-64, and touch no memory, stack or flags.
    unsafe {
        asm!("lfence", "rdtsc", "lfence", out("rax") low, out("rdx") high, options(nostack, preserves_flags));
    }
    high << 32 | low
}

/// `rdtscp; lfence`
#[inline(always)]
fn bare_stop() -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: the bench is for machines that have it; it writes to RCX besides.
    unsafe {
        asm!("rdtscp", "lfence", out("rax") low, out("rdx") high, out("rcx") _, options(nostack, preserves_flags));
    }
    high << 32 | low
}

/// `rdtsc`
#[inline(always)]
fn bare() -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: exists on every x86-64, and touches no memory, stack or flags.
    unsafe { asm!("rdtsc", out("rax") low, out("rdx") high, options(nostack, preserves_flags)) };
    high << 32 | low
}

/// The ticks that a call took, of a thousand, each of which stores what it has read.
#[inline(never)]
fn spin(mut call: impl FnMut() -> u64) -> f64 {
    const CALLS: u32 = 1000;
    let begin = bare_start();
    for _ in 0..CALLS {
        black_box(call());
    }
    bare_stop().wrapping_sub(begin) as f64 / f64::from(CALLS)
}

fn unit() -> f64 {
    spin(|| {
        let begin = bare_start();
        bare_stop().wrapping_sub(begin)
    })
}

fn unit_bare() -> f64 {
    spin(|| {
        let begin = bare();
        bare().wrapping_sub(begin)
    })
}

pub(super) fn rows(table: &mut Table, quick: bool) {
    let rounds = if quick { 20 } else { 400 };
    let mut row = |name: &str, budget: f64, unit: fn() -> f64, rival: fn() -> f64| {
        unit();
        rival();
        // Between two runs of the unit, so that a drift cancels.
        let round = |_| {
            let (before, rival, after) = (unit(), rival(), unit());
            rival / f64::midpoint(before, after)
        };
        let mut ratios: Vec<f64> = (0..rounds).map(round).collect();
        table.row(name, median(&mut ratios), "pairs", budget, "");
    };
    row("start and stop, in bare fenced pairs", 1.05, unit, || {
        spin(|| {
            let begin = start();
            stop().wrapping_sub(begin)
        })
    });
    row("TickCounter, current and elapsed, in bare fenced pairs", 1.05, unit, || {
        spin(|| TickCounter::current().elapsed())
    });
    row("now_cpu twice, in bare fenced pairs", 1.2, unit, || {
        spin(|| {
            let (begin, cpu) = now_cpu();
            let (end, other) = now_cpu();
            end.wrapping_sub(begin) ^ u64::from(cpu ^ other)
        })
    });
    row("relaxed twice, in bare pairs of rdtsc", 1.05, unit_bare, || {
        spin(|| {
            let begin = relaxed();
            relaxed().wrapping_sub(begin)
        })
    });
}
