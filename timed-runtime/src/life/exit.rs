//! The end of the program, where the C library tells of it.
//!
//! Returning from `main`, `process::exit` and a panic out of `main` all come to C's `exit`.

use std::sync::atomic::{AtomicBool, Ordering};

/// Has the report written when the process exits.
pub(super) fn hook() {
    // A forked child inherits the hook together with this.
    static HOOKED: AtomicBool = AtomicBool::new(false);
    if !HOOKED.swap(true, Ordering::Relaxed) {
        register(at_exit);
    }
}

/// A panic would abort here, so `report_once` lets none out.
extern "C" fn at_exit() {
    super::report_once();
}

#[cfg(any(unix, windows))]
fn register(hook: extern "C" fn()) {
    // SAFETY: the hook does not unwind, and does not use thread-locals that may be gone by then.
    // If this is a shared object, it stays loaded, or unloading it runs the hook. (When the list
    // of hooks is full, there is no report.)
    unsafe { libc::atexit(hook) };
}

/// There is no such list here: who wants a report asks for it.
#[cfg(not(any(unix, windows)))]
fn register(_hook: extern "C" fn()) {}
