//! What a probe costs, from runs of chains whose own time is known.
//!
//! A chain of n links takes n·l ticks; l is known from a long run without a probe. Timed, its
//! reading is R, and a caller pays T for it. Then the floor is f = R − n·l, and what the probe
//! takes outside its two reads is o = T − R. f is *not* the reading of an empty region: there the
//! second read overlaps with the first.

/// One probe's cost, in ticks.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Cost {
    /// What the two reads add to a reading.
    pub(crate) floor: f64,
    /// What the probe takes outside its two reads.
    pub(crate) outside: f64,
    /// Half of what the middle two thirds of the runs differ by, of either.
    pub(crate) floor_spread: f64,
    pub(crate) outside_spread: f64,
}

/// The costs of each kind of probe, and of a bare pair at the same time, in ticks.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Costs {
    pub(crate) full: Cost,
    pub(crate) relaxed: Cost,
    /// A poll's, fenced.
    pub(crate) poll: Cost,
    /// Of a stamp and the end of a hop together.
    pub(crate) hop: Cost,
    /// What a stamp takes of that.
    pub(crate) stamp: f64,
    /// What an activation's reading holds more, once, if it has timed callees: its place must be found
    /// while it is open. Less what its own probe and its callee's overlap.
    pub(crate) finding: f64,
    /// What such an activation takes more outside of its reads.
    pub(crate) closing: f64,
    pub(crate) pair: f64,
    /// Those of another time were disturbed: they differ, and twice these came out alike.
    pub(crate) others_are_odd: bool,
}

/// What costs are believed to be at most, and how far off zero they may be, in ticks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Limits {
    /// The clock's step.
    pub(crate) step: f64,
    /// Ticks in 10 ms.
    pub(crate) per_10_ms: f64,
}

impl Limits {
    /// A thousand steps. Where each reading is trapped, or emulated, it takes microseconds: so a
    /// hundred of those are believed as well.
    fn most(&self) -> f64 {
        (self.step * 1000.0).max(self.per_10_ms / 100.0)
    }
}

/// A cost that no probe has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Refused {
    pub(crate) what: &'static str,
    pub(crate) ticks: f64,
}

/// How far a bare pair can be from what it was at first use: what cores are clocked up and down by,
/// and take turns with a sibling, several times over.
const PAIR_MOVES: f64 = 16.0;

impl Costs {
    /// What the end of a hop takes.
    pub(crate) fn hop_end(&self) -> f64 {
        self.hop.whole() - self.stamp
    }

    /// These, where they can be meant; else the first that cannot.
    pub(crate) fn checked(mut self, limits: &Limits) -> Result<Self, Refused> {
        let most = limits.most();
        let within = |ticks: f64, least: f64| ticks >= least && ticks <= most;
        for (what, ticks, least) in [
            ("a floor", self.full.floor, -limits.step),
            ("an outside cost", self.full.outside, -limits.step),
            ("a floor of a poll", self.poll.floor, -limits.step),
            ("an outside cost of a poll", self.poll.outside, -limits.step),
            // What is not ordered against the body may come out below zero.
            ("a floor of a relaxed probe", self.relaxed.floor, -most),
            ("an outside cost of a relaxed probe", self.relaxed.outside, -most),
            ("a bare pair", self.pair, 0.0),
        ] {
            if !within(ticks, least) {
                return Err(Refused { what, ticks });
            }
        }
        // Two reads are most of a probe. Where none of its calls could be counted, it seems to be free.
        let whole = self.full.whole();
        if self.pair > 2.0 * limits.step && whole < self.pair / 4.0 {
            return Err(Refused { what: "a cost", ticks: whole });
        }
        // Within a step below zero is zero.
        for cost in [&mut self.full, &mut self.poll] {
            cost.floor = cost.floor.max(0.0);
            cost.outside = cost.outside.max(0.0);
        }
        for (what, least) in [
            (&mut self.finding, -most),
            (&mut self.closing, -most),
            (&mut self.stamp, 0.0),
            (&mut self.hop.floor, -most),
            (&mut self.hop.outside, -most),
        ] {
            if !within(*what, least) {
                *what = 0.0;
            }
        }
        Ok(self)
    }

    /// Whether what a full probe costs now, while a bare pair takes `pair`, can be what these were
    /// measured beside: within some standard deviations.
    pub(crate) fn agrees(&self, full: &Cost, pair: f64) -> bool {
        let (own, others) = (self.full.whole() / self.pair, full.whole() / pair);
        (own - others).abs() <= 0.02 * own
    }

    /// Whether bare pairs that take this many ticks now can be the same as those of first use. A
    /// counter that stands still, or jumps, makes others.
    pub(crate) fn fits(&self, pair: f64) -> bool {
        pair >= self.pair / PAIR_MOVES && pair <= self.pair * PAIR_MOVES
    }
}

/// One run: `calls` timed chains of `links` in all.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    pub(crate) calls: f64,
    pub(crate) links: f64,
    /// Sum of the chains' readings.
    pub(crate) raw: f64,
    /// A reading around the whole run.
    pub(crate) around: f64,
}

impl Cost {
    /// The middle of many runs.
    pub(crate) fn of(runs: &[Run], link: f64) -> Self {
        let mut floors = Vec::with_capacity(runs.len());
        let mut outsides = Vec::with_capacity(runs.len());
        for run in runs {
            let floor = (run.raw - run.links * link) / run.calls;
            // The reading around the run has a floor of its own.
            outsides.push((run.around - floor - run.raw) / run.calls);
            floors.push(floor);
        }
        let (floor, floor_spread) = middle(&mut floors);
        let (outside, outside_spread) = middle(&mut outsides);
        Self { floor, outside, floor_spread, outside_spread }
    }

