//! Threads and their lanes: claiming, making, keeping up with resets, giving up.

use super::books::Books;
use super::cold::books;
use super::lane::{Lane, NO_CPU};
use super::layout::{BASE_SHIFT, CHARGE_SHIFT};
use super::process::{LaneAt, Process};
use super::reading::add_pending;
use super::roster::Seat;
use super::thread::{self, Desk, State};
use super::{control, memory};
use crate::sync::Own as _;

/// The lane that this thread owns, claimed or made if it has none; cleared if there was a reset.
pub(super) fn lane_for_call(desk: &Desk, process: &'static Process) -> Option<&'static Lane> {
    let lane = match desk.own_lane() {
        Some(lane) => lane,
        None => claim(desk, process)?,
    };
    // SAFETY: this thread owns the lane and is at work.
    keep_up(desk, lane, unsafe { books(lane) });
    Some(lane)
}

/// Clears the lane if there was a reset. The bench's counts are nobody's: a run compares them with what
/// they were before it.
pub(super) fn keep_up(desk: &Desk, lane: &Lane, books: &mut Books) {
    let (epoch, when) = control::last_reset();
    if books.block.epoch.get() != epoch && !lane.is_bench() {
        books.block.pending.end.set(0);
        lane.since.set(when);
        books.clear(desk, epoch, when);
    }
}

fn claim(desk: &Desk, process: &'static Process) -> Option<&'static Lane> {
    let thread = thread::id();
    if desk.state.get() == State::AtWork && !thread::say_farewell() {
        desk.state.set(State::GoneAtWork);
    }
    let seat = match process.roster.claim(thread, thread::is_gone) {
        Some(seat) => seat,
        None => new_lane(process, thread)?,
    };
    // SAFETY: this thread owns the seat now, and lanes are never given back.
    let lane = unsafe { &*seat.lane.0 };
    // SAFETY: as above, and it is at work.
    let books = unsafe { books(lane) };
    books.seat = Some(seat);
    let pending = &books.block.pending;
    add_pending(lane, books, pending);
    books.cut_off_left();
    lane.cpu.set(NO_CPU);
    books.set_up(desk, lane);
    books.block.threads.bump(1);
    Some(lane)
}

fn new_lane(process: &'static Process, thread: u64) -> Option<&'static Seat<LaneAt>> {
    let books = Books::new(&process.arena, process.generation)?;
    let lane = make_lane(books, process.clock.counter)?;
    // SAFETY: this thread has just made the lane, and is at work.
    let books = unsafe { self::books(lane) };
    let (epoch, when) = control::last_reset();
    books.block.epoch.set(epoch);
    // A forked child knows of its parent's resets, and may end its parent's calls. Else nothing can have
    // begun before: where it seems so, the counter has run back.
    lane.since.set(if process.is_child() { when.max(process.began.ticks) } else { when });
    if process.clock.counter {
        lane.batch_every.set(process.batch_every);
        lane.put_off_batch();
    }
    let in_charges = f64::from(1 << CHARGE_SHIFT);
    // It is far below a bare pair: what is measured as more, signals have disturbed. A clock whose
    // steps are longer than that might read less than what is lost, and cannot tell it anyway.
    let costs = &process.costs;
    let most = if (process.resolution as f64) < costs.pair / 2.0 { costs.pair / 2.0 } else { 0.0 };
    let bounded = |ticks: f64| ticks.min(most).max(-most).round() as i64 as u64;
    lane.finding.set(bounded(costs.finding));
    lane.closing.set(bounded(costs.closing));
    lane.price.set((costs.full.whole().max(0.0) * in_charges).round() as u64);
    for (surcharge, cost) in [(&lane.relaxed, &costs.relaxed), (&lane.poll, &costs.poll)] {
        let more = (cost.floor - costs.full.floor) * in_charges;
        surcharge.charge.set(more.round() as i64 as u64);
        surcharge.lost.set((cost.outside - costs.full.outside).round() as i64 as u64);
    }
    let in_bases = f64::from(1 << BASE_SHIFT);
    lane.poll_price.set((costs.poll.whole().max(0.0) * in_bases).round() as u64);
    lane.stamp.set(costs.stamp, costs.pair);
    lane.hop_end.set(costs.hop_end(), costs.pair);
    Some(process.roster.add(&books.block.owner, thread, LaneAt(lane)))
}

/// A live lane with these books, which costs nothing and has no batches.
pub(crate) fn make_lane(books: Books, counter: bool) -> Option<&'static Lane> {
    let lane = memory::zeroed(size_of::<Lane>())?.cast::<Lane>();
    // SAFETY: zeroed memory of a Lane's size, aligned to a page, which is a Lane that knows
    // nothing; it is never given back.
    let lane: &'static Lane = unsafe { &*lane };
    lane.counter.set(counter);
    // Without the counter every end is cold: 0 has always come.
    lane.next_batch.set(if counter { u64::MAX } else { 0 });
    lane.books.set(Box::into_raw(Box::new(books)));
    Some(lane)
}

/// Gives the lane up: the thread ends.
pub(crate) fn leave() {
    thread::with_desk(|desk| {
        let home = desk.own_lane();
        desk.state.set(State::GoneAtWork);
        desk.held.set(desk.next.replace(thread::nowhere()));
        if let Some(lane) = home {
            // SAFETY: this thread owns the lane until the release below, and is at work.
            let books = unsafe { books(lane) };
            books.clear_tallies();
            // The last reading stays pending, where readers find it: this may run when others take
            // the thread for ended already (a scope does), and count its calls.
            let open = books.open_frames(desk).next().is_some();
            desk.forget_lane();
            if let Some(seat) = books.seat.take() {
                seat.release(thread::id(), open);
            }
        }
        desk.state.set(State::Gone);
    });
}

/// Gives a borrowed lane back once its last activation has ended.
pub(super) fn give_back_borrowed(desk: &Desk, lane: &Lane) {
    // SAFETY: this thread owns the lane until the release below, and is at no work in it.
    let books = unsafe { books(lane) };
    if books.open_frames(desk).next().is_some() {
        return;
    }
    desk.forget_lane();
    if let Some(seat) = books.seat.take() {
        seat.release(thread::id(), false);
    }
}
