//! Scopes and blocks, most of them around something that a lint could speak of.

use timed::timed;

pub fn scoped(list: &[u8]) -> usize {
    timed::scope!("scoped");
    let unused = 1;
    for n in list {
        timed::scope!("inner");
        drop(n);
    }
    return list.len();
}

pub fn only_a_scope() {
    timed::scope!("only");
}

pub fn after_a_scope(a: u8) -> u8 {
    timed::scope!("after");
    let b = a;
    b
}

pub fn blocks(a: u8) -> u8 {
    let b =
        timed::block!("sum",
        {
            let c = a + 1;
            c
        }
        ); // timed
    let unused =
        timed::block!("unit",
        {
            drop(a);
        }
        ); // timed
    b + 1
}

pub fn a_block_that_ends(a: u8) -> u8 {
    timed::block!("ends",
    {
        if a > 1 {
            return a;
        }
        panic!("{a}")
    }
    ); // timed
    1
}

pub fn a_block_as_the_tail(a: u8) -> u8 {
    timed::block!("tail",
    {
        let mut d = a;
        u8::from(d > 3)
    }
    ) // timed
}

#[timed]
pub fn inside_a_timed_function(a: u8) -> u8 {
    timed::scope!("here");
    timed::block!("there",
    {
        (a)
    }
    ) // timed
}
