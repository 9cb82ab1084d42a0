//! `async` functions that macros make from every kind of fragment.

#![allow(unused_assignments)]

use timed::timed;

use super::{Yield, finish};

macro_rules! signature {
    ($(#[$meta:meta])* $vis:vis $name:ident<$lifetime:lifetime, $generic:ident: $bound:path>
        ($pattern:pat_param = $type:ty, $($argument:ident: $argument_type:ty),*)
        -> $result:ty, $body:block) => {
        #[timed]
        $(#[$meta])*
        $vis async fn $name<$lifetime, $generic: $bound>(
            $pattern: $type, $($argument: $argument_type),*
        ) -> $result $body
    };
}
signature! {
    /// Documented.
    #[must_use]
    #[cfg_attr(all(), inline)]
    pub(crate) sign<'a, T: std::fmt::Debug>((text, _) = (&'a str, T), n: usize) -> &'a str, {
        Yield(1).await;
        &text[..n]
    }
}
signature!(private<'x, T: Clone>(list = &'x [T],) -> Option<&'x T>, { list.first() });
signature! {
    assigned<'x, T: Clone>((mut a, b) = (&'x [T], &'x [T]), n: usize) -> &'x [T], {
        Yield(1).await;
        a = b;
        &a[n..]
    }
}

macro_rules! body {
    ($name:ident, $statement:stmt, $tail:expr) => {
        #[timed]
        async fn $name() -> u32 {
            $statement
            $tail
        }
    };
    (times $name:ident, $a:expr, $b:expr) => {
        #[timed]
        async fn $name() -> u32 {
            Yield(1).await;
            $a * $b
        }
    };
    (literal $name:ident, $literal:literal, $second:literal) => {
        #[timed(name = $literal)]
        async fn $name() -> &'static str {
            $second
        }
    };
    (tokens $name:ident, $list:ident, $($token:tt)*) => {
        #[timed]
        async fn $name($list: &mut Vec<u8>) -> usize { $($token)* }
    };
    (type $name:ident, $type:ty) => {
        #[timed]
        async fn $name(_: &$type, mut other: $type) -> $type {
            Yield(1).await;
            let was = other;
            other = Default::default();
            if was == other { was } else { other }
        }
    };
    (pattern $name:ident, $pattern:pat => $value:expr) => {
        #[timed]
        async fn $name(n: Option<u8>) -> u8 {
            match n {
                $pattern => $value,
                _ => 0,
            }
        }
    };
    (parameter $name:ident, $($parameter:pat_param)|*, $value:expr) => {
        #[timed]
        async fn $name($($parameter: u8),*, _: u8) -> u8 {
            Yield(1).await;
            $value
        }
    };
    (object $name:ident, $type:ty) => {
        #[timed]
        async fn $name(_: u8, object: &$type) -> String {
            format!("{object:?}")
        }
    };
}
body!(from_a_let, let n = 4, n + 1);
body!(times from_sums, 1 + 2, 3 + 4);
body!(literal from_literals, "futures::from_literals", "text");
body!(tokens from_tokens, list, list.push(1); Yield(1).await; list.len());
body!(type from_a_type, Vec<u8>);
body!(pattern from_a_pattern, Some(1 | 2) => 3);
body!(parameter from_parameters, a | mut b | c, { b += a; b + c });
body!(parameter from_a_wildcard, _ | d, d + 1);
body!(object from_an_object, dyn std::fmt::Debug + Send);

macro_rules! item {
    ($($item:item)*) => {$(#[timed] $item)*};
}
item! {
    async fn whole(n: u8) -> u8 {
        Yield(1).await;
        n + 1
    }

    async fn whole_and_never(_: u8) -> ! {
        panic!("never")
    }
}

macro_rules! container {
    ($type:ident { $($function:item)* }) => {
        struct $type(u8);

        #[timed]
        impl $type { $($function)* }
    };
}
container! {
    Container {
        async fn get(&self) -> u8 {
            Yield(1).await;
            self.0
        }
        async fn set(mut self, n: u8) -> Self {
            self.0 = n;
            self
        }
    }
}

macro_rules! method {
    ($type:ident, $self:ident => $body:expr) => {
        impl $type {
            #[timed]
            async fn by_macro(&$self, #[allow(unused)] n: u8) -> u8 {
                Yield(1).await;
                $body
            }
        }
    };
}
method!(Container, self => self.0 + 1);

macro_rules! hygiene {
    ($name:ident, $n:ident) => {
        #[timed]
        async fn $name($n: u8, n: u8, mut m: u8) -> u8 {
            Yield(1).await;
            let sum = $n * 10 + n + m;
            m = 0;
            sum + m
        }
    };
}
hygiene!(two_that_look_alike, n);

#[test]
fn fragments_of_every_kind() {
    assert_eq!(finish(sign(("abc", 1), 2)), "ab");
    assert_eq!(finish(private(&[1, 2])), Some(&1));
    assert_eq!(finish(assigned((&[1], &[2, 3]), 1)), [3]);
    assert_eq!((finish(from_a_let()), finish(from_sums())), (5, 21));
    assert_eq!(finish(from_literals()), "text");
    assert_eq!(finish(from_tokens(&mut vec![2])), 2);
    assert_eq!(finish(from_a_type(&vec![], vec![1])), []);
    assert_eq!(finish(from_a_pattern(Some(2))), 3);
    assert_eq!(finish(from_parameters(1, 2, 3, 4)) + finish(from_a_wildcard(1, 2, 3)), 9);
    assert_eq!(finish(from_an_object(1, &"x")), "\"x\"");
    assert_eq!(finish(whole(1)), 2);
    drop(whole_and_never(1));
    assert_eq!(finish(finish(Container(1).set(2)).get()), 2);
    assert_eq!(finish(Container(1).by_macro(0)), 2);
    assert_eq!(finish(two_that_look_alike(1, 2, 3)), 15);
}
