//! Writing to stderr where there are no descriptors: nothing is known of it, and nothing watched.

use std::io::{self, Write as _};

/// Which file stderr is: it cannot be told.
#[derive(Clone, Copy)]
pub(super) struct FileId;

impl FileId {
    #[expect(clippy::unnecessary_wraps, reason = "where there are descriptors, it may be closed")]
    pub(super) fn of_stderr() -> Option<Self> {
        Some(Self)
    }
}

/// Writes all of `bytes` to stderr.
pub(super) fn write_stderr(_expected: FileId, bytes: &[u8]) -> io::Result<()> {
    io::stderr().write_all(bytes)
}
