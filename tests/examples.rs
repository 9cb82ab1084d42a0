//! The examples as their users run them: what they print, and what their reports say.
//!
//! `cargo test` builds the examples, so they lie beside this test. Without the feature the
//! same programs print the same results, and nothing else.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A run of an example that went well.
struct Run {
    stdout: String,
    /// `None` without the feature.
    report: Option<Report>,
}

/// Runs an example on `args`, and checks whatever must hold for each of them.
fn run(test: &str, example: &str, args: &[&Path]) -> Run {
    let out = scratch(&format!("{test}-report")).join("report.json");
    let run = Command::new(built(example))
        .args(args)
        .env("TIMED_OUT", &out)
        .output()
        .expect("the example starts");
    let stderr = String::from_utf8(run.stderr).expect("stderr is UTF-8");
    assert!(run.status.success(), "{example}: {}\n{stderr}", run.status);
    let report = if cfg!(feature = "enabled") {
        assert!(stderr.contains("calls"), "no table on stderr:\n{stderr}");
        Some(Report::read(&out))
    } else {
        assert_eq!(stderr, "");
        assert!(!out.exists(), "a report without the feature");
        None
    };
    let stdout = String::from_utf8(run.stdout).expect("stdout is UTF-8");
    Run { stdout, report }
}

/// The executable of an example: in `examples`, next to the directory of this test.
fn built(example: &str) -> PathBuf {
    let this = std::env::current_exe().expect("the test knows its own path");
    let profile = this.ancestors().nth(2).expect("target/<profile>/deps/<test>");
    let path =
        profile.join("examples").join(example).with_extension(std::env::consts::EXE_EXTENSION);
    assert!(
        path.exists(),
        "{} is missing: `cargo test --test` does not build examples, `cargo build --examples` does",
        path.display()
    );
    path
}

/// An empty directory for one test.
fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("the target directory can be written");
    dir
}

/// A JSON report whose sites have been checked one by one.
struct Report(Value);

impl Report {
    fn read(path: &Path) -> Self {
        let text = fs::read(path).expect("the report was written");
        let report: Value = serde_json::from_slice(&text).expect("the report is JSON");
        assert_eq!(report["schema"], "timed/1");
        let report = Self(report);
        for (index, site) in report.sites().iter().enumerate() {
            report.check_site(index, site);
        }
        report
    }

    /// What went in came out: the same number of calls in the counter, the histogram and the tree.
    fn check_site(&self, index: usize, site: &Value) {
        let calls = number(&site["calls"]);
        assert_eq!(number(&site["timed"]), calls, "{site:#}");
        assert_eq!(number(&site["in_flight"]), 0, "{site:#}");
        let buckets = array(&site["histogram"]["buckets"]);
        let counted: u64 = buckets.iter().map(|bucket| number(&bucket[2])).sum();
        assert_eq!(counted + number(&site["negative"]), calls, "{site:#}");
        let nodes = array(&self.0["tree"]).iter();
        let in_tree: u64 = nodes
            .filter(|node| number(&node["site"]) == index as u64)
            .map(|node| number(&node["calls"]))
            .sum();
        // An interval has no place in it.
        let expected = if site["kind"] == "hop" { 0 } else { calls - number(&site["negative"]) };
        assert_eq!(in_tree, expected, "{site:#}\n{:#}", self.0["tree"]);
    }

    fn sites(&self) -> &[Value] {
        array(&self.0["sites"])
    }

    /// The site with this name, its path left out.
    fn site(&self, name: &str) -> &Value {
        let mut found = self.sites().iter().filter(|site| {
            let full = site["name"].as_str().expect("a site has a name");
            full == name || full.ends_with(&format!("::{name}"))
        });
        let site = found.next().unwrap_or_else(|| panic!("no site `{name}`: {:#}", self.0));
        assert!(found.next().is_none(), "two sites `{name}`: {:#}", self.0);
        site
    }

    /// Checks the calls of all sites: these are there, and no others.
    #[track_caller]
    fn assert_calls(&self, expected: &[(&str, u64)]) {
        for &(name, calls) in expected {
            assert_eq!(number(&self.site(name)["calls"]), calls, "calls of {name}");
        }
        assert_eq!(self.sites().len(), expected.len(), "{:#}", self.0);
    }

    /// Checks that one site took no longer than another, which it is a part of. Generously: without
    /// optimisation, what is taken off for the probes is a large part of what was measured.
    #[track_caller]
    fn assert_within(&self, inner: &str, outer: &str) {
        let total = |name| self.site(name)["total_ns"].as_f64().expect("a number");
        assert!(
            0.0 < total(inner) && total(inner) <= 1.5 * total(outer),
            "{inner}: {} ns, {outer}: {} ns",
            total(inner),
            total(outer)
        );
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("not a count: {value}"))
}

fn array(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("not an array: {value}"))
}

