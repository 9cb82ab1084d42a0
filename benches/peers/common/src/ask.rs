//! The questions: the first argument of a child process. Its answers are lines that begin with `=`.

use super::machine::{
    Rate, hurry, interruptions, memory_kb, pin, process_ns, quiet, thread_ns, ticks,
};
use super::stats::{median, middle_mean};
use super::{Mean, Peer, Program};
use std::hint::black_box;
use std::io::Write;
use std::sync::OnceLock;

/// Calls of a unit of work.
const TASK: u32 = 1000;

/// Answers the question that the process was started with.
///
/// # Panics
///
/// If it is none.
pub fn answer<P: Peer>(program: &Program) {
    let mut arguments = std::env::args().skip(1);
    let question = arguments.next().unwrap_or_default();
    // How much of it: 1 is enough to see that it runs.
    let effort: u32 = arguments.next().and_then(|effort| effort.parse().ok()).unwrap_or(1);
    // Whatever hangs ends.
    // SAFETY: the default action of the signal is all that is wanted.
    unsafe { libc::alarm(120) };
    if question == "end" {
        return end::<P>(program, arguments.next().unwrap_or_default());
    }
    hurry();
    let rate = Rate::now();
    P::start();
    match question.as_str() {
        "cost" => cost::<P>(program, &rate, effort),
        "load" => load::<P>(program, &rate, effort),
        "truth" => truth::<P>(program, &rate, effort),
        "sites" => sites::<P>(program),
        "calls" => calls::<P>(program, effort),
        _ => panic!("there are: cost, load, truth, sites, calls, end; not `{question}`"),
    }
    println!("= interruptions {}", interruptions());
}

/// Everything recorded is handed on, and dealt with.
fn settle<P: Peer>() {
    P::flush();
    quiet();
}

/// So many units of work.
fn tasks<P: Peer>(count: u32, calls: u32, work: fn(u32)) {
    for _ in 0..count {
        P::task(|| work(calls));
    }
}

/// What a call costs its caller, and what the bare pair costs in its place.
fn cost<P: Peer>(program: &Program, rate: &Rate, effort: u32) {
    for body in &program.costs {
        tasks::<P>(effort * 5, TASK, body.timed);
    }
    settle::<P>();
    pin();
    for body in &program.costs {
        let (mut added, mut unit) = (Vec::new(), Vec::new());
        for _ in 0..effort * 5 {
            let plain = |work: fn(u32)| ticks(|| work(body.calls));
            // Symmetric about the probe, so that a drift cancels.
            let (pair, bare) = (plain(body.pair), plain(body.plain));
            let timed = ticks(|| P::task(|| (body.timed)(body.calls)));
            let (bare_again, pair_again) = (plain(body.plain), plain(body.pair));
            let bare = f64::midpoint(bare, bare_again);
            added.push((timed - bare) / f64::from(body.calls));
            unit.push((f64::midpoint(pair, pair_again) - bare) / f64::from(body.calls));
        }
        let tick_ns = rate.tick_ns();
        let (added, unit) = (median(&mut added) * tick_ns, median(&mut unit) * tick_ns);
        println!("= {} {added} {unit}", body.name);
    }
}

/// What a call costs all threads together: flat out, and once in ten microseconds among other work.
fn load<P: Peer>(program: &Program, rate: &Rate, effort: u32) {
    let empty = program.costs[0];
    tasks::<P>(effort, TASK, empty.timed);
    settle::<P>();
    let count = effort * 20;
    let from = process_ns();
    for _ in 0..count {
        (empty.plain)(TASK);
    }
    let plain = process_ns() - from;
    let from = process_ns();
    tasks::<P>(count, TASK, empty.timed);
    settle::<P>();
    let timed = process_ns() - from;
    let flat_out = (timed as f64 - plain as f64) / f64::from(count * TASK);

    let (mut with, mut without) = (Vec::new(), Vec::new());
    let [plain, timed] = program.among;
    let (process, thread) = (process_ns(), thread_ns());
    let mut x = 1;
    for _ in 0..effort {
        P::task(|| {
            for _ in 0..TASK {
                without.push(ticks(|| x = plain(x)));
                with.push(ticks(|| x = timed(x)));
            }
        });
    }
    black_box(x);
    settle::<P>();
    let others = (process_ns() - process) as f64 - (thread_ns() - thread) as f64;
    let caller = (middle_mean(&mut with) - middle_mean(&mut without)) * rate.tick_ns();
    let behind = others / f64::from(effort * TASK);
    println!("= load {flat_out} {caller} {behind}");
}

