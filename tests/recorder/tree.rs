//! The call tree: who called whom, with recursion folded.

use crate::alone::{alone, calls, check, edges, name_of, site};
use std::future::Future;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Instant;
use timed::{Snapshot, timed};

#[timed]
fn b() {
    black_box(());
}

#[timed]
fn c() {
    b();
}

#[timed]
fn a() {
    b();
    c();
    b();
}

#[timed]
fn down(n: u64) -> u64 {
    if n == 0 { 0 } else { 1 + down(black_box(n - 1)) }
}

#[timed]
fn even(n: u64) -> bool {
    n == 0 || odd(black_box(n - 1))
}

#[timed]
fn odd(n: u64) -> bool {
    n != 0 && even(black_box(n - 1))
}

/// Two calls of itself in each: a tree of activations.
#[timed]
fn fork(n: u32) {
    if n > 0 {
        fork(n - 1);
        b();
        fork(n - 1);
    }
}

macro_rules! sixty_four {
    ($make:ident) => {
        $make! {
            f00 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15
            f16 f17 f18 f19 f20 f21 f22 f23 f24 f25 f26 f27 f28 f29 f30 f31
            f32 f33 f34 f35 f36 f37 f38 f39 f40 f41 f42 f43 f44 f45 f46 f47
            f48 f49 f50 f51 f52 f53 f54 f55 f56 f57 f58 f59 f60 f61 f62 f63
        }
    };
}

macro_rules! callers {
    ($($name:ident)*) => {
        $(#[timed] fn $name() { b(); })*
        const CALLERS: [fn(); 64] = [$($name),*];
    };
}

sixty_four!(callers);

#[timed]
fn calls_all() {
    CALLERS.iter().for_each(|f| f());
}

#[timed]
fn fails(depth: u32) {
    b();
    if depth == 0 {
        panic_any("as planned");
    }
    fails(depth - 1);
}

#[timed]
fn survives() {
    let caught = catch_unwind(AssertUnwindSafe(|| fails(3)));
    assert!(caught.is_err());
    b();
}

/// Pending once.
struct Yield(bool);

impl Future for Yield {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) { Poll::Ready(()) } else { Poll::Pending }
    }
}

async fn keeps_a_scope(rounds: u32) {
    timed::scope!("kept");
    for _ in 0..rounds {
        b();
        Yield(false).await;
    }
}

/// A deep recursion's thread.
fn with_stack<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> T {
    thread::Builder::new().stack_size(3 << 30).spawn(f).unwrap().join().unwrap()
}

fn owned(edges: &[(&str, u64)]) -> Vec<(String, u64)> {
    edges.iter().map(|(edge, calls)| ((*edge).to_owned(), *calls)).collect()
}

/// Own times add up to the time in what no timed function called.
fn check_sums(snapshot: &Snapshot) {
    check(snapshot);
    let own: f64 = snapshot.tree.iter().map(|node| node.self_ns).sum();
    let roots: f64 =
        snapshot.tree.iter().filter(|node| node.parent.is_none()).map(|node| node.total_ns).sum();
    assert!((own - roots).abs() <= 1.0 + roots.abs() * 0.02, "selfs {own}, roots {roots}");
}

