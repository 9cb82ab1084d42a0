//! Items that cannot be timed: one error each, and every item is still there.

use timed::timed;

#[timed]
const fn squared(n: u32) -> u32 {
    n * n
}

const NINE: u32 = squared(3);

#[timed]
pub struct Point {
    pub x: u32,
}

#[timed]
enum Side {
    Left,
}

#[timed]
union Bits {
    word: u32,
}

#[timed]
static WORD: u32 = 7;

#[timed]
type Words = [u32; 2];

#[timed]
use std::fmt::Write as _;

#[timed]
unsafe extern "C" {
    safe fn abs(n: i32) -> i32;
}

#[timed]
macro_rules! seven {
    () => {
        7
    };
}

trait Area {
    #[timed]
    fn area(&self) -> u32;
}

#[timed(name = "point")]
impl Area for Point {
    fn area(&self) -> u32 {
        self.x
    }
}

fn main() {
    let point = Point { x: NINE };
    let words: Words = [point.area(), WORD];
    let mut text = String::new();
    write!(text, "{words:?} {} {}", seven!(), abs(-1)).unwrap();
    drop((Side::Left, Bits { word: 1 }));
}
