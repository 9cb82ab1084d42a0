//! In which order parameters, locals and temporaries drop: at the end, at an early one, at a panic,
//! at each await, and where nothing was ever polled.

#![allow(unused_assignments, unused_variables)]

use std::cell::RefCell;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};

use timed::timed;

thread_local!(static DROPS: RefCell<String> = const { RefCell::new(String::new()) });

fn note(text: &str) {
    DROPS.with(|drops| {
        let mut drops = drops.borrow_mut();
        drops.push_str(text);
        drops.push(' ');
    });
}

struct Noted(&'static str);

impl Noted {
    fn get(&self) -> u8 {
        1
    }

    fn ready(&self) -> std::future::Ready<u8> {
        std::future::ready(2)
    }

    fn some(&self) -> Option<u8> {
        None
    }
}

impl Drop for Noted {
    fn drop(&mut self) {
        note(self.0);
    }
}

struct Pair {
    first: Noted,
    second: Noted,
}

struct Yield(bool);

impl Future for Yield {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.0 {
            return Poll::Ready(());
        }
        self.0 = true;
        Poll::Pending
    }
}

fn pending() -> Yield {
    Yield(false)
}

fn waker() -> Waker {
    fn clone(_: *const ()) -> RawWaker {
        RawWaker::new(std::ptr::null(), &TABLE)
    }
    fn nothing(_: *const ()) {}
    static TABLE: RawWakerVTable = RawWakerVTable::new(clone, nothing, nothing, nothing);
    unsafe { Waker::from_raw(RawWaker::new(std::ptr::null(), &TABLE)) }
}

/// Makes the future anew and drops it after 0, 1, 2, … polls, until it is ready.
fn all<F: Future>(name: &str, make: impl Fn() -> F) {
    println!("{}", name);
    for polls in 0.. {
        let mut future = Box::pin(make());
        note("made:");
        let mut ready = false;
        for _ in 0..polls {
            let poll = catch_unwind(AssertUnwindSafe(|| {
                future.as_mut().poll(&mut Context::from_waker(&waker())).is_ready()
            }));
            ready = !matches!(poll, Ok(false));
            note(match poll {
                Ok(true) => "ready,",
                Ok(false) => "pending,",
                Err(_) => "panic,",
            });
        }
        drop(future);
        println!("  {} polls: {}", polls, DROPS.with(|drops| drops.replace(String::new())));
        if ready {
            break;
        }
    }
}

#[timed]
async fn used(a: Noted, b: Noted, c: Noted) -> u8 {
    let _first = Noted("first");
    pending().await;
    let _second = Noted("second");
    pending().await;
    a.get() + b.get() + c.get()
}

#[timed]
async fn unused(_a: Noted, _b: Noted, _c: Noted) {
    pending().await;
}

#[timed]
async fn without_an_await(_a: Noted, b: Noted) -> u8 {
    let _first = Noted("first");
    b.get()
}

#[timed]
async fn nothing(_a: Noted, _b: Noted) {}

#[timed]
async fn wildcards(_: Noted, a: Noted, _: Noted, _b: Noted, _: Noted) {
    let _first = Noted("first");
    pending().await;
    a.get();
    pending().await;
}

#[timed]
async fn moved(a: Noted, b: Noted, c: Noted) {
    let _first = Noted("first");
    pending().await;
    drop(b);
    pending().await;
    let _c = c;
    let _a = a;
    pending().await;
}

#[timed]
async fn moved_now_and_then(a: Noted, b: Noted, when: bool) {
    pending().await;
    if when {
        drop(a);
    }
    pending().await;
    b.get();
}

#[timed]
async fn a_part_moved(pair: Pair, tuple: (Noted, Noted), c: Noted) {
    let _first = Noted("first");
    pending().await;
    drop(pair.first);
    pending().await;
    let _moved = tuple.1;
    pending().await;
    c.get();
}

#[timed]
async fn tuple((a, b): (Noted, Noted), (c, d): (Noted, Noted)) {
    let _first = Noted("first");
    pending().await;
    a.get();
    b.get();
    drop(c);
    pending().await;
    d.get();
}

#[timed]
async fn fields(Pair { second, first }: Pair, c: Noted) {
    let _first = Noted("local");
    pending().await;
    first.get();
    second.get();
    c.get();
}

#[timed]
async fn by_reference(ref a: Noted, ref mut b: Noted, Pair { ref first, .. }: Pair) {
    let _first = Noted("local");
    pending().await;
    a.get();
    b.0 = "b changed";
    first.get();
    pending().await;
}

#[timed]
async fn mutable(mut a: Noted, mut b: Noted) {
    pending().await;
    a = Noted("a anew");
    pending().await;
    b.0 = "b changed";
    let _both = (&a, &b);
    pending().await;
}

#[timed]
async fn assigned_last(a: Noted, mut b: Noted, c: Noted, (d, mut e): (Noted, Noted), _: Noted) {
    let _first = Noted("local");
    pending().await;
    (a.get(), c.get(), d.get());
    b = Noted("b anew");
    pending().await;
    e.0 = "e changed";
    pending().await;
}

#[timed]
async fn assigned_before_the_tail(a: Noted, mut b: Noted, c: Noted) -> u8 {
    let _local = Noted("local");
    pending().await;
    Noted("tail").ready().await + a.get() + Noted("tail too").get() + {
        b = c;
        Noted("in the tail").get()
    }
}

#[timed]
async fn borrowed_in_the_tail(a: Noted, mut b: RefCell<Noted>, _: Noted) -> u8 {
    b = RefCell::new(a);
    pending().await;
    let _local = Noted("local");
    b.borrow().get() + b.borrow().get()
}

#[timed]
async fn only_a_part((a, _): (Noted, Noted)) {
    let _first = Noted("local");
    pending().await;
    a.get();
}

#[timed]
async fn only_a_part_of_the_first((a, _): (Noted, Noted), b: Noted) {
    let _first = Noted("local");
    pending().await;
    a.get();
    b.get();
}

#[timed]
async fn returns_early(a: Noted, b: Noted, when: bool) -> u8 {
    let _first = Noted("first");
    pending().await;
    if when {
        let _inside = Noted("inside");
        return a.get();
    }
    let _second = Noted("second");
    pending().await;
    b.get()
}

#[timed]
async fn question(a: Noted, b: Noted) -> Option<u8> {
    let _first = Noted("first");
    pending().await;
    let n = Noted("question").some()?;
    pending().await;
    Some(n + a.get() + b.get())
}

#[timed]
async fn panics(a: Noted, _b: Noted, _: Noted, (c, d): (Noted, Noted)) -> u8 {
    let _first = Noted("first");
    pending().await;
    let _second = Noted("second");
    drop(c);
    if a.get() == 1 {
        panic!("on purpose");
    }
    d.get()
}

#[timed]
async fn panics_at_once(_a: Noted, _b: Noted) -> u8 {
    panic!("on purpose");
}
