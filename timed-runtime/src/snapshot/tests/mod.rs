//! The arithmetic, on recordings made by hand: what is known of them is exact.

mod arithmetic;
mod clocks;
mod distribution;
mod hops;
mod program;
