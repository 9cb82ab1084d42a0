//! Who owns which lane.
//!
//! * Assumption: an owner releases a seat once, and does not touch its lane afterwards.
//! * Guarantee: a seat has at most one owner, and a new owner sees everything that the one before
//!   it wrote (the compare-exchange acquires what the release stored).
//! * Progress: claiming scans the list and fails only at seats that others hold; releasing is one
//!   store. There is no list of free seats to keep linked.

use crate::sync::{AtomicPtr, Ordering, Word};
use std::ptr;

/// Set beside the thread's id when it ended with activations open.
const LEFT: u64 = 1 << 63;

/// All seats of a process, newest first.
#[derive(Debug)]
pub(crate) struct Roster<T: 'static> {
    newest: AtomicPtr<Seat<T>>,
}

/// A lane's place in the list.
#[derive(Debug)]
pub(crate) struct Seat<T: 'static> {
    /// 0, or the owner's thread id.
    owner: &'static Word,
    /// What the owner owns.
    pub(crate) lane: T,
    next: AtomicPtr<Seat<T>>,
}

impl<T> Roster<T> {
    pub(crate) fn new() -> Self {
        Self { newest: AtomicPtr::new(ptr::null_mut()) }
    }

    /// All seats.
    pub(crate) fn seats(&self) -> impl Iterator<Item = &'static Seat<T>> {
        // SAFETY: the list holds leaked boxes alone, published with Release.
        let mut at = unsafe { self.newest.load(Ordering::Acquire).as_ref::<'static>() };
        std::iter::from_fn(move || {
            let seat = at?;
            // SAFETY: as above; `next` was written before the seat was published.
            at = unsafe { seat.next.load(Ordering::Relaxed).as_ref() };
            Some(seat)
        })
    }

    /// A seat that nobody owns, now owned by `thread`. `gone` tells whether a thread that ended
    /// with activations open is really no more: until then they are in flight, and its lane stays.
    pub(crate) fn claim(
        &self,
        thread: u64,
        gone: impl Fn(u64) -> bool,
    ) -> Option<&'static Seat<T>> {
        self.seats().find(|seat| {
            let owner = seat.owner.load(Ordering::Relaxed);
            (owner == 0 || owner & LEFT != 0 && gone(owner & !LEFT))
                && seat
                    .owner
                    .compare_exchange(owner, thread, Ordering::Acquire, Ordering::Relaxed)
                    .is_ok()
        })
    }

    /// A new seat, owned by `thread` from the start.
    pub(crate) fn add(&self, owner: &'static Word, thread: u64, lane: T) -> &'static Seat<T> {
        owner.store(thread, Ordering::Relaxed);
        let seat = Box::leak(Box::new(Seat { owner, lane, next: AtomicPtr::new(ptr::null_mut()) }));
        let mut newest = self.newest.load(Ordering::Relaxed);
        loop {
            seat.next.store(newest, Ordering::Relaxed);
            match self.newest.compare_exchange_weak(
                newest,
                seat,
                Ordering::Release,
                Ordering::Relaxed,
            ) {
                Ok(_) => return seat,
                Err(now) => newest = now,
            }
        }
    }
}

impl<T> Seat<T> {
    /// Gives the seat up; `open` where activations have not ended, as at `process::exit`.
    pub(crate) fn release(&self, thread: u64, open: bool) {
        self.owner.store(if open { thread | LEFT } else { 0 }, Ordering::Release);
    }
}
