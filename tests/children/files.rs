//! What the environment asks for, and the files that are written.

use super::child::{Child, calls_in, executable, tables_in};
use super::{Program, Test, named, work_times};
use std::fs;
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(super) const PROGRAMS: &[Program] = named![working, moving_away, chatting, writing_little];

pub(super) const TESTS: &[Test] = named![
    off_is_off,
    report_as_json,
    report_off_leaves_the_file,
    report_and_file_off,
    bad_values_cost_a_line,
    file_as_a_table,
    file_relative_to_the_start,
    file_in_no_directory,
    file_that_is_a_directory,
    file_that_was_there,
    file_behind_a_link,
    file_that_is_a_named_pipe,
    file_that_is_a_stream,
    file_on_a_full_device,
    file_beyond_the_limit,
    a_harness_is_quiet,
];

fn working() -> ExitCode {
    work_times(3);
    ExitCode::from(9)
}

fn child() -> Child {
    Child::new("working")
}

/// The names in a directory, without that of the standard error.
fn names_in(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into());
    entries.filter(|name: &PathBuf| name != Path::new("stderr")).collect()
}

fn off_is_off() {
    child().env("TIMED", "off").run().assert_code(9).assert_silent();
}

fn report_as_json() {
    let ended = child().env("TIMED_REPORT", "json").run();
    ended.assert_code(9).assert_tables(0);
    let report = serde_json::from_str(&ended.stderr).unwrap();
    assert_eq!(calls_in(&report, "work"), 3);
    assert_eq!(ended.calls_of(ended.pid), Some(3));
}

fn report_off_leaves_the_file() {
    let ended = child().env("TIMED_REPORT", "off").run();
    ended.assert_code(9);
    assert_eq!(ended.stderr, "");
    assert_eq!(ended.calls_of(ended.pid), Some(3));
}

fn report_and_file_off() {
    child().env("TIMED_REPORT", "off").env_remove("TIMED_OUT").run().assert_code(9).assert_silent();
}

fn bad_values_cost_a_line() {
    for (name, value) in [
        ("TIMED", "maybe"),
        ("TIMED_REPORT", "html"),
        ("TIMED_SORT", "speed"),
        ("TIMED_TOP", "-3"),
        ("TIMED_QUANTILES", "50,101"),
        ("TIMED_FILTER", "!"),
        ("TIMED_SIGNALS", "some"),
    ] {
        let ended = child().env(name, value).run();
        ended.assert_code(9).assert_reported(3);
        let [line] = ended.complaints()[..] else { panic!("{name}: {ended:#?}") };
        assert!(line.contains(name) && line.contains(value), "{line}");
    }
}

fn file_as_a_table() {
    let child = child();
    let path = child.directory.join("report.txt");
    let ended = child.env("TIMED_OUT", &path).run();
    ended.assert_code(9).assert_tables(1);
    let text = fs::read_to_string(path).unwrap();
    assert!(tables_in(&text) == 1 && !text.contains('\x1b'), "{text}");
    assert_eq!(names_in(&ended.directory).len(), 1, "nothing else is left");
}

fn moving_away() -> ExitCode {
    work_times(3);
    std::env::set_current_dir("/").unwrap();
    ExitCode::from(9)
}

fn file_relative_to_the_start() {
    let ended = Child::new("moving_away").env("TIMED_OUT", "./%p.json").run();
    ended.assert_code(9).assert_reported(3);
}

fn file_in_no_directory() {
    let ended = child().env("TIMED_OUT", "/nowhere/x/y.json").run();
    ended.assert_code(9).assert_tables(1);
    let expected = "timed: cannot write the report to \"/nowhere/x/y.json\": \
                    No such file or directory (os error 2)\n";
    assert!(ended.stderr.starts_with(expected), "{ended:#?}");
    assert_eq!(ended.complaints().len(), 1, "{ended:#?}");
}

