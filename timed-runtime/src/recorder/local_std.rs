//! Where a thread's desk lies, where `local` has no better way: in `thread_local!`.

use super::layout::Frame;
use super::thread::Desk;
use std::ptr;

thread_local! {
    static DESK: Desk = const { Desk::new() };
}

/// See `local::Place`.
#[derive(Clone, Copy)]
pub(crate) struct Place;

#[inline(always)]
pub(crate) fn place() -> Place {
    Place
}

impl Place {
    /// The desk of this thread, valid until it has ended.
    #[inline(always)]
    pub(crate) fn desk(self) -> *const Desk {
        DESK.with(ptr::from_ref)
    }

    /// The desk's first word.
    #[inline(always)]
    pub(crate) fn next(self) -> *const Frame {
        DESK.with(|desk| desk.next.get())
    }

    /// Sets the desk's first word.
    #[inline(always)]
    pub(crate) fn set_next(self, next: *const Frame) {
        DESK.with(|desk| desk.next.set(next));
    }
}
