//! A crate's own test suite: run by Cargo, and read off what the test harness prints.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::Command;

/// What came of each test.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// By the target that a test belongs to, and its name.
    pub(crate) tests: BTreeMap<(String, String), Verdict>,
    /// What the compiler warned of: the place without its column, and the words.
    pub(crate) warnings: BTreeSet<String>,
    /// Whether Cargo was content, and with it the tests without a harness.
    pub(crate) success: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Ok,
    Failed,
    Ignored,
}

impl Outcome {
    pub(crate) fn passed(&self) -> usize {
        self.tests.values().filter(|verdict| **verdict == Verdict::Ok).count()
    }

    /// What came out otherwise than in `before`, one line each.
    pub(crate) fn differences(&self, before: &Self) -> Vec<String> {
        let all = before
            .tests
            .keys()
            .chain(self.tests.keys().filter(|test| !before.tests.contains_key(test)));
        let words = |verdict: Option<&Verdict>| match verdict {
            Some(Verdict::Ok) => "ok",
            Some(Verdict::Failed) => "FAILED",
            Some(Verdict::Ignored) => "ignored",
            None => "missing",
        };
        let mut lines = Vec::new();
        for test in all {
            let (was, is) = (before.tests.get(test), self.tests.get(test));
            if was != is {
                let (target, name) = test;
                lines.push(format!("{target}: {name}: was {}, is {}", words(was), words(is)));
            }
        }
        lines.extend(
            self.warnings.difference(&before.warnings).map(|new| format!("new warning: {new}")),
        );
        if self.success != before.success {
            let words = |success| if success { "went well" } else { "failed" };
            lines.push(format!(
                "cargo test {}, now {}",
                words(before.success),
                words(self.success)
            ));
        }
        lines
    }
}

/// Runs `cargo test` with everything it prints in `log`.
pub(crate) fn run(mut cargo: Command, log: &Path) -> io::Result<Outcome> {
    let mut log = File::create(log)?;
    // One pipe for both: which target the tests belong to is on stderr.
    let (reader, writer) = io::pipe()?;
    cargo.stdout(writer.try_clone()?).stderr(writer);
    let mut child = cargo.spawn()?;
    // Its ends of the pipe.
    drop(cargo);

    let mut outcome = Outcome::default();
    let mut target = String::new();
    let mut warning = None;
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        log.write_all(&line)?;
        let text = String::from_utf8_lossy(&line);
        if let (Some(words), Some(place)) = (warning.take(), place(&text)) {
            outcome.warnings.insert(format!("{place}: {words}"));
        }
        warning = text.strip_prefix("warning: ").map(|words| words.trim_end().to_owned());
        if let Some(name) = target_name(&text) {
            name.clone_into(&mut target);
        } else if let Some((name, verdict)) = test(&text) {
            outcome.tests.insert((target.clone(), name.to_owned()), verdict);
        }
        line.clear();
    }
    outcome.success = child.wait()?.success();
    Ok(outcome)
}

/// Cargo's announcement: `     Running tests/a.rs (target/debug/deps/a-0123)`, `   Doc-tests a`.
fn target_name(line: &str) -> Option<&str> {
    let line = line.trim();
    match line.strip_prefix("Running ") {
        Some(rest) => {
            rest.ends_with(')').then(|| rest.rsplit_once(" (")).flatten().map(|(name, _)| name)
        }
        None => line.starts_with("Doc-tests ").then_some(line),
    }
}

/// The compiler's line for the place of a warning: `  --> src/lib.rs:3:7`.
fn place(line: &str) -> Option<&str> {
    let (place, _column) = line.trim().strip_prefix("--> ")?.rsplit_once(':')?;
    Some(place)
}

/// The harness's line for a test: `test NAME ... ok`, `FAILED`, `ignored`, `ignored, because`.
fn test(line: &str) -> Option<(&str, Verdict)> {
    let (name, verdict) = line.trim_end().strip_prefix("test ")?.rsplit_once(" ... ")?;
    let verdict = match verdict {
        "ok" => Verdict::Ok,
        "FAILED" => Verdict::Failed,
        _ if verdict == "ignored" || verdict.starts_with("ignored, ") => Verdict::Ignored,
        _ => return None,
    };
    Some((name, verdict))
}

/// The compiler's and Cargo's errors in a log.
pub(crate) fn errors(log: &Path) -> Vec<String> {
    let text = fs::read(log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let text = text.unwrap_or_default();
    text.lines().filter(|line| line.starts_with("error")).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_harness() {
        assert_eq!(test("test a::b ... ok\n"), Some(("a::b", Verdict::Ok)));
        assert_eq!(test("test a ... FAILED\n"), Some(("a", Verdict::Failed)));
        assert_eq!(test("test a ... ignored, slow\n"), Some(("a", Verdict::Ignored)));
        let doc = "test src/lib.rs - f (line 3) - compile fail ... ok\n";
        assert_eq!(test(doc), Some(("src/lib.rs - f (line 3) - compile fail", Verdict::Ok)));
        assert_eq!(test("test a - should panic ... ok"), Some(("a - should panic", Verdict::Ok)));
        assert_eq!(test("test result: ok. 3 passed; 0 failed\n"), None);
        assert_eq!(test("testing ... ok\n"), None);
    }

    #[test]
    fn lines_of_cargo() {
        let unit = "     Running unittests src/lib.rs (target/debug/deps/a-0123)\n";
        assert_eq!(target_name(unit), Some("unittests src/lib.rs"));
        assert_eq!(target_name("   Doc-tests a\n"), Some("Doc-tests a"));
        assert_eq!(target_name("running 3 tests\n"), None);
        assert_eq!(target_name("Running late\n"), None);
        assert_eq!(place("   --> src/lib.rs:3:7\n"), Some("src/lib.rs:3"));
        assert_eq!(place("    |\n"), None);
    }

    #[test]
    fn differences_between_runs() {
        let outcome = |tests: &[(&str, Verdict)], success| Outcome {
            tests: tests
                .iter()
                .map(|(name, verdict)| (("t".into(), (*name).into()), *verdict))
                .collect(),
            warnings: BTreeSet::new(),
            success,
        };
        let before =
            outcome(&[("a", Verdict::Ok), ("b", Verdict::Ok), ("c", Verdict::Ignored)], true);
        assert_eq!(before.differences(&before), [""; 0]);
        assert_eq!(before.passed(), 2);
        let after =
            outcome(&[("b", Verdict::Failed), ("c", Verdict::Ignored), ("d", Verdict::Ok)], false);
        let expected = [
            "t: a: was ok, is missing",
            "t: b: was ok, is FAILED",
            "t: d: was missing, is ok",
            "cargo test went well, now failed",
        ];
        assert_eq!(after.differences(&before), expected);
    }
}
