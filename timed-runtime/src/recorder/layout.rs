//! The recording's blocks: what is written once, what changes, and who may read it.
//!
//! A recording is a list of extents; an extent is a row of blocks; a block is a row of 64-bit
//! words. Every block begins with its head word, `kind | version << 8 | words << 32`, which is
//! written last, with Release: a reader that sees it sees the block's fixed fields, and a reader
//! that sees zero there has met the end of the extent.
//!
//! Blocks refer to one another by the address at which the writer had mapped them. An extent says
//! where it was mapped itself, so a reader turns any address into a place, and treats one that
//! leads to no block of the right kind as damage. References point to older blocks only.
//!
//! One thread, the lane's owner, writes everything in its lane's blocks.

mod activation;

pub(crate) use activation::{FRAME_WORDS, Frame, Pending, frame};

use crate::sync::{Ordering, Own as _, Word};

/// The layout's version, in every head.
pub(crate) const VERSION: u64 = 1;

/// Octaves of a slot's histogram: values below 2⁴⁶ ticks (7.5 hours at 2.6 GHz).
pub(crate) const OCTAVES: usize = 40;
/// Rows of a slot's buckets: octaves 0 and 1 share one.
pub(crate) const ROWS: usize = OCTAVES - 1;
/// Buckets an octave: two significant digits, as hdrhistogram has them.
pub(crate) const BUCKETS: usize = 128;
/// Charges are kept in 1/256 tick, so that the rounding of one probe's price (at most 1/512 tick)
/// stays far below what a calibration can tell.
pub(crate) const CHARGE_SHIFT: u32 = 8;

/// A call's base is kept in 1/16 tick: less than a poll's charges are known to, and a 64-bit word
/// holds seven years of a counter of 2.6 GHz so, either way.
pub(crate) const BASE_SHIFT: u32 = 4;

/// `Slot::min` before the first reading.
pub(crate) const NO_MINIMUM: u64 = 1 << 63;

/// A row of words with a head in front, all zero when new.
///
/// # Safety
/// Implementors are `repr(C)`, consist of [`Word`]s alone, and their first is the head.
pub(crate) unsafe trait Block: Sized {
    /// The kind in the head.
    const KIND: u64;
    /// The block's length in words; a block with a tail of its own passes its length itself.
    const WORDS: usize = size_of::<Self>() / size_of::<Word>();
}

/// Publishes a block whose fixed fields are written.
pub(crate) fn publish(head: &Word, kind: u64, words: usize) {
    head.store(kind | VERSION << 8 | (words as u64) << 32, Ordering::Release);
}

/// A head, taken apart: kind, version, words.
pub(crate) fn parse_head(head: u64) -> (u64, u64, usize) {
    (head & 0xff, head >> 8 & 0xff, (head >> 32) as usize)
}

