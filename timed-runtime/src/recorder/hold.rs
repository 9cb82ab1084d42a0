//! Holding a function's result in front of the second reading.
//!
//! A fence orders what the processor executes; nothing tells the compiler that a body of plain
//! arithmetic has to be done by then, and it moves such bodies whole behind the guard. An empty
//! `asm!` block that takes the result in a register, and that, as every such block, keeps its place
//! among the others, makes the second reading depend on it. It emits no instruction.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use core::arch::asm;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use core::mem::{ManuallyDrop, MaybeUninit};

/// Results above this many bytes are left alone: passing 4 KiB by reference took 82 ns more.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const MOST_BYTES: usize = 64;

/// Splits `T`'s bytes over registers of type `R`, passes them through `asm!`, and puts them
/// together again; what is of another size goes by reference.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! through {
    ($value:ident: $T:ident, $($class:ident $shown:literal $register:ty),* $(; pair $half:ty)?) => {{
        let size = size_of::<$T>();
        let value = ManuallyDrop::new($value);
        $(if size == size_of::<$register>() {
            // SAFETY: the sizes are equal, `MaybeUninit` may hold any bytes, also padding, and
            // `value` is not dropped, so its bytes may become a `T` again once.
            return unsafe {
                let mut bytes: MaybeUninit<$register> = core::mem::transmute_copy(&value);
                asm!(concat!("/* ", $shown, " */"), inout($class) bytes, options(nostack, preserves_flags));
                core::mem::transmute_copy(&bytes)
            };
        })*
        $(if size == 2 * size_of::<$half>() {
            // SAFETY: as above, for both halves.
            return unsafe {
                let [mut low, mut high]: [MaybeUninit<$half>; 2] = core::mem::transmute_copy(&value);
                asm!("/* {0} {1} */", inout(reg) low, inout(reg) high, options(nostack, preserves_flags));
                core::mem::transmute_copy(&[low, high])
            };
        })?
        if size > 0 && size <= MOST_BYTES {
            // SAFETY: an empty block that is given an address; `value` stays valid and in place.
            unsafe { asm!("/* {0} */", in(reg) &raw const value, options(nostack, preserves_flags)) }
        }
        ManuallyDrop::into_inner(value)
    }};
}

/// Its argument, known to the compiler as needed here.
#[cfg(target_arch = "x86_64")]
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn hold<T>(value: T) -> T {
    through!(value: T, reg_byte "{0}" u8, reg "{0:x}" u16, reg "{0:e}" u32, reg "{0}" u64; pair u64)
}

/// Its argument, known to the compiler as needed here. For floats: the register class is theirs.
#[cfg(target_arch = "x86_64")]
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn hold_float<T>(value: T) -> T {
    through!(value: T, xmm_reg "{0}" f32, xmm_reg "{0}" f64)
}

/// Its argument, known to the compiler as needed here.
#[cfg(target_arch = "aarch64")]
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn hold<T>(value: T) -> T {
    through!(value: T, reg "{0:w}" u16, reg "{0:w}" u32, reg "{0}" u64; pair u64)
}

/// Its argument, known to the compiler as needed here. For floats: the register class is theirs.
#[cfg(target_arch = "aarch64")]
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn hold_float<T>(value: T) -> T {
    through!(value: T, vreg "{0:s}" f32, vreg "{0:d}" f64)
}

/// Its argument, known to the compiler as needed here.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn hold<T>(value: T) -> T {
    core::hint::black_box(value)
}

/// Its argument, known to the compiler as needed here.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn hold_float<T>(value: T) -> T {
    core::hint::black_box(value)
}
