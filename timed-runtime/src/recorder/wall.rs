//! Wall times: calls that are not one activation.
//!
//! A future's call is polled in many activations, on any thread; a block that awaits has none, and
//! neither has what was opened in a poll and is still open when that ends. Such a call has a *base* in
//! its own memory: its first reading, moved forward by what is not its own time, the probes inside and
//! those of its polls. At the end its time is the last reading less the base, and goes to the second
//! slot of the site, in the lane of the thread that ends it.
//!
//! Nobody keeps a list of the calls under way. Each lane adds up how many have begun in it less those
//! that have ended in it, and likewise their bases: over all lanes that makes their number, and with
//! the time of now the sum of their times so far.

mod cold;
mod span;

pub(super) use cold::{add, cancel, end_stranded, end_unseen, mark_first, with_lane};
pub use span::{Span, span};

use super::calibrate;
use super::lane::{Lane, node_at, slot_at};
use super::layout::{BASE_SHIFT, CHARGE_SHIFT, Frame, Slot, frame};
use super::probe::{self, POLL, RELAXED};
use super::reading::add_ordinary;
use super::site::Site;
use super::thread::{self, Desk};
use crate::clock::join;
use crate::sync::Own as _;
use cold::{advance_slowly, close_uncounted, forget_stranger};
use std::ptr;
use std::sync::atomic::{Ordering, compiler_fence};

/// A base: that of a call which has not begun.
pub(super) const NEW: u64 = 0;
/// A base: that of a call which is over, or not to be timed.
pub(super) const OUT: u64 = 1;

/// A poll that ends.
#[derive(Debug, Clone, Copy)]
struct Poll {
    /// `Frame::what`.
    what: u64,
    begin: u64,
    end: u64,
    /// What the probes inside took, and cold paths, in 1/16 tick.
    spent: u64,
    /// Whether the call is over.
    ends: bool,
}

/// Closes a poll's activation with the fenced reading in halves, taken on `cpu`, and moves its
/// call's base on, or ends the call.
///
/// # Safety
/// `frame` is what `guard::begin` returned to this poll, and `base` valid.
#[inline(never)]
pub(super) unsafe extern "C" fn close_full(
    frame: *const Frame,
    low: u32,
    high: u32,
    cpu: u32,
    base: *mut u64,
    ends: bool,
) {
    // SAFETY: as for this function.
    unsafe { close::<POLL>(frame, low, high, cpu, &mut *base, ends) }
}

/// The same with a bare reading.
///
/// # Safety
/// As for [`close_full`].
#[inline(never)]
pub(super) unsafe extern "C" fn close_relaxed(
    frame: *const Frame,
    low: u32,
    high: u32,
    base: *mut u64,
    ends: bool,
) {
    // SAFETY: as for this function.
    unsafe { close::<{ POLL | RELAXED }>(frame, low, high, 0, &mut *base, ends) }
}

/// # Safety
/// As for [`close_full`].
#[inline(always)]
unsafe fn close<const KIND: usize>(
    frame: *const Frame,
    low: u32,
    high: u32,
    cpu: u32,
    base: &mut u64,
    ends: bool,
) {
    // SAFETY: the thread is running; its lane is EMPTY or one that it owns; the guard's frame is never
    // given back.
    let (desk, this) = unsafe { (&*thread::desk(), &*frame) };
    // SAFETY: as above.
    let lane = unsafe { &*desk.lane.get() };
    // In a forked child the thread may have another lane by now, but the frame is wiped.
    if !lane.counter.get() || this.parent.get() == 0 {
        // SAFETY: as for this function.
        unsafe { close_uncounted(frame, join(low, high), cpu, base, ends) };
        return;
    }
    if lane.is_bench() && frame::address(this.what.get()) != calibrate::polled() {
        forget_stranger(this, base, ends);
        super::cold::close(frame, join(low, high), cpu, KIND);
        return;
    }
    let poll = Poll::of(this, lane, join(low, high), ends);
    // SAFETY: as for this function.
    unsafe { probe::close_leaf::<KIND>(frame, low, high, cpu) }
    // SAFETY: `lane` is the lane whose frame has just been closed.
    if !unsafe { advance(desk, lane, this, &poll, base) } {
        advance_slowly(&poll, base);
    }
}

impl Poll {
    #[inline(always)]
    fn of(this: &Frame, lane: &Lane, end: u64, ends: bool) -> Self {
        let callees = this.callees.get().wrapping_mul(lane.price.get());
        let charge = this.charge.get().wrapping_add(callees) as i64 >> (CHARGE_SHIFT - BASE_SHIFT);
        Self {
            what: this.what.get(),
            begin: this.start.get(),
            end,
            spent: (charge as u64).wrapping_add(this.lost.get() << BASE_SHIFT),
            ends,
        }
    }

