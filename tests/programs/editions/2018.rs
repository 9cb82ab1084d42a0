//! Edition 2018: paths from the crate's names, `dyn`, raw names; trait objects may still be bare,
//! and macros and arrays are of the old kind.

#![allow(bare_trait_objects)]

use timed::timed;

mod tools {
    use timed::timed;

    #[timed]
    pub fn bare(n: &std::fmt::Debug) -> String {
        format!("{:?}", n)
    }

    #[timed]
    pub(in crate::tools) fn restricted() -> u8 {
        crate::r#async(1, 2)
    }

    #[timed]
    pub(super) fn calls() -> u8 {
        self::restricted()
    }
}

#[timed]
fn r#async(r#await: u8, r#dyn: u8) -> u8 {
    let r#try = r#await;
    r#try + r#dyn
}

#[timed]
#[no_mangle]
pub extern "C" fn timed_test_2018(n: i32) -> i32 {
    n + 1
}

#[timed]
#[allow(non_fmt_panics)]
fn panics(_: u8) -> u8 {
    panic!("{}")
}

#[timed]
fn old_arrays() -> Vec<u8> {
    #[allow(array_into_iter)]
    [1u8, 2].into_iter().map(|n| *n).collect()
}

struct Pair(String, String);

#[timed]
fn whole_captures(pair: Pair) -> usize {
    let closure = move || pair.0.len();
    closure()
}

fn main() {
    assert_eq!(tools::bare(&1), "1");
    assert_eq!(tools::calls(), 3);
    assert_eq!(timed_test_2018(1), 2);
    std::panic::set_hook(Box::new(|_| {}));
    let payload = std::panic::catch_unwind(|| panics(1)).unwrap_err();
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"{}"));
    assert_eq!(old_arrays(), [1, 2]);
    assert_eq!(whole_captures(Pair("ab".into(), "".into())), 2);
    let _ = Pair("".into(), "".into()).1;
}
