//! Reports of hand-made snapshots, compared byte by byte with the files in `golden/`.
//!
//! `UPDATE_GOLDEN=1 cargo test -p timed-runtime golden` writes them anew.

use super::json;
use super::table::{self, TableOptions};
use crate::config::Sort;
use crate::snapshot::model::{
    Bucket, Check, Clock, ClockSource, Drift, Futures, Kind, Place, SiteStats, Snapshot, TreeNode,
    Verdict,
};
use std::path::Path;

#[test]
fn ordinary() {
    let snapshot = search();
    assert_table("ordinary.txt", &snapshot, &TableOptions::default());
    assert_json("ordinary.json", &snapshot);
}

#[test]
fn narrow() {
    for columns in [20, 40, 60, 80, 100, 120] {
        let options = TableOptions { width: Some(columns), ..TableOptions::default() };
        let mut snapshot = search();
        in_flight(&mut snapshot);
        assert_table(&format!("narrow-{columns}.txt"), &snapshot, &options);
    }
}

#[test]
fn colours() {
    let options = TableOptions { colour: true, ..TableOptions::default() };
    assert_table("colours.txt", &search(), &options);
}

#[test]
fn below_resolution() {
    let mut snapshot = search();
    let mut empty = site("search::is_hidden", 100_000, -0.31, -31_000.0, 0.0);
    empty.verdict = Verdict::BelowResolution;
    empty.uncertainty_ns = 0.6;
    (empty.self_uncertainty_ns, empty.total_uncertainty_ns) = (60_000.0, 60_000.0);
    (empty.min_ns, empty.max_ns) = (-4.9, 3_512.0);
    snapshot.sites.push(empty);
    // Few calls: even their mean is not known to within a step of the clock.
    let mut few = site("search::flag", 3, 7.0, 21.0, 0.0);
    few.verdict = Verdict::BelowResolution;
    few.uncertainty_ns = 11.0;
    (few.self_uncertainty_ns, few.total_uncertainty_ns) = (33.0, 33.0);
    snapshot.sites.push(few);
    let mut relaxed = site("search::hash", 5_000, 21.4, 107_000.0, 0.0);
    relaxed.verdict = Verdict::Estimated;
    snapshot.sites.push(relaxed);
    assert_table("below-resolution.txt", &snapshot, &TableOptions::default());
}

#[test]
fn still_running() {
    let mut snapshot = search();
    in_flight(&mut snapshot);
    assert_table("in-flight.txt", &snapshot, &TableOptions::default());
}

#[test]
fn counted() {
    let mut snapshot = search();
    snapshot.dropped = 1;
    snapshot.notes = vec![
        "the floor moved by 12 % between start and end".to_owned(),
        "the kernel says 2992.000 MHz\nand is wrong".to_owned(),
    ];
    for (index, site) in snapshot.sites.iter_mut().enumerate() {
        site.migrated = (index as u64) % 7;
    }
    let moved = &mut snapshot.sites[2];
    moved.migrated_max_ns = moved.max_ns;
    let many = &mut snapshot.sites[1];
    many.migrated = many.timed / 25;
    many.migrated_ns = many.migrated as f64 * many.quantile_ns(0.99);
    snapshot.sites[1].negative = 2;
    let name = "search::on_signal".to_owned();
    snapshot.sites.push(SiteStats { name, calls: 12, ..SiteStats::default() });
    let mut cancelled = site("search::fetch", 10, 5e6, 4e4, 0.0);
    cancelled.kind = Kind::Async;
    cancelled.calls = 13;
    cancelled.cancelled = 3;
    cancelled.futures =
        Some(Futures { polls: 31, busy_ns: 40_000.0, idle_ns: 5e7, longest_poll_ns: 9_000.0 });
    snapshot.sites.push(cancelled);
    assert_table("counted.txt", &snapshot, &TableOptions::default());
    assert_json("counted.json", &snapshot);
}

#[test]
fn futures() {
    let mut snapshot = search();
    for (name, polls, busy_ns) in
        [("search::fetch", 31, 4e4), ("search::server::connection::answer", 1_200_000, 7.5e9)]
    {
        let mut future = site(name, 10, 5e6, 4e4, 0.0);
        future.kind = Kind::Async;
        future.cancelled = polls % 2;
        future.futures =
            Some(Futures { polls, busy_ns, idle_ns: 5e10 - busy_ns, longest_poll_ns: 9_000.0 });
        snapshot.sites.push(future);
    }
    assert_table("futures.txt", &snapshot, &TableOptions::default());
    for columns in [20, 60, 80] {
        let options = TableOptions { width: Some(columns), ..TableOptions::default() };
        assert_table(&format!("futures-{columns}.txt"), &snapshot, &options);
    }
}

