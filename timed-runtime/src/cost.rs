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
}

impl Costs {
    /// What the end of a hop takes.
    pub(crate) fn hop_end(&self) -> f64 {
        self.hop.whole() - self.stamp
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
    /// The medians of many runs, so that an interrupt in some of them moves nothing.
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

/// Median, and half the distance of the sixths at both ends (one standard deviation, if normal).
pub(crate) fn middle(values: &mut [f64]) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values.get((share * values.len() as f64) as usize).copied();
    let Some(median) = at(0.5) else { return (0.0, 0.0) };
    let spread = (at(5.0 / 6.0).unwrap_or(median) - at(1.0 / 6.0).unwrap_or(median)) / 2.0;
    (median, spread)
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

    #[test]
    fn no_runs_no_cost() {
        assert_eq!(Cost::of(&[], 1.0), Cost::default());
    }
}
