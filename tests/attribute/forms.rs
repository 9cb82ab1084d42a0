//! Every form that a function can have.

use std::borrow::Cow;
use std::fmt::{Debug, Display};
use std::ops::{Deref, Index};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use timed::timed;

mod generics {
    use super::*;

    #[timed]
    pub fn bounds<'a, 'b: 'a, A: ?Sized + ToString, B>(a: &'a A, b: &'b B) -> Cow<'a, str>
    where
        B: AsRef<[u8]> + ?Sized,
        for<'c> &'c B: Sized,
        [u8]: AsRef<B>,
        Option<u8>: Into<Option<u8>>,
    {
        Cow::Owned(a.to_string() + &String::from_utf8_lossy(b.as_ref()))
    }

    #[timed]
    pub fn constants<const N: usize, const UP: bool, const C: char>(list: [u8; N]) -> [char; N] {
        list.map(|n| if UP { C } else { char::from(n) })
    }

    #[timed]
    pub fn computed<const N: usize>(_: [(); 1 + 1]) -> [u8; { 2 < 3 } as usize] {
        [N as u8; { 2 < 3 } as usize]
    }

    #[timed]
    pub fn of_any<F>(f: F) -> String
    where
        F: for<'a> Fn(&'a str, &'a str) -> &'a str,
    {
        let (a, b) = (String::from("a"), String::from("b"));
        f(&a, &b).to_owned()
    }

    #[timed]
    pub fn pointer<T>(f: for<'a> unsafe extern "C" fn(&'a T) -> &'a T) -> fn(T) -> Option<T> {
        let _ = f;
        Some
    }

    #[timed]
    pub fn nested<I: IntoIterator<Item: Display + Clone>>(
        list: I,
    ) -> Vec<<I as IntoIterator>::Item> {
        list.into_iter().filter(|item| item.to_string() > String::from("1")).collect::<Vec<_>>()
    }

    #[timed]
    pub fn index<T: Index<usize, Output = U> + ?Sized, U: Copy>(list: &T, at: usize) -> T::Output {
        list[at]
    }

    #[timed]
    pub fn in_both_places(f: impl Fn(u8) -> u8, list: &[impl Clone]) -> impl Fn(u8) -> usize {
        let length = list.len();
        move |n| usize::from(f(n)) + length
    }

    #[timed]
    pub fn captures<'a, 'b, T>(a: &'a T, _b: &'b T) -> impl Fn() -> &'a T + use<'a, T> {
        move || a
    }

    #[timed]
    pub fn opaque_in_opaque() -> impl Iterator<Item = impl Display + use<>> + Clone {
        [1, 2].iter()
    }

    #[timed]
    pub fn dynamic<'a>(
        f: &'a mut (dyn FnMut(u8) -> u8 + 'a),
    ) -> &'a mut (dyn FnMut(u8) -> u8 + 'a) {
        f(1);
        f
    }

    #[timed]
    pub fn only_in_the_turbofish<T>() -> usize {
        size_of::<T>()
    }
}

#[test]
fn generic_functions() {
    assert_eq!(generics::bounds("a", "b".as_bytes()), "ab");
    assert_eq!(generics::constants::<2, true, 'x'>([1, 2]), ['x'; 2]);
    assert_eq!(generics::constants::<1, false, 'x'>(*b"a"), ['a']);
    assert_eq!(generics::computed::<7>([(); 2]), [7]);
    assert_eq!(generics::of_any(|a, b| if a > b { a } else { b }), "b");
    unsafe extern "C" fn same(a: &u8) -> &u8 {
        a
    }
    assert_eq!(generics::pointer(same)(3), Some(3));
    assert_eq!(generics::nested([1, 2, 3]), [2, 3]);
    assert_eq!(generics::index(&[4, 5][..], 1), 5);
    assert_eq!(generics::in_both_places(|n| n + 1, &["a"])(1), 3);
    let a = String::from("a");
    let captured = {
        let b = String::new();
        generics::captures(&a, &b)
    };
    assert_eq!(captured(), "a");
    assert_eq!(generics::opaque_in_opaque().clone().count(), 2);
    let mut sum = 0;
    let mut add = |n| {
        sum += n;
        sum
    };
    assert_eq!(generics::dynamic(&mut add)(2), 3);
    assert_eq!(generics::only_in_the_turbofish::<[u8; 9]>(), 9);
}

mod receivers {
    use super::*;

    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Own<T>(pub T);