fn file_that_is_a_directory() {
    let ended = child().env("TIMED_REPORT", "off").env("TIMED_OUT", ".").run();
    ended.assert_code(9);
    let line = ended.stderr.strip_prefix("timed: cannot write the report to ");
    assert_eq!(line.unwrap().lines().count(), 1, "{ended:#?}");
    assert!(names_in(&ended.directory).is_empty());
}

fn file_that_was_there() {
    let child = child();
    let path = child.directory.join("report.json");
    fs::write(&path, "much longer than nothing ".repeat(10_000)).unwrap();
    let ended = child.env("TIMED_OUT", &path).run();
    ended.assert_code(9).assert_tables(1);
    let report = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(calls_in(&report, "work"), 3);
    assert_eq!(names_in(&ended.directory).len(), 1, "nothing else is left");
    assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o111, 0);
}

fn file_behind_a_link() {
    let child = child();
    let (link, file) = (child.directory.join("link"), child.directory.join("file"));
    fs::write(&file, "old").unwrap();
    symlink("file", &link).unwrap();
    child.env("TIMED_OUT", &link).run().assert_code(9);
    assert!(fs::symlink_metadata(link).unwrap().is_symlink());
    assert_eq!(tables_in(&fs::read_to_string(file).unwrap()), 1);
}

/// A named pipe, or a device, is written to, and stays what it is.
fn file_that_is_a_named_pipe() {
    for has_a_reader in [true, false] {
        let child = child();
        let path = child.directory.join("pipe");
        let name = std::ffi::CString::new(path.to_str().unwrap()).unwrap();
        // SAFETY: the name is a string of C's.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
        let reader = has_a_reader.then(|| {
            let flags = libc::O_NONBLOCK;
            fs::OpenOptions::new().read(true).custom_flags(flags).open(&path).unwrap()
        });
        let ended = child.env("TIMED_OUT", &path).run();
        ended.assert_code(9).assert_tables(1);
        assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
        assert_ne!(ended.stderr.contains("cannot write"), has_a_reader, "{ended:#?}");
        if let Some(mut reader) = reader {
            let mut text = String::new();
            reader.read_to_string(&mut text).unwrap();
            assert_eq!(tables_in(&text), 1);
        }
    }
}

fn chatting() -> ExitCode {
    work_times(3);
    eprintln!("said before");
    ExitCode::from(9)
}

/// What the program has said is not replaced by the report, nor written over.
fn file_that_is_a_stream() {
    for name in ["/dev/stderr", "stderr"] {
        let ended = Child::new("chatting").env("TIMED_OUT", name).run();
        ended.assert_code(9).assert_tables(2);
        assert!(ended.stderr.starts_with("said before\n"), "{ended:#?}");
        assert!(names_in(&ended.directory).is_empty());
    }
}

fn file_on_a_full_device() {
    let ended = child().env("TIMED_OUT", "/dev/full").run();
    ended.assert_code(9).assert_tables(1);
    let expected = "timed: cannot write the report to \"/dev/full\": No space left on device";
    assert!(ended.stderr.starts_with(expected), "{ended:#?}");
}

/// Going beyond is deadly by default.
fn writing_little() -> ExitCode {
    work_times(3);
    let limit = libc::rlimit { rlim_cur: 10, rlim_max: 10 };
    // SAFETY: the limit is whole.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit) }, 0);
    ExitCode::from(9)
}

fn file_beyond_the_limit() {
    let ended = Child::new("writing_little").run();
    ended.assert_code(9);
    assert!(names_in(&ended.directory).is_empty());
}

fn a_harness_is_quiet() {
    let harness = executable("deps/program-0123456789abcdef");
    let child = || Child::at(&harness, "working");
    child().env_remove("TIMED_OUT").run().assert_code(9).assert_silent();
    let ended = child().env_remove("TIMED_OUT").env("TIMED_REPORT", "table").run();
    ended.assert_code(9).assert_tables(1);
    let ended = child().run();
    ended.assert_code(9).assert_tables(0);
    assert_eq!(ended.calls_of(ended.pid), Some(3));
}
