//! Tails, ends, the order of drops, blocks.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::rc::Rc;

use timed::timed;

mod tails {
    use super::*;

    #[timed]
    pub fn unsized_in_a_tuple(n: usize) -> (Box<dyn Fn(usize) -> usize>, Rc<[u8]>) {
        (Box::new(move |more| more * n), Rc::new([1, 2]))
    }

    #[timed]
    pub fn unsized_in_arms(short: bool) -> Box<dyn Display> {
        if short { Box::new('s') } else { Box::new("long") }
    }

    #[timed]
    pub fn a_pointer_from_closures(up: bool) -> fn(i8) -> i8 {
        match up {
            true => |n| n + 1,
            false => |n| n - 1,
        }
    }

    #[timed]
    pub fn a_slice<'a>(bytes: &'a mut [u8; 3]) -> &'a mut [u8] {
        bytes[0] = 9;
        bytes
    }

    #[timed]
    pub fn collected(words: &str) -> Result<BTreeSet<u16>, std::num::ParseIntError> {
        words.split(' ').map(str::parse).collect()
    }

    #[timed]
    pub fn parsed_from_the_type() -> Option<i128> {
        "-5".parse().ok()
    }

    #[timed]
    pub fn a_macro_in_brackets(n: u8) -> Vec<u8> {
        vec![n; 2]
    }

    #[timed]
    pub fn a_macro_in_braces(n: u8) -> Vec<u8> {
        vec![n, n]
    }

    #[timed]
    pub fn a_method_of_a_block(n: u8) -> u32 {
        match n {
            0 => "zero",
            _ => "more",
        }
        .len() as u32
    }

    #[timed]
    pub fn a_minus_after_a_block(n: i32) -> i32 {
        if n > 100 {
            return 100;
        }
        -n
    }

    #[timed]
    #[allow(unused_braces)]
    pub fn chosen_by_cfg() -> &'static str {
        #[cfg(not(test))]
        {
            "plain"
        }
        #[cfg(test)]
        {
            "test"
        }
    }

    #[timed]
    pub fn a_label_like_ours(n: u8) -> u8 {
        'held: {
            if n == 1 {
                break 'held 10;
            }
            n.wrapping_mul(3)
        }
    }

    #[timed]
    pub fn items_and_macros_last() -> u8 {
        macro_rules! six {
            () => {
                6
            };
        }
        six!()
    }

    #[timed]
    pub fn floats(x: f32) -> f32 {
        x * 0.5
    }

    #[timed]
    pub fn opaque_inside(n: u8) -> Option<(impl Iterator<Item = u8>, u8)> {
        (n > 0).then(|| (0..n, n))
    }

    #[timed]
    pub fn of_any_lifetime() -> Box<dyn for<'a> Fn(&'a [u8]) -> Option<&'a u8>> {
        Box::new(|bytes| bytes.first())
    }

    #[timed]
    pub fn array<T: Copy, const N: usize>(value: T) -> [T; N] {
        [value; N]
    }
}

#[test]
fn tails_have_their_types() {
    let (times, bytes) = tails::unsized_in_a_tuple(3);
    assert_eq!((times(4), bytes.len()), (12, 2));
    assert_eq!(
        format!("{}{}", tails::unsized_in_arms(true), tails::unsized_in_arms(false)),
        "slong"
    );
    assert_eq!(
        (tails::a_pointer_from_closures(true)(1), tails::a_pointer_from_closures(false)(1)),
        (2, 0)
    );
    assert_eq!(tails::a_slice(&mut [1, 2, 3]), [9, 2, 3]);
    assert_eq!(tails::collected("3 1 3").unwrap().len(), 2);
    assert!(tails::collected("3 x").is_err());
    assert_eq!(tails::parsed_from_the_type(), Some(-5));
    assert_eq!(tails::a_macro_in_brackets(1), tails::a_macro_in_braces(1));
    assert_eq!(tails::a_method_of_a_block(0), 4);
    assert_eq!((tails::a_minus_after_a_block(5), tails::a_minus_after_a_block(101)), (-5, 100));
    assert_eq!(tails::chosen_by_cfg(), "test");
    assert_eq!((tails::a_label_like_ours(1), tails::a_label_like_ours(2)), (10, 6));
    assert_eq!(tails::items_and_macros_last(), 6);
    assert_eq!(tails::floats(3.0).to_bits(), 1.5f32.to_bits());
    assert_eq!(tails::opaque_inside(2).unwrap().0.sum::<u8>(), 1);
    assert!(tails::opaque_inside(0).is_none());
    assert_eq!(tails::of_any_lifetime()(&[7]), Some(&7));
    assert_eq!(tails::array::<_, 3>('a'), ['a'; 3]);
}

mod endings {
    use super::timed;

    #[timed]
    pub fn by_panic(n: u8) -> Vec<u8> {
        panic!("{n}")
    }

    #[timed]
    pub fn by_a_function_that_does_not_return(n: u8) -> String {
        fn fail(n: u8) -> ! {
            std::panic::panic_any(n)
        }
        fail(n)
    }

