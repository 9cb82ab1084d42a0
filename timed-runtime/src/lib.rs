//! The clock, the probe, the recorder and the report behind `#[timed]`.

pub mod clock;
pub mod config;
mod cost;
pub mod life;
pub mod recorder;
pub mod report;
pub mod snapshot;
mod sync;

pub use snapshot::model::*;

/// What the expansions of `timed`'s macros name. Not part of the public interface.
#[doc(hidden)]
pub mod private {
    pub use crate::recorder::guard::{Full, Guard, Relaxed, enter, enter_relaxed, enter_sampled};
    pub use crate::recorder::hold::{hold, hold_float};
    pub use crate::recorder::site::{Kind, Listed, Name, Site, Tally};
    pub use core::any::type_name;
    pub use core::{file, line, module_path};
    pub use inventory::submit;
    pub use std::thread_local;
}
