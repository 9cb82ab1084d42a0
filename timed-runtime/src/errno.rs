//! The C library's `errno`, which the program may be about to read.
//!
//! A timed call may stand between a system call that failed and the question why. What the
//! recorder asks of the system on its cold paths must not answer it.

/// Puts the number back when it goes out of scope.
pub(crate) struct Errno(Place);

impl Errno {
    /// As it is now.
    pub(crate) fn keep() -> Self {
        Self(Place::read())
    }
}

impl Drop for Errno {
    fn drop(&mut self) {
        self.0.write();
    }
}

#[cfg(any(
    target_os = "linux",
    target_os = "android",
    target_vendor = "apple",
    target_os = "freebsd"
))]
struct Place(libc::c_int);

#[cfg(any(
    target_os = "linux",
    target_os = "android",
    target_vendor = "apple",
    target_os = "freebsd"
))]
impl Place {
    /// Where this thread has its own.
    fn at() -> *mut libc::c_int {
        #[cfg(target_os = "android")]
        use libc::__errno as at;
        #[cfg(target_os = "linux")]
        use libc::__errno_location as at;
        #[cfg(any(target_vendor = "apple", target_os = "freebsd"))]
        use libc::__error as at;
        // SAFETY: the call has no conditions.
        unsafe { at() }
    }

    fn read() -> Self {
        // SAFETY: the thread is running, so its errno exists, and nobody else writes it.
        Self(unsafe { Self::at().read() })
    }

    fn write(&self) {
        // SAFETY: as in `read`.
        unsafe { Self::at().write(self.0) }
    }
}

/// Not known where it is.
#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_vendor = "apple",
    target_os = "freebsd"
)))]
struct Place;

#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_vendor = "apple",
    target_os = "freebsd"
)))]
impl Place {
    fn read() -> Self {
        Self
    }

    fn write(&self) {}
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::io::Error;

    #[test]
    fn comes_back() {
        Place(libc::EBADF).write();
        {
            let _errno = Errno::keep();
            Place(libc::ENOENT).write();
            assert_eq!(Error::last_os_error().raw_os_error(), Some(libc::ENOENT));
        }
        assert_eq!(Error::last_os_error().raw_os_error(), Some(libc::EBADF));
    }
}
