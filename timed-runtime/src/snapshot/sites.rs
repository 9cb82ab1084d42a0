//! Each site's figures, over all lanes.

use super::correct::{self, Distribution, LaneCosts, open_times};
use super::data::SiteData;
use super::model::{Bucket, SiteStats, Verdict};
use super::{Facts, kind_of};
use std::collections::HashMap;

/// What one site adds up to over all lanes, in ticks.
#[derive(Default)]
struct Totals {
    calls: u64,
    timed: u64,
    left_out: u64,
    negative: u64,
    migrated: (u64, f64, f64),
    in_flight: (u64, f64, f64),
    total: f64,
    own: f64,
    /// Own time, and outside cost, of calls that a sampled callee has left untimed.
    of_untimed: f64,
    callees: f64,
    /// Variances shared by all readings, weighted by readings.
    floor_error: f64,
    outside_error: f64,
    readings: Distribution,
}

/// The share of a bare pair that a call takes which sampling leaves out (bench `probe`, row
/// `sample = 64`).
const UNTIMED_SHARE: f64 = 0.035;

/// The figures of every site that was called or is open, by site number, in the order of numbers.
pub(crate) fn figures(facts: &Facts, costs: &[LaneCosts]) -> Vec<(u64, SiteStats)> {
    let sites: HashMap<u64, &SiteData> =
        facts.recording.sites.iter().map(|site| (site.id, site)).collect();
    let mut all: HashMap<u64, Totals> = HashMap::new();
    for (lane, costs) in facts.recording.lanes.iter().zip(costs) {
        for time in open_times(&lane.open, facts.now, costs) {
            let open = &mut all.entry(time.site).or_default().in_flight;
            open.0 += 1;
            open.1 += if time.inner { 0.0 } else { time.total };
            open.2 += time.own;
        }
        for (slot, [outermost, sums]) in lane.slots.iter().zip(correct::sums_by_slot(lane)) {
            let floor = costs.floor(sites.get(&slot.site).is_some_and(|site| site.relaxed));
            let shift = correct::shift(&sums, floor, costs);
            let totals = all.entry(slot.site).or_default();
            totals.timed += sums.calls + slot.negative;
            totals.left_out += slot.left_out;
            totals.negative += slot.negative;
            totals.migrated.0 += slot.migrated;
            totals.migrated.1 += slot.migrated_sum as i64 as f64 - shift * slot.migrated as f64;
            totals.migrated.2 = totals.migrated.2.max(slot.migrated_max as i64 as f64 - shift);
            totals.callees += sums.callees as f64;
            totals.own += correct::own(&sums, floor, costs);
            totals.floor_error = totals.floor_error.max(costs.floor_error);
            totals.outside_error = totals.outside_error.max(costs.outside_error);
            totals.readings.add(slot, shift);
            totals.total += correct::inclusive(&outermost, floor, costs);
        }
    }
    for (id, totals) in &mut all {
        let untimed = sites.get(id).map_or(0, |site| site.untimed);
        // In a lane at work, the sums were read a little before the distribution.
        let timed = totals.timed.max(totals.readings.count + totals.negative);
        totals.calls = timed + totals.left_out + untimed;
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

/// A call that sampling leaves out is, for the recorder, its caller's own time. Takes it off the
/// callers of sampled sites, each by its part of the timed calls, at the site's mean.
fn spread_untimed(facts: &Facts, all: &mut HashMap<u64, Totals>) {
    let pair = f64::midpoint(facts.first.pair, facts.last.pair);
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
            let left_out = totals.left_out as f64 * timed as f64 / totals.timed as f64;
            let mean = totals.own / totals.timed as f64;
            *taken.entry(caller).or_default() += left_out * (mean + UNTIMED_SHARE * pair);
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
    let timed = totals.timed.max(1) as f64;
    let callees_a_call = totals.callees / timed;
    // Two standard errors of what differs from call to call, and of what all calls share.
    let uncertainty =
        2.0 * statistical.hypot(totals.floor_error).hypot(callees_a_call * totals.outside_error);
    let own_uncertainty = 2.0
        * (statistical * timed)
            .hypot(timed * totals.floor_error)
            .hypot(totals.callees * totals.outside_error);
    let scale = if totals.left_out > 0 && totals.timed > 0 {
        (totals.timed + totals.left_out) as f64 / totals.timed as f64
    } else {
        1.0
    };
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
        cancelled: 0,
        total_ns: ns(total),
        self_ns: ns(own),
        self_percent: 0.0,
        mean_ns: if totals.calls > 0 { ns(total) / totals.calls as f64 } else { 0.0 },
        typical_ns: ns(typical),
        min_ns: if has_readings { ns(totals.readings.low) } else { 0.0 },
        max_ns: if has_readings { ns(totals.readings.high) } else { 0.0 },
        uncertainty_ns: ns(uncertainty),
        self_uncertainty_ns: ns(own_uncertainty * scale),
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
        futures: None,
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
