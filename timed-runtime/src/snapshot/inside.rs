//! What runs inside a site's activations, by kind of probe: from the tree, for what the recorded sums do
//! not keep apart.

use super::data::{LaneData, SiteData};
use super::kind_of;
use super::model::Kind;
use crate::recorder::probe::{FULL, POLL, RELAXED};
use std::ops::AddAssign;

/// Kinds of probes: `FULL`, `RELAXED`, `POLL`; and activations with callees, which take more.
pub(crate) const KINDS: usize = 4;
/// See [`KINDS`].
pub(crate) const CALLER: usize = 3;
const _: () = assert!(FULL < CALLER && RELAXED < CALLER && POLL < CALLER);

/// A number of calls, or what they add up to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Inside {
    /// Timed ones, by kind of probe.
    pub(crate) probes: [f64; KINDS],
    /// Those that sampling has left out, as far as can be told.
    pub(crate) untimed: f64,
}

impl Inside {
    /// Standard errors of different kinds of probes, which have nothing to do with one another.
    pub(crate) fn together(&self) -> f64 {
        self.probes.into_iter().fold(self.untimed, f64::hypot)
    }
}

impl AddAssign<&Self> for Inside {
    fn add_assign(&mut self, more: &Self) {
        for (sum, more) in self.probes.iter_mut().zip(more.probes) {
            *sum += more;
        }
        self.untimed += more.untimed;
    }
}

/// Calls inside the activations of a lane's slot.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct OfSlot {
    /// That it has made itself.
    pub(crate) callees: Inside,
    /// At any depth.
    pub(crate) all: Inside,
}

impl SiteData {
    /// The kind of its probes.
    pub(crate) fn probe(&self) -> usize {
        match (kind_of(self.kind), self.relaxed) {
            (Kind::Async, _) => POLL,
            (_, true) => RELAXED,
            (_, false) => FULL,
        }
    }
}

/// What is known of a site's calls.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Traits {
    /// Its kind of probe.
    pub(crate) probe: usize,
    /// Calls that sampling has left out, for each activation.
    pub(crate) left_out: f64,
}

/// Of each of the lane's slots. `traits` tells of a site by its number.
pub(crate) fn by_slot(lane: &LaneData, traits: impl Fn(u64) -> Traits) -> Vec<OfSlot> {
    let mut below = vec![OfSlot::default(); lane.nodes.len()];
    let mut by_slot = vec![OfSlot::default(); lane.slots.len()];
    // Callees come after their callers.
    for (at, node) in lane.nodes.iter().enumerate().rev() {
        let Some(slot) = node.slot else { continue };
        let traits = traits(lane.slots[slot].site);
        let calls = |number: u64| {
            let mut calls =
                Inside { untimed: number as f64 * traits.left_out, ..Inside::default() };
            calls.probes[traits.probe] = number as f64;
            calls
        };
        // A recursion's inner activations are in the same node.
        let inner = calls(node.sums[1].calls);
        below[at].callees += &inner;
        below[at].all += &inner;
        // Of its activations, so many can have callees.
        let made: f64 = below[at].callees.probes.iter().sum();
        let callers = made.min((node.sums[0].calls + node.sums[1].calls) as f64);
        below[at].all.probes[CALLER] += callers;
        let mut inside = below[at];
        inside.callees.probes[CALLER] += callers;
        by_slot[slot].callees += &inside.callees;
        by_slot[slot].all += &inside.all;
        if let Some(caller) = node.parent {
            let outermost = calls(node.sums[0].calls);
            below[caller].callees += &outermost;
            below[caller].all += &outermost;
            below[caller].all += &inside.all;
        }
    }
    by_slot
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::data::{NodeData, SlotData, SumsData};

    #[test]
    fn calls_are_inside_all_that_lead_to_them() {
        let slot = |site| SlotData { site, ..SlotData::default() };
        let node = |slot, parent, outermost, inner| NodeData {
            slot: Some(slot),
            parent,
            sums: [outermost, inner].map(|calls| SumsData { calls, ..SumsData::default() }),
        };
        // 1 calls 2, which calls itself and 3; 3 is also called by 1.
        let lane = LaneData {
            slots: vec![slot(1), slot(2), slot(3)],
            nodes: vec![
                node(0, None, 1, 0),
                node(1, Some(0), 10, 5),
                node(2, Some(1), 100, 0),
                node(2, Some(0), 1000, 0),
            ],
            ..LaneData::default()
        };
        let traits = |site| match site {
            3 => Traits { probe: RELAXED, left_out: 2.0 },
            _ => Traits { probe: FULL, left_out: 0.0 },
        };
        let found = by_slot(&lane, traits);
        let inside = |full: f64, relaxed: f64, callers: f64| Inside {
            probes: [full, relaxed, 0.0, callers],
            untimed: 2.0 * relaxed,
        };
        assert_eq!(found[0].callees, inside(10.0, 1000.0, 1.0));
        assert_eq!(found[0].all, inside(15.0, 1100.0, 16.0));
        let second = inside(5.0, 100.0, 15.0);
        assert_eq!((found[1].callees, found[1].all), (second, second));
        assert_eq!(found[2], OfSlot::default());
    }
}
