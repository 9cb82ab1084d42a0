//! A program with many sites and threads: what it takes in memory, and at its end in time.
//!
//! The budgets are for optimised builds on a quiet machine, so times are printed, and checked
//! against a multiple of theirs only:
//! `cargo test --release --features enabled --test exits budget`.

use super::child::{Child, say_ready};
use super::{Program, Test, named, work};
use std::fs;
use std::process::ExitCode;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

pub(super) const PROGRAMS: &[Program] = named![calling_many_sites];

pub(super) const TESTS: &[Test] = named![budgets_of_time_and_memory];

const SITES: usize = 1000;
const LANES: usize = 8;

/// What a site may take in a lane.
const BYTES_OF_A_SITE: usize = 8 * 1024;
const FIRST_CALL: Duration = Duration::from_millis(2);
const REPORT: Duration = Duration::from_millis(50);

/// How much slower an unoptimised build is, beside other tests.
const GRACE: u32 = 100;

/// `tenfold! { inner }`: ten modules, each with what `inner` makes and a function that calls it all.
macro_rules! tenfold {
    (@ [$($name:ident)*] $inner:tt) => {
        $(mod $name { tenfold! { @inner $inner } })*
        pub(super) fn call_all(n: u64) {
            $($name::call_all(n);)*
        }
    };
    (@inner [functions]) => {
        functions! { a b c d e f g h i j }
    };
    (@inner [tenfold $($inner:tt)+]) => {
        tenfold! { $($inner)+ }
    };
    ($($inner:tt)+) => {
        tenfold! { @ [a b c d e f g h i j] [$($inner)+] }
    };
}

/// Timed functions with these names.
macro_rules! functions {
    ($($name:ident)*) => {
        $(#[timed::timed]
        fn $name(n: u64) -> u64 {
            (0..n).fold(n, |sum, n| sum.rotate_left(7) ^ n)
        })*
        pub(super) fn call_all(n: u64) {
            $(std::hint::black_box($name(n));)*
        }
    };
}

mod sites {
    tenfold! { tenfold functions }
}

/// What of this process is in memory, in bytes.
fn resident() -> usize {
    let pages = fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

/// Says how long its first call has taken, in nanoseconds, and how many bytes its calls.
fn calling_many_sites() -> ExitCode {
    let begin = Instant::now();
    work();
    println!("{}", begin.elapsed().as_nanos());
    let barrier = Barrier::new(LANES + 1);
    let bytes = thread::scope(|scope| {
        for _ in 0..LANES {
            scope.spawn(|| {
                barrier.wait();
                // Readings in three octaves and more.
                for n in [10, 1, 100, 1000, 10] {
                    sites::call_all(n);
                }
                barrier.wait();
            });
        }
        let before = resident();
        barrier.wait();
        barrier.wait();
        resident() - before
    });
    println!("{bytes}");
    say_ready();
    ExitCode::SUCCESS
}

fn budgets_of_time_and_memory() {
    let mut child = Child::new("calling_many_sites").start();
    let first_call = Duration::from_nanos(child.read_line().parse().unwrap());
    let bytes = child.read_line().parse::<usize>().unwrap() / (SITES * LANES);
    child.wait_ready();
    let begin = Instant::now();
    let ended = child.end();
    let report = begin.elapsed();
    println!("first call {first_call:?}, {bytes} bytes a site and lane, report {report:?}");
    ended.assert_code(0).assert_reported(1);
    assert!(first_call < FIRST_CALL * GRACE && report < REPORT * GRACE);
    assert!(bytes <= BYTES_OF_A_SITE);
    let reports = ended.reports();
    let [(_, report)] = &reports[..] else { panic!("{ended:#?}") };
    let sites = report["sites"].as_array().unwrap();
    assert_eq!((sites.len(), report["lanes"].as_u64()), (SITES + 1, Some(LANES as u64 + 1)));
    assert!(sites[1..].iter().all(|site| site["calls"] == 5 * LANES), "{ended:#?}");
}
