//! A library that forbids everything that it can.

use timed::timed;

/// Adds.
#[timed]
#[must_use]
pub fn plain(a: u8, b: u8) -> u8 {
    a.wrapping_add(b)
}

/// Adds, now and then timed.
#[timed(name = "sampled", sample = 64)]
#[must_use]
pub fn sampled<T: Clone>(a: &T) -> T {
    a.clone()
}

/// Does nothing, timed roughly.
#[timed(fence = "relaxed")]
pub fn relaxed() {}

/// Roughly, and now and then.
#[timed(fence = "relaxed", sample = 3)]
#[must_use]
pub fn both(text: &str) -> Option<char> {
    let first = text.chars().next()?;
    if first.is_alphabetic() {
        return None;
    }
    todo(first)
}

#[timed]
fn todo(first: char) -> Option<char> {
    assert!(first.is_ascii(), "ascii only");
    std::process::exit(1)
}

/// From a point in time to here.
#[must_use]
pub fn hopped() -> timed::Stamp {
    let begin = timed::stamp();
    timed::hop!("hopped", begin);
    begin
}

/// Something that can be weighed.
pub trait Weigh {
    /// What it weighs.
    fn grams(&self) -> u32;

    /// What it weighs, rounded.
    #[timed]
    fn kilograms(&self) -> u32 {
        self.grams() / 1000
    }
}

/// An opaque value.
#[derive(Debug)]
pub struct Stone;

#[timed]
impl Weigh for Stone {
    fn grams(&self) -> u32 {
        timed::scope!("weighing");
        timed::block!("reading", { 7 })
    }
}

#[timed]
impl Iterator for Stone {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        (0..2).map(f64::from).next_back()
    }
}

/// A module.
#[timed]
pub mod inside {
    /// Borrows.
    #[must_use]
    pub fn longest<'a>(a: &'a str, b: &'a str) -> &'a str {
        if a.len() > b.len() { a } else { b }
    }

    /// Opaque.
    pub fn opaque() -> impl Iterator<Item = u8> {
        [1, 2].into_iter()
    }
}
