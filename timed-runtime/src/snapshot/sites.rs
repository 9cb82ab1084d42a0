//! Each site's figures, over all lanes.

use super::correct::{self, LaneCosts, open_times};
use super::data::{LaneData, NodeData, SiteData, SlotData, SumsData, WallData};
use super::distribution::Distribution;
use super::inside::{self, Inside, OfSlot, Traits};
use super::model::{Bucket, Futures, Kind, SiteStats, Verdict};
use super::{Facts, kind_of};
use crate::recorder::layout::BASE_SHIFT;
use crate::recorder::probe::{FULL, POLL, RELAXED};
use std::collections::{HashMap, HashSet};

/// What one site adds up to over all lanes, in ticks.
#[derive(Default)]
struct Totals {
    calls: u64,
    timed: u64,
    left_out: u64,
    negative: u64,
    cancelled: u64,
    migrated: (u64, f64, f64),
    in_flight: (u64, f64, f64),
    total: f64,
    own: f64,
    /// Activations, where they are a future's polls; their time, callees included; the longest.
    polls: u64,
    busy: f64,
    longest: f64,
    /// Of calls that are not one activation: what is under way, as `layout::Slot` has it, and what
    /// the cancelled ones took.
    live: u64,
    bases: u64,
    cancelled_sum: f64,
    /// Activations, inner ones and polls too, and the outermost of them. Intervals without an activation
    /// count as both, and have no own time.
    activations: f64,
    outermost: f64,
    has_own: bool,
    /// Own time of the calls that sampled callees have left untimed.
    of_untimed: f64,
    /// Standard errors: of all floors together, and of what the probes of callees, and those at any depth
    /// inside, have taken, by kind of probe. All readings of a lane share them, so they add up.
    floors_error: f64,
    callees_error: Inside,
    inside_error: Inside,
    readings: Distribution,
}

/// The figures of every site that was called or is open, by site number, in the order of numbers.
pub(crate) fn figures(facts: &Facts, costs: &[LaneCosts]) -> Vec<(u64, SiteStats)> {
    let sites: HashMap<u64, &SiteData> =
        facts.recording.sites.iter().map(|site| (site.id, site)).collect();
    let is_future = |id: u64| sites.get(&id).is_some_and(|site| site.probe() == POLL);
    let is_hop = |id: u64| sites.get(&id).is_some_and(|site| kind_of(site.kind) == Kind::Hop);
    let sums: Vec<Vec<[SumsData; 2]>> =
        facts.recording.lanes.iter().map(correct::sums_by_slot).collect();
    let spent = spent_in_futures(facts, &sums);
    let left_out = left_out(facts, &sums);
    let traits = |id: u64| Traits {
        probe: sites.get(&id).map_or(FULL, |site| site.probe()),
        left_out: left_out.get(&id).copied().unwrap_or(0.0),
    };
    let mut all: HashMap<u64, Totals> = HashMap::new();
    for ((lane, costs), sums) in facts.recording.lanes.iter().zip(costs).zip(&sums) {
        for time in open_times(&lane.open, facts.now, costs) {
            let open = &mut all.entry(time.site).or_default().in_flight;
            open.2 += time.own;
            // A poll is not a call; a future's call is among those under way from its second on.
            if time.first || !is_future(time.site) {
                open.0 += 1;
                open.1 += if time.inner { 0.0 } else { time.total };
            }
        }
        let inside = inside::by_slot(lane, traits);
        for ((slot, [outermost, sums]), inside) in lane.slots.iter().zip(sums).zip(inside) {
            let floor = costs.floor(sites.get(&slot.site).is_some_and(|site| site.relaxed));
            let totals = all.entry(slot.site).or_default();
            if let Some(wall) = &slot.wall {
                let floor = if is_hop(slot.site) { costs.hop_floor } else { floor };
                let spent = spent.get(&slot.site).copied().unwrap_or(0.0);
                totals.add_wall(slot, wall, floor + costs.moved(spent));
                if traits(slot.site).probe != POLL {
                    // A hop, or a block that awaits: it has no activation that would say so.
                    totals.add_intervals(readings(slot), costs);
                }
                continue;
            }
            let untimed = inside.all.untimed * costs.untimed();
            let shift = correct::shift(sums, floor, costs) + untimed / sums.calls.max(1) as f64;
            totals.left_out += slot.left_out;
            totals.add_migrated(slot, shift);
            totals.add_errors(&inside, sums.calls, outermost, costs, traits(slot.site).probe);
            totals.own +=
                correct::own(sums, floor, costs) - inside.callees.untimed * costs.untimed();
            let inclusive = correct::inclusive(outermost, floor, costs) - untimed;
            if is_future(slot.site) {
                totals.polls += sums.calls;
                totals.busy += inclusive;
                let longest = slot.range.map_or(0.0, |(_, high)| high as f64 - shift);
                totals.longest = totals.longest.max(longest);
            } else {
                totals.timed += sums.calls + slot.negative;
                totals.negative += slot.negative;
                totals.total += inclusive;
                totals.readings.add(slot, shift);
            }
        }
    }
    for (id, totals) in &mut all {
        totals.add_live(facts.now);
        let untimed = sites.get(id).map_or(0, |site| site.untimed);
        // In a lane at work, the sums were read a little before the distribution.
        let timed = totals.timed.max(totals.readings.count + totals.negative);
        totals.calls = timed + totals.cancelled + totals.left_out + untimed;
    }
    spread_untimed(facts, &mut all);
    let mut figures: Vec<(u64, SiteStats)> = all
        .into_iter()
        .filter(|(_, totals)| totals.calls > 0 || totals.in_flight.0 > 0)
        .filter_map(|(id, totals)| Some((id, stats(facts, sites.get(&id)?, &totals))))
        .collect();
    figures.sort_by_key(|(id, _)| *id);
    share_out(&mut figures);
    figures
}

