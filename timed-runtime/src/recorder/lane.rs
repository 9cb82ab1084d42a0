//! A lane's tables: what its owner looks up at every call, and nobody else reads.
//!
//! They live apart from the arena, in memory that a forked child finds zeroed; a zeroed lane knows
//! no site and has its batch due, so everything goes to the cold path. [`EMPTY`] is such a lane, for
//! threads without one.

use super::books::Books;
use super::layout::{CHARGE_SHIFT, Frame, Node, Slot, Sums};
use crate::clock;
use std::cell::Cell;
use std::ptr;

/// Entries of the cache in front of the table of nodes.
const ENTRIES: usize = 1024;
/// The part of a site's key, and of a node's salt, that is a place in the cache.
pub(crate) const PLACE_MASK: u64 = (ENTRIES as u64 - 1) << ENTRY_SHIFT;
/// An entry's size, as a power of two: places are offsets in bytes.
const ENTRY_SHIFT: u32 = size_of::<Entry>().ilog2();

/// In place of a caller's address in the entries of hops, which have none.
const HOP: u64 = 1;

/// One caller and one site: which node. Holds good while the site's open node is `expects`.
#[repr(C, align(64))]
#[derive(Debug)]
pub(crate) struct Entry {
    /// Address of the caller's node, and `frame::NODE`: as its frame has it.
    pub(crate) caller: Cell<u64>,
    pub(crate) key: Cell<u64>,
    pub(crate) slot: Cell<*const Slot>,
    /// 0; in a recursion the node of the site's activation that is open, which is `node` then.
    pub(crate) expects: Cell<u64>,
    pub(crate) node: Cell<u64>,
    /// Address of what the node adds such activations up in.
    pub(crate) sums: Cell<*const Sums>,
}

/// The place of site number `id`: the first 1024 sites that one caller calls do not meet.
pub(crate) fn place_of(id: u64) -> u64 {
    id << ENTRY_SHIFT & PLACE_MASK
}

/// What a probe of another kind costs its caller more than a full one, as first use measured it;
/// signed.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Surcharge {
    /// In the floor, in 1/256 tick.
    pub(crate) charge: Cell<u64>,
    /// In the outside cost, in ticks.
    pub(crate) lost: Cell<u64>,
}

impl Surcharge {
    #[allow(clippy::declare_interior_mutable_const, reason = "the initial value of EMPTY alone")]
    const NONE: Self = Self { charge: Cell::new(0), lost: Cell::new(0) };
}

/// Before a thread's first end.
pub(crate) const NO_CPU: u64 = u64::MAX;

/// What one half of a hop, the stamp or the end, costs the activation around, in 1/256 tick.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct HalfPrice {
    /// As first use measured it, as all charges are.
    pub(crate) charge: Cell<u64>,
    /// As it is now: no report scales what is not an activation's own time.
    pub(crate) now: Cell<u64>,
    /// In bare pairs.
    pairs: Cell<f64>,
}

impl HalfPrice {
    #[allow(clippy::declare_interior_mutable_const, reason = "the initial value of EMPTY alone")]
    const NONE: Self = Self { charge: Cell::new(0), now: Cell::new(0), pairs: Cell::new(0.0) };

    /// Sets it, of so many ticks while a bare pair took `pair`.
    pub(crate) fn set(&self, ticks: f64, pair: f64) {
        let ticks = ticks.max(0.0);
        let price = (ticks * f64::from(1 << CHARGE_SHIFT)).round() as u64;
        self.charge.set(price);
        self.now.set(price);
        self.pairs.set(if pair > 0.0 { ticks / pair } else { 0.0 });
    }
}

/// A lane's tables and prices.
#[repr(C, align(64))]
#[derive(Debug)]
pub(crate) struct Lane {
    /// When the next batch of bare pairs is due, on the counter.
    pub(crate) next_batch: Cell<u64>,
    /// Ticks from one batch to the next.
    pub(crate) batch_every: Cell<u64>,
    /// Whether the clock is the processor's counter; else the system's, and every call is cold.
    pub(crate) counter: Cell<bool>,
    /// The CPU of the last end, or [`NO_CPU`], and when an end first told that it is another one than
    /// before. Activations that were open then have moved.
    pub(crate) cpu: Cell<u64>,
    pub(crate) moved_at: Cell<u64>,
    /// What an activation with callees takes more, in ticks, signed: what finding its place takes, which
    /// it has lost itself, and what closing it takes its caller.
    pub(crate) finding: Cell<u64>,
    pub(crate) closing: Cell<u64>,
    /// What a full probe costs its caller, floor and outside cost together, in 1/256 tick.
    pub(crate) price: Cell<u64>,
    /// See [`Surcharge`].
    pub(crate) relaxed: Surcharge,
    pub(crate) poll: Surcharge,
    /// What a poll's probe costs the future's wall time, in 1/16 tick.
    pub(crate) poll_price: Cell<u64>,
    /// See [`HalfPrice`]; and the part of a tick that no activation has been charged for yet.
    pub(crate) stamp: HalfPrice,
    pub(crate) hop_end: HalfPrice,
    pub(crate) rest: Cell<u64>,
    /// Where hops' entries lie in the cache.
    hop_salt: Cell<u64>,
    /// When the lane's counts begin, on the clock: calls with an earlier base are not its own.
    pub(crate) since: Cell<u64>,
    /// Everything that only cold paths need; null in a lane that was never set up, or wiped by a
    /// fork.
    pub(crate) books: Cell<*mut Books>,
    cache: [Entry; ENTRIES],
}

