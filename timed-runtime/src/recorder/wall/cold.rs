//! Wall times on every path that is not the ordinary one.

use super::super::books::Books;
use super::super::cold::{self, books};
use super::super::lane::{Lane, frame_at};
use super::super::layout::{BASE_SHIFT, Frame, Slot, frame};
use super::super::owner::{give_back_borrowed, lane_for_call};
use super::super::probe::POLL;
use super::super::process::{self, Process};
use super::super::reading::add_value;
use super::super::site::Site;
use super::super::thread::{self, Desk, State};
use super::{NEW, OUT, Poll, Step, count_inner, elapsed, end, is_from_before};
use crate::clock::monotonic_ns;
use crate::sync::Own as _;
use std::sync::atomic::Ordering;

/// Runs `f` with the slots of `site` in this thread's lane, the thread at work; none if it cannot.
pub(super) fn with_slots<T>(
    site: &'static Site,
    f: impl FnOnce(&Lane, &mut Books, &'static Slot, &'static Slot) -> T,
) -> Option<T> {
    with_lane(|_, _, lane, books| {
        let slot = books.slot(site)?;
        let wall = books.wall_slot(slot)?;
        Some(f(lane, books, slot, wall))
    })
}

/// Runs `f` with this thread's lane, the thread at work; none if it cannot.
pub(in super::super) fn with_lane<T>(
    f: impl FnOnce(&Desk, &'static Process, &Lane, &mut Books) -> Option<T>,
) -> Option<T> {
    let mut borrowed = None;
    let done = cold::work(|desk| {
        let process = process::get_or_start()?;
        let lane = lane_for_call(desk, process)?;
        borrowed = (desk.state.get() == State::GoneAtWork).then_some(lane);
        // SAFETY: `lane_for_call` returns a lane that this thread owns, and it is at work.
        f(desk, process, lane, unsafe { books(lane) })
    });
    if let Some(lane) = borrowed {
        thread::with_desk(|desk| give_back_borrowed(desk, lane));
    }
    done
}

#[cold]
#[inline(never)]
pub(super) fn advance_slowly(poll: &Poll, base: &mut u64) {
    let Some(site) = poll.site() else {
        *base = OUT;
        return;
    };
    let is_new = *base == NEW;
    let done = with_slots(site, |lane, books, slot, wall| {
        *base = match Step::of(lane, poll, *base) {
            Some(step) if poll.ends => {
                add(books, slot, wall, elapsed(poll.end, step.now));
                step.end(wall);
                OUT
            }
            Some(step) => step.go_on(lane, wall),
            None => OUT,
        };
    });
    if done.is_none() && (is_new || poll.ends) {
        site.count_untimed();
        *base = OUT;
    }
}

/// Adds the time of a call that is over.
pub(in super::super) fn add(books: &mut Books, slot: &Slot, wall: &Slot, value: u64) {
    if (value as i64) < 0 {
        wall.negative.bump(1);
        return;
    }
    count_inner(slot, wall, value);
    add_value(books, wall, value);
}

/// The process's clock, now, as the end of something that has no frame.
pub(super) fn now() -> u64 {
    match process::get() {
        Some(process) if process.clock.counter => crate::clock::stop_counter(),
        _ => monotonic_ns(),
    }
}

/// Ends a call in a poll without an activation: all is off or paused by now, or the thread was at
/// work.
#[cold]
#[inline(never)]
pub(in super::super) fn end_unseen(site: &'static Site, base: &mut u64) {
    let end = now();
    advance_slowly(&Poll { what: site.address(), begin: end, end, spent: 0, ends: true }, base);
}

/// Ends a call whose future is dropped before it was ready.
#[cold]
#[inline(never)]
pub(in super::super) fn cancel(site: &'static Site, base: u64) {
    let now = now();
    let done = with_slots(site, |lane, _, _, wall| {
        if !is_from_before(lane, base) {
            wall.cancelled.bump(1);
            wall.cancelled_sum.bump(elapsed(now, base));
            end(wall, base);
        }
    });
    if done.is_none() {
        site.count_untimed();
    }
}

/// On the system's clock, or in a forked child that returns from one of its parent's polls.
///
/// # Safety
/// As for [`close_full`].
#[cold]
#[inline(never)]
pub(super) unsafe fn close_uncounted(
    frame: *const Frame,
    end: u64,
    cpu: u32,
    base: &mut u64,
    ends: bool,
) {
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

/// For a poll that a signal handler makes while costs are measured, which closing counts as an
/// untimed call. Of a call that has begun elsewhere, that counts only if it is the last poll.
#[cold]
pub(super) fn forget_stranger(this: &Frame, base: &mut u64, ends: bool) {
    let what = this.what.get();
    if *base == NEW || ends {
        *base = OUT;
    } else if what & frame::NODE == 0 {
        // SAFETY: nothing finds a stranger its place in that lane: the word is a site's address.
        unsafe { Site::at(frame::address(what)) }.untimed.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Notes in a future's first poll that it is one.
#[cold]
pub(in super::super) fn mark_first(given: &Frame) {
    // On the system's clock the activation is the one below its stub.
    let is_stub = given.what.get() == frame::NODE;
    // SAFETY: a stub's parent is a frame of the same lane.
    let real = if is_stub { unsafe { frame_at(given.parent.get()) } } else { given };
    real.how.set(real.how.get() | frame::FIRST);
}

/// Ends what was opened in a poll and outlived it: its wall time is known, and nothing else.
pub(in super::super) fn end_stranded(lane: &Lane, books: &mut Books, this: &Frame, end: u64) {
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
