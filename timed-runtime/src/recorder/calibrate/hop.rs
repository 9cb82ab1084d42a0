//! What a stamp and the end of a hop cost: chains between the two, and chains behind stamps alone.

use super::{Kind, Name, Reads, Site};
use crate::clock::arch;
use crate::recorder::books::Books;
use crate::recorder::histogram;
use crate::recorder::hop::{hop, stamp};
use crate::recorder::lane::Lane;
use crate::recorder::layout::{Row, Slot};
use crate::sync::Own as _;
use core::ptr;

static HOPPED: Site = Site::new(Name::Given("hop"), "", "", 0, Kind::Hop, 0, Reads::Full);

/// Its number and its key for good: see `super::own`.
const NUMBER: u32 = 5;
/// Hops that take longer than this have been interrupted.
const LONGEST: u64 = (1 << 20) - 1;

/// The slot of the bench's own hops, to which the lane's cache leads.
pub(super) fn prepare(lane: &Lane, books: &mut Books) -> Option<&'static Slot> {
    let key = super::own(&HOPPED, NUMBER);
    let slot = books.slot(&HOPPED)?;
    let wall = books.wall_slot(slot)?;
    // The thread is at work when it measures: there is no cold path for what is not ordinary.
    let (last, _) = histogram::stored(LONGEST);
    (0..=last).try_for_each(|row| books.row(wall, row).map(|_| ()))?;
    wall.min.set(0);
    wall.span.set(LONGEST);
    lane.remember_hop(key, wall, || 0);
    Some(wall)
}

/// `super::round` without functions around the chains, since users' stamps and hops have none either.
/// The lengths are those that `super::ROUND_LINKS` adds up.
macro_rules! rounds {
    ($name:ident: $before:expr, $after:expr) => {
        pub(super) fn $name(mut x: u64, rounds: usize) -> u64 {
            rounds!(x, rounds, $before, $after; 4 11 6 13 5 9 7 10);
            x
        }
    };
    ($x:ident, $rounds:ident, $before:expr, $after:expr; $($links:literal)*) => {
        for _ in 0..$rounds {
            $(
                let begin = $before;
                $x = arch::chain::<$links>($x);
                $after(begin);
            )*
        }
    };
}
rounds!(hopped_rounds: stamp(), |begin| hop(&HOPPED, begin));
rounds!(stamped_rounds: core::hint::black_box(stamp()), |_| ());

/// How many readings the slot has, and their sum.
pub(super) fn counted(slot: &Slot) -> (u64, u64) {
    let mut all = (0_u64, 0_u64);
    for row in slot.rows.iter().filter(|row| row.get() != 0) {
        // SAFETY: the word holds the address of a row of the bench's lane.
        let row: &Row = unsafe { &*ptr::with_exposed_provenance(row.get() as usize) };
        all.1 = all.1.wrapping_add(row.sum.get());
        for bucket in 0..Row::buckets(row.index.get() as usize) {
            // SAFETY: within the row.
            all.0 += unsafe { row.count(bucket) }.get();
        }
    }
    all
}
