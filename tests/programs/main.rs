//! Small programs, compiled with the attribute and without it: what the compiler and Clippy say of
//! them, and what they do.
//!
//! All of it holds with the feature on and off.

mod company;
mod compiler;
mod editions;
mod errors;
mod futures;
mod lints;
mod names;
#[cfg(not(feature = "enabled"))]
mod off;
mod same;