/// What the probes have taken, in ticks.
pub(crate) fn probe_ticks(facts: &Facts, costs: &[LaneCosts]) -> f64 {
    let probes: HashMap<u64, usize> =
        facts.recording.sites.iter().map(|site| (site.id, site.probe())).collect();
    let of_node = |lane: &LaneData, costs: &LaneCosts, node: &NodeData| {
        let site = node.slot.map(|slot| lane.slots[slot].site);
        let probe = site.and_then(|site| probes.get(&site)).copied().unwrap_or(FULL);
        let calls: u64 = node.sums.iter().map(|sums| sums.calls).sum();
        calls as f64 * costs.wholes[probe]
    };
    let hops: HashSet<u64> = facts
        .recording
        .sites
        .iter()
        .filter(|site| kind_of(site.kind) == Kind::Hop)
        .map(|site| site.id)
        .collect();
    let lanes = facts.recording.lanes.iter().zip(costs);
    lanes
        .map(|(lane, costs)| {
            let timed: f64 = lane.nodes.iter().map(|node| of_node(lane, costs, node)).sum();
            let untimed: u64 = lane.slots.iter().map(|slot| slot.left_out).sum();
            let hops = hop_halves(&hops, lane).into_iter().zip(costs.hop_halves);
            let hops: f64 = hops.map(|(count, cost)| count * cost).sum();
            timed + untimed as f64 * costs.untimed() + hops
        })
        .sum()
}

/// For each activation of a sampled site, by number, the calls that sampling has left out.
fn left_out(facts: &Facts, sums: &[Vec<[SumsData; 2]>]) -> HashMap<u64, f64> {
    let mut all: HashMap<u64, (u64, u64)> = HashMap::new();
    for (lane, sums) in facts.recording.lanes.iter().zip(sums) {
        for (slot, [_, sums]) in lane.slots.iter().zip(sums) {
            let (left_out, activations) = all.entry(slot.site).or_default();
            *left_out += slot.left_out;
            *activations += sums.calls;
        }
    }
    all.retain(|_, (left_out, _)| *left_out > 0);
    all.into_iter()
        .map(|(id, (left_out, activations))| (id, left_out as f64 / activations.max(1) as f64))
        .collect()
}

/// A call that sampling leaves out is, for the recorder, its caller's own time. Takes it off the
/// callers of sampled sites, each by its part of the timed calls, at the site's mean.
fn spread_untimed(facts: &Facts, all: &mut HashMap<u64, Totals>) {
    let mut taken: HashMap<u64, f64> = HashMap::new();
    for lane in &facts.recording.lanes {
        for node in &lane.nodes {
            let Some(site) = node.slot.map(|slot| lane.slots[slot].site) else { continue };
            let caller = node
                .parent
                .and_then(|parent| lane.nodes[parent].slot)
                .map(|slot| lane.slots[slot].site);
            let (Some(totals), Some(caller)) = (all.get(&site), caller) else { continue };
            if totals.left_out == 0 || totals.timed == 0 {
                continue;
            }
            let timed: u64 = node.sums.iter().map(|sums| sums.calls).sum();
            let activations = totals.timed.max(totals.polls) as f64;
            let left_out = totals.left_out as f64 * timed as f64 / activations;
            let mean = totals.own / totals.timed as f64;
            *taken.entry(caller).or_default() += left_out * mean;
        }
    }
    for (site, ticks) in taken {
        if let Some(totals) = all.get_mut(&site) {
            totals.of_untimed += ticks;
        }
    }
}

