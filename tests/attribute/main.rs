//! What `#[timed]`, `scope!`, `block!` and `hop!` leave as it was.
//!
//! All of it holds with the feature on and off.

#![deny(warnings)]
// The unusual shapes are what is tested.
#![allow(unreachable_pub, clippy::all, clippy::pedantic)]

mod containers;
mod forms;
mod fragments;
mod futures;
mod hops;
mod inference;
mod names;
mod nested;
mod positions;
mod returned_futures;
mod shapes;
mod signatures;
mod sites;
mod unwinding;
