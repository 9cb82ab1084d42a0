//! A bell that a signal handler can ring: a number, and a thread that sleeps until it is there.
//!
//! The kernel's futex, and not a pipe: there is no descriptor that the program could close and
//! reuse (daemons close all that they find), or could miss among those that it counts.

use libc::{c_int, c_long};
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

pub(super) struct Bell(AtomicI32);

impl Bell {
    pub(super) const fn new() -> Self {
        Self(AtomicI32::new(0))
    }

    /// Silent again.
    pub(super) fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Leaves `number` (not 0) for whoever waits, unless there is one already. Only atomics and a
    /// system call: safe in a signal handler.
    pub(super) fn ring(&self, number: c_int) {
        if self.0.compare_exchange(0, number, Ordering::Release, Ordering::Relaxed).is_ok() {
            self.futex(libc::FUTEX_WAKE, 1);
        }
    }

    /// Sleeps until it rings.
    pub(super) fn wait(&self) -> c_int {
        loop {
            match self.0.load(Ordering::Acquire) {
                // The kernel looks again before it puts us to sleep: no ring gets lost.
                0 => self.futex(libc::FUTEX_WAIT, 0),
                number => return number,
            };
        }
    }

    fn futex(&self, operation: c_int, value: c_int) -> c_int {
        let operation = operation | libc::FUTEX_PRIVATE_FLAG;
        let forever = ptr::null::<libc::timespec>();
        // SAFETY: the word is alive and aligned, and the operations use no more arguments. That
        // it fails (the word has changed, a signal came) is for the loop above to see.
        let result: c_long =
            unsafe { libc::syscall(libc::SYS_futex, self.0.as_ptr(), operation, value, forever) };
        result as c_int
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn rings_before_and_while_somebody_waits() {
        let bell = Bell::new();
        bell.ring(2);
        bell.ring(15);
        assert_eq!(bell.wait(), 2, "the first stays");
        bell.reset();
        thread::scope(|scope| {
            let waiter = scope.spawn(|| bell.wait());
            thread::sleep(Duration::from_millis(20));
            bell.ring(15);
            assert_eq!(waiter.join().unwrap(), 15);
        });
    }
}
