//! What is paid once: the first call, the memory, the report at the end.

use super::child;
use super::sites;
use super::table::{Budget, Table, digits};
use super::unit::{Effort, chain, median};
use std::fmt::Write as _;
use std::sync::{Barrier, OnceLock};
use std::time::Instant;

const LANES: usize = 8;
/// Turns that bring a reading into four different octaves, of 2 to 16 times the shortest.
const TURNS: [u64; 4] = [0, 2, 6, 14];

#[timed::timed]
#[inline(never)]
fn called(x: u64) -> u64 {
    chain::<0>(x)
}

pub(super) fn rows(table: &mut Table, effort: Effort) {
    let spread =
        |values: &[f64]| format!("{} to {}", digits(values[0]), digits(values[values.len() - 1]));
    let mut first = child::numbers("first-call", effort, &[]);
    let middle = median(&mut first);
    table.row("first call", middle, "ms", Budget(2.0), &spread(&first));
    let mut exits = child::numbers("exit", effort, &[("TIMED_REPORT", "table")]);
    let middle = median(&mut exits);
    table.row("report at exit, 1000 sites in 8 lanes", middle, "ms", Budget(50.0), &spread(&exits));
    let text = child::run("memory", effort, &[]);
    let mut numbers = text.split_whitespace().map(|word| word.parse().unwrap_or(f64::NAN));
    let mut next = || numbers.next().unwrap_or(f64::NAN);
    let (site, octaves, calls, threads) = (next(), next(), next(), next());
    let name = "memory touched a site and lane, 4 octaves hit";
    let note = format!("{octaves:.2} octaves hit");
    table.row(name, site, "KiB", Budget(8.0), &note);
    // What the system and the C library keep for themselves moves by some pages.
    table.row("memory added by 10⁶ more calls", calls, "KiB", Budget(64.0), "");
    table.row("memory added by 1,000 more threads", threads, "KiB", Budget(64.0), "");
}

pub(super) fn first_call() {
    let begin = Instant::now();
    called(1);
    println!("{}", begin.elapsed().as_secs_f64() * 1e3);
}

static LEFT_MAIN: OnceLock<Instant> = OnceLock::new();

/// Ends with 1000 sites in 8 lanes, and tells how long that took.
///
/// C's `exit` runs hooks in the opposite order of their registration: this one, registered before
/// the first timed call, runs after the one that writes the report.
pub(super) fn exit() {
    extern "C" fn last() {
        let took = LEFT_MAIN.get().map_or(f64::NAN, |begin| begin.elapsed().as_secs_f64() * 1e3);
        println!("{took}");
    }
    // SAFETY: the hook does not unwind, and reads a static.
    unsafe { libc::atexit(last) };
    let barrier = Barrier::new(LANES);
    std::thread::scope(|scope| {
        for _ in 0..LANES {
            scope.spawn(|| {
                call_all();
                // Nobody ends, and leaves its lane to another, before all have theirs.
                barrier.wait();
            });
        }
    });
    LEFT_MAIN.get_or_init(Instant::now);
}

fn call_all() {
    for turns in TURNS {
        sites::all().for_each(|site| _ = site(turns));
    }
}

/// Prints KiB a site, octaves a site, KiB for more calls, KiB for more threads.
pub(super) fn memory() {
    // The program's own pages first: with recording paused, a call touches the function alone.
    timed::pause();
    call_all();
    timed::resume();
    called(1);
    let before = resident();
    call_all();
    let sites = resident() - before;

    let taken = timed::snapshot();
    let octaves: usize = taken
        .sites
        .iter()
        .map(|site| {
            let mut octaves: Vec<u32> =
                site.buckets.iter().map(|bucket| octave(bucket.low_ticks)).collect();
            octaves.dedup();
            octaves.len()
        })
        .sum();
    let octaves = octaves as f64 / taken.sites.len() as f64;
    drop(taken);

    let before = resident();
    for _ in 0..1000 {
        sites::all().for_each(|site| _ = site(0));
    }
    let calls = resident() - before;

    let end_threads = |number| {
        for _ in 0..number {
            std::thread::spawn(|| called(1)).join().expect("it does not panic");
        }
    };
    // The first few make the lane, and the stack, that the others take over.
    end_threads(10);
    let before = resident();
    end_threads(1000);
    let threads = resident() - before;
    let mut line = String::new();
    for figure in [sites / 1000.0, octaves, calls, threads] {
        _ = write!(line, "{figure} ");
    }
    println!("{line}");
}

/// Which octave of the histogram a reading is in: 0 below 128 ticks, then one a doubling.
fn octave(ticks: u64) -> u32 {
    (ticks | 127).ilog2() - 6
}

/// KiB of memory that is this process's alone: heap, stacks, mappings, and changed pages of files.
fn resident() -> f64 {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("Anonymous:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse().ok()).unwrap_or(f64::NAN)
}
