//! A moment at which the counter and the system's clock were read together.

use super::{Choice, arch, asleep_ns, join, monotonic_ns};

/// One moment on both clocks: plain numbers, of which a recording could be made.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Anchor {
    /// The counter.
    pub(crate) ticks: u64,
    /// The system's clock.
    pub(crate) ns: u64,
    /// The counter's advance over the reads: the two moments differ by at most this.
    pub(crate) bracket_ticks: u64,
    /// For how long the machine had been suspended by then, where the system tells.
    pub(crate) asleep_ns: u64,
    /// The CPU it was taken on, where the counter tells.
    pub(crate) cpu: u64,
}

/// A frequency with the bound of its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frequency {
    pub(crate) hz: f64,
    pub(crate) error_ppm: f64,
}

impl Anchor {
    /// The tightest of several reads of the system's clock between two reads of the counter.
    pub(crate) fn take(clock: &Choice) -> Self {
        let asleep_ns = asleep_ns();
        if !clock.counter {
            let ns = monotonic_ns();
            return Self { ticks: ns, ns, asleep_ns, ..Self::default() };
        }
        (0..24)
            .map(|_| {
                let before = arch::start();
                let ns = monotonic_ns();
                let (low, high, cpu) = arch::stop_parts();
                arch::settle();
                let bracket_ticks = join(low, high).wrapping_sub(before);
                let ticks = before.wrapping_add(bracket_ticks / 2);
                Self { ticks, ns, bracket_ticks, asleep_ns, cpu: u64::from(cpu) }
            })
            // A counter that has run back meanwhile has a bracket beyond all others.
            .min_by_key(|anchor| anchor.bracket_ticks)
            .map(Self::believable)
            .unwrap_or_default()
    }

    /// No bracket is negative: where the counter ran back in each of them, it is where it was read.
    fn believable(mut self) -> Self {
        if (self.bracket_ticks as i64) < 0 {
            self.ticks = self.ticks.wrapping_sub(self.bracket_ticks / 2);
            self.bracket_ticks = 0;
        }
        self
    }

    /// Ticks per second between two anchors: none if either clock stood still or ran backwards.
    ///
    /// Each pair of readings was taken within its bracket, so the counter's advance is known to
    /// half of both brackets, and the system's clock to the nanosecond it counts in.
    pub(crate) fn frequency(&self, later: &Self) -> Option<Frequency> {
        let ticks = later.ticks.checked_sub(self.ticks).filter(|ticks| *ticks > 0)? as f64;
        let ns = later.ns.checked_sub(self.ns).filter(|ns| *ns > 0)? as f64;
        let half_brackets = (self.bracket_ticks + later.bracket_ticks) as f64 / 2.0;
        Some(Frequency {
            hz: ticks / ns * 1e9,
            error_ppm: (half_brackets / ticks + 1.0 / ns) * 1e6,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ticks: u64, ns: u64) -> Anchor {
        Anchor { ticks, ns, bracket_ticks: 100, ..Anchor::default() }
    }

    #[test]
    fn frequency_is_the_quotient_and_the_error_its_brackets() {
        let f = at(1_000, 0).frequency(&at(2_600_001_000, 1_000_000_000)).expect("both advanced");
        assert!((f.hz - 2.6e9).abs() < 1.0);
        assert!(f.error_ppm > 0.03 && f.error_ppm < 0.05, "{}", f.error_ppm);
    }

    #[test]
    fn clocks_that_stand_or_run_back_give_none() {
        assert_eq!(at(5, 5).frequency(&at(5, 9)), None);
        assert_eq!(at(5, 5).frequency(&at(9, 5)), None);
        assert_eq!(at(5, 5).frequency(&at(4, 9)), None);
        assert_eq!(at(5, 5).frequency(&at(9, 4)), None);
    }

    #[test]
    fn a_bracket_that_runs_back_is_none() {
        let back = 10_u64.wrapping_neg();
        let ticks = 1_000_u64.wrapping_add(back / 2);
        let anchor = Anchor { ticks, bracket_ticks: back, ..at(0, 5) }.believable();
        assert_eq!((anchor.ticks, anchor.bracket_ticks), (1_000, 0));
        assert_eq!(at(7, 5).believable(), at(7, 5));
    }
}
