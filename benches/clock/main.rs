//! The clock by itself, each figure beside its budget.
//!
//! ```text
//! cargo bench --bench clock --features enabled               the table, in half a minute
//! cargo bench --bench clock --features enabled -- --quick    to see that it runs
//! ```
//!
//! What is compared runs in turns, so that a busy machine and a core that changes its frequency meet
//! both alike.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod x86_64;

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn main() {
    x86_64::main();
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn main() {
    eprintln!("this bench compares with x86-64 instructions, and with Linux's clocks");
}
