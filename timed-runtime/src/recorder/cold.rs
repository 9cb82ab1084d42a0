//! Everything that the ordinary path does not do: first calls, new nodes, new octaves, extremes,
//! migrations, threads without a lane, other clocks.
//!
//! While a recorder works, its thread's desk shows no frame, and in a cold path the thread is
//! `AtWork` besides: a timed call made from inside (by an allocator, or a signal handler) does one
//! `fetch_add` on its site and goes on untimed. What a cold path takes is added to the `lost` ticks
//! of the activation around it, which every activation around that takes off.

use super::books::Books;
use super::lane::{Lane, frame_at, node_at, slot_at};
use super::layout::{Frame, frame};
use super::owner::{give_back_borrowed, keep_up, lane_for_call};
use super::probe::{self, POLL, Place, RELAXED};
use super::process::{self, Process};
use super::reading::{Reading, add_pending, add_reading};
use super::site::{NO_KEY, Site, Tally, UNKNOWN};
use super::thread::{self, Desk, State};
use super::{calibrate, control, wall};
use crate::clock::{bare_pair, can_read, monotonic_ns};
use crate::errno::Errno;
use crate::sync::{Ordering, Own as _};
use std::ptr;
use std::sync::atomic::compiler_fence;

/// Opens an activation that the ordinary path could not, and takes its first reading.
#[cold]
#[inline(never)]
pub(crate) extern "C" fn open(site: &'static Site) -> *const Frame {
    let opened = work(|desk| open_at_work(desk, site)).unwrap_or_else(|| untimed(site));
    // SAFETY: null, or a frame of this thread's lane, never given back.
    if let Some(frame) = unsafe { opened.as_ref() } {
        crate::clock::arch::start_into(&frame.start);
    }
    opened
}

/// Counts a call of a sampled site. True if it is to be timed.
#[cold]
#[inline(never)]
pub(crate) extern "C" fn take_turn(site: &'static Site, tally: &Tally) -> bool {
    work(|desk| countdown(desk, site, tally)).unwrap_or_else(|| !untimed(site).is_null())
}

/// Closes an activation that the ordinary path could not.
#[cold]
#[inline(never)]
pub(crate) extern "C" fn close(frame: *const Frame, end: u64, cpu: u32, kind: usize) {
    let _errno = Errno::keep();
    thread::with_desk(|desk| {
        // Without a lane this is a forked child returning from its parent's activations, which the
        // parent reports.
        let Some(lane) = desk.own_lane() else { return };
        let (state, next, held) = (desk.state.get(), desk.next.get(), desk.held.get());
        // SAFETY: the guard's frame is never given back.
        if lane.is_bench() && end_stranger(desk, unsafe { &*frame }) {
            return;
        }
        desk.next.set(thread::nowhere());
        desk.state.set(state.at_work());
        if state != State::Gone {
            desk.held.set(next);
        }
        // SAFETY: the lane is this thread's, which is at work in it; the guard's frame is never
        // given back.
        unsafe { close_at_work(desk, lane, &*frame, end, cpu, kind) };
        desk.state.set(state);
        if state == State::Gone {
            give_back_borrowed(desk, lane);
        } else {
            desk.next.set(desk.held.get());
            desk.held.set(held);
        }
    });
}

/// Runs `f` with the thread at work; none if it is at work already.
pub(crate) fn work<T>(f: impl FnOnce(&Desk) -> Option<T>) -> Option<T> {
    let _errno = Errno::keep();
    thread::with_desk(|desk| {
        let (state, next) = (desk.state.get(), desk.next.get());
        let busy = match state {
            State::AtWork | State::GoneAtWork => true,
            State::Gone => false,
            // The ordinary path is at work if it has taken the frame away. In a forked child the
            // lane is wiped, and there is no work to go on with.
            State::Ready => ptr::eq(next, thread::nowhere()) && desk.own_lane().is_some(),
        };
        if busy {
            return None;
        }
        // From the first of these on, a signal handler's calls go untimed. Until the second, it may find
        // a thread a lane that has none.
        let taken = desk.own_lane().map(|_| desk.next.replace(thread::nowhere()));
        compiler_fence(Ordering::SeqCst);
        desk.state.set(state.at_work());
        compiler_fence(Ordering::SeqCst);
        let next = taken.unwrap_or_else(|| desk.next.replace(thread::nowhere()));
        if state == State::Ready {
            desk.held.set(next);
        }
        let done = f(desk);
        // A thread that comes too late for a destructor has become `GoneAtWork` meanwhile.
        if desk.state.get() == State::GoneAtWork {
            desk.state.set(State::Gone);
        } else {
            desk.state.set(State::Ready);
            desk.next.set(desk.held.get());
        }
        done
    })
}

