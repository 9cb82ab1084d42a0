//! A snapshot: the recording, read, corrected, and put together over all lanes.

pub(crate) mod correct;
pub(crate) mod data;
mod histograms;
pub(crate) mod model;
pub(crate) mod recording;
mod sites;
#[cfg(test)]
mod tests;
mod tree;

use crate::clock::{self, Anchor};
use crate::cost::Costs;
use crate::recorder::process::{self, Process};
use crate::recorder::{control, registry, site, work};
use correct::LaneCosts;
use data::Recording;
use model::{Check, Clock, ClockSource, Drift, Kind, Place, Snapshot};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What a run must last for its frequency to be known to some ten ppm; a shorter one waits.
const LONG_ENOUGH_NS: u64 = 10_000_000;

/// Every site, live, without stopping anyone.
///
/// Takes some milliseconds for a thousand sites, and measures the probe's cost again (half a
/// millisecond). In a process without timed calls, and with `TIMED=off`, it is empty.
#[must_use]
pub fn take() -> Snapshot {
    let Some(process) = process::get() else { return Snapshot::default() };
    // While this thread is at work, its own lane is not in use, and what it allocates is not timed.
    // If it is at work already, or another thread measures, the costs of first use must do.
    work(|_| {
        let costs = process.bench.measure(process.clock.counter);
        Some(of_process(process, costs.unwrap_or(process.costs)))
    })
    .unwrap_or_else(|| of_process(process, process.costs))
}

/// The same at the end of the process, where there is time to let a short run's clock settle.
pub(crate) fn take_last() -> Snapshot {
    if let Some(process) = process::get() {
        let elapsed = clock::monotonic_ns().saturating_sub(process.began.ns);
        if elapsed < LONG_ENOUGH_NS {
            std::thread::sleep(Duration::from_nanos(LONG_ENOUGH_NS - elapsed));
        }
    }
    take()
}

/// A recording with everything that is needed to understand it.
pub(crate) struct Facts {
    pub(crate) recording: Recording,
    /// The process's clock at the snapshot.
    pub(crate) now: u64,
    pub(crate) hz: f64,
    /// Step of the clock, in ticks.
    pub(crate) step: f64,
    /// The costs at first use and at the snapshot.
    pub(crate) first: Costs,
    pub(crate) last: Costs,
}

impl Facts {
    pub(crate) fn ns(&self, ticks: f64) -> f64 {
        ticks / self.hz * 1e9
    }

    /// The costs of each lane.
    pub(crate) fn lane_costs(&self) -> Vec<LaneCosts> {
        self.recording
            .lanes
            .iter()
            .map(|lane| LaneCosts::new(&self.first, &self.last, lane.pair))
            .collect()
    }
}

fn of_process(process: &'static Process, last: Costs) -> Snapshot {
    let anchor = Anchor::take(&process.clock);
    let frequency = process.began.frequency(&anchor);
    let extents = process.arena.extents();
    let mut recording = recording::read(&extents, control::last_reset().0);
    let untimed: HashMap<u64, u64> = site::called()
        .map(|site| (u64::from(site.number()), site.untimed.load(Ordering::Relaxed)))
        .collect();
    for data in &mut recording.sites {
        data.untimed += untimed.get(&data.id).copied().unwrap_or(0);
    }
    let facts = Facts {
        recording,
        now: process.clock.now(),
        hz: frequency.map_or(1e9, |frequency| frequency.hz),
        step: process.resolution as f64,
        first: process.costs,
        last,
    };
    let mut snapshot = build(&facts);
    snapshot.pid = crate::life::pid();
    snapshot.program = program();
    snapshot.wall_ns = anchor.ns.saturating_sub(process.began.ns) as f64;
    snapshot.never_called = never_called(&snapshot);
    let error_ppm = frequency.map_or(f64::INFINITY, |frequency| frequency.error_ppm);
    snapshot.clock = clock_facts(process, &facts, error_ppm);
    note_frequency(&mut snapshot, frequency.is_some());
    snapshot
}

