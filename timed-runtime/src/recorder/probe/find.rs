//! Ends that have a place to find first: the caller's, or that of an activation with stamps or hops.

use super::super::lane::frame_at;
use super::super::layout::{Frame, frame};
use super::super::thread;
use super::{Place, close_caller, close_leaf, give_up, look_up};
use crate::sync::Own as _;
use std::sync::atomic::{Ordering, compiler_fence};

/// Finds the place of the caller of the activation that ends, whose first callee this is, and
/// closes the activation then. The thread is at work.
#[inline(never)]
pub(super) extern "C" fn find_caller<const KIND: usize>(frame: *const Frame, end: u64) {
    // SAFETY: the thread is running, and owns its lane, of which `frame` is: `close_leaf` has seen that.
    let (desk, lane) = unsafe {
        let desk = &*thread::desk();
        (desk, &*desk.lane.get())
    };
    // SAFETY: as above; so are its caller and the one above that, whose word, where it has the flag, is a
    // node's address. The caller's, where it has not, has a site's.
    let found = unsafe {
        let caller = frame_at((*frame).parent.get());
        let above = frame_at(caller.parent.get()).what.get();
        let site = frame::address(caller.what.get());
        // A caller that is being opened, by what a signal has interrupted, is nothing yet.
        let known = above & frame::NODE != 0 && site != 0;
        if known && let Some(entry) = look_up(lane, site, above) {
            caller.settle(&Place::of(entry));
            caller.lost.bump(lane.finding.get());
            true
        } else {
            false
        }
    };
    compiler_fence(Ordering::SeqCst);
    if !found {
        return give_up::<KIND>(frame, end);
    }
    desk.next.set(frame.wrapping_add(1));
    // SAFETY: the lane's CPU has been compared with the reading's; and as for the `close_leaf` that has
    // come here.
    unsafe { close_leaf::<KIND>(frame, end as u32, (end >> 32) as u32, lane.cpu.get() as u32) }
}

/// Finds the place of the activation that ends, which has stamps or hops but no callees, and closes it
/// as one with callees. The thread is at work.
#[inline(never)]
pub(super) extern "C" fn find_own<const KIND: usize>(frame: *const Frame, end: u64) {
    // SAFETY: the thread is running, and owns its lane, of which `frame` is, with a site's address:
    // `close_leaf` has seen that; it has a parent.
    let (lane, this, caller) = unsafe {
        let desk = &*thread::desk();
        let this = &*frame;
        (&*desk.lane.get(), this, frame_at(this.parent.get()).what.get())
    };
    if caller & frame::NODE == 0 {
        return find_caller::<KIND>(frame, end);
    }
    // SAFETY: a site, and a caller with a node, of this lane.
    match unsafe { look_up(lane, frame::address(this.what.get()), caller) } {
        Some(entry) => {
            // SAFETY: what `look_up` returns is good.
            this.settle(&unsafe { Place::of(entry) });
            close_caller::<KIND>(frame, end);
        }
        None => give_up::<KIND>(frame, end),
    }
}
