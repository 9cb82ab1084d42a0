//! The recorder, from the first call to the report, on clocks that break.
//!
//! Each test has a process of its own, and a machine whose clocks it drives: see `clock::driven`. It
//! ends in right figures, or in marked ones with the reason in a note; and all calls are there.

mod boundaries;
mod run;
mod start;

use super::guard::{Guard, enter};
use super::site::{Kind, Name, Reads, Site};
use crate::clock::driven::{drive, pass_ns};
use crate::snapshot::model::{ClockSource, SiteStats, Snapshot};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Set in the process that a test has to itself.
const MARK: &str = "TIMED_TEST_ALONE";

/// The longest that a test may take: what hangs has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// `alone! { fn name() { … } }`: tests that have the process, and the machine, to themselves.
macro_rules! alone {
    ($(fn $name:ident() $body:block)*) => {$(
        #[test]
        fn $name() {
            fn body() $body
            super::run_alone(concat!(module_path!(), "::", stringify!($name)), body);
        }
    )*};
}
use alone;

fn run_alone(path: &str, body: fn()) {
    if std::env::var_os(MARK).is_some() {
        std::thread::spawn(|| {
            std::thread::sleep(PATIENCE);
            eprintln!("the test hangs");
            std::process::abort();
        });
        return body();
    }
    let (_crate, name) = path.split_once("::").expect("a module's path");
    let mut command = Command::new(std::env::current_exe().expect("this executable"));
    for (variable, _) in std::env::vars_os() {
        if variable.to_string_lossy().starts_with("TIMED") {
            command.env_remove(variable);
        }
    }
    command.args([name, "--exact", "--nocapture"]).env(MARK, "1").stdin(Stdio::null());
    let output = command.output().expect("a child");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert!(output.status.success(), "{}\n{text}", output.status);
    assert!(text.contains("1 passed"), "no test of the name {name}:\n{text}");
    // What was said can be read with --nocapture.
    text.lines()
        .filter(|line| line.starts_with("note: "))
        .for_each(|line| println!("{name}: {line}"));
}

const fn site(name: &'static str) -> Site {
    Site::new(Name::Given(name), "", "broken.rs", 0, Kind::Fn, 0, Reads::Full)
}

static WORK: Site = site("work");
static OUTER: Site = site("outer");

/// Calls made.
static WORKED: AtomicU64 = AtomicU64::new(0);

/// What a call of `work` takes.
const WORK_NS: u64 = 1_000_000;

fn begin_work() -> Guard<super::guard::Full> {
    WORKED.fetch_add(1, Ordering::Relaxed);
    enter(&WORK)
}

/// A timed call in which a millisecond passes.
fn work() {
    let _call = begin_work();
    pass_ns(WORK_NS);
}

/// Many of them, under a caller.
fn work_for_seconds(seconds: u64) {
    let _call = enter(&OUTER);
    (0..seconds * 1_000_000_000 / WORK_NS).for_each(|_| work());
}

/// The kernel keeps time by the counter, and knows its frequency.
fn trust() {
    drive(|machine| {
        machine.facts.clocksource = Some(String::from("tsc"));
        machine.claims = vec![("kernel", machine.ticks_per_second as f64)];
    });
}

/// The snapshot, as the report at the end has it. All calls are in it, all figures are ones that could be
/// meant, and what is noted is said below the table.
#[track_caller]
fn report() -> Snapshot {
    let snapshot = crate::snapshot::take_last();
    check(&snapshot);
    let work = stats(&snapshot, "work");
    assert_eq!(work.calls, WORKED.load(Ordering::Relaxed), "{work:#?}");
    let mut table = Vec::new();
    crate::report(&mut table).expect("a vector takes it");
    let table = String::from_utf8(table).expect("text");
    let foot = table.split_whitespace().collect::<Vec<_>>().join(" ");
    for note in &snapshot.notes {
        println!("note: {note}");
        // Another snapshot has other figures in it.
        let start: String = note.chars().take_while(|c| !c.is_ascii_digit()).collect();
        assert!(foot.contains(start.trim()), "{note} is not in\n{table}");
    }
    assert!(!table.contains("inf") && !table.contains("NaN"), "{table}");
    snapshot
}

#[track_caller]
fn check(snapshot: &Snapshot) {
    // A year: what wraps is hundreds of them.
    let sane = |ns: f64| ns.is_finite() && ns.abs() < 3.2e16;
    let clock = &snapshot.clock;
    for figure in [clock.hz, clock.resolution_ns] {
        assert!(figure.is_finite() && figure > 0.0, "{clock:#?}");
    }
    assert!(clock.hz_error_ppm.is_finite() && sane(clock.floor_ns.end), "{clock:#?}");
    for site in &snapshot.sites {
        let counted: u64 = site.buckets.iter().map(|bucket| bucket.count).sum();
        assert_eq!(site.timed, counted + site.negative, "{site:#?}");
        for figure in [
            site.total_ns,
            site.self_ns,
            site.mean_ns,
            site.typical_ns,
            site.min_ns,
            site.max_ns,
            site.uncertainty_ns,
            site.self_uncertainty_ns,
            site.in_flight_ns,
            site.in_flight_self_ns,
            site.migrated_ns,
            site.migrated_max_ns,
            site.quantile_ns(0.5),
            site.quantile_ns(0.999),
        ] {
            assert!(sane(figure), "{figure} in {site:#?}");
        }
        assert!((0.0..=100.000_001).contains(&site.self_percent), "{site:#?}");
    }
    assert!(sane(snapshot.wall_ns) && sane(snapshot.probe_ns), "{snapshot:#?}");
}

#[track_caller]
fn stats<'a>(snapshot: &'a Snapshot, name: &str) -> &'a SiteStats {
    let found = snapshot.sites.iter().find(|site| site.name == name);
    found.unwrap_or_else(|| panic!("no site {name} in {snapshot:#?}"))
}

/// One note, with these words in it.
#[track_caller]
fn noted(snapshot: &Snapshot, words: &str) {
    let found = snapshot.notes.iter().filter(|note| note.contains(words)).count();
    assert_eq!(found, 1, "`{words}` in {:#?}", snapshot.notes);
}

#[track_caller]
fn nothing_noted(snapshot: &Snapshot) {
    assert!(snapshot.notes.is_empty(), "{:#?}", snapshot.notes);
}

/// The frequency is that of the machine, as closely as it says.
#[track_caller]
fn right_frequency(snapshot: &Snapshot) {
    let clock = &snapshot.clock;
    let hz = drive(|machine| machine.ticks_per_second) as f64;
    let ppm = (clock.hz / hz - 1.0).abs() * 1e6;
    assert!(clock.source != ClockSource::Monotonic, "{clock:#?}");
    assert!(ppm <= clock.hz_error_ppm && clock.hz_error_ppm < 200.0, "{ppm} ppm off: {clock:#?}");
}

/// A call of `work` takes what it takes.
#[track_caller]
fn right_work(snapshot: &Snapshot) {
    let work = stats(snapshot, "work");
    let off_ns = (work.typical_ns - WORK_NS as f64).abs();
    // The hundredth that is cut counts as its bucket's middle, which is a 128th wide.
    let cut_ns = WORK_NS as f64 / 128.0 / 2.0 / 90.0;
    let margin_ns = 1.0 + cut_ns + WORK_NS as f64 * snapshot.clock.hz_error_ppm / 1e6;
    assert!(off_ns < margin_ns, "{off_ns} ns off: {work:#?}");
}
