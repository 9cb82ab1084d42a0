//! Signals that must not reach this thread while it writes the report.

use libc::{c_int, sigset_t};
use std::mem::MaybeUninit;
use std::ptr;

/// Those that a write of our own can cause.
const CAUSED: [c_int; 2] = [libc::SIGPIPE, libc::SIGXFSZ];
/// Those that must wait.
const DELAYED: [c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// While it lives, this thread takes none of the signals in question.
///
/// * SIGPIPE and SIGXFSZ are what a write to a pipe without a reader, or beyond a limit, brings
///   upon the thread; the program may have left them deadly. The write fails all the same.
/// * SIGINT, SIGTERM and SIGHUP would be handled on this thread, and the handler waits for the
///   report that this thread is writing. Another thread, or the same a little later, takes them.
pub(super) struct Shield {
    /// What was blocked before.
    mask: sigset_t,
    /// What was waiting to be unblocked.
    pending: sigset_t,
}

impl Shield {
    /// Puts it up.
    pub(super) fn up() -> Self {
        let blocked = set_of(CAUSED.into_iter().chain(DELAYED));
        let mut mask = MaybeUninit::uninit();
        // SAFETY: both sets are whole; blocking known signals in one's own thread cannot fail,
        // so the former mask has been written.
        let mask = unsafe {
            libc::pthread_sigmask(libc::SIG_BLOCK, &raw const blocked, mask.as_mut_ptr());
            mask.assume_init()
        };
        Self { mask, pending: pending() }
    }
}

impl Drop for Shield {
    fn drop(&mut self) {
        let now = pending();
        for signal in CAUSED {
            if has(&now, signal) && !has(&self.pending, signal) {
                swallow(signal);
            }
        }
        // SAFETY: the mask is the one that this thread had.
        unsafe {
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.mask, ptr::null_mut());
        }
    }
}

/// Takes a pending signal away.
fn swallow(signal: c_int) {
    let (set, now) = (set_of([signal]), libc::timespec { tv_sec: 0, tv_nsec: 0 });
    // SAFETY: the set and the time are whole; nothing is to be told about the signal.
    unsafe { libc::sigtimedwait(&raw const set, ptr::null_mut(), &raw const now) };
}

fn set_of(signals: impl IntoIterator<Item = c_int>) -> sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: `sigemptyset` makes the whole set, and the signals exist.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for signal in signals {
            libc::sigaddset(set.as_mut_ptr(), signal);
        }
        set.assume_init()
    }
}

fn pending() -> sigset_t {
    let mut set = set_of([]);
    // SAFETY: the set is one to be written to.
    unsafe { libc::sigpending(&raw mut set) };
    set
}

fn has(set: &sigset_t, signal: c_int) -> bool {
    // SAFETY: the set is whole and the signal exists.
    unsafe { libc::sigismember(&raw const *set, signal) == 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask() -> sigset_t {
        let mut mask = set_of([]);
        // SAFETY: nothing is changed, only asked.
        unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, ptr::null(), &raw mut mask) };
        mask
    }

    fn raise(signal: c_int) {
        // SAFETY: the callers have blocked the signal.
        unsafe { libc::raise(signal) };
    }

    #[test]
    fn swallows_what_came_meanwhile_and_restores_the_mask() {
        {
            let _shield = Shield::up();
            raise(libc::SIGPIPE);
            raise(libc::SIGXFSZ);
            assert!(has(&pending(), libc::SIGXFSZ) && has(&mask(), libc::SIGINT));
        }
        assert!(!has(&pending(), libc::SIGPIPE) && !has(&pending(), libc::SIGXFSZ));
        assert!(!has(&mask(), libc::SIGPIPE) && !has(&mask(), libc::SIGINT));
    }

    #[test]
    fn leaves_what_was_there() {
        let outer = Shield::up();
        raise(libc::SIGPIPE);
        drop(Shield::up());
        assert!(has(&pending(), libc::SIGPIPE) && has(&mask(), libc::SIGPIPE));
        drop(outer);
        assert!(!has(&pending(), libc::SIGPIPE));
    }
}
