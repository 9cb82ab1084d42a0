//! Where a thread's desk lies: in thread-local memory that is reached by the same few instructions
//! in every crate.
//!
//! How `thread_local!` is reached depends on where the code is compiled: in an executable's own
//! crate by one load, in a library's by two or a call. The probe would then cost another number of
//! ticks in the bench that measures its cost than in the functions that it is taken off: 142 and 136
//! were seen, which is a parent's bias of 4 %. So on x86-64 ELF systems the block is defined here,
//! in the initial-exec model: its offset from the thread's pointer is a constant of the program,
//! which the linker puts into the instruction. (A library that is loaded later finds room in what
//! the C library keeps free for that.)

use super::lane;
use super::thread::{Desk, NOWHERE, State};
use core::arch::{asm, global_asm};

/// The block's symbol, with the version: two versions of this crate in one program are two blocks.
macro_rules! symbol {
    () => {
        concat!(
            "timed_desk_",
            env!("CARGO_PKG_VERSION_MAJOR"),
            "_",
            env!("CARGO_PKG_VERSION_MINOR"),
            "_",
            env!("CARGO_PKG_VERSION_PATCH")
        )
    };
}

// A thread begins with what `Desk::new` says, word for word.
global_asm!(
    concat!(".pushsection .tdata.", symbol!(), ",\"awT\",@progbits"),
    ".p2align 6",
    concat!(".globl ", symbol!()),
    concat!(".hidden ", symbol!()),
    concat!(".type ", symbol!(), ",@object"),
    concat!(".size ", symbol!(), ",64"),
    concat!(symbol!(), ":"),
    ".quad {nowhere}",
    ".quad {empty}",
    ".quad {nowhere}",
    ".quad {ready}",
    ".zero 32",
    ".popsection",
    nowhere = sym NOWHERE,
    empty = sym lane::EMPTY,
    ready = const State::Ready as u64,
);

const _: () = assert!(size_of::<Desk>() == 64 && std::mem::offset_of!(Desk, next) == 0);

/// The block's offset from the thread's pointer: a constant, which the compiler may keep.
#[inline(always)]
pub(crate) fn place() -> Place {
    let offset;
    // SAFETY: loads a constant.
    unsafe {
        asm!(concat!("mov {}, qword ptr [rip + ", symbol!(), "@GOTTPOFF]"), out(reg) offset,
            options(pure, nomem, nostack, preserves_flags));
    }
    Place(offset)
}

/// A place in every thread's thread-local memory.
#[derive(Clone, Copy)]
pub(crate) struct Place(usize);

impl Place {
    /// The desk of this thread, valid until it has ended.
    #[inline(always)]
    pub(crate) fn desk(self) -> *const Desk {
        let base: *const u8;
        // SAFETY: the first word of a thread's control block is its own address.
        unsafe {
            asm!("mov {}, qword ptr fs:[0]", out(reg) base, options(pure, readonly, nostack, preserves_flags));
        }
        base.wrapping_add(self.0).cast()
    }

    /// The desk's first word, in one instruction.
    #[inline(always)]
    pub(crate) fn next(self) -> *const super::layout::Frame {
        let next;
        // SAFETY: reads the block, which is this thread's alone.
        unsafe {
            asm!("mov {}, qword ptr fs:[{}]", out(reg) next, in(reg) self.0,
                options(readonly, nostack, preserves_flags));
        }
        next
    }

    /// Sets the desk's first word, in one instruction.
    #[inline(always)]
    pub(crate) fn set_next(self, next: *const super::layout::Frame) {
        // SAFETY: writes the block, which is this thread's alone and holds cells.
        unsafe {
            asm!("mov qword ptr fs:[{}], {}", in(reg) self.0, in(reg) next,
                options(nostack, preserves_flags));
        }
    }
}