fn stats(facts: &Facts, site: &SiteData, totals: &Totals) -> SiteStats {
    let ns = |ticks: f64| facts.ns(ticks);
    let shift = totals.readings.shift();
    let (typical, statistical) = totals.readings.typical(facts.step).unwrap_or_default();
    let is_future = kind_of(site.kind) == Kind::Async;
    let timed = totals.timed.max(1) as f64;
    // A call of a future has the error of one floor, and of its own polls' probes beside those inside.
    let activations = if is_future { timed } else { totals.activations.max(1.0) };
    let floor_error = totals.floors_error / totals.activations.max(1.0);
    // Two standard errors of what differs from call to call, and of what all calls share.
    let uncertainty =
        2.0 * statistical.hypot(floor_error).hypot(totals.inside_error.together() / activations);
    let taken = totals.timed + totals.cancelled;
    let scale = if totals.left_out > 0 && taken > 0 {
        (taken + totals.left_out) as f64 / taken as f64
    } else {
        1.0
    };
    // A sum of readings is what it is, however they are spread: but each has been cut to steps of the
    // clock, and where they are a sample, others might have come out otherwise.
    let cut = |readings: f64| facts.step * (readings / 6.0).sqrt();
    let sampling = if scale > 1.0 { statistical * timed } else { 0.0 };
    let own_uncertainty = f64::from(u8::from(totals.has_own))
        * 2.0
        * cut(totals.activations)
            .hypot(totals.floors_error)
            .hypot(totals.callees_error.together())
            .hypot(sampling);
    let total_uncertainty = 2.0
        * cut(totals.outermost)
            .hypot(floor_error * totals.outermost)
            .hypot(totals.inside_error.together())
            .hypot(sampling);
    let own = totals.own * scale - totals.of_untimed;
    let total = totals.total * scale;
    let has_readings = totals.readings.count > 0;
    let verdict = if site.relaxed || site.sample > 1 {
        Verdict::Estimated
    } else if has_readings && typical <= uncertainty {
        Verdict::BelowResolution
    } else {
        Verdict::Ok
    };
    SiteStats {
        name: site.name.clone(),
        module: site.module.clone(),
        file: site.file.clone(),
        line: site.line,
        kind: kind_of(site.kind),
        calls: totals.calls,
        timed: totals.readings.count + totals.negative,
        in_flight: totals.in_flight.0,
        in_flight_ns: ns(totals.in_flight.1),
        in_flight_self_ns: ns(totals.in_flight.2),
        migrated: totals.migrated.0,
        migrated_ns: ns(totals.migrated.1),
        migrated_max_ns: ns(totals.migrated.2),
        negative: totals.negative,
        cancelled: totals.cancelled,
        total_ns: ns(total),
        self_ns: ns(own),
        self_percent: 0.0,
        mean_ns: if totals.calls > 0 { ns(total) / totals.calls as f64 } else { 0.0 },
        typical_ns: ns(typical),
        min_ns: if has_readings { ns(totals.readings.low) } else { 0.0 },
        max_ns: if has_readings { ns(totals.readings.high) } else { 0.0 },
        uncertainty_ns: ns(uncertainty),
        self_uncertainty_ns: ns(own_uncertainty * scale),
        total_uncertainty_ns: ns(total_uncertainty * scale),
        verdict,
        buckets: totals
            .readings
            .buckets()
            .map(|(low, width, count)| Bucket {
                low_ns: ns(low as f64 - shift),
                high_ns: ns((low + width) as f64 - shift),
                count,
                low_ticks: low,
            })
            .collect(),
        futures: is_future.then(|| futures(facts, totals, scale)),
    }
}

/// What is known of futures beside their wall times.
fn futures(facts: &Facts, totals: &Totals, scale: f64) -> Futures {
    let wall = totals.total + totals.cancelled_sum + totals.in_flight.1;
    Futures {
        polls: (totals.polls as f64 * scale).round() as u64,
        busy_ns: facts.ns(totals.busy) * scale,
        idle_ns: facts.ns((wall - totals.busy).max(0.0)) * scale,
        longest_poll_ns: facts.ns(totals.longest),
    }
}

