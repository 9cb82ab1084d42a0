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
    /// The value, by a plain read: one that the compiler may make part of another instruction.
    ///
    /// # Safety
    /// Only the word's writer may call it.
    unsafe fn own(&self) -> u64;
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
    unsafe fn own(&self) -> u64 {
        #[cfg(not(loom))]
        // SAFETY: nobody else writes the word, so the read is in no race.
        return unsafe { self.as_ptr().read() };
        #[cfg(loom)]
        // SAFETY: as above; loom checks it.
        return unsafe { self.unsync_load() };
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
