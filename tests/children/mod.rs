//! The child programs, the tests that start them, and what runs the tests.

mod child;
mod endings;
mod files;
mod forks;
mod handlers;
mod signals;
mod sizes;
mod streams;

use std::panic::catch_unwind;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use timed::timed;

/// Names the program that this process is to be.
pub(crate) const PROGRAM: &str = "EXITS_PROGRAM";

/// A child's `main`, by its name.
type Program = (&'static str, fn() -> ExitCode);

/// A test, by its name.
type Test = (&'static str, fn());

/// `named![a, b]`: pairs of a name and what has it.
macro_rules! named {
    ($($item:ident),* $(,)?) => { &[$((stringify!($item), $item as _)),*] };
}
use named;

const PROGRAMS: [&[Program]; 7] = [
    endings::PROGRAMS,
    files::PROGRAMS,
    forks::PROGRAMS,
    handlers::PROGRAMS,
    signals::PROGRAMS,
    sizes::PROGRAMS,
    streams::PROGRAMS,
];

const TESTS: [&[Test]; 7] = [
    endings::TESTS,
    files::TESTS,
    forks::TESTS,
    handlers::TESTS,
    signals::TESTS,
    sizes::TESTS,
    streams::TESTS,
];

/// What the programs count.
#[timed]
fn work() {
    std::hint::black_box(());
}

/// Makes `n` timed calls.
fn work_times(n: usize) {
    (0..n).for_each(|_| work());
}

/// The `main` of a child.
pub(crate) fn run_program(name: &str) -> ExitCode {
    child::limit_time();
    child::default_signals();
    let found = PROGRAMS.into_iter().flatten().find(|program| program.0 == name);
    found.expect("a program of this name").1()
}

/// The `main` of the tests. Takes a part of a name, as Cargo's harness does.
pub(crate) fn run_tests() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let filter = arguments.iter().find(|argument| !argument.starts_with('-'));
    let is_wanted = |name: &str| filter.is_none_or(|part| name.contains(part.as_str()));
    let tests: Vec<Test> =
        TESTS.into_iter().flatten().copied().filter(|test| is_wanted(test.0)).collect();
    if arguments.iter().any(|argument| argument == "--list") {
        for (name, _) in &tests {
            println!("{name}: test");
        }
        return ExitCode::SUCCESS;
    }
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    println!("\nrunning {} tests", tests.len());
    // Most of the time goes into waiting for children.
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((name, test)) = tests.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let passed = catch_unwind(test).is_ok();
                    println!("test {name} ... {}", if passed { "ok" } else { "FAILED" });
                    if !passed {
                        failed.lock().unwrap().push(*name);
                    }
                }
            });
        }
    });
    child::clean_up();
    let failed = failed.into_inner().unwrap();
    let passed = tests.len() - failed.len();
    println!("\ntest result: {passed} passed; {} failed {failed:?}\n", failed.len());
    ExitCode::from(u8::from(!failed.is_empty()))
}