    /// The site; none where a reset has cut the poll off.
    fn site(&self) -> Option<&'static Site> {
        // SAFETY: the word of a frame that was open, and not 0.
        let site = (self.what != 0).then(|| unsafe { Site::of_frame(self.what) });
        site.filter(|site| site.is_listed())
    }
}

/// Whether a call with this base began before the lane's counts, in another lane's time.
#[inline(always)]
pub(super) fn is_from_before(lane: &Lane, base: u64) -> bool {
    base.wrapping_sub(lane.since.get() << BASE_SHIFT) as i64 <= 0
}

/// Moves a call on by a poll that has just been closed; false, and nothing done, where that is not
/// ordinary.
///
/// # Safety
/// `this` must be a frame of `lane`.
#[inline(always)]
unsafe fn advance(desk: &Desk, lane: &Lane, this: &Frame, poll: &Poll, base: &mut u64) -> bool {
    if !ptr::eq(desk.lane.get(), lane) {
        return false;
    }
    let next = desk.next.replace(thread::nowhere());
    compiler_fence(Ordering::SeqCst);
    if *base == NEW {
        // From here on a slot knows of the call. (The cold path has cleared it.)
        this.how.set(this.how.get() & !frame::FIRST);
    }
    // Where the activation ended on the ordinary path, its reading is the pending one. Any other
    // that is pending is of this lane, too: if it is of this site, its slot is the one.
    // SAFETY: a node, and pending words, hold addresses of their lane's blocks.
    let slot = unsafe {
        if poll.what & frame::NODE == 0 {
            match this.pending().slot.get() {
                0 => None,
                slot => {
                    Some(slot_at(slot)).filter(|slot| slot.home.get() == frame::address(poll.what))
                }
            }
        } else {
            Some(slot_at(node_at(poll.what & !frame::NODE).slot.get()))
        }
    };
    let done = slot
        .and_then(|slot| Some((slot, slot.wall()?)))
        .is_some_and(|(slot, wall)| advance_in(lane, slot, wall, poll, base));
    compiler_fence(Ordering::SeqCst);
    desk.next.set(next);
    done
}

#[inline(always)]
fn advance_in(lane: &Lane, slot: &Slot, wall: &Slot, poll: &Poll, base: &mut u64) -> bool {
    let Some(step) = Step::of(lane, poll, *base) else { return false };
    if !poll.ends {
        *base = step.go_on(lane, wall);
        return true;
    }
    let value = elapsed(poll.end, step.now);
    // SAFETY: `advance` has found the slot in the lane whose frame has just been closed, at work.
    if !unsafe { add_ordinary(wall, value) } {
        return false;
    }
    count_inner(slot, wall, value);
    step.end(wall);
    *base = OUT;
    true
}

/// Ticks from a base to a reading.
#[inline(always)]
fn elapsed(end: u64, base: u64) -> u64 {
    ((end << BASE_SHIFT).wrapping_sub(base) as i64 >> BASE_SHIFT) as u64
}

/// Notes a reading inside another activation of the site, which is open where its slot says so.
#[inline(always)]
fn count_inner(slot: &Slot, wall: &Slot, value: u64) {
    if slot.open.get() != 0 {
        wall.inner.bump(1);
        wall.inner_sum.bump(value);
    }
}

/// Takes a call that is over, whose base was `before`, off those under way.
#[inline(always)]
fn end(wall: &Slot, before: u64) {
    wall.live.bump(u64::MAX);
    wall.bases.bump(before.wrapping_neg());
}

/// From one base of a call to the next.
struct Step {
    /// Whether this is the call's first poll: no slot knows of it yet.
    is_new: bool,
    before: u64,
    /// With what the probes inside the poll took, but not yet the poll's own.
    now: u64,
}

impl Step {
    /// None where the call began before the lane's counts.
    #[inline(always)]
    fn of(lane: &Lane, poll: &Poll, base: u64) -> Option<Self> {
        let is_new = base == NEW;
        let (before, from) = if is_new { (0, poll.begin << BASE_SHIFT) } else { (base, base) };
        let now = from.wrapping_add(poll.spent);
        (!is_from_before(lane, from)).then_some(Self { is_new, before, now })
    }

    /// The call waits for its next poll: its base from here on.
    #[inline(always)]
    fn go_on(&self, lane: &Lane, wall: &Slot) -> u64 {
        let now = self.now.wrapping_add(lane.poll_price.get());
        wall.live.bump(u64::from(self.is_new));
        wall.bases.bump(now.wrapping_sub(self.before));
        now
    }

    /// The call is over.
    #[inline(always)]
    fn end(&self, wall: &Slot) {
        if !self.is_new {
            end(wall, self.before);
        }
    }
}
