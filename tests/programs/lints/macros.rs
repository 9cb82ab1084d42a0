//! Functions that macros make, most of them with something that a lint could speak of.

use timed::timed;

macro_rules! from_parts {
    ($(#[$meta:meta])* $vis:vis $name:ident($arg:ident: $type:ty) -> $result:ty $body:block) => {
        #[timed]
        $(#[$meta])*
        $vis fn $name($arg: $type) -> $result $body
    };
}
from_parts! {
    /// Returns.
    pub returns(a: u8) -> u8 { return a; }
}
from_parts! {
    /// In parentheses.
    #[inline]
    pub in_parentheses(a: u8) -> u8 { (a + 1) }
}
from_parts!(never_called(a: u8) -> u8 { a });
from_parts!(pub unused(a: u8) -> u8 { 1 });
from_parts!(pub ends(a: u8) -> u8 { panic!("{a}") });
from_parts!(pub returns_unit(a: u8) -> () { drop(a); return; });

macro_rules! from_expressions {
    ($name:ident, $first:expr, $tail:expr) => {
        #[timed]
        pub fn $name() -> u32 {
            let unused = $first;
            $tail
        }
    };
}
from_expressions!(from_a_sum, 1, 1 + 2);
from_expressions!(from_a_call, std::process::exit(1), u32::from(3u8));
from_expressions!(from_a_panic, drop(2), panic!("no"));
from_expressions!(from_a_return, drop(2), return 3);

macro_rules! from_an_item {
    ($item:item) => {
        #[timed]
        $item
    };
}
from_an_item! {
    pub fn whole(a: u8) -> u8 {
        let b = a;
        return b;
    }
}
from_an_item! {
    fn whole_and_never_called() {}
}

macro_rules! container {
    ($type:ident, $($item:item)*) => {
        pub struct $type;

        #[timed]
        impl $type { $($item)* }
    };
}
container! {
    Container,
    pub fn inside(&self) -> u8 { return 1; }
    fn hidden(&self) {}
}
