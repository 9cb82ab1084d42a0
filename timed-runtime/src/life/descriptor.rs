//! Writing to a descriptor that the program owns: patiently, but not for ever, and only while it
//! is the file that it was.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::time::Duration;

/// A reader that takes nothing for this long gets nothing more: the program must end.
const PATIENCE: Duration = Duration::from_secs(2);

/// A pipe that is ready takes this much without blocking the writer.
const CHUNK: usize = libc::PIPE_BUF;

/// Which file a descriptor stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FileId {
    device: libc::dev_t,
    inode: libc::ino_t,
    /// Which device a device file is: its inode may be shared.
    special: libc::dev_t,
    kind: libc::mode_t,
}

impl FileId {
    /// That of stderr; none when it is closed.
    pub(super) fn of_stderr() -> Option<Self> {
        Self::of(libc::STDERR_FILENO)
    }

    /// That of a descriptor; none when it is closed.
    pub(super) fn of(fd: libc::c_int) -> Option<Self> {
        let mut stat = std::mem::MaybeUninit::<libc::stat>::uninit();
        // SAFETY: `fstat` takes any number for a descriptor, and writes a `stat` where one fits.
        if unsafe { libc::fstat(fd, stat.as_mut_ptr()) } != 0 {
            return None;
        }
        // SAFETY: `fstat` succeeded, so it has filled the structure in.
        let stat = unsafe { stat.assume_init() };
        Some(Self {
            device: stat.st_dev,
            inode: stat.st_ino,
            special: stat.st_rdev,
            kind: stat.st_mode & libc::S_IFMT,
        })
    }

    /// Whether it is the file that a name has led to.
    #[allow(clippy::unnecessary_cast, reason = "elsewhere it is another type")]
    pub(super) fn is_of(self, there: &Metadata) -> bool {
        self.inode as u64 == there.ino() && self.device as u64 == there.dev()
    }

    /// Whether a write may have to wait for a reader, and can be told not to.
    fn has_a_reader(self) -> bool {
        self.kind == libc::S_IFIFO || self.kind == libc::S_IFSOCK
    }
}

/// Writes all of `bytes` to stderr while that is still `expected`.
pub(super) fn write_stderr(expected: FileId, bytes: &[u8]) -> io::Result<()> {
    write(libc::STDERR_FILENO, expected, bytes)
}

