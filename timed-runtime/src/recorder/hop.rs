//! Hops: intervals between two points in the code, on one thread or on two.
//!
//! A stamp is a reading and the CPU that it was taken on. Where a hop ends, the interval goes to the
//! second slot of its site (see `wall`) in the lane of the thread that ends it: a hop is no activation,
//! has no callees, and no place in the tree. For what taking a stamp and ending a hop cost, the activation
//! around is charged as for a callee's probe.
//!
//! Both readings are `rdtscp` with a fence behind it, which waits for everything before it, as the
//! arrival of what the stamp came with. What there is to note stands between the two, where it is
//! free; so there is no read to come back to, and nothing to close.

mod cold;
#[cfg(test)]
mod tests;

use super::lane::{HalfPrice, Lane, frame_at};
use super::layout::{BASE_SHIFT, CHARGE_SHIFT, Frame, Slot, frame};
use super::reading::add_ordinary;
use super::site::{Site, UNKNOWN};
use super::thread::Desk;
use super::wall::is_from_before;
use super::{local, thread};
use crate::clock::{arch, join};
use crate::sync::Own as _;
use cold::{end_slowly, hop_slowly, stamp_slowly};
use std::sync::atomic::{AtomicU8, Ordering, compiler_fence};

/// Which clock stamps are of. Read in front of every stamp, so it is a word of its own.
static CLOCK: AtomicU8 = AtomicU8::new(NOT_KNOWN);
/// No timed call has chosen one, or all is off.
const NOT_KNOWN: u8 = 0;
const COUNTER: u8 = 1;
const SYSTEM: u8 = 2;

/// Tells the clock that was chosen.
pub(super) fn tell_clock(counter: bool) {
    CLOCK.store(if counter { COUNTER } else { SYSTEM }, Ordering::Relaxed);
}

/// A point in time, taken by [`stamp`], from which `hop!` measures.
///
/// It is a reading and the CPU that it was taken on: plain data, which may be copied, sent along with
/// what it is about, and used for any number of hops.
#[derive(Debug, Clone, Copy)]
pub struct Stamp {
    ticks: u64,
    cpu: u32,
}

impl Stamp {
    /// Of no time: all is off, or there was no recorder to ask for the clock.
    const NONE: Self = Self { ticks: 0, cpu: 0 };
}

/// The point in time at which it is called, for a `hop!` on whatever thread.
///
/// Everything before the call is done by then, and nothing after it has begun. A stamp takes about half
/// of a fenced pair of reads; the function around it is not charged for that. The interval that a
/// hop records begins here, and what the two calls take of it is taken off.
///
/// With `TIMED=off` the clock is not read. While timing is paused it is: whether there is anything to
/// record is for the `hop!` to decide.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
#[must_use = "a stamp is of use to a `hop!` alone"]
pub fn stamp() -> Stamp {
    if CLOCK.load(Ordering::Relaxed) != COUNTER {
        return stamp_slowly();
    }
    let (low, high, cpu) = arch::stop_parts();
    let is_noted = note_stamp();
    arch::settle();
    if is_noted { Stamp { ticks: join(low, high), cpu } } else { stamp_slowly() }
}

/// Has the lane count a stamp, and charges the activation around it. False where there is
/// no lane to be seen: the thread has none yet, or is at work in it.
#[inline(always)]
fn note_stamp() -> bool {
    let place = local::place();
    // SAFETY: the thread is running; its desk shows NOWHERE, or a frame of its lane, never given back.
    let (desk, next) = unsafe { (&*place.desk(), &*place.next()) };
    let open = next.parent.get();
    if open == 0 {
        return false;
    }
    desk.next.set(thread::nowhere());
    compiler_fence(Ordering::SeqCst);
    // SAFETY: a frame that has a parent is one of the lane that the desk leads to.
    let (lane, open) = unsafe { (&*desk.lane.get(), frame_at(open)) };
    note(lane, open, &lane.stamp);
    compiler_fence(Ordering::SeqCst);
    desk.next.set(next);
    true
}

/// Has the lane count one half of a hop, and charges the activation `open` for it. The thread is at work.
#[inline(always)]
fn note(lane: &Lane, open: &Frame, half: &HalfPrice) {
    let what = open.what.get();
    if what & frame::NODE == 0 {
        // What a signal has interrupted in its opening has not begun.
        if what == 0 {
            return;
        }
        open.what.store(what | frame::CHARGED, Ordering::Release);
    }
    open.charge.bump(half.charge.get());
    // Whole ticks now, the rest together with the next one's.
    let due = lane.rest.get().wrapping_add(half.now.get());
    lane.rest.set(due % (1 << CHARGE_SHIFT));
    open.child_raw.bump(due >> CHARGE_SHIFT);
    // SAFETY: an open frame is no row's END.
    unsafe { open.pending() }.halves.bump(1);
}

