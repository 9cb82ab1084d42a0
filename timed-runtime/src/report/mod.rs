//! What a snapshot looks like: a table for people, JSON for programs.
//!
//! All of this runs while the process exits, on whatever the snapshot holds, so nothing in here
//! may panic.

pub mod json;
pub mod table;
pub mod terminal;

mod cell;
mod percent;
#[cfg(test)]
pub(crate) mod random;
mod text;
