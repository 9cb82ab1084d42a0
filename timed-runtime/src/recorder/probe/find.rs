//! Ends that have a place to find first: the caller's, or that of an activation with stamps or hops.

use super::super::lane::frame_at;
use super::super::layout::{Frame, frame};
use super::super::{cold, thread};
use super::{close_caller, close_leaf, look_up};
use crate::clock::join;
use crate::sync::{Ordering, Own as _};
use std::sync::atomic::compiler_fence;

/// Finds the place of the caller of the activation that ends, whose first callee this is, and
/// closes the activation then. The thread is at work.
#[inline(never)]
pub(super) extern "C" fn find_caller<const KIND: usize>(
    frame: *const Frame,
    low: u32,
    high: u32,
    cpu: u32,
) {
    // SAFETY: the thread is running.
    let desk = unsafe { &*thread::desk() };
    // SAFETY: `close_leaf` has seen that the thread owns this lane, and that `frame` is open in it;
    // so are its caller and the one above that, whose word, where it has the flag, is a node's
    // address. The caller's, where it has not, has a site's.
    let found = unsafe {
        let lane = &*desk.lane.get();
        let caller = frame_at((*frame).parent.get());
        let above = frame_at(caller.parent.get()).what.get();
        let site = frame::address(caller.what.get());
        // A caller that is being opened, by what a signal has interrupted, is nothing yet.
        let known = above & frame::NODE != 0 && site != 0;
        if known && let Some(place) = look_up(lane, site, above & !frame::NODE) {
            caller.settle(&place);
            caller.lost.bump(lane.finding.get());
            true
        } else {
            false
        }
    };
    compiler_fence(Ordering::SeqCst);
    desk.next.set(frame.wrapping_add(1));
    if found {
        // SAFETY: as for the `close_leaf` that has come here.
        unsafe { close_leaf::<KIND>(frame, low, high, cpu) }
    } else {
        cold::close(frame, join(low, high), cpu, KIND);
    }
}

/// Finds the place of the activation that ends, which has stamps or hops but no callees, and closes it
/// as one with callees. The thread is at work.
#[inline(never)]
pub(super) extern "C" fn find_own<const KIND: usize>(
    frame: *const Frame,
    low: u32,
    high: u32,
    cpu: u32,
) {
    // SAFETY: the thread is running.
    let desk = unsafe { &*thread::desk() };
    // SAFETY: `close_leaf` has seen that the thread owns this lane, and that `frame` is open in it with a
    // site's address; it has a parent.
    let (lane, this, caller) = unsafe {
        let this = &*frame;
        (&*desk.lane.get(), this, frame_at(this.parent.get()).what.get())
    };
    if caller & frame::NODE == 0 {
        return find_caller::<KIND>(frame, low, high, cpu);
    }
    // SAFETY: a site, and a caller with a node, of this lane.
    let place = unsafe { look_up(lane, frame::address(this.what.get()), frame::address(caller)) };
    if let Some(place) = place {
        this.settle(&place);
        close_caller::<KIND>(frame, low, high, cpu);
    } else {
        desk.next.set(frame.wrapping_add(1));
        cold::close(frame, join(low, high), cpu, KIND);
    }
}
