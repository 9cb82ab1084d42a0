//! Nothing is in scope that was not asked for: no types, no traits, no macros.

#![no_implicit_prelude]
#![allow(non_snake_case)]

use ::timed::timed;

#[timed]
fn count(n: u8) -> ::core::option::Option<u8> {
    let next = n.checked_add(1)?;
    ::core::option::Option::Some(next)
}

#[timed(sample = 2)]
fn sampled<T>(value: T) -> T {
    value
}

#[timed(fence = "relaxed", sample = 2)]
fn both() -> f64 {
    1.5
}

#[timed]
fn ends(n: u8) -> ::std::string::String {
    ::std::panic!("{}", n)
}

struct Some;

#[timed]
impl Some {
    fn None(&self) -> u8 {
        ::timed::scope!("none");
        ::timed::block!("one", { 1 })
    }
}

#[timed]
trait Iterator {
    fn next(&self) -> u8 {
        2
    }
}

impl Iterator for Some {}

#[timed]
mod inside {
    pub fn deep(n: u8) -> u8 {
        n
    }

    mod deeper {
        #![allow(dead_code)]
        fn hidden() {}
    }
}

fn main() {
    ::core::assert!(::core::matches!(count(1), ::core::option::Option::Some(2)));
    ::core::assert_eq!(sampled('a'), 'a');
    ::core::assert_eq!(both(), 1.5);
    ::core::assert_eq!(Some.None() + Some.next() + inside::deep(1), 4);
    ::std::panic::set_hook(::std::boxed::Box::new(|_| {}));
    ::core::assert!(::std::panic::catch_unwind(|| ends(1)).is_err());
}
