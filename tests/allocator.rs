//! A global allocator that is timed itself: the recorder allocates too, and must not wait for
//! itself, nor lose a call.
#![cfg(all(target_os = "linux", feature = "enabled"))]

#[path = "recorder/alone.rs"]
#[allow(dead_code)] // Other tests use the rest.
mod alone;

use alone::{alone, calls, check, find};
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use timed::timed;

struct Counting;

static ALLOCATED: AtomicU64 = AtomicU64::new(0);
static FREED: AtomicU64 = AtomicU64::new(0);

#[timed]
fn allocate(layout: Layout) -> *mut u8 {
    ALLOCATED.fetch_add(1, Ordering::Relaxed);
    // SAFETY: as for the caller.
    unsafe { System.alloc(layout) }
}

#[timed]
fn free(at: *mut u8, layout: Layout) {
    FREED.fetch_add(1, Ordering::Relaxed);
    // SAFETY: as for the caller.
    unsafe { System.dealloc(at, layout) }
}

// SAFETY: the system's allocator does it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        allocate(layout)
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        free(at, layout);
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[timed]
fn grow(n: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    (0..n).for_each(|n| bytes.push(n as u8));
    black_box(bytes)
}

/// Allocations and frees, as counted here; then as reported. What the report itself allocates
/// comes on top of the first.
fn counts() -> ([u64; 2], [u64; 2]) {
    let before = [ALLOCATED.load(Ordering::Relaxed), FREED.load(Ordering::Relaxed)];
    let snapshot = timed::snapshot();
    check(&snapshot);
    let after = [ALLOCATED.load(Ordering::Relaxed), FREED.load(Ordering::Relaxed)];
    let reported = [calls(&snapshot, "allocate"), calls(&snapshot, "free")];
    for ((before, after), reported) in before.iter().zip(after).zip(reported) {
        assert!((*before..=after).contains(&reported), "{reported} not from {before} to {after}");
    }
    (before, reported)
}

alone! {
    fn every_allocation_is_counted() {
        for n in [1, 10, 1000, 100_000] {
            grow(n);
        }
        let threads: Vec<_> = (0..16).map(|_| thread::spawn(|| drop(black_box(grow(5000))))).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        counts();
        assert_eq!(find(&timed::snapshot(), "grow").map(|site| site.calls), Some(20));
    }

    fn threads_that_come_and_go_allocate_in_their_destructors() {
        thread_local!(static KEPT: std::cell::RefCell<Vec<Vec<u8>>> = const { std::cell::RefCell::new(Vec::new()) });
        for _ in 0..100 {
            thread::spawn(|| KEPT.with_borrow_mut(|kept| kept.push(grow(100)))).join().unwrap();
        }
        let (made, _) = counts();
        assert!(made[0] > 100);
    }

    fn what_is_allocated_between_two_snapshots_is_in_the_second() {
        grow(10);
        let (_, first) = counts();
        (0..1000).for_each(|_| drop(black_box(Box::new(7))));
        let (_, second) = counts();
        assert!(second[0] >= first[0] + 1000 && second[1] >= first[1] + 1000, "{first:?} {second:?}");
    }
}
