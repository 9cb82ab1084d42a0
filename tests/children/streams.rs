//! What stderr may have become by the time of the report.

use super::child::{Child, say_ready, tables_in, wait_for_parent};
use super::{Program, Test, named, work_times};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::process::{ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

pub(super) const PROGRAMS: &[Program] =
    named![closing, reusing, redirecting, losing_the_reader, filling, not_blocking, looking_around];

pub(super) const TESTS: &[Test] = named![
    closed,
    reused,
    redirected,
    without_a_reader,
    with_a_reader_that_sleeps,
    with_a_slow_reader,
    not_opening_anything,
];

fn closing() -> ExitCode {
    work_times(3);
    // SAFETY: nothing of this program needs them any more.
    unsafe {
        libc::close(1);
        libc::close(2);
    }
    ExitCode::from(9)
}

fn closed() {
    let ended = Child::new("closing").run();
    ended.assert_code(9).assert_tables(0);
    assert_eq!(ended.calls_of(ended.pid), Some(3));
}

fn reusing() -> ExitCode {
    work_times(3);
    // SAFETY: as above.
    unsafe { libc::close(2) };
    let file = File::create("precious").unwrap();
    assert_eq!(file.as_raw_fd(), 2);
    std::mem::forget(file);
    ExitCode::from(9)
}

fn reused() {
    let ended = Child::new("reusing").run();
    ended.assert_code(9).assert_tables(0);
    assert_eq!(fs::read(ended.directory.join("precious")).unwrap(), b"");
    assert_eq!(ended.calls_of(ended.pid), Some(3));
}

/// To where another stream goes, even: it was not asked for there.
fn redirecting() -> ExitCode {
    work_times(3);
    // SAFETY: both are descriptors of this program.
    unsafe { libc::dup2(1, 2) };
    ExitCode::from(9)
}

fn redirected() {
    let ended = Child::new("redirecting").run();
    ended.assert_code(9).assert_tables(0);
    assert_eq!(ended.stdout, "");
}

fn losing_the_reader() -> ExitCode {
    // SAFETY: this thread is the only one. Deadly, as in a program that prints into `head`.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    work_times(3);
    say_ready();
    wait_for_parent();
    ExitCode::from(9)
}

fn without_a_reader() {
    let mut child = Child::new("losing_the_reader").stderr(Stdio::piped()).start();
    child.wait_ready();
    drop(child.take_stderr());
    let ended = child.end();
    ended.assert_code(9);
    assert_eq!(ended.calls_of(ended.pid), Some(3));
}

/// Puts as much into stderr as goes in.
fn fill_stderr() {
    set_blocking(false);
    while io::stderr().write(&[b'#'; 4096]).is_ok() {}
    while io::stderr().write(b"#").is_ok() {}
}

fn set_blocking(blocking: bool) {
    let flags = if blocking { 0 } else { libc::O_NONBLOCK };
    // SAFETY: only sets flags.
    assert_eq!(unsafe { libc::fcntl(2, libc::F_SETFL, flags) }, 0);
}

fn filling() -> ExitCode {
    work_times(3);
    fill_stderr();
    set_blocking(true);
    say_ready();
    ExitCode::from(9)
}

fn with_a_reader_that_sleeps() {
    let mut child = Child::new("filling").stderr(Stdio::piped()).start();
    child.wait_ready();
    let reader = child.take_stderr();
    let start = Instant::now();
    let ended = child.end();
    drop(reader);
    ended.assert_code(9);
    let took = start.elapsed();
    let expected = Duration::from_millis(1500)..Duration::from_secs(6);
    assert!(expected.contains(&took), "{took:?}");
    assert_eq!(ended.calls_of(ended.pid), Some(3));
}

fn not_blocking() -> ExitCode {
    work_times(3);
    fill_stderr();
    say_ready();
    ExitCode::from(9)
}

/// One that reads a little at a time gets all of it, from a descriptor that blocks or does not.
fn with_a_slow_reader() {
    for program in ["filling", "not_blocking"] {
        let mut child = Child::new(program).stderr(Stdio::piped()).start();
        child.wait_ready();
        let mut reader = child.take_stderr();
        let slow = thread::spawn(move || {
            thread::sleep(Duration::from_millis(700));
            let (mut all, mut part) = (Vec::new(), [0; 3000]);
            loop {
                match reader.read(&mut part).unwrap() {
                    0 => return all,
                    n => all.extend_from_slice(&part[..n]),
                }
                thread::sleep(Duration::from_millis(10));
            }
        });
        let ended = child.end();
        ended.assert_code(9);
        let text = String::from_utf8(slow.join().unwrap()).unwrap();
        let report = text.trim_start_matches('#');
        assert!(tables_in(report) == 1 && report.ends_with('\n'), "{report}");
    }
}

/// A program that closes or counts its descriptors meets none of ours.
fn looking_around() -> ExitCode {
    let open = || fs::read_dir("/proc/self/fd").unwrap().count();
    let before = open();
    work_times(3);
    ExitCode::from(u8::from(open() != before))
}

fn not_opening_anything() {
    Child::new("looking_around").run().assert_code(0).assert_reported(3);
}
