//! The attribute above and below others: of tests, of derives' kin, of those that change the item.

use company::{each, function, grouped, prefixed, rebuilt, respanned, wrapped};
use timed::timed;

#[timed]
#[test]
fn above_test() {}

#[test]
#[timed]
fn below_test() {}

#[timed]
#[test]
#[should_panic(expected = "as it should")]
fn above_should_panic() {
    panic!("as it should");
}

#[should_panic]
#[test]
#[timed]
fn below_should_panic() {
    let empty: [u8; 0] = [];
    assert_eq!(empty.len(), 1);
}

#[timed]
#[test]
fn result() -> Result<(), Box<dyn std::error::Error>> {
    let number: u8 = "7".parse()?;
    assert_eq!(number, 7);
    Ok(())
}

#[test]
#[timed]
fn exit_code() -> std::process::ExitCode {
    std::process::ExitCode::SUCCESS
}

#[timed(sample = 2)]
#[ignore = "never runs"]
#[test]
fn ignored() {
    unreachable!()
}

#[cfg(test)]
#[timed]
mod tests {
    use super::*;

    #[test]
    fn in_a_timed_module() {
        assert_eq!(twice(2), 4);
    }

    #[test]
    #[should_panic]
    fn panics_in_a_timed_module() {
        twice(200);
    }

    fn twice(n: u8) -> u8 {
        assert!(n < 128);
        n * 2
    }

    #[each(3, 4)]
    fn each_in_a_timed_module(n: u8) {
        assert!(twice(n) > n);
    }
}

#[timed]
#[each(1, 2)]
fn above_each(n: u8) {
    assert!(n > 0);
}

#[each(1, 2, 3)]
#[timed(name = "below each")]
fn below_each(n: u8) {
    assert!(n > 0);
}

macro_rules! both_ways {
    ($($attribute:ident $above:ident $below:ident)*) => {$(
        #[timed]
        #[$attribute]
        fn $above(mut list: Vec<u8>) -> Option<u8> {
            list.push(1);
            let first = list.first()?;
            Some(*first + 1)
        }

        #[$attribute]
        #[timed]
        fn $below(mut list: Vec<u8>) -> Option<u8> {
            list.push(1);
            let first = list.first()?;
            Some(*first + 1)
        }

        #[test]
        fn $attribute() {
            assert_eq!(($above(vec![3]), $below(vec![])), (Some(4), Some(2)));
        }
    )*};
}
both_ways! {
    rebuilt above_rebuilt below_rebuilt
    respanned above_respanned below_respanned
    grouped above_grouped below_grouped
    wrapped above_wrapped below_wrapped
    prefixed above_prefixed below_prefixed
}

#[timed]
#[rebuilt]
#[grouped]
#[respanned]
#[timed]
mod many {
    use super::timed as again;

    pub struct Number(pub u8);

    #[again]
    #[super::rebuilt]
    #[again(sample = 2)]
    impl Number {
        #[again]
        #[super::grouped]
        pub fn get(&self) -> u8 {
            self.0
        }
    }
}

#[test]
fn many_at_once() {
    assert_eq!(many::Number(3).get(), 3);
}

#[derive(company::Made)]
struct Made {
    #[number]
    _n: u8,
}

function!(by_a_function_like_macro);

#[test]
fn made_by_other_macros() {
    assert_eq!((Made::made(), by_a_function_like_macro(1)), (7, Some(2)));
}