/// Counts a call that nothing else will count.
#[cold]
fn untimed(site: &'static Site) -> *const Frame {
    site.count_untimed();
    ptr::null()
}

/// Ends a call that a signal handler has made while costs were measured, in the lane of that. It
/// counts as untimed. False if it is none.
///
/// A stranger is not in that lane's cache, so all of them come here; and nothing is looked up for
/// them, since the handler may have come in the middle of an allocation.
fn end_stranger(desk: &Desk, this: &Frame) -> bool {
    let what = this.what.get();
    if what & frame::NODE != 0 {
        return false;
    }
    // SAFETY: without that flag, an open frame's word is a site's address.
    let site = unsafe { Site::at(frame::address(what)) };
    if calibrate::is_own(site) {
        return false;
    }
    untimed(site);
    this.start.set(0);
    this.what.set(0);
    this.clear();
    desk.next.set(this);
    true
}

/// A lane's books.
///
/// # Safety
/// The lane must be live, and the caller must be its owner, at work.
#[expect(clippy::mut_from_ref, reason = "the condition above leaves one user")]
pub(crate) unsafe fn books(lane: &Lane) -> &mut Books {
    // SAFETY: a lane that is live has books of its own, and being at work keeps a second use of
    // them away from this thread.
    unsafe { &mut *lane.books.get() }
}

/// Null where the site is off by now; none where the call cannot be timed.
fn open_at_work(desk: &Desk, site: &'static Site) -> Option<*const Frame> {
    let Some(process) = process::get_or_start() else {
        return control::is_off().then(|| off(site));
    };
    let began = process.clock.now();
    if known(site, process) == 0 {
        return Some(ptr::null());
    }
    let lane = lane_for_call(desk, process)?;
    // SAFETY: `lane_for_call` returns a lane that this thread owns, and it is at work.
    let books = unsafe { books(lane) };
    books.record_site(site, site.number())?;
    // The guard would end with an instruction that the processor does not have: the call is counted.
    if !process.clock.counter && !can_read() {
        let root = books.root_address();
        return books.resolve(lane, root, site, None).and(None);
    }
    let below = desk.open();
    // Here finding its place is measured.
    books.settle_path(lane, below);
    let opened = books.free_frame(lane, desk.held())?;
    let top = if process.clock.counter {
        opened.what.store(site.address(), Ordering::Release);
        opened
    } else {
        // Two frames: the guard writes a counter's reading, which means nothing here, into the
        // first; the second is the activation, above the same caller.
        // SAFETY: above a free frame there is another one, or its row's END.
        let frame = books.free_frame(lane, unsafe { &*ptr::from_ref(opened).add(1) })?;
        opened.what.set(frame::NODE);
        opened.parent.set(ptr::from_ref(frame).expose_provenance() as u64);
        frame.parent.set(ptr::from_ref(below).expose_provenance() as u64);
        frame.what.store(site.address(), Ordering::Release);
        frame.start.store(monotonic_ns(), Ordering::Release);
        frame
    };
    let next = ptr::from_ref(top).wrapping_add(1);
    if !process.clock.counter {
        // SAFETY: above a free frame there is another one, or its row's END.
        unsafe { &*next }.parent.set(ptr::from_ref(top).expose_provenance() as u64);
    }
    desk.held.set(next);
    below.lost.bump(process.clock.now().wrapping_sub(began));
    Some(opened)
}

/// Everything is off: the site had not heard of it.
fn off(site: &'static Site) -> *const Frame {
    control::refresh(site);
    ptr::null()
}

/// The site's key, known to this process from now on.
pub(super) fn known(site: &'static Site, process: &Process) -> u64 {
    let key = site.key.load(core::sync::atomic::Ordering::Relaxed);
    if key == UNKNOWN
        || site.known_to.load(core::sync::atomic::Ordering::Relaxed) != process.generation
    {
        return control::refresh(site);
    }
    key
}

