//! Opening a site in a build without optimisation, in one block.
//!
//! There every step of `probe::open` stays a step, through the stack and through calls: between the
//! caller's code and the first reading, and for the compiler to translate in every timed function.
//! The block does the same in the same order, with one test more, after the reading, and some bytes:
//! with optimisation `probe::open` is the better one.

use super::layout::{Frame, frame};
use super::local::symbol;
use super::probe;
use super::site::{Site, UNKNOWN};
use core::arch::asm;
use core::mem::offset_of;

// The block takes these for granted.
const _: () = assert!(offset_of!(Site, key) == 0 && offset_of!(Frame, start) == 0);

/// The frame of an activation of `site`, with both fences around its first reading; null where this
/// call is not to be timed.
#[inline(always)]
pub(super) fn open(site: &'static Site) -> *const Frame {
    let frame: *const Frame;
    // SAFETY: the desk's first word is NOWHERE or a frame of this thread's lane, and is this thread's
    // alone; the words of a site and of a frame may be read at any time, and those of a frame that is
    // READY may be written by its thread. Stores keep their order.
    unsafe {
        asm!(
            "xor {frame:e}, {frame:e}",
            "cmp qword ptr [{site}], {unknown}",
            "jbe 2f",
            concat!("mov {place}, qword ptr [rip + ", symbol!(), "@GOTTPOFF]"),
            "mov rax, qword ptr fs:[{place}]",
            "test byte ptr [rax + {how}], {ready}",
            "je 2f",
            "mov {frame}, rax",
            "add rax, {size}",
            "mov qword ptr fs:[{place}], rax",
            "mov qword ptr [{frame} + {what}], {site}",
            "lfence",
            "rdtsc",
            "lfence",
            "mov dword ptr [{frame}], eax",
            "mov dword ptr [{frame} + 4], edx",
            "2:",
            frame = out(reg) frame,
            site = in(reg) site,
            place = out(reg) _,
            out("rax") _,
            out("rdx") _,
            unknown = const UNKNOWN,
            how = const offset_of!(Frame, how),
            what = const offset_of!(Frame, what),
            ready = const frame::READY,
            size = const size_of::<Frame>(),
            options(nostack),
        );
    }
    if frame.is_null() { probe::open_slowly(site) } else { frame }
}
