//! The probe's ordinary path: what every timed call does, and nothing else.
//!
//! The two readings, and the taking of a frame, stand inline in the user's function; the books are
//! kept in a function that it calls. What comes between the caller's code and the first reading
//! costs what it takes, and so does what comes behind the fence after the second; between `rdtscp`
//! and that fence some forty core cycles are free, which is where everything happens that can:
//!
//! * `open` takes a frame and leaves the site there. It looks nothing up.
//! * `close` finds the activation's place in the tree, which only needs its caller's place. A
//!   caller's own is found when the first of its callees ends.
//! * The reading itself is left in the lane's `pending` words, and added by the next `close`.
//!
//! Whatever is not ordinary leaves for `cold`.

use super::cold;
use super::histogram;
use super::lane::{Lane, Price, frame_at, node_at, slot_at};
use super::layout::{CHARGE_SHIFT, Frame, Node, Octave, Pending, Slot, Sums, frame};
use super::site::{Site, UNKNOWN};
use super::thread;
use crate::sync::{Ordering, Own as _, Word};
use std::ptr;
use std::sync::atomic::compiler_fence;

/// Which fence a probe has: its place in `Lane::prices`.
pub(crate) const FULL: usize = 0;
/// See [`FULL`].
pub(crate) const RELAXED: usize = 1;

/// Takes a frame for an activation of `site`: the frame for the first reading, or null where this
/// call is not to be timed.
///
/// A signal handler may come at any point. Once the frame is taken, the handler's calls use those
/// above it; before, they use it, and are done with it.
#[inline(always)]
#[must_use]
pub fn open(site: &'static Site) -> *const Frame {
    // Out of the compiler's sight, so that it keeps the address in a register and not, four times,
    // in the code.
    let site = opaque(site);
    if site.key.load(Ordering::Relaxed) <= UNKNOWN {
        return cold::open(site);
    }
    // SAFETY: the thread is running.
    let desk = unsafe { &*thread::desk() };
    // SAFETY: NOWHERE, or a frame of this thread's lane; neither is ever given back.
    let frame = unsafe { &*desk.next.get() };
    // SAFETY: only this thread writes the word, so it may read it plainly, which makes the
    // comparison one instruction.
    if unsafe { ptr::read(frame.how.as_ptr().cast::<u8>()) } != frame::READY as u8 {
        return cold::open(site);
    }
    desk.next.set(ptr::from_ref(frame).wrapping_add(1));
    compiler_fence(Ordering::SeqCst);
    frame.what.store(site.address(), Ordering::Release);
    frame
}

