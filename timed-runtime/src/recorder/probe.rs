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

mod find;
mod place;

use super::cold;
use super::lane::{Entry, Lane, frame_at, node_at, slot_at};
use super::layout::{CHARGE_SHIFT, Frame, Pending, Sums, frame};
use super::reading::add_ordinary;
use super::site::{Site, UNKNOWN};
use super::thread::Desk;
use super::{local, thread};
use crate::clock::join;
use crate::sync::{Ordering, Own as _};
use find::{find_caller, find_own};
use place::Left;
pub(crate) use place::Place;
use std::ptr;
use std::sync::atomic::compiler_fence;

/// The kinds of probes, which are their places in `Bench::nodes`, too: a call's, fenced or not, and
/// a poll's.
pub(crate) const FULL: usize = 0;
/// See [`FULL`].
pub(crate) const RELAXED: usize = 1;
/// See [`FULL`].
pub(crate) const POLL: usize = 2;

/// Its argument, as a value that the compiler may neither take apart nor make later.
#[inline(always)]
fn kept<T: Copy>(value: T) -> T {
    super::hold::hold(value)
}

/// Takes a frame for an activation of `site`, for the first reading; none where that is not
/// ordinary, or the call not to be timed: see [`open_slowly`].
///
/// A signal handler may come at any point. Once the frame is taken, the handler's calls use those
/// above it; before, they use it, and are done with it.
#[inline(always)]
pub(super) fn open(site: &'static Site) -> Option<&'static Frame> {
    if site.key.load(Ordering::Relaxed) <= UNKNOWN {
        return None;
    }
    let place = local::place();
    // SAFETY: NOWHERE, or a frame of this thread's lane; neither is ever given back.
    let frame = unsafe { &*place.next() };
    // SAFETY: only this thread writes the word, so it may read it plainly, which makes the
    // comparison one instruction.
    if unsafe { ptr::read(frame.how.as_ptr().cast::<u8>()) } & frame::READY as u8 == 0 {
        return None;
    }
    place.set_next(ptr::from_ref(frame).wrapping_add(1));
    compiler_fence(Ordering::SeqCst);
    frame.what.store(site.address(), Ordering::Release);
    Some(frame)
}

/// Opens, and starts, an activation that [`open`] could not: its frame, or null where this call is
/// not to be timed.
#[cold]
#[inline(never)]
pub(super) extern "C" fn open_slowly(site: &'static Site) -> *const Frame {
    // Off, paused or filtered out: nothing may come in front of this.
    if site.key.load(Ordering::Relaxed) == 0 { ptr::null() } else { cold::open(site) }
}

/// Its argument, of which the compiler knows nothing.
#[inline(always)]
pub(super) fn opaque(site: &'static Site) -> &'static Site {
    let address = ptr::from_ref(site);
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    let address = {
        let mut address = address;
        #[allow(clippy::pointers_in_nomem_asm_block, reason = "the block does not look behind it")]
        // SAFETY: an empty block, which leaves the pointer as it is.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) address, options(pure, nomem, nostack, preserves_flags));
        }
        address
    };
    // SAFETY: still the address of the static.
    unsafe { &*address }
}

/// Closes the activation of `frame` with the fenced reading in halves, taken on `cpu`.
///
/// # Safety
/// `frame` is what `open` returned to this call's guard.
#[inline(never)]
pub(super) unsafe extern "C" fn close_full(frame: *const Frame, low: u32, high: u32, cpu: u32) {
    // SAFETY: as for this function.
    unsafe { close_leaf::<FULL>(frame, low, high, cpu) }
}

/// Closes the activation of `frame` with a bare reading, in halves.
///
/// # Safety
/// `frame` is what `open` returned to this call's guard.
#[inline(never)]
pub(super) unsafe extern "C" fn close_relaxed(frame: *const Frame, low: u32, high: u32) {
    // SAFETY: as for this function.
    unsafe { close_leaf::<RELAXED>(frame, low, high, 0) }
}

/// Closes an activation in which no timed call has ended: its sums are zero, and its place has not
/// been looked for. Every way out is a jump, so that there are few registers to save.
///
/// # Safety
/// As for [`close_full`].
#[inline(always)]
pub(super) unsafe fn close_leaf<const KIND: usize>(
    frame: *const Frame,
    low: u32,
    high: u32,
    cpu: u32,
) {
    // SAFETY: the thread is running.
    let desk = unsafe { &*kept(thread::desk()) };
    // SAFETY: the thread's lane is EMPTY or one that it owns; the guard's frame is never given back.
    let (lane, this) = unsafe { (&*desk.lane.get(), &*frame) };
    let end = kept(join(low, high));
    // A lane that knows nothing, as a forked child's, has its batch due at 0; a thread that has moved to
    // another CPU is for the cold path, too. A bare reading does not tell.
    let moved = KIND & RELAXED == 0 && u64::from(cpu) != lane.cpu.get();
    // SAFETY: the lane's own word.
    let due = unsafe { this.start.own() } >= lane.next_batch.get();
    if desk.next.get() != frame.wrapping_add(1) || due || moved {
        return cold::close(frame, end, cpu, KIND);
    }
    // Before anything is read that a signal handler's call could find, or give, a place.
    desk.next.set(thread::nowhere());
    compiler_fence(Ordering::SeqCst);
    // The caller's frame is the one below, but where a row begins: what is found through its address
    // alone is found a load sooner, in the longest chain of this function.
    let below = frame.wrapping_sub(1);
    if this.parent.get() == below.expose_provenance() as u64 {
        // SAFETY: as for `close_in`: the frame's parent is `below`.
        unsafe { close_in::<KIND>(desk, lane, this, &*below, end) }
    } else {
        close_far::<KIND>(frame, end);
    }
}

/// Closes an activation whose caller's frame is not the one below. The thread is at work.
#[inline(never)]
extern "C" fn close_far<const KIND: usize>(frame: *const Frame, end: u64) {
    // SAFETY: the thread is running, and owns its lane, of which `frame` is: `close_leaf` has seen that.
    unsafe {
        let desk = &*thread::desk();
        close_in::<KIND>(desk, &*desk.lane.get(), &*frame, frame_at((*frame).parent.get()), end);
    }
}

/// Closes an activation on the ordinary path, as far as it is on that.
///
/// # Safety
/// The thread must be at work in its `lane`, of which `this` is the innermost open frame, and `parent`
/// its caller's.
#[inline(always)]
unsafe fn close_in<const KIND: usize>(
    desk: &Desk,
    lane: &Lane,
    this: &Frame,
    parent: &Frame,
    end: u64,
) {
    let site = this.what.get();
    if site & (frame::NODE | frame::CHARGED) != 0 {
        if site & frame::NODE == 0 {
            return find_own::<KIND>(this, end);
        }
        return close_caller::<KIND>(this, end);
    }
    let caller = parent.what.get();
    if caller & frame::NODE == 0 {
        return find_caller::<KIND>(this, end);
    }
    // SAFETY: the words of open frames: a site's, and a node's with its flag.
    let Some(entry) = (unsafe { look_up(lane, site, caller) }) else {
        return give_up::<KIND>(this, end);
    };
    // SAFETY: an open frame leads to its lane's pending words, and the thread is at work.
    let pending = unsafe { this.pending() };
    // SAFETY: as above.
    if !unsafe { add_pending(pending) } {
        return give_up::<KIND>(this, end);
    }
    charge_caller(parent, lane, KIND);
    let (sums, slot) = (entry.sums.get(), entry.slot.get());
    Left { base: this.start.get(), charge: 0, sums, slot, parent }.leave(pending);
    this.start.set(0);
    this.what.set(0);
    commit(pending, end);
    desk.next.set(this);
}

/// Closes an activation that turns out not to be ordinary. The thread is at work.
#[cold]
#[inline(never)]
extern "C" fn give_up<const KIND: usize>(frame: *const Frame, end: u64) {
    // SAFETY: the thread is running, and owns its lane.
    let (desk, lane) = unsafe {
        let desk = &*thread::desk();
        (desk, &*desk.lane.get())
    };
    desk.next.set(frame.wrapping_add(1));
    // It has been compared with the reading's.
    cold::close(frame, end, lane.cpu.get() as u32, KIND);
}

/// Closes an activation in which timed calls have ended, which knows its place since. The thread is
/// at work.
#[inline(never)]
extern "C" fn close_caller<const KIND: usize>(frame: *const Frame, end: u64) {
    // SAFETY: the thread is running.
    let desk = unsafe { &*thread::desk() };
    // SAFETY: `close_leaf` has seen that `frame` is the innermost one open in this thread's lane,
    // and that its word is a node's address; so is its caller's, as places are found from below.
    let (lane, this, pending) = unsafe { (&*desk.lane.get(), &*frame, (*frame).pending()) };
    // SAFETY: as above.
    let (parent, node) =
        unsafe { (frame_at(this.parent.get()), node_at(this.what.get() & !frame::NODE)) };
    // SAFETY: as above; a slot's home is a site.
    let (slot, site) = unsafe {
        let slot = slot_at(node.slot.get());
        (slot, Site::at(slot.home.get()))
    };
    let begin = this.start.get();
    // SAFETY: `pending` is this lane's, which is at work.
    let added = unsafe { add_pending(pending) };
    // After a reset, or a pause, the keys differ; after a move, this activation has moved too.
    let ordinary =
        site.key.load(Ordering::Relaxed) == slot.key.get() && begin >= lane.moved_at.get();
    if !(added && ordinary) {
        pending.end.set(if added { 0 } else { pending.end.get() });
        return give_up::<KIND>(frame, end);
    }
    let inner = this.how.get() & frame::INNER;
    let place = Place::new(node, slot, inner);
    slot.open.set(if inner == 0 { 0 } else { this.what.get() & !frame::NODE });
    let charge = place.add_callees(this, parent, lane);
    parent.lost.bump(this.lost.get().wrapping_add(lane.closing.get()));
    charge_caller(parent, lane, KIND);
    let base = begin.wrapping_add(this.lost.get());
    Left { base, charge, sums: place.sums, slot, parent }.leave(pending);
    this.start.set(0);
    this.what.set(0);
    this.clear();
    commit(pending, end);
    desk.next.set(frame);
}

/// Leaves the second reading, which makes the pending words valid.
#[inline(always)]
fn commit(pending: &Pending, end: u64) {
    pending.end.store(end, Ordering::Release);
    compiler_fence(Ordering::SeqCst);
}

/// Charges the caller for the probe of an activation that ends: as a full one, which is one more,
/// and with what another kind costs besides.
#[inline(always)]
pub(crate) fn charge_caller(parent: &Frame, lane: &Lane, kind: usize) {
    parent.callees.bump(1);
    for (which, more) in [(RELAXED, &lane.relaxed), (POLL, &lane.poll)] {
        if kind & which != 0 {
            parent.charge.bump(more.charge.get());
            parent.lost.bump(more.lost.get());
        }
    }
}

/// What the cache knows of the site at address `site` under the caller whose frame's word is `caller`.
///
/// # Safety
/// They must be a site, and a node of this lane with its flag.
#[inline(always)]
unsafe fn look_up(lane: &Lane, site: u64, caller: u64) -> Option<&Entry> {
    // SAFETY: as for this function.
    let (key, salt) = unsafe {
        (Site::at(site).key.load(Ordering::Relaxed), node_at(caller - frame::NODE).salt.get())
    };
    let entry = lane.entry(salt, key);
    if entry.caller.get() != caller || entry.key.get() != key {
        return None;
    }
    // SAFETY: an entry that matches was written by this lane's `resolve`.
    let slot = unsafe { &*entry.slot.get() };
    // SAFETY: the lane's own word.
    (unsafe { slot.open.own() } == entry.expects.get()).then_some(entry)
}

impl Frame {
    /// The pending words of the frame's lane: found without a detour over thread-local memory,
    /// which the longest chain of the ordinary end begins with.
    ///
    /// # Safety
    /// It must be a frame of a lane of this process, and not a row's END.
    #[inline(always)]
    pub(super) unsafe fn pending(&self) -> &'static Pending {
        // SAFETY: `how` was given this address when the frame's row was made.
        unsafe { &*ptr::with_exposed_provenance((self.how.get() & !frame::FLAGS) as usize) }
    }
}

