//! The anchors of a run: what the frequency is measured with, and when it was not what it is.
//!
//! Rows of plain words, each written once and published by the number of rows. A thread that comes
//! while another one takes an anchor goes on without one. The spacing grows with the run: 10 ms at
//! first and a second at the end of the first one, then twice as much after every 32, so that the
//! rows never run out.

use super::memory;
use crate::clock::{Anchor, Choice};
use crate::sync::{Ordering, Own as _, Word};
use core::sync::atomic::AtomicBool;

const WORDS: usize = 5;
/// At the largest spacing, of 2³⁰ seconds, they are full.
const ROWS: usize = 1024;

/// The first spacing, and how often it is doubled at once: to 640 ms.
const FIRST_SPACING_NS: u64 = 10_000_000;
const AT_ONCE: usize = 7;
/// The spacing after that, and how many anchors have the same.
const SPACING_NS: u64 = 1_000_000_000;
const OF_A_SPACING: usize = 32;

/// See the module's text.
#[derive(Debug)]
pub(crate) struct History {
    rows: &'static [[Word; WORDS]],
    length: Word,
    taking: AtomicBool,
    /// When the next anchor is due, on the counter, and how far ahead that was.
    due_ticks: Word,
    spacing_ticks: Word,
}

/// From the `taken`th anchor to the next. The first two stand around the calibration.
fn spacing_ns(taken: usize) -> u64 {
    match taken.saturating_sub(2) {
        early @ ..AT_ONCE => FIRST_SPACING_NS << early,
        later => SPACING_NS << ((later - AT_ONCE) / OF_A_SPACING).min(30),
    }
}

impl History {
    /// An empty one. Without memory it stays so.
    pub(crate) fn new() -> Self {
        let rows = memory::words(ROWS * WORDS).map_or(&[][..], |words| {
            // SAFETY: that many zeroed words, aligned to a page, which are never given back.
            unsafe { core::slice::from_raw_parts(words.cast::<[Word; WORDS]>(), ROWS) }
        });
        Self {
            rows,
            length: Word::new(0),
            taking: AtomicBool::new(false),
            due_ticks: Word::new(0),
            spacing_ticks: Word::new(0),
        }
    }

    /// Adds an anchor, and says when the next one is due on a counter that makes about this many
    /// ticks in 10 ms.
    pub(crate) fn add(&self, anchor: &Anchor, ticks_per_10_ms: u64) {
        if !self.taking.swap(true, Ordering::Acquire) {
            self.push(anchor, ticks_per_10_ms);
            self.taking.store(false, Ordering::Release);
        }
    }

    /// Takes an anchor if one is due `now`, on the counter.
    pub(crate) fn follow(&self, now: u64, clock: &Choice, ticks_per_10_ms: u64) {
        if !self.is_due(now) || self.taking.swap(true, Ordering::Acquire) {
            return;
        }
        // Another thread may have taken it meanwhile.
        if self.is_due(now) {
            self.push(&Anchor::take(clock), ticks_per_10_ms);
        }
        self.taking.store(false, Ordering::Release);
    }

    fn is_due(&self, now: u64) -> bool {
        let ahead = self.due_ticks.get().wrapping_sub(now) as i64;
        // Further ahead than it was ever set: the counter has run back.
        ahead <= 0 || ahead as u64 > self.spacing_ticks.get()
    }

    /// The caller has set `taking`.
    fn push(&self, anchor: &Anchor, ticks_per_10_ms: u64) {
        let length = self.length.get() as usize;
        let spacing = (spacing_ns(length + 1) / FIRST_SPACING_NS).saturating_mul(ticks_per_10_ms);
        self.spacing_ticks.set(spacing);
        self.due_ticks.set(anchor.ticks.wrapping_add(spacing));
        let Some(row) = self.rows.get(length) else { return };
        let words = [anchor.ticks, anchor.ns, anchor.bracket_ticks, anchor.asleep_ns, anchor.cpu];
        for (word, value) in row.iter().zip(words) {
            word.set(value);
        }
        self.length.store(length as u64 + 1, Ordering::Release);
    }

    /// The anchors so far, oldest first.
    pub(crate) fn anchors(&self) -> Vec<Anchor> {
        let length = self.length.load(Ordering::Acquire) as usize;
        let rows = &self.rows[..length.min(self.rows.len())];
        rows.iter()
            .map(|row| {
                let [ticks, ns, bracket_ticks, asleep_ns, cpu] = row.each_ref().map(Word::get);
                Anchor { ticks, ns, bracket_ticks, asleep_ns, cpu }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ticks: u64) -> Anchor {
        Anchor { ticks, ns: ticks, bracket_ticks: ticks, asleep_ns: ticks, cpu: ticks }
    }

    #[test]
    fn spacing_grows_with_the_run_and_the_rows_never_run_out() {
        let mut end_ns = 0_u64;
        for taken in 2..ROWS {
            let spacing = spacing_ns(taken);
            assert!(spacing <= (end_ns / 8).max(SPACING_NS), "{taken}: {spacing} at {end_ns}");
            end_ns = end_ns.saturating_add(spacing);
        }
        assert!(spacing_ns(2) == 10_000_000 && spacing_ns(9) == 1_000_000_000);
        assert!(end_ns > 500 * 365 * 86_400 * 1_000_000_000);
    }

    #[test]
    fn an_anchor_is_due_after_the_spacing_and_when_the_counter_runs_back() {
        let history = History::new();
        history.add(&at(5_000), 10);
        history.add(&at(6_000), 10);
        assert!(!history.is_due(6_000) && !history.is_due(6_009) && history.is_due(6_010));
        assert!(history.is_due(5_999) && history.is_due(0));
        assert_eq!(history.anchors(), [at(5_000), at(6_000)]);
    }

    #[test]
    fn more_than_there_is_room_for() {
        let history = History::new();
        (0..ROWS as u64 + 5).for_each(|n| history.add(&at(n), u64::MAX));
        assert_eq!(history.anchors().len(), ROWS);
        assert_eq!(history.anchors()[ROWS - 1], at(ROWS as u64 - 1));
    }

    #[test]
    fn threads_add_whole_rows_and_wait_for_nobody() {
        let history = History::new();
        std::thread::scope(|scope| {
            for thread in 0..3_u64 {
                let history = &history;
                scope.spawn(move || {
                    (0..2_000).for_each(|n| history.add(&at(thread << 32 | n), 1));
                });
            }
            for _ in 0..200 {
                let anchors = history.anchors();
                assert!(anchors.iter().all(|anchor| *anchor == at(anchor.ticks)), "{anchors:?}");
            }
        });
        // How many found another one at it, and went on without, is the machine's affair.
        assert!((1..=ROWS).contains(&history.anchors().len()));
    }
}
