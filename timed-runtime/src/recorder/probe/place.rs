//! Where an activation belongs, and where its reading will be added.

use super::super::lane::{Entry, Lane, node_at};
use super::super::layout::{Frame, Node, Pending, Slot, Sums, frame};
use crate::sync::{Ordering, Own as _};
use std::ptr;
use std::sync::atomic::compiler_fence;

/// An activation's place in the tree.
pub(crate) struct Place<'a> {
    pub(crate) node: &'a Node,
    pub(crate) slot: &'a Slot,
    /// `frame::INNER` where another activation of the site is open around it, else 0.
    pub(crate) inner: u64,
    /// Where the node adds such activations up.
    pub(crate) sums: &'a Sums,
}

impl<'a> Place<'a> {
    /// The one that an entry leads to.
    ///
    /// # Safety
    /// `look_up` must have returned the entry.
    #[inline(always)]
    pub(super) unsafe fn of(entry: &Entry) -> Self {
        let inner = if entry.expects.get() == 0 { 0 } else { frame::INNER };
        // SAFETY: an entry that matches was written by its lane's `resolve`.
        unsafe { Self::new(node_at(entry.node.get()), &*entry.slot.get(), inner) }
    }

    #[inline(always)]
    pub(crate) fn new(node: &'a Node, slot: &'a Slot, inner: u64) -> Self {
        Self { node, slot, inner, sums: &node.sums[usize::from(inner != 0)] }
    }

    /// Adds what the activation's callees left in its frame to the node, and passes on to its caller
    /// what the probes inside took, which it returns.
    #[inline(always)]
    pub(crate) fn add_callees(&self, this: &Frame, parent: &Frame, lane: &Lane) -> u64 {
        let (sums, callees) = (self.sums, this.callees.get());
        let charge = this.charge.get().wrapping_add(callees.wrapping_mul(lane.price.get()));
        sums.child_raw.bump(this.child_raw.get());
        sums.callees.bump(callees);
        sums.charge.bump(charge);
        parent.charge.bump(charge);
        charge
    }
}

/// What a reading will be added to.
pub(super) struct Left<'a> {
    pub(super) base: u64,
    pub(super) charge: u64,
    pub(super) sums: *const Sums,
    pub(super) slot: *const Slot,
    pub(super) parent: &'a Frame,
}

impl Left<'_> {
    /// Leaves it, but not yet the reading.
    #[inline(always)]
    pub(super) fn leave(self, pending: &Pending) {
        // Nothing is pending meanwhile: a reader shall not put the words of two readings together.
        pending.end.set(0);
        compiler_fence(Ordering::SeqCst);
        pending.base.set(self.base);
        pending.charge.set(self.charge);
        pending.sums.set(self.sums.expose_provenance() as u64);
        pending.slot.set(self.slot.expose_provenance() as u64);
        pending.parent.set(ptr::from_ref(self.parent).expose_provenance() as u64);
    }
}

impl Frame {
    /// Notes the place of an activation that stays open.
    #[inline(always)]
    pub(crate) fn settle(&self, place: &Place<'_>) {
        let address = ptr::from_ref(place.node).expose_provenance() as u64;
        self.how.set(self.how.get() | place.inner);
        self.what.store(address | frame::NODE, Ordering::Release);
        place.slot.open.set(address);
    }
}
