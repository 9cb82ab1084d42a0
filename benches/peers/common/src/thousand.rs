//! A thousand functions: modules in modules in modules, ten each, so that every name is another.

/// They, and a list of them, as the macro of this name has them.
#[macro_export]
macro_rules! thousand {
    ($measured:ident) => {
        $crate::ten!(hundreds $measured 0: h0 1: h1 2: h2 3: h3 4: h4 5: h5 6: h6 7: h7 8: h8 9: h9);
        /// All of them.
        pub const FUNCTIONS: [[[$crate::Function; 10]; 10]; 10] = [
            h0::LIST, h1::LIST, h2::LIST, h3::LIST, h4::LIST, h5::LIST, h6::LIST, h7::LIST, h8::LIST,
            h9::LIST,
        ];
    };
}

/// One level of them.
#[doc(hidden)]
#[macro_export]
macro_rules! ten {
    (hundreds $measured:ident $($digit:literal: $module:ident)*) => {$(
        pub mod $module {
            use super::*;
            const HUNDREDS: u64 = $digit;
            $crate::ten!(tens $measured 0: t0 1: t1 2: t2 3: t3 4: t4 5: t5 6: t6 7: t7 8: t8 9: t9);
            pub const LIST: [[$crate::Function; 10]; 10] = [
                t0::LIST, t1::LIST, t2::LIST, t3::LIST, t4::LIST, t5::LIST, t6::LIST, t7::LIST,
                t8::LIST, t9::LIST,
            ];
        }
    )*};
    (tens $measured:ident $($digit:literal: $module:ident)*) => {$(
        pub mod $module {
            use super::*;
            const TENS: u64 = HUNDREDS * 10 + $digit;
            $crate::ten!(ones $measured 0: s0 1: s1 2: s2 3: s3 4: s4 5: s5 6: s6 7: s7 8: s8 9: s9);
            pub const LIST: [$crate::Function; 10] = [s0, s1, s2, s3, s4, s5, s6, s7, s8, s9];
        }
    )*};
    (ones $measured:ident $($digit:literal: $function:ident)*) => {$(
        $measured! { $function, (1000 + TENS * 10 + $digit), x, $crate::chain::<0>(x) }
    )*};
}
