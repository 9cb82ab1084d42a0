//! Receivers, patterns, and names that the expansion has, too.

#![allow(unused_assignments, clippy::non_minimal_cfg)]

use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use timed::timed;

use super::{Yield, finish};

#[derive(Clone, Default)]
struct Shelf {
    books: Vec<String>,
}

impl Shelf {
    #[timed]
    async fn by_value(self) -> Vec<String> {
        Yield(1).await;
        self.books
    }

    #[timed]
    async fn by_value_and_mutable(mut self, title: &str) -> Self {
        self.books.push(title.into());
        Yield(1).await;
        self.books.reverse();
        self
    }

    #[timed]
    async fn borrowed(&self) -> usize {
        Yield(1).await;
        self.books.len()
    }

    #[timed]
    async fn borrowed_and_mutable(&mut self, title: String) -> &mut Self {
        Yield(1).await;
        self.books.push(title);
        self
    }

    #[timed]
    async fn of_a_lifetime<'a>(&'a self, other: &Self) -> Option<&'a str> {
        Yield(1).await;
        self.books.get(other.books.len()).map(|title| &**title)
    }

    #[timed]
    async fn boxed(self: Box<Self>) -> Box<Self> {
        Yield(1).await;
        self
    }

    #[timed]
    async fn counted(self: Rc<Self>, other: Arc<Self>) -> usize {
        Yield(1).await;
        self.books.len() + other.books.len() + Rc::strong_count(&self)
    }

    #[timed]
    async fn shared(self: Arc<Self>) -> usize {
        Yield(1).await;
        Arc::strong_count(&self)
    }

    #[timed]
    async fn pinned(self: Pin<&mut Self>) -> usize {
        Yield(1).await;
        self.get_mut().books.len()
    }

    #[timed]
    async fn pinned_and_boxed(mut self: Pin<Box<Self>>) -> usize {
        Yield(1).await;
        self.books.clear();
        self.books.len()
    }

    #[timed]
    async fn of_a_reference(self: &&Self) -> usize {
        self.books.len()
    }

    #[timed]
    async fn make(title: &str) -> Self {
        Yield(1).await;
        Self { books: vec![title.into()] }
    }
}

#[test]
fn receivers_of_every_kind() {
    let mut shelf = finish(Shelf::make("a"));
    assert_eq!(finish(shelf.clone().by_value()), ["a"]);
    shelf = finish(shelf.by_value_and_mutable("b"));
    assert_eq!(shelf.books, ["b", "a"]);
    finish(shelf.borrowed_and_mutable("c".into())).books.push("d".into());
    assert_eq!(finish(shelf.borrowed()), 4);
    assert_eq!(finish(shelf.of_a_lifetime(&finish(Shelf::make("x")))), Some("a"));
    assert_eq!(finish(Box::new(shelf.clone()).boxed()).books.len(), 4);
    assert_eq!(finish(Rc::new(shelf.clone()).counted(Arc::default())), 5);
    assert_eq!(finish(Arc::new(shelf.clone()).shared()), 1);
    assert_eq!(finish(Pin::new(&mut shelf).pinned()), 4);
    assert_eq!(finish(Box::pin(shelf.clone()).pinned_and_boxed()), 0);
    assert_eq!(finish((&&shelf).of_a_reference()), 4);
}

struct Point {
    x: u8,
    y: u8,
    name: String,
}

struct Unit;

#[timed]
async fn tuples((a, (b, _)): (u8, (u8, u8)), (.., c): (u8, u8, u8), (): (), Unit: Unit) -> u8 {
    Yield(1).await;
    a + b + c
}

#[timed]
async fn structs(Point { x, y: ref z, .. }: Point, Point { name, .. }: Point) -> (u8, String) {
    Yield(1).await;
    (x + z, name)
}

#[timed]
async fn references(&a: &u8, &(b, ref c): &(u8, String), &mut ref mut d: &mut u8) -> usize {
    Yield(1).await;
    *d += 1;
    usize::from(a + b) + c.len()
}

#[timed]
async fn by_reference(ref a: String, ref mut b: String) -> usize {
    Yield(1).await;
    b.push('b');
    a.len() + b.len()
}

#[timed]
async fn bound_twice(a @ (b, _): (u8, u8), ref c @ Point { ref name, x, .. }: Point) -> usize {
    Yield(1).await;
    usize::from(a.0 + a.1 + b + x + c.y) + name.len()
}

#[timed]
async fn slices([first, middle @ .., last]: [u8; 4], [a, ..]: &[u8; 2], &[.., b]: &[u8; 2]) -> u8 {
    Yield(1).await;
    first + last + middle.len() as u8 + a + b
}

#[timed]
async fn alternatives((Ok(n) | Err(n)): Result<u8, u8>) -> u8 {
    Yield(1).await;
    n
}

#[timed]
async fn wildcards(_: u8, _: String, a: u8, _: &str, (_, _): (u8, u8), &_: &u8) -> u8 {
    Yield(1).await;
    a
}

#[timed]
async fn in_parentheses(
    #[allow(unused_parens)] (a): u8,
    #[allow(unused_parens)] ((b), (mut c)): (u8, u8),
) -> u8 {
    c += a;
    Yield(1).await;
    b + c
}

