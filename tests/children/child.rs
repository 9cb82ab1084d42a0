//! Starting a child, and what there is to see when it has ended.

use super::PROGRAM;
use serde_json::Value;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{self, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What every table has once.
const TABLE: &str = "self%";

/// Kills this process if it takes too long: no test hangs.
pub(super) fn limit_time() {
    // SAFETY: a timer; the signal is at its default, which is to die of it.
    unsafe { libc::alarm(20) };
}

/// Puts the signals at their default: `nohup`, and shells in the background, ignore some.
pub(super) fn default_signals() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: no handler is installed, and none has been.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}

/// In a child: tells the parent that it may go on.
pub(super) fn say_ready() {
    println!("ready");
    std::io::stdout().flush().unwrap();
}

/// In a child: sleeps until the parent closes the pipe, or something ends the process.
pub(super) fn wait_for_parent() {
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}

/// A directory for everything that this run of the tests makes.
fn home() -> &'static Path {
    static HOME: OnceLock<PathBuf> = OnceLock::new();
    HOME.get_or_init(|| {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("exits-{}", process::id()));
        fs::create_dir_all(&home).unwrap();
        home
    })
}

pub(super) fn clean_up() {
    let _ = fs::remove_dir_all(home());
}

/// This executable under the name `name` below the home: where Cargo has put it, it counts as a
/// test, which does not report.
pub(super) fn executable(name: &str) -> PathBuf {
    static LINKING: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let path = home().join(name);
    let _alone = LINKING.lock().unwrap();
    if !path.exists() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let own = std::env::current_exe().unwrap();
        fs::hard_link(&own, &path).or_else(|_| fs::copy(&own, &path).map(drop)).unwrap();
    }
    path
}

/// A child program to be, with a directory of its own that it starts in.
pub(super) struct Child {
    command: Command,
    pub(super) directory: PathBuf,
}

impl Child {
    /// Reports to stderr, and to `PID.json`.
    pub(super) fn new(program: &str) -> Self {
        Self::at(&executable("program"), program)
    }

    pub(super) fn at(executable: &Path, program: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let directory = home().join(format!("{count}-{program}"));
        fs::create_dir_all(&directory).unwrap();
        let mut command = Command::new(executable);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("TIMED") {
                command.env_remove(name);
            }
        }
        command
            .current_dir(&directory)
            .env(PROGRAM, program)
            .env("TIMED_OUT", directory.join("%p.json"))
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(directory.join("stderr")).unwrap());
        Self { command, directory }
    }

    pub(super) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(super) fn env_remove(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    pub(super) fn stderr(mut self, to: impl Into<Stdio>) -> Self {
        self.command.stderr(to);
        self
    }

    pub(super) fn start(mut self) -> Running {
        let mut child = self.command.spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Running { child, stdout, directory: self.directory }
    }

    /// Starts it, and waits for its end.
    pub(super) fn run(self) -> Ended {
        self.start().end()
    }
}

/// A child that runs.
pub(super) struct Running {
    child: process::Child,
    stdout: BufReader<ChildStdout>,
    pub(super) directory: PathBuf,
}

impl Running {
    /// Waits until it says that it is ready.
    pub(super) fn wait_ready(&mut self) {
        assert_eq!(self.read_line(), "ready", "{}", self.stderr_so_far());
    }

    /// What it says next.
    pub(super) fn read_line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    pub(super) fn signal(&self, signal: libc::c_int) {
        // SAFETY: the child has not been waited for, so that the pid is still its own.
        assert_eq!(unsafe { libc::kill(self.child.id().cast_signed(), signal) }, 0);
    }

    /// Whether it has ended; leaves it to be waited for.
    pub(super) fn is_over(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    pub(super) fn take_stderr(&mut self) -> process::ChildStderr {
        self.child.stderr.take().unwrap()
    }

    /// Lets go of a child that waits for its parent.
    pub(super) fn let_go(&mut self) {
        drop(self.child.stdin.take());
    }

    fn stderr_so_far(&self) -> String {
        fs::read_to_string(self.directory.join("stderr")).unwrap_or_default()
    }

    /// Waits for its end.
    pub(super) fn end(mut self) -> Ended {
        self.let_go();
        let mut stdout = String::new();
        self.stdout.read_to_string(&mut stdout).unwrap();
        let pid = self.child.id();
        let status = self.child.wait().unwrap();
        let stderr = self.stderr_so_far();
        Ended { pid, status, stdout, stderr, directory: self.directory }
    }
}

/// A child that has ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) pid: u32,
    pub(super) status: ExitStatus,
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) directory: PathBuf,
}

impl Ended {
    #[track_caller]
    pub(super) fn assert_code(&self, code: i32) -> &Self {
        assert_eq!(self.status.code(), Some(code), "{self:#?}");
        self
    }

    #[track_caller]
    pub(super) fn assert_signal(&self, signal: i32) -> &Self {
        assert_eq!(self.status.signal(), Some(signal), "{self:#?}");
        self
    }

    /// There is one table on stderr, and a file with that many calls of `work`.
    #[track_caller]
    pub(super) fn assert_reported(&self, calls: u64) -> &Self {
        self.assert_tables(1);
        assert_eq!(self.calls_of(self.pid), Some(calls), "{self:#?}");
        self
    }

    #[track_caller]
    pub(super) fn assert_tables(&self, number: usize) -> &Self {
        assert_eq!(tables_in(&self.stderr), number, "{self:#?}");
        self
    }

    /// The lines on stderr that say what is wrong. (A table's first line begins like them.)
    pub(super) fn complaints(&self) -> Vec<&str> {
        let of_table = format!("timed: program (pid {})", self.pid);
        let ours = self.stderr.lines().filter(|line| line.starts_with("timed: "));
        ours.filter(|line| !line.starts_with(&of_table)).collect()
    }

    /// Neither a table nor a file, nor anything else.
    #[track_caller]
    pub(super) fn assert_silent(&self) -> &Self {
        assert!(self.stderr.is_empty(), "{self:#?}");
        assert!(self.reports().is_empty(), "{self:#?}");
        self
    }

    /// The reports that were written, by pid.
    pub(super) fn reports(&self) -> Vec<(u32, Value)> {
        let names = fs::read_dir(&self.directory).unwrap().map(|entry| entry.unwrap().path());
        let reports = names.filter(|name| name.extension().is_some_and(|it| it == "json"));
        reports
            .map(|name| {
                let pid = name.file_stem().unwrap().to_str().unwrap().parse().unwrap();
                (pid, serde_json::from_slice(&fs::read(name).unwrap()).unwrap())
            })
            .collect()
    }

    /// The calls of `work` in the report of a process.
    pub(super) fn calls_of(&self, pid: u32) -> Option<u64> {
        let reports = self.reports();
        let (_, report) = reports.iter().find(|(of, _)| *of == pid)?;
        assert_eq!(report["pid"], u64::from(pid));
        Some(calls_in(report, "work"))
    }
}

/// The calls of the site with the name `…::name`.
pub(super) fn calls_in(report: &Value, name: &str) -> u64 {
    let sites = report["sites"].as_array().unwrap();
    let is_it = |site: &&Value| site["name"].as_str().unwrap().rsplit("::").next() == Some(name);
    sites.iter().find(is_it).map_or(0, |site| site["calls"].as_u64().unwrap())
}

pub(super) fn tables_in(text: &str) -> usize {
    text.matches(TABLE).count()
}
