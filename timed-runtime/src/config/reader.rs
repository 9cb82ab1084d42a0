//! Reading one variable after another, with a line for each value that cannot be used.

use std::ffi::OsString;
use std::path::PathBuf;

/// Looks variables up and keeps the complaints.
pub(super) struct Reader<L> {
    lookup: L,
    /// A line for each bad value so far.
    pub(super) complaints: Vec<String>,
}

impl<L: Fn(&str) -> Option<OsString>> Reader<L> {
    pub(super) fn new(lookup: L) -> Self {
        Reader { lookup, complaints: Vec::new() }
    }

    /// A path: any bytes will do.
    pub(super) fn path(&self, name: &str) -> Option<PathBuf> {
        self.value(name).map(PathBuf::from)
    }

    /// One of a few words.
    pub(super) fn choice<T: Copy>(
        &mut self,
        name: &str,
        choices: &[(&str, T)],
        default: &str,
    ) -> Option<T> {
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        let expected = format!("one of {}", words.join(", "));
        self.parse(name, &expected, &format!("using {default}"), |text| {
            let chosen = choices.iter().find(|(word, _)| *word == text)?;
            Some(chosen.1)
        })
    }

    /// Whatever `parse` makes of the text without the blanks around it. Where that is nothing,
    /// the complaint says what was `expected` and what happens `instead`.
    pub(super) fn parse<T>(
        &mut self,
        name: &str,
        expected: &str,
        instead: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let value = self.value(name)?;
        let text = value.to_string_lossy();
        let parsed = parse(text.trim());
        if parsed.is_none() {
            self.complaints.push(format!("timed: {name}={text:?}: not {expected}; {instead}"));
        } else if value.to_str().is_none() {
            self.complaints
                .push(format!("timed: {name}={text:?}: not UTF-8; read as it is shown here"));
        }
        parsed
    }

    /// Shells have no short way to unset a variable for one command, so an empty one is unset.
    fn value(&self, name: &str) -> Option<OsString> {
        (self.lookup)(name).filter(|value| !value.is_empty())
    }
}
