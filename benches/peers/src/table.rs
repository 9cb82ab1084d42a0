//! The tables, in Markdown.

use crate::children::HERE;
use crate::figures::Figures;
use crate::tools::{Reports, Tool};
use std::fs;
use std::process::Command;

/// The bodies of known duration, in the order of their columns.
const BODIES: [&str; 7] = ["ns1", "ns5", "ns20", "ns100", "us1", "us10", "arithmetic"];

const COST: &str = "\
What a call costs. *Reads*: fenced, so that the body and nothing else executes between them; fenced before, as
`Instant`'s are; or bare. Then what a call of an *empty* function and of a chain of *16 links* adds to its
caller, in ns and in bare fenced pairs, and the processor time that all threads spend on a call of the empty
one. Behind that, both for one call in 10 µs of other work.";

const TRUTH: &str = "\
What is said, less what is true, in ns: of dependent chains of these durations, and of straight-line arithmetic.
It is the mean that the tool shows, or, where it hands out durations or histograms, their mean without the
largest hundredth. *Parent*: what is said of a thousand calls of an empty function; then how much of what the
probes took is in that.";

const REST: &str = "\
Around it: memory that a thousand sites take, that calls of one take, and the most at any time; how many of 10⁷
calls in a row are in the report; whether there is one after a return from `main`, after `process::exit` and
after Ctrl-C; a program of a few lines, built from clean for debugging, and the crates in its tree.";

pub fn print(tools: &[&Tool], figures: &[Figures]) {
    println!("{}\n", machine());
    let (good, failed): (Vec<_>, Vec<_>) =
        tools.iter().zip(figures).partition(|(_, figures)| figures.failure.is_none());

    println!("{COST}\n");
    head(&["reads", "empty", "16 links", "CPU", "once in 10 µs", "CPU"]);
    for (tool, figures) in &good {
        println!("| {} | {} |", title(tool), cost(tool, figures).join(" | "));
    }
    for (tool, figures) in failed {
        println!("| {} | {} |", title(tool), figures.failure.as_deref().unwrap_or_default());
    }
    println!();

    let truths = BODIES.map(|body| {
        let mut all: Vec<f64> =
            good.iter().map(|(_, figures)| figures.median(body, |answer| answer[1])).collect();
        all.sort_by(f64::total_cmp);
        let truth = all.get(all.len() / 2).map_or_else(String::new, |&truth| time(truth));
        if body == "arithmetic" { format!("{truth} of arithmetic") } else { truth }
    });
    println!("{TRUTH}\n");
    let truths: Vec<&str> = truths.iter().map(String::as_str).collect();
    head(&[&truths[..], &["parent", "of its probes"]].concat());
    for (tool, figures) in &good {
        println!("| {} | {} |", title(tool), truth(figures).join(" | "));
    }
    println!();

    println!("{REST}\n");
    head(&[
        "1000 sites",
        "10⁶, 10⁷ calls",
        "at most",
        "calls kept",
        "return",
        "`exit`",
        "Ctrl-C",
        "build",
        "crates",
    ]);
    for (tool, figures) in &good {
        println!("| {} | {} |", title(tool), rest(tool, figures).join(" | "));
    }
}

/// A table's head; the tool's name comes first.
fn head(columns: &[&str]) {
    println!("| | {} |\n| ---{} |", columns.join(" | "), " | ---".repeat(columns.len()));
}

/// What a call costs.
fn cost(tool: &Tool, figures: &Figures) -> Vec<String> {
    let call = |name| {
        let ns = figures.median(name, |answer| answer[0]);
        let pairs = figures.median(name, |answer| answer[0] / answer[1]);
        format!("{} ns, {pairs:.2}", digits(ns))
    };
    let load = |figure: fn(&[f64]) -> f64| format!("{} ns", digits(figures.median("load", figure)));
    vec![
        tool.reads.to_owned(),
        call("empty"),
        call("links16"),
        load(|answer| answer[0]),
        load(|answer| answer[1]),
        load(|answer| answer[1] + answer[2]),
    ]
}

