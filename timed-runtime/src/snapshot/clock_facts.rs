//! The clock behind a snapshot: its frequency from all anchors, its facts, and what there is to say of
//! them, a sentence each: what was odd, how much, and what it means for the figures.

use super::Facts;
use super::model::{Check, Clock, ClockSource, Drift, Snapshot};
use crate::clock::{
    self, Anchor, Basis, CLAIM_PPM, Choice, Estimate, Event, Unavailable, What, arch,
    follows_counter,
};
use crate::cost::{Costs, Refused};
use crate::recorder::process::Process;
use std::collections::HashMap;

/// From here on a drift is worth a word. Quartz at one temperature stays below.
const DRIFT_PPM: f64 = 25.0;
/// More events than that are told by their number.
const MOST_EVENTS: usize = 4;

/// What is known of the clock at a snapshot.
pub(super) struct Timing {
    pub(super) now: Anchor,
    pub(super) estimate: Estimate,
    claims: Vec<(&'static str, f64)>,
    clocksource: Option<String>,
    /// Whether the counter still counts.
    goes_on: Result<(), Unavailable>,
}

impl Timing {
    pub(super) fn take(process: &Process) -> Self {
        // First those that others may still be adding to, so that they are in their order.
        let mut anchors = process.history.anchors();
        if anchors.is_empty() {
            anchors.push(process.began);
        }
        let now = Anchor::take(&process.clock);
        anchors.push(now);
        let (claims, step) = if process.clock.counter {
            (clock::claims(), process.resolution as f64)
        } else {
            (Vec::new(), 0.0)
        };
        let estimate = clock::estimate(&anchors, step, &claims);
        Self {
            now,
            estimate,
            claims,
            clocksource: clock::kernel_clocksource(),
            goes_on: process.clock.goes_on(),
        }
    }
}

/// The costs at the snapshot: measured again, if that makes costs that a probe can have, and else those
/// of first use.
///
/// Where the two differ, one of them was disturbed, by another guest of the machine or by the core
/// itself. A third says which: where it is the first, that is noted in the costs.
pub(super) fn last_costs(process: &Process) -> (Costs, Option<Refused>) {
    let first = process.costs;
    if process.refused.is_some() {
        return (first, None);
    }
    let last = match measured(process) {
        Ok(Some(last)) => last,
        Ok(None) => return (first, None),
        Err(refused) => return (first, Some(refused)),
    };
    if first.agrees(&last.full, last.pair) {
        return (last, None);
    }
    match measured(process) {
        Ok(Some(third)) if first.agrees(&third.full, third.pair) => (third, None),
        Ok(Some(third)) if last.agrees(&third.full, third.pair) => {
            (Costs { others_are_odd: true, ..third }, None)
        }
        _ => (last, None),
    }
}

/// The costs now, none while another thread measures them.
fn measured(process: &Process) -> Result<Option<Costs>, Refused> {
    let Some(measured) = process.bench.measure(process.clock.counter) else { return Ok(None) };
    let now = measured.checked(&process.limits())?;
    if process.clock.counter && !process.costs.fits(now.pair) {
        return Err(Refused { what: "a bare pair", ticks: now.pair });
    }
    Ok(Some(now))
}

/// The clock's facts.
pub(super) fn facts(choice: &Choice, facts: &Facts, timing: &Timing) -> Clock {
    let ns = |ticks: f64| facts.ns(ticks);
    let drift = |pick: fn(&Costs) -> f64, spread: fn(&Costs) -> f64| {
        let (start, end) = (pick(&facts.first), pick(&facts.last));
        let spread = (start - end).abs().max(spread(&facts.first)).max(spread(&facts.last));
        Drift { start: ns(start), end: ns(end), spread: ns(spread) }
    };
    let source = match (choice.counter, cfg!(target_arch = "x86_64")) {
        (false, _) => ClockSource::Monotonic,
        (true, true) => ClockSource::Tsc,
        (true, false) => ClockSource::Cntvct,
    };
    let check = |&(name, hz): &(&str, f64)| {
        let ppm = (hz / facts.hz - 1.0) * 1e6;
        Check { name: name.to_owned(), hz, ppm }
    };
    Clock {
        source,
        reason: choice.reason.clone(),
        hz: facts.hz,
        hz_error_ppm: timing.estimate.error_ppm,
        checks: timing.claims.iter().map(check).collect(),
        resolution_ns: ns(facts.step),
        floor_ns: drift(|costs| costs.full.floor, |costs| costs.full.floor_spread),
        outside_ns: drift(|costs| costs.full.outside, |costs| costs.full.outside_spread),
    }
}

/// Says what is odd about the clock.
pub(super) fn note(
    snapshot: &mut Snapshot,
    choice: &Choice,
    timing: &Timing,
    refused: [Option<Refused>; 2],
) {
    let mut notes = of_frequency(&timing.estimate);
    if let Err(why) = &timing.goes_on {
        let missing = if timing.now.ticks == 0 {
            ", and as it reads 0, calls that have ended since are missing from the counts"
        } else {
            ""
        };
        notes.push(format!("{why} by now: no duration since then can be trusted{missing}"));
    }
    notes.extend(of_events(&timing.estimate.events, choice.counter));
    notes.extend(of_claims(&snapshot.clock, arch::is_guest()));
    notes.extend(of_source(choice, timing.clocksource.as_deref()));
    let [first, last] = refused.map(|refused| Some(of_cost(&refused?, timing.estimate.hz)));
    notes.extend(first.map(|what| {
        format!("the probe's cost could not be measured at first use ({what}): none is taken off")
    }));
    notes.extend(last.map(|what| {
        format!(
            "the probe's cost could not be measured again ({what}): that of first use is taken off"
        )
    }));
    let negative: u64 = snapshot.sites.iter().map(|site| site.negative).sum();
    if negative > 0 {
        notes.push(format!(
            "readings that ended before they began: {negative} (the clock ran back, or is behind on \
             another CPU); they are counted, and in no duration"
        ));
    }
    snapshot.notes.append(&mut notes);
}

fn of_frequency(estimate: &Estimate) -> Vec<String> {
    let mut notes = Vec::new();
    match estimate.basis {
        Basis::Measured => {}
        Basis::Claimed(name) => notes.push(format!(
            "the clock's frequency could not be measured: that of the check `{name}` was used, and no \
             duration can be trusted"
        )),
        Basis::Nothing => notes.push(String::from(
            "the clock stood still, or ran backwards, over the whole run: no duration can be trusted",
        )),
    }
    if estimate.contested {
        let part = estimate.error_ppm / 1e6;
        let wrong = if part < 1.0 {
            format!("{:.1} %", part * 100.0)
        } else {
            format!("a factor of {:.0}", 1.0 + part)
        };
        notes.push(format!(
            "the clock's frequency was one in a part of the run and another in the rest, and nothing says \
             which is right: durations may be wrong by {wrong}"
        ));
    }
    if estimate.drift_ppm >= DRIFT_PPM {
        notes.push(format!(
            "the clock's frequency changed within the run: parts of it differ from the whole by up to \
             {:.0} ppm, and so may durations",
            estimate.drift_ppm
        ));
    }
    notes
}

fn of_events(events: &[Event], counter: bool) -> Vec<String> {
    // How far CPUs' counters are apart shows at each move, and is told once.
    let apart = cpus_apart(events);
    let of_cpus = |event: &&Event| is_move(event) && apart.contains_key(&oriented(event).0);
    let (_, events): (Vec<&Event>, Vec<&Event>) = events.iter().partition(of_cpus);
    let mut notes: Vec<String> =
        events.iter().take(MOST_EVENTS).map(|event| of_event(event, counter)).collect();
    if events.len() > MOST_EVENTS {
        let more = events.len() - MOST_EVENTS;
        notes.push(format!("the clock was odd {more} more times in the run"));
    }
    let farthest_ns = apart.into_values().fold(0.0, f64::max);
    if farthest_ns > 0.0 {
        notes.push(format!(
            "the counter is not the same on all CPUs, but up to {} apart: a call that changed the CPU may \
             be as much too long or too short, or read below zero",
            span(farthest_ns)
        ));
    }
    notes
}

/// Whether it may be another CPU's counter, and nothing else.
fn is_move(event: &Event) -> bool {
    event.moved() && matches!(event.what, What::Apart | What::RanBack)
}

/// The CPUs of an event in the order of their numbers, and its excess in that direction.
fn oriented(event: &Event) -> ([u64; 2], f64) {
    let [from, to] = event.cpus;
    if from < to { ([from, to], event.excess_ns) } else { ([to, from], -event.excess_ns) }
}

/// By how much the counters of two CPUs are apart: where it is as much each time, there and back.
/// Anything else that came when the CPU changed may as well have come by itself.
fn cpus_apart(events: &[Event]) -> HashMap<[u64; 2], f64> {
    let mut moves: HashMap<[u64; 2], Vec<&Event>> = HashMap::new();
    for event in events.iter().filter(|event| is_move(event)) {
        moves.entry(oriented(event).0).or_default().push(event);
    }
    let apart = |(cpus, moves): ([u64; 2], Vec<&Event>)| {
        let there = moves.iter().any(|event| event.cpus == cpus);
        let back = moves.iter().any(|event| event.cpus != cpus);
        let excesses = || moves.iter().map(|event| oriented(event).1);
        let (least, most) =
            (excesses().fold(f64::INFINITY, f64::min), excesses().fold(-f64::INFINITY, f64::max));
        let farthest = least.abs().max(most.abs());
        (there && back && most - least < farthest / 10.0).then_some((cpus, farthest))
    };
    moves.into_iter().filter_map(apart).collect()
}

/// What it says is left out of the frequency.
fn of_event(event: &Event, counter: bool) -> String {
    let (excess_ns, asleep_ns) = (event.excess_ns, event.asleep_ns as f64);
    let elapsed_ns = event.to_ns as f64 - event.from_ns as f64;
    let (from, to) = (span(event.from_ns as f64), span(event.to_ns as f64));
    let when = format!("between {from} and {to} of the run");
    let excess = span(excess_ns.abs());
    match event.what {
        What::Suspended => {
            let asleep = span(asleep_ns);
            let meaning = if !counter {
                String::from("no duration holds that")
            } else if (excess_ns - asleep_ns).abs() < asleep_ns / 10.0 {
                String::from("the counter ran on, and calls under way then hold that")
            } else if excess_ns.abs() < asleep_ns / 10.0 {
                String::from("the counter stood still, and no duration holds that")
            } else if elapsed_ns + excess_ns < 0.0 {
                String::from("the counter began anew, and calls under way then read below zero")
            } else {
                let more = if excess_ns > 0.0 { "more" } else { "less" };
                format!("the counter advanced {excess} {more} than the time awake")
            };
            format!("the machine was suspended for {asleep}, {when}: {meaning}")
        }
        What::Apart => {
            let (more, pause, long) = if excess_ns > 0.0 {
                ("more", "a pause", "long")
            } else {
                ("less", "a pause, a standstill", "short")
            };
            let other = if event.moved() { ", or was another CPU's" } else { "" };
            format!(
                "the counter advanced {excess} {more} than the system's clock, {when} ({pause}, or one of \
                 them was set{other}): calls under way then are as much too {long}"
            )
        }
        What::StoodStill => {
            format!(
                "the counter stood still {when}: calls that began and ended then read as nothing"
            )
        }
        What::RanBack => {
            format!(
                "the counter fell behind the system's clock by {excess}, {when}: calls under way \
                 then are as much too short, or read below zero"
            )
        }
        What::SystemStood => format!(
            "the system's clock stood still at {from} of the run, while the counter advanced {}",
            span(elapsed_ns + excess_ns)
        ),
    }
}

fn of_claims(clock: &Clock, is_guest: bool) -> Vec<String> {
    let own = clock.hz / 1e6;
    let odd = clock.checks.iter().filter(|check| {
        // What is no number agrees with nothing.
        let agrees = check.ppm.abs() <= CLAIM_PPM.max(clock.hz_error_ppm);
        !agrees
    });
    odd.map(|check| {
        let (name, mhz) = (&check.name, check.hz / 1e6);
        let guest = if is_guest && name != "kernel" {
            " (a hypervisor's guest may be told another machine's)"
        } else {
            ""
        };
        format!(
            "{name} says that the clock runs at {mhz:.3} MHz{guest}; measured, and used, were {own:.3} MHz"
        )
    })
    .collect()
}

/// Where the kernel has abandoned the counter since it was chosen.
fn of_source(choice: &Choice, now: Option<&str>) -> Option<String> {
    let then = choice.clocksource.as_deref().filter(|then| follows_counter(then))?;
    let now = now.filter(|now| choice.counter && !follows_counter(now))?;
    Some(format!(
        "the kernel stopped trusting the counter: it kept time by {then} at the start, and by {now} at the \
         end; durations since then may be wrong"
    ))
}

fn of_cost(refused: &Refused, hz: f64) -> String {
    let ns = refused.ticks / hz * 1e9;
    let sign = if ns < 0.0 { "-" } else { "" };
    format!("{} of {sign}{}", refused.what, span(ns.abs()))
}

/// A time that has passed, to three digits.
fn span(ns: f64) -> String {
    let (scaled, unit) = match ns {
        ..1e3 => (ns, "ns"),
        ..1e6 => (ns / 1e3, "µs"),
        ..1e9 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    let decimals = match scaled {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{scaled:.decimals$} {unit}")
}

#[cfg(test)]
mod tests;