/// Its argument, of which the compiler knows nothing.
#[inline(always)]
fn opaque(site: &'static Site) -> &'static Site {
    let mut address = ptr::from_ref(site);
    // SAFETY: an empty block, which leaves the pointer as it is.
    unsafe {
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        core::arch::asm!("/* {0} */", inout(reg) address, options(pure, nomem, nostack, preserves_flags));
        &*address
    }
}

/// Closes the activation of `frame` with the fenced reading in halves, taken on `cpu`.
///
/// # Safety
/// `frame` is what `open` returned to this call's guard.
#[inline(never)]
pub unsafe extern "C" fn close_full(frame: *const Frame, low: u32, high: u32, cpu: u32) {
    // SAFETY: as for this function.
    unsafe { close::<FULL>(frame, low, high, cpu) }
}

/// Closes the activation of `frame` with a bare reading, in halves.
///
/// # Safety
/// `frame` is what `open` returned to this call's guard.
#[inline(never)]
pub unsafe extern "C" fn close_relaxed(frame: *const Frame, low: u32, high: u32) {
    // SAFETY: as for this function.
    unsafe { close::<RELAXED>(frame, low, high, 0) }
}

#[inline(always)]
unsafe fn close<const KIND: usize>(frame: *const Frame, low: u32, high: u32, cpu: u32) {
    // SAFETY: the thread is running.
    let desk = unsafe { &*thread::desk() };
    // SAFETY: the thread's lane is EMPTY or one that it owns; the guard's frame is never given back.
    let (lane, this) = unsafe { (&*desk.lane.get(), &*frame) };
    let begin = this.start.get();
    // A lane that knows nothing, as a forked child's, has its batch due at 0.
    if desk.next.get() != frame.wrapping_add(1) || begin >= lane.next_batch.get() {
        return cold::close(frame, u64::from(high) << 32 | u64::from(low), cpu, KIND);
    }
    desk.next.set(thread::nowhere());
    compiler_fence(Ordering::SeqCst);
    // SAFETY: a desk with a live lane leads to its pending words; an open frame has a parent.
    let (pending, parent) = unsafe { (&*desk.pending.get(), frame_at(this.parent.get())) };
    // SAFETY: `pending` is this lane's, and it is at work.
    unsafe { add_pending(lane, pending, parent) };
    if parent.what.get() & frame::NODE == 0 {
        // SAFETY: the caller of an open activation is one of this lane's open frames.
        unsafe { find_caller(lane, parent) };
    }
    // SAFETY: the caller's place is known by now.
    let Some(place) = (unsafe { find(lane, this, parent) }) else {
        // Added above: the cold path shall not do it again.
        pending.end.set(0);
        desk.next.set(frame.wrapping_add(1));
        return cold::close(frame, u64::from(high) << 32 | u64::from(low), cpu, KIND);
    };
    place.add_callees(this, parent, &lane.prices[KIND]);
    pending.base.set(begin + this.lost.get());
    pending.charge.set(this.charge.get());
    pending.sums.set(ptr::from_ref(place.sums()).expose_provenance() as u64);
    pending.slot.set(ptr::from_ref(place.slot).expose_provenance() as u64);
    pending.parent.set(ptr::from_ref(parent).expose_provenance() as u64);
    this.start.set(0);
    this.clear();
    if KIND == FULL {
        pending.cpu.set(u64::from(cpu));
    }
    // Last, and the one that commits.
    pending.end.store(u64::from(high) << 32 | u64::from(low), Ordering::Release);
    compiler_fence(Ordering::SeqCst);
    desk.next.set(frame);
}

/// An activation's place in the tree.
pub(crate) struct Place<'a> {
    pub(crate) node: &'a Node,
    pub(crate) slot: &'a Slot,
    /// `frame::INNER` where another activation of the site is open around it, else 0.
    pub(crate) inner: u64,
}

impl<'a> Place<'a> {
    #[inline(always)]
    pub(crate) fn sums(&self) -> &'a Sums {
        &self.node.sums[usize::from(self.inner != 0)]
    }

    /// Adds what the activation's callees left in its frame to the node, and the probe's own price
    /// to its caller.
    #[inline(always)]
    pub(crate) fn add_callees(&self, this: &Frame, parent: &Frame, price: &Price) {
        let (sums, charge) = (self.sums(), this.charge.get());
        sums.child_raw.bump(this.child_raw.get());
        sums.child_out.bump(this.child_out.get());
        sums.charge.bump(charge);
        parent.child_out.bump(price.outside.get());
        parent.charge.bump(charge + price.whole.get());
        parent.lost.bump(this.lost.get());
    }
}

/// The place of an activation that ends, from the cache, if it is there.
///
/// # Safety
/// `this` must be the innermost open frame of `lane`, and the place of `parent`, its caller, known.
#[inline(always)]
unsafe fn find<'a>(lane: &'a Lane, this: &Frame, parent: &Frame) -> Option<Place<'a>> {
    let what = this.what.get();
    if what & frame::NODE != 0 {
        // SAFETY: the word says that it is a node's address; its slot is the lane's.
        let node = unsafe { node_at(what & !frame::NODE) };
        // SAFETY: as above.
        let slot = unsafe { slot_at(node.slot.get()) };
        // SAFETY: a slot's home is a site; those are statics.
        let key = unsafe { Site::at(slot.home.get()) }.key.load(Ordering::Relaxed);
        let inner = this.how.get() & frame::INNER;
        if key != slot.key.get() {
            return None;
        }
        slot.open.set(if inner == 0 { 0 } else { what & !frame::NODE });
        return Some(Place { node, slot, inner });
    }
    // SAFETY: the word is what `open` stored, a site's address; the caller's is a node's.
    unsafe { look_up(lane, what, parent.what.get() & !frame::NODE) }
}