/// Writes all of `bytes`; fails when `fd` is no longer `expected` or its reader no longer reads.
///
/// The signals of a failed write (SIGPIPE, SIGXFSZ) are the caller's affair.
pub(super) fn write(fd: libc::c_int, expected: FileId, bytes: &[u8]) -> io::Result<()> {
    let mut rest = bytes;
    let mut progress = std::time::Instant::now();
    while !rest.is_empty() {
        let left = PATIENCE.saturating_sub(progress.elapsed());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        if !is_writable(fd, left)? {
            continue;
        }
        // Asked before every chunk: other threads run on, and may reuse the number.
        if FileId::of(fd) != Some(expected) {
            return Err(io::Error::from_raw_os_error(libc::EBADF));
        }
        match write_some(fd, expected, &rest[..rest.len().min(CHUNK)]) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => {
                rest = &rest[written..];
                progress = std::time::Instant::now();
            }
            Err(error) if is_passing(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether the same again may work: a signal came, or the reader was not ready after all.
fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock)
}

/// Waits until a write would not block. What is wrong with the descriptor, the write will tell.
fn is_writable(fd: libc::c_int, limit: Duration) -> io::Result<bool> {
    let mut poll = libc::pollfd { fd, events: libc::POLLOUT, revents: 0 };
    let limit = limit.as_millis().max(1).try_into().unwrap_or(libc::c_int::MAX);
    // SAFETY: `poll` is one structure, and the call is told of one.
    match unsafe { libc::poll(&raw mut poll, 1, limit) } {
        -1 => match io::Error::last_os_error() {
            error if is_passing(&error) => Ok(false),
            error => Err(error),
        },
        ready => Ok(ready > 0),
    }
}

/// Writes a part of `chunk`.
fn write_some(fd: libc::c_int, file: FileId, chunk: &[u8]) -> io::Result<usize> {
    #[cfg(target_os = "linux")]
    if file.has_a_reader()
        && let Some(result) = write_now(fd, chunk)
    {
        return result;
    }
    #[cfg(not(target_os = "linux"))]
    let _ = file.has_a_reader();
    // SAFETY: the pointer and the length are those of one slice.
    let written = unsafe { libc::write(fd, chunk.as_ptr().cast(), chunk.len()) };
    usize::try_from(written).map_err(|_| io::Error::last_os_error())
}

/// The same, but does not wait even if somebody else has filled the pipe since it was asked. None
/// where that cannot be had.
#[cfg(target_os = "linux")]
fn write_now(fd: libc::c_int, chunk: &[u8]) -> Option<io::Result<usize>> {
    let part = libc::iovec { iov_base: chunk.as_ptr().cast_mut().cast(), iov_len: chunk.len() };
    // SAFETY: one vector is passed, it spans `chunk`, and a write only reads from it. The offset
    // −1 stands for "where the descriptor is".
    let written = unsafe { libc::pwritev2(fd, &raw const part, 1, -1, libc::RWF_NOWAIT) };
    if let Ok(written) = usize::try_from(written) {
        return Some(Ok(written));
    }
    let error = io::Error::last_os_error();
    // Kernels that cannot do that to a pipe, emulators and sandboxes say so in one of these ways.
    let unsupported = [libc::EOPNOTSUPP, libc::ENOSYS, libc::EINVAL, libc::ESPIPE, libc::EPERM];
    let is_unsupported = error.raw_os_error().is_some_and(|number| unsupported.contains(&number));
    (!is_unsupported).then_some(Err(error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::{PipeWriter, Read, Write, pipe};
    use std::os::fd::{AsRawFd, IntoRawFd};
    use std::os::unix::net::UnixStream;
    use std::thread;
    use std::time::Instant;

    fn write_to(to: &impl AsRawFd, bytes: &[u8]) -> io::Result<()> {
        let fd = to.as_raw_fd();
        write(fd, FileId::of(fd).unwrap(), bytes)
    }

    /// Sets whether writes wait for the reader.
    fn set_blocking(pipe: &PipeWriter, blocking: bool) {
        let flags = if blocking { 0 } else { libc::O_NONBLOCK };
        // SAFETY: only sets flags of a pipe of the test's own.
        assert_eq!(unsafe { libc::fcntl(pipe.as_raw_fd(), libc::F_SETFL, flags) }, 0);
    }

    fn fill(mut pipe: &PipeWriter) {
        set_blocking(pipe, false);
        while pipe.write(&[b'#'; CHUNK]).is_ok() {}
        set_blocking(pipe, true);
    }

    #[test]
    fn tells_files_apart() {
        let (reader, writer) = pipe().unwrap();
        let (other, _writer) = pipe().unwrap();
        assert_eq!(FileId::of(reader.as_raw_fd()), FileId::of(writer.as_raw_fd()));
        assert_ne!(FileId::of(reader.as_raw_fd()), FileId::of(other.as_raw_fd()));
        assert_eq!(FileId::of(-1), None);
        let [null, zero] = ["/dev/null", "/dev/zero"].map(|name| File::open(name).unwrap());
        assert_ne!(FileId::of(null.as_raw_fd()), FileId::of(zero.as_raw_fd()));
    }

    #[test]
    fn writes_more_than_fits_at_once() {
        for blocking in [true, false] {
            let (mut reader, writer) = pipe().unwrap();
            set_blocking(&writer, blocking);
            let bytes: Vec<u8> = (0..300_000_u32).map(|at| (at % 251) as u8).collect();
            let expected = bytes.clone();
            let writing = thread::spawn(move || write_to(&writer, &bytes));
            let mut read = Vec::new();
            thread::sleep(Duration::from_millis(50));
            reader.read_to_end(&mut read).unwrap();
            writing.join().unwrap().unwrap();
            assert!(read == expected);
        }
    }

    #[test]
    fn writes_to_a_socket() {
        let (mut reader, writer) = UnixStream::pair().unwrap();
        let bytes = vec![7; 1_000_000];
        let writing = thread::spawn(move || write_to(&writer, &bytes));
        let mut read = Vec::new();
        reader.read_to_end(&mut read).unwrap();
        writing.join().unwrap().unwrap();
        assert!(read == vec![7; 1_000_000]);
    }

    #[test]
    fn gives_up_on_a_reader_that_sleeps() {
        let (_reader, writer) = pipe().unwrap();
        fill(&writer);
        let start = Instant::now();
        let error = write_to(&writer, b"text").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!((PATIENCE..PATIENCE * 2).contains(&start.elapsed()));
    }

    /// Somebody else may have filled the pipe since it was asked.
    #[cfg(target_os = "linux")]
    #[test]
    fn does_not_wait_inside_a_write() {
        let (_reader, writer) = pipe().unwrap();
        fill(&writer);
        if let Some(result) = write_now(writer.as_raw_fd(), b"text") {
            assert_eq!(result.unwrap_err().kind(), io::ErrorKind::WouldBlock);
        }
    }

    #[test]
    fn fails_without_a_reader() {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        assert_eq!(write_to(&writer, b"text").unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn spares_another_file_under_the_same_number() {
        let (mut reader, writer) = pipe().unwrap();
        let (_other_reader, other) = pipe().unwrap();
        let expected = FileId::of(other.as_raw_fd()).unwrap();
        assert!(write(writer.as_raw_fd(), expected, b"text").is_err());
        drop(writer);
        let mut read = Vec::new();
        reader.read_to_end(&mut read).unwrap();
        assert_eq!(read, b"");
        let closed = other.into_raw_fd();
        // SAFETY: nobody owns it any more.
        unsafe { libc::close(closed) };
        assert!(write(-1, expected, b"text").is_err());
    }
}
