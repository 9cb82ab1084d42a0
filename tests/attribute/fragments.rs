//! Functions that macros make from every kind of fragment.

use timed::timed;

macro_rules! signature {
    ($(#[$meta:meta])* $vis:vis $name:ident<$lifetime:lifetime, $generic:ident: $bound:path>
        ($pattern:pat_param = $type:ty) -> $result:ty, $body:block) => {
        $(#[$meta])*
        #[timed]
        $vis fn $name<$lifetime, $generic: $bound>($pattern: $type) -> $result $body
    };
}
signature! {
    /// Documented.
    #[must_use]
    #[cfg_attr(all(), inline)]
    pub(crate) sign<'a, T: std::fmt::Debug>((text, value) = (&'a str, T)) -> (&'a str, String), {
        let length = text.len() / 2;
        (&text[..length], format!("{value:?}"))
    }
}
signature!(private<'x, T: Clone>(list = &'x [T]) -> Option<&'x T>, { list.first() });

macro_rules! body {
    ($name:ident, $statement:stmt, $tail:expr) => {
        #[timed]
        fn $name() -> u32 {
            $statement
            $tail
        }
    };
    (literal $name:ident, $literal:literal, $second:literal) => {
        #[timed(name = $literal)]
        fn $name() -> &'static str {
            $second
        }
    };
    (tokens $name:ident, $list:ident, $($token:tt)*) => {
        #[timed]
        fn $name($list: &mut Vec<u8>) -> usize { $($token)* }
    };
    (type $name:ident, $type:ty) => {
        #[timed]
        fn $name() -> $type {
            <$type>::default()
        }
    };
    (pattern $name:ident, $pattern:pat => $value:expr) => {
        #[timed]
        fn $name(n: Option<u8>) -> u8 {
            match n {
                $pattern => $value,
                _ => 0,
            }
        }
    };
    (path $name:ident, $path:path) => {
        #[timed]
        fn $name() -> $path {
            $path { 0: 4 }
        }
    };
}
body!(sum, let _ = 1, 1 + 2);
body!(negative, std::hint::black_box(()), -1i32 as u32);
body!(
    call,
    #[allow(dead_code)]
    fn inner() {},
    u32::from(3u8).pow(2)
);
body!(block, let _ = 2, { fn five() -> u32 { 5 } five() });
body!(condition, let _n = 2, if std::hint::black_box(true) { 6 } else { 7 });
body!(returns, let _ = 3, return 8);
body!(ends, let _ = 3, panic!("ended"));
body!(invocation, let _ = 3, std::convert::identity(line!()));
body!(literal named, "fragments::literal", "text");
body!(tokens pushed, list, list.push(1); list.len());
body!(tokens tail_after_block, list, if list.is_empty() { return 0 } list.len());
body!(type nothing, ());
body!(type reference, &'static str);
body!(type float, f64);
body!(type array, [Option<Box<dyn Fn()>>; 2]);
body!(pattern found, Some(1 | 2) => 3);

pub struct Wrapped(u8);
body!(path wrapped, Wrapped);

macro_rules! opaque {
    ($name:ident, $type:ty) => {
        #[timed]
        fn $name() -> $type {
            [1, 2].into_iter()
        }
    };
}
opaque!(opaque, impl Iterator<Item = u8>);

macro_rules! never {
    ($name:ident, $type:ty) => {
        #[timed]
        fn $name() -> $type {
            panic!("never")
        }
    };
}
never!(never, !);

macro_rules! qualified {
    ($abi:literal $name:ident) => {
        #[timed]
        extern $abi fn $name(n: u8) -> u8 {
            n
        }
    };
    ($($qualifier:ident)* => $name:ident) => {
        #[timed]
        $($qualifier)* fn $name(n: u8) -> u8 {
            n
        }
    };
    (tokens $($qualifier:tt)*) => {
        #[timed]
        $($qualifier)* {}
    };
    (vis $vis:vis $name:ident) => {
        #[timed]
        $vis extern "C" fn $name() {}
    };
}
qualified!("C" with_abi);
qualified!(pub unsafe => with_qualifiers);
qualified!(tokens pub(crate) unsafe extern "C" fn with_tokens());
qualified!(vis pub(super) with_visibility);
qualified!(vis without_visibility);

macro_rules! item {
    (=> $item:item) => {
        item! { $item }
    };
    ($($item:item)*) => {
        $(#[timed] $item)*
    };
}
item! {
    #[inline]
    fn whole(n: u8) -> u8 { n }

    /// Another.
    pub unsafe fn another(n: u8) -> u8 { n + 1 }

    mod inside {
        pub fn deep() -> u8 { 3 }
    }

    trait Inside {
        fn inside(&self) -> u8 { 4 }
    }

    impl Inside for u8 {}

    impl Wrapped {
        fn get(&self) -> u8 { self.0 }
    }
}
item! { => fn through_two_macros() -> u8 { 5 } }

macro_rules! methods {
    ($type:ty; $($vis:vis fn $name:ident($($me:tt)*) -> $result:ty $body:block)*) => {
        #[timed]
        impl $type {
            $($vis fn $name($($me)*) -> $result $body)*
        }
    };
    ($type:ty: $trait:path; $($item:item)*) => {
        #[timed]
        impl $trait for $type {
            $($item)*
        }
    };
}
struct Made<T>(T);
methods! {
    Made<u8>;
    pub fn by_reference(&self) -> &u8 { &self.0 }
    fn by_value(mut self, n: u8) -> u8 { self.0 += n; self.0 }
    fn without() -> Self { Self(1) }
}
methods! {
    Made<char>: Iterator;
    type Item = char;
    #[inline]
    fn next(&mut self) -> Option<Self::Item> { Some(self.0) }
    fn size_hint(&self) -> (usize, Option<usize>) { (9, None) }
}

macro_rules! options {
    ($count:literal, $name:expr, $fence:tt, $path:path) => {
        #[timed(sample = $count, name = $name, fence = $fence, crate = $path)]
        fn with_options() -> u8 {
            6
        }
    };
    ($key:ident = $value:literal) => {
        #[timed($key = $value)]
        fn with_key() -> u8 {
            7
        }
    };
    ($($option:tt)*) => {
        #[timed($($option)*)]
        fn with_tokens_for_options() -> u8 {
            8
        }
    };
}
options!(4, "fragments::options", "relaxed", ::timed);
options!(sample = 2);
options!(name = "fragments::tokens", sample = 1);

macro_rules! attribute {
    ($meta:meta) => {
        #[$meta]
        fn by_meta() -> u8 {
            9
        }
    };
    (path $path:path) => {
        #[$path(name = "fragments::path")]
        fn by_path() -> u8 {
            10
        }
    };
}
attribute!(timed(name = "fragments::meta"));
attribute!(path timed::timed);

/// Fragments hold together, whatever stands beside them.
macro_rules! precedence {
    ($sum:expr, $negative:expr, $block:expr, $and:expr, $type:ty, $range:pat, $bounds:ty) => {
        #[timed]
        fn product() -> u32 {
            $sum * 2
        }

        #[timed]
        fn product_before_the_tail() -> u32 {
            let product = $sum * 2;
            let quotient = 20 / $sum;
            product + quotient - $sum
        }

        #[timed]
        fn power() -> i32 {
            $negative.pow(2)
        }

        #[timed]
        fn block_first() -> u32 {
            1 + $block
        }

        #[timed]
        fn not() -> bool {
            !$and
        }

        #[timed]
        fn cast() -> u64 {
            $sum as u64
        }

        #[timed]
        fn choice() -> u32 {
            if $sum == 2 && !$and { 1 } else { 2 }
        }

        #[timed]
        fn cast_to_a_type(n: &u8) -> u8 {
            let pointer = n as $type;
            let copy: $type = pointer;
            *copy
        }

        #[timed]
        fn patterns(n: u8) -> u8 {
            let $range = n else { return 0 };
            1
        }

        #[timed]
        fn bounds() -> &'static $bounds {
            &'a'
        }

        struct Held;

        #[timed]
        impl Held {
            const PRODUCT: u32 = $sum * 2;

            fn product() -> u32 {
                Self::PRODUCT + timed::block!("product", { $sum * 3 })
            }
        }

        #[timed]
        mod held {
            pub static QUOTIENT: u32 = 20 / $sum;

            #[timed::timed(skip)]
            pub fn skipped() -> u32 {
                $sum * 4
            }
        }
    };
}
precedence!(
    1 + 1,
    -3i32,
    match 4 {
        n => n,
    },
    true && false,
    &u8,
    1..=2,
    dyn std::fmt::Debug + Sync
);

#[test]
fn fragments_hold_together() {
    assert_eq!((product(), product_before_the_tail(), power(), block_first()), (4, 12, 9, 5));
    assert_eq!((not(), cast(), choice(), cast_to_a_type(&6)), (true, 2, 1, 6));
    assert_eq!((patterns(2), patterns(3), format!("{:?}", bounds()).as_str()), (1, 0, "'a'"));
    assert_eq!((Held::PRODUCT, Held::product()), (4, 10));
    assert_eq!((held::QUOTIENT, held::skipped()), (10, 8));
}

/// What a macro declares is not what its caller does, also around a timed body.
macro_rules! hygiene {
    ($name:ident, $parameter:ident, $value:expr) => {
        #[timed]
        fn $name($parameter: u8, other: u8) -> u8 {
            let local = 100;
            let _ = (local, other);
            $value
        }
    };
}
hygiene!(hygienic, own, {
    let local = 1;
    own + local
});

#[test]
fn fragments_make_timed_functions() {
    assert_eq!(sign(("abcd", 1)), ("ab", "1".to_owned()));
    assert_eq!(private(&[1]), Some(&1));
    assert_eq!([sum(), call(), block(), condition(), returns()], [3, 9, 5, 6, 8]);
    assert_eq!((negative(), named()), (u32::MAX, "text"));
    assert!(invocation() > 1);
    assert!(std::panic::catch_unwind(ends).is_err());
    assert_eq!((pushed(&mut vec![]), tail_after_block(&mut vec![])), (1, 0));
    nothing();
    assert_eq!((reference().len(), float().to_bits(), array().len()), (0, 0, 2));
    assert_eq!((found(Some(2)), found(None)), (3, 0));
    assert_eq!((wrapped().get(), opaque().count()), (4, 2));
    assert!(std::panic::catch_unwind(|| never()).is_err());
    // SAFETY: they only return.
    let unsafes = unsafe { (with_qualifiers(1), another(1), with_tokens()) };
    assert_eq!((unsafes, with_abi(3)), ((1, 2, ()), 3));
    with_visibility();
    without_visibility();
    assert_eq!((whole(1), inside::deep(), 1u8.inside(), through_two_macros()), (1, 3, 4, 5));
    assert_eq!((*Made(2).by_reference(), Made::without().by_value(2)), (2, 3));
    assert_eq!((Made('a').next(), Made('a').size_hint().0), (Some('a'), 9));
    assert_eq!([with_options(), with_key(), with_tokens_for_options()], [6, 7, 8]);
    assert_eq!((by_meta(), by_path(), hygienic(1, 2)), (9, 10, 2));
}