macro_rules! block {
    ($kind:literal, $(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[repr(C)]
        #[derive(Debug)]
        pub(crate) struct $name {
            /// Kind, version and length, written last.
            pub(crate) head: Word,
            $($(#[$field_doc])* pub(crate) $field: $type,)*
        }
        // SAFETY: repr(C), the head comes first, and every field is a word or an array of words.
        unsafe impl Block for $name {
            const KIND: u64 = $kind;
        }
    };
}

block! { 1,
    /// The head of an extent: a stretch of memory, or of the file, that one lane fills.
    Extent {
        /// The extent's length in words, this head included.
        words: Word,
        /// Where the writer had it mapped.
        base: Word,
        /// The extent claimed before this one, in the writer's memory.
        next: Word,
        spare: [Word; 4],
    }
}

block! { 2,
    /// One thread's recorder.
    Lane {
        /// 0 when free, else the owner's thread id; see `roster`.
        owner: Word,
        /// The reset that its counts follow.
        epoch: Word,
        /// Threads that have owned it.
        threads: Word,
        /// Open activations that a reset, or a thread's end, has cut off.
        dropped: Word,
        /// Sum of (ticks of a bare pair, in 1/256) × (probes since the batch before), and the probes.
        pair_sum: Word,
        pair_weight: Word,
        /// Calls that found the table of nodes full.
        overflow: Word,
        spare: [Word; 8],
        /// 64 bytes of their own.
        pending: Pending,
    }
}

block! { 3,
    /// What and where a site is; its name, module and file follow, one after the other.
    SiteInfo {
        /// Its number in this process, from 1.
        id: Word,
        /// Kind, fence and sampling, as `SiteInfo::pack` has them.
        traits: Word,
        line: Word,
        /// Lengths of the three texts in bytes.
        name_len: Word,
        module_len: Word,
        file_len: Word,
        /// Calls that met their own thread's recorder at work.
        untimed: Word,
        /// Address of the site in the writer's memory.
        home: Word,
        spare: [Word; 7],
    }
}

block! { 4,
    /// One site in one lane: the readings of its activations. Where a call is not one activation
    /// (a future's has one a poll, a block that awaits has none) there is a second slot, for the wall
    /// times of calls. A hop has that one alone.
    Slot {
        /// The site's number.
        site: Word,
        /// Address of the lane's block.
        lane: Word,
        /// The node of its open activation, or 0.
        open: Word,
        /// The key that the site had when the owner last looked it up.
        key: Word,
        /// Address of the site in the writer's memory.
        home: Word,
        /// Smallest reading that is not negative; 2⁶³ before the first.
        min: Word,
        /// Largest reading below 2⁴⁶, less `min`: one unsigned comparison finds every reading that
        /// is not ordinary.
        span: Word,
        /// Calls that sampling has been told to leave out, and those of them yet to come.
        issued: Word,
        countdown: Word,
        /// Smallest and largest reading, signed, where `min` and `span` cannot hold them.
        lowest: Word,
        highest: Word,
        /// Readings below zero.
        negative: Word,
        /// Readings that ended on another CPU than they began; their sum and largest.
        migrated: Word,
        migrated_sum: Word,
        migrated_max: Word,
        /// The owner's way to its rows of buckets.
        rows: [Word; ROWS],
        /// Address of the slot for wall times, or 0; its own in such a one, which alone has:
        wall: Word,
        /// Calls that have begun in this lane, less those that have ended in it, wrapping; and the sum of
        /// their bases, in 1/16 tick. Over all lanes together they say what is in flight.
        live: Word,
        bases: Word,
        /// Calls whose future was dropped, and the sum of their times until then.
        cancelled: Word,
        cancelled_sum: Word,
        /// Calls that ended inside another one of the same site, and the sum of their readings.
        inner: Word,
        inner_sum: Word,
        spare: [Word; 2],
    }
}

/// What a node adds up over its finished activations.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Sums {
    /// Activations.
    pub(crate) calls: Word,
    /// Their readings, in ticks.
    pub(crate) raw: Word,
    /// Their direct timed callees' readings.
    pub(crate) child_raw: Word,
    /// How many these callees are.
    pub(crate) callees: Word,
    /// What the probes inside took, at any depth, in 1/256 tick.
    pub(crate) charge: Word,
}

block! { 5,
    /// One site under one caller.
    Node {
        /// Address of its slot.
        slot: Word,
        /// Where its callees' entries lie in the owner's cache.
        salt: Word,
        /// Of outermost activations, and of those inside another one of the same site.
        sums: [Sums; 2],
        /// Address of the caller's node; 0 for the root.
        parent: Word,
        /// Address of the lane's block.
        lane: Word,
        /// See the `node` constants.
        flags: Word,
    }
}

/// Flags of a [`Node`].
pub(crate) mod node {
    /// Stands in for the caller of everything that no timed function called.
    pub(crate) const ROOT: u64 = 1;
    /// Takes what began before a reset and what a full table turned away: callees count, it does not.
    pub(crate) const SINK: u64 = 2;
    /// Collects a site's calls from all callers that have no node of their own.
    pub(crate) const OTHER: u64 = 4;
}

block! { 6,
    /// The head of a row of a slot's buckets; the counts follow.
    Row {
        /// Address of the slot.
        slot: Word,
        /// Which of the slot's rows: 0 has 256 buckets, for readings below 256 ticks, k has 128,
        /// for those from 2⁷⁺ᵏ on.
        index: Word,
        /// Sum of the readings counted here.
        sum: Word,
        spare: [Word; 4],
    }
}

impl Row {
    /// The buckets of row `index`.
    pub(crate) const fn buckets(index: usize) -> usize {
        if index == 0 { 2 * BUCKETS } else { BUCKETS }
    }

    /// A bucket's count.
    ///
    /// # Safety
    /// `bucket` must be below the row's number of buckets.
    #[inline(always)]
    pub(crate) unsafe fn count(&self, bucket: usize) -> &Word {
        // SAFETY: the counts follow the head, in the same block.
        unsafe { &*std::ptr::from_ref(self).add(1).cast::<Word>().add(bucket) }
    }
}

block! { 7,
    /// The head of a row of frames; as many frames as fit follow.
    Frames {
        /// Address of the lane's block.
        lane: Word,
        /// Depth of its first frame.
        depth: Word,
        spare: [Word; 5],
    }
}

impl SiteInfo {
    /// Kind in the low byte, then whether relaxed, then the sampling's period.
    pub(crate) fn pack(kind: u64, relaxed: bool, sample: u32) -> u64 {
        kind | u64::from(relaxed) << 8 | u64::from(sample) << 32
    }

    /// What `pack` packed.
    pub(crate) fn unpack(traits: u64) -> (u64, bool, u32) {
        (traits & 0xff, traits >> 8 & 1 == 1, (traits >> 32) as u32)
    }
}

impl Sums {
    /// Back to zero.
    pub(crate) fn clear(&self) {
        for word in [&self.calls, &self.raw, &self.child_raw, &self.callees, &self.charge] {
            word.set(0);
        }
    }
}

impl Slot {
    /// The slot for wall times, if the owner has made one.
    #[cfg(not(loom))]
    pub(crate) fn wall(&self) -> Option<&'static Slot> {
        let address = self.wall.get();
        // SAFETY: the word of a slot of this process holds the address of another one, never freed.
        (address != 0).then(|| unsafe { super::lane::slot_at(address) })
    }

    /// Calls that sampling will leave out; the count is below zero where the next one is due.
    pub(crate) fn yet_to_come(&self) -> u64 {
        (self.countdown.get() as i64).max(0) as u64
    }

    /// Back to what a new slot holds; what sampling still leaves out stays to be counted.
    pub(crate) fn clear(&self) {
        for word in [
            &self.span,
            &self.lowest,
            &self.highest,
            &self.negative,
            &self.migrated,
            &self.migrated_sum,
            &self.migrated_max,
            &self.live,
            &self.bases,
            &self.cancelled,
            &self.cancelled_sum,
            &self.inner,
            &self.inner_sum,
        ] {
            word.set(0);
        }
        self.min.set(NO_MINIMUM);
        self.issued.set(self.yet_to_come());
    }
}

/// A [`Lane`]'s pending words must be aligned so that frames' flags have room below their address:
/// blocks are aligned to 64 bytes, and so must be the offset.
const _: () = assert!(std::mem::offset_of!(Lane, pending) % 64 == 0);

impl Lane {
    /// Back to zero, all but whose lane it is and since which reset.
    pub(crate) fn clear_counts(&self) {
        for word in
            [&self.dropped, &self.pair_sum, &self.pair_weight, &self.overflow, &self.pending.halves]
        {
            word.set(0);
        }
    }
}