/// Adds the reading of the activation that ended before this one; false, and nothing added, where
/// it is not ordinary.
///
/// # Safety
/// The words must be those of this thread's lane, and the thread at work.
#[inline(always)]
unsafe fn add_pending(pending: &Pending) -> bool {
    let end = pending.end.get();
    if end == 0 {
        return true;
    }
    // Loads stay in the order in which they stand here: each shortly before its use.
    // SAFETY: the lane's own words; pending ones hold addresses of its blocks.
    let (raw, slot) =
        unsafe { (end.wrapping_sub(pending.base.own()), slot_at(pending.slot.get())) };
    let value = raw.wrapping_sub(pending.charge.get() >> CHARGE_SHIFT);
    // SAFETY: as for this function.
    if !unsafe { add_ordinary(slot, value) } {
        return false;
    }
    // SAFETY: as for the slot.
    unsafe {
        let sums = &*ptr::with_exposed_provenance::<Sums>(pending.sums.get() as usize);
        add_reading(sums, frame_at(pending.parent.get()), raw);
    }
    true
}

/// Adds a reading to its node, and to its caller.
#[inline(always)]
pub(crate) fn add_reading(sums: &Sums, caller: &Frame, raw: u64) {
    sums.calls.bump(1);
    sums.raw.bump(raw);
    caller.child_raw.bump(raw);
}
