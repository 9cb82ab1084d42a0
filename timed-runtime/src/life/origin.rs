//! What a process looked like when it made its first timed call.
//!
//! By the time it ends, the program may have changed its directory, and closed descriptor 2 or
//! put a file of its own there. The report goes to where it would have gone at the start, or
//! nowhere.

use super::descriptor::FileId;
use crate::config::with_pid;
use std::path::{Path, PathBuf};

/// The process at its first timed call.
pub(super) struct Origin {
    /// What stderr was; none when it was closed.
    pub(super) stderr: Option<FileId>,
    /// The working directory; none when it had been removed.
    directory: Option<PathBuf>,
    pid: u32,
}

impl Origin {
    /// As it is now.
    pub(super) fn of(pid: u32) -> Self {
        Self { stderr: FileId::of_stderr(), directory: std::env::current_dir().ok(), pid }
    }

    /// The path that the user means by this one: `%p` is the pid, and what is relative starts
    /// where the program did.
    pub(super) fn resolve(&self, path: &Path) -> PathBuf {
        let path = with_pid(path, self.pid);
        match &self.directory {
            Some(directory) => directory.join(path),
            None => path,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolves_paths() {
        let mut origin = Origin { stderr: None, directory: Some("/start".into()), pid: 42 };
        for (path, resolved) in [
            ("out.json", "/start/out.json"),
            ("../%p.txt", "/start/../42.txt"),
            ("/tmp/%p/a-%p.txt", "/tmp/42/a-42.txt"),
        ] {
            assert_eq!(origin.resolve(Path::new(path)), Path::new(resolved));
        }
        origin.directory = None;
        assert_eq!(origin.resolve(Path::new("%p.txt")), Path::new("42.txt"));
    }
}