/// Whether this call of a sampled site is to be timed; none if it can be neither timed nor counted.
fn countdown(desk: &Desk, site: &'static Site, tally: &Tally) -> Option<bool> {
    let Some(process) = process::get_or_start() else {
        off(site);
        return Some(false);
    };
    let began = process.clock.now();
    let key = known(site, process);
    if key == 0 {
        return Some(false);
    }
    let lane = lane_for_call(desk, process)?;
    // SAFETY: `lane_for_call` returns a lane that this thread owns, and it is at work.
    let books = unsafe { books(lane) };
    let slot = books.slot(site)?;
    // A borrowed lane belongs to the thread for one call only: no tally may lead there. And none
    // may while the countdown changes here, or a signal handler would count it down in between.
    let lasting = desk.state.get() == State::AtWork;
    if lasting {
        if tally.key.replace(NO_KEY) == NO_KEY {
            books.tallies.push(tally)?;
        }
        tally.countdown.set(&raw const slot.countdown);
        compiler_fence(Ordering::SeqCst);
    }
    let left = slot.countdown.get();
    // It is below zero where the ordinary path has sent the call here.
    let is_timed = left as i64 <= 0;
    if is_timed {
        let next = books.draw(site.sample);
        slot.issued.bump(next);
        slot.countdown.set(next);
    } else {
        slot.countdown.set(left - 1);
    }
    if lasting {
        compiler_fence(Ordering::SeqCst);
        tally.key.set(key);
    }
    let below = desk.open();
    books.settle_path(lane, below);
    below.lost.bump(process.clock.now().wrapping_sub(began));
    Some(is_timed)
}

/// # Safety
/// The calling thread must own the lane and be at work in it.
unsafe fn close_at_work(
    desk: &Desk,
    lane: &Lane,
    given: &'static Frame,
    end: u64,
    cpu: u32,
    kind: usize,
) {
    // A forked child, with a lane by now, returns from one of its parent's: the frame is wiped.
    if given.parent.get() == 0 {
        return;
    }
    // SAFETY: as for this function.
    let books = unsafe { books(lane) };
    let (this, end) = if lane.counter.get() {
        (given, end)
    } else {
        let end = monotonic_ns();
        // SAFETY: `given` is the stub in front of the activation: `open_at_work` left the
        // activation's frame there.
        (unsafe { frame_at(given.parent.get()) }, end)
    };
    // SAFETY: a frame once opened has a parent for good.
    let mut parent = unsafe { frame_at(this.parent.get()) };
    // What a signal has interrupted in its opening is no caller yet.
    while parent.what.get() == 0 && parent.parent.get() != 0 {
        // SAFETY: as above.
        parent = unsafe { frame_at(parent.parent.get()) };
    }
    let pending = &books.block.pending;
    add_pending(lane, books, pending);
    keep_up(desk, lane, books);
    if this.how.get() & frame::STRANDED != 0 {
        wall::end_stranded(lane, books, this, end);
        return;
    }
    let mut on_top = ptr::eq(desk.open(), this);
    if !on_top {
        // A poll takes what was opened in it off the path, and is on top then; anything else leaves it
        // there. (On the system's clock an activation has two frames, of which one alone cannot be set
        // aside.)
        let is_open = if kind & POLL != 0 && lane.counter.get() {
            on_top = books.strand(desk, this);
            on_top
        } else {
            books.splice(desk, this)
        };
        if !is_open {
            // It was cut off before, and counted as dropped then.
            return;
        }
    }
    let begin = this.start.get();
    books.settle_path(lane, this);
    // SAFETY: `settle_path` has put a node's address there, and its slot is this lane's.
    let (node, slot) = unsafe {
        let node = node_at(this.what.get() & !frame::NODE);
        (node, slot_at(node.slot.get()))
    };
    let place = Place::new(node, slot, this.how.get() & frame::INNER);
    if on_top {
        let below = this.parent.get();
        books.straighten(given, desk.held());
        // A stub is above what its activation was, before anyone walks from it.
        given.parent.set(below);
        desk.held.set(given);
    }
    if place.inner == 0 {
        books.hand_over(desk, this, slot);
    }
    let closing = if this.callees.get() > 0 { lane.closing.get() } else { 0 };
    let charge = place.add_callees(this, parent, lane);
    parent.lost.bump(this.lost.get().wrapping_add(closing));
    probe::charge_caller(parent, lane, kind);
    let reading = Reading {
        end,
        base: begin.wrapping_add(this.lost.get()),
        charge,
        sums: place.sums,
        slot,
        caller: parent,
        cpu: (kind & RELAXED == 0 && lane.counter.get()).then_some(u64::from(cpu)),
    };
    this.start.set(0);
    given.start.set(0);
    this.what.set(0);
    this.clear();
    add_reading(lane, books, &reading);
    if lane.counter.get() && lane.has_batch_due(begin, end) {
        batch(lane, books);
    }
    parent.lost.bump(lane.now().wrapping_sub(end));
}

/// What is done every 10 ms: how long a bare pair takes now, and an anchor if one is due.
pub(super) fn batch(lane: &Lane, books: &mut Books) {
    if let Some(process) = process::get() {
        let pair = bare_pair();
        if process.costs.fits(pair as f64 / 256.0) {
            books.weigh_pair(pair);
            lane.follow(pair);
        }
        process.history.follow(lane.now(), &process.clock, process.batch_every);
    }
    lane.put_off_batch();
}
