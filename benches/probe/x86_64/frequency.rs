//! The frequency that a snapshot states, against the kernel's raw monotonic clock.

use super::anchor::anchor;
use super::child;
use super::table::{Budget, Table, digits};
use super::unit::{Effort, chain, median};
use std::time::Duration;

#[timed::timed]
#[inline(never)]
fn called(x: u64) -> u64 {
    chain::<0>(x)
}

pub(super) fn row(table: &mut Table, effort: Effort) {
    let mut errors: Vec<f64> =
        child::numbers("frequency", effort, &[]).into_iter().map(f64::abs).collect();
    let middle = median(&mut errors);
    let note = format!("worst of {}: {}", errors.len(), digits(errors[errors.len() - 1]));
    table.row(
        "frequency, run of 1 s, against CLOCK_MONOTONIC_RAW",
        middle,
        "ppm",
        Budget(1.0),
        &note,
    );
}

/// Prints by how many ppm the frequency differs from one found here, over the same second.
pub(super) fn child() {
    called(1);
    let (ticks, ns) = anchor();
    std::thread::sleep(Duration::from_secs(1));
    let (later_ticks, later_ns) = anchor();
    let hz = timed::snapshot().clock.hz;
    let ours = (later_ticks - ticks) / (later_ns - ns) * 1e9;
    println!("{}", (hz / ours - 1.0) * 1e6);
}
