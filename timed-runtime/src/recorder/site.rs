//! Sites: what and where, in the program's constant data, and one word that says how to treat it.
//!
//! A site's `key` is what the ordinary call looks at: 0 sends it away untimed (off, paused,
//! filtered out), [`UNKNOWN`] to the cold path, anything else is compared with the lane's cache.
//! Statics cannot be loom's, so the atomics here are core's.

use super::lane::{node_at, slot_at};
use super::layout::frame;
pub use crate::snapshot::model::Kind;
use crate::sync::Own as _;
use core::cell::Cell;
use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// A site that has not been called yet in this process.
pub(crate) const UNKNOWN: u64 = 1;

/// No site has this key.
pub(crate) const NO_KEY: u64 = u64::MAX;

/// The last segment in the path of what is declared in the body of an `async fn`.
const BODY: &str = "::{{closure}}";

/// Where a site's name is from.
#[derive(Debug, Clone, Copy)]
pub enum Name {
    /// The full path of a type declared in the function, its own name last.
    Path(fn() -> &'static str),
    /// Given by the user, used as it is.
    Given(&'static str),
}

/// How a site's guard reads the clock.
#[derive(Debug, Clone, Copy)]
pub enum Reads {
    /// With fences around both readings.
    Full,
    /// Bare.
    Relaxed,
}

/// A place that is timed: one static in each expansion.
#[repr(C, align(64))]
#[derive(Debug)]
pub struct Site {
    /// See the module's text.
    pub(crate) key: AtomicU64,
    /// Calls that met their own thread's recorder at work, before the site had a block.
    pub(crate) untimed: AtomicU64,
    /// Its number, from 1; 0 before its first call.
    pub(crate) id: AtomicU32,
    /// The process (see `process`) that has it in its recording.
    pub(crate) known_to: AtomicU64,
    pub(crate) name: Name,
    pub(crate) module: &'static str,
    pub(crate) file: &'static str,
    pub(crate) line: u32,
    pub(crate) kind: Kind,
    pub(crate) sample: u32,
    pub(crate) relaxed: bool,
}

impl Site {
    /// `sample`: times one call in as many, at random; 0 and 1 time every call.
    #[must_use]
    pub const fn new(
        name: Name,
        module: &'static str,
        file: &'static str,
        line: u32,
        kind: Kind,
        sample: u32,
        reads: Reads,
    ) -> Self {
        Self {
            key: AtomicU64::new(UNKNOWN),
            untimed: AtomicU64::new(0),
            id: AtomicU32::new(0),
            known_to: AtomicU64::new(0),
            name,
            module,
            file,
            line,
            kind,
            sample,
            relaxed: matches!(reads, Reads::Relaxed),
        }
    }

    /// A site that is off for good, and in no list.
    pub(crate) const fn off() -> Self {
        let mut site = Self::new(Name::Given(""), "", "", 0, Kind::Fn, 0, Reads::Full);
        site.key = AtomicU64::new(0);
        site
    }

    /// Its address, as frames have it. The lowest bit is clear.
    #[inline(always)]
    pub(crate) fn address(&'static self) -> u64 {
        ptr::from_ref(self).expose_provenance() as u64
    }

    /// The site at an address.
    ///
    /// # Safety
    /// It must be one that `address` returned.
    #[inline(always)]
    pub(crate) unsafe fn at(address: u64) -> &'static Self {
        // SAFETY: sites are statics.
        unsafe { &*ptr::with_exposed_provenance(address as usize) }
    }

    /// The site that an open frame's word is about.
    ///
    /// # Safety
    /// `what` must be a frame's word, and not 0.
    #[inline]
    pub(crate) unsafe fn of_frame(what: u64) -> &'static Self {
        // SAFETY: it is the address of a site or, with the flag, of a node of this process, whose slot
        // has its site's.
        unsafe {
            let address = frame::address(what);
            Self::at(if what & frame::NODE == 0 {
                address
            } else {
                slot_at(node_at(address).slot.get()).home.get()
            })
        }
    }