    #[timed]
    pub fn by_return_in_every_arm(n: u8) -> u8 {
        #[allow(clippy::needless_return)]
        match n {
            0 => return 1,
            _ => return n,
        }
    }

    #[timed]
    pub fn by_a_loop(mut n: u64) -> u32 {
        let mut steps = 0;
        loop {
            if n == 1 {
                return steps;
            }
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            steps += 1;
        }
    }

    #[timed]
    pub fn never(n: u8) -> ! {
        std::panic::panic_any(n)
    }
}

#[test]
fn bodies_that_do_not_reach_their_end_warn_of_nothing() {
    std::panic::set_hook(Box::new(|_| {}));
    assert_eq!((endings::by_return_in_every_arm(0), endings::by_a_loop(6)), (1, 8));
    assert!(std::panic::catch_unwind(|| endings::by_panic(1)).is_err());
    let payload = std::panic::catch_unwind(|| endings::by_a_function_that_does_not_return(4));
    assert_eq!(payload.unwrap_err().downcast_ref(), Some(&4u8));
    let payload = std::panic::catch_unwind(|| endings::never(5));
    assert_eq!(payload.unwrap_err().downcast_ref(), Some(&5u8));
}

thread_local!(static DROPS: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) });

struct Noted(u8);

impl Noted {
    fn value(&self) -> u8 {
        self.0
    }
}

impl Drop for Noted {
    fn drop(&mut self) {
        DROPS.with_borrow_mut(|drops| drops.push(self.0));
    }
}

#[timed]
fn drops_in_order(_last: Noted) -> u8 {
    let _second = Noted(2);
    let _first = Noted(1);
    // In edition 2024 the tail's temporary goes before the locals.
    Noted(0).value()
}

#[timed]
fn borrows_a_local_to_its_end() -> usize {
    let words = RefCell::new(vec!["a", "b"]);
    words.borrow().iter().filter(|word| word.len() == 1).count()
}

#[test]
fn values_drop_in_the_order_that_was_written() {
    assert_eq!(drops_in_order(Noted(3)), 0);
    assert_eq!(DROPS.take(), [0, 1, 2, 3]);
    assert_eq!(timed::block!("drops", { Noted(5).value() + Noted(6).value() }), 11);
    assert_eq!(DROPS.take(), [6, 5]);
    assert_eq!(borrows_a_local_to_its_end(), 2);
}

#[test]
fn blocks_are_left_as_any_block_is() {
    fn first_word(text: &str) -> Option<usize> {
        let word = timed::block!("word", { text.split(' ').find(|word| !word.is_empty())? });
        Some(word.len())
    }
    fn early(n: u8) -> &'static str {
        timed::block!("early", {
            if n > 3 {
                return "early";
            }
        });
        "late"
    }
    assert_eq!((first_word(" ab c"), first_word(" ")), (Some(2), None));
    assert_eq!((early(4), early(3)), ("early", "late"));

    let seen = Cell::new(0);
    let found = 'search: loop {
        for n in 0.. {
            timed::scope!("round");
            seen.set(timed::block!("turn", {
                match n {
                    1 => continue,
                    3 => break 'search n,
                    _ => seen.get() + n,
                }
            },));
        }
    };
    assert_eq!((found, seen.get()), (3, 2));
    let mut rounds = 0;
    for n in 0.. {
        rounds += 1;
        timed::block!("leaves", {
            match n {
                3 => break,
                _ => continue,
            }
        });
    }
    assert_eq!(rounds, 4);
    let nested = timed::block!("outer", {
        timed::block!("middle", { timed::block!("inner", { seen.get() }) })
    });
    assert_eq!(nested, 2);
    let made: Box<dyn Fn() -> u8> = timed::block!("made", { Box::new(|| 3) });
    assert_eq!(made(), 3);
}

mod errno {
    use std::io::Error;

    use super::*;

    #[timed]
    fn failing_call() -> i32 {
        // SAFETY: no descriptor has this number, and the call says so.
        unsafe { libc::close(-1) }
    }

    #[timed]
    fn why() -> Option<i32> {
        Error::last_os_error().raw_os_error()
    }

    /// In threads of their own, so that the calls meet the paths that set a thread up.
    #[test]
    fn survives_the_guard() {
        for _ in 0..3 {
            std::thread::spawn(|| {
                assert_eq!(failing_call(), -1);
                assert_eq!(Error::last_os_error().raw_os_error(), Some(libc::EBADF));
                assert_eq!(why(), Some(libc::EBADF));
            })
            .join()
            .unwrap();
        }
    }
}

/// What the runtime depends on has a say in the types of the user's code: one more
/// `impl PartialEq<…> for u8` anywhere in the build, and the type of `[]` is ambiguous here.
#[test]
fn inference_is_left_alone() {
    let bytes = Vec::<u8>::new();
    assert_eq!(&*bytes, &[]);
}
