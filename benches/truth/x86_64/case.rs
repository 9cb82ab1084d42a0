//! A body whose true time is known, and what is reported of it.

use super::child;
use super::unit::{Effort, Loop, chain, median, middle_mean, spin};
use timed::SiteStats;

/// What an error is compared with.
#[derive(Clone, Copy)]
pub(super) enum Limit {
    /// ns, or a hundredth of the true time where that is more.
    Ns(f64),
    /// Percent of the raw bias, which is what all probes inside, and its own, add to the body.
    Bias(f64),
}

/// A body, with and without probes.
pub(super) struct Case {
    pub(super) name: &'static str,
    /// The end of its site's name.
    pub(super) site: &'static str,
    pub(super) limit: Limit,
    /// Calls in a round.
    pub(super) calls: u32,
    pub(super) plain: Loop,
    pub(super) timed: Loop,
    pub(super) figure: Figure,
}

/// What of a site is looked at: the figure, per call, and its ±.
pub(super) type Figure = fn(&SiteStats) -> (f64, f64);

/// See [`Figure`].
pub(super) fn typical(site: &SiteStats) -> (f64, f64) {
    (site.typical_ns, site.uncertainty_ns)
}

/// See [`Figure`]. Of activations that take so long that more than a hundredth are interrupted: what comes
/// between is their time as much as any, but not what is looked at here.
pub(super) fn median_of(site: &SiteStats) -> (f64, f64) {
    (site.quantile_ns(0.5), site.uncertainty_ns)
}

/// See [`Figure`].
pub(super) fn own(site: &SiteStats) -> (f64, f64) {
    let calls = site.calls as f64;
    (site.self_ns / calls, site.self_uncertainty_ns / calls)
}

/// What one process has found of a case, in ns a call.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) truth: f64,
    pub(super) reported: f64,
    pub(super) uncertainty: f64,
    /// With all probes.
    pub(super) raw: f64,
}

impl Found {
    pub(super) fn error(&self) -> f64 {
        self.reported - self.truth
    }

    /// The error as percent of what the probes have added.
    pub(super) fn bias_left(&self) -> f64 {
        self.error() / (self.raw - self.truth) * 100.0
    }
}

/// Ticks that a loop's own two readings add to it: what twice a loop of half as many calls is longer.
fn own_floor() -> f64 {
    let ticks = |calls| spin(calls, 1, chain::<16>) * f64::from(calls);
    ticks(8);
    let mut floors: Vec<f64> = (0..200).map(|_| 2.0 * ticks(8) - ticks(16)).collect();
    median(&mut floors)
}

/// In a child: prints what it finds of each case.
pub(super) fn measure(cases: &[Case], effort: Effort) {
    let floor = own_floor();
    let mut times: Vec<[Vec<f64>; 2]> = cases.iter().map(|_| [Vec::new(), Vec::new()]).collect();
    for _ in 0..effort.rounds {
        for (case, [plain, timed]) in cases.iter().zip(&mut times) {
            let floor = floor / f64::from(case.calls);
            plain.push((case.plain)(case.calls) - floor);
            timed.push((case.timed)(case.calls) - floor);
        }
    }
    let taken = timed::snapshot();
    let ticks_a_ns = taken.clock.hz / 1e9;
    for (case, [plain, timed]) in cases.iter().zip(&mut times) {
        let site =
            taken.sites.iter().find(|site| site.name.ends_with(case.site)).expect("it was called");
        let (reported, uncertainty) = (case.figure)(site);
        let (truth, raw) = (middle_mean(plain) / ticks_a_ns, middle_mean(timed) / ticks_a_ns);
        println!("{truth} {reported} {uncertainty} {raw}");
    }
}

/// What several children have found of each case.
pub(super) fn collect(group: &str, cases: &[Case], effort: Effort) -> Vec<Vec<Found>> {
    let texts: Vec<String> = (0..effort.children).map(|_| child::run(group, effort, &[])).collect();
    let of_case = |at| texts.iter().filter_map(move |text: &String| parse(text.lines().nth(at)?));
    (0..cases.len()).map(|at| of_case(at).collect()).collect()
}

fn parse(line: &str) -> Option<Found> {
    let mut numbers = line.split_whitespace().map(str::parse);
    let mut next = || numbers.next()?.ok();
    Some(Found { truth: next()?, reported: next()?, uncertainty: next()?, raw: next()? })
}

/// The median of one figure.
pub(super) fn middle(found: &[Found], figure: impl Fn(&Found) -> f64) -> f64 {
    median(&mut found.iter().map(figure).collect::<Vec<_>>())
}
