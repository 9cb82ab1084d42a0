//! Stamps and hops on every path that is not the ordinary one.

use super::super::cold::{batch, known};
use super::super::control;
use super::super::lane::Lane;
use super::super::layout::Frame;
use super::super::process;
use super::super::site::Site;
use super::super::wall::{add, with_lane};
use super::{CLOCK, COUNTER, Hop, NOT_KNOWN, Stamp, count_moved, note};
use crate::clock::{arch, join, monotonic_ns};
use crate::sync::Own as _;
use std::sync::atomic::Ordering;

/// A stamp of a thread without a lane, which it gets, or on the system's clock.
#[cold]
#[inline(never)]
pub(super) fn stamp_slowly() -> Stamp {
    if control::is_off() {
        return Stamp::NONE;
    }
    // A process that begins here has no activation around.
    let began = process::get().map_or(u64::MAX, |process| process.clock.now());
    with_lane(|desk, _, lane, _| {
        note(lane, desk.open(), &lane.stamp);
        lose_since(lane, desk.open(), began);
        Some(())
    });
    let (ticks, cpu) = read();
    Stamp { ticks, cpu }
}

/// Takes what the cold path has taken since `began` off the activation around it.
fn lose_since(lane: &Lane, open: &Frame, began: u64) {
    // What a signal has interrupted in its opening has not begun.
    if open.what.get() != 0 {
        open.lost.bump(lane.now().saturating_sub(began));
    }
}

/// The clock and the CPU, now; zeros before the clock is chosen.
fn read() -> (u64, u32) {
    match CLOCK.load(Ordering::Relaxed) {
        NOT_KNOWN => (0, 0),
        COUNTER => {
            let (low, high, cpu) = arch::stop_parts();
            arch::settle();
            (join(low, high), cpu)
        }
        _ => (monotonic_ns(), 0),
    }
}

/// Ends a hop at a site that does not lead to a slot.
#[cold]
#[inline(never)]
pub(super) fn hop_slowly(site: &'static Site, stamp: Stamp) {
    // Off, paused or filtered out: nothing may come in front of this.
    if site.key.load(Ordering::Relaxed) == 0 {
        return;
    }
    if control::is_off() {
        control::refresh(site);
        return;
    }
    let (end, cpu) = read();
    end_slowly(site, &Hop { stamp, end, cpu });
}

/// Ends a hop that the ordinary path has left alone.
#[cold]
#[inline(never)]
pub(super) fn end_slowly(site: &'static Site, hop: &Hop) {
    let done = with_lane(|desk, process, lane, books| {
        let key = known(site, process);
        if key == 0 {
            return Some(());
        }
        if hop.stamp.ticks == 0 {
            return None;
        }
        let slot = books.slot(site)?;
        let wall = books.wall_slot(slot)?;
        if hop.is_from_before(lane) {
            books.block.dropped.bump(1);
        } else {
            add(books, slot, wall, hop.value());
            if (hop.value() as i64) >= 0 {
                count_moved(wall, hop);
            }
        }
        if lane.counter.get() {
            lane.remember_hop(key, wall, || books.random());
            if lane.has_batch_due(hop.end, hop.end) {
                batch(lane, books);
            }
        }
        note(lane, desk.open(), &lane.hop_end);
        lose_since(lane, desk.open(), hop.end);
        Some(())
    });
    if done.is_none() && !control::is_off() {
        site.count_untimed();
    }
}
