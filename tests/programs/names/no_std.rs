//! A library without the standard library.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use timed::timed;

pub struct Words(pub Vec<String>);

#[timed(sample = 8)]
impl Words {
    pub fn longest(&self) -> Option<&str> {
        self.0.iter().map(String::as_str).max_by_key(|word| word.len())
    }

    pub fn must(&self, at: usize) -> &str {
        timed::scope!("must");
        match self.0.get(at) {
            Some(word) => word,
            None => panic!("no word {at}"),
        }
    }
}

impl fmt::Display for Words {
    #[timed(fence = "relaxed")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|word| write!(f, "{word} "))
    }
}

#[timed]
pub fn half(x: f32) -> f32 {
    timed::block!("half", { x / 2.0 })
}