    #[timed]
    impl<T: Clone + Default> Own<T> {
        pub const NONE: Option<Self> = None;

        pub fn by_value(self) -> T {
            self.0
        }

        pub fn by_mutable_value(mut self, value: T) -> Self {
            self.0 = value;
            self
        }

        pub fn by_reference(&self) -> &T {
            &self.0
        }

        pub fn by_lifetime<'a>(&'a self, _: &T) -> &'a Self {
            self
        }

        pub fn by_mutable_reference(&mut self) -> &mut T {
            &mut self.0
        }

        pub fn by_mutable_lifetime<'a>(&'a mut self, other: &'a mut Self) -> [&'a mut T; 2] {
            let Self(mine) = self;
            [mine, &mut other.0]
        }

        pub fn by_box(self: Box<Self>) -> T {
            self.0
        }

        pub fn by_mutable_box(mut self: Box<Self>, value: T) -> Box<Self> {
            self.0 = value;
            self
        }

        pub fn by_rc(self: Rc<Self>) -> usize {
            Rc::strong_count(&self)
        }

        pub fn by_arc_reference(self: &Arc<Self>) -> Arc<Self> {
            Arc::clone(self)
        }

        pub fn by_pin(self: Pin<&mut Self>) -> T
        where
            T: Unpin,
        {
            std::mem::take(&mut self.get_mut().0)
        }

        pub fn by_typed_self(self: &Self) -> Option<Self> {
            Self::NONE.or_else(|| Some(Self(self.0.clone())))
        }

        pub fn without() -> Self {
            Self::default()
        }
    }

    impl<T> Deref for Own<T> {
        type Target = T;

        #[timed]
        fn deref(&self) -> &Self::Target {
            &self.0
        }
    }

    pub trait Describe {
        const WORD: &'static str;
        type Unit: Default + PartialEq + Debug;

        fn number(&self) -> u8;

        #[timed]
        fn text(&self) -> String {
            format!("{} {}", Self::WORD, self.number())
        }

        #[timed]
        fn unit() -> Self::Unit
        where
            Self: Sized,
        {
            Self::Unit::default()
        }

        #[timed]
        fn boxed(self: Box<Self>) -> u8 {
            self.number()
        }

        #[timed]
        fn opaque(&self) -> impl Fn() -> u8 {
            let n = self.number();
            move || n
        }
    }

    impl Describe for u8 {
        const WORD: &'static str = "byte";
        type Unit = ();

        #[timed]
        fn number(&self) -> u8 {
            *self
        }
    }

    pub trait Object: Debug {
        #[timed]
        fn length(&self) -> usize {
            format!("{self:?}").len()
        }
    }

    impl Object for str {}
    impl<T: Debug> Object for Own<T> {}
}

#[test]
fn methods_of_all_receivers() {
    use receivers::{Describe, Object, Own};

    let mut own = Own(String::from("a"));
    assert_eq!(own.clone().by_value(), "a");
    assert_eq!(own.clone().by_mutable_value("b".into()).by_reference(), "b");
    assert_eq!(own.by_lifetime(&String::new()).by_typed_self(), Some(own.clone()));
    own.by_mutable_reference().push('c');
    let mut other = Own::without();
    own.by_mutable_lifetime(&mut other)[1].push('d');
    assert_eq!((own.len(), other.0.as_str()), (2, "d"));
    assert_eq!(Box::new(other).by_mutable_box("e".into()).by_box(), "e");
    assert_eq!(Rc::new(Own(1)).by_rc(), 1);
    let arc = Arc::new(Own(1));
    assert_eq!(Arc::strong_count(&arc.by_arc_reference()), 2);
    assert_eq!(Pin::new(&mut own).by_pin(), "ac");
    assert_eq!((7u8.text().as_str(), u8::unit(), Box::new(8u8).boxed()), ("byte 7", (), 8));
    assert_eq!(9u8.opaque()(), 9);
    let objects: [&dyn Object; 1] = [&Own(3)];
    assert_eq!((objects[0].length(), "ab".length()), (6, 4));
}

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
        #[cfg(all())] a: u8,
        #[cfg_attr(all(), allow(unused_variables))] b: u8,
        #[allow(unused_mut)] mut c: u8,
        #[cfg(all())] _: (),
    ) -> u8 {
        #[cfg(any())]
        return nothing;
        #[cfg(all())]
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
    pub(in crate::forms) extern "C" fn restricted() {}

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
    assert_eq!(std::any::type_name_of_val(&pointers::late), "attribute::forms::pointers::late");
}
