//! The counter's frequency, from the anchors of a whole run, and what came in between.
//!
//! Two anchors make a segment, and a segment a frequency with the bound of its error. Segments that
//! agree are a party; the frequency is that of the party with the best witnesses. What the others
//! hold is no rate but an event: a suspend, a pause, a counter that was set. A slow drift is neither,
//! and widens the error.

use super::Anchor;
use std::cmp::Ordering;

/// Segments of one clock differ by less than this beside their own errors: what quartz does with
/// temperature, several times over.
const DRIFTS: f64 = 500e-6;
/// So closely a claim agrees with what is measured, or it does not.
pub(crate) const CLAIM_PPM: f64 = 1000.0;
/// What CPUs' counters, that are taken for synchronised, may be apart: over a short segment it seems a
/// drift.
const SLACK_NS: f64 = 1_000.0;
/// Of segments known better than this the parties are made, if there are any: the others would
/// agree with everybody.
const PRECISE: f64 = 200e-6;
/// A suspend takes longer; anything below is the reads of two clocks.
const ASLEEP_NS: u64 = 5_000_000;

/// What differs by less than this, beside its error, is left out of the frequency, and no event.
const WORTH_A_WORD_NS: f64 = 10_000.0;

/// What the frequency is known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Basis {
    Measured,
    /// Nothing could be measured: somebody's claim.
    Claimed(&'static str),
    /// Nor did anybody claim anything: a tick is taken for a nanosecond.
    Nothing,
}

/// See the module's text. `hz` is a positive number, whatever the anchors are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Estimate {
    pub(crate) hz: f64,
    /// With what the segments differ by.
    pub(crate) error_ppm: f64,
    /// That alone.
    pub(crate) drift_ppm: f64,
    pub(crate) basis: Basis,
    /// Two parties have as many segments, and no claim decides between them.
    pub(crate) contested: bool,
    /// In their order.
    pub(crate) events: Vec<Event>,
}

/// What came in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// The machine was suspended.
    Suspended,
    /// The counter advanced more than the system's clock, or less.
    Apart,
    /// The counter showed the same at both ends.
    StoodStill,
    /// The counter showed less at the end.
    RanBack,
    /// The system's clock did not advance.
    SystemStood,
}

/// One of them, or several in a row of the same kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Event {
    pub(crate) what: What,
    /// Between which anchors, in nanoseconds since the first one.
    pub(crate) from_ns: u64,
    pub(crate) to_ns: u64,
    /// What the system says that the machine slept.
    pub(crate) asleep_ns: u64,
    /// What the counter advanced more than the system's clock, if below zero: less.
    pub(crate) excess_ns: f64,
    /// The CPUs that the anchors were taken on, where the counter tells.
    pub(crate) cpus: [u64; 2],
}

/// From one anchor to the next.
#[derive(Debug, Clone, Copy)]
struct Segment {
    ticks: i64,
    ns: i64,
    asleep_ns: u64,
    /// Half of the anchors' brackets, and the counter's step: either reading is too low by at most
    /// that.
    half_brackets: [f64; 2],
    step: f64,
    cpus: [u64; 2],
}

impl Segment {
    fn new(from: &Anchor, to: &Anchor, step: f64) -> Self {
        Self {
            ticks: to.ticks.wrapping_sub(from.ticks) as i64,
            ns: to.ns.wrapping_sub(from.ns) as i64,
            asleep_ns: to.asleep_ns.saturating_sub(from.asleep_ns),
            half_brackets: [from, to].map(|anchor| anchor.bracket_ticks as f64 / 2.0),
            step,
            cpus: [from.cpu, to.cpu],
        }
    }

    fn hz(&self) -> f64 {
        self.ticks as f64 / self.ns as f64 * 1e9
    }

    /// Bound of the advance's error.
    fn error_ticks(&self) -> f64 {
        let [from, to] = self.half_brackets;
        from + to + self.step
    }

    /// Bound of the frequency's error, as a part of it.
    fn error(&self) -> f64 {
        self.error_ticks() / self.ticks as f64 + 1.0 / self.ns as f64
    }

    fn agrees(&self, other: &Self) -> bool {
        let (own, others) = (self.hz(), other.hz());
        (own - others).abs() <= others * (DRIFTS + self.error() + other.error())
    }

    /// What it is if it is no part of the frequency; none if it might be.
    fn odd(&self) -> Option<What> {
        if self.asleep_ns > ASLEEP_NS {
            Some(What::Suspended)
        } else if self.ns <= 0 {
            Some(What::SystemStood)
        } else if self.ticks == 0 {
            Some(What::StoodStill)
        } else if self.ticks < 0 {
            Some(What::RanBack)
        } else {
            None
        }
    }
}