/// Its argument: what a `hop!` is given must be a stamp.
#[inline(always)]
#[must_use]
pub const fn stamped(stamp: Stamp) -> Stamp {
    stamp
}

/// Ends a hop: records the time since `stamp` at `site`.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn hop(site: &'static Site, stamp: Stamp) {
    if site.key.load(Ordering::Relaxed) <= UNKNOWN {
        return hop_slowly(site, stamp);
    }
    read_and_end(site, stamp);
}

/// The second reading, whose parts are passed on to [`end`], and the fence behind it: as in
/// `guard::read_and_close`.
#[cfg(all(target_arch = "x86_64", not(windows), not(driven_clock)))]
#[inline(always)]
fn read_and_end(site: &'static Site, stamp: Stamp) {
    // SAFETY: RDTSCP is there, or no site would have a key: see `clock::arch::available`. The call
    // follows the C convention, on an aligned stack, and never unwinds.
    unsafe {
        core::arch::asm!("rdtscp", "mov esi, eax", "call {end}", "lfence",
            end = sym end, in("rdi") site, in("r8") stamp.ticks,
            in("r9") u64::from(stamp.cpu), clobber_abi("C"));
    }
}

/// The second reading, whose parts are passed on to [`end`], and the barrier behind it.
#[cfg(not(all(target_arch = "x86_64", not(windows), not(driven_clock))))]
#[inline(always)]
fn read_and_end(site: &'static Site, stamp: Stamp) {
    let (low, high, cpu) = arch::stop_parts();
    end(site, low, high, cpu, stamp.ticks, stamp.cpu);
    arch::settle();
}

/// Records a hop from `from`, taken on `from_cpu`, to the fenced reading in halves, taken on `cpu`.
#[inline(never)]
extern "C" fn end(site: &'static Site, low: u32, high: u32, cpu: u32, from: u64, from_cpu: u32) {
    // SAFETY: the thread is running.
    let desk = unsafe { &*thread::desk() };
    let hop = Hop { stamp: Stamp { ticks: from, cpu: from_cpu }, end: join(low, high), cpu };
    if !end_in_lane(desk, site, &hop) {
        end_slowly(site, &hop);
    }
}

/// A hop that has ended, and where.
struct Hop {
    stamp: Stamp,
    end: u64,
    cpu: u32,
}

impl Hop {
    /// Whether it ended on another CPU than it began on, as far as the clock tells: one that does not
    /// says 0 of both.
    #[inline(always)]
    fn has_moved(&self) -> bool {
        self.cpu != self.stamp.cpu
    }

    /// Whether it began before the lane's counts.
    #[inline(always)]
    fn is_from_before(&self, lane: &Lane) -> bool {
        is_from_before(lane, self.stamp.ticks << BASE_SHIFT)
    }

    /// From its beginning to its end, in ticks: negative where the beginning's counter was ahead.
    #[inline(always)]
    fn value(&self) -> u64 {
        self.end.wrapping_sub(self.stamp.ticks)
    }
}

/// The ordinary path; false, and nothing recorded, where something is not ordinary.
#[inline(always)]
fn end_in_lane(desk: &Desk, site: &'static Site, hop: &Hop) -> bool {
    let next = desk.next.replace(thread::nowhere());
    compiler_fence(Ordering::SeqCst);
    // SAFETY: the thread's lane is EMPTY or one that it owns; `next` is NOWHERE or a frame of that.
    let (lane, open) = unsafe { (&*desk.lane.get(), (*next).parent.get()) };
    // A thread at work, or without a lane, shows a frame without a parent.
    let done = open != 0 && hop.end < lane.next_batch.get() && {
        let key = site.key.load(Ordering::Relaxed);
        lane.hop_slot(key).is_some_and(|slot| add(lane, slot, hop))
    };
    if done {
        // SAFETY: a frame's parent is one of the same lane.
        note(lane, unsafe { frame_at(open) }, &lane.hop_end);
    }
    compiler_fence(Ordering::SeqCst);
    desk.next.set(next);
    done
}

/// Adds an ordinary hop to a slot of the lane; false where it is not.
#[inline(always)]
fn add(lane: &Lane, slot: &Slot, hop: &Hop) -> bool {
    // SAFETY: `end_in_lane` has found the slot in this thread's lane, in which it is at work.
    if hop.is_from_before(lane) || !unsafe { add_ordinary(slot, hop.value()) } {
        return false;
    }
    count_moved(slot, hop);
    true
}

/// Notes an interval that is counted, if it ended on another CPU than it began on.
#[inline(always)]
fn count_moved(slot: &Slot, hop: &Hop) {
    if hop.has_moved() {
        let value = hop.value();
        slot.migrated.bump(1);
        slot.migrated_sum.bump(value);
        slot.migrated_max.set(slot.migrated_max.get().max(value));
    }
}
