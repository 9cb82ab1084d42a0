//! The same work through `timed` and through other tools, in one table.
//!
//! ```text
//! cargo run --release --manifest-path benches/peers/Cargo.toml                  all, in some five minutes
//! cargo run --release --manifest-path benches/peers/Cargo.toml -- --quick       to see that it runs
//! cargo run --release --manifest-path benches/peers/Cargo.toml -- timed hand    these only
//! ```
//!
//! Most tools are one to a process, so each is a program of its own, in `with/`. They are asked in turns,
//! many times over, one at a time, so that other work on the machine falls upon all of them; a figure
//! is the median of what the calmer half of a tool's processes said. What goes to stdout is Markdown.

mod builds;
mod children;
mod ends;
mod figures;
mod table;
mod tools;

use children::Child;
use figures::Figures;
use std::time::Instant;
use tools::{TOOLS, Tool};

/// How often each tool is asked, and how much at a time.
struct Effort {
    rounds: usize,
    /// Of the questions of cost, load and truth, and of the one that counts calls.
    amounts: [u32; 4],
    /// Whether projects are built from clean.
    builds: bool,
}

fn main() {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let all = names.len();
    names.retain(|name| name != "--quick");
    let effort = if names.len() < all {
        Effort { rounds: 1, amounts: [2, 1, 3, 1], builds: false }
    } else {
        Effort { rounds: 9, amounts: [20, 20, 60, 100], builds: true }
    };
    let unknown = names.iter().find(|name| TOOLS.iter().all(|tool| tool.name != **name));
    if let Some(name) = unknown {
        let known: Vec<_> = TOOLS.iter().map(|tool| tool.name).collect();
        eprintln!("no tool `{name}` here; there are: {}", known.join(", "));
        std::process::exit(2);
    }
    let chosen: Vec<&Tool> = TOOLS
        .iter()
        .filter(|tool| names.is_empty() || names.iter().any(|name| name == tool.name))
        .collect();

    let begin = Instant::now();
    let say = |what: &str| eprintln!("{:4} s: {what}", begin.elapsed().as_secs());
    let children: Vec<_> = chosen.iter().map(|tool| Child::build(tool)).collect();
    let mut figures: Vec<Figures> = chosen.iter().map(|_| Figures::default()).collect();
    let each = |figures: &mut Vec<Figures>, ask: &dyn Fn(&Tool, &Child, &mut Figures)| {
        for ((tool, child), figures) in chosen.iter().zip(&children).zip(figures) {
            match child {
                Ok(child) => ask(tool, child, figures),
                Err(reason) => figures.failure = Some(reason.clone()),
            }
        }
    };
    let [cost, load, truth, calls] = effort.amounts;
    for round in 1..=effort.rounds {
        say(&format!("round {round} of {}", effort.rounds));
        for (question, amount) in [("cost", cost), ("load", load), ("truth", truth)] {
            each(&mut figures, &|_, child, figures| figures.take(child.ask(question, amount)));
        }
    }
    say("memory, and ways to end");
    each(&mut figures, &|tool, child, figures| {
        figures.take(child.ask("sites", 1));
        figures.take(child.ask("calls", calls));
        figures.ends = ends::reports(tool, child);
    });
    say("projects");
    each(&mut figures, &|tool, _, figures| {
        figures.builds = Some(builds::hello(tool, effort.builds));
    });
    say("done");
    table::print(&chosen, &figures);
    if figures.iter().any(|figures| figures.failure.is_some()) {
        std::process::exit(1);
    }
}
