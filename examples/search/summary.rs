//! What all files together come to.

use std::cmp::Reverse;
use std::io::{self, Write};
use std::path::Path;

use timed::timed;

use crate::searcher::{FileCounts, Outcome};

/// How many of the files with the most matches are named.
const TOP: usize = 10;

#[derive(Default)]
pub(crate) struct Summary {
    text_files: usize,
    not_text: usize,
    unreadable: usize,
    bytes: usize,
    lines: usize,
    matches: usize,
    with_matches: Vec<FileCounts>,
}

impl Summary {
    #[timed]
    pub(crate) fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Text(file) => {
                self.text_files += 1;
                self.bytes += file.bytes;
                self.lines += file.lines;
                self.matches += file.matches;
                if file.matches > 0 {
                    self.with_matches.push(file);
                }
            }
            Outcome::NotText { bytes } => {
                self.not_text += 1;
                self.bytes += bytes;
            }
            Outcome::Unreadable { why } => {
                self.unreadable += 1;
                eprintln!("search: {why}");
            }
        }
    }

    /// The files with the most matches, most first.
    #[timed]
    fn top(&self) -> Vec<&FileCounts> {
        let mut files: Vec<_> = self.with_matches.iter().collect();
        files.sort_unstable_by_key(|file| (Reverse(file.matches), &file.path));
        files.truncate(TOP);
        files
    }

    /// Writes the numbers, and the top files with their paths below `dir`.
    pub(crate) fn print(&self, dir: &Path, out: &mut impl Write) -> io::Result<()> {
        let with_matches = self.with_matches.len();
        let Self { text_files, not_text, unreadable, bytes, lines, matches, .. } = self;
        writeln!(out, "files    {text_files} text, {not_text} not text, {unreadable} unreadable")?;
        writeln!(out, "size     {bytes} bytes, {lines} lines")?;
        writeln!(out, "matches  {matches} lines in {with_matches} files")?;
        for file in self.top() {
            let path = file.path.strip_prefix(dir).unwrap_or(&file.path);
            writeln!(out, "{:>9}  {}", file.matches, path.display())?;
        }
        Ok(())
    }
}
