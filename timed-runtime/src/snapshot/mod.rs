//! A snapshot: the recording, read, corrected, and put together over all lanes.

mod clock_facts;
pub(crate) mod correct;
pub(crate) mod data;
mod distribution;
mod histograms;
mod inside;
pub(crate) mod model;
pub(crate) mod recording;
mod sites;
#[cfg(test)]
mod tests;
mod tree;

use crate::clock;
use crate::cost::{Costs, Refused};
use crate::recorder::process::{self, Process};
use crate::recorder::{control, registry, site, work};
use clock_facts::Timing;
use correct::LaneCosts;
use data::Recording;
use model::{Kind, Place, Snapshot};
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
        let (costs, refused) = clock_facts::last_costs(process);
        Some(of_process(process, costs, refused))
    })
    .unwrap_or_else(|| of_process(process, process.costs, None))
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

fn of_process(process: &'static Process, last: Costs, refused: Option<Refused>) -> Snapshot {
    let timing = Timing::take(process);
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
        hz: timing.estimate.hz,
        step: process.resolution as f64,
        first: process.costs,
        last,
    };
    let mut snapshot = build(&facts);
    snapshot.pid = crate::life::pid();
    snapshot.program = program();
    snapshot.wall_ns = timing.now.ns.saturating_sub(process.began.ns) as f64;
    snapshot.never_called = never_called(&snapshot);
    snapshot.clock = clock_facts::facts(&process.clock, &facts, &timing);
    clock_facts::note(&mut snapshot, &process.clock, &timing, [process.refused, refused]);
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
    snapshot.probe_ns = facts.ns(sites::probe_ticks(facts, &costs));
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

/// The number of a kind in the recording.
fn kind_of(number: u64) -> Kind {
    [Kind::Fn, Kind::Async, Kind::Scope, Kind::Block, Kind::Hop]
        .into_iter()
        .find(|kind| *kind as u64 == number)
        .unwrap_or_default()
}
