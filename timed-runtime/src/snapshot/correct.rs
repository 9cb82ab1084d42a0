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

use super::data::{LaneData, OpenData, SlotData, SumsData};
use crate::cost::Costs;
use crate::recorder::histogram;
use crate::recorder::layout::{BUCKETS, CHARGE_SHIFT, OCTAVES};

/// What the body alone moves a floor by, from body to body, in ticks of a bare pair: the part of
/// ± that no calibration removes (measured: floors of 50.4 to 53.5 at a pair of 107).
const BODY_SHARE: f64 = 0.012;

/// A lane's costs, in ticks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LaneCosts {
    /// Floor of the full and of the relaxed probe.
    floors: [f64; 2],
    /// What the recorded charges are to be multiplied by.
    charge_scale: f64,
    /// What a full probe takes in all, and outside its reads.
    pub(crate) whole: f64,
    outside: f64,
    /// Floor of a hop; what a stamp, and the end of a hop, take in all.
    pub(crate) hop_floor: f64,
    pub(crate) hop_halves: [f64; 2],
    /// Standard errors of a floor, and of an outside cost, that all readings share.
    pub(crate) floor_error: f64,
    pub(crate) outside_error: f64,
}

impl LaneCosts {
    /// Costs of a lane whose bare pairs took `pair` ticks, from those at first use and now.
    pub(crate) fn new(first: &Costs, now: &Costs, pair: Option<f64>) -> Self {
        let pair = pair.unwrap_or(f64::midpoint(first.pair, now.pair));
        // Costs in units of the bare pair that was measured beside them: what is left of the
        // core's clock in them is little.
        let of = |pick: fn(&Costs) -> f64| {
            let (a, b) = (share(pick(first), first.pair), share(pick(now), now.pair));
            (f64::midpoint(a, b) * pair, (a - b).abs() / 2.0 * pair)
        };
        let (floor, floor_drift) = of(|costs| costs.full.floor);
        let (relaxed, _) = of(|costs| costs.relaxed.floor);
        let (outside, outside_drift) = of(|costs| costs.full.outside);
        let whole = floor + outside;
        let body = BODY_SHARE * pair;
        Self {
            floors: [floor, relaxed],
            charge_scale: share(whole, first.full.whole()),
            whole,
            outside,
            hop_floor: of(|costs| costs.hop.floor).0,
            hop_halves: [of(|costs| costs.stamp).0, of(Costs::hop_end).0],
            floor_error: floor_drift.hypot(body),
            outside_error: outside_drift.hypot(body),
        }
    }

    /// What of `spent` ticks, taken off for probes when they were recorded, has to be taken off more.
    pub(crate) fn moved(&self, spent: f64) -> f64 {
        spent * (self.charge_scale - 1.0)
    }

    pub(crate) fn floor(&self, relaxed: bool) -> f64 {
        self.floors[usize::from(relaxed)]
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
        charge += charges(at.charge) * costs.charge_scale + at.callees as f64 * costs.whole;
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

/// A distribution in ticks, over several lanes: as recorded, with what is to be taken off.
#[derive(Debug, Clone)]
pub(crate) struct Distribution {
    /// Those that hold anything: for a site that is called in one way, a few of them.
    octaves: Vec<Option<Box<Octave>>>,
    /// Sum of the shifts of all readings.
    shift_sum: f64,
    pub(crate) count: u64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// The readings of an octave.
#[derive(Debug, Clone)]
struct Octave {
    sum: i64,
    counts: [u64; BUCKETS],
}

impl Octave {
    const EMPTY: Self = Self { sum: 0, counts: [0; BUCKETS] };
}

impl Default for Distribution {
    fn default() -> Self {
        Self {
            octaves: vec![None; OCTAVES],
            shift_sum: 0.0,
            count: 0,
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
        }
    }
}

impl Distribution {
    /// Adds one lane's readings, each of which is `shift` ticks too long.
    pub(crate) fn add(&mut self, slot: &SlotData, shift: f64) {
        let mut count = 0;
        for octave in &slot.octaves {
            let merged = self.octaves[octave.index].get_or_insert_with(|| Box::new(Octave::EMPTY));
            merged.sum = merged.sum.wrapping_add(octave.sum);
            for (bucket, more) in &octave.counts {
                merged.counts[*bucket] += more;
                count += more;
            }
        }
        self.count += count;
        self.shift_sum += shift * count as f64;
        if let Some((low, high)) = slot.range {
            self.low = self.low.min(low as f64 - shift);
            self.high = self.high.max(high as f64 - shift);
        }
    }

    /// What is to be taken off a reading, on the average.
    pub(crate) fn shift(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.shift_sum / self.count as f64 }
    }

    /// The octaves that hold anything, lowest first.
    fn octaves(&self) -> impl Iterator<Item = (usize, &Octave)> {
        self.octaves.iter().enumerate().filter_map(|(at, octave)| Some((at, octave.as_deref()?)))
    }

    /// The buckets that hold anything, lowest first: lowest reading, width, count.
    pub(crate) fn buckets(&self) -> impl Iterator<Item = (u64, u64, u64)> {
        self.octaves().flat_map(|(octave, readings)| {
            readings.counts.iter().enumerate().filter(|(_, count)| **count > 0).map(
                move |(bucket, count)| {
                    let (low, width) = histogram::range(octave, bucket);
                    (low, width, *count)
                },
            )
        })
    }

    /// The mean without the ⌊n/100⌋ largest readings, less the shift, and its standard error from
    /// the readings' spread and a clock that advances in steps of `step`.
    ///
    /// Octaves that stay whole give their exact sums; only in the one that is cut do buckets stand
    /// for their readings.
    pub(crate) fn typical(&self, step: f64) -> Option<(f64, f64)> {
        let kept = self.count - self.count / 100;
        if kept == 0 {
            return None;
        }
        let (mut sum, mut middles, mut squares, mut seen) = (0.0, 0.0, 0.0, 0);
        for (octave, readings) in self.octaves() {
            let in_octave: u64 = readings.counts.iter().sum();
            if in_octave == 0 || seen == kept {
                continue;
            }
            let mut cut_sum = readings.sum as f64;
            let (mut take, mut cut) = ((kept - seen).min(in_octave), 0.0);
            seen += take;
            for (bucket, count) in readings.counts.iter().enumerate() {
                let (low, width) = histogram::range(octave, bucket);
                let middle = low as f64 + (width - 1) as f64 / 2.0;
                let taken = take.min(*count);
                take -= taken;
                cut += middle * (count - taken) as f64;
                middles += middle * taken as f64;
                squares += middle * middle * taken as f64;
            }
            cut_sum -= cut;
            sum += cut_sum;
        }
        let kept = kept as f64;
        // The spread is that of the buckets' middles, about their own mean: beside the exact one, a
        // single long reading would seem to spread.
        let middle = middles / kept;
        let variance = (squares / kept - middle * middle).max(0.0) + step * step / 12.0;
        Some((sum / kept - self.shift(), (variance / kept).sqrt()))
    }
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
