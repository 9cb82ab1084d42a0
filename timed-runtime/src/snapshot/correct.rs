//! The arithmetic: from raw sums, in ticks, to corrected figures.
//!
//! For one activation with reading R (less the cold paths inside it), direct callees i, and probes
//! inside it at any depth, each of which its caller pays f + o for:
//!
//! ```text
//! self = R − f − Σ (Rᵢ + oᵢ)          inclusive = R − f − Σ (f + o)
//! ```
//!
//! f, the floor, is what the two reads add to R; o, the outside cost, what a probe takes beside
//! them. Both sums were taken with the costs of first use; what the costs have changed by since,
//! which is mostly the core's clock against the counter, a bare pair of reads has followed, and a
//! lane's figures are scaled by its own.

use super::data::{LaneData, OpenData, SumsData};
use super::inside::{CALLER, Inside, KINDS, OfSlot};
use crate::cost::Costs;
use crate::recorder::layout::CHARGE_SHIFT;
use crate::recorder::probe::{FULL, POLL, RELAXED};

/// What the body alone moves a floor by, from body to body, as a share of a bare pair: the part of ± that
/// no calibration removes. One standard deviation of the errors that the bench `truth` shows; a bare
/// reading's has no order, and no error that deserves the name.
const FLOOR_SHARES: [f64; 2] = [0.022, 0.15];
/// The same for what a probe costs its caller, by kind of probe. A floor's error is mostly made good
/// outside; but around relaxed readings, and futures, the compiler and the processor move what they can.
const WHOLE_SHARES: [f64; KINDS] = [0.012, 0.060, 0.022, 0.030];

/// The same for stamps and hops, as a share of what they cost.
const HOPS_SHARE: f64 = 0.015;

/// The share of a bare pair that a call takes which sampling leaves out (bench `probe`, row
/// `sample = 64`, less the one call in 64).
const UNTIMED_SHARE: f64 = 0.027;
/// Its standard error.
const UNTIMED_ERROR: f64 = 0.008;

/// A lane's costs, in ticks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LaneCosts {
    /// Floor of the full and of the relaxed probe.
    floors: [f64; 2],
    /// What the recorded charges are to be multiplied by.
    charge_scale: f64,
    /// What a probe takes in all, by its kind, and a full one outside its reads.
    pub(crate) wholes: [f64; KINDS],
    outside: f64,
    /// Floor of a hop; what a stamp, and the end of a hop, take in all.
    pub(crate) hop_floor: f64,
    pub(crate) hop_halves: [f64; 2],
    /// Standard errors, that all readings share, of both floors, and of what a probe costs its caller.
    floor_errors: [f64; 2],
    pub(crate) whole_errors: [f64; KINDS],
    /// A bare pair.
    pair: f64,
}

impl LaneCosts {
    /// Costs of a lane whose bare pairs took `pair` ticks, from those at first use and now.
    pub(crate) fn new(first: &Costs, now: &Costs, pair: Option<f64>) -> Self {
        let pair = pair.unwrap_or(f64::midpoint(first.pair, now.pair));
        // Costs in units of the bare pair that was measured beside them: what is left of the
        // core's clock in them is little.
        let of = |pick: fn(&Costs) -> f64| {
            let (a, b) = (share(pick(first), first.pair), share(pick(now), now.pair));
            let both = if now.others_are_odd { b } else { f64::midpoint(a, b) };
            (both * pair, (a - b).abs() / 2.0 * pair)
        };
        let (floor, floor_drift) = of(|costs| costs.full.floor);
        let (relaxed, _) = of(|costs| costs.relaxed.floor);
        let (outside, _) = of(|costs| costs.full.outside);
        let wholes = [
            of(|costs| costs.full.whole()),
            of(|costs| costs.relaxed.whole()),
            of(|costs| costs.poll.whole()),
            of(|costs| costs.finding + costs.closing),
        ];
        let whole = wholes[FULL].0;
        let drifts = f64::from(u8::from(!now.others_are_odd));
        Self {
            floors: [floor, relaxed],
            charge_scale: share(whole, first.full.whole()),
            wholes: wholes.map(|(whole, _)| whole),
            outside,
            hop_floor: of(|costs| costs.hop.floor).0,
            hop_halves: [of(|costs| costs.stamp).0, of(Costs::hop_end).0],
            floor_errors: FLOOR_SHARES.map(|share| (floor_drift * drifts).hypot(share * pair)),
            pair,
            whole_errors: [FULL, RELAXED, POLL, CALLER].map(|probe| {
                // What another kind costs more was taken off as first use measured it, for good. What
                // finding a place takes differs from one measurement to the next by its share anyway.
                let drift = match probe {
                    FULL => wholes[probe].1 * drifts,
                    CALLER => 0.0,
                    _ => wholes[probe].1,
                };
                drift.hypot(WHOLE_SHARES[probe] * pair)
            }),
        }
    }

    /// What of `spent` ticks, taken off for probes when they were recorded, has to be taken off more.
    pub(crate) fn moved(&self, spent: f64) -> f64 {
        spent * (self.charge_scale - 1.0)
    }

    /// What a call takes its caller that sampling has left out.
    pub(crate) fn untimed(&self) -> f64 {
        UNTIMED_SHARE * self.pair
    }

