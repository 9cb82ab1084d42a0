//! Functions of many shapes, most of them with something that a lint could speak of.

use std::collections::HashMap;
use std::fmt;
use std::sync::Mutex;

use timed::timed;

#[timed]
pub fn empty() {}

#[timed]
pub fn documented_nowhere(a: u8, b: u8) -> u8 {
    a + b
}

#[timed]
/// Unused things.
pub fn unused(level: u8, mut word: String) -> u8 {
    let spare = 3;
    let mut count = 0;
    count = 1;
    word.trim();
    std::mem::size_of::<u8>();
    "a".parse::<u8>();
    7
}

#[timed]
fn never_called() -> u8 {
    1
}

#[timed]
pub fn forever(n: u64) -> u64 {
    forever(n + 1)
}

pub struct Ring {
    next: Option<Box<Ring>>,
}

#[timed]
impl Ring {
    pub fn round(&self) -> usize {
        self.round()
    }

    pub fn length(&self) -> usize {
        let mut n = 0;
        n += 1;
        return n;
    }

    pub fn is_empty(&self) -> bool {
        return self.next.is_none();
    }

    fn hidden(&self) {}
}

#[timed]
pub fn tail_after_the_end() -> String {
    std::process::exit(1);
    String::from("never")
}

#[timed]
pub fn statement_after_the_end() {
    panic!("no");
    empty();
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
pub fn todo() -> Vec<u8> {
    todo!()
}

#[timed]
pub fn unimplemented(n: u8) -> Vec<u8> {
    let m = n;
    unimplemented!("{m}")
}

#[timed]
pub fn parentheses(a: u32) -> u32 {
    let b = (a + 1);
    if (a > 1) {
        return (a);
    }
    (a + b)
}

#[timed]
pub fn braces(a: u32) -> u32 {
    { a }
}

#[timed]
pub fn braces_around_a_call(a: u32) -> u32 {
    { parentheses(a) }
}

#[timed]
pub fn parentheses_in_return(a: u32) -> u32 {
    return (a + 1);
}

#[timed]
pub fn return_without_semicolon(a: u32) -> u32 {
    return a + 1
}

#[timed]
pub fn let_and_return(a: u32) -> u32 {
    let b = a.count_ones();
    b
}

#[timed]
pub fn returns_in_arms(a: Option<u32>) -> u32 {
    match a {
        Some(a) => return a,
        None => {
            return 0;
        }
    }
}

#[timed]
pub fn returns_unit(a: &mut Vec<u8>) {
    a.push(1);
    return;
}

#[timed]
pub fn clones(text: String) -> String {
    let copy = text.clone();
    copy.clone()
}

#[timed]
pub fn unwraps(map: &HashMap<u8, Vec<u8>>, at: usize) -> u8 {
    let list = map.get(&1).unwrap();
    map.get(&2).expect("two");
    list[at] as u8
}

#[timed]
pub fn question(map: &HashMap<u8, Vec<u8>>) -> Option<u8> {
    let list = match map.get(&1) {
        Some(list) => list,
        None => return None,
    };
    Some(list.first()?.clone())
}

#[timed]
pub fn wraps(a: u8) -> Option<u8> {
    Some(a)
}

#[timed]
pub fn wraps_an_error(a: u8) -> Result<u8, String> {
    Ok(a)
}

#[timed]
pub fn wraps_with_question(a: Option<u8>) -> Option<u8> {
    Some(a?)
}

#[timed]
pub fn boolean(a: u8) -> bool {
    if a > 1 { true } else { false }
}

#[timed]
pub fn casts(a: u64) -> u8 {
    (a as u32 as u64) as u8
}

#[timed]
pub fn shadows(a: u8) -> u8 {
    let a = a;
    let a = a + 1;
    let _a = a;
    _a
}

#[timed]
pub fn items_late(a: u8) -> u8 {
    let b = helper(a);
    fn helper(a: u8) -> u8 {
        a
    }
    const TWO: u8 = 2;
    b + TWO
}

#[timed]
pub fn items_early(a: u8) -> u8 {
    use std::convert::identity;
    fn helper(a: u8) -> u8 {
        a
    }
    identity(helper(a))
}

#[timed]
pub fn guards(lock: &Mutex<u8>) -> u8 {
    let _ = lock.lock();
    let _ = String::new();
    let held = lock.lock().unwrap();
    *held
}

#[timed]
pub fn unit_value() {
    let nothing = empty();
    nothing
}

#[timed]
pub fn prints() {
    println!("{}", 1);
    eprintln!("2");
    dbg!(3);
}

#[timed]
pub unsafe fn dangerous(p: *const u8) -> u8 {
    *p
}

#[timed]
pub fn blocks(p: &u8) -> u8 {
    unsafe { std::ptr::read(p) }
}

#[timed]
pub fn useless_unsafe(p: u8) -> u8 {
    unsafe { p }
}

#[timed]
pub fn lifetimes<'a>(text: &'a str) -> &'a str {
    &text[1..]
}

#[timed]
pub fn extra<'a, 'b, T>(text: &'a str) -> usize {
    text.len()
}

#[timed]
pub fn by_value(text: String, list: Vec<u8>) -> usize {
    text.len() + list.len()
}

#[timed]
pub fn by_pointer(list: &Vec<u8>, text: &String) -> usize {
    list.len() + text.len()
}

#[timed]
pub fn many(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: bool, i: bool, j: bool, k: bool) -> u8 {
    a + b + c + d + e + f + g + u8::from(h && i && j && k)
}

#[timed]
pub fn collapsible(a: bool, b: bool) -> u8 {
    if a {
        if b {
            return 1;
        }
    }
    0
}

#[timed]
pub fn manual(list: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for at in 0..list.len() {
        out.push(list[at]);
    }
    out
}

#[timed]
pub fn closure(list: &[u8]) -> Vec<u8> {
    list.iter().map(|n| n.clone()).collect()
}

#[timed]
pub fn redundant_closure(list: Vec<u8>) -> Vec<u32> {
    list.into_iter().map(|n| u32::from(n)).collect()
}
