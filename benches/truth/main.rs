//! Whether what is reported is true: bodies whose time is known, beside what the report says of them.
//!
//! ```text
//! cargo bench --bench truth --features enabled               the table, in some two minutes
//! cargo bench --bench truth --features enabled -- --quick    to see that it runs
//! ```
//!
//! Each row is of several processes, each with a calibration of its own. In a process the body runs
//! in turn with a probe and without one; its true time is that of the runs without. A machine that is
//! busy makes single rows worse, so run it again when it is quiet.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod x86_64;

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn main() {
    x86_64::main();
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn main() {
    eprintln!("this bench compares with x86-64 instructions");
}
