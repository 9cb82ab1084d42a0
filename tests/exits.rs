//! Every way to end a program, and what becomes of its report and of its status.
//!
//! A program has to have a `main` of its own to return from, so this target is run without
//! Cargo's harness: the one executable is the test runner, and the programs that it starts.

use std::process::ExitCode;

#[cfg(all(target_os = "linux", feature = "enabled"))]
mod children;

#[cfg(all(target_os = "linux", feature = "enabled"))]
fn main() -> ExitCode {
    match std::env::var(children::PROGRAM) {
        Ok(name) => children::run_program(&name),
        Err(_) => children::run_tests(),
    }
}

#[cfg(not(all(target_os = "linux", feature = "enabled")))]
fn main() -> ExitCode {
    ExitCode::SUCCESS
}