/// The part of a snapshot that follows from a recording alone.
pub(crate) fn build(facts: &Facts) -> Snapshot {
    let costs = facts.lane_costs();
    let lanes = &facts.recording.lanes;
    let mut snapshot = Snapshot {
        lanes: lanes.len() as u64,
        threads: lanes.iter().map(|lane| lane.threads).sum(),
        dropped: lanes.iter().map(|lane| lane.dropped).sum(),
        ..Snapshot::default()
    };
    let probes = lanes.iter().zip(&costs).map(|(lane, costs)| {
        let calls: u64 = lane.nodes.iter().flat_map(|node| &node.sums).map(|sums| sums.calls).sum();
        calls as f64 * costs.whole
    });
    snapshot.probe_ns = facts.ns(probes.sum());
    let figures = sites::figures(facts, &costs);
    snapshot.tree = tree::merge(facts, &costs, &figures);
    snapshot.sites = figures.into_iter().map(|(_, stats)| stats).collect();
    if snapshot.dropped > 0 {
        snapshot.notes.push(format!(
            "{} activations were open at a reset, or when their thread died, and are left out",
            snapshot.dropped
        ));
    }
    if lanes.iter().any(|lane| lane.overflow > 0) {
        snapshot.notes.push(String::from(
            "more call paths than a thread keeps apart: those beyond stand directly under the root",
        ));
    }
    snapshot
}

fn program() -> String {
    let path = std::env::current_exe().ok();
    let name = path.as_deref().and_then(std::path::Path::file_name);
    name.map_or_else(|| String::from("?"), |name| name.to_string_lossy().into_owned())
}

/// The sites in the program that no figures are about, and that no filter has left out.
fn never_called(snapshot: &Snapshot) -> Vec<Place> {
    let called: HashSet<(&str, &str, u32)> = snapshot
        .sites
        .iter()
        .map(|site| (site.name.as_str(), site.file.as_str(), site.line))
        .collect();
    let mut places: Vec<Place> = registry::listed()
        .map(|site| Place {
            name: site.display_name(),
            file: site.file.to_owned(),
            line: site.line,
        })
        .filter(|place| process::config().is_none_or(|config| config.filter.accepts(&place.name)))
        .filter(|place| !called.contains(&(place.name.as_str(), place.file.as_str(), place.line)))
        .collect();
    places.sort_by(|a, b| (&a.name, &a.file, a.line).cmp(&(&b.name, &b.file, b.line)));
    places.dedup();
    places
}

fn clock_facts(process: &Process, facts: &Facts, hz_error_ppm: f64) -> Clock {
    let ns = |ticks: f64| facts.ns(ticks);
    let drift = |pick: fn(&Costs) -> f64, spread: fn(&Costs) -> f64| {
        let (start, end) = (pick(&facts.first), pick(&facts.last));
        let spread = (start - end).abs().max(spread(&facts.first)).max(spread(&facts.last));
        Drift { start: ns(start), end: ns(end), spread: ns(spread) }
    };
    let source = match (process.clock.counter, cfg!(target_arch = "x86_64")) {
        (false, _) => ClockSource::Monotonic,
        (true, true) => ClockSource::Tsc,
        (true, false) => ClockSource::Cntvct,
    };
    let claims = if process.clock.counter { clock::claims() } else { Vec::new() };
    Clock {
        source,
        reason: process.clock.reason.clone(),
        hz: facts.hz,
        hz_error_ppm,
        checks: claims
            .into_iter()
            .map(|(name, hz)| Check { name: name.to_owned(), hz, ppm: (hz / facts.hz - 1.0) * 1e6 })
            .collect(),
        resolution_ns: ns(facts.step),
        floor_ns: drift(|costs| costs.full.floor, |costs| costs.full.floor_spread),
        outside_ns: drift(|costs| costs.full.outside, |costs| costs.full.outside_spread),
    }
}

/// Beyond this a source of the frequency is not merely imprecise.
const DISAGREES_PPM: f64 = 1000.0;

fn note_frequency(snapshot: &mut Snapshot, measured: bool) {
    if !measured {
        snapshot.notes.push(String::from(
            "the clock stood still, or ran backwards, over the whole run: no duration can be trusted",
        ));
    }
    for check in &snapshot.clock.checks {
        if check.ppm.abs() > DISAGREES_PPM.max(snapshot.clock.hz_error_ppm) {
            let (name, mhz, own) = (&check.name, check.hz / 1e6, snapshot.clock.hz / 1e6);
            let note = format!(
                "{name} says that the clock runs at {mhz:.3} MHz; measured, and used, were {own:.3} MHz"
            );
            snapshot.notes.push(note);
        }
    }
}

/// The number of a kind in the recording.
fn kind_of(number: u64) -> Kind {
    [Kind::Fn, Kind::Async, Kind::Scope, Kind::Block, Kind::Hop]
        .into_iter()
        .find(|kind| *kind as u64 == number)
        .unwrap_or_default()
}