#[timed]
async fn mutable(mut a: Vec<u8>, (mut b, c): (u8, u8), mut d: Option<String>) -> Vec<u8> {
    a.push(c);
    b += 1;
    Yield(1).await;
    a.push(b);
    d = d.map(|d| d + "!");
    a.extend(d.map(|d| d.len() as u8));
    a
}

#[timed]
async fn assigned_before_it_is_read(mut a: String, b: String, mut c: u8, _: u8) -> usize {
    a = b + "b";
    Yield(1).await;
    let length = a.len();
    a = String::new();
    c <<= 1;
    Yield(1).await;
    let sum = length + usize::from(c) + a.len();
    c = 0;
    sum + usize::from(c)
}

#[timed]
async fn assigned_through_fields(mut point: Point, mut list: [u8; 3], n: &mut u8) -> usize {
    point.x = 1;
    list[usize::from(point.x)] |= 4;
    *n = 9;
    Yield(1).await;
    let sum = usize::from(point.x + point.y) + usize::from(list[1]) + point.name.len();
    point.y = 0;
    sum
}

#[timed]
async fn mutable_types(p: &mut u8, a: &'static mut [u8], mut f: impl FnMut(u8) -> u8) -> u8 {
    *p = f(*p);
    Yield(1).await;
    a.fill(7);
    f(*p)
}

#[timed]
async fn cfgd(
    #[cfg(any())] gone: Nowhere,
    #[cfg(all())] here: u8,
    #[cfg_attr(all(), cfg(any()))] gone_too: Nowhere,
    #[cfg(all())] _: u8,
    #[cfg(any())] mut gone_and_mutable: Nowhere,
    #[cfg(all())] mut assigned: u8,
    #[allow(unused_variables)] unused: u8,
) -> u8 {
    #[cfg(any())]
    let here = gone;
    Yield(1).await;
    let sum = here + assigned;
    assigned = 0;
    #[cfg(any())]
    {
        gone_and_mutable = 1;
    }
    sum + assigned
}

#[timed]
#[allow(non_snake_case, unused_variables)]
async fn ours(
    tie: u8,
    _tie: u8,
    SITE: u8,
    site: u8,
    Here: u8,
    void: u8,
    _void: u8,
    _unnamed0: u8,
    _: u8,
    _unnamed27: u8,
    future: u8,
    plan: u8,
    own: u8,
    timed: u8,
) -> u8 {
    Yield(1).await;
    tie + _tie
        + SITE
        + site
        + Here
        + void
        + _void
        + _unnamed0
        + _unnamed27
        + future
        + plan
        + own
        + timed
}

#[timed]
async fn r#async(r#await: u8, mut r#mut: u8, größe: u8, 名: u8) -> u8 {
    Yield(1).await;
    r#mut += r#await;
    größe + 名 + r#mut
}

#[timed]
#[allow(clippy::used_underscore_binding)]
async fn underscored(_a: String, mut _b: String, __: u8) -> usize {
    _b = _a;
    Yield(1).await;
    _b.len() + usize::from(__)
}

#[timed]
async fn many_names<'a, 'b: 'a, T, const N: usize>(
    list: &'a [T; N],
    pick: impl for<'c> Fn(&'c T) -> bool,
    other: &'b [T],
) -> Vec<&'a T>
where
    T: PartialEq + 'b,
{
    let mut all = Vec::new();
    for item in list.iter().chain(other) {
        Yield(1).await;
        if pick(item) {
            all.push(item);
        }
    }
    all
}

#[test]
fn patterns_of_every_kind() {
    let point = || Point { x: 1, y: 2, name: "abc".into() };
    assert_eq!(finish(tuples((1, (2, 3)), (4, 5, 6), (), Unit)), 9);
    assert_eq!(finish(structs(point(), point())), (3, "abc".into()));
    let mut number = 1;
    assert_eq!(finish(references(&1, &(2, "ab".into()), &mut number)), 5);
    assert_eq!(number, 2);
    assert_eq!(finish(by_reference("a".into(), "b".into())), 3);
    assert_eq!(finish(bound_twice((1, 2), point())), 10);
    assert_eq!(finish(slices([1, 2, 3, 4], &[5, 6], &[7, 8])), 20);
    assert_eq!(finish(alternatives(Err(3))), 3);
    assert_eq!(finish(wildcards(1, String::new(), 2, "", (3, 4), &5)), 2);
    assert_eq!(finish(in_parentheses(1, (2, 3))), 6);
    assert_eq!(finish(mutable(vec![], (1, 2), Some("ab".into()))), [2, 2, 3]);
    assert_eq!(finish(assigned_before_it_is_read("a".into(), "b".into(), 3, 4)), 8);
    assert_eq!(finish(assigned_through_fields(point(), [1, 2, 3], &mut number)), 12);
    assert_eq!(number, 9);
    let list = Box::leak(Box::new([1, 2]));
    assert_eq!(finish(mutable_types(&mut number, list, |n| n + 1)), 11);
    assert_eq!(finish(underscored("a".into(), "b".into(), 3)), 4);
    let picked = finish(many_names(&[1, 2, 3], |n| n % 2 == 1, &[4, 5]));
    assert_eq!(picked, [&1, &3, &5]);
}

#[test]
fn names_of_every_kind() {
    assert_eq!(finish(cfgd(1, 2, 3, 4)), 4);
    assert_eq!(finish(ours(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)), 13);
    assert_eq!(finish(r#async(1, 2, 3, 4)), 10);
}
