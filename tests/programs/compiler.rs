//! Compiling small programs with this build's `timed`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::{env, fs};

use serde_json::Value;

/// A program, or a library, in one file.
#[derive(Clone)]
pub(crate) struct Program {
    /// Names its files; no two tests use the same.
    pub(crate) name: &'static str,
    pub(crate) edition: &'static str,
    pub(crate) source: String,
    pub(crate) flags: Vec<String>,
    /// The name under which the program knows the crate `timed`.
    pub(crate) face: &'static str,
}

/// What the compiler says of a program, without how it puts it on the page.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Remark {
    /// First line and column, last line and column, of each place that is marked.
    pub(crate) places: Vec<[u64; 4]>,
    pub(crate) level: String,
    /// The lint, or the error's number.
    pub(crate) code: String,
    pub(crate) message: String,
    /// Notes and suggestions.
    pub(crate) more: Vec<String>,
}

impl Program {
    pub(crate) fn new(name: &'static str, edition: &'static str, source: &str) -> Self {
        Self { name, edition, source: source.to_owned(), flags: Vec::new(), face: "timed" }
    }

    pub(crate) fn flags<S: Into<String>>(mut self, flags: impl IntoIterator<Item = S>) -> Self {
        self.flags.extend(flags.into_iter().map(Into::into));
        self
    }

    /// The same program without the attribute, line for line.
    pub(crate) fn plain(&self) -> Self {
        let line = |line: &str| {
            let text = line.trim_start();
            if text == "use timed::timed;" {
                // Still used, for the lint on crates that are not.
                line.replace("timed::timed", "timed as _")
            } else if text.starts_with("#[timed") || text.starts_with("timed::") {
                String::new()
            } else if text.starts_with(')') && text.ends_with("// timed") {
                // The end of a `timed::block!(` that begins on a line of its own.
                line.replacen(')', "", 1)
            } else {
                line.to_owned()
            }
        };
        let source = self.source.lines().map(|text| line(text) + "\n").collect();
        Self { source, ..self.clone() }
    }

    /// What `rustc` says when it checks the program as a library.
    pub(crate) fn check(&self) -> Vec<Remark> {
        self.remarks(self.command(rustc(), "check"))
    }

    /// What Clippy says; `None` where there is no Clippy.
    pub(crate) fn clippy(&self) -> Option<Vec<Remark>> {
        let mut command = self.command(clippy()?, "clippy");
        command.env("CLIPPY_ARGS", "");
        Some(self.remarks(command))
    }

    /// What Clippy says when it is asked for code besides, as any compiler.
    pub(crate) fn clippy_with_code(&self) -> Option<Vec<Remark>> {
        let mut command = self.command(clippy()?, "clippy-code");
        command.env("CLIPPY_ARGS", "");
        Some(self.remarks_of(command, "--emit=link"))
    }

    /// Compiles and runs the program; what it wrote to stdout. It must not set off a warning.
    #[track_caller]
    pub(crate) fn run(&self) -> String {
        let executable = folder().join(self.name).join("program");
        let mut command = self.command(rustc(), "run");
        command.arg("-Dwarnings").arg("-o").arg(&executable);
        succeeded(&command.output().expect("rustc runs"), self.name);
        let mut program = Command::new(&executable);
        let output = program.env("TIMED_REPORT", "off").output().expect("the program starts");
        succeeded(&output, self.name);
        String::from_utf8(output.stdout).unwrap()
    }

    /// What the compiler makes of the program's source, after all macros.
    #[cfg(not(feature = "enabled"))]
    #[track_caller]
    pub(crate) fn expanded(&self) -> String {
        let mut command = self.command(rustc(), "expanded");
        // The option is an unstable one, to look at only.
        command.env("RUSTC_BOOTSTRAP", "1").arg("-Zunpretty=expanded").arg("--crate-type=lib");
        let output = command.output().expect("rustc runs");
        succeeded(&output, self.name);
        String::from_utf8(output.stdout).unwrap()
    }

