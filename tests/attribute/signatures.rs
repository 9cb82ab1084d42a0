//! Parameters, qualifiers, attributes, and functions as values.

use timed::timed;

mod parameters {
    use super::*;

    pub struct Point {
        pub x: u8,
        pub y: (u8, [u8; 3]),
        pub label: String,
    }

    macro_rules! pair {
        ($a:pat, $b:pat) => {
            ($a, $b)
        };
    }

    #[timed]
    pub fn patterns(
        Point { x, y: (_, [first, .., last]), ref label }: Point,
        &mut (ref mut a, _): &mut (u8, u8),
        whole @ (b, ..): (u8, char, u8),
        pair!(c, _): (u8, u8),
        (Ok(d) | Err(d)): Result<u8, u8>,
        [_, rest @ ..]: [u8; 3],
        _: String,
    ) -> String {
        *a += 1;
        format!("{x}{first}{last}{label}{a}{b}{}{c}{d}{}", whole.1, rest.len())
    }

    #[timed]
    pub fn mutable(
        mut a: u8,
        mut list: Vec<u8>,
        (mut b, c): (u8, u8),
        mut it: impl Iterator<Item = u8>,
    ) -> Vec<u8> {
        a += 1;
        b += c;
        list.extend([a, b]);
        list.extend(it.next());
        list
    }

    #[timed]
    pub fn conditional(
        #[cfg(any())] nothing: Nowhere,
        #[cfg(test)] a: u8,
        #[cfg_attr(all(), allow(unused_variables))] b: u8,
        #[allow(unused_mut)] mut c: u8,
        #[cfg(test)] _: (),
    ) -> u8 {
        #[cfg(any())]
        return nothing;
        #[cfg(test)]
        let a = a + 1;
        a + c
    }

    #[timed]
    pub fn shadowed(value: Option<u8>) -> u8 {
        let Some(value) = value else { return 0 };
        let value = u16::from(value) + 1;
        value as u8
    }
}

#[test]
fn parameters_of_all_patterns() {
    let point = parameters::Point { x: 1, y: (2, [3, 4, 5]), label: "l".into() };
    let mut pair = (6, 7);
    let text =
        parameters::patterns(point, &mut pair, (8, 'w', 9), (1, 2), Err(3), [0; 3], String::new());
    assert_eq!((text.as_str(), pair.0), ("135l78w132", 7));
    assert_eq!(parameters::mutable(1, vec![9], (2, 3), 6..), [9, 2, 5, 6]);
    assert_eq!(parameters::conditional(1, 2, 3, ()), 5);
    assert_eq!((parameters::shadowed(Some(1)), parameters::shadowed(None)), (2, 0));
}

mod qualifiers {
    use super::timed;

    #[timed]
    pub unsafe extern "C" fn foreign(n: *const u8, more: u8) -> u8 {
        // SAFETY: the caller's word that it points to a value.
        more + unsafe { *n }
    }

    #[timed]
    pub extern "system" fn system(n: u8) -> u8 {
        n
    }

    #[timed]
    pub(in crate::signatures) extern "C" fn restricted() {}

    #[timed]
    #[unsafe(export_name = "timed test: exported")]
    pub extern "C" fn exported(n: i32) -> i32 {
        n * 2
    }

    #[timed]
    #[unsafe(link_section = ".text.timed_test")]
    pub fn in_a_section(n: u8) -> u8 {
        n
    }

    #[timed]
    pub fn never(n: u8) -> ! {
        std::panic::panic_any(n)
    }

    #[timed]
    pub unsafe fn unsafe_and_never() -> ! {
        loop {
            std::panic::panic_any('n');
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[timed]
    #[target_feature(enable = "sse4.2,popcnt")]
    #[inline]
    pub fn with_features(n: u64) -> i32 {
        std::arch::x86_64::_popcnt64(n as i64)
    }

    pub mod safe_to_call {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "popcnt")]
        #[timed::timed(sample = 2)]
        pub fn from_one_with_the_same(n: u64) -> i32 {
            std::arch::x86_64::_popcnt64(n as i64) + inner(n)
        }

        #[cfg(target_arch = "x86_64")]
        #[timed::timed]
        #[target_feature(enable = "popcnt")]
        fn inner(n: u64) -> i32 {
            i32::from(n > 1)
        }
    }

