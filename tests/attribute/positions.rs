//! Where things are said to be: lines, columns, paths, callers.

use std::panic::Location;

use timed::timed;

mod inner {
    use super::*;

    #[timed]
    pub fn here() -> (u32, u32, &'static str, &'static str) {
        (line!(), column!(), file!(), module_path!())
    }

    #[timed]
    pub fn in_the_tail(list: &[u32]) -> Vec<u32> {
        list.iter().map(|n| n + line!() - n).collect()
    }

    #[timed]
    pub fn type_name() -> &'static str {
        fn marker() {}
        std::any::type_name_of_val(&marker)
    }

    #[timed]
    pub fn closure_name() -> &'static str {
        std::any::type_name_of_val(&|| ())
    }

    #[timed(name = "positions::stringified")]
    pub fn stringified() -> &'static str {
        stringify!(a + b)
    }
}

#[test]
fn places_are_those_that_were_written() {
    let (line, column, file, module) = inner::here();
    assert_eq!((line, column), (12, 19));
    assert!(file.ends_with("positions.rs"));
    assert_eq!(module, "attribute::positions::inner");
    assert_eq!(inner::in_the_tail(&[1, 2]), [17, 17]);
    assert_eq!(inner::type_name(), "attribute::positions::inner::type_name::marker");
    assert_eq!(inner::closure_name(), "attribute::positions::inner::closure_name::{{closure}}");
    assert_eq!(inner::stringified(), "a + b");
}

#[timed]
#[track_caller]
fn caller() -> u32 {
    Location::caller().line()
}

#[track_caller]
#[timed]
fn caller_of_a_caller(add: u32) -> u32 {
    caller() + add
}

#[timed]
fn not_tracked() -> (u32, u32) {
    (caller(), line!())
}

struct Tracked(u32);

impl Tracked {
    #[timed(sample = 2)]
    #[track_caller]
    fn method(&self) -> (u32, u32) {
        let here = Location::caller();
        (here.line(), here.column() + self.0)
    }
}

trait Track {
    #[timed]
    #[track_caller]
    fn tracked(&self) -> u32 {
        Location::caller().line()
    }
}

impl Track for u8 {}

#[test]
fn callers_are_those_of_the_function() {
    assert_eq!(caller(), line!());
    assert_eq!(caller_of_a_caller(1), line!() + 1);
    let (tracked, own) = not_tracked();
    assert_eq!(tracked, own);
    assert_eq!(Tracked(0).method(), (line!(), 27));
    assert_eq!(4u8.tracked(), line!());
    let pointer: fn() -> u32 = caller;
    assert_ne!(pointer(), 0);
}
