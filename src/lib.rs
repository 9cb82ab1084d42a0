//! Put [`#[timed]`](macro@timed) on a function, run the program, read the report.
//!
//! ```
//! use timed::timed;
//!
//! #[timed]
//! fn checksum(bytes: &[u8]) -> u32 {
//!     bytes.iter().fold(1, |sum, byte| sum.rotate_left(5) ^ u32::from(*byte))
//! }
//!
//! #[timed(name = "checksums")]
//! fn all(files: &[Vec<u8>]) -> u32 {
//!     files.iter().map(|file| checksum(file)).fold(0, u32::wrapping_add)
//! }
//!
//! # fn main() {
//! let files = vec![vec![7; 4096]; 100];
//! println!("{:08x}", all(&files));
//! // On stderr when the program ends: calls, total and self time, and the distribution of each.
//! # }
//! ```
//!
//! Nothing else is needed: no call at the start of `main`, and no guard to keep alive.
//!
//! # On and off
//!
//! The feature `enabled` turns timing on. Without it the attribute hands its item back token for
//! token, the macros and functions here do nothing, and neither the runtime nor a parser is
//! built. A library uses the attribute and leaves the feature alone; the program that is to be
//! measured turns it on, for every crate it is made of, with a line in its own manifest:
//!
//! ```toml
//! [features]
//! profiling = ["timed/enabled"]
//! ```
//!
//! # What is timed
//!
//! * [`#[timed]`](macro@timed): every call of a function. A future's begins with its first poll and ends
//!   when it is ready, or is dropped ([`SiteStats::cancelled`]). Its total time and its distribution
//!   are wall time; its self time, and what is under it in the tree, is the time in its polls. How many
//!   they were, and what was between them, is in [`SiteStats::futures`].
//! * [`scope!`]: from here to the end of the enclosing block.
//! * [`block!`]: a block, as an expression.
//! * [`hop!`]: from a [`stamp`] to here, also from another thread. It is no work of anybody's: it has no
//!   self time, and it is not in the tree.
//!
//! Each such place is a *site*. A duration is what the function itself took: what the clock reads
//! cost, and what the probes inside it cost, is taken off, and a figure that the clock cannot
//! resolve says so. What drops a function's parameters is its caller's time.
//!
//! # Reading the figures
//!
//! The report is written to stderr when the program ends. [`report`] writes it at any other time,
//! [`snapshot`] gives the same figures as data, [`reset`] starts over, and [`pause`] and
//! [`resume`] leave out what is not of interest.
//!
//! Environment variables choose the rest: `TIMED=off`, `TIMED_REPORT=table|json|off`,
//! `TIMED_OUT=PATH`, `TIMED_FILTER=glob,!glob`, `TIMED_SORT`, `TIMED_TOP`, `TIMED_QUANTILES`.

mod macros;

#[cfg(feature = "enabled")]
#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

#[cfg(not(feature = "enabled"))]
mod off;

pub use timed_macros::timed;

#[cfg(feature = "enabled")]
pub use timed_runtime::{
    Bucket, Check, Clock, ClockSource, Drift, Futures, Kind, Place, SiteStats, Snapshot, Stamp,
    TreeNode, Verdict, pause, report, reset, resume, snapshot, stamp,
};

#[cfg(not(feature = "enabled"))]
pub use off::{
    Bucket, Check, Clock, ClockSource, Drift, Futures, Kind, Place, SiteStats, Snapshot, Stamp,
    TreeNode, Verdict, pause, report, reset, resume, snapshot, stamp,
};

/// Whether the feature `enabled` is on in this build.
#[must_use]
pub const fn is_enabled() -> bool {
    cfg!(feature = "enabled")
}