/// A lane that knows nothing.
#[repr(transparent)]
pub(crate) struct Empty(Lane);

// SAFETY: nobody ever writes to it: the ordinary path writes to a lane only after an entry, or the
// open frame, has matched, and nothing matches in a zeroed lane.
unsafe impl Sync for Empty {}

/// See the module's text.
pub(crate) static EMPTY: Empty = Empty(Lane::ZERO);

/// Its address.
pub(crate) const fn empty() -> *const Lane {
    &raw const EMPTY.0
}

impl Lane {
    #[allow(
        clippy::declare_interior_mutable_const,
        clippy::large_stack_arrays,
        reason = "the initial value of EMPTY alone"
    )]
    const ZERO: Self = Self {
        next_batch: Cell::new(0),
        batch_every: Cell::new(0),
        counter: Cell::new(false),
        cpu: Cell::new(0),
        moved_at: Cell::new(0),
        finding: Cell::new(0),
        closing: Cell::new(0),
        price: Cell::new(0),
        relaxed: Surcharge::NONE,
        poll: Surcharge::NONE,
        poll_price: Cell::new(0),
        stamp: HalfPrice::NONE,
        hop_end: HalfPrice::NONE,
        rest: Cell::new(0),
        hop_salt: Cell::new(0),
        since: Cell::new(0),
        books: Cell::new(ptr::null_mut()),
        cache: [const {
            Entry {
                caller: Cell::new(0),
                key: Cell::new(0),
                slot: Cell::new(ptr::null()),
                expects: Cell::new(0),
                node: Cell::new(0),
                sums: Cell::new(ptr::null()),
            }
        }; ENTRIES],
    };

    /// Whether it has books: a lane that was wiped by a fork, or never set up, has none.
    #[inline(always)]
    pub(crate) fn is_live(&self) -> bool {
        !self.books.get().is_null()
    }

    /// Whether it is the one in which costs are measured: it has no batches.
    #[inline(always)]
    pub(crate) fn is_bench(&self) -> bool {
        self.next_batch.get() == u64::MAX
    }

    /// Follows the core's clock, by what a bare pair takes now, in 1/256 tick.
    pub(crate) fn follow(&self, pair: u64) {
        for half in [&self.stamp, &self.hop_end] {
            half.now.set((half.pairs.get() * pair as f64).round() as u64);
        }
    }

    /// Has the next batch wait until another 10 ms have gone by; not for ever, whatever the counter says.
    pub(crate) fn put_off_batch(&self) {
        let due = self.now().saturating_add(self.batch_every.get());
        self.next_batch.set(due.min(u64::MAX - 1));
    }

    /// Whether a batch is due when an activation ends. One that is further off than it was ever put has
    /// been left behind by a counter that has run back.
    pub(crate) fn has_batch_due(&self, begin: u64, end: u64) -> bool {
        let next = self.next_batch.get();
        let is_lost = next.saturating_sub(end) > self.batch_every.get().saturating_mul(2);
        begin >= next || (is_lost && !self.is_bench())
    }

    /// A bare reading of the clock that the lane measures with.
    pub(crate) fn now(&self) -> u64 {
        clock::now(self.counter.get())
    }

    /// The entry for a site called from a node with this salt.
    #[inline(always)]
    pub(crate) fn entry(&self, salt: u64, key: u64) -> &Entry {
        let place = (salt ^ key) & PLACE_MASK;
        // SAFETY: the mask leaves a multiple of an entry's size below the cache's.
        unsafe { &*self.cache.as_ptr().byte_add(place as usize) }
    }

    /// The slot for the hops of the site with this key, if the cache has it.
    #[inline(always)]
    pub(crate) fn hop_slot(&self, key: u64) -> Option<&'static Slot> {
        let entry = self.entry(self.hop_salt.get(), key);
        // SAFETY: such an entry was written by `remember_hop`, with a slot, which is never given back.
        (entry.caller.get() == HOP && entry.key.get() == key).then(|| unsafe { &*entry.slot.get() })
    }

    /// Puts the slot for the hops of the site with this key into the cache. Where it would displace
    /// another site's, hops get other places.
    pub(crate) fn remember_hop(&self, key: u64, slot: &'static Slot, random: impl FnOnce() -> u64) {
        let displaced = self.entry(self.hop_salt.get(), key);
        if displaced.caller.get() == HOP && displaced.key.get() != key {
            self.hop_salt.set(random() & PLACE_MASK);
        }
        let entry = self.entry(self.hop_salt.get(), key);
        entry.caller.set(HOP);
        entry.key.set(key);
        entry.slot.set(slot);
    }
}

/// The node at an address that this process wrote.
///
/// # Safety
/// `address` must be that of a node of this process.
#[inline(always)]
pub(crate) unsafe fn node_at(address: u64) -> &'static Node {
    // SAFETY: blocks are never freed or moved, and their addresses were exposed when written.
    unsafe { &*ptr::with_exposed_provenance(address as usize) }
}

/// The slot at an address that this process wrote.
///
/// # Safety
/// `address` must be that of a slot of this process.
#[inline(always)]
pub(crate) unsafe fn slot_at(address: u64) -> &'static Slot {
    // SAFETY: as for nodes.
    unsafe { &*ptr::with_exposed_provenance(address as usize) }
}

/// The frame at an address that this process wrote.
///
/// # Safety
/// `address` must be that of a frame of this process.
#[inline(always)]
pub(crate) unsafe fn frame_at(address: u64) -> &'static Frame {
    // SAFETY: as for nodes.
    unsafe { &*ptr::with_exposed_provenance(address as usize) }
}
