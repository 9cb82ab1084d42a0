//! What a span's start and end cost: by `WallClock`, and as programs take them from the system.

use super::quantile;
use super::table::Table;
use super::unit::median;
use std::hint::black_box;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use timed_runtime::clock::{WallClock, start, stop, ticks_to_ns};

/// What a row's ratio must not exceed.
const BUDGET: f64 = 0.45;

/// Start and end by one counter reading each.
#[inline(never)]
fn by_counter() {
    let span = black_box(WallClock::start());
    black_box((span.start_unix_ns(), span.end_unix_ns()));
}

/// When it started, and how long it took.
#[inline(never)]
fn by_system() {
    let (start, begin) = black_box((SystemTime::now(), Instant::now()));
    black_box((start, begin.elapsed()));
}

/// What is left of a span without clocks.
#[inline(never)]
fn nothing() {
    black_box(());
}

pub(super) fn rows(table: &mut Table, quick: bool) {
    // A batch of spans for each reading: the counter's step would be as long as a span.
    ways::<16>(table, if quick { 2_000 } else { 200_000 }, "span, of 16 in a row");
    ways::<1>(table, if quick { 10_000 } else { 1_000_000 }, "span, by itself");
    truth(table, if quick { 2_000 } else { 200_000 });
}

/// How far the one is from the other, read between two readings of it, over a second: what lies within
/// those two cannot be told.
fn truth(table: &mut Table, samples: usize) {
    let system_ns = || {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0, |since| since.as_nanos() as i64)
    };
    let difference = |_| {
        let (before, now, after) = (system_ns(), WallClock::unix_ns() as i64, system_ns());
        let begin = start();
        while ticks_to_ns(stop().saturating_sub(begin)) < 5_000.0 {}
        // Where the thread was interrupted, nothing is told.
        (after - before < 200).then_some((now - i64::midpoint(before, after)).abs() as f64)
    };
    let mut differences: Vec<f64> = (0..samples).filter_map(difference).collect();
    differences.sort_by(f64::total_cmp);
    for (share, label, most) in [(0.5, "p50", 100.0), (0.999, "p99.9", 1000.0)] {
        let name = format!("Unix time, off the system's by, {label}");
        table.row(&name, quantile(&differences, share), "ns", most, "");
    }
}

/// `SPANS` in a row by either way, in turns, so many times: quantiles of what one took.
fn ways<const SPANS: u32>(table: &mut Table, samples: usize, name: &str) {
    // Past the first millisecond, in which the system's clock is read.
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(20) {
        by_counter();
        by_system();
    }
    let mut readings = [const { Vec::new() }; 3];
    for _ in 0..samples {
        for (readings, span) in readings.iter_mut().zip([nothing, by_counter, by_system]) {
            readings.push(reading::<SPANS>(span));
        }
    }
    let floor = median(&mut readings[0]);
    let [_, counter, system] = &mut readings;
    counter.sort_by(f64::total_cmp);
    system.sort_by(f64::total_cmp);
    for (share, label) in [(0.5, "p50"), (0.9, "p90"), (0.99, "p99"), (0.999, "p99.9")] {
        let ns = |sorted: &[f64]| {
            let ticks = (quantile(sorted, share) - floor).max(0.0);
            ticks_to_ns(ticks as u64) / f64::from(SPANS)
        };
        let (counter, system) = (ns(counter), ns(system));
        let note = format!("{counter:.1} against {system:.1} ns");
        table.row(&format!("{name}, {label}"), counter / system, "times", BUDGET, &note);
    }
}

/// The ticks of so many spans, with those of the two readings.
#[inline(never)]
fn reading<const SPANS: u32>(span: fn()) -> f64 {
    let begin = start();
    for _ in 0..SPANS {
        span();
    }
    stop().wrapping_sub(begin) as f64
}
