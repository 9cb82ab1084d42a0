//! More places where no function can be timed: one error each, and every item is still there.

use timed::timed;

#[timed]
extern crate alloc;

#[timed]
const EIGHT: u8 = 8;

#[timed]
std::thread_local! {
    static LOCAL: u8 = 9;
}

#[timed]
#[derive(Clone)]
struct Tuple(u8);

#[timed]
const unsafe extern "C" fn constant(n: u8) -> u8 {
    n
}

#[cfg(target_arch = "x86_64")]
#[timed]
#[unsafe(naked)]
extern "C" fn naked() {
    std::arch::naked_asm!("ret")
}

unsafe extern "C" {
    #[timed]
    safe fn abs(n: i32) -> i32;
}

#[timed(name = "all")]
mod named {
    pub fn inside() {}
}

#[timed(name = "all")]
trait Named {
    fn inside(&self) {}
}

#[timed]
mod container {
    #[timed::timed(sample = 0)]
    pub fn wrong_inside() {}
}

impl Tuple {
    #[timed]
    const LIMIT: u8 = 10;
}

impl Iterator for Tuple {
    #[timed]
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        Some(self.0.min(Self::LIMIT))
    }
}

impl Named for u8 {}

fn main() {
    let _ = alloc::vec::Vec::from([EIGHT]);
    LOCAL.with(|local| Tuple(*local).clone().next());
    constant_and_abs();
    named::inside();
    container::wrong_inside();
    0u8.inside();
}

fn constant_and_abs() {
    const NINE: u8 = unsafe { constant(9) };
    abs(NINE.into());
    #[cfg(target_arch = "x86_64")]
    naked();
}