    /// Its number, given out at the first call.
    ///
    /// Whoever comes first decides it by a compare-exchange, so a thread that dies in the middle
    /// (or a fork) leaves nothing half done: the next one repeats the idempotent store.
    pub(crate) fn number(&'static self) -> u32 {
        let known = self.id.load(Ordering::Acquire);
        if known != 0 {
            return known;
        }
        let fresh = TABLE.count.fetch_add(1, Ordering::Relaxed) + 1;
        let id = match self.id.compare_exchange(0, fresh, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => fresh,
            Err(theirs) => theirs,
        };
        TABLE.put(id, self);
        id
    }

    /// Counts a call that nothing else will count.
    pub(crate) fn count_untimed(&'static self) {
        self.number();
        self.untimed.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether it is one of the program's: the one that takes what belongs to none any more is not.
    pub(crate) fn is_listed(&self) -> bool {
        self.line != 0
    }

    /// Its name as the report shows it.
    pub(crate) fn display_name(&self) -> String {
        match self.name {
            Name::Given(name) => name.to_owned(),
            Name::Path(path) => {
                let name = super::path::tidy(path());
                // For the compiler, the body of an `async fn` is a closure in it.
                let body = self.kind == Kind::Async && name.ends_with(BODY);
                name[..name.len() - if body { BODY.len() } else { 0 }].to_owned()
            }
        }
    }
}

/// One thread's way to its countdown of a sampled site.
#[derive(Debug)]
pub struct Tally {
    /// The site's key for which `countdown` was found; [`NO_KEY`] before.
    pub(crate) key: Cell<u64>,
    /// In the site's slot of this thread's lane.
    pub(crate) countdown: Cell<*const crate::sync::Word>,
}

impl Tally {
    /// Nothing known yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { key: Cell::new(NO_KEY), countdown: Cell::new(ptr::null()) }
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self::new()
    }
}

/// Sites by number: rows that double and never move, filled by idempotent stores.
struct Table {
    count: AtomicU32,
    rows: [AtomicPtr<AtomicPtr<Site>>; ROWS],
}

/// Row k holds 64 · 2ᵏ sites: 26 rows hold more than a program can have.
const ROWS: usize = 26;
const FIRST_ROW: usize = 64;

static TABLE: Table =
    Table { count: AtomicU32::new(0), rows: [const { AtomicPtr::new(ptr::null_mut()) }; ROWS] };

/// Row, and place in it, of number `id`.
fn row_of(id: u32) -> (usize, usize) {
    let index = id as usize - 1 + FIRST_ROW;
    let row = index.ilog2() - FIRST_ROW.ilog2();
    (row as usize, index - (FIRST_ROW << row))
}

impl Table {
    fn row(&self, row: usize) -> Option<&'static [AtomicPtr<Site>]> {
        let at = self.rows.get(row)?.load(Ordering::Acquire);
        // SAFETY: rows are leaked boxes of exactly this length, published with Release.
        (!at.is_null()).then(|| unsafe { std::slice::from_raw_parts(at, FIRST_ROW << row) })
    }

    fn put(&self, id: u32, site: &'static Site) {
        let (row, place) = row_of(id);
        let Some(slot) = self.rows.get(row) else { return };
        if slot.load(Ordering::Acquire).is_null() {
            let fresh: Box<[AtomicPtr<Site>]> =
                (0..FIRST_ROW << row).map(|_| AtomicPtr::new(ptr::null_mut())).collect();
            let fresh = Box::into_raw(fresh).cast::<AtomicPtr<Site>>();
            if slot
                .compare_exchange(ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire)
                .is_err()
            {
                let row = ptr::slice_from_raw_parts_mut(fresh, FIRST_ROW << row);
                // SAFETY: it was made by Box::into_raw above and nobody else has seen it.
                drop(unsafe { Box::from_raw(row) });
            }
        }
        if let Some(row) = self.row(row) {
            row[place].store(ptr::from_ref(site).cast_mut(), Ordering::Release);
        }
    }
}

/// All sites that were called, in the order of their numbers.
pub(crate) fn called() -> impl Iterator<Item = &'static Site> {
    let count = TABLE.count.load(Ordering::Acquire);
    (1..=count).filter_map(|id| {
        let (row, place) = row_of(id);
        let site = TABLE.row(row)?[place].load(Ordering::Acquire);
        // SAFETY: only `put` stores here, and only references to statics.
        unsafe { site.as_ref() }
    })
}
