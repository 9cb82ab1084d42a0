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

#[timed]
pub fn long_literal() -> f64 {
    3.14159265358979323846264338327950288
}

#[timed]
pub fn float_equal(a: f64) -> bool {
    a == 0.1
}

#[timed]
pub fn approximates() -> f64 {
    3.14
}

#[timed]
pub fn identity(a: u8) -> u8 {
    a + 0
}

#[timed]
pub fn overflows() -> u8 {
    255u8 + 1
}

#[timed]
pub fn divides() -> i32 {
    1 / 0
}

#[timed]
pub fn NotSnake(NotEither: u8) -> u8 {
    let Nor = NotEither;
    Nor
}

#[timed]
pub fn größe(länge: u8) -> u8 {
    länge
}

#[timed]
#[must_use]
pub fn must_use_unit() {}

#[timed]
pub fn drops_nothing(a: &u8, b: u8) {
    drop(a);
    drop(b);
}

#[timed]
pub fn ignores_must_use() {
    documented_nowhere(1, 2);
    wraps_an_error(3);
    vec![1].iter().map(|n| n + 1);
}

#[timed]
pub fn never(n: u8) -> ! {
    panic!("{n}");
}

#[timed]
pub fn loops(mut n: u8) -> u8 {
    loop {
        n += 1;
        if n > 9 {
            break n;
        }
    }
}

#[timed]
pub fn loops_once(list: &[u8]) -> u8 {
    for n in list {
        return *n;
    }
    0
}

#[timed]
pub fn infinite(n: u8) -> u8 {
    while true {
        never_called();
    }
    n
}

#[timed]
pub fn labels(n: u8) -> u8 {
    'unused: loop {
        return n;
    }
}

#[timed]
pub fn opaque(n: u8) -> impl Iterator<Item = u8> {
    let list = (0..n).map(|n| n);
    list
}

#[timed]
pub fn generic<T: Clone + Clone, U: Default>(value: T) -> (T, U) {
    (value.clone(), U::default())
}

#[timed]
pub fn absolute() -> ::std::collections::HashMap<u8, u8> {
    ::std::collections::HashMap::new()
}

#[timed]
#[inline(always)]
pub fn inlined(a: &mut u8) -> &mut u8 {
    a
}

#[timed]
pub extern "C" fn foreign(a: String) -> String {
    a
}

#[timed]
#[deprecated]
pub fn old() -> u8 {
    2
}

#[timed]
pub fn uses_old() -> u8 {
    old()
}

#[timed]
pub fn expects(spare: u8) -> u8 {
    #![expect(unused_variables)]
    1
}

#[timed]
#[expect(unused_mut)]
pub fn expects_in_vain() -> u8 {
    1
}

#[timed]
#[allow(unused_variables)]
#[allow(clippy::needless_return)]
pub fn allows(spare: u8) -> u8 {
    return 1;
}

pub trait Weigh {
    fn grams(&self) -> u32;

    #[timed]
    fn kilograms(&self) -> u32 {
        let all = self.grams();
        return all / 1000;
    }
}

#[timed]
impl Weigh for u8 {
    fn grams(&self) -> u32 {
        (*self) as u32
    }
}

#[timed]
impl fmt::Display for Ring {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.to_string())
    }
}

#[timed]
impl Drop for Ring {
    fn drop(&mut self) {}
}

#[timed]
impl Clone for Ring {
    fn clone(&self) -> Self {
        Ring { next: None }
    }
}

#[timed]
impl Iterator for Ring {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        None
    }
}

impl Ring {
    #[timed]
    pub fn new() -> Self {
        Ring { next: None }
    }

    #[timed]
    pub fn from_str(text: &str) -> Ring {
        Self::new()
    }

    #[timed]
    pub fn to_nothing(self) {}

    #[timed]
    pub fn unused_self(&self, a: u8) -> u8 {
        a
    }

    #[timed]
    pub fn add(self, other: Ring) -> Ring {
        other
    }
}

#[timed]
pub mod inside {
    fn unused_inside() {}

    pub fn with_return() -> u8 {
        return 4;
    }

    pub struct Open {
        pub a: u8,
    }
}

#[timed]
pub fn match_like(a: Option<u8>) -> bool {
    match a {
        Some(3) => true,
        _ => false,
    }
}

#[timed]
pub fn one_arm(a: Option<u8>) -> u8 {
    match a {
        Some(n) => n,
        _ => 0,
    }
}

#[timed]
pub fn early(a: Option<u8>) -> Option<u8> {
    if a.is_none() {
        return None;
    }
    a
}

#[timed]
pub fn into(a: u8) -> u8 {
    a.into()
}

#[timed]
pub fn borrows(a: &str) -> String {
    format!("{}", &a.to_string())
}

#[timed]
pub fn asserts(a: bool) {
    assert_eq!(a, true);
    assert!(true);
    debug_assert!(a);
}

#[timed]
pub fn semicolons(a: &mut Vec<u8>) {
    a.push(1)
}

#[timed]
pub fn empty_statement() {
    ;
    empty();;
}

#[timed]
pub fn transmutes(a: u32) -> f32 {
    unsafe { std::mem::transmute(a) }
}

#[timed]
pub fn single_char(a: &str) -> bool {
    let x = a.split("x").count();
    x > 1
}
