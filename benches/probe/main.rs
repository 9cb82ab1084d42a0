//! The probe's cost, each figure beside its budget. Whether its figures are true, the bench `truth` says.
//!
//! ```text
//! cargo bench --bench probe --features enabled               the table, in some two minutes
//! cargo bench --bench probe --features enabled -- --quick    to see that it runs
//! ```
//!
//! The unit of cost is the bare fenced pair, `lfence; rdtsc; lfence … rdtscp; lfence`, its result
//! stored, in the same loop around the same body. A machine that is busy makes single figures
//! worse, so run it again when it is quiet.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod x86_64;

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn main() {
    x86_64::main();
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn main() {
    eprintln!("this bench compares with x86-64 instructions, and reads Linux's /proc");
}
