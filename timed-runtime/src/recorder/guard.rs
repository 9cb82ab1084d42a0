//! The guard that an expansion declares first in the function's body, and the readings in it.
//!
//! In the function itself stand two tests, the taking of a frame and a fenced read; and when the guard
//! drops, a read, a call and a fence. Both reads are inline because a call between them and the body
//! would be measured, with all its cache misses. In a build for debugging, which is measured for its
//! order of magnitude, both are calls, like everything else there: each copy takes the compiler time.

use super::cold;
use super::layout::{Frame, frame};
use super::probe;
use super::site::{Site, Tally};
use super::wall;
use crate::clock::{arch, join};
use crate::sync::{Ordering, Own as _, Word};
use std::marker::PhantomData;
use std::ptr;
use std::thread::LocalKey;

/// How a guard reads the clock.
pub trait Fence {
    /// Stores the reading at the start.
    fn start(into: &Word);
    /// Reads the end, and has the activation recorded.
    ///
    /// # Safety
    /// `frame` is what `begin` returned to this guard.
    unsafe fn close(frame: *const Frame);
    /// The same for a poll, with the base of its call, and whether that is over.
    ///
    /// # Safety
    /// As for `close`; and `base` is valid.
    unsafe fn close_poll(frame: *const Frame, base: *mut u64, ends: bool);
}

/// Both readings fenced.
#[derive(Debug)]
pub struct Full;

/// Bare readings.
#[derive(Debug)]
pub struct Relaxed;

impl Fence for Full {
    #[inline(always)]
    fn start(into: &Word) {
        arch::start_into(into);
    }

    #[inline(always)]
    unsafe fn close(frame: *const Frame) {
        // SAFETY: as for this function.
        unsafe { read_and_close(frame) }
    }

    #[inline(always)]
    unsafe fn close_poll(frame: *const Frame, base: *mut u64, ends: bool) {
        // SAFETY: as for this function.
        unsafe { read_and_close_poll(frame, base, ends) }
    }
}

/// The second reading, whose parts are passed on to `close_full`, and the fence behind it. The fence
/// is here and not in the callee: behind a fence, also a return costs what it takes. The call is
/// written out because one that the compiler makes goes through a table; not for Windows, whose C
/// convention is another.
///
/// # Safety
/// As for `close_full`.
#[cfg(all(target_arch = "x86_64", not(windows), not(driven_clock)))]
#[inline(always)]
unsafe fn read_and_close(frame: *const Frame) {
    // SAFETY: RDTSCP is there, or no frame would be: see `clock::arch::available`. The call follows
    // the C convention, on an aligned stack, and never unwinds.
    unsafe {
        core::arch::asm!("rdtscp", "mov esi, eax", "call {close}", "lfence",
            close = sym probe::close_full, in("rdi") frame, clobber_abi("C"));
    }
}

/// The second reading, whose parts are passed on to `close_full`, and the barrier behind it.
///
/// # Safety
/// As for `close_full`.
#[cfg(not(all(target_arch = "x86_64", not(windows), not(driven_clock))))]
#[inline(always)]
unsafe fn read_and_close(frame: *const Frame) {
    let (low, high, cpu) = arch::stop_parts();
    // SAFETY: as for this function.
    unsafe { probe::close_full(frame, low, high, cpu) }
    arch::settle();
}

/// [`read_and_close`] for a poll.
///
/// # Safety
/// As for `wall::close_full`.
#[cfg(all(target_arch = "x86_64", not(windows), not(driven_clock)))]
#[inline(always)]
unsafe fn read_and_close_poll(frame: *const Frame, base: *mut u64, ends: bool) {
    // SAFETY: as for `read_and_close`.
    unsafe {
        core::arch::asm!("rdtscp", "mov esi, eax", "call {close}", "lfence",
            close = sym wall::close_full, in("rdi") frame, in("r8") base,
            in("r9") u64::from(ends), clobber_abi("C"));
    }
}

