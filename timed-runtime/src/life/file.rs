//! Writing the report to a file: whole, or not at all.

#[cfg(unix)]
use super::descriptor::{self, FileId};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write as _};
#[cfg(unix)]
use std::os::{fd::AsRawFd as _, unix::fs::OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Makes `bytes` the contents of the file `path`.
///
/// They are written under another name in the same directory, which then takes the place of
/// `path`: nobody sees a part of a report, and a failure leaves an older one as it was.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = match fs::metadata(path) {
        Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) => match place_of(&there) {
            // A link goes on pointing to the file that it points to.
            Place::File => fs::canonicalize(path)?,
            Place::Device => return write_to_device(path, bytes),
            #[cfg(unix)]
            Place::Stream(fd) => return write_to_stream(fd, bytes),
        },
        Err(_) => path.to_owned(),
    };
    let (temporary, file) = create_beside(&path)?;
    fill(file, bytes).and_then(|()| fs::rename(&temporary, &path)).inspect_err(|_| {
        // The first failure is the one to tell.
        let _ = fs::remove_file(&temporary);
    })
}

fn fill(mut file: File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)
}

/// A new file in the directory of `path`. The name does not grow out of that of `path`, which
/// may be as long as names can be.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let pid = super::pid();
    let mut attempt = 0;
    loop {
        let name = path.with_file_name(format!(".timed-{pid}-{attempt}.tmp"));
        match OpenOptions::new().write(true).create_new(true).open(&name) {
            Ok(file) => return Ok((name, file)),
            // Left by a process that was killed, or of the same pid in another container.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => {
                attempt += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

/// What is there already.
enum Place {
    /// A file, which can be replaced.
    File,
    /// A terminal, a named pipe: it is written to, and stays what it is.
    Device,
    /// What the program has for stdout or stderr, a file perhaps, under whatever name
    /// (`/dev/stdout`): the report stands behind all that the program has written.
    #[cfg(unix)]
    Stream(libc::c_int),
}

fn place_of(there: &Metadata) -> Place {
    #[cfg(unix)]
    for fd in [libc::STDOUT_FILENO, libc::STDERR_FILENO] {
        if FileId::of(fd).is_some_and(|file| file.is_of(there)) {
            return Place::Stream(fd);
        }
    }
    if there.is_file() { Place::File } else { Place::Device }
}

#[cfg(unix)]
fn write_to_stream(fd: libc::c_int, bytes: &[u8]) -> io::Result<()> {
    let file = FileId::of(fd).ok_or_else(io::Error::last_os_error)?;
    descriptor::write(fd, file, bytes)
}

/// It must not make the program wait: a named pipe that nobody reads is an error.
#[cfg(unix)]
fn write_to_device(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
    let device = OpenOptions::new().write(true).custom_flags(flags).open(path)?;
    write_to_stream(device.as_raw_fd(), bytes)
}

#[cfg(not(unix))]
fn write_to_device(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fill(OpenOptions::new().write(true).open(path)?, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory of the test's own, gone when it ends.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("timed-{}-{name}", crate::life::pid()));
            fs::create_dir(&path).unwrap();
            Self(path)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn replaces_what_was_there() {
        let scratch = Scratch::new("replaces");
        // As long as a name can be.
        let name = "n".repeat(255);
        let path = scratch.0.join(&name);
        for text in ["a longer text", "short"] {
            write_whole(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            assert_eq!(scratch.names(), [name.as_str()]);
        }
    }

    #[test]
    fn passes_over_what_others_have_left() {
        let scratch = Scratch::new("passes-over");
        let left = scratch.0.join(format!(".timed-{}-0.tmp", crate::life::pid()));
        fs::write(&left, "not ours").unwrap();
        write_whole(&scratch.0.join("out"), b"text").unwrap();
        assert_eq!(fs::read_to_string(left).unwrap(), "not ours");
        assert_eq!(scratch.names().len(), 2);
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let scratch = Scratch::new("leaves-nothing");
        let error = write_whole(&scratch.0, b"text").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
        let error = write_whole(&scratch.0.join("none/out"), b"text").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        // The temporary file is made, and cannot take the place of this.
        assert!(write_whole(&scratch.0.join("out/"), b"text").is_err());
        assert!(scratch.names().is_empty(), "{:?}", scratch.names());
    }

    #[cfg(unix)]
    #[test]
    fn keeps_what_is_no_file() {
        use std::os::unix::fs::{FileTypeExt, symlink};

        let scratch = Scratch::new("keeps");
        let link = scratch.0.join("link");
        symlink("/dev/null", &link).unwrap();
        write_whole(&link, b"text").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        assert_eq!(scratch.names(), ["link"]);
    }
}