alone! {
    fn one_callee_of_two() {
        (0..1000).for_each(|_| a());
        let snapshot = timed::snapshot();
        check_sums(&snapshot);
        assert_eq!(edges(&snapshot), owned(&[(">a", 1000), ("a>b", 2000), ("a>c", 1000), ("c>b", 1000)]));
        assert_eq!(calls(&snapshot, "b"), 3000);
    }

    fn a_million_deep() {
        const DEEP: u64 = 1_000_000;
        let (deep, took) = with_stack(|| {
            let began = Instant::now();
            (down(DEEP), began.elapsed())
        });
        assert_eq!(deep, DEEP);
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!(edges(&snapshot), owned(&[(">down", DEEP + 1)]));
        let site = site(&snapshot, "down");
        assert_eq!((site.calls, site.timed, site.in_flight), (DEEP + 1, DEEP + 1, 0));
        // The outermost activation alone: all of them together would be some 100,000 times that. With
        // a million probes taken off, it may come out below zero.
        assert!(site.total_ns.abs() <= took.as_nanos() as f64, "{site:#?}");
        // And again, shallow, in the lane that has grown.
        thread::spawn(|| (0..100).for_each(|_| assert_eq!(down(3), 3))).join().unwrap();
        assert_eq!(calls(&timed::snapshot(), "down"), DEEP + 1 + 400);
    }

    fn a_million_deep_by_turns() {
        const DEEP: u64 = 1_000_000;
        assert!(with_stack(|| even(DEEP)));
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!(edges(&snapshot), owned(&[(">even", DEEP / 2 + 1), ("even>odd", DEEP / 2)]));
        assert!(!odd(4));
        let again = timed::snapshot();
        assert_eq!(calls(&again, "odd"), DEEP / 2 + 3);
        assert_eq!(calls(&again, "even"), DEEP / 2 + 1 + 2);
    }

    fn branching_recursion() {
        (0..50).for_each(|_| fork(6));
        let snapshot = timed::snapshot();
        check_sums(&snapshot);
        assert_eq!(edges(&snapshot), owned(&[(">fork", 50 * 127), ("fork>b", 50 * 63)]));
    }

    fn sixty_four_callers_and_callees() {
        for _ in 0..300 {
            CALLERS.iter().for_each(|f| f());
            calls_all();
        }
        let snapshot = timed::snapshot();
        check_sums(&snapshot);
        assert_eq!(calls(&snapshot, "b"), 2 * 64 * 300);
        assert_eq!(snapshot.tree.len(), 64 * 4 + 1);
        for node in &snapshot.tree {
            assert_eq!(node.calls, 300, "{}", name_of(&snapshot, node));
        }
    }

    fn unwinding() {
        std::panic::set_hook(Box::new(|_| {}));
        (0..200).for_each(|_| survives());
        let _ = std::panic::take_hook();
        let snapshot = timed::snapshot();
        check(&snapshot);
        let expected = [(">survives", 200), ("fails>b", 800), ("survives>b", 200), ("survives>fails", 800)];
        assert_eq!(edges(&snapshot), owned(&expected));
        assert!(snapshot.sites.iter().all(|site| site.in_flight == 0), "{snapshot:#?}");
    }

    fn a_scope_that_outlives_what_is_above_it() {
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..100 {
            let (mut first, mut second) = (pin!(keeps_a_scope(2)), pin!(keeps_a_scope(3)));
            // Opened first, ended first, with the other one open above it.
            assert!(first.as_mut().poll(&mut context).is_pending());
            assert!(second.as_mut().poll(&mut context).is_pending());
            assert!(first.as_mut().poll(&mut context).is_pending());
            assert!(first.as_mut().poll(&mut context).is_ready());
            b();
            assert!(second.as_mut().poll(&mut context).is_pending());
            assert!(second.as_mut().poll(&mut context).is_pending());
            assert!(second.as_mut().poll(&mut context).is_ready());
            // The stack of open activations is as it was.
            c();
        }
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!((calls(&snapshot, "kept"), calls(&snapshot, "b")), (200, 700));
        assert!(snapshot.sites.iter().all(|site| site.in_flight == 0), "{snapshot:#?}");
        assert_eq!(snapshot.dropped, 0);
        let edges = edges(&snapshot);
        assert!(edges.contains(&(String::from(">c"), 100)) && edges.contains(&(String::from("c>b"), 100)), "{edges:?}");
    }

    fn a_future_dropped_with_its_scope_open() {
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..100 {
            let mut other = Box::pin(keeps_a_scope(1));
            let mut dropped = Box::pin(keeps_a_scope(9));
            assert!(dropped.as_mut().poll(&mut context).is_pending());
            assert!(other.as_mut().poll(&mut context).is_pending());
            drop(dropped);
            assert!(other.as_mut().poll(&mut context).is_ready());
        }
        let snapshot = timed::snapshot();
        check(&snapshot);
        assert_eq!((calls(&snapshot, "kept"), site(&snapshot, "kept").in_flight), (200, 0));
    }
}