/// What was taken off a call's wall time for probes, by site, on the average, in ticks: those inside
/// its polls, and the polls' own but the last one's floor.
fn spent_in_futures(facts: &Facts, sums: &[Vec<[SumsData; 2]>]) -> HashMap<u64, f64> {
    let mut all: HashMap<u64, (f64, u64)> = HashMap::new();
    let whole = facts.first.poll.whole();
    for (lane, sums) in facts.recording.lanes.iter().zip(sums) {
        for (slot, [_, sums]) in lane.slots.iter().zip(sums) {
            let (spent, calls) = all.entry(slot.site).or_default();
            if slot.wall.is_some() {
                *calls += readings(slot);
            } else {
                *spent += correct::charges(sums.charge) + sums.calls as f64 * whole;
            }
        }
    }
    all.into_iter().map(|(id, (spent, calls))| (id, spent / calls.max(1) as f64)).collect()
}

/// Stamps that a lane has taken, and hops that it has ended; `hops` are the sites of those.
fn hop_halves(hops: &HashSet<u64>, lane: &LaneData) -> [f64; 2] {
    let slots = lane.slots.iter().filter(|slot| hops.contains(&slot.site));
    let ended: u64 = slots.map(|slot| readings(slot) + slot.negative).sum();
    [lane.halves.saturating_sub(ended) as f64, ended as f64]
}

/// How many readings a slot has counted.
fn readings(slot: &SlotData) -> u64 {
    slot.octaves.iter().flat_map(|octave| &octave.counts).map(|(_, count)| count).sum()
}

impl Totals {
    /// Adds what one lane's activations may be wrong by.
    fn add_errors(
        &mut self,
        inside: &OfSlot,
        activations: u64,
        outermost: &SumsData,
        costs: &LaneCosts,
        probe: usize,
    ) {
        self.has_own |= activations > 0;
        self.activations += activations as f64;
        self.outermost += outermost.calls as f64;
        self.floors_error += activations as f64 * costs.floor_error(probe == RELAXED);
        let [callees, all] = costs.errors(inside, outermost.charge);
        self.callees_error += &callees;
        self.inside_error += &all;
        if probe == POLL {
            self.inside_error.probes[POLL] += activations as f64 * costs.whole_errors[POLL];
        }
    }

    /// Adds one lane's calls that are not one activation, each of which is `shift` ticks too long.
    fn add_wall(&mut self, slot: &SlotData, wall: &WallData, shift: f64) {
        let count = readings(slot);
        let sum: i64 = slot.octaves.iter().map(|octave| octave.sum).fold(0, i64::wrapping_add);
        let outermost = sum.wrapping_sub(wall.inner_sum as i64) as f64;
        self.total += outermost - shift * count.saturating_sub(wall.inner) as f64;
        self.timed += count + slot.negative;
        self.negative += slot.negative;
        self.cancelled += wall.cancelled;
        self.cancelled_sum += wall.cancelled_sum as i64 as f64;
        self.live = self.live.wrapping_add(wall.live);
        self.bases = self.bases.wrapping_add(wall.bases);
        self.add_migrated(slot, shift);
        self.readings.add(slot, shift);
    }

    /// Adds what so many intervals without an activation may be wrong by.
    fn add_intervals(&mut self, intervals: u64, costs: &LaneCosts) {
        self.activations += intervals as f64;
        self.outermost += intervals as f64;
        self.floors_error += intervals as f64 * costs.floor_error(false);
    }

    fn add_migrated(&mut self, slot: &SlotData, shift: f64) {
        self.migrated.0 += slot.migrated;
        self.migrated.1 += slot.migrated_sum as i64 as f64 - shift * slot.migrated as f64;
        self.migrated.2 = self.migrated.2.max(slot.migrated_max as i64 as f64 - shift);
    }

    /// Adds the calls under way, over all lanes, to those that are in flight.
    fn add_live(&mut self, now: u64) {
        let live = self.live as i64;
        if live > 0 {
            let elapsed = (now << BASE_SHIFT).wrapping_mul(self.live).wrapping_sub(self.bases);
            self.in_flight.0 += self.live;
            self.in_flight.1 += (elapsed as i64 as f64 / f64::from(1 << BASE_SHIFT)).max(0.0);
        }
    }
}

/// Shares of the sum of all own times, finished and open, each at least zero: they add up to 100.
fn share_out(figures: &mut [(u64, SiteStats)]) {
    let own = |site: &SiteStats| site.self_ns.max(0.0) + site.in_flight_self_ns.max(0.0);
    let all: f64 = figures.iter().map(|(_, site)| own(site)).sum();
    if all > 0.0 {
        for (_, site) in figures {
            site.self_percent = own(site) / all * 100.0;
        }
    }
}
