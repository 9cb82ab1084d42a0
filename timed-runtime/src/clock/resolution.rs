//! The step in which the counter advances, and what a bare pair of reads takes.

use super::arch;

/// No batch of pairs takes as long: what says so is a counter that was set meanwhile.
const ANY_BATCH: u64 = 1 << 40;

/// Ticks of `n` bare fenced pairs, by the pairs' own readings; 0 if the counter ran back.
#[inline(never)]
fn pairs(n: u32) -> u64 {
    let mut last = arch::start();
    let first = last;
    for _ in 0..n {
        let begin = arch::start();
        last = super::stop_counter();
        core::hint::black_box(last.wrapping_sub(begin));
    }
    let ticks = last.wrapping_sub(first);
    if ticks > ANY_BATCH { 0 } else { ticks }
}

/// Pairs of a batch: its ticks are cut to steps of the counter as a whole.
const PAIRS: u32 = 8;

/// Ticks of a bare fenced pair, in 1/256, in some three microseconds: the middle half of eight batches,
/// which an interrupt in one of them does not move. To a hundredth, which many of them make good.
pub(crate) fn bare_pair() -> u64 {
    let mut batches = [0; 8];
    for batch in &mut batches {
        *batch = pairs(PAIRS);
    }
    batches.sort_unstable();
    let half = &batches[2..6];
    half.iter().sum::<u64>() * 256 / (half.len() as u64 * u64::from(PAIRS))
}

/// The commonest smallest step of a row of readings, in ticks, at least 1.
///
/// Readings are multiples of the step, so the lengths of equal regions differ by multiples of it;
/// where a counter also adds 1 to stay monotonic, that is too rare to count.
fn step_of(readings: &[u64]) -> u64 {
    let mut steps: Vec<u64> = readings
        .windows(3)
        .map(|w| w[2].wrapping_sub(w[1]).abs_diff(w[1].wrapping_sub(w[0])))
        .filter(|step| *step > 0 && *step < 1 << 20)
        .collect();
    if steps.is_empty() {
        // A clock coarser than the row took: the steps are the advances themselves.
        let advances = readings.windows(2).map(|w| w[1].wrapping_sub(w[0]));
        steps = advances.filter(|step| *step > 0 && *step < 1 << 32).collect();
    }
    steps.sort_unstable();
    let runs: Vec<&[u64]> = steps.chunk_by(|a, b| a == b).collect();
    let most = runs.iter().map(|run| run.len()).max().unwrap_or(0);
    runs.iter().find(|run| run.len() * 8 >= most).map_or(1, |run| run[0])
}

/// Readings after which a clock that does not advance is given up: some milliseconds' worth.
const PATIENCE: usize = 1 << 17;

/// The step of the clock that `read` reads, in its ticks. Takes some ten microseconds; on a clock that
/// is coarser than that, until it has advanced twice.
pub(crate) fn resolution(mut read: impl FnMut() -> u64) -> u64 {
    let mut readings: Vec<u64> = (0..256).map(|_| read()).collect();
    let mut advances = readings.windows(2).filter(|w| w[0] != w[1]).count();
    for _ in 0..PATIENCE {
        if advances >= 2 {
            break;
        }
        let reading = read();
        if readings.last() != Some(&reading) {
            readings.push(reading);
            advances += 1;
        }
    }
    step_of(&readings)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock that counts finely and shows multiples of `step`.
    fn stepping(step: u64, mut pace: impl FnMut() -> u64) -> impl FnMut() -> u64 {
        let mut now = 1_000_000;
        move || {
            now += pace();
            now / step * step
        }
    }

    #[test]
    fn finds_the_step() {
        for step in [1, 2, 24, 26, 64, 1000] {
            let mut seed = 7_u64;
            let found = resolution(stepping(step, || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                90 + (seed >> 60)
            }));
            assert_eq!(found, step);
        }
    }

    #[test]
    fn finds_a_step_that_is_longer_than_it_takes() {
        for step in [40_000, 1_300_000] {
            assert_eq!(resolution(stepping(step, || 26)), step);
        }
    }

    #[test]
    fn a_clock_that_stands_still_has_step_one() {
        assert_eq!(resolution(|| 5), 1);
    }

    #[test]
    fn now_and_then_a_tick_back_or_a_jump_is_no_step() {
        let (mut seed, mut reads) = (7_u64, 0_u64);
        let mut clock = stepping(26, || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            90 + (seed >> 60)
        });
        let found = resolution(|| {
            reads += 1;
            let jumped = if reads > 100 { 4_160_000_000 } else { 0 };
            clock() - u64::from(reads.is_multiple_of(40)) + jumped
        });
        assert_eq!(found, 26);
    }

    #[test]
    fn a_clock_that_runs_backwards_has_a_step_all_the_same() {
        let mut now = 1 << 40;
        let found = resolution(|| {
            now -= 26 * (1 + now % 3);
            now
        });
        assert!((1..1 << 20).contains(&found), "{found}");
    }
}
