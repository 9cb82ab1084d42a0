//! The arena: a list of extents, each filled by one lane, read by anyone.
//!
//! * Assumption: an extent has one writer, the owner of the lane that claimed it.
//! * Guarantee: a reader that finds a block finds its fixed fields written, and every block that
//!   it refers to. Blocks never move and are never taken back.
//! * Progress: claiming an extent is a compare-exchange on the list's head; filling one and
//!   reading wait for nobody.

use super::layout::{self, Block, Extent};
use super::memory;
use crate::sync::{AtomicPtr, Ordering, Own as _, Word};
use std::ptr;

/// Words of a lane's first extent (64 KiB) and of its largest (1 MiB): most lanes are small, and
/// memory that is not touched costs nothing but address space.
const FIRST_WORDS: usize = if cfg!(loom) { 64 } else { 8 << 10 };
const MOST_WORDS: usize = 128 << 10;
const HEAD_WORDS: usize = size_of::<Extent>() / size_of::<Word>();

/// All extents of a process.
#[derive(Debug)]
pub(crate) struct Arena {
    newest: AtomicPtr<Extent>,
}

/// Where a lane is filling the arena.
#[derive(Debug)]
pub(crate) struct Bump {
    at: *mut Word,
    left: usize,
    next_words: usize,
}

impl Arena {
    pub(crate) fn new() -> Self {
        Self { newest: AtomicPtr::new(ptr::null_mut()) }
    }

    /// A new extent of `words`, in the list; none if the system has no memory.
    fn claim(&self, words: usize) -> Option<*mut Word> {
        let base = memory::words(words)?;
        // SAFETY: `base` is zeroed, page-aligned memory of at least HEAD_WORDS words that nobody
        // else knows yet and that is never freed; an Extent is words alone.
        let extent = unsafe { &*base.cast::<Extent>() };
        extent.words.set(words as u64);
        extent.base.set(base.expose_provenance() as u64);
        layout::publish(&extent.head, Extent::KIND, HEAD_WORDS);
        let mut newest = self.newest.load(Ordering::Relaxed);
        loop {
            extent.next.set(newest.expose_provenance() as u64);
            match self.newest.compare_exchange_weak(
                newest,
                base.cast(),
                Ordering::Release,
                Ordering::Relaxed,
            ) {
                // SAFETY: HEAD_WORDS is within the `words` of the allocation.
                Ok(_) => return Some(unsafe { base.add(HEAD_WORDS) }),
                Err(now) => newest = now,
            }
        }
    }

    /// The extents as rows of words, newest first. Extents claimed meanwhile are left out.
    pub(crate) fn extents(&self) -> Vec<&'static [Word]> {
        let mut rows = Vec::new();
        let mut at = self.newest.load(Ordering::Acquire);
        while !at.is_null() {
            // SAFETY: the list holds extents alone, published with Release, never freed, of the
            // length that their head gives.
            let (row, next) = unsafe {
                let extent = &*at;
                (
                    std::slice::from_raw_parts(at.cast::<Word>(), extent.words.get() as usize),
                    extent.next.get(),
                )
            };
            rows.push(row);
            at = ptr::with_exposed_provenance_mut(next as usize);
        }
        rows
    }
}

impl Bump {
    pub(crate) const fn new() -> Self {
        Self { at: ptr::null_mut(), left: 0, next_words: FIRST_WORDS }
    }

    /// `count` zeroed words, touched, for a block; none if the system has no memory.
    fn take(&mut self, arena: &Arena, count: usize) -> Option<*mut Word> {
        let count = count.next_multiple_of(8);
        if self.left < count {
            let words = self.next_words.max(count + HEAD_WORDS);
            self.at = arena.claim(words)?;
            self.left = words - HEAD_WORDS;
            self.next_words = (self.next_words * 2).min(MOST_WORDS);
        }
        let block = self.at;
        // SAFETY: `left` words from `at` on are the extent's, and `count` is at most that.
        self.at = unsafe { block.add(count) };
        self.left -= count;
        for word in (0..count).step_by(64).chain([count - 1]) {
            // SAFETY: within the block.
            unsafe { (*block.add(word)).set(0) };
        }
        Some(block)
    }

    /// A block with a tail of `tail` words: `fill` writes its fixed fields, then it is published.
    pub(crate) fn block_with<B: Block>(
        &mut self,
        arena: &Arena,
        tail: usize,
        fill: impl FnOnce(&B),
    ) -> Option<&'static B> {
        let words = B::WORDS + tail;
        let at = self.take(arena, words)?;
        // SAFETY: zeroed, aligned to 64 bytes, never freed, and a Block is words alone.
        let block = unsafe { &*at.cast::<B>() };
        fill(block);
        // SAFETY: a Block's first word is its head.
        layout::publish(unsafe { &*at }, B::KIND, words.next_multiple_of(8));
        Some(block)
    }

    /// A block.
    pub(crate) fn block<B: Block>(
        &mut self,
        arena: &Arena,
        fill: impl FnOnce(&B),
    ) -> Option<&'static B> {
        self.block_with(arena, 0, fill)
    }
}

/// The blocks of one extent: kind and words, in the order in which they were published. What is
/// not a block of this version, or does not fit, ends the row.
pub(crate) fn blocks(extent: &[Word]) -> impl Iterator<Item = (u64, &[Word])> {
    let mut rest = extent.get(HEAD_WORDS..).unwrap_or(&[]);
    std::iter::from_fn(move || {
        let head = rest.first()?.load(Ordering::Acquire);
        let (kind, version, words) = layout::parse_head(head);
        if kind == 0 || version != layout::VERSION || words == 0 {
            return None;
        }
        let (block, after) = rest.split_at_checked(words)?;
        rest = after;
        Some((kind, block))
    })
}

/// A block's words as its type, if there are enough.
pub(crate) fn view<B: Block>(words: &[Word]) -> Option<&B> {
    // SAFETY: a Block is repr(C) words alone, so it has the alignment of a word; it is as long as
    // WORDS, which `words` is checked to hold.
    (words.len() >= B::WORDS).then(|| unsafe { &*words.as_ptr().cast::<B>() })
}