#[test]
fn hops() {
    let mut snapshot = search();
    for (name, calls, typical_ns) in [("feed→drain", 21_877, 7_130.0), ("empty", 300, -0.2)] {
        let mut hop = site(name, calls, typical_ns, 0.0, 1.1);
        hop.kind = Kind::Hop;
        hop.self_uncertainty_ns = 0.0;
        hop.migrated = calls - 7;
        hop.migrated_ns = hop.total_ns;
        hop.migrated_max_ns = hop.max_ns;
        if typical_ns < 0.0 {
            hop.verdict = Verdict::BelowResolution;
            hop.negative = 3;
        }
        snapshot.sites.push(hop);
    }
    assert_table("hops.txt", &snapshot, &TableOptions::default());
    assert_json("hops.json", &snapshot);
}

#[test]
fn never_called() {
    let mut snapshot = search();
    snapshot.never_called = (0..40)
        .map(|number| place(&format!("search::unused::function_{number}"), 10 + number))
        .collect();
    snapshot.never_called.push(place("search::Matcher::find", 99));
    assert_table("never-called.txt", &snapshot, &TableOptions::default());
    let options = TableOptions { width: Some(80), ..TableOptions::default() };
    assert_table("never-called-80.txt", &snapshot, &options);
}

#[test]
fn top() {
    let options = TableOptions {
        top: Some(3),
        sort: Sort::Calls,
        quantiles: vec![95.0],
        ..TableOptions::default()
    };
    assert_table("top.txt", &search(), &options);
}

#[test]
fn weird_names() {
    let mut snapshot = search();
    let names = [
        "line\nbreak\tand \u{1b}[31mred",
        "right\u{202e}to left\u{2028}zero\u{200b}width",
        "日本語::関数::とても長い名前のモジュール::次",
        "e\u{301}tude::de\u{301}composee",
        "",
        "<search::Map<K, V> as core::iter::Iterator>::next",
        "same",
        "same",
    ];
    for ((site, name), line) in snapshot.sites.iter_mut().zip(names).zip(1..) {
        site.name = name.to_owned();
        site.line = line;
        site.migrated = 1;
    }
    snapshot.program = "sea\u{7}rch".to_owned();
    snapshot.notes = vec!["\u{1b}[2J".to_owned()];
    assert_table("weird-names.txt", &snapshot, &TableOptions::default());
    let options = TableOptions { width: Some(60), ..TableOptions::default() };
    assert_table("weird-names-60.txt", &snapshot, &options);
    assert_json("weird-names.json", &snapshot);
}

#[test]
fn empty() {
    let mut snapshot = search();
    snapshot.sites.clear();
    snapshot.tree.clear();
    snapshot.never_called.clear();
    assert_table("empty.txt", &snapshot, &TableOptions::default());
    assert_json("empty.json", &snapshot);
    assert_table("default.txt", &Snapshot::default(), &TableOptions::default());
}

#[test]
fn what_is_not_finite_does_no_harm() {
    let mut snapshot = search();
    for site in &mut snapshot.sites {
        site.self_ns = f64::NAN;
        site.typical_ns = f64::INFINITY;
        site.self_percent = f64::NAN;
    }
    snapshot.clock.hz = f64::NAN;
    snapshot.probe_ns = f64::NEG_INFINITY;
    table(&snapshot, &TableOptions::default());
    let parsed: serde_json::Value = serde_json::from_str(&json(&snapshot)).expect("JSON");
    assert_eq!(parsed["sites"][0]["self_ns"], 0.0);
    assert_eq!(parsed["notes"][0], "26 figures that were not finite are written as 0");
}

/// No line of any table is wider than its terminal.
#[test]
fn every_width_is_kept() {
    let mut snapshot = search();
    in_flight(&mut snapshot);
    let mut options = TableOptions::default();
    for columns in 20..220 {
        options.width = Some(columns);
        for line in table(&snapshot, &options).lines() {
            // Nothing in there is wider or narrower than one column.
            assert!(line.chars().count() <= columns, "{columns}: {line}");
        }
    }
}

#[test]
fn shares_of_self_time_add_up() {
    let mut snapshot = search();
    in_flight(&mut snapshot);
    let text = table(&snapshot, &TableOptions::default());
    let rows = text.split("\n\n").nth(1).expect("a table").lines().skip(1);
    let tenths = rows.map(|row| {
        let mut cells = row.split("  ").filter(|cell| !cell.is_empty());
        let share = cells.nth(3).expect("self%").trim().replace('.', "");
        share.parse::<u32>().expect("a number with one decimal")
    });
    assert_eq!(tenths.sum::<u32>(), 1000);
}

