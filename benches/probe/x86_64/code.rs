//! How many bytes of code a site adds to a function, read from this very executable.

use super::table::{Budget, Table};
use object::{Object as _, ObjectSymbol as _};
use std::hint::black_box;

/// Gives a function a landing pad: something to drop when the call in between panics.
struct Held(u64);

impl Drop for Held {
    #[inline(always)]
    fn drop(&mut self) {
        black_box(self.0);
    }
}

/// A call of which the compiler must think that it may panic.
#[inline(never)]
fn may_panic(x: u64) {
    assert_ne!(black_box(x), u64::MAX, "not one of the bench's values");
}

/// The symbols are what the sizes are looked up by.
#[timed::timed]
#[unsafe(no_mangle)]
extern "Rust" fn bench_code_empty_timed() {}

#[timed::timed]
#[unsafe(no_mangle)]
extern "Rust" fn bench_code_pad_timed(x: u64) {
    let held = Held(x);
    may_panic(x);
    drop(held);
}

#[unsafe(no_mangle)]
extern "Rust" fn bench_code_pad(x: u64) {
    let held = Held(x);
    may_panic(x);
    drop(held);
}

pub(super) fn rows(table: &mut Table) {
    black_box(bench_code_empty_timed as fn());
    black_box([bench_code_pad as fn(u64), bench_code_pad_timed]);
    let executable = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    let file = object::File::parse(&*executable).ok();
    let size = |name: &str| {
        let symbol = file.as_ref()?.symbols().find(|symbol| symbol.name() == Ok(name))?;
        Some(symbol.size() as f64)
    };
    let added = |timed: &str, plain: &str| {
        size(timed).zip(size(plain)).map_or(f64::NAN, |(timed, plain)| timed - plain)
    };
    let empty = size("bench_code_empty_timed").unwrap_or(f64::NAN);
    table.row(
        "code of a site in an empty function",
        empty,
        "bytes",
        Budget(96.0),
        "the whole function",
    );
    let pad = added("bench_code_pad_timed", "bench_code_pad");
    table.row(
        "code of a site in one with a landing pad",
        pad,
        "bytes",
        Budget(160.0),
        "beyond the untimed twin",
    );
}
