//! Mistakes of the function's own are shown where they are.

use timed::timed;

#[timed]
fn another_type() -> Vec<u8> {
    String::from("bytes")
}

#[timed]
fn another_type_in_an_arm(n: u8) -> Option<u8> {
    match n {
        0 => None,
        _ => n,
    }
}

#[timed]
fn nothing() -> u8 {}

#[timed]
fn a_semicolon_too_many() -> u8 {
    1 + 1;
}

#[timed]
fn borrowed<'a>() -> &'a str {
    let text = String::new();
    &text
}

fn no_stamp() {
    timed::hop!("of a number", 3);
    timed::hop!("borrowed", &timed::stamp());
}

fn main() {}
