//! What a snapshot looks like: a table for people, JSON for programs.
//!
//! All of this runs while the process exits, on whatever the snapshot holds, so nothing in here
//! may panic.

pub(crate) mod json;
pub(crate) mod table;
pub(crate) mod terminal;

mod cell;
#[cfg(test)]
mod golden;
mod percent;
#[cfg(test)]
pub(crate) mod random;
mod text;