/// The frequency from anchors in their order, on a counter of this step, with what others claim
/// that it is.
pub(crate) fn estimate(anchors: &[Anchor], step: f64, claims: &[(&'static str, f64)]) -> Estimate {
    let segments: Vec<Segment> =
        anchors.windows(2).map(|pair| Segment::new(&pair[0], &pair[1], step)).collect();
    let parties = parties(&segments, claims);
    let best = parties.iter().min_by(|a, b| a.rank(b));
    let mut estimate = best.map_or_else(|| claimed(claims), |best| measured(&segments, best));
    // Others of as much weight that share nothing with it.
    for other in &parties {
        if best.is_some_and(|best| best.is_rival(other)) {
            let apart = (other.hz / estimate.hz - 1.0).abs() * 1e6;
            estimate.error_ppm = estimate.error_ppm.max(apart);
            estimate.contested = true;
        }
    }
    let kept = best.map_or(&[][..], |party| &party.members);
    estimate.events = events(&segments, kept, anchors, estimate.hz);
    estimate
}

/// Segments that agree with one of them.
struct Party {
    /// Claims that agree with it.
    witnesses: usize,
    votes: usize,
    ns: f64,
    /// Of the one.
    hz: f64,
    error: f64,
    members: Vec<usize>,
}

impl Party {
    /// The better one first. What goes wrong at a moment is likelier to have done so in the longer one
    /// of two segments.
    fn rank(&self, other: &Self) -> Ordering {
        let votes = other.weight().cmp(&self.weight());
        votes.then(self.ns.total_cmp(&other.ns)).then(self.error.total_cmp(&other.error))
    }

    fn weight(&self) -> (usize, usize) {
        (self.witnesses, self.votes)
    }

    fn is_rival(&self, other: &Self) -> bool {
        self.weight() == other.weight() && !self.members.iter().any(|at| other.members.contains(at))
    }
}

fn parties(segments: &[Segment], claims: &[(&'static str, f64)]) -> Vec<Party> {
    let usable: Vec<usize> =
        (0..segments.len()).filter(|at| segments[*at].odd().is_none()).collect();
    let precise: Vec<usize> =
        usable.iter().copied().filter(|at| segments[*at].error() < PRECISE).collect();
    let heads = if precise.is_empty() { &usable } else { &precise };
    let agreeing = |head: &Segment, among: &[usize]| -> Vec<usize> {
        among.iter().copied().filter(|at| segments[*at].agrees(head)).collect()
    };
    heads
        .iter()
        .map(|head| {
            let head = &segments[*head];
            let members = agreeing(head, &usable);
            let tolerance = CLAIM_PPM / 1e6 + head.error();
            let agrees = |claim: &&(&str, f64)| (claim.1 / head.hz() - 1.0).abs() <= tolerance;
            Party {
                witnesses: claims.iter().filter(agrees).count(),
                votes: agreeing(head, heads).len(),
                ns: members.iter().map(|at| segments[*at].ns as f64).sum(),
                hz: head.hz(),
                error: head.error(),
                members,
            }
        })
        .collect()
}

/// A party's frequency.
fn measured(segments: &[Segment], party: &Party) -> Estimate {
    let members = || party.members.iter().map(|at| &segments[*at]);
    let ticks: f64 = members().map(|segment| segment.ticks as f64).sum();
    let ns: f64 = members().map(|segment| segment.ns as f64).sum();
    let hz = ticks / ns * 1e9;
    // Where one member follows another, the anchor between them takes no part.
    let (mut error_ticks, mut error_ns) = (0.0, 0.0);
    for row in party.members.chunk_by(|a, b| a + 1 == *b) {
        let (first, last) = (&segments[row[0]], &segments[row[row.len() - 1]]);
        error_ticks += first.half_brackets[0] + last.half_brackets[1] + first.step;
        error_ns += 1.0;
    }
    // What a segment's own error does not explain.
    let drift = members()
        .map(|segment| (segment, segment.error() + SLACK_NS / segment.ns as f64))
        .map(|(segment, error)| ((segment.hz() / hz - 1.0).abs(), error))
        .filter(|(apart, error)| apart > error)
        .fold(0.0, |most, (apart, _)| f64::max(most, apart));
    Estimate {
        hz,
        error_ppm: (error_ticks / ticks + error_ns / ns + drift) * 1e6,
        drift_ppm: drift * 1e6,
        basis: Basis::Measured,
        contested: false,
        events: Vec::new(),
    }
}

/// The frequency where nothing could be measured, which may be wholly wrong.
fn claimed(claims: &[(&'static str, f64)]) -> Estimate {
    // The last is the kernel's, which has measured it.
    let sane = claims.iter().rev().find(|(_, hz)| hz.is_finite() && *hz >= 1.0);
    let (hz, basis) = sane.map_or((1e9, Basis::Nothing), |(name, hz)| (*hz, Basis::Claimed(name)));
    let events = Vec::new();
    Estimate { hz, error_ppm: 1e6, drift_ppm: 0.0, basis, contested: false, events }
}

/// What the segments hold that are not `kept`, which are in their order.
fn events(segments: &[Segment], kept: &[usize], anchors: &[Anchor], hz: f64) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    let since = |anchor: &Anchor| anchor.ns.saturating_sub(anchors[0].ns);
    for (at, segment) in segments.iter().enumerate() {
        if kept.binary_search(&at).is_ok() {
            continue;
        }
        let event = Event {
            what: segment.odd().unwrap_or(What::Apart),
            from_ns: since(&anchors[at]),
            to_ns: since(&anchors[at + 1]),
            asleep_ns: segment.asleep_ns,
            excess_ns: segment.ticks as f64 / hz * 1e9 - segment.ns as f64,
            cpus: segment.cpus,
        };
        let unknown_ns = segment.error_ticks() / hz * 1e9 + WORTH_A_WORD_NS;
        if event.what != What::Suspended && event.excess_ns.abs() < unknown_ns {
            continue;
        }
        match events.last_mut().filter(|last| last.goes_on_in(&event)) {
            Some(last) => {
                last.to_ns = event.to_ns;
                last.asleep_ns = last.asleep_ns.saturating_add(event.asleep_ns);
                last.excess_ns += event.excess_ns;
            }
            None => events.push(event),
        }
    }
    events
}

impl Event {
    /// Whether the anchors were taken on different CPUs.
    pub(crate) fn moved(&self) -> bool {
        self.cpus[0] != self.cpus[1]
    }

    /// Whether the one that follows is more of the same.
    fn goes_on_in(&self, next: &Self) -> bool {
        self.what == next.what
            && !(self.moved() || next.moved())
            && self.to_ns == next.from_ns
            && (self.excess_ns < 0.0) == (next.excess_ns < 0.0)
    }
}

#[cfg(test)]
mod tests;
