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

#[timed]
pub async fn clones(text: String) -> String {
    let copy = text.clone();
    empty().await;
    copy.clone()
}

#[timed]
pub async fn unwraps(map: &HashMap<u8, Vec<u8>>, at: usize) -> u8 {
    let list = map.get(&1).unwrap();
    empty().await;
    list[at] as u8
}

#[timed]
pub async fn question(map: &HashMap<u8, Vec<u8>>) -> Option<u8> {
    let list = match map.get(&1) {
        Some(list) => list,
        None => return None,
    };
    Some(list.first()?.clone())
}

#[timed]
pub async fn wraps(a: u8) -> Option<u8> {
    Some(a)
}

#[timed]
pub async fn wraps_with_question(a: Option<u8>) -> Option<u8> {
    Some(a?)
}

#[timed]
pub async fn shadows(a: u8) -> u8 {
    let a = a;
    let a = a + 1;
    let _a = a;
    _a
}

#[timed]
pub async fn items_late(a: u8) -> u8 {
    let b = helper(a).await;
    async fn helper(a: u8) -> u8 {
        a
    }
    const TWO: u8 = 2;
    fn unused_helper() {}
    b + TWO
}

#[timed]
pub async fn drops_a_future() {
    let _ = empty();
    let _future = empty();
    empty();
    Box::pin(empty());
}

#[timed]
pub async fn a_lock_over_an_await(lock: &Mutex<u8>) -> u8 {
    let held = lock.lock().unwrap();
    empty().await;
    *held
}

#[timed]
pub async fn a_borrow_over_an_await(cell: &RefCell<u8>) -> u8 {
    let held = cell.borrow();
    empty().await;
    *held
}

#[timed]
pub async fn not_send(a: Rc<u8>) -> u8 {
    empty().await;
    *a
}

#[timed]
pub async fn large() -> u8 {
    let buffer = [1_u8; 20_000];
    empty().await;
    buffer[3]
}

#[timed]
pub async fn awaits_what_is_large() -> u8 {
    large().await
}

#[timed]
pub async fn yields_a_future(n: u8) -> impl Future<Output = u8> {
    async move { n }
}

#[timed]
pub async fn yields_from_a_block() -> u8 {
    let outer = async { async { 1 } };
    outer.await.await
}

#[timed]
pub async fn redundant_block() -> u8 {
    let n = async { documented_nowhere(1, 2).await };
    n.await
}

#[timed]
pub fn manual(n: u8) -> impl Future<Output = u8> {
    async move { n + 1 }
}

#[timed]
pub fn manual_and_boxed(n: u8, unused: u8) -> Pin<Box<dyn Future<Output = u8>>> {
    Box::pin(async move {
        let spare = 1;
        n + 1
    })
}

#[timed]
pub async fn closures(list: &[u8]) -> Vec<u8> {
    let unused = |a: u8| a;
    let later = async |a: u8| a + 1;
    let mut all = Vec::new();
    for n in list {
        all.push(later(*n).await);
    }
    all.iter().map(|n| n.clone()).collect()
}

#[timed]
pub async fn many(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: bool, j: bool, k: bool) -> u8 {
    if i || j || k { a + b + c + d } else { e + f + g + h }
}

#[timed]
pub async fn by_value(text: String, list: Vec<u8>, count: &u8) -> usize {
    text.len() + list.len() + usize::from(*count)
}

#[timed]
pub async fn lifetimes<'a>(text: &'a str) -> &'a str {
    empty().await;
    text
}

#[timed]
pub async fn only_used_in_a_loop(mut n: u8) -> u8 {
    loop {
        n += 1;
        if n > 10 {
            break;
        }
        empty().await;
    }
    while n > 3 {
        n -= 1;
    }
    3
}

#[timed]
pub async fn unsafe_code(n: &u8) -> u8 {
    unsafe { *(n as *const u8) }
}

#[timed]
pub async unsafe fn all_unsafe(n: *const u8) -> u8 {
    unsafe { *n }
}

#[timed]
#[must_use]
pub async fn must_be_used() -> u8 {
    1
}

#[timed]
pub async fn does_not_use() {
    must_be_used().await;
    must_be_used();
}

#[timed]
#[allow(unused)]
pub async fn allowed(a: u8, mut b: u8) {
    let c = 1;
    b = 1;
}

#[timed]
#[expect(unused_variables)]
pub async fn expected(a: u8) {
    let c = 1;
}

#[timed]
#[expect(unused_variables)]
pub async fn expected_in_vain(a: u8) -> u8 {
    a
}

#[timed]
pub async fn allowed_inside(a: u8, #[allow(unused_variables)] c: u8) -> u8 {
    #![allow(unused_variables)]
    let b = 1;
    2
}

pub trait Shape {
    fn grams(&self) -> impl Future<Output = u32> + Send;

    #[timed]
    #[allow(async_fn_in_trait)]
    async fn kilograms(&self) -> u32 {
        let unused = 1;
        self.grams().await / 1000
    }
}

#[timed]
pub trait Area {
    async fn area(&self) -> u32;

    async fn double(&self, unused: u8) -> u32 {
        self.area().await * 2
    }
}

#[timed]
impl Area for u8 {
    async fn area(&self) -> u32 {
        return u32::from(*self);
    }
}

#[timed]
pub async fn NotSnakeCase(Param: u8) -> u8 {
    let Local = Param;
    Local
}

#[timed]
#[deprecated]
pub async fn old() {}

#[timed]
pub async fn calls_old() {
    old().await;
}
