//! Names that an expansion could use, macros, signatures and attributes.

use std::fmt::Debug;

use timed::timed;

mod names {
    #![allow(dead_code, non_upper_case_globals, unused_macros)]

    use super::timed;

    pub struct Here;
    pub static SITE: u8 = 1;
    pub const TALLY: u8 = 2;
    pub const held: u8 = 3;
    pub mod timed_runtime {}

    macro_rules! enter {
        ($($any:tt)*) => {
            compile_error!("not this one")
        };
    }
    macro_rules! submit {
        ($($any:tt)*) => {
            compile_error!("not this one")
        };
    }

    #[timed(sample = 2)]
    pub fn the_users(enter: u8, hold: u8) -> (Here, u8) {
        struct Tally;
        let _ = Tally;
        let guard = SITE + TALLY + held;
        (Here, guard + enter + hold)
    }

    #[timed]
    pub fn generic<SITE: Copy, const Here: usize>(hold: SITE) -> [SITE; Here] {
        [hold; Here]
    }

    #[timed]
    pub fn hold(r#fn: u8, größe: u8) -> u8 {
        r#fn + größe
    }

    #[timed]
    pub fn r#match() -> u8 {
        hold(1, 2)
    }
}

#[test]
fn names_are_not_mixed_up() {
    assert_eq!(names::the_users(1, 2).1, 9);
    assert_eq!(names::generic::<_, 2>('x'), ['x'; 2]);
    assert_eq!(names::r#match(), 3);
}

macro_rules! function {
    ($(#[$meta:meta])* $vis:vis $name:ident($($arg:ident: $type:ty),*) -> $result:ty, $called:literal, $body:block) => {
        $(#[$meta])*
        #[timed(name = $called)]
        $vis fn $name($($arg: $type),*) -> $result $body
    };
    ($item:item) => {
        #[timed]
        $item
    };
}

function!(
    #[inline]
    pub(crate) joined(a: &str, b: char) -> String, "a name", { format!("{a}{b}") }
);
function!(private(x: f64) -> f64, "another", { x + 1.0 });
function!(
    fn whole<T: Debug>(value: T) -> String {
        format!("{value:?}")
    }
);

#[test]
fn macros_make_timed_functions() {
    assert_eq!(joined("a", 'b'), "ab");
    assert_eq!(private(0.5).to_bits(), 1.5f64.to_bits());
    assert_eq!(whole([1]), "[1]");
}

mod renamed {
    pub(crate) mod inner {
        pub(crate) use ::timed;
    }

    macro_rules! through_the_macros_crate {
        ($name:ident) => {
            #[crate::names::renamed::inner::timed::timed(crate = $crate::names::renamed::inner::timed)]
            pub fn $name() -> u8 {
                7
            }
        };
    }
    through_the_macros_crate!(seven);

    #[inner::timed::timed(crate = inner::timed, fence = "relaxed")]
    pub fn eight() -> u8 {
        inner::timed::scope!("eight");
        inner::timed::block!("seven", { seven() }) + 1
    }
}

#[test]
fn the_crate_may_be_found_elsewhere() {
    assert_eq!(renamed::eight(), 8);
}

#[timed]
#[track_caller]
fn called_from() -> u32 {
    std::panic::Location::caller().line()
}

#[timed]
#[unsafe(no_mangle)]
extern "C" fn timed_test_exported(n: i32) -> i32 {
    n + 1
}

#[timed]
#[must_use]
unsafe fn read(pointer: *const u8) -> u8 {
    // SAFETY: the caller's word that it points to a value.
    unsafe { *pointer }
}

#[timed]
fn inner_attributes(n: u8) -> u8 {
    #![allow(unused_variables)]
    let spare = n;
    n
}

#[test]
fn attributes_and_signatures_stay() {
    assert_eq!(called_from(), line!());
    unsafe extern "C" {
        safe fn timed_test_exported(n: i32) -> i32;
    }
    assert_eq!(timed_test_exported(1), 2);
    let pointer: extern "C" fn(i32) -> i32 = self::timed_test_exported;
    assert_eq!(pointer(2), 3);
    // SAFETY: the pointer is of a live value.
    assert_eq!(unsafe { read(&4) }, 4);
    assert_eq!(inner_attributes(5), 5);
}
