//! A reading's part in sums and distribution, ordinary or not.

use super::books::Books;
use super::histogram;
use super::lane::{Lane, NO_CPU, frame_at, slot_at};
use super::layout::{CHARGE_SHIFT, Frame, NO_MINIMUM, Pending, Row, Slot, Sums};
use super::probe;
use crate::sync::Own as _;
use std::ptr;

/// Adds the pending reading, if there is one, ordinary or not.
pub(super) fn add_pending(lane: &Lane, books: &mut Books, pending: &Pending) {
    if pending.end.get() != 0 {
        // SAFETY: the pending words are this lane's.
        add_reading(lane, books, &unsafe { Reading::of(pending) });
        pending.end.set(0);
    }
}

/// A reading to be added, as in [`Pending`].
pub(super) struct Reading<'a> {
    pub(super) end: u64,
    pub(super) base: u64,
    pub(super) charge: u64,
    pub(super) sums: &'a Sums,
    pub(super) slot: &'a Slot,
    pub(super) caller: &'a Frame,
    /// The CPU of the second reading, where that tells another one than the lane's.
    pub(super) cpu: Option<u64>,
}

impl<'a> Reading<'a> {
    /// # Safety
    /// The words must be those of a lane that this thread owns.
    unsafe fn of(pending: &'a Pending) -> Self {
        // SAFETY: pending words hold addresses of their lane's blocks.
        let (sums, slot, caller) = unsafe {
            let sums = &*ptr::with_exposed_provenance::<Sums>(pending.sums.get() as usize);
            (sums, slot_at(pending.slot.get()), frame_at(pending.parent.get()))
        };
        Self {
            end: pending.end.get(),
            base: pending.base.get(),
            charge: pending.charge.get(),
            sums,
            slot,
            caller,
            // One from another CPU never becomes pending.
            cpu: None,
        }
    }
}

/// The reading's part in sums and distribution.
pub(super) fn add_reading(lane: &Lane, books: &mut Books, reading: &Reading<'_>) {
    let slot = reading.slot;
    let raw = reading.end.wrapping_sub(reading.base);
    if (raw as i64) < 0 {
        // The end's counter is behind the start's: an interval, but no duration.
        slot.negative.bump(1);
        return;
    }
    let value = raw.wrapping_sub(reading.charge >> CHARGE_SHIFT);
    if let Some(cpu) = reading.cpu.filter(|cpu| *cpu != lane.cpu.get()) {
        // A thread's first end says where it is, not that it has moved there.
        if lane.cpu.replace(cpu) != NO_CPU {
            lane.moved_at.set(reading.end);
        }
    }
    if reading.base < lane.moved_at.get() {
        slot.migrated.bump(1);
        slot.migrated_sum.bump(value);
        slot.migrated_max.set(slot.migrated_max.get().max(value));
    }
    probe::add_reading(reading.sums, reading.caller, raw);
    add_value(books, slot, value);
}

/// Counts a reading in the slot's distribution, if that is ordinary: within its range, its row there. False,
/// and nothing done, where it is not.
///
/// # Safety
/// The slot must be of this thread's lane, and the thread at work.
#[inline(always)]
pub(super) unsafe fn add_ordinary(slot: &Slot, value: u64) -> bool {
    // One comparison finds every new minimum or maximum, and with them what is negative or too
    // large for the buckets.
    // SAFETY: the lane's own words.
    if unsafe { value.wrapping_sub(slot.min.own()) > slot.span.own() } {
        return false;
    }
    let (row, bucket) = histogram::stored(value);
    // SAFETY: values from the limit on have been excluded, so the row exists.
    let row = unsafe { slot.rows.get_unchecked(row) }.get();
    if row == 0 {
        return false;
    }
    // SAFETY: a slot's rows are addresses of its own blocks, and `stored` returns a bucket in them.
    unsafe {
        let row = &*ptr::with_exposed_provenance::<Row>(row as usize);
        row.count(bucket).bump(1);
        row.sum.bump(value);
    }
    true
}

/// A reading's part in the distribution, less the probes inside.
pub(super) fn add_value(books: &mut Books, slot: &Slot, value: u64) {
    stretch(slot, value as i64);
    let bucketed = (value as i64).clamp(0, histogram::LIMIT as i64 - 1) as u64;
    let (row, bucket) = histogram::stored(bucketed);
    if let Some(row) = books.row(slot, row) {
        row.sum.bump(value);
        // SAFETY: `stored` returns a bucket of the row.
        unsafe { row.count(bucket) }.bump(1);
    }
}

/// Widens the range of a slot's readings.
fn stretch(slot: &Slot, value: i64) {
    if value < 0 {
        // Taking off the probes inside has left less than nothing.
        slot.lowest.set((slot.lowest.get() as i64).min(value) as u64);
        return;
    }
    if value as u64 >= histogram::LIMIT {
        slot.highest.set(slot.highest.get().max(value as u64));
        return;
    }
    let (min, span) = (slot.min.get(), slot.span.get());
    let (low, high) =
        if min == NO_MINIMUM { (value as u64, value as u64) } else { (min, min + span) };
    let (low, high) = (low.min(value as u64), high.max(value as u64));
    slot.min.set(low);
    slot.span.set(high - low);
}
