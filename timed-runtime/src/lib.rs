//! The clock, the probe, the recorder and the report behind `#[timed]`.

pub mod clock;
mod config;
mod cost;
mod errno;
mod life;
mod recorder;
mod report;
mod snapshot;
mod sync;

pub use recorder::control::{pause, reset, resume};
pub use snapshot::model::*;
pub use snapshot::take as snapshot;

use std::io;

/// Writes the report as a table, now, without stopping anyone: as it would look if the process
/// ended here, sorted and cut as the environment says.
///
/// # Errors
///
/// What `out` returns.
pub fn report(out: &mut impl io::Write) -> io::Result<()> {
    let mut options = report::table::TableOptions::default();
    if let Some(config) = recorder::process::config() {
        options.sort = config.sort;
        options.top = config.top;
        options.quantiles.clone_from(&config.quantiles);
    }
    report::table::write(&snapshot(), &options, out)
}

/// What the expansions of `timed`'s macros name. Not part of the public interface.
#[doc(hidden)]
pub mod private {
    pub use crate::recorder::guard::{Full, Guard, Relaxed, enter, enter_relaxed, enter_sampled};
    pub use crate::recorder::hold::{hold, hold_float};
    pub use crate::recorder::site::{Kind, Listed, Name, Reads, Site, Tally};
    pub use core::any::type_name;
    pub use core::{file, line, module_path};
    pub use inventory::submit;
    pub use std::thread_local;
}
