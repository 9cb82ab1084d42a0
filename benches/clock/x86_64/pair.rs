//! What readings cost, against the bare instructions.

use super::table::Table;
use super::unit::{self, median};
use std::hint::black_box;
use timed_runtime::clock::{TickCounter, now_cpu, relaxed, start, stop};

/// The ticks that a call took, of a thousand, each of which stores what it has read.
#[inline(never)]
fn spin(mut call: impl FnMut() -> u64) -> f64 {
    const CALLS: u32 = 1000;
    let begin = unit::start();
    for _ in 0..CALLS {
        black_box(call());
    }
    unit::stop().wrapping_sub(begin) as f64 / f64::from(CALLS)
}

fn unit() -> f64 {
    spin(|| {
        let begin = unit::start();
        unit::stop().wrapping_sub(begin)
    })
}

fn unit_bare() -> f64 {
    spin(|| {
        let begin = unit::bare();
        unit::bare().wrapping_sub(begin)
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