    /// A compiler's command line for this program, written to a folder of its own.
    fn command(&self, compiler: OsString, purpose: &str) -> Command {
        let face = face();
        let folder = folder().join(self.name).join(purpose);
        fs::create_dir_all(&folder).unwrap();
        let input = folder.join("program.rs");
        fs::write(&input, &self.source).unwrap();
        let mut command = Command::new(compiler);
        command.current_dir(&folder).arg("program.rs");
        command.args(["--edition", self.edition, "-Cdebuginfo=0", "--extern"]);
        command.arg(format!("{}={}", self.face, face.display()));
        let dependencies = face.parent().unwrap().join("deps");
        command.arg(format!("-Ldependency={}", dependencies.display()));
        command.args(&self.flags);
        command
    }

    fn remarks(&self, command: Command) -> Vec<Remark> {
        self.remarks_of(command, "--emit=metadata")
    }

    fn remarks_of(&self, mut command: Command, emit: &str) -> Vec<Remark> {
        command.args(["--error-format=json", "--crate-type=lib", emit]);
        let output = command.output().expect("the compiler runs");
        let text = String::from_utf8(output.stderr).unwrap();
        let mut remarks: Vec<Remark> = text.lines().filter_map(remark).collect();
        let crashed = !output.status.success() && remarks.iter().all(|it| it.level != "error");
        assert!(!crashed, "{}: {text}", self.name);
        remarks.sort();
        remarks
    }
}

fn remark(line: &str) -> Option<Remark> {
    let value: Value = serde_json::from_str(line).ok()?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let place = |span: &Value| {
        ["line_start", "column_start", "line_end", "column_end"]
            .map(|key| span[key].as_u64().unwrap_or_default())
    };
    let spans = value["spans"].as_array()?;
    let marked = spans.iter().filter(|span| span["is_primary"] == true);
    let places: Vec<[u64; 4]> = marked.map(place).collect();
    // "aborting due to …", "… warnings emitted"
    if places.is_empty() && value["code"].is_null() {
        return None;
    }
    let more = value["children"].as_array()?.iter().map(|child| text(&child["message"]));
    Some(Remark {
        places,
        level: text(&value["level"]),
        code: text(&value["code"]["code"]),
        message: text(&value["message"]),
        more: more
            .filter(|message| {
                !message.starts_with("this ") || !message.contains(" originates in the ")
            })
            .collect(),
    })
}

#[track_caller]
fn succeeded(output: &Output, name: &str) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {}\n{error}", output.status);
}

/// Where programs lie: one folder for each mode, so that both may be tested at once.
pub(crate) fn folder() -> PathBuf {
    let mode = if timed::is_enabled() { "on" } else { "off" };
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs").join(mode)
}

/// Builds `timed` as this test was built, with or without the feature; returns its library.
fn face() -> &'static Path {
    static FACE: OnceLock<PathBuf> = OnceLock::new();
    FACE.get_or_init(|| {
        let target = folder().join("target");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(env!("CARGO_MANIFEST_DIR")).env("CARGO_PROFILE_DEV_DEBUG", "0");
        cargo.args(["build", "--offline", "--quiet", "--package", "timed", "--lib"]);
        if timed::is_enabled() {
            cargo.args(["--features", "enabled"]);
        }
        let status = cargo.arg("--target-dir").arg(&target).status().expect("cargo runs");
        assert!(status.success());
        target.join("debug/libtimed.rlib")
    })
}

pub(crate) fn rustc() -> OsString {
    env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

/// Clippy's own compiler, where it is installed beside rustc.
fn clippy() -> Option<OsString> {
    static CLIPPY: OnceLock<Option<OsString>> = OnceLock::new();
    let find = || {
        let output = Command::new(rustc()).args(["--print", "sysroot"]).output().ok()?;
        let sysroot = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
        let driver = sysroot.join("bin/clippy-driver");
        let works = Command::new(&driver).arg("--version").output().is_ok();
        works.then(|| driver.into_os_string())
    };
    let found = CLIPPY.get_or_init(find).clone();
    if found.is_none() {
        eprintln!("there is no clippy-driver beside rustc: what Clippy says is not tested");
    }
    found
}
