//! A parallel code search: which files of a directory have lines that match a pattern?
//!
//! ```text
//! cargo run --release --example search --features enabled -- 'unsafe fn' ~/src
//! ```
//!
//! Without arguments it looks for `unsafe` in the sources of the crates that Cargo has
//! downloaded. Binary files, hidden files and what `.gitignore` names are passed over.

mod options;
mod searcher;
mod summary;

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use options::Request;
use searcher::Searcher;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("search: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let options = match options::parse(std::env::args_os().skip(1))? {
        Request::Help => {
            print!("{}", options::HELP);
            return Ok(());
        }
        Request::Search(options) => options,
    };
    let summary = Searcher::new(options.pattern).search_tree(&options.dir);
    match summary.print(&options.dir, &mut io::stdout().lock()) {
        // `search | head` is no failure.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("stdout: {error}")),
        _ => Ok(()),
    }
}