/// How far off it is.
fn truth(figures: &Figures) -> Vec<String> {
    let errors = BODIES.iter().map(|body| {
        let error = figures.median(body, |answer| answer[0] - answer[1]);
        format!("{}{}", if error < 0.0 { "" } else { "+" }, digits(error))
    });
    let parent = figures.median("parent", |answer| answer[0]);
    let truth = figures.median("parent", |answer| answer[1]);
    let took = figures.median("took", |answer| answer[0]);
    let left = format!("{:.1} %", (parent - truth) / (took - truth) * 100.0).replace('-', "−");
    errors.chain([time(parent), left]).collect()
}

/// Memory, ends and builds.
fn rest(tool: &Tool, figures: &Figures) -> Vec<String> {
    let memory = |name: &str, at: usize| megabytes(figures.median(name, |answer| answer[at]));
    let kept = figures.median("calls", |answer| answer[3]) * 100.0;
    let end = |at: usize| match (tool.reports, figures.ends) {
        (Reports::Viewer, _) => "in a viewer",
        (Reports::ByHand, Some(ends)) if ends[at] => "by hand",
        // At a return the program has flushed it.
        (Reports::AsItGoes, Some(ends)) if ends[at] && at > 0 => "what was sent",
        (_, Some(ends)) if ends[at] => "yes",
        _ => "no",
    };
    let (crates, seconds) = figures.builds.unwrap_or((0, None));
    vec![
        memory("sites", 0),
        format!("{}, {}", memory("calls", 0), memory("calls", 1)),
        memory("calls", 2),
        if kept > 99.95 { "all".to_owned() } else { format!("{} %", digits(kept)) },
        end(0).to_owned(),
        end(1).to_owned(),
        end(2).to_owned(),
        seconds.map_or_else(|| "–".to_owned(), |seconds| format!("{seconds:.1} s")),
        crates.to_string(),
    ]
}

/// Its name, and the version that was built.
fn title(tool: &Tool) -> String {
    let lock = fs::read_to_string(format!("{HERE}/Cargo.lock")).unwrap_or_default();
    let entry = format!("name = \"{}\"\nversion = \"", tool.shown);
    let version =
        lock.rsplit_once(&entry).and_then(|(_, rest)| rest.split('"').next()).unwrap_or("");
    match tool.name {
        "timed" => "**`timed`**".to_owned(),
        "timed-relaxed" => "`timed`, relaxed".to_owned(),
        "hand" => format!("`Instant`, hdrhistogram {version}"),
        "tsc-trace-lfence" => format!("tsc-trace {version}, `lfence`"),
        "quanta" => format!("quanta {version}, raw"),
        name => format!("{name} {version}"),
    }
}

/// What it ran on, and when.
fn machine() -> String {
    let said = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = said.lines().find(|line| line.split('\t').next() == Some(name));
        line.and_then(|line| Some(line.split_once(": ")?.1)).unwrap_or("?")
    };
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output();
        output.map_or_else(
            |_| String::new(),
            |output| String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let cores = said.lines().filter(|line| line.starts_with("processor")).count();
    let rust = run("rustc", &["--version"]);
    let rust = rust.split(' ').nth(1).unwrap_or("?");
    let date = run("date", &["+%-d %B %Y"]);
    format!(
        "{} (family {}, model {}) at {} MHz, {cores} cores, Rust {rust}, {}:",
        field("model name"),
        field("cpu family"),
        field("model"),
        field("cpu MHz"),
        date.trim()
    )
}

/// Three digits.
fn digits(figure: f64) -> String {
    let size = figure.abs();
    // Where rounding adds a digit, there is one less behind the point.
    let places = if size < 9.995 { 2 } else { usize::from(size < 99.95) };
    format!("{figure:.places$}").replace('-', "−")
}

fn time(ns: f64) -> String {
    if ns < 999.5 { format!("{} ns", digits(ns)) } else { format!("{} µs", digits(ns / 1e3)) }
}

fn megabytes(kb: f64) -> String {
    let mb = kb / 1024.0;
    if mb < 0.095 { "< 0.1 MB".to_owned() } else { format!("{} MB", digits(mb)) }
}