/// [`read_and_close`] for a poll.
///
/// # Safety
/// As for `wall::close_full`.
#[cfg(not(all(target_arch = "x86_64", not(windows), not(driven_clock))))]
#[inline(always)]
unsafe fn read_and_close_poll(frame: *const Frame, base: *mut u64, ends: bool) {
    let (low, high, cpu) = arch::stop_parts();
    // SAFETY: as for this function.
    unsafe { wall::close_full(frame, low, high, cpu, base, ends) }
    arch::settle();
}

impl Fence for Relaxed {
    #[inline(always)]
    fn start(into: &Word) {
        let (low, high) = arch::relaxed_parts();
        into.store(join(low, high), Ordering::Release);
    }

    #[inline(always)]
    unsafe fn close(frame: *const Frame) {
        let (low, high) = arch::relaxed_parts();
        // SAFETY: as for this function.
        unsafe { probe::close_relaxed(frame, low, high) }
    }

    #[inline(always)]
    unsafe fn close_poll(frame: *const Frame, base: *mut u64, ends: bool) {
        let (low, high) = arch::relaxed_parts();
        // SAFETY: as for this function.
        unsafe { wall::close_relaxed(frame, low, high, base, ends) }
    }
}

/// An open activation, or nothing. Bound to its thread.
#[derive(Debug)]
#[must_use]
pub struct Guard<F: Fence> {
    frame: *const Frame,
    fence: PhantomData<F>,
}

impl<F: Fence> Guard<F> {
    #[inline(always)]
    pub(super) fn begin(site: &'static Site) -> Self {
        Self { frame: begin::<F>(site, false), fence: PhantomData }
    }
}

/// Opens an activation, and takes its first reading: its frame, or null where it is not to be timed.
/// `first` says that it is the first poll of a future.
#[inline(always)]
pub(super) fn begin<F: Fence>(site: &'static Site, first: bool) -> *const Frame {
    // Out of the compiler's sight, so that it keeps the address in a register and not, four times,
    // in the code.
    let site = probe::opaque(site);
    if let Some(frame) = probe::open(site) {
        if first {
            frame.how.set(frame.how.get() | frame::FIRST);
        }
        F::start(&frame.start);
        return ptr::from_ref(frame);
    }
    // A cold call's first reading may stand elsewhere: in here, it would be the code of every site
    // twice.
    let frame = probe::open_slowly(site);
    if first && !frame.is_null() {
        // SAFETY: a frame of this thread's lane, never given back.
        wall::mark_first(unsafe { &*frame });
    }
    frame
}

impl<F: Fence> Drop for Guard<F> {
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn drop(&mut self) {
        if !self.frame.is_null() {
            // SAFETY: `open` returned it to this guard.
            unsafe { F::close(self.frame) }
        }
    }
}

/// Opens an activation with both readings fenced.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn enter(site: &'static Site) -> Guard<Full> {
    Guard::begin(site)
}

/// Opens an activation with bare readings.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn enter_relaxed(site: &'static Site) -> Guard<Relaxed> {
    Guard::begin(site)
}

/// Opens an activation of one call in `Site::sample`; counts the others.
///
/// A thread counts down to its next timed call in the site's slot. The tally holds the way there,
/// and the key for which it was found: where the site's key is another one by now (off, paused,
/// reset, or the thread's first call), the cold path looks again.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn enter_sampled<F: Fence>(site: &'static Site, tally: &'static LocalKey<Tally>) -> Guard<F> {
    let left_out = tally.with(|tally| {
        if tally.key.get() != site.key.load(Ordering::Relaxed) {
            return false;
        }
        // SAFETY: a key that matches was stored with the address of a countdown in the lane that
        // this thread owns; lanes are never freed, and a thread that gives its lane up clears its
        // tallies first.
        !arch::count_down(unsafe { &*tally.countdown.get() })
    });
    if left_out {
        return Guard { frame: ptr::null(), fence: PhantomData };
    }
    if tally.with(|tally| cold::take_turn(site, tally)) {
        Guard::begin(site)
    } else {
        Guard { frame: ptr::null(), fence: PhantomData }
    }
}
