//! The face without the feature `enabled`: the same names, and nothing behind them.

mod model;

use std::io;

pub use model::{
    Bucket, Check, Clock, ClockSource, Drift, Futures, Kind, Place, SiteStats, Snapshot, TreeNode,
    Verdict,
};

/// A point in time, for `hop!`. It is of none: the feature `enabled` is off.
#[derive(Debug, Clone, Copy)]
pub struct Stamp(());

/// The point in time at which it is called. It is of none: the feature `enabled` is off.
#[inline(always)]
#[must_use = "a stamp is of use to a `hop!` alone"]
pub fn stamp() -> Stamp {
    Stamp(())
}

/// Stops timing calls that begin later. Nothing is timed: the feature `enabled` is off.
#[inline]
pub fn pause() {}

/// Times calls again that begin later. Nothing is timed: the feature `enabled` is off.
#[inline]
pub fn resume() {}

/// Forgets what was recorded. Nothing was: the feature `enabled` is off.
#[inline]
pub fn reset() {}

/// Every site, as it stands now. There is none: the feature `enabled` is off.
#[inline]
#[must_use]
pub fn snapshot() -> Snapshot {
    Snapshot::default()
}

/// Writes the report, now. Nothing is written: the feature `enabled` is off.
///
/// # Errors
///
/// None here; with the feature, what `out` returns.
#[inline]
pub fn report(out: &mut impl io::Write) -> io::Result<()> {
    let _ = out;
    Ok(())
}
