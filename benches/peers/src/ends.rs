//! Whether there is a report when a program returns, exits, or is interrupted.

use crate::children::Child;
use crate::tools::{Reports, Tool};
use std::io::{BufRead, BufReader, Read};
use std::thread::sleep;
use std::time::Duration;

/// A program's ends, in the table's order.
const WAYS: [&str; 3] = ["return", "exit", "interrupt"];

/// For each of them, whether the site was in what the program wrote; nothing where it is not the tool
/// that reports.
pub fn reports(tool: &Tool, child: &Child) -> Option<[bool; 3]> {
    (tool.reports != Reports::Viewer).then(|| WAYS.map(|way| reported(child, way)))
}

fn reported(child: &Child, way: &str) -> bool {
    let (reader, writer) = std::io::pipe().expect("the system has descriptors");
    let mut command = child.command();
    command.args(["end", "1", way]);
    command.stdout(writer.try_clone().expect("as before")).stderr(writer);
    let mut running = command.spawn().expect("it was built");
    // It holds the pipe's other end as well.
    drop(command);

    let (mut reader, mut mark) = (BufReader::new(reader), None);
    let mut line = String::new();
    while way == "interrupt" || mark.is_none() {
        line.clear();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim_end() == "= ready" {
            break;
        }
        if let Some(word) = line.trim_end().strip_prefix("= mark ") {
            mark = Some(word.to_owned());
        }
    }
    if way == "interrupt" {
        // By now it sleeps, in the middle of its work.
        sleep(Duration::from_millis(50));
        // SAFETY: the child has not been waited for, so its number is still its own.
        unsafe { libc::kill(running.id().cast_signed(), libc::SIGINT) };
    }
    let mut rest = Vec::new();
    _ = reader.read_to_end(&mut rest);
    _ = running.wait();
    mark.is_some_and(|mark| String::from_utf8_lossy(&rest).contains(&mark))
}
