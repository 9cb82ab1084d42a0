//! What `frequency` returns right after first use, and later, against the kernel's raw monotonic
//! clock. Each time in a child: first use is once in a process.

use super::anchor::anchor;
use super::table::Table;
use super::unit::median;
use std::process::Command;
use std::time::{Duration, Instant};
use timed_runtime::clock::{self, Frequency};

/// Says that this process is such a child.
pub(super) const CHILD: &str = "--frequency-child";

/// Milliseconds after first use.
const LATER: [u64; 3] = [10, 100, 1000];

/// Of a child, in the order in which it prints them.
const FIRST_USE: usize = 0;
const FIRST_FREQUENCY: usize = 1;
const FIGURES: usize = 2;

pub(super) fn rows(table: &mut Table, quick: bool) {
    let children = if quick { 2 } else { 9 };
    let runs: Vec<Vec<f64>> = (0..children).map(|_| numbers(quick)).collect();
    let column = |at: usize| -> Vec<f64> { runs.iter().map(|run| run[at]).collect() };
    table.row("first use", median(&mut column(FIRST_USE)), "ms", 1.0, "");
    table.row("frequency, the first call", median(&mut column(FIRST_FREQUENCY)), "ms", 1.5, "");
    for (which, after) in ["at once", "10 ms later", "100 ms later", "1 s later"].iter().enumerate()
    {
        let (mut errors, mut bounds) =
            (column(FIGURES + which * 2), column(FIGURES + which * 2 + 1));
        let shares = errors.iter().zip(&bounds).map(|(error, bound)| error / bound);
        let worst = shares.fold(0.0, f64::max);
        let note = format!("said to be within {:.3} ppm", median(&mut bounds));
        let most = if which == LATER.len() { 1.0 } else { 100.0 };
        let name = format!("frequency, {after}: error");
        table.row(&name, median(&mut errors), "ppm", most, &note);
        table.row(&format!("frequency, {after}: error, worst"), worst, "bounds", 1.0, "");
    }
}

/// What a child prints.
fn numbers(quick: bool) -> Vec<f64> {
    let mut command = Command::new(std::env::current_exe().expect("this executable"));
    command.arg(CHILD).args((!quick).then_some("--bench"));
    let output = command.output().expect("it starts itself");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.split_whitespace().map(|number| number.parse().expect("a number")).collect()
}

/// Prints what first use took, and of each figure its error and the bound that it came with.
pub(super) fn child(quick: bool) {
    let (ticks, ns) = anchor();
    let begin = Instant::now();
    let _first = clock::start();
    let first_use = begin.elapsed();
    let mut figures: Vec<Frequency> = vec![clock::frequency()];
    let first_frequency = begin.elapsed();
    for ms in LATER {
        let after = Duration::from_millis(if quick { ms / 10 } else { ms });
        std::thread::sleep(after.saturating_sub(begin.elapsed()));
        figures.push(clock::frequency());
    }
    let (later_ticks, later_ns) = anchor();
    let hz = (later_ticks - ticks) / (later_ns - ns) * 1e9;
    println!("{} {}", first_use.as_secs_f64() * 1e3, first_frequency.as_secs_f64() * 1e3);
    for figure in figures {
        println!("{} {}", (figure.hz / hz - 1.0).abs() * 1e6, figure.error_ppm);
    }
}
