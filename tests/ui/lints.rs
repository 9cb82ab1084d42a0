//! What a function's own tokens deserve, they get.

#![deny(unused_variables, unreachable_code, unconditional_recursion, dead_code)]

use timed::timed;

#[timed]
pub fn unused(level: u8) -> u8 {
    7
}

#[timed]
pub fn tail_after_the_end() -> String {
    std::process::exit(1);
    String::from("never")
}

#[timed]
pub fn end_inside_the_tail(n: u8) -> u8 {
    match n {
        0 => {
            return 1;
            2
        }
        _ => n.pow(2),
    }
}

#[timed]
pub fn forever(n: u64) -> u64 {
    forever(n + 1)
}

#[timed]
fn never_called() -> u8 {
    1
}

fn main() {}
