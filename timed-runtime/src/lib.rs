//! The clock, the probe, the recorder and the report behind `#[timed]`.
//!
//! The attribute is in the crate `timed`. Of use without it is [`clock`].

#![cfg_attr(loom, allow(dead_code))]

#[cfg(not(loom))]
pub mod clock;
#[cfg(not(loom))]
mod config;
#[cfg(not(loom))]
mod cost;
#[cfg(not(loom))]
mod errno;
#[cfg(not(loom))]
mod life;
mod recorder;
#[cfg(not(loom))]
mod report;
#[cfg(not(loom))]
mod snapshot;
mod sync;

// Loom's atomics cannot stand in statics, so its build has only what it models.
#[cfg(loom)]
#[path = "snapshot/data.rs"]
mod data;
#[cfg(loom)]
#[path = "clock/wall/published.rs"]
mod published;
#[cfg(loom)]
#[path = "snapshot/recording.rs"]
mod recording;

#[cfg(not(loom))]
pub use recorder::control::{pause, reset, resume};
#[cfg(not(loom))]
pub use recorder::hop::{Stamp, stamp};
#[cfg(not(loom))]
pub use snapshot::model::*;
#[cfg(not(loom))]
pub use snapshot::take as snapshot;

#[cfg(not(loom))]
use std::io;

/// Writes the report as a table, now, without stopping anyone: as it would look if the process
/// ended here, sorted and cut as the environment says.
///
/// # Errors
///
/// What `out` returns.
#[cfg(not(loom))]
pub fn report(out: &mut impl io::Write) -> io::Result<()> {
    use report::table::TableOptions;
    let options = recorder::process::config().map_or_else(TableOptions::default, TableOptions::of);
    report::table::write(&snapshot(), &options, out)
}

/// What the expansions of `timed`'s macros name. Not part of the public interface.
#[doc(hidden)]
#[cfg(not(loom))]
pub mod private {
    #[cfg(target_os = "linux")]
    pub use crate::__timed_submit as submit;
    pub use crate::recorder::future::{
        Never, Returns, Sampled, Tie, Timed, every, future, never, some,
    };
    pub use crate::recorder::guard::{Full, Guard, Relaxed, enter, enter_relaxed, enter_sampled};
    pub use crate::recorder::hold::{hold, hold_float};
    pub use crate::recorder::hop::{hop, stamped};
    #[cfg(not(target_os = "linux"))]
    pub use crate::recorder::registry::{Listed, submit};
    pub use crate::recorder::site::{Kind, Name, Reads, Site, Tally};
    pub use crate::recorder::wall::{Span, span};
    pub use core::any::type_name;
    pub use core::{file, line, module_path};
    pub use std::thread_local;
}
