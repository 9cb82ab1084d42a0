//! Asynchronous functions of many shapes, most of them with something that a lint could speak of.

use std::cell::RefCell;
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Mutex;

use timed::timed;

#[timed]
pub async fn empty() {}

#[timed]
pub async fn documented_nowhere(a: u8, b: u8) -> u8 {
    a + b
}

#[timed]
/// Unused things.
pub async fn unused(level: u8, mut word: String, (a, b): (u8, u8), mut list: Vec<u8>) -> u8 {
    let spare = 3;
    let mut count = 0;
    count = 1;
    let mut never = 2;
    empty();
    empty().await;
    std::mem::size_of::<u8>();
    "a".parse::<u8>();
    list.len();
    7
}

#[timed]
pub async fn unused_in_patterns(
    (a, _): (u8, u8),
    Point { x, y: z }: Point,
    [first, rest @ ..]: [u8; 3],
    ref c: String,
    ref mut d: String,
    mut e: u8,
    f @ Point { .. }: Point,
    _: u8,
    _g: u8,
) {
    empty().await;
}

pub struct Point {
    x: u8,
    y: u8,
}

#[timed]
async fn never_called() -> u8 {
    1
}

struct Hidden;

#[timed]
impl Hidden {
    async fn never(&self) {}
}

#[timed]
pub async fn assigned(mut a: u8, mut b: u8, mut c: u8, mut d: u8) -> u8 {
    a = 1;
    empty().await;
    b = 2;
    b = 3;
    c += 1;
    empty().await;
    for n in 0..3 {
        d += n;
        empty().await;
    }
    b
}

#[timed]
pub async fn assigned_in_the_end(mut a: Option<String>, mut b: String, c: String) -> usize {
    let length = a.as_ref().map_or(0, |a| a.len()) + b.len();
    empty().await;
    a = None;
    empty().await;
    b = c;
    length
}

#[timed]
pub async fn assigned_by_parts(mut a: Whole, mut b: Plain, mut c: (u8, String), mut d: [u8; 3]) {
    a.number = 1;
    b.number = 2;
    c.0 = 3;
    c.1 = String::new();
    d[0] = 4;
    empty().await;
}

pub struct Whole {
    number: u8,
    text: String,
}

#[derive(Clone, Copy)]
pub struct Plain {
    pub number: u8,
}

#[timed]
impl Whole {
    pub async fn finished(mut self) -> u8 {
        empty().await;
        let number = self.number;
        self.number = 0;
        number
    }

    pub async fn assigned(mut self, mut other: Self) {
        self = other;
        self.text.len();
    }

    pub async fn other(mut self, n: u8) -> Self {
        self.number += n;
        empty().await;
        self
    }

    pub async fn borrowed(&mut self, n: &mut u8) {
        self.number = 1;
        *n = 2;
        empty().await;
    }

    pub async fn unneeded(mut self) {
        empty().await;
    }

    pub async fn needless(&mut self) -> u8 {
        empty().await;
        self.number
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        println!("{}", self.armed);
    }
}

pub struct Guard {
    armed: bool,
}

#[timed]
impl Guard {
    pub async fn disarm(mut self, mut other: Guard) {
        self.armed = false;
        other.armed = false;
    }
}

#[timed]
pub async fn forever(n: u64) -> u64 {
    Box::pin(forever(n + 1)).await
}

#[timed]
pub async fn never(n: u8) -> ! {
    loop {
        empty().await;
        if n > 3 {
            std::process::exit(1)
        }
    }
}

#[timed]
pub async fn tail_after_the_end() -> String {
    std::process::exit(1);
    String::from("never")
}

#[timed]
pub async fn statement_after_the_end() {
    panic!("no");
    empty().await;
}

#[timed]
pub async fn await_after_the_end() -> u8 {
    return 1;
    empty().await;
    2
}

#[timed]
pub async fn end_inside_the_tail(n: u8) -> u8 {
    match n {
        0 => {
            return 1;
            2
        }
        _ => n.pow(2),
    }
}

#[timed]
pub async fn todo() -> Vec<u8> {
    todo!()
}

#[timed]
pub async fn unimplemented(n: u8) -> impl Iterator<Item = u8> {
    let m = n;
    if m > 1 {
        unimplemented!("{m}")
    }
    std::iter::empty()
}

#[timed]
pub async fn ends(n: u8) -> u8 {
    never(n).await
}

#[timed]
pub async fn ends_early(n: u8) -> u8 {
    never(n).await;
    1
}

#[timed]
pub async fn exits(n: i32) -> u8 {
    std::process::exit(n)
}

#[timed]
pub async fn parentheses(a: u32) -> u32 {
    let b = (a + 1);
    if (a > 1) {
        return (a);
    }
    (a + b)
}

#[timed]
pub async fn braces(a: u32) -> u32 {
    { a }
}

#[timed]
pub async fn an_await_in_braces(a: u32) -> u32 {
    { parentheses(a).await }
}

#[timed]
pub async fn an_await_in_parentheses(a: u32) -> u32 {
    (parentheses(a).await)
}

#[timed]
pub async fn return_without_semicolon(a: u32) -> u32 {
    return a + 1
}

#[timed]
pub async fn let_and_return(a: u32) -> u32 {
    let b = parentheses(a).await;
    b
}

#[timed]
pub async fn returns_in_arms(a: Option<u32>) -> u32 {
    match a {
        Some(a) => return a,
        None => {
            return 0;
        }
    }
}

#[timed]
pub async fn returns_unit(a: &mut Vec<u8>) {
    a.push(1);
    empty().await;
    return;
}

#[timed]
pub async fn unit_tail(a: &mut Vec<u8>) {
    a.push(1)
}

#[timed]
pub async fn unit_await() {
    empty().await
}

#[timed]
pub async fn explicit_unit() -> () {
    empty().await
}
