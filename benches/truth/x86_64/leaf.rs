//! Functions that call nothing: dependent chains of known length, and straight-line arithmetic, which
//! compilers move as they like.
//!
//! The true time is that of a long loop over the untimed twin in which each call needs the result
//! of the one before: calls and loop run beside that chain, so a turn takes what the body takes.

use super::case::{Case, Limit, typical};
use super::unit::{chain, long_chain, spin};

/// Each body twice: with and without a probe.
///
/// `then` makes the next argument of a result, where the types differ; it takes a cycle or two, a
/// quarter of a nanosecond each, which the loop shows as the body's.
macro_rules! bodies {
    ($($name:ident: $text:literal, $budget:literal, $calls:literal, $first:expr,
        |$x:ident: $from:ty| -> $to:ty $body:block, |$result:ident| $then:expr;)*) => {
        $(mod $name {
            #[allow(unused_imports, reason = "one body needs none")]
            use super::*;
            #[inline(never)]
            pub(super) fn plain($x: $from) -> $to $body
            #[timed::timed]
            #[inline(never)]
            pub(super) fn timed($x: $from) -> $to $body
        })*
        pub(super) const CASES: &[Case] = &[$(Case {
            name: $text,
            site: concat!("::", stringify!($name), "::timed"),
            limit: Limit::Ns($budget),
            calls: $calls,
            plain: |calls| spin(calls, $first, |x| { let $result = $name::plain(x); $then }),
            timed: |calls| spin(calls, $first, |x| { let $result = $name::timed(x); $then }),
            figure: typical,
        }),*];
    };
}

bodies! {
    ns1: "chain of 1 ns", 1.0, 1000, 1, |x: u64| -> u64 { chain::<1>(x) }, |x| x;
    ns5: "chain of 5 ns", 1.0, 1000, 1, |x: u64| -> u64 { chain::<5>(x) }, |x| x;
    ns20: "chain of 20 ns", 1.0, 1000, 1, |x: u64| -> u64 { chain::<18>(x) }, |x| x;
    ns100: "chain of 100 ns", 1.0, 500, 1, |x: u64| -> u64 { chain::<92>(x) }, |x| x;
    us1: "chain of 1 µs", 1.0, 50, 1, |x: u64| -> u64 { long_chain(x, 58) }, |x| x;
    us10: "chain of 10 µs", 1.0, 1, 1, |x: u64| -> u64 { long_chain(x, 580) }, |x| x;
    integers: "u64, 14 rounds of xor, rotate, multiply", 1.0, 1000, 1, |x: u64| -> u64 { rounds(x) }, |x| x;
    wide: "u128, 4 multiplications", 1.0, 1000, 1, |x: u128| -> u128 {
        let mut x = x;
        for odd in [0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835, 0xda94_2042_e4dd_58b5, 0x2d99_787b_eb0b_4cd3, 0x57] {
            x = (x ^ x >> 67).wrapping_mul(odd);
        }
        x
    }, |x| x;
    truths: "bool, of 14 rounds", 1.0, 1000, 1, |x: u64| -> bool { rounds(x) >> 17 & 1 == 0 },
        |truth| u64::from(truth) ^ 0x1234;
    options: "Option<u32>, of 14 rounds", 1.0, 1000, 1, |x: u64| -> Option<u32> {
        let x = rounds(x);
        (x & 7 != 0).then_some((x >> 32) as u32)
    }, |option| u64::from(option.unwrap_or(9));
    single: "f32, polynomial of degree 12", 2.5, 1000, 0.3, |x: f32| -> f32 { polynomial!(f32, x) }, |x| x;
    double: "f64, polynomial of degree 12", 2.5, 1000, 0.3, |x: f64| -> f64 { polynomial!(f64, x) }, |x| x;
    two: "(f64, f64), 6 rotations", 2.5, 1000, (1.0, 0.1), |p: (f64, f64)| -> (f64, f64) {
        let mut p = p;
        for _ in 0..6 {
            p = (0.96 * p.0 - 0.28 * p.1, 0.28 * p.0 + 0.96 * p.1);
        }
        p
    }, |p| p;
    three: "struct of 24 bytes, of 14 rounds", 2.5, 1000, 1, |x: u64| -> Three {
        let x = rounds(x);
        Three { a: x, b: x ^ 5, c: !x }
    }, |three| three.a ^ three.b ^ three.c;
}

/// Too large for registers: it comes back by reference, and the loop takes it from memory.
struct Three {
    a: u64,
    b: u64,
    c: u64,
}

/// Straight-line arithmetic on one register: what a compiler moves as it likes.
#[inline(always)]
fn rounds(mut x: u64) -> u64 {
    for _ in 0..14 {
        x = (x ^ 0xda94_2042_e4dd_58b5).rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    x
}

/// Horner's rule, bounded, so that the values stay ordinary however often it is applied.
macro_rules! polynomial {
    ($type:ty, $x:ident) => {{
        let mut y: $type = 0.11;
        for c in [0.07, -0.13, 0.05, 0.19, -0.03, 0.02, 0.17, -0.08, 0.06, -0.12, 0.04, 0.21] {
            y = y * $x + c;
        }
        y
    }};
}
use polynomial;
