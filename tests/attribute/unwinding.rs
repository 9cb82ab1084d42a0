//! Panics go through a timed function as through any other.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any, resume_unwind};
use std::thread::panicking;

use timed::timed;

thread_local!(static SEEN: RefCell<Vec<(&'static str, bool)>> = const { RefCell::new(Vec::new()) });

#[timed]
fn see(what: &'static str) {
    SEEN.with_borrow_mut(|seen| seen.push((what, panicking())));
}

struct Seen(&'static str);

impl Drop for Seen {
    #[timed(name = "unwinding::drop")]
    fn drop(&mut self) {
        see(self.0);
    }
}

#[timed]
fn outer(parameter: Seen, code: i32) -> Result<String, Seen> {
    let _outer = Seen("outer");
    let text = inner(code)?;
    drop(parameter);
    Ok(text)
}

#[timed]
fn inner(code: i32) -> Result<String, Seen> {
    let _inner = Seen("inner");
    match code {
        0 => Ok("good".to_owned()),
        1 => Err(Seen("error")),
        code => panic_any(code),
    }
}

/// Catches what a callee throws, and throws it on.
#[timed]
fn between(code: i32) -> Option<i32> {
    let caught = catch_unwind(|| drop(outer(Seen("parameter"), code)));
    match caught {
        Ok(()) => None,
        Err(payload) if payload.is::<i32>() && code == 2 => {
            payload.downcast().ok().map(|code| *code)
        }
        Err(payload) => resume_unwind(payload),
    }
}

#[test]
fn payloads_and_destructors_are_as_without_it() {
    assert_eq!(between(0), None);
    let quiet =
        |names: &[&'static str]| names.iter().map(|name| (*name, false)).collect::<Vec<_>>();
    assert_eq!(SEEN.take(), quiet(&["inner", "parameter", "outer"]));
    assert_eq!(between(1), None);
    assert_eq!(SEEN.take(), quiet(&["inner", "outer", "parameter", "error"]));
    assert_eq!(between(2), Some(2));
    let loud = [("inner", true), ("outer", true), ("parameter", true)];
    assert_eq!(SEEN.take(), loud);
    let payload = catch_unwind(AssertUnwindSafe(|| between(3))).unwrap_err();
    assert_eq!((payload.downcast_ref(), SEEN.take().as_slice()), (Some(&3), &loud[..]));
    assert!(!panicking());
}

#[cfg(feature = "enabled")]
#[test]
fn calls_that_unwind_are_counted() {
    #[timed(name = "unwinding::thrower")]
    fn thrower(n: u32) -> u32 {
        if n.is_multiple_of(2) { panic_any(n) } else { n }
    }

    for n in 0..10 {
        let _ = catch_unwind(|| thrower(n));
    }
    let sites = timed::snapshot().sites;
    let thrower = sites.iter().find(|site| site.name == "unwinding::thrower").unwrap();
    assert_eq!((thrower.calls, thrower.in_flight), (10, 0));
}
