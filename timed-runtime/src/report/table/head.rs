//! The lines above the table: what ran, by which clock, and what was taken off.

use std::borrow::Cow;

use crate::report::cell;
use crate::report::text::{escape, wrap};
use crate::snapshot::model::{Drift, Snapshot};

pub(super) fn write(snapshot: &Snapshot, room: Option<usize>) -> String {
    [run(snapshot), clock(snapshot), probes(snapshot)].iter().map(|line| wrap(line, room)).collect()
}

/// All there is to say where no site was called.
pub(super) fn nothing_called(snapshot: &Snapshot, room: Option<usize>) -> String {
    let line = format!("{}: no timed function was called", program(snapshot));
    wrap(&line, room)
}

fn program(snapshot: &Snapshot) -> String {
    let program = match snapshot.program.as_str() {
        "" => Cow::Borrowed("?"),
        name => escape(name),
    };
    format!("timed: {program} (pid {})", snapshot.pid)
}

fn run(snapshot: &Snapshot) -> String {
    let at_once = if snapshot.lanes < snapshot.threads {
        format!(", at most {} at once", snapshot.lanes)
    } else {
        String::new()
    };
    format!(
        "{}, {}, {}{at_once}",
        program(snapshot),
        cell::duration(snapshot.wall_ns),
        cell::count(snapshot.threads, "thread"),
    )
}

fn clock(snapshot: &Snapshot) -> String {
    let clock = &snapshot.clock;
    let reason = if clock.reason.is_empty() {
        String::new()
    } else {
        format!(" ({})", escape(&clock.reason))
    };
    format!(
        "clock: {} at {} ± {}, resolution {}{reason}",
        clock.source.as_str(),
        cell::frequency(clock.hz, clock.hz_error_ppm),
        cell::ppm(clock.hz_error_ppm),
        cell::rough(clock.resolution_ns),
    )
}

fn probes(snapshot: &Snapshot) -> String {
    // Selfs and probes together are all the time that threads spent in timed functions.
    let selfs: f64 = snapshot
        .sites
        .iter()
        .map(|site| site.self_ns.max(0.0) + site.in_flight_self_ns.max(0.0))
        .sum();
    let probe_ns = snapshot.probe_ns.max(0.0);
    format!(
        "taken off each call: floor {}, outside cost {}; the probes took {} of the time",
        drift(snapshot.clock.floor_ns),
        drift(snapshot.clock.outside_ns),
        cell::share(probe_ns, selfs + probe_ns),
    )
}

/// The cost as it is now, and how far it varied where that is more than a hundredth of it.
fn drift(cost: Drift) -> String {
    let half = cost.spread / 2.0;
    if cost.spread > cost.end.abs() / 100.0 {
        format!("{} ± {}", cell::known(cost.end, half), cell::rough(half))
    } else {
        cell::duration(cost.end)
    }
}
