//! Puts `#[timed]` on every function of crates that nobody here wrote, and runs their own tests.
//!
//! ```text
//! cargo run --release --manifest-path tools/everywhere/Cargo.toml -- [--quick] [--release] [CRATE[@VERSION] …]
//! ```
//!
//! The sources are those in Cargo's registry. Each crate's tests are run three times: as it is,
//! annotated with the feature `enabled` off, and with it on. The same tests must come out the same,
//! and the last run must have left reports with calls in them. Without names, the list in
//! `crates.toml` is tried, with `--quick` the small ones in it; `--release` builds the tests with
//! optimisation.
//!
//! The exit status is 1 if anything differs, and 2 if a crate cannot be tried.

mod annotate;
mod list;
mod report;
mod source;
mod suite;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use list::Entry;
use suite::Outcome;

/// How many differences of a run are printed.
const SHOWN: usize = 5;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("everywhere: {error}");
            ExitCode::from(2)
        }
    }
}

/// How the tests are run.
struct Setting {
    /// Where everything is done.
    work: PathBuf,
    release: bool,
}

fn run() -> Result<bool, String> {
    let list = list::all()?;
    let mut setting = Setting { work: work(), release: false };
    let mut quick = false;
    let mut entries = Vec::new();
    for argument in env::args().skip(1) {
        match argument.as_str() {
            "--quick" => quick = true,
            "--release" => setting.release = true,
            _ if argument.starts_with('-') => {
                return Err(format!(
                    "no option `{argument}`; there are --quick, --release, and names of crates"
                ));
            }
            _ => entries.push(list::find(&list, &argument)),
        }
    }
    if entries.is_empty() {
        entries = list.into_iter().filter(|entry| !quick || entry.quick).collect();
    }

    println!(
        "| crate | what it is | timed | left out | tests | as it is | off | on | called | calls | time |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut faults = Vec::new();
    for entry in &entries {
        let found = attempt(entry, &setting).map_err(|error| format!("{}: {error}", entry.name))?;
        faults.extend(found.into_iter().map(|fault| format!("{}: {fault}", entry.name)));
    }
    for fault in &faults {
        eprintln!("{fault}");
    }
    Ok(faults.is_empty())
}

/// Tries one crate, prints its line, and gives what is wrong with it.
fn attempt(entry: &Entry, setting: &Setting) -> Result<Vec<String>, String> {
    let began = Instant::now();
    let work = setting.work.join(&entry.name);
    let package = source::fetch(entry, &work.join("stub"))?;
    let (plain, timed, reports) = (work.join("plain"), work.join("timed"), work.join("reports"));
    package.copy(&plain)?;
    let count = package.copy_timed(&timed, repository(), entry)?;
    if reports.exists() {
        fs::remove_dir_all(&reports).map_err(|error| error.to_string())?;
    }
    fs::create_dir_all(&reports).map_err(|error| error.to_string())?;

    let test = |name: &str, folder: &Path, on: bool| -> Result<(Outcome, PathBuf), String> {
        let log = work.join(name).with_extension("log");
        let mut cargo = cargo_test(entry, setting, folder, on);
        if on {
            cargo.env("TIMED_REPORT", "off").env("TIMED_OUT", reports.join("%p.json"));
        }
        Ok((suite::run(cargo, &log).map_err(|error| error.to_string())?, log))
    };
    let (as_it_is, _) = test("plain", &plain, false)?;
    let (off, off_log) = test("off", &timed, false)?;
    let (on, on_log) = test("on", &timed, true)?;
    let sum = report::sum(&reports);

    let mut faults = Vec::new();
    for (outcome, log, mode) in [(&off, off_log, "off"), (&on, on_log, "on")] {
        let differences = outcome.differences(&as_it_is);
        if !differences.is_empty() {
            // A copy that does not compile misses them all.
            let more = differences.len().saturating_sub(SHOWN);
            faults.extend(differences.iter().take(SHOWN).map(|line| format!("{mode}: {line}")));
            faults.extend((more > 0).then(|| format!("{mode}: and {more} more")));
            faults.extend(suite::errors(&log).into_iter().take(SHOWN));
            faults.push(format!("see {}", log.display()));
        }
    }
    if as_it_is.passed() == 0 {
        faults.push("no test passes as it is".to_owned());
    }
    let sum = sum.unwrap_or_else(|fault| {
        faults.push(fault);
        report::Sum::default()
    });
    if sum.calls == 0 {
        faults.push(format!("{} reports without a call", sum.reports));
    }

    let left: Vec<String> =
        count.left.iter().map(|(reason, n)| format!("{n} {}", reason.words())).collect();
    println!(
        "| {} {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} s |",
        package.name,
        package.version,
        entry.what,
        count.timed,
        left.join(", "),
        as_it_is.tests.len(),
        as_it_is.passed(),
        off.passed(),
        on.passed(),
        sum.sites,
        sum.calls,
        began.elapsed().as_secs(),
    );
    Ok(faults)
}

/// `cargo test` for a copy of the crate.
fn cargo_test(entry: &Entry, setting: &Setting, folder: &Path, on: bool) -> Command {
    let mut features = entry.features.clone();
    if on {
        features.push("timed/enabled".to_owned());
    }
    let mut cargo = Command::new(cargo());
    cargo.args(["test", "--color=never", "--no-fail-fast"]).args(&entry.args);
    if setting.release {
        cargo.arg("--release");
    }
    if !features.is_empty() {
        cargo.args(["--features", &features.join(",")]);
    }
    cargo.arg("--");
    for skip in &entry.skip {
        cargo.args(["--skip", &skip.test]);
    }
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("TIMED") {
            cargo.env_remove(name);
        }
    }
    cargo
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", setting.work.join("target"))
        // Nothing here is built twice or debugged.
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        // With a single thread the harness prints a test's name before its outcome, and whatever the
        // test prints between the two.
        .env("RUST_TEST_THREADS", "2");
    cargo
}

/// The Cargo that runs this program, where one does.
fn cargo() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// The repository that this tool is in.
fn repository() -> &'static Path {
    let tool = Path::new(env!("CARGO_MANIFEST_DIR"));
    tool.ancestors().nth(2).unwrap_or(tool)
}

/// In the target directory, where Cargo is told of one, else in the tool's own.
fn work() -> PathBuf {
    let own = || Path::new(env!("CARGO_MANIFEST_DIR")).join("target");
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(own, PathBuf::from);
    std::path::absolute(&target).unwrap_or(target).join("everywhere")
}
