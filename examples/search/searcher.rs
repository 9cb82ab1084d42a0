//! The search itself: the walk over the tree, and what is done with each file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use ignore::{WalkBuilder, WalkState};
use regex::Regex;
use timed::timed;

use crate::summary::Summary;

/// What came of one file.
pub(crate) enum Outcome {
    Text(FileCounts),
    NotText { bytes: usize },
    Unreadable { why: String },
}

/// A text file, in numbers.
pub(crate) struct FileCounts {
    pub(crate) path: PathBuf,
    pub(crate) bytes: usize,
    pub(crate) lines: usize,
    pub(crate) matches: usize,
}

/// Searches files for lines that match one pattern; shared by all threads.
pub(crate) struct Searcher {
    pattern: Regex,
}

impl Searcher {
    pub(crate) fn new(pattern: Regex) -> Self {
        Self { pattern }
    }

    /// Searches all files below `dir`.
    #[timed]
    pub(crate) fn search_tree(&self, dir: &Path) -> Summary {
        // A thread that waits for the disk leaves its core to another one.
        let threads = 2 * thread::available_parallelism().map_or(1, usize::from);
        let walker = WalkBuilder::new(dir).threads(threads).build_parallel();
        let (sender, outcomes) = mpsc::channel();
        timed::block!("walk", {
            walker.run(|| {
                // `run` wants owned visitors: each has a sender of its own.
                let sender = sender.clone();
                Box::new(move |entry| {
                    if let Some(outcome) = self.visit(entry) {
                        // The receiver outlives the walk.
                        let _ = sender.send(outcome);
                    }
                    WalkState::Continue
                })
            });
        });
        drop(sender);
        let mut summary = Summary::default();
        for outcome in outcomes {
            summary.add(outcome);
        }
        summary
    }

    fn visit(&self, entry: Result<ignore::DirEntry, ignore::Error>) -> Option<Outcome> {
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                Some(self.search_file(entry.into_path()))
            }
            Ok(_) => None,
            Err(error) => Some(Outcome::Unreadable { why: error.to_string() }),
        }
    }

    #[timed]
    fn search_file(&self, path: PathBuf) -> Outcome {
        let content = match read_file(&path) {
            Ok(content) => content,
            Err(error) => {
                let why = format!("{}: {error}", path.display());
                return Outcome::Unreadable { why };
            }
        };
        let bytes = content.len();
        if is_binary(&content) {
            return Outcome::NotText { bytes };
        }
        let Some(text) = as_utf8(&content) else {
            return Outcome::NotText { bytes };
        };
        Outcome::Text(FileCounts {
            bytes,
            lines: count_lines(text),
            matches: self.count_matches(text),
            path,
        })
    }

    fn count_matches(&self, text: &str) -> usize {
        timed::scope!("match lines");
        text.lines().filter(|line| self.matches(line)).count()
    }

    #[timed]
    fn matches(&self, line: &str) -> bool {
        self.pattern.is_match(line)
    }
}

#[timed]
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    fs::read(path)
}

/// As grep and git do it: a zero byte near the beginning.
#[timed]
fn is_binary(content: &[u8]) -> bool {
    content.iter().take(8 << 10).any(|&byte| byte == 0)
}

#[timed]
fn as_utf8(content: &[u8]) -> Option<&str> {
    str::from_utf8(content).ok()
}

#[timed]
fn count_lines(text: &str) -> usize {
    text.lines().count()
}