    #[timed]
    #[cold]
    #[inline(never)]
    #[must_use = "it is a value"]
    #[doc(hidden)]
    #[doc(alias = "value")]
    /// A value.
    pub fn attributes() -> u8 {
        #![allow(unused_variables)]
        //! Still a value.
        let spare = 1;
        2
    }

    #[rustfmt::skip]
    #[timed]
    #[deprecated(note = "not for use")]
    pub fn old() -> u8 { 3 }

    #[timed]
    #[expect(unused_variables, reason = "once")]
    pub fn expected_once(spare: u8) -> u8 {
        #[expect(unused_mut)]
        let mut n = 4;
        n
    }

    pub(super) mod expected_outside {
        #![expect(unused_variables)]

        #[timed::timed]
        pub fn inside(spare: u8) -> u8 {
            5
        }
    }

    #[timed]
    #[allow(non_snake_case, unused_mut)]
    #[warn(unused_variables)]
    pub fn Levels(mut Odd: u8) -> u8 {
        Odd
    }
}

#[test]
fn functions_of_all_qualifiers() {
    // SAFETY: the pointer is of a live value.
    assert_eq!(unsafe { qualifiers::foreign(&1, 2) }, 3);
    let pointers: [extern "system" fn(u8) -> u8; 1] = [qualifiers::system];
    assert_eq!(pointers[0](4), 4);
    qualifiers::restricted();
    unsafe extern "C" {
        #[link_name = "timed test: exported"]
        safe fn linked(n: i32) -> i32;
    }
    assert_eq!((linked(3), qualifiers::exported(4)), (6, 8));
    assert_eq!(qualifiers::in_a_section(1), 1);
    let payload = std::panic::catch_unwind(|| qualifiers::never(6)).unwrap_err();
    assert_eq!(payload.downcast_ref(), Some(&6u8));
    // SAFETY: it only panics.
    let payload = std::panic::catch_unwind(|| unsafe { qualifiers::unsafe_and_never() });
    assert_eq!(payload.unwrap_err().downcast_ref(), Some(&'n'));
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("sse4.2") && std::is_x86_feature_detected!("popcnt") {
        // SAFETY: the CPU has the features.
        unsafe {
            assert_eq!(qualifiers::with_features(7), 3);
            assert_eq!(qualifiers::safe_to_call::from_one_with_the_same(7), 4);
        }
    }
    assert_eq!(qualifiers::attributes(), 2);
    #[allow(deprecated)]
    let old = qualifiers::old();
    assert_eq!(old + qualifiers::expected_once(1) + qualifiers::Levels(1), 8);
    assert_eq!(qualifiers::expected_outside::inside(1), 5);
}

/// Signatures as they were: functions go where their types go.
mod pointers {
    use super::timed;

    #[timed]
    pub fn late<'a>(text: &'a str, _: &str) -> &'a str {
        text
    }

    #[timed]
    pub fn early<'a: 'a>(text: &'a str) -> &'a str {
        text
    }

    #[timed]
    pub fn generic<T: Copy>(value: &T) -> T {
        *value
    }

    pub const LATE: for<'a, 'b> fn(&'a str, &'b str) -> &'a str = late;
    pub static ALL: [(&str, fn(&u8) -> u8); 2] = [("generic", generic::<u8>), ("double", double)];

    #[timed]
    fn double(n: &u8) -> u8 {
        n * 2
    }
}

#[test]
fn functions_are_values() {
    assert_eq!(pointers::LATE("a", "b"), "a");
    assert_eq!(pointers::ALL.map(|(_, f)| f(&3)), [3, 6]);
    assert_eq!(["c"].map(pointers::early), ["c"]);
    assert_eq!(size_of_val(&pointers::generic::<u64>), 0);
    let boxed: Box<dyn Fn(&u8) -> u8 + Send + Sync> = Box::new(pointers::generic);
    assert_eq!(boxed(&4), 4);
    assert_eq!(
        std::any::type_name_of_val(&pointers::late),
        "attribute::signatures::pointers::late"
    );
}
