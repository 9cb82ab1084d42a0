//! The bodies, the loops around them, and the unit of cost: the bare fenced pair.

use std::arch::asm;
use std::cell::Cell;
use std::hint::black_box;

/// A body of so many links of a multiplication and an addition, 4 cycles each that nothing shortens.
/// None is an empty body: the block keeps the compiler from dropping the call, or seeing through it.
#[inline(always)]
#[must_use]
pub fn chain<const LINKS: u32>(mut x: u64) -> u64 {
    // SAFETY: arithmetic on a register of its own; the flags are declared changed by default.
    unsafe {
        asm!(".rept {links}", "imul {x}, {x}, 7", "add {x}, 3", ".endr", x = inout(reg) x, links = const LINKS,
            options(nostack, nomem));
    }
    x
}

/// A chain of sixteen links, so many times over.
#[inline(always)]
#[must_use]
pub fn long_chain(mut x: u64, times: u32) -> u64 {
    for _ in 0..times {
        x = chain::<16>(x);
    }
    x
}

/// Straight-line arithmetic on one register: what a compiler may move past a read that does not hold it.
#[inline(always)]
#[must_use]
pub fn straight(mut x: u64) -> u64 {
    for _ in 0..14 {
        x = (x ^ 0xda94_2042_e4dd_58b5).rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    x
}

/// So many calls, each of the result of the one before.
#[inline(always)]
pub fn repeat(calls: u32, mut x: u64, mut call: impl FnMut(u64) -> u64) -> u64 {
    for _ in 0..calls {
        x = call(x);
    }
    x
}

/// The loop around every competitor. Each function is a type of its own, so the call is direct.
#[inline(never)]
pub fn spin(calls: u32, call: impl FnMut(u64) -> u64) {
    black_box(repeat(calls, 1, call));
}

/// The unit's first half: `lfence; rdtsc; lfence`.
#[inline(always)]
pub(crate) fn begin() -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: both instructions exist on every x86-64, and touch no memory, stack or flags.
    unsafe {
        asm!("lfence", "rdtsc", "lfence", out("rax") low, out("rdx") high, options(nostack, preserves_flags));
    }
    high << 32 | low
}

/// The unit's second half: `rdtscp; lfence`.
#[inline(always)]
pub(crate) fn end() -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: every x86-64 of the last fifteen years has it; beside the result it writes RCX alone.
    unsafe {
        asm!("rdtscp", "lfence", out("rax") low, out("rdx") high, out("rcx") _, options(nostack, preserves_flags));
    }
    high << 32 | low
}

thread_local! {
    /// Where the pairs store their results.
    static RESULT: Cell<u64> = const { Cell::new(0) };
}

/// The unit around a body.
#[inline(always)]
pub fn paired(body: impl FnOnce() -> u64) -> u64 {
    let from = begin();
    let x = body();
    let to = end();
    RESULT.with(|result| result.set(to.wrapping_sub(from)));
    x
}

/// One body in every guise: so many calls of it.
#[derive(Clone, Copy)]
pub struct Body {
    /// The function's name, with which a tool's name of the site ends.
    pub name: &'static str,
    /// Calls in a round: some fifty microseconds of them.
    pub calls: u32,
    /// Without a probe.
    pub plain: fn(u32),
    /// In the unit of cost.
    pub pair: fn(u32),
    /// In the tool.
    pub timed: fn(u32),
}

/// A function, by its address.
pub type Function = fn(u64) -> u64;

/// All that a peer has been made to measure.
pub struct Program {
    /// An empty body, and one of sixteen links: what a call costs.
    pub costs: [Body; 2],
    /// Bodies of known duration: what is said of them.
    pub truths: [Body; 7],
    /// A thousand calls of an empty function, under a probe itself.
    pub parent: Body,
    /// The function that must be in a report.
    pub visited: fn(u32),
    /// An empty function among five microseconds of other work: without a probe, and in the tool.
    pub among: [Function; 2],
    /// A thousand functions.
    pub thousand: &'static [[[Function; 10]; 10]; 10],
}

/// Every function once, as the macro of this name has it: `name, number, argument, body`.
#[macro_export]
macro_rules! sites {
    ($measured:ident) => {
        $measured! { empty, 1, x, $crate::chain::<0>(x) }
        $measured! { links16, 2, x, $crate::chain::<16>(x) }
        $measured! { ns1, 3, x, $crate::chain::<1>(x) }
        $measured! { ns5, 4, x, $crate::chain::<5>(x) }
        $measured! { ns20, 5, x, $crate::chain::<18>(x) }
        $measured! { ns100, 6, x, $crate::chain::<92>(x) }
        $measured! { us1, 7, x, $crate::long_chain(x, 58) }
        $measured! { us10, 8, x, $crate::long_chain(x, 580) }
        $measured! { arithmetic, 9, x, $crate::straight(x) }
        $measured! { child, 10, x, $crate::chain::<0>(x) }
        $measured! { parent, 11, x, $crate::repeat(1000, x, child) }
        $measured! { visited, 77_777, x, $crate::chain::<0>(x) }
    };
}

/// The functions without a probe.
pub mod plain {
    macro_rules! plain {
        ($name:ident, $number:literal, $x:ident, $body:expr) => {
            #[inline(never)]
            #[must_use]
            pub fn $name($x: u64) -> u64 {
                $body
            }
        };
    }
    sites!(plain);
}

/// The functions in the unit of cost.
pub mod pairs {
    macro_rules! pair {
        ($name:ident, $number:literal, $x:ident, $body:expr) => {
            #[inline(never)]
            #[must_use]
            pub fn $name($x: u64) -> u64 {
                $crate::paired(|| $body)
            }
        };
    }
    sites!(pair);
}

/// `main` of a peer: its type, and the macro that puts its tool on a function.
#[macro_export]
macro_rules! program {
    ($peer:ty, $measured:ident) => {
        mod sites {
            use super::*;
            $crate::sites!($measured);
            pub mod thousand {
                use super::*;
                $crate::thousand!($measured);
            }
        }

        fn main() {
            macro_rules! body {
                ($name:ident, $calls:literal) => {
                    $crate::Body {
                        name: stringify!($name),
                        calls: $calls,
                        plain: |calls| $crate::spin(calls, $crate::plain::$name),
                        pair: |calls| $crate::spin(calls, $crate::pairs::$name),
                        timed: |calls| $crate::spin(calls, sites::$name),
                    }
                };
            }
            $crate::answer::<$peer>(&$crate::Program {
                costs: [body!(empty, 1000), body!(links16, 1000)],
                truths: [
                    body!(ns1, 1000),
                    body!(ns5, 1000),
                    body!(ns20, 1000),
                    body!(ns100, 500),
                    body!(us1, 50),
                    body!(us10, 5),
                    body!(arithmetic, 1000),
                ],
                parent: body!(parent, 5),
                visited: |calls| $crate::spin(calls, sites::visited),
                among: [
                    |x| $crate::long_chain($crate::plain::empty($crate::long_chain(x, 140)), 140),
                    |x| $crate::long_chain(sites::empty($crate::long_chain(x, 140)), 140),
                ],
                thousand: &sites::thousand::FUNCTIONS,
            });
        }
    };
}
