//! The atomics of the recorder, through one module so that loom can swap them.
//!
//! Everything in the arena is a [`Word`]. A word has one writer (the lane's owner) and any number
//! of readers. Its writer uses [`Own`]: a relaxed load and a relaxed store, which is a plain `add`
//! to memory and no locked instruction. Words that publish others are stored with `Release`.

#[cfg(not(loom))]
pub(crate) use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// 64 bits that one thread writes and others may read at any time.
pub(crate) type Word = AtomicU64;

/// What a word's only writer does with it.
pub(crate) trait Own {
    /// The value: exact for the writer, recent for anyone else.
    fn get(&self) -> u64;
    /// Stores without ordering anything.
    fn set(&self, value: u64);
    /// Adds, wrapping. Not atomic as a whole: only the writer may call it.
    fn bump(&self, by: u64);
}

impl Own for Word {
    #[inline(always)]
    fn get(&self) -> u64 {
        self.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn set(&self, value: u64) {
        self.store(value, Ordering::Relaxed);
    }

    #[inline(always)]
    fn bump(&self, by: u64) {
        self.set(self.get().wrapping_add(by));
    }
}
