//! What only edition 2015 has: paths from the crate's root, parameters without names, trait
//! objects without `dyn`, later keywords as names.

#![allow(bare_trait_objects, anonymous_parameters, ellipsis_inclusive_range_patterns, missing_abi)]

#[macro_use]
extern crate timed;

mod tools {
    use timed::timed;

    pub mod core {}
    pub mod std {}

    pub trait Shape {
        fn area(&self) -> u32;
        fn grown(&self, u32) -> u32;

        #[timed]
        fn double(&self) -> u32 {
            self.area() * 2
        }
    }

    #[timed]
    impl Shape for u8 {
        fn area(&self) -> u32 {
            ::root() + u32::from(*self)
        }

        fn grown(&self, by: u32) -> u32 {
            self.area() + by
        }
    }

    #[timed]
    pub fn boxed(n: u8) -> Box<Shape> {
        Box::new(n)
    }

    #[timed]
    pub fn largest<'a>(all: &'a [Box<Shape + 'a>]) -> Option<&'a Shape> {
        all.iter().map(|shape| &**shape).max_by_key(|shape| shape.area())
    }
}

mod elsewhere {
    extern crate timed as clock;

    use self::clock::timed as also;

    #[also(crate = self::clock)]
    pub fn found() -> u8 {
        5
    }

    pub mod deeper {
        #[::timed::timed]
        pub fn from_the_root() -> ::tools_of::Number {
            match 7 {
                0...9 => 1,
                _ => 2,
            }
        }
    }
}

mod tools_of {
    pub type Number = u16;
}

use timed::timed;

#[timed]
fn root() -> u32 {
    scope!("root");
    block!("one", { 1 })
}

#[timed]
fn async(await: u8, dyn: u8) -> u8 {
    let try = await;
    try + dyn
}

#[timed]
#[no_mangle]
pub extern fn timed_test_2015(n: i32) -> i32 {
    n + 1
}

macro_rules! function {
    ($(#[$meta:meta])* $name:ident($arg:ident: $type:ty) -> $result:ty $body:block) => {
        $(#[$meta])*
        #[timed]
        fn $name($arg: $type) -> $result $body
    };
}
function!(#[inline] made(text: &str) -> Option<char> { text.chars().next() });

fn main() {
    use tools::Shape;

    assert_eq!(4u8.double() + 4u8.grown(1), 16);
    assert_eq!(tools::boxed(3).area(), 4);
    assert_eq!(tools::largest(&[Box::new(1u8), Box::new(6)]).unwrap().area(), 7);
    assert_eq!(elsewhere::found(), 5);
    assert_eq!(elsewhere::deeper::from_the_root(), 1);
    assert_eq!(async(1, 2), 3);
    assert_eq!(timed_test_2015(1), 2);
    assert_eq!(made("ab"), Some('a'));
    let calls = |name: &str| {
        timed::snapshot().sites.iter().filter(|site| site.name.ends_with(name)).map(|site| site.calls).sum::<u64>()
    };
    if timed::is_enabled() {
        assert_eq!((calls("::root"), calls("::double"), calls("::async"), calls("::found")), (6, 1, 1, 1));
    }
}