/// What the cache knows of the site at address `site` under the node at address `caller`.
///
/// # Safety
/// They must be a site and a node of this lane.
#[inline(always)]
unsafe fn look_up(lane: &Lane, site: u64, caller: u64) -> Option<Place<'_>> {
    // SAFETY: as for this function.
    let (key, salt) = unsafe { (Site::at(site).key.load(Ordering::Relaxed), node_at(caller).salt.get()) };
    let entry = lane.entry(salt, key);
    if entry.parent.get() != caller || entry.key.get() != key {
        return None;
    }
    // SAFETY: an entry that matches was written by this lane's `resolve`.
    let (slot, node) = unsafe { (&*entry.slot.get(), node_at(entry.node.get())) };
    (slot.open.get() == entry.expects.get()).then(|| Place { node, slot, inner: entry.inner.get() })
}

/// Finds the place of an activation that is open, because one of its callees has ended.
///
/// # Safety
/// `caller` must be one of the lane's open frames; the thread must be at work.
#[inline(always)]
unsafe fn find_caller(lane: &Lane, caller: &'static Frame) {
    // SAFETY: as for this function.
    let above = unsafe { frame_at(caller.parent.get()) };
    let known = above.what.get();
    if known & frame::NODE != 0 {
        // SAFETY: the caller's place is not known, so its word is a site's address; the word of
        // the frame above is a node's.
        if let Some(place) = unsafe { look_up(lane, caller.what.get(), known & !frame::NODE) } {
            caller.settle(&place);
            caller.lost.bump(lane.finding.get());
            return;
        }
    }
    cold::find_caller(lane, caller);
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

/// Adds the reading of the activation that ended before this one. `parent` is the frame that a
/// cold path's ticks are charged to.
///
/// # Safety
/// The words must be those of `lane`, whose owner must be at work.
#[inline(always)]
unsafe fn add_pending(lane: &Lane, pending: &Pending, parent: &Frame) {
    let end = pending.end.get();
    if end == 0 {
        return;
    }
    // SAFETY: pending words hold addresses of this lane's blocks.
    let (slot, sums, caller) = unsafe {
        let sums = &*ptr::with_exposed_provenance::<Sums>(pending.sums.get() as usize);
        (slot_at(pending.slot.get()), sums, frame_at(pending.parent.get()))
    };
    let raw = end.wrapping_sub(pending.base.get());
    let value = raw.wrapping_sub(pending.charge.get() >> CHARGE_SHIFT);
    // A relaxed end leaves the word as the one before left it.
    let moved = pending.cpu.get() != lane.cpu.get() || pending.base.get() < lane.moved_at.get();
    // One comparison sends every new minimum or maximum away, and with them what is negative or
    // too large for the buckets.
    let extreme = value.wrapping_sub(slot.min.get()) > slot.span.get();
    if moved || extreme {
        return cold::add_pending(lane, pending, parent);
    }
    let (octave, bucket) = histogram::place(value);
    // SAFETY: `extreme` has excluded values from the limit on, so the octave exists.
    let row = unsafe { slot.octaves.get_unchecked(octave) }.get();
    if row == 0 {
        return cold::add_pending(lane, pending, parent);
    }
    // SAFETY: a slot's octaves hold addresses of its own octave blocks.
    let row = unsafe { &*ptr::with_exposed_provenance::<Octave>(row as usize) };
    // SAFETY: `place` returns a bucket below BUCKETS.
    let count: &Word = unsafe { row.counts.get_unchecked(bucket) };
    add_reading(sums, caller, raw);
    row.sum.bump(value);
    count.bump(1);
}

/// Adds a reading to its node, and to its caller.
#[inline(always)]
pub(crate) fn add_reading(sums: &Sums, caller: &Frame, raw: u64) {
    sums.calls.bump(1);
    sums.raw.bump(raw);
    caller.child_raw.bump(raw);
}