    /// Standard error of what the callees of a site, with whose readings theirs are compared, and of what
    /// all that is inside it has taken: of each kind of probe, and of calls left untimed.
    ///
    /// `charge` is what was taken off for all that is inside: what is more than the probes' is hops'.
    pub(crate) fn errors(&self, inside: &OfSlot, charge: u64) -> [Inside; 2] {
        let floor = self.floor_errors[0];
        let of = |calls: &Inside, least: f64| {
            let mut errors =
                Inside { untimed: calls.untimed * UNTIMED_ERROR * self.pair, ..*calls };
            for (errors, error) in errors.probes.iter_mut().zip(self.whole_errors) {
                *errors *= error.max(least);
            }
            errors
        };
        // What activations with callees take more is no charge.
        let charged = inside.all.probes.iter().zip(self.wholes).take(CALLER);
        let probes: f64 = charged.map(|(calls, whole)| calls * whole).sum();
        let hops = (charges(charge) * self.charge_scale - probes).max(0.0);
        let mut all = of(&inside.all, 0.0);
        all.probes[FULL] += hops * HOPS_SHARE;
        [of(&inside.callees, floor), all]
    }

    pub(crate) fn floor(&self, relaxed: bool) -> f64 {
        self.floors[usize::from(relaxed)]
    }

    /// Standard error of a floor, that all readings share.
    pub(crate) fn floor_error(&self, relaxed: bool) -> f64 {
        self.floor_errors[usize::from(relaxed)]
    }
}

/// A share of a whole that may be nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 1.0 }
}

/// In ticks; relaxed callees may have left less than nothing.
pub(crate) fn charges(sum: u64) -> f64 {
    signed(sum) / f64::from(1 << CHARGE_SHIFT)
}

/// A sum of readings, which may have come out below zero.
fn signed(sum: u64) -> f64 {
    sum as i64 as f64
}

/// Time in outermost activations, callees included, in ticks.
pub(crate) fn inclusive(sums: &SumsData, floor: f64, costs: &LaneCosts) -> f64 {
    signed(sums.raw) - floor * sums.calls as f64 - charges(sums.charge) * costs.charge_scale
}

/// Time without timed callees, in ticks.
pub(crate) fn own(sums: &SumsData, floor: f64, costs: &LaneCosts) -> f64 {
    signed(sums.raw)
        - floor * sums.calls as f64
        - signed(sums.child_raw)
        - sums.callees as f64 * costs.outside
}

/// An open activation's time so far and own time so far, in ticks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct OpenTime {
    pub(crate) site: u64,
    /// Whether another activation of the site is open around it.
    pub(crate) inner: bool,
    /// Whether it is a future's first poll.
    pub(crate) first: bool,
    pub(crate) total: f64,
    pub(crate) own: f64,
}

impl OpenTime {
    /// Of no time yet.
    fn of(open: &OpenData) -> Self {
        Self { site: open.site, inner: false, first: open.first, total: 0.0, own: 0.0 }
    }
}

/// Times of a lane's open activations, outermost first. What an open callee has taken so far is
/// not its caller's.
pub(crate) fn open_times(open: &[OpenData], now: u64, costs: &LaneCosts) -> Vec<OpenTime> {
    let mut times: Vec<OpenTime> = Vec::with_capacity(open.len());
    // From the inside out: a frame's sums do not hold yet what is in those above it.
    let (mut charge, mut lost, mut inside) = (0.0, 0.0, None);
    for at in open.iter().rev() {
        let elapsed = signed(now.wrapping_sub(at.start)).max(0.0);
        if at.stranded {
            // Wall time only: it is nobody's callee, and has none.
            times.push(OpenTime { total: elapsed, ..OpenTime::of(at) });
            continue;
        }
        charge += charges(at.charge) * costs.charge_scale + at.callees as f64 * costs.wholes[FULL];
        lost += signed(at.lost);
        let callee = inside.map_or(0.0, |elapsed: f64| elapsed + costs.outside / 2.0);
        let callees = signed(at.child_raw) + at.callees as f64 * costs.outside + callee;
        times.push(OpenTime {
            total: (elapsed - charge - lost).max(0.0),
            own: (elapsed - callees - signed(at.lost)).max(0.0),
            ..OpenTime::of(at)
        });
        inside = Some(elapsed);
    }
    times.reverse();
    let mut seen = std::collections::HashSet::new();
    for time in &mut times {
        time.inner = !seen.insert(time.site);
    }
    times
}

/// The activations of each of a lane's slots together: the outermost ones, and all.
pub(crate) fn sums_by_slot(lane: &LaneData) -> Vec<[SumsData; 2]> {
    let mut by_slot = vec![[SumsData::default(); 2]; lane.slots.len()];
    for node in &lane.nodes {
        if let Some([outermost, all]) = node.slot.and_then(|slot| by_slot.get_mut(slot)) {
            outermost.add(&node.sums[0]);
            all.add(&node.sums[0]);
            all.add(&node.sums[1]);
        }
    }
    by_slot
}

impl SumsData {
    fn add(&mut self, more: &Self) {
        self.calls += more.calls;
        self.raw = self.raw.wrapping_add(more.raw);
        self.child_raw = self.child_raw.wrapping_add(more.child_raw);
        self.callees += more.callees;
        self.charge += more.charge;
    }
}

/// What is to be taken off each reading of a slot: the floor, and what the price of the probes
/// inside has changed by since it was taken off at the recording.
pub(crate) fn shift(sums: &SumsData, floor: f64, costs: &LaneCosts) -> f64 {
    let mean_charge = if sums.calls == 0 { 0.0 } else { charges(sums.charge) / sums.calls as f64 };
    floor + costs.moved(mean_charge)
}
