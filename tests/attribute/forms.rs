//! Generic functions, and methods of all receivers.

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
