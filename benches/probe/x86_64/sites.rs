//! A thousand sites.

use super::unit::chain;

/// A site's body: a loop long enough, with 16 links in each turn, to choose the octave of its reading.
#[inline(never)]
fn work(mut turns: u64) -> u64 {
    let mut x = 1;
    while turns > 0 {
        x = chain::<16>(x);
        turns -= 1;
    }
    x
}

pub(super) type Site = fn(u64) -> u64;

macro_rules! ten {
    ($($name:ident)*) => {
        $(#[timed::timed] #[inline(never)] fn $name(turns: u64) -> u64 { work(turns) })*
        pub(super) const ALL: [Site; 10] = [$($name),*];
    };
}
macro_rules! hundred {
    ($($part:ident)*) => {
        $(mod $part { use super::*; ten!(a b c d e f g h i j); })*
        pub(super) const ALL: [[Site; 10]; 10] = [$($part::ALL),*];
    };
}
macro_rules! thousand {
    ($($part:ident)*) => {
        $(mod $part { use super::*; hundred!(a b c d e f g h i j); })*
        const ALL: [[[Site; 10]; 10]; 10] = [$($part::ALL),*];
    };
}
thousand!(a b c d e f g h i j);

pub(super) fn all() -> impl Iterator<Item = Site> {
    ALL.into_iter().flatten().flatten()
}