#[test]
fn quickstart() {
    let run = run("quickstart", "quickstart", &[]);
    assert_eq!(run.stdout, "17984 primes by division\n17984 primes by sieve\n");
    let Some(report) = run.report else { return };
    report.assert_calls(&[("is_prime", 200_000), ("by_division", 1), ("by_sieve", 1)]);
    report.assert_within("is_prime", "by_division");
}

#[test]
fn search() {
    let dir = scratch("search");
    let nested = dir.join("a/b/c");
    fs::create_dir_all(&nested).unwrap();
    fs::write(dir.join("empty.txt"), "").unwrap();
    fs::write(dir.join("code.rs"), "unsafe fn f() {}\n// safe\nunsafe {}\n").unwrap();
    fs::write(dir.join("binary"), b"unsafe \0").unwrap();
    fs::write(dir.join("latin-1.txt"), b"unsafe caf\xe9\n").unwrap();
    fs::write(dir.join(".hidden"), "unsafe\n").unwrap();
    // An uneven tree: a thousand small files at the bottom, each with a line that matches.
    for i in 0..1000 {
        let text = format!("{i}\nthis is unsafe\nthis is not\nnor thisunsafe\n");
        fs::write(nested.join(format!("{i}.txt")), text).unwrap();
    }

    let run = run("search", "search", &[Path::new(r"\bunsafe\b"), &dir]);
    let mut lines = run.stdout.lines();
    assert_eq!(lines.next().unwrap(), "files    1002 text, 2 not text, 0 unreadable");
    assert!(lines.next().unwrap().ends_with(" bytes, 4003 lines"));
    assert_eq!(lines.next().unwrap(), "matches  1002 lines in 1001 files");
    assert_eq!(lines.next().unwrap(), "        2  code.rs");
    assert_eq!(lines.next().unwrap(), "        1  a/b/c/0.txt");

    let Some(report) = run.report else { return };
    report.assert_calls(&[
        ("Searcher::search_tree", 1),
        ("walk", 1),
        ("Searcher::search_file", 1004),
        ("read_file", 1004),
        ("is_binary", 1004),
        ("as_utf8", 1003),
        ("count_lines", 1002),
        ("match lines", 1002),
        ("Searcher::matches", 4003),
        ("Summary::add", 1004),
        ("Summary::top", 1),
    ]);
    report.assert_within("walk", "Searcher::search_tree");
    report.assert_within("Searcher::matches", "match lines");
    report.assert_within("read_file", "Searcher::search_file");
}

#[test]
fn pipeline() {
    let run = run("pipeline", "pipeline", &[Path::new("2000")]);
    let mut lines = run.stdout.lines().skip_while(|line| line.ends_with("are not pinned"));
    assert_eq!(lines.next().unwrap(), "packets    2000");
    assert_eq!(lines.next().unwrap(), "quotes     32000");
    assert_eq!(lines.next().unwrap(), "volume     14336619");
    // The symbols' figures, and then the comparison.
    let compared = lines.nth(8).is_some() && lines.count() == 8;
    assert_eq!(compared, cfg!(feature = "enabled"), "{}", run.stdout);

    let Some(report) = run.report else { return };
    report.assert_calls(&[
        ("Market::feed", 2000),
        ("decode", 2000),
        ("decode→drain", 2000),
        ("Book::drain", 2000),
        ("feed→drain", 2000),
    ]);
    report.assert_within("decode→drain", "feed→drain");
    report.assert_within("Book::drain", "feed→drain");
}

#[test]
fn json() {
    let dir = scratch("json");
    let input = dir.join("input.json");
    let output = dir.join("output.json");
    fs::write(
        &input,
        r#"{
            "name": "  Ada \t Lovelace ",
            "Password": "hunter2",
            "nothing": null,
            "scores": [1, 2.5, null, -3, [null, [4]]],
            "nested": { "token": 7, "text": "in order", "flag": true }
        }"#,
    )
    .unwrap();

    let run = run("json", "json", &[&input, &output]);
    let cleaned = r#"{"Password":"[redacted]","name":"Ada Lovelace","nested":{"flag":true,"text":"in order","token":"[redacted]"},"scores":[1,2.5,-3,[[4]]]}"#;
    assert_eq!(fs::read_to_string(&output).unwrap(), cleaned);
    let summary: Vec<_> = run.stdout.lines().map(|line| &line[12..]).collect();
    let written = format!("{} bytes", cleaned.len());
    let expected = ["12", "3 dropped", "2 redacted", "1 normalised", "4.50 in all", &written];
    assert_eq!(summary, expected);

    let Some(report) = run.report else { return };
    report.assert_calls(&[
        ("load", 1),
        ("read", 1),
        ("parse", 1),
        // One for each value that is neither null nor secret.
        ("Cleaner::clean", 12),
        ("Cleaner::clean_array", 3),
        ("Cleaner::clean_object", 2),
        ("is_secret", 7),
        ("normalised", 2),
        ("store", 1),
        ("encode", 1),
        ("write", 1),
        ("free", 1),
    ]);
    report.assert_within("read", "load");
    report.assert_within("parse", "load");
    report.assert_within("Cleaner::clean_object", "Cleaner::clean");
}
