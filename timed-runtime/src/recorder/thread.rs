//! What a thread knows of its recorder: a few plain words, and a destructor that gives the lane up.
//!
//! The words are in thread-local memory themselves, not behind a pointer: before the first fence a
//! chain of loads costs what it takes.

use super::lane::{self, Lane, frame_at};
use super::layout::Frame;
use super::local;
use super::owner;
use crate::sync::Own as _;
use std::cell::Cell;
use std::sync::atomic::{Ordering, compiler_fence};

/// A thread's words. No destructor: they stay usable while others' destructors run.
#[repr(C, align(64))]
#[derive(Debug)]
pub(crate) struct Desk {
    /// The frame to use next, above the open one: [`nowhere`] unless the thread owns a lane and is
    /// not at work in it.
    pub(crate) next: Cell<*const Frame>,
    /// The lane in use: EMPTY unless the thread owns one.
    pub(crate) lane: Cell<*const Lane>,
    /// What `next` will be when the cold path at work is done.
    pub(crate) held: Cell<*const Frame>,
    /// See [`State`].
    pub(crate) state: Cell<State>,
}

/// The frame that is never ready.
pub(crate) static NOWHERE: Frame = Frame::unready();

/// Its address.
pub(crate) const fn nowhere() -> *const Frame {
    &raw const NOWHERE
}

/// How a thread stands to the recorder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum State {
    /// It may use its lane, or get one.
    Ready,
    /// A cold path is at work on this thread.
    AtWork,
    /// Its destructor has run: it borrows a lane for each call.
    Gone,
    /// As `Gone`, and a cold path is at work.
    GoneAtWork,
}

impl State {
    /// The same thread, with a cold path at work.
    pub(crate) fn at_work(self) -> Self {
        match self {
            Self::Ready | Self::AtWork => Self::AtWork,
            Self::Gone | Self::GoneAtWork => Self::GoneAtWork,
        }
    }
}

thread_local! {
    static FAREWELL: Farewell = const { Farewell };
}

/// Runs `f` with this thread's words.
#[inline(always)]
pub(crate) fn with_desk<T>(f: impl FnOnce(&Desk) -> T) -> T {
    // SAFETY: the thread is running, and the reference does not leave `f`.
    f(unsafe { &*desk() })
}

/// This thread's words, for the ordinary path. Valid until the thread has ended.
#[inline(always)]
pub(crate) fn desk() -> *const Desk {
    local::place().desk()
}

impl Desk {
    /// A thread's that has made no timed call.
    pub(crate) const fn new() -> Self {
        Self {
            next: Cell::new(nowhere()),
            lane: Cell::new(lane::empty()),
            held: Cell::new(nowhere()),
            state: Cell::new(State::Ready),
        }
    }

    /// The lane that this thread owns, unless a fork has wiped it.
    pub(crate) fn own_lane(&self) -> Option<&'static Lane> {
        // SAFETY: EMPTY, or a lane that this thread owns; neither is ever given back.
        Some(unsafe { &*self.lane.get() }).filter(|lane| lane.is_live())
    }

    /// The frame above the open one, while a cold path is at work.
    pub(crate) fn held(&self) -> &'static Frame {
        // SAFETY: NOWHERE, or a frame of this thread's lane.
        unsafe { &*self.held.get() }
    }

    /// The open activation's frame, while a cold path is at work.
    pub(crate) fn open(&self) -> &'static Frame {
        // SAFETY: the thread owns a lane, so the word is a frame's address: see `Frame::parent`.
        unsafe { frame_at(self.held().parent.get()) }
    }

    /// Takes another desk's lane, and the place in it, for its own, while the thread is at work.
    pub(crate) fn borrow_lane(&self, other: &Self) {
        self.lane.swap(&other.lane);
        compiler_fence(Ordering::SeqCst);
        // Last: from here on, also a signal handler's calls go to that lane.
        self.next.swap(&other.next);
    }

    /// Ends `borrow_lane`.
    pub(crate) fn return_lane(&self, other: &Self) {
        self.next.swap(&other.next);
        compiler_fence(Ordering::SeqCst);
        self.lane.swap(&other.lane);
    }

    /// As if the thread had never made a timed call.
    pub(crate) fn forget_lane(&self) {
        self.next.set(nowhere());
        self.held.set(nowhere());
        self.lane.set(lane::empty());
    }
}

/// Gives the lane up when the thread ends.
struct Farewell;

impl Drop for Farewell {
    fn drop(&mut self) {
        owner::leave();
    }
}

/// Has [`Farewell`] run when this thread ends. False when it is too late for that.
pub(crate) fn say_farewell() -> bool {
    FAREWELL.try_with(|_| ()).is_ok()
}

/// A number that no other living thread of this machine has.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn id() -> u64 {
    // SAFETY: the call has no arguments and cannot fail.
    unsafe { libc::syscall(libc::SYS_gettid) as u64 }
}

/// A number that no other thread of this process has had.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn id() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local!(static ID: Cell<u64> = const { Cell::new(0) });
    ID.with(|id| {
        if id.get() == 0 {
            id.set(NEXT.fetch_add(1, Ordering::Relaxed));
        }
        id.get()
    })
}

/// Whether the thread of that number is no more. Where the system cannot say, it may be alive.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn is_gone(id: u64) -> bool {
    // SAFETY: signal 0 is delivered to nobody; it only asks whether the thread exists.
    unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), id as libc::pid_t, 0) == -1 }
}

/// Whether the thread of that number is no more. Where the system cannot say, it may be alive.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn is_gone(_id: u64) -> bool {
    false
}