/// A search through sources, as `examples/search.rs` would report it.
fn search() -> Snapshot {
    let mut sites = vec![
        site("search::main", 1, 2.104e9, 1.21e6, 12.0),
        site("search::walk", 1, 2.101e9, 81.3e6, 12.0),
        site("search::search_file", 21_877, 374_613.0, 411.9e6, 912.0),
        site("search::read", 21_877, 61_412.0, 1.344e9, 410.0),
        site("search::Matcher::find", 1_204_661, 3_981.0, 4.796e9, 3.3),
        site("<search::Lines as Iterator>::next", 1_204_700, 71.3, 85.9e6, 0.31),
        site("search::printer::Summary::add", 3_120, 1_934.0, 6.03e6, 4.4),
        site("search::printer::Colours::from_environment_or_default", 1, 12_730.0, 12_730.0, 11.0),
    ];
    let selfs: f64 = sites.iter().map(|site| site.self_ns).sum();
    for site in &mut sites {
        site.self_percent = site.self_ns / selfs * 100.0;
    }
    Snapshot {
        pid: 4242,
        program: "search".into(),
        wall_ns: 2.104e9,
        lanes: 4,
        threads: 9,
        probe_ns: 48.1e6,
        clock: clock(),
        sites,
        never_called: vec![place("search::usage", 301), place("search::fail", 312)],
        tree: vec![node(0, None, 1), node(1, Some(0), 1), node(2, Some(1), 21_877)],
        ..Snapshot::default()
    }
}

fn in_flight(snapshot: &mut Snapshot) {
    snapshot.sites[0] = SiteStats {
        name: "search::main".into(),
        in_flight: 1,
        in_flight_ns: 2.104e9,
        in_flight_self_ns: 1.21e6,
        ..SiteStats::default()
    };
    let read = &mut snapshot.sites[3];
    read.in_flight = 3;
    read.in_flight_ns = 214_000.0;
    read.in_flight_self_ns = 214_000.0;
}

fn clock() -> Clock {
    Clock {
        source: ClockSource::Tsc,
        reason: "invariant, trusted by the kernel".into(),
        hz: 2_595_124_377.5,
        hz_error_ppm: 0.031,
        checks: vec![Check { name: "kernel".into(), hz: 2_595_120_000.0, ppm: -1.687 }],
        resolution_ns: 10.02,
        floor_ns: Drift { start: 20.31, end: 20.44, spread: 0.62 },
        outside_ns: Drift { start: 27.4, end: 27.45, spread: 0.11 },
    }
}

/// A site whose readings spread around `typical_ns`.
fn site(name: &str, calls: u64, typical_ns: f64, self_ns: f64, uncertainty_ns: f64) -> SiteStats {
    let mut site = SiteStats {
        name: name.into(),
        module: "search".into(),
        file: "examples/search.rs".into(),
        line: 40 + calls as u32 % 97,
        calls,
        timed: calls,
        typical_ns,
        mean_ns: typical_ns * 1.02,
        self_ns,
        uncertainty_ns,
        self_uncertainty_ns: uncertainty_ns * calls as f64,
        min_ns: typical_ns * 0.71,
        max_ns: typical_ns * 31.7,
        ..SiteStats::default()
    };
    let mut edges = vec![(0.7, 0.9, 3), (0.9, 1.1, 80), (1.1, 1.5, 14), (2.9, 3.1, 2)];
    edges.push((31.0, 32.0, 1));
    if calls == 1 {
        site.mean_ns = typical_ns;
        (site.min_ns, site.max_ns) = (typical_ns, typical_ns);
        edges = vec![(0.995, 1.005, 100)];
    }
    site.total_ns = site.mean_ns * calls as f64;
    let mut left = calls;
    for (low, high, percent) in edges {
        let count = (calls * percent).div_ceil(100).min(left);
        left -= count;
        if count > 0 {
            let (low_ns, high_ns) = (typical_ns * low, typical_ns * high);
            let low_ticks = (low_ns * 2.595) as u64;
            site.buckets.push(Bucket { low_ns, high_ns, count, low_ticks });
        }
    }
    site
}

fn place(name: &str, line: u32) -> Place {
    Place { name: name.into(), file: "examples/search.rs".into(), line }
}

fn node(site: usize, parent: Option<usize>, calls: u64) -> TreeNode {
    TreeNode { site, parent, calls, ..TreeNode::default() }
}

fn table(snapshot: &Snapshot, options: &TableOptions) -> String {
    let mut bytes = Vec::new();
    table::write(snapshot, options, &mut bytes).expect("a vector takes everything");
    String::from_utf8(bytes).expect("a table is text")
}

fn json(snapshot: &Snapshot) -> String {
    let mut bytes = Vec::new();
    json::write(snapshot, &[50.0, 99.0, 99.9], &mut bytes).expect("a vector takes everything");
    String::from_utf8(bytes).expect("JSON is text")
}

fn assert_table(file: &str, snapshot: &Snapshot, options: &TableOptions) {
    assert_file(file, &table(snapshot, options));
}

fn assert_json(file: &str, snapshot: &Snapshot) {
    let text = json(snapshot);
    serde_json::from_str::<serde_json::Value>(&text).expect("JSON");
    assert_file(file, &text);
}

fn assert_file(file: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report/golden").join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, actual).expect("the golden file can be written");
    }
    let expected = std::fs::read_to_string(&path).expect("the golden file exists");
    assert!(actual == expected, "{file} differs; it would be:\n{actual}\ninstead of:\n{expected}");
}
