//! The reading that a lane's next end will add.

use super::super::data::LaneData;
use crate::recorder::layout::{self, Node};
use crate::sync::{Ordering, Own as _};
use std::collections::HashMap;

/// Adds the reading that the lane's next end would have added.
pub(super) fn add_pending(
    data: &mut LaneData,
    lane: &layout::Lane,
    slot_at: &HashMap<u64, usize>,
    node_at: &HashMap<u64, usize>,
) {
    let Some(pending) = PendingData::read(&lane.pending) else { return };
    let Some(slot) = slot_at.get(&pending.slot).and_then(|slot| data.slots.get_mut(*slot)) else {
        return;
    };
    if (pending.raw() as i64) < 0 {
        slot.negative += 1;
        return;
    }
    let found = [0, 1].into_iter().find_map(|inner| {
        let offset = std::mem::offset_of!(Node, sums) + inner * size_of::<layout::Sums>();
        Some((*node_at.get(&pending.sums.wrapping_sub(offset as u64))?, inner))
    });
    let Some((node, inner)) = found else { return };
    let sums = &mut data.nodes[node].sums[inner];
    sums.calls += 1;
    sums.raw = sums.raw.wrapping_add(pending.raw());
    // The caller, if it is still open, may have called something else meanwhile.
    if let Some(caller) = data.open.iter_mut().find(|open| open.frame == pending.parent) {
        caller.child_raw = caller.child_raw.wrapping_add(pending.raw());
    }
    slot.add(pending.raw().wrapping_sub(pending.charge >> layout::CHARGE_SHIFT) as i64);
}

/// The pending words, as read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PendingData {
    pub(crate) end: u64,
    pub(crate) base: u64,
    charge: u64,
    sums: u64,
    pub(crate) slot: u64,
    parent: u64,
}

/// How often the words are read again that cannot belong together.
const PATIENCE: usize = if cfg!(loom) { 2 } else { 64 };

impl PendingData {
    /// None where nothing is pending.
    ///
    /// The owner overwrites the other words before `end`. Those of an activation that encloses the
    /// one before it, with that one's end, pass for the call in progress that they are nearly. In
    /// any other mixture the end lies before the base; such a reading is believed only if it stays.
    pub(crate) fn read(pending: &layout::Pending) -> Option<Self> {
        let once = || {
            let end = pending.end.load(Ordering::Acquire);
            Self {
                end,
                base: pending.base.get(),
                charge: pending.charge.get(),
                sums: pending.sums.get(),
                slot: pending.slot.get(),
                parent: pending.parent.get(),
            }
        };
        let mut data = once();
        for _ in 0..PATIENCE {
            let again = once();
            if again == data && (data.raw() as i64) >= 0 {
                break;
            }
            data = again;
            std::hint::spin_loop();
        }
        (data.end != 0).then_some(data)
    }

    /// The reading.
    pub(crate) fn raw(&self) -> u64 {
        self.end.wrapping_sub(self.base)
    }
}