/// What is said of bodies of known duration, and of a parent of a thousand children.
fn truth<P: Peer>(program: &Program, rate: &Rate, effort: u32) {
    let bodies: Vec<_> = program.truths.iter().chain([&program.parent]).collect();
    let mut truths: Vec<Vec<f64>> = bodies.iter().map(|_| Vec::new()).collect();
    let mut parents = Vec::new();
    for _ in 0..effort {
        for (body, truths) in bodies.iter().zip(&mut truths) {
            // Without what the two readings and the loop's first and last turn take: of five calls that is much.
            let none = ticks(|| (body.plain)(0));
            truths.push((ticks(|| (body.plain)(body.calls)) - none) / f64::from(body.calls));
            P::task(|| {
                let took = ticks(|| (body.timed)(body.calls));
                if body.name == program.parent.name {
                    parents.push(took / f64::from(body.calls));
                }
            });
        }
    }
    let tick_ns = rate.tick_ns();
    settle::<P>();
    let means = P::means();
    for (body, truths) in bodies.iter().zip(&mut truths) {
        let truth = middle_mean(truths) * tick_ns;
        let said = find(&means, body.name).map_or(f64::NAN, |mean| mean.nanoseconds);
        println!("= {} {said} {truth}", body.name);
    }
    println!("= took {}", middle_mean(&mut parents) * tick_ns);
}

/// What a thousand sites add to the process.
fn sites<P: Peer>(program: &Program) {
    tasks::<P>(5, TASK, program.costs[0].timed);
    settle::<P>();
    let (before, _) = memory_kb();
    let mut x = 1;
    for _ in 0..300 {
        P::task(|| {
            for function in program.thousand.iter().flatten().flatten() {
                x = function(x);
            }
        });
    }
    black_box(x);
    settle::<P>();
    println!("= sites {}", memory_kb().0.saturating_sub(before));
}

/// What calls add to the process, ten times as many, and the most in between; and how many are reported.
fn calls<P: Peer>(program: &Program, effort: u32) {
    let empty = program.costs[0];
    tasks::<P>(1, TASK, empty.timed);
    settle::<P>();
    let (before, _) = memory_kb();
    let first = effort * 10;
    tasks::<P>(first, TASK, empty.timed);
    settle::<P>();
    let (some, _) = memory_kb();
    tasks::<P>(first * 9, TASK, empty.timed);
    settle::<P>();
    let (many, most) = memory_kb();
    let made = u64::from(first * 10 + 1) * u64::from(TASK);
    let means = P::means();
    let reported = find(&means, empty.name).map_or(0, |mean| mean.calls);
    let added = |kb: u64| kb.saturating_sub(before);
    println!(
        "= calls {} {} {} {}",
        added(some),
        added(many),
        added(most),
        reported as f64 / made as f64
    );
}

fn find<'a>(means: &'a [Mean], name: &str) -> Option<&'a Mean> {
    means.iter().find(|mean| {
        mean.site.strip_suffix(name).is_some_and(|path| path.is_empty() || path.ends_with(':'))
    })
}

/// A program that ends in the way that is asked for.
fn end<P: Peer>(program: &Program, way: String) {
    static WORK: OnceLock<(fn(u32), String)> = OnceLock::new();
    WORK.get_or_init(|| (program.visited, way));
    println!("= mark {}", P::MARK);
    P::whole(|| {
        let (visited, way) = WORK.get().expect("it was set");
        P::task(|| visited(100));
        match way.as_str() {
            "exit" => std::process::exit(0),
            "interrupt" => {
                println!("= ready");
                std::io::stdout().flush().expect("the parent reads");
                std::thread::sleep(std::time::Duration::from_secs(10));
            }
            _ => {}
        }
    });
}
