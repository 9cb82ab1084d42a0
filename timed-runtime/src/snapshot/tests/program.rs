//! A program that runs on paper: what each call takes by itself is given, and its readings follow
//! from what reading costs.

use crate::cost::{Cost, Costs};
use crate::recorder::layout::CHARGE_SHIFT;
use crate::snapshot::data::{LaneData, NodeData, Recording, SiteData, SlotData};
use crate::snapshot::{Facts, build, model::Snapshot};
use std::collections::HashMap;

/// What the two reads add, and what a probe takes beside them, in ticks. Even, so that half as much
/// is whole ticks.
pub(super) const FLOOR: u64 = 52;
pub(super) const OUTSIDE: u64 = 72;
pub(super) const PAIR: f64 = 107.0;

/// One call: of what, its own ticks, and what it calls.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) site: usize,
    pub(super) own: u64,
    pub(super) callees: Vec<Call>,
}

pub(super) fn call(site: usize, own: u64, callees: impl Into<Vec<Call>>) -> Call {
    Call { site, own, callees: callees.into() }
}

/// What is known of a site: calls, own time, time in outermost activations.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Known {
    pub(super) calls: u64,
    pub(super) own: u64,
    pub(super) total: u64,
}

/// One thread of the program, and its recorder.
pub(super) struct Thread {
    pub(super) lane: LaneData,
    pub(super) known: Vec<Known>,
    /// How much slower everything is than when costs were measured first.
    pub(super) slow: f64,
    places: HashMap<(Option<usize>, usize), usize>,
    open: Vec<Option<usize>>,
}

/// A finished call: reading, ticks that its caller has lost to probes in all, and its time.
struct Ended {
    raw: u64,
    charge: u64,
    total: u64,
}

/// The costs that the program's recorder believes in.
pub(super) fn costs(scale: f64) -> Costs {
    let cost = |floor: f64| Cost {
        floor: floor * scale,
        outside: OUTSIDE as f64 * scale,
        floor_spread: 0.5,
        outside_spread: 0.5,
    };
    Costs {
        full: cost(FLOOR as f64),
        relaxed: cost(10.0),
        poll: cost(FLOOR as f64),
        hop: cost(FLOOR as f64),
        stamp: OUTSIDE as f64 * scale,
        finding: 0.0,
        closing: 0.0,
        pair: PAIR * scale,
        others_are_odd: false,
    }
}

impl Thread {
    pub(super) fn new(sites: usize) -> Self {
        let slots = (1..=sites as u64).map(|site| SlotData { site, ..SlotData::default() });
        Self {
            lane: LaneData { threads: 1, slots: slots.collect(), ..LaneData::default() },
            known: vec![Known::default(); sites],
            slow: 1.0,
            places: HashMap::new(),
            open: vec![None; sites],
        }
    }

    /// Runs what no timed function called.
    pub(super) fn run(&mut self, call: &Call) {
        self.activation(call, None);
    }

    fn activation(&mut self, call: &Call, caller: Option<usize>) -> Ended {
        let (outermost, node) = match self.open[call.site] {
            Some(open) => (false, open),
            None => (true, self.place(caller, call.site)),
        };
        if outermost {
            self.open[call.site] = Some(node);
        }
        let ended: Vec<Ended> =
            call.callees.iter().map(|callee| self.activation(callee, Some(node))).collect();
        if outermost {
            self.open[call.site] = None;
        }
        let (floor, outside) = (self.scaled(FLOOR), self.scaled(OUTSIDE));
        let probes = ended.len() as u64;
        let child_raw: u64 = ended.iter().map(|callee| callee.raw).sum();
        // Prices are those of first use, whatever probes take by now.
        let charge = ended.iter().map(|callee| callee.charge).sum::<u64>()
            + ((probes * (FLOOR + OUTSIDE)) << CHARGE_SHIFT);
        let raw = call.own + floor + child_raw + probes * outside;
        let sums = &mut self.lane.nodes[node].sums[usize::from(!outermost)];
        sums.calls += 1;
        sums.raw += raw;
        sums.child_raw += child_raw;
        sums.callees += probes;
        sums.charge += charge;
        self.lane.slots[call.site].add(raw as i64 - (charge >> CHARGE_SHIFT) as i64);
        let total = call.own + ended.iter().map(|callee| callee.total).sum::<u64>();
        let known = &mut self.known[call.site];
        known.calls += 1;
        known.own += call.own;
        known.total += if outermost { total } else { 0 };
        Ended { raw, charge, total }
    }

