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

use super::books::Books;
use super::calibrate;
use super::cold::{self, books};
use super::histogram;
use super::lane::{Lane, frame_at, node_at, slot_at};
use super::layout::{BASE_SHIFT, CHARGE_SHIFT, Frame, Row, Slot, frame};
use super::owner::{give_back_borrowed, lane_for_call};
use super::probe::{self, POLL, RELAXED};
use super::process;
use super::reading::add_value;
use super::site::Site;
use super::thread::{self, Desk, State};
use crate::clock::{join, monotonic_ns};
use crate::sync::Own as _;
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
    if lane.is_bench() && this.what.get() != calibrate::polled() {
        forget_stranger(this, base, ends);
        cold::close(frame, join(low, high), cpu, KIND);
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

/// For a poll that a signal handler makes while costs are measured, which closing counts as an
/// untimed call. Of a call that has begun elsewhere, that counts only if it is the last poll.
#[cold]
fn forget_stranger(this: &Frame, base: &mut u64, ends: bool) {
    let what = this.what.get();
    if *base == NEW || ends {
        *base = OUT;
    } else if what & frame::NODE == 0 {
        // SAFETY: nothing finds a stranger its place in that lane: the word is a site's address.
        unsafe { Site::at(what) }.untimed.fetch_sub(1, Ordering::Relaxed);
    }
}

/// On the system's clock, or in a forked child that returns from one of its parent's polls.
///
/// # Safety
/// As for [`close_full`].
#[cold]
#[inline(never)]
unsafe fn close_uncounted(frame: *const Frame, end: u64, cpu: u32, base: &mut u64, ends: bool) {
    // SAFETY: the guard's frame is never given back.
    let given = unsafe { &*frame };
    // SAFETY: `given` is the stub in front of the activation; the thread's lane is EMPTY or its own.
    let real = (given.parent.get() != 0).then(|| unsafe {
        let desk = &*thread::desk();
        Poll::of(frame_at(given.parent.get()), &*desk.lane.get(), monotonic_ns(), ends)
    });
    cold::close(frame, end, cpu, POLL);
    match real {
        Some(poll) => advance_slowly(&poll, base),
        None => *base = OUT,
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
        match self.what {
            0 => None,
            what if what & frame::NODE == 0 => {
                // SAFETY: without the flag, an open frame's word is a site's address.
                Some(unsafe { Site::at(what) })
            }
            node => {
                // SAFETY: with it, it is that of a node of this process; a slot's home is a site.
                let site = unsafe {
                    Site::at(slot_at(node_at(node & !frame::NODE).slot.get()).home.get())
                };
                site.is_listed().then_some(site)
            }
        }
    }
}

/// Whether a call with this base began before the lane's counts, in another lane's time.
#[inline(always)]
fn is_from_before(lane: &Lane, base: u64) -> bool {
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
                slot => Some(slot_at(slot)).filter(|slot| slot.home.get() == poll.what),
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
    let is_new = *base == NEW;
    let (before, from) = if is_new { (0, poll.begin << BASE_SHIFT) } else { (*base, *base) };
    if is_from_before(lane, from) {
        return false;
    }
    let now = from.wrapping_add(poll.spent);
    if !poll.ends {
        let now = now.wrapping_add(lane.poll_price.get());
        wall.live.bump(u64::from(is_new));
        wall.bases.bump(now.wrapping_sub(before));
        *base = now;
        return true;
    }
    let value = elapsed(poll.end, now);
    if value.wrapping_sub(wall.min.get()) > wall.span.get() {
        return false;
    }
    let (row, bucket) = histogram::stored(value);
    // SAFETY: values from the limit on are outside of min and span, so the row exists.
    let row = unsafe { wall.rows.get_unchecked(row) }.get();
    if row == 0 {
        return false;
    }
    // SAFETY: a slot's rows are addresses of its own blocks, and `stored` returns a bucket in them.
    unsafe {
        let row = &*ptr::with_exposed_provenance::<Row>(row as usize);
        row.count(bucket).bump(1);
        row.sum.bump(value);
    }
    count_inner(slot, wall, value);
    end(wall, is_new, before);
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

/// Takes a call that is over, whose base was `before`, off those under way, if it is among them.
#[inline(always)]
fn end(wall: &Slot, is_new: bool, before: u64) {
    if !is_new {
        wall.live.bump(u64::MAX);
        wall.bases.bump(before.wrapping_neg());
    }
}

/// Runs `f` with the slots of `site` in this thread's lane, the thread at work; none if it cannot.
fn with_slots<T>(
    site: &'static Site,
    f: impl FnOnce(&Lane, &mut Books, &'static Slot, &'static Slot) -> T,
) -> Option<T> {
    let mut borrowed = None;
    let done = cold::work(|desk| {
        let lane = lane_for_call(desk, process::get_or_start()?)?;
        // SAFETY: `lane_for_call` returns a lane that this thread owns, and it is at work.
        let books = unsafe { books(lane) };
        let slot = books.slot(site)?;
        let wall = books.wall_slot(slot)?;
        borrowed = (desk.state.get() == State::GoneAtWork).then_some(lane);
        Some(f(lane, books, slot, wall))
    });
    if let Some(lane) = borrowed {
        thread::with_desk(|desk| give_back_borrowed(desk, lane));
    }
    done
}

#[cold]
#[inline(never)]
fn advance_slowly(poll: &Poll, base: &mut u64) {
    let Some(site) = poll.site() else {
        *base = OUT;
        return;
    };
    let is_new = *base == NEW;
    let done = with_slots(site, |lane, books, slot, wall| {
        let (before, from) = if is_new { (0, poll.begin << BASE_SHIFT) } else { (*base, *base) };
        if is_from_before(lane, from) {
            *base = OUT;
            return;
        }
        let now = from.wrapping_add(poll.spent);
        if poll.ends {
            add(books, slot, wall, elapsed(poll.end, now));
            end(wall, is_new, before);
            *base = OUT;
        } else {
            let now = now.wrapping_add(lane.poll_price.get());
            wall.live.bump(u64::from(is_new));
            wall.bases.bump(now.wrapping_sub(before));
            *base = now;
        }
    });
    if done.is_none() && (is_new || poll.ends) {
        site.count_untimed();
        *base = OUT;
    }
}

/// Adds the time of a call that is over.
fn add(books: &mut Books, slot: &Slot, wall: &Slot, value: u64) {
    if (value as i64) < 0 {
        wall.negative.bump(1);
        return;
    }
    count_inner(slot, wall, value);
    add_value(books, wall, value);
}

/// The process's clock, now, as the end of something that has no frame.
fn now() -> u64 {
    match process::get() {
        Some(process) if process.clock.counter => crate::clock::stop(),
        _ => monotonic_ns(),
    }
}

/// Ends a call in a poll without an activation: all is off or paused by now, or the thread was at
/// work.
#[cold]
#[inline(never)]
pub(super) fn end_unseen(site: &'static Site, base: &mut u64) {
    let end = now();
    advance_slowly(&Poll { what: site.address(), begin: end, end, spent: 0, ends: true }, base);
}

/// Ends a call whose future is dropped before it was ready.
#[cold]
#[inline(never)]
pub(super) fn cancel(site: &'static Site, base: u64) {
    let now = now();
    let done = with_slots(site, |lane, _, _, wall| {
        if !is_from_before(lane, base) {
            wall.cancelled.bump(1);
            wall.cancelled_sum.bump(elapsed(now, base));
            end(wall, false, base);
        }
    });
    if done.is_none() {
        site.count_untimed();
    }
}

/// Notes in a future's first poll that it is one.
#[cold]
pub(super) fn mark_first(given: &Frame) {
    // On the system's clock the activation is the one below its stub.
    let is_stub = given.what.get() == frame::NODE;
    // SAFETY: a stub's parent is a frame of the same lane.
    let real = if is_stub { unsafe { super::lane::frame_at(given.parent.get()) } } else { given };
    real.how.set(real.how.get() | frame::FIRST);
}

/// Ends what was opened in a poll and outlived it: its wall time is known, and nothing else.
pub(super) fn end_stranded(lane: &Lane, books: &mut Books, this: &Frame, end: u64) {
    let poll = Poll::of(this, lane, end, true);
    this.start.set(0);
    this.what.set(0);
    this.clear();
    this.how.set(this.how.get() & !frame::STRANDED | frame::READY);
    let base = poll.begin << BASE_SHIFT;
    if is_from_before(lane, base) {
        books.block.dropped.bump(1);
        return;
    }
    let slots = poll.site().and_then(|site| {
        let slot = books.slot(site)?;
        Some((slot, books.wall_slot(slot)?))
    });
    if let Some((slot, wall)) = slots {
        add(books, slot, wall, elapsed(end, base.wrapping_add(poll.spent)));
    }
}

/// The wall time of a block that awaits, from here until it is dropped, on whatever thread.
#[derive(Debug)]
#[must_use]
pub struct Span {
    site: &'static Site,
    /// As its lane has noted it, and as it is: a reading behind all of the beginning.
    noted: u64,
    base: u64,
}

/// Begins a [`Span`].
pub fn span(site: &'static Site) -> Span {
    // As for calls: off, paused or filtered out is decided when it begins.
    let noted = with_slots(site, |lane, _, _, wall| {
        if super::control::refresh(site) == 0 {
            return OUT;
        }
        let noted = lane.now() << BASE_SHIFT;
        wall.live.bump(1);
        wall.bases.bump(noted);
        noted
    });
    let noted = noted.unwrap_or_else(|| {
        if !super::control::is_off() {
            site.count_untimed();
        }
        OUT
    });
    let counter = process::get().is_none_or(|process| process.clock.counter);
    let begin = if counter { crate::clock::arch::start() } else { monotonic_ns() };
    Span { site, noted, base: begin << BASE_SHIFT }
}

impl Drop for Span {
    fn drop(&mut self) {
        if self.noted == OUT {
            return;
        }
        let now = now();
        let done = with_slots(self.site, |lane, books, slot, wall| {
            if !is_from_before(lane, self.noted) {
                add(books, slot, wall, elapsed(now, self.base));
                end(wall, false, self.noted);
            }
        });
        if done.is_none() {
            self.site.count_untimed();
        }
    }
}
