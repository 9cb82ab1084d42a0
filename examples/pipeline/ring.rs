//! A ring between one thread that pushes and one that pops, which wait by spinning.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::{hint, thread};

/// Turns before a thread that waits lets others have its CPU.
const PATIENCE: u32 = 1000;

/// See the module's text.
pub(crate) struct Ring<T> {
    /// The counters keep the two threads out of each other's slots: no lock is ever waited for.
    slots: Box<[Mutex<Option<T>>]>,
    pushed: AtomicUsize,
    popped: AtomicUsize,
    is_closed: AtomicBool,
}

impl<T> Ring<T> {
    pub(crate) fn new(room: usize) -> Self {
        Self {
            slots: (0..room).map(|_| Mutex::new(None)).collect(),
            pushed: AtomicUsize::new(0),
            popped: AtomicUsize::new(0),
            is_closed: AtomicBool::new(false),
        }
    }

    /// Puts a value in, as soon as there is room. For the one thread that pushes.
    pub(crate) fn push(&self, value: T) {
        let at = self.pushed.load(Ordering::Relaxed);
        wait_until(|| at - self.popped.load(Ordering::Acquire) < self.slots.len());
        *self.slot(at) = Some(value);
        self.pushed.store(at + 1, Ordering::Release);
    }

    /// Says that nothing more will come.
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
    }

    /// The next value, as soon as there is one; none once the ring is closed and empty. For the one
    /// thread that pops.
    pub(crate) fn pop(&self) -> Option<T> {
        let at = self.popped.load(Ordering::Relaxed);
        let has_more = || self.pushed.load(Ordering::Acquire) > at;
        wait_until(|| has_more() || self.is_closed.load(Ordering::Acquire));
        // What was pushed before it was closed is seen by now.
        if !has_more() {
            return None;
        }
        let value = self.slot(at).take();
        self.popped.store(at + 1, Ordering::Release);
        value
    }

    fn slot(&self, at: usize) -> impl std::ops::DerefMut<Target = Option<T>> {
        self.slots[at % self.slots.len()].lock().expect("nobody panics with a slot in hand")
    }
}

fn wait_until(is_so: impl Fn() -> bool) {
    let mut turns = 0;
    while !is_so() {
        turns += 1;
        if turns % PATIENCE == 0 { thread::yield_now() } else { hint::spin_loop() }
    }
}
