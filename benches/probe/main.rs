//! The probe's cost and its truth, each figure beside its budget.
//!
//! ```text
//! cargo bench --bench probe --features enabled               the table, in some two minutes
//! cargo bench --bench probe --features enabled -- --quick    to see that it runs
//! ```
//!
//! The unit of cost is the bare fenced pair, `lfence; rdtsc; lfence … rdtscp; lfence`, its result
//! stored, in the same loop around the same body: see `unit`. A machine that is busy makes single
//! figures worse; nothing makes them better than they are, so run it again.

#![allow(unreachable_pub, reason = "modules of one program")]

#[cfg(target_arch = "x86_64")]
mod child;
#[cfg(target_arch = "x86_64")]
mod code;
