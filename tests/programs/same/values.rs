//! What a function leaves to its caller: values that are large, small, borrowed, opaque, none.

use std::collections::BTreeMap;
use std::fmt::Debug;

use timed::timed;

#[timed]
fn array() -> [u64; 40] {
    std::array::from_fn(|n| n as u64 * 3)
}

#[timed]
fn large(n: usize) -> (Vec<u8>, [String; 3], Option<Box<[u8]>>) {
    (vec![7; n], ["a".into(), "b".into(), "c".into()], Some(Box::new([1, 2])))
}

#[timed]
fn floats(x: f64) -> (f64, f32, Option<f64>) {
    (x.sqrt(), x as f32 / 3.0, Some(-0.0))
}

#[timed]
fn not_a_number() -> f64 {
    f64::from_bits(0x7ff8_0000_dead_beef)
}

#[timed]
fn wide() -> u128 {
    u128::MAX - 1
}

#[timed]
fn pointer(list: &mut [u8]) -> *mut u8 {
    list.as_mut_ptr()
}

#[timed]
fn fat<'a>(list: &'a [&'a str]) -> &'a [&'a str] {
    &list[1..]
}

#[timed]
fn object(n: u8) -> Box<dyn Debug> {
    Box::new((n, 'x'))
}

#[timed]
fn nothing_there() -> [u8; 0] {
    []
}

#[timed]
fn map() -> BTreeMap<char, usize> {
    "letters".chars().rev().zip(0..).collect()
}

#[timed]
fn function() -> impl Fn(&str) -> String {
    |text| text.repeat(2)
}

#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
struct Aligned(u8, f32);

#[timed]
fn aligned(n: u8) -> Aligned {
    Aligned(n, 0.25)
}

#[derive(Debug)]
#[repr(packed)]
#[allow(dead_code)]
struct Packed(u8, u32);

#[timed]
fn packed() -> Packed {
    Packed(1, 2)
}

#[timed]
fn unions() -> std::mem::MaybeUninit<u32> {
    std::mem::MaybeUninit::new(9)
}

#[timed]
fn ordering(a: u8) -> std::cmp::Ordering {
    a.cmp(&3)
}

#[timed]
fn character(a: char) -> char {
    a.to_ascii_uppercase()
}

#[timed]
fn truth(a: u8) -> bool {
    a & 1 == 1
}

#[timed]
fn recursive(n: u64) -> u64 {
    if n < 2 { n } else { recursive(n - 1) + recursive(n - 2) }
}

#[timed]
fn mutual(n: u32) -> bool {
    n == 0 || !other(n - 1)
}

#[timed]
fn other(n: u32) -> bool {
    n == 0 || !mutual(n - 1)
}

#[timed]
fn question(words: &[&str]) -> Result<i64, std::num::ParseIntError> {
    let mut sum = 0;
    for word in words {
        sum += word.parse::<i64>()?;
    }
    Ok(sum)
}

#[timed]
fn swapped(a: &mut String, b: &mut String) {
    std::mem::swap(a, b)
}

fn main() {
    println!("{:?} {:?} {:?}", array(), large(3), floats(2.0));
    println!("{:x} {} {:?}", not_a_number().to_bits(), wide(), nothing_there());
    let mut list = [1, 2];
    println!("{} {:?} {:?}", pointer(&mut list) == list.as_mut_ptr(), fat(&["a", "b"]), object(1));
    println!("{:?} {} {:?} {:?}", map(), function()("ab"), aligned(3), packed());
    println!("{} {:?} {} {}", unsafe { unions().assume_init() }, ordering(2), character('q'), truth(3));
    println!("{} {} {:?} {:?}", recursive(15), mutual(20), question(&["1", "2"]), question(&["x"]));
    let (mut a, mut b) = ("a".to_owned(), "b".to_owned());
    swapped(&mut a, &mut b);
    println!("{a}{b}");
}
