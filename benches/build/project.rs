//! Projects in a temporary directory, and the time that Cargo takes over them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Where the projects are; removed at the end.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new() -> Self {
        let path = std::env::temp_dir().join(format!("timed-bench-build-{}", std::process::id()));
        fs::create_dir_all(&path).expect("the temporary directory can be written to");
        Self(path)
    }

    /// A project of this name, with one source file.
    pub(super) fn project(&self, name: &str, on: Dependency, file: &str, source: &str) -> Project {
        let path = self.0.join(name);
        let manifest = format!(
            "[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[dependencies]\n{}\n\n[workspace]\n",
            on.line()
        );
        fs::create_dir_all(path.join("src")).expect("a directory of ours");
        fs::write(path.join("Cargo.toml"), manifest).expect("a directory of ours");
        let project =
            Project { source: path.join("src").join(file), target: self.0.join("target"), path };
        fs::write(&project.source, source).expect("a directory of ours");
        project.run(&["fetch", "--quiet"]);
        project
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

/// What a project depends on.
#[derive(Clone, Copy)]
pub(super) enum Dependency {
    None,
    Timed,
    Fastrace,
    Hotpath,
}

impl Dependency {
    /// In a manifest, with timing on.
    fn line(self) -> String {
        match self {
            Self::None => String::new(),
            Self::Timed => {
                let path = env!("CARGO_MANIFEST_DIR");
                format!("timed = {{ path = {path:?}, features = [\"enabled\"] }}")
            }
            Self::Fastrace => {
                String::from("fastrace = { version = \"0.7\", features = [\"enable\"] }")
            }
            Self::Hotpath => {
                String::from("hotpath = { version = \"0.30\", features = [\"hotpath\"] }")
            }
        }
    }

    /// The attribute, as it stands in front of a function.
    pub(super) fn attribute(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Timed => "#[timed::timed]\n",
            Self::Fastrace => "#[fastrace::trace]\n",
            Self::Hotpath => "#[hotpath::measure]\n",
        }
    }
}

pub(super) struct Project {
    path: PathBuf,
    source: PathBuf,
    target: PathBuf,
}

impl Project {
    /// The same, built in a directory of its own.
    pub(super) fn apart(mut self) -> Self {
        self.target = self.path.join("target");
        self
    }

    /// Builds it after its source was written anew.
    pub(super) fn rebuild(&self, profile: &str) -> Cost {
        let source = fs::read(&self.source).expect("it was written before");
        fs::write(&self.source, source).expect("a directory of ours");
        self.build(profile)
    }

    /// Builds it, and all that it depends on, from nothing.
    pub(super) fn build_clean(&self, profile: &str) -> Cost {
        _ = fs::remove_dir_all(&self.target);
        self.build(profile)
    }

    fn build(&self, profile: &str) -> Cost {
        let (begin, before) = (Instant::now(), processor());
        self.run(&["build", "--quiet", "--offline", "--profile", profile]);
        Cost { wall: begin.elapsed().as_secs_f64(), processor: processor() - before }
    }

    /// The crates that a build of it compiles, with those for build scripts and macros.
    pub(super) fn crates(&self) -> usize {
        let tree = ["tree", "--offline", "--edges", "normal,build", "--prefix", "none"];
        let text = self.run(&[&tree[..], &["--format", "{p}"]].concat());
        // A crate that occurs again has a mark behind its name and version.
        let mut crates: Vec<_> =
            text.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>()).collect();
        crates.sort();
        crates.dedup();
        // Without the project itself.
        crates.len() - 1
    }

    fn run(&self, arguments: &[&str]) -> String {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(&self.path).args(arguments);
        cargo.env("CARGO_INCREMENTAL", "0").env("CARGO_TARGET_DIR", &self.target);
        let output = cargo.output().expect("cargo runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "cargo {arguments:?} in {}: {said}", name(&self.path));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What a build took.
#[derive(Clone, Copy)]
pub(super) struct Cost {
    /// Seconds on the clock.
    pub(super) wall: f64,
    /// Seconds of all cores.
    pub(super) processor: f64,
}

/// Seconds that the processes which this one has waited for were running.
#[cfg(unix)]
fn processor() -> f64 {
    // SAFETY: all zeroes are a value of this struct of integers, which the call fills.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    [usage.ru_utime, usage.ru_stime]
        .iter()
        .map(|time| time.tv_sec as f64 + time.tv_usec as f64 / 1e6)
        .sum()
}

/// Nobody says.
#[cfg(not(unix))]
fn processor() -> f64 {
    f64::NAN
}

/// Costs of each in turns, `rounds` times.
pub(super) fn in_turns<const N: usize>(
    rounds: usize,
    builds: [&dyn Fn() -> Cost; N],
) -> [Vec<Cost>; N] {
    let mut costs = [const { Vec::new() }; N];
    for _ in 0..rounds {
        for (costs, build) in costs.iter_mut().zip(builds) {
            costs.push(build());
        }
    }
    costs
}

/// How many times as long the first took as the second, and words on it.
pub(super) fn ratio(first: &[Cost], second: &[Cost]) -> (f64, String) {
    let (ours, theirs) = (sorted(first, |cost| cost.wall), sorted(second, |cost| cost.wall));
    let work = |costs: &[Cost]| costs.iter().map(|cost| cost.processor).sum::<f64>();
    let (least, busy) = (ours[0] / theirs[0], work(first) / work(second));
    let ratio = median(&ours) / median(&theirs);
    let note = format!(
        "{:.2} s to {:.2} s; shortest {least:.3}, processor {busy:.3}",
        median(&ours),
        median(&theirs)
    );
    (ratio, note)
}

/// Seconds in the middle.
pub(super) fn seconds(costs: &[Cost]) -> f64 {
    median(&sorted(costs, |cost| cost.wall))
}

fn sorted(costs: &[Cost], figure: fn(&Cost) -> f64) -> Vec<f64> {
    let mut figures: Vec<f64> = costs.iter().map(figure).collect();
    figures.sort_by(f64::total_cmp);
    figures
}

fn median(sorted: &[f64]) -> f64 {
    sorted[sorted.len() / 2]
}
