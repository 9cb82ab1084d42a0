//! The unit, and how it is compared: loops over one function, timed in turn many times over.
//!
//! Nothing here is an absolute time. Each round runs all competitors one after the other, each for
//! some fifty microseconds, and makes one figure of them; a row is the median of its rounds. So
//! neighbours on the machine, and a clock frequency that drifts, meet all competitors alike.

use std::arch::asm;
use std::cell::Cell;
use std::hint::black_box;

/// The unit's first half: `lfence; rdtsc; lfence`.
#[inline(always)]
pub(crate) fn start() -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: both instructions exist on every x86-64, and touch no memory, stack or flags.
    unsafe {
        asm!("lfence", "rdtsc", "lfence", out("rax") low, out("rdx") high, options(nostack, preserves_flags));
    }
    high << 32 | low
}

/// The unit's second half: `rdtscp; lfence`.
#[inline(always)]
pub(crate) fn stop() -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: the runtime would not time by it where it does not exist; it writes to RCX alone.
    unsafe {
        asm!("rdtscp", "lfence", out("rax") low, out("rdx") high, out("rcx") _, options(nostack, preserves_flags));
    }
    high << 32 | low
}

/// Half of what a relaxed probe is compared with: `rdtsc`, ordered by nothing.
#[inline(always)]
pub(crate) fn bare() -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: exists on every x86-64, and touches no memory, stack or flags.
    unsafe { asm!("rdtsc", out("rax") low, out("rdx") high, options(nostack, preserves_flags)) };
    high << 32 | low
}

thread_local! {
    /// Where the pairs store their results. A thread's own: on every core at once, a shared word
    /// would make the unit expensive, and every ratio look good.
    static RESULT: Cell<u64> = const { Cell::new(0) };
}

/// The unit around a body.
#[inline(always)]
pub(crate) fn paired(body: impl FnOnce() -> u64) -> u64 {
    let begin = start();
    let x = body();
    let end = stop();
    RESULT.with(|result| result.set(end.wrapping_sub(begin)));
    x
}

/// A pair of bare readings around a body.
#[inline(always)]
pub(crate) fn paired_bare(body: impl FnOnce() -> u64) -> u64 {
    let begin = bare();
    let x = body();
    let end = bare();
    RESULT.with(|result| result.set(end.wrapping_sub(begin)));
    x
}

/// A body of so many links of a multiplication and an addition, 4 cycles each that nothing shortens.
/// None is an empty body: the block keeps the compiler from dropping the call, or seeing through it.
#[inline(always)]
pub(crate) fn chain<const LINKS: u32>(mut x: u64) -> u64 {
    // SAFETY: arithmetic on a register, flags declared changed by default.
    unsafe {
        asm!(".rept {links}", "imul {x}, {x}, 7", "add {x}, 3", ".endr", x = inout(reg) x, links = const LINKS,
            options(nostack, nomem));
    }
    x
}

/// `chain::<16>`, so many times over.
#[inline(always)]
pub(crate) fn long_chain(mut x: u64, times: u64) -> u64 {
    for _ in 0..times {
        x = chain::<16>(x);
    }
    x
}

/// So many calls, and the ticks that one took.
pub(crate) type Loop = fn(u32) -> f64;

/// The loop around every competitor. Each is a type of its own, so the call is direct, and each
/// call depends on the one before.
#[inline(never)]
pub(crate) fn spin<T>(calls: u32, first: T, mut call: impl FnMut(T) -> T) -> f64 {
    let begin = start();
    let mut x = first;
    for _ in 0..calls {
        x = call(x);
    }
    let end = stop();
    black_box(x);
    end.wrapping_sub(begin) as f64 / f64::from(calls)
}

/// How long the bench takes, and how sure its figures are.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Rounds of a comparison.
    pub(crate) rounds: u32,
    /// Child processes of a row.
    pub(crate) children: usize,
}

impl Effort {
    pub(crate) const FULL: Self = Self { rounds: 400, children: 9 };
    /// To see that the bench runs.
    pub(crate) const QUICK: Self = Self { rounds: 30, children: 2 };

    pub(crate) fn is_quick(self) -> bool {
        self.rounds == Self::QUICK.rounds
    }

    pub(crate) fn of(quick: bool) -> Self {
        if quick { Self::QUICK } else { Self::FULL }
    }

    /// The median over the rounds of `figure`, made of the ticks a call of every loop in a round.
    pub(crate) fn compare<const N: usize>(
        self,
        loops: [Loop; N],
        figure: impl Fn([f64; N]) -> f64,
    ) -> f64 {
        /// Short enough to fall between two interrupts mostly, long enough that the loop's own two
        /// readings are a thousandth.
        const CALLS: u32 = 1000;
        let round = |calls| loops.map(|ticks| ticks(calls));
        round(CALLS);
        let mut figures: Vec<f64> = (0..self.rounds).map(|_| figure(round(CALLS))).collect();
        median(&mut figures)
    }

    /// How many units a call takes: between two runs of the unit, so that a drift cancels.
    pub(crate) fn ratio(self, unit: Loop, rival: Loop) -> f64 {
        self.compare([unit, rival, unit], |[before, rival, after]| {
            rival / f64::midpoint(before, after)
        })
    }

    /// How many units a call takes more than a plain one.
    pub(crate) fn excess(self, unit: Loop, rival: Loop, plain: Loop) -> f64 {
        self.compare([unit, plain, rival, plain, unit], |[before, plain, rival, same, after]| {
            (rival - f64::midpoint(plain, same)) / f64::midpoint(before, after)
        })
    }
}

pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The mean without the tenths at both ends.
pub(crate) fn middle_mean(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let tenth = values.len() / 10;
    let kept = &values[tenth..values.len() - tenth];
    kept.iter().sum::<f64>() / kept.len() as f64
}