    fn scaled(&self, ticks: u64) -> u64 {
        (ticks as f64 * self.slow).round() as u64
    }

    fn place(&mut self, caller: Option<usize>, site: usize) -> usize {
        *self.places.entry((caller, site)).or_insert_with(|| {
            self.lane.nodes.push(NodeData {
                slot: Some(site),
                parent: caller,
                ..NodeData::default()
            });
            self.lane.nodes.len() - 1
        })
    }
}

/// What the recorder has of these threads, with a tick a nanosecond.
pub(super) fn facts(threads: Vec<Thread>) -> Facts {
    let sites = threads.first().map_or(0, |thread| thread.known.len());
    let sites =
        (1..=sites as u64).map(|id| SiteData { id, name: format!("s{id}"), ..SiteData::default() });
    Facts {
        recording: Recording {
            lanes: threads.into_iter().map(|thread| thread.lane).collect(),
            sites: sites.collect(),
        },
        now: 1_000_000_000,
        hz: 1e9,
        step: 1.0,
        first: costs(1.0),
        last: costs(1.0),
    }
}

/// The figures of the site with this index, if it was called.
pub(super) fn stats(
    snapshot: &Snapshot,
    site: usize,
) -> Option<&crate::snapshot::model::SiteStats> {
    let name = format!("s{}", site + 1);
    snapshot.sites.iter().find(|stats| stats.name == name)
}

/// The snapshot, of which everything holds that holds of any.
#[track_caller]
pub(super) fn build_checked(facts: &Facts) -> Snapshot {
    let snapshot = build(facts);
    check(&snapshot);
    snapshot
}

/// No figure is anything but a number that could be meant.
#[track_caller]
pub(super) fn check(snapshot: &Snapshot) {
    let sane = |value: f64| value.is_finite() && value.abs() < 1e18;
    for site in &snapshot.sites {
        let counted: u64 = site.buckets.iter().map(|bucket| bucket.count).sum();
        assert_eq!(site.timed, counted + site.negative, "{site:#?}");
        let figures = [
            site.total_ns,
            site.self_ns,
            site.self_percent,
            site.mean_ns,
            site.typical_ns,
            site.min_ns,
            site.max_ns,
            site.uncertainty_ns,
            site.self_uncertainty_ns,
            site.in_flight_ns,
            site.in_flight_self_ns,
            site.migrated_ns,
            site.migrated_max_ns,
        ];
        assert!(figures.into_iter().all(sane), "{site:#?}");
        assert!(site.uncertainty_ns >= 0.0 && site.in_flight_ns >= 0.0, "{site:#?}");
        assert!(site.in_flight_self_ns >= 0.0 && site.self_percent >= 0.0, "{site:#?}");
        for q in [0.0, 0.5, 0.99, 1.0] {
            assert!(sane(site.quantile_ns(q)), "{site:#?}");
        }
    }
    assert!(sane(snapshot.probe_ns));
    assert!(
        snapshot.tree.iter().all(|node| sane(node.total_ns) && sane(node.self_ns)),
        "{:#?}",
        snapshot.tree
    );
    let percent: f64 = snapshot.sites.iter().map(|site| site.self_percent).sum();
    assert!(percent == 0.0 || (percent - 100.0).abs() < 1e-6, "{percent} % in all");
}

/// Every site is what is known of it, within `ticks` a call.
#[track_caller]
pub(super) fn check_known(snapshot: &Snapshot, known: &[Known], ticks: f64) {
    for (site, known) in known.iter().enumerate() {
        let Some(stats) = stats(snapshot, site) else {
            assert_eq!(known.calls, 0);
            continue;
        };
        let margin = ticks * known.calls as f64 + 1e-6 * known.total as f64;
        assert_eq!(stats.calls, known.calls);
        assert!((stats.self_ns - known.own as f64).abs() <= margin, "{known:?}: {stats:#?}");
        assert!((stats.total_ns - known.total as f64).abs() <= margin, "{known:?}: {stats:#?}");
        assert!((stats.mean_ns - stats.total_ns / known.calls as f64).abs() < 1e-6);
    }
    let own: f64 = snapshot.sites.iter().map(|site| site.self_ns).sum();
    let roots: f64 =
        snapshot.tree.iter().filter(|node| node.parent.is_none()).map(|node| node.total_ns).sum();
    assert!((own - roots).abs() <= 1e-6 * own.abs() + 1e-3, "selfs {own}, roots {roots}");
}
