//! The work that every tool measures, the same for all, and the questions that a child process answers.
//!
//! A peer is a program of one file: it says with a macro what its tool makes of a function, implements
//! [`Peer`], and hands both to [`program!`]. What differs between two peers is the tool.

mod ask;
mod bodies;
mod machine;
mod stats;
mod thousand;

pub use ask::answer;
pub use bodies::{
    Body, Function, Program, chain, long_chain, paired, pairs, plain, repeat, spin, straight,
};

/// What the tool at hand says of a site.
pub struct Mean {
    /// The site's name, as the tool has it: it ends in the function's.
    pub site: String,
    /// Calls in the report.
    pub calls: u64,
    /// What a call took, as a user of the tool would read it: the mean that it shows, or [`typical`] of what
    /// it hands out.
    pub nanoseconds: f64,
}

/// A tool, set up as its documentation says.
pub trait Peer {
    /// What stands in the report where the site `visited` is in it.
    const MARK: &'static str = "visited";

    /// What a program does once, before anything is measured.
    fn start() {}

    /// A unit of a program's work, some thousand calls: what a tool wants to be told of, such as a frame
    /// or a request, stands around it.
    fn task(work: impl FnOnce()) {
        work();
    }

    /// Hands on what was recorded, where that is the program's to say.
    fn flush() {}

    /// What the tool has to say of each site; nothing is measured afterwards.
    fn means() -> Vec<Mean>;

    /// A program from beginning to end, with the tool's own report where it has one: `work` may not return.
    fn whole(work: fn());
}

/// The mean without the largest hundredth, of durations and how often each occurred, the shortest first: how
/// a tool is read that hands out single durations, or a histogram.
///
/// It is what `timed` shows as `typical`; a plain mean follows every interrupt.
#[must_use]
pub fn typical(durations: impl Iterator<Item = (u64, u64)> + Clone) -> f64 {
    let all: u64 = durations.clone().map(|(_, count)| count).sum();
    let kept = all - all / 100;
    let (mut left, mut sum) = (kept, 0.0);
    for (duration, count) in durations {
        let count = count.min(left);
        left -= count;
        sum += duration as f64 * count as f64;
    }
    sum / kept as f64
}

/// The same of single durations in any order.
#[must_use]
pub fn typical_of(durations: &mut [u64]) -> f64 {
    durations.sort_unstable();
    typical(durations.iter().map(|&duration| (duration, 1)))
}