    /// Floor and outside cost together: what a caller pays for the probe.
    pub(crate) fn whole(&self) -> f64 {
        self.floor + self.outside
    }
}

/// The mean of the values without those that were disturbed, which may be almost half of them; and half
/// the distance of the sixths at both ends (one standard deviation, if normal).
///
/// The half that lies closest together says where undisturbed ones are, and how wide they spread; all that
/// are within that spread, twice over, make the mean.
pub(crate) fn middle(values: &mut [f64]) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let half = values.len().div_ceil(2);
    let Some(last) = half.checked_sub(1) else { return (0.0, 0.0) };
    let width = |from: usize| values[from + last] - values[from];
    let closest = (0..=values.len() - half).min_by(|a, b| width(*a).total_cmp(&width(*b)));
    let from = closest.unwrap_or(0);
    let (low, spread) = (values[from], width(from));
    let good = low - 1.5 * spread..=low + 2.5 * spread;
    let good: Vec<f64> = values.iter().copied().filter(|value| good.contains(value)).collect();
    let at = |sixths: usize| values[sixths * values.len() / 6];
    (good.iter().sum::<f64>() / good.len() as f64, (at(5) - at(1)) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_come_out_of_runs_made_from_them() {
        let (link, floor, outside) = (2.5, 52.0, 71.0);
        let mut runs: Vec<Run> = (1..30)
            .map(|n| {
                let (calls, links) = (32.0, f64::from(n) * 32.0);
                let raw = links * link + calls * floor;
                Run { calls, links, raw, around: raw + calls * outside + floor }
            })
            .collect();
        runs[3].around += 1e6;
        runs[7].raw += 1e6;
        let cost = Cost::of(&runs, link);
        assert!(
            (cost.floor - floor).abs() < 1e-9 && (cost.outside - outside).abs() < 1e-9,
            "{cost:?}"
        );
        assert!((cost.whole() - 123.0).abs() < 1e-9);
    }

    fn costs(floor: f64, outside: f64, pair: f64) -> Costs {
        let full = Cost { floor, outside, floor_spread: 1.0, outside_spread: 1.0 };
        let relaxed = Cost { floor: -40.0, ..full };
        Costs { full, relaxed, poll: full, finding: -3.0, pair, ..Costs::default() }
    }

    const LIMITS: Limits = Limits { step: 26.0, per_10_ms: 26e6 };

    #[test]
    fn costs_that_a_probe_can_have_are_left_as_they_are() {
        for costs in [costs(52.0, 71.0, 107.0), costs(0.0, 0.0, 0.0), costs(9e4, 2e5, 2e5)] {
            assert_eq!(costs.checked(&LIMITS), Ok(costs));
        }
        let below = costs(-12.0, -1.0, 3.0).checked(&LIMITS).expect("within a step");
        assert!(below.full.floor == 0.0 && below.full.outside == 0.0 && below.relaxed.floor < 0.0);
    }

    #[test]
    fn costs_that_none_can_have_are_refused() {
        for bad in [-27.0, -1e19, 1e6, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for costs in [costs(bad, 71.0, 107.0), costs(52.0, bad, 107.0), costs(52.0, 71.0, bad)]
            {
                assert!(costs.checked(&LIMITS).is_err(), "{costs:?}");
            }
        }
        let refused = costs(f64::NAN, 71.0, 107.0).checked(&LIMITS).expect_err("no number");
        assert_eq!(refused.what, "a floor");
        let wild = Costs { finding: f64::NAN, ..costs(52.0, 71.0, 107.0) };
        assert_eq!(wild.checked(&LIMITS).map(|costs| costs.finding), Ok(0.0));
    }

    #[test]
    fn a_probe_is_not_free_where_its_reads_are_not() {
        assert!(costs(0.0, 0.0, 107.0).checked(&LIMITS).is_err());
        // Not to be told from nothing on a clock of such steps.
        assert!(costs(0.0, 0.0, 30.0).checked(&LIMITS).is_ok());
    }

    #[test]
    fn pairs_move_with_the_core_and_no_further() {
        let costs = costs(52.0, 71.0, 107.0);
        assert!(costs.fits(107.0) && costs.fits(50.0) && costs.fits(1000.0));
        for bad in [0.0, -5.0, 1e9, f64::NAN, f64::INFINITY] {
            assert!(!costs.fits(bad), "{bad}");
        }
    }

    #[test]
    fn what_is_disturbed_is_left_out() {
        let disturbed = (0..20).map(|n| 200.0 + f64::from(n));
        let mut values: Vec<f64> =
            (0..28).map(|n| 100.0 + f64::from(n % 7)).chain(disturbed).collect();
        let (middle, _) = middle(&mut values);
        assert!((middle - 103.0).abs() < 1.0, "{middle}");
        assert_eq!(super::middle(&mut []), (0.0, 0.0));
        assert!((super::middle(&mut [4.0]).0 - 4.0).abs() < 1e-9);
        assert_eq!(super::middle(&mut [5.0; 9]), (5.0, 0.0));
    }

    #[test]
    fn no_runs_no_cost() {
        assert_eq!(Cost::of(&[], 1.0), Cost::default());
    }
}
