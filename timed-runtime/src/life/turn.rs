//! Whose turn it is: one word that lets a process report once, whoever comes first.
//!
//! The word names the process as well as the phase. A forked child inherits it with its parent's
//! pid in it, which is nobody's turn in the child, until the child arms itself.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The phases that a process goes through, in this order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// What the report needs is being put together.
    Arming,
    /// Nobody has reported yet.
    Ready,
    /// Somebody is at it.
    Writing,
    /// The report is out.
    Done,
}

/// The word.
pub(super) struct Turn(AtomicU64);

impl Turn {
    /// Nobody's.
    pub(super) const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    const fn word(pid: u32, phase: Phase) -> u64 {
        (pid as u64) << 8 | phase as u64
    }

    fn step(&self, pid: u32, from: Phase, to: Phase) -> bool {
        let (from, to) = (Self::word(pid, from), Self::word(pid, to));
        // Release hands what was prepared to whoever claims the turn, Acquire receives it.
        self.0.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Takes the word for a process: true for the first caller in it only.
    pub(super) fn begin(&self, pid: u32) -> bool {
        self.0
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |word| {
                (word >> 8 != u64::from(pid)).then_some(Self::word(pid, Phase::Arming))
            })
            .is_ok()
    }

    /// Everything is prepared: from here on, the turn can be claimed.
    pub(super) fn ready(&self, pid: u32) {
        self.step(pid, Phase::Arming, Phase::Ready);
    }

    /// True for one caller in the life of a process: that one reports.
    pub(super) fn claim(&self, pid: u32) -> bool {
        self.step(pid, Phase::Ready, Phase::Writing)
    }

    /// The one who claimed has reported.
    pub(super) fn finish(&self, pid: u32) {
        self.step(pid, Phase::Writing, Phase::Done);
    }

    /// Waits until nobody is reporting, at most for `limit`.
    pub(super) fn wait(&self, pid: u32, limit: Duration) {
        let start = Instant::now();
        let writing = Self::word(pid, Phase::Writing);
        while self.0.load(Ordering::Acquire) == writing && start.elapsed() < limit {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether the word is this process's own. Safe to ask in a signal handler.
    #[cfg(target_os = "linux")]
    pub(super) fn is_of(&self, pid: u32) -> bool {
        self.0.load(Ordering::Acquire) >> 8 == u64::from(pid)
    }

    /// Nobody's again. Safe to call in a child just forked.
    #[cfg(target_os = "linux")]
    pub(super) fn leave(&self) {
        self.0.store(0, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn one_of_many_claims() {
        let (turn, claims, arms) = (Turn::new(), AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    if turn.begin(7) {
                        arms.fetch_add(1, Ordering::Relaxed);
                        turn.ready(7);
                    }
                    if turn.claim(7) {
                        claims.fetch_add(1, Ordering::Relaxed);
                        turn.finish(7);
                    }
                });
            }
        });
        assert_eq!(arms.into_inner(), 1);
        assert_eq!(claims.into_inner() + usize::from(turn.claim(7)), 1);
    }

    #[test]
    fn a_child_has_a_turn_of_its_own() {
        let turn = Turn::new();
        assert!(turn.begin(7) && !turn.begin(7));
        assert!(!turn.claim(7), "not ready");
        turn.ready(7);
        assert!(!turn.claim(8), "the child has not armed");
        assert!(turn.begin(8));
        turn.ready(8);
        assert!(turn.claim(8) && !turn.claim(8));
        turn.finish(8);
        assert!(!turn.claim(8));
    }

    #[test]
    fn waits_no_longer_than_it_is_told() {
        let turn = Turn::new();
        turn.begin(7);
        turn.ready(7);
        turn.claim(7);
        turn.wait(7, Duration::from_millis(5));
        turn.finish(7);
        turn.wait(7, Duration::from_secs(3600));
    }
}
