//! Each expression in each place, put in by a macro.

#![allow(unused_parens, unused_braces, clippy::all)]

use timed::timed;

macro_rules! places {
    ($module:ident, $e:expr, $type:ty, $p:pat) => {
        mod $module {
            use timed::timed;

            #[timed]
            fn first() -> i32 {
                $e * 3
            }

            #[timed]
            fn second() -> i32 {
                100 - $e
            }

            #[timed]
            fn middle() -> i32 {
                7 * $e - 1
            }

            #[timed]
            fn twice() -> i32 {
                $e - $e * $e
            }

            #[timed]
            fn negated() -> i32 {
                -$e
            }

            #[timed]
            fn inverted() -> i32 {
                !$e & 0xff
            }

            #[timed]
            fn shifted() -> i32 {
                1 << $e.rem_euclid(8) | 1
            }

            #[timed]
            fn method() -> i32 {
                $e.wrapping_pow(2)
            }

            #[timed]
            fn method_after_a_statement() -> i32 {
                let n = 1;
                $e.wrapping_mul(n)
            }

            #[timed]
            fn cast() -> i32 {
                $e as i8 as i32 + 1
            }

            #[timed]
            fn reference() -> i32 {
                *&$e + 1
            }

            #[timed]
            fn condition() -> i32 {
                if $e > 1 && $e != 3 { 1 } else { 2 }
            }

            #[timed]
            fn looped() -> i32 {
                let mut n = 0;
                while n < $e {
                    n += 1;
                }
                n
            }

            #[timed]
            fn ranged() -> i32 {
                let mut sum = 0;
                for n in $e..$e + 3 {
                    sum += n;
                }
                sum
            }

            #[timed]
            fn matched() -> i32 {
                match $e {
                    $p => 1,
                    n => n + 1,
                }
            }

            #[timed]
            fn matched_by_let() -> i32 {
                let $p = $e else { return 5 };
                6
            }

            #[timed]
            fn matched_by_if() -> i32 {
                if let $p = $e { 7 } else { 8 }
            }

            #[timed]
            fn assigned() -> i32 {
                let mut n: $type = $e;
                n += $e;
                n = n - $e;
                n
            }

            #[timed]
            fn returned() -> i32 {
                return $e;
            }

            #[timed]
            fn returned_as_the_tail(early: bool) -> i32 {
                if early {
                    return $e + 1;
                }
                return $e
            }

            #[timed]
            fn broken() -> i32 {
                let n = loop {
                    break $e;
                };
                n + loop { break $e }
            }

            #[timed]
            fn closed() -> i32 {
                let closure = || $e;
                closure() + (|n: $type| n - $e)(1)
            }

            #[timed]
            fn nested() -> i32 {
                let list = [$e, $e + 1];
                let pair = ($e * 2, list[0]);
                pair.0 + list[1]
            }

            #[timed]
            fn compared() -> bool {
                $e == $e && $e < $e + 1
            }

            #[timed]
            fn statement() -> i32 {
                let _ = $e;
                let n = { $e };
                n - 1
            }

            #[timed]
            fn typed() -> i32 {
                let n = $e as $type as i64;
                n as $type
            }

            #[timed]
            impl super::Holder<$type> {
                pub fn $module() -> i32 {
                    $e * 5
                }
            }

            #[timed]
            mod constants {
                pub const FIRST: i32 = $e * 9;
                pub static SECOND: i32 = 9 - $e;
            }

            pub fn all() {
                println!(
                    "{} {} {} {} {} {} {} {} {}",
                    first(), second(), middle(), twice(), negated(), inverted(), shifted(), method(),
                    method_after_a_statement(),
                );
                println!(
                    "{} {} {} {} {} {} {} {} {}",
                    cast(), reference(), condition(), looped(), ranged(), matched(), matched_by_let(),
                    matched_by_if(), assigned(),
                );
                println!(
                    "{} {} {} {} {} {} {} {} {}",
                    returned(), returned_as_the_tail(true), returned_as_the_tail(false), broken(), closed(),
                    nested(), compared(), statement(), typed(),
                );
                println!(
                    "{} {} {}",
                    super::Holder::<$type>::$module(), constants::FIRST, constants::SECOND
                );
            }
        }
    };
}

struct Holder<T>(std::marker::PhantomData<T>);

places!(sum, 1i32 + 2, i32, 3);
places!(difference, 9i32 - 5, i32, 4..);
places!(literal, 6i32, i32, 0..=5);
places!(negative, -2i32, i32, -2);
places!(path, crate::TWO, i32, 2);
places!(call, i32::abs(-7), i32, ..8);
places!(cast, 'a' as i32, i32, 97);
places!(parenthesised, (2i32 + 2), i32, 4);
places!(bits, 6i32 | 1, i32, 6..=7);
places!(comparison, (3 > 2) as i32, i32, 1);
places!(method, 5i32.pow(2), i32, 25);
places!(unary, !5i32 & 15, i32, 10);
places!(invocation, std::convert::identity(3i32), i32, 3);
places!(remainder, 17i32 % 5, i32, 2);

const TWO: i32 = 2;

#[timed]
fn main() {
    sum::all();
    difference::all();
    literal::all();
    negative::all();
    path::all();
    call::all();
    cast::all();
    parenthesised::all();
    bits::all();
    comparison::all();
    method::all();
    unary::all();
    invocation::all();
    remainder::all();
}
