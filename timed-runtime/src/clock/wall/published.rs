//! Some words that belong together, which anyone may read and anyone may replace at any time.
//!
//! A sequence number counts the replacements: odd while one is under way, and otherwise the same
//! before and after the words were read only if they belong together.
//!
//! * Assumed: the number does not wrap, in 2⁶³ replacements.
//! * Guaranteed: what `read` returns was stored by one `replace`, and was the latest at some moment
//!   during the call. A `replace` succeeds only if nothing has been replaced since its caller read.
//! * Progress: neither waits. A reader that meets a replacement gets nothing, and a thread that comes
//!   second with a replacement is told so. A thread that is never resumed in the middle of its
//!   stores (a fork's other threads) leaves the words unreadable for good: the callers have another way.
//!
//! Every word is stored with `Release` and loaded with `Acquire`: so a reader that sees one of a
//! replacement also sees that the number is odd, or later; and on x86-64 it costs nothing.

use crate::sync::{AtomicU64, Ordering};

/// `N` words and their number, in a line of the cache if there are seven.
#[repr(align(64))]
pub(crate) struct Published<const N: usize> {
    /// 0 before the first replacement.
    number: AtomicU64,
    words: [AtomicU64; N],
}

impl<const N: usize> Published<N> {
    /// Nothing to read yet.
    #[cfg(not(loom))]
    pub(crate) const fn new() -> Self {
        Self { number: AtomicU64::new(0), words: [const { AtomicU64::new(0) }; N] }
    }

    /// Nothing to read yet.
    #[cfg(loom)]
    pub(crate) fn new() -> Self {
        Self { number: AtomicU64::new(0), words: std::array::from_fn(|_| AtomicU64::new(0)) }
    }

    /// Whether there has been no replacement.
    pub(crate) fn is_blank(&self) -> bool {
        self.number.load(Ordering::Relaxed) == 0
    }

    /// The first `M` words, which belong together, and their number. None before the first
    /// replacement, and while there is one.
    #[inline(always)]
    pub(crate) fn read<const M: usize>(&self) -> Option<(u64, [u64; M])> {
        const { assert!(M <= N) };
        let number = self.number.load(Ordering::Acquire);
        if number == 0 || number & 1 == 1 {
            return None;
        }
        let mut words = [0; M];
        for (word, stored) in words.iter_mut().zip(&self.words) {
            *word = stored.load(Ordering::Acquire);
        }
        (self.number.load(Ordering::Relaxed) == number).then_some((number, words))
    }

    /// Replaces the words that had the number `since`, 0 for none: whether they were still the latest.
    pub(crate) fn replace(&self, since: u64, words: &[u64; N]) -> bool {
        // Without an order: the caller has read what this number stands for.
        let odd = since + 1;
        let taken = self.number.compare_exchange(since, odd, Ordering::Relaxed, Ordering::Relaxed);
        if taken.is_err() {
            return false;
        }
        for (stored, word) in self.words.iter().zip(words) {
            stored.store(*word, Ordering::Release);
        }
        self.number.store(odd + 1, Ordering::Release);
        true
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn nothing_at_first_and_then_the_latest() {
        let words = Published::<3>::new();
        assert_eq!(words.read::<3>(), None);
        assert!(words.is_blank());
        assert!(words.replace(0, &[1, 2, 3]));
        assert_eq!((words.read::<2>(), words.is_blank()), (Some((2, [1, 2])), false));
        assert!(!words.replace(0, &[4, 5, 6]));
        assert!(words.replace(2, &[4, 5, 6]));
        assert_eq!(words.read::<3>(), Some((4, [4, 5, 6])));
    }

    #[test]
    fn one_who_does_not_come_back_makes_nobody_wait() {
        let words = Published::<1>::new();
        words.number.store(7, Ordering::Relaxed);
        assert_eq!(words.read::<1>(), None);
        assert!(!words.replace(6, &[1]));
    }
}

#[cfg(all(test, loom))]
mod models {
    use super::*;
    use loom::sync::Arc;
    use loom::thread;

    /// Two threads count up all words together; a third sees whole counts alone, and no count is lost.
    #[test]
    fn loom_words_belong_together_and_no_replacement_is_lost() {
        /// Adds one to each word: whether nobody came in between.
        fn count_up(words: &Published<2>) -> bool {
            match words.read::<2>() {
                Some((number, [a, b])) => {
                    assert_eq!((a, number), (b, 2 * a));
                    words.replace(number, &[a + 1, b + 1])
                }
                None => words.replace(0, &[1, 1]),
            }
        }
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(3);
        builder.check(|| {
            let words = Arc::new(Published::<2>::new());
            let writers: Vec<_> = (0..2)
                .map(|_| {
                    let words = Arc::clone(&words);
                    thread::spawn(move || u64::from(count_up(&words)) + u64::from(count_up(&words)))
                })
                .collect();
            let mut last = 0;
            for _ in 0..2 {
                if let Some((number, [a, b])) = words.read::<2>() {
                    assert_eq!((a, number), (b, 2 * a));
                    assert!(a >= last);
                    last = a;
                }
            }
            let counted: u64 = writers.into_iter().map(|it| it.join().expect("it ends")).sum();
            assert_eq!(words.read::<2>().map(|(_, [a, _])| a), Some(counted));
        });
    }
}
