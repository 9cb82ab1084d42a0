//! The recorder in a program: what is counted, under whom, and what nothing can upset.
#![cfg(all(target_os = "linux", feature = "enabled"))]

mod alone;
mod conservation;
mod control;
mod flight;
mod futures;
mod held;
mod hops;
mod hostile;
mod sampling;
mod signals;
mod system_calls;
mod tree;
