//! What holds between threads, under every interleaving and every order of memory that loom finds.
//!
//! The owner's side of a lane is modelled by what it stores, in the order in which `probe` does:
//! the probe itself needs thread-locals and statics, in which loom's atomics cannot stand.

use super::arena::{self, Arena, Bump};
use super::layout::{Block, Frame, Frames, Pending};
use super::memory;
use super::roster::Roster;
use crate::recording::{PendingData, read_frame};
use crate::sync::{AtomicU64, Ordering, Own as _, Word};
use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::sync::Arc;
use loom::thread;

/// Runs the model with at most `preemptions` where no thread waits.
fn check(preemptions: usize, model: impl Fn() + Send + Sync + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.max_branches = 10_000;
    builder.check(model);
}

/// Words of one of the recorder's types, for good.
fn words_of<T>() -> &'static T {
    let words = memory::words(size_of::<T>() / size_of::<Word>()).expect("there is memory");
    // SAFETY: the types here are repr(C) words alone, and the words are never given back.
    unsafe { &*words.cast::<T>() }
}

/// What a seat's owner owns: loom tells when two threads are at it, or one does not see what
/// another has left.
#[derive(Clone, Copy)]
struct Owned(&'static UnsafeCell<u64>);

// SAFETY: shared as lanes are; loom watches over it.
unsafe impl Send for Owned {}
// SAFETY: as above.
unsafe impl Sync for Owned {}

/// A thread's life: takes a seat, or adds one, works, and leaves.
fn live(roster: &Roster<Owned>, thread: u64, open: bool, gone: fn(u64) -> bool) {
    let seat = roster.claim(thread, gone).unwrap_or_else(|| {
        roster.add(words_of::<Word>(), thread, Owned(Box::leak(Box::new(UnsafeCell::new(0)))))
    });
    // SAFETY: what the roster is to guarantee: nobody else has the seat.
    seat.lane.0.with_mut(|work| unsafe { *work += 1 });
    seat.release(thread, open);
}

/// Seats, and the work done in them, when all threads have ended.
fn sum_up(roster: &Roster<Owned>) -> (usize, u64) {
    // SAFETY: the other threads have been joined.
    let work = roster.seats().map(|seat| seat.lane.0.with(|work| unsafe { *work }));
    work.fold((0, 0), |(seats, all), work| (seats + 1, all + work))
}

#[test]
fn loom_a_seat_has_one_owner_who_sees_what_the_one_before_has_left() {
    check(3, || {
        let roster = Arc::new(Roster::new());
        live(&roster, 1, false, |_| false);
        let others: Vec<_> = (2..4)
            .map(|id| {
                let roster = Arc::clone(&roster);
                thread::spawn(move || live(&roster, id, false, |_| false))
            })
            .collect();
        live(&roster, 4, false, |_| false);
        others.into_iter().for_each(|other| other.join().expect("it ends"));
        let (seats, work) = sum_up(&roster);
        assert!((1..=3).contains(&seats), "{seats} seats");
        assert_eq!(work, 4);
    });
}

#[test]
fn loom_threads_add_their_seats_at_once() {
    check(3, || {
        let roster = Arc::new(Roster::new());
        let others: Vec<_> = (1..3)
            .map(|id| {
                let roster = Arc::clone(&roster);
                thread::spawn(move || live(&roster, id, false, |_| false))
            })
            .collect();
        others.into_iter().for_each(|other| other.join().expect("it ends"));
        assert_eq!(sum_up(&roster).1, 2);
    });
}

#[test]
fn loom_a_seat_left_open_waits_for_its_thread_s_end() {
    check(3, || {
        let roster = Arc::new(Roster::new());
        live(&roster, 1, true, |_| false);
        let other = {
            let roster = Arc::clone(&roster);
            // To this one thread 1 is still alive.
            thread::spawn(move || live(&roster, 2, false, |_| false))
        };
        live(&roster, 3, false, |thread| thread == 1);
        other.join().expect("it ends");
        let (seats, work) = sum_up(&roster);
        assert!(work == 3 && (1..=2).contains(&seats), "{seats} seats");
    });
}

#[test]
fn loom_a_block_that_is_found_is_whole() {
    /// Found blocks, each of which says whose it is.
    fn found(arena: &Arena) -> usize {
        let mut found = 0;
        for extent in arena.extents() {
            for (kind, words) in arena::blocks(extent) {
                assert_eq!(kind, Frames::KIND);
                let block = arena::view::<Frames>(words).expect("it is long enough");
                assert_eq!(block.depth.get(), block.lane.get() + 100);
                found += 1;
            }
        }
        found
    }
    check(2, || {
        let arena = Arc::new(Arena::new());
        let writers: Vec<_> = (1..3)
            .map(|lane| {
                let arena = Arc::clone(&arena);
                thread::spawn(move || {
                    let mut bump = Bump::new();
                    for _ in 0..lane {
                        bump.block::<Frames>(&arena, |block| {
                            block.lane.set(lane);
                            block.depth.set(lane + 100);
                        })
                        .expect("there is memory");
                    }
                })
            })
            .collect();
        assert!(found(&arena) <= 3);
        writers.into_iter().for_each(|writer| writer.join().expect("it ends"));
        assert_eq!(found(&arena), 3);
    });
}

/// A clock reading: a reader takes one with an empty upper half for a half-written one.
const fn at(time: u64) -> u64 {
    time << 32
}

/// As `probe::open` and the guard do.
fn open(frame: &Frame, what: u64, time: u64) {
    frame.what.store(what, Ordering::Release);
    frame.start.store(at(time), Ordering::Release);
}

#[test]
fn loom_an_open_frame_s_words_belong_together() {
    check(3, || {
        let frame = words_of::<Frame>();
        let owner = thread::spawn(move || {
            for call in 1..4 {
                open(frame, call * 8, call);
                frame.start.set(0);
            }
            open(frame, 4 * 8, 4);
        });
        for _ in 0..2 {
            if let Some((what, data)) = read_frame(frame) {
                assert_eq!(data.start, at(what / 8));
            }
        }
        owner.join().expect("it ends");
        let (what, data) = read_frame(frame).expect("it is open");
        assert_eq!((what, data.start), (4 * 8, at(4)));
    });
}

/// The words that a lane's owner adds readings to.
#[derive(Clone, Copy)]
struct Counted {
    pending: &'static Pending,
    frame: &'static Frame,
    count: &'static Word,
}

impl Counted {
    fn new() -> Self {
        Self { pending: words_of(), frame: words_of(), count: words_of() }
    }

    /// As `probe::close_leaf`: adds the reading before this one, and leaves this one.
    fn close(&self, slot: u64, begin: u64, end: u64) {
        if self.pending.end.get() != 0 {
            self.count.bump(1);
        }
        self.pending.base.set(at(begin));
        self.pending.slot.set(slot);
        self.frame.start.set(0);
        self.pending.end.store(at(end), Ordering::Release);
    }

    /// Counts as a reader does.
    fn read(&self) -> (u64, Option<PendingData>) {
        let count = self.count.load(Ordering::Acquire);
        let pending = PendingData::read(self.pending);
        (count + u64::from(pending.is_some()), pending)
    }
}

#[test]
fn loom_a_pending_reading_is_counted_once() {
    check(3, || {
        let lane = Counted::new();
        let owner = thread::spawn(move || {
            for call in 1..4 {
                open(lane.frame, call * 8, call * 10);
                lane.close(call, call * 10, call * 10 + call);
            }
        });
        let (counted, pending) = lane.read();
        assert!(counted <= 3, "{counted} calls");
        if let Some(data) = pending.filter(|data| data.raw() as i64 >= 0) {
            let call = data.end / at(10);
            assert_eq!((data.base, data.raw()), (at(call * 10), at(call)));
        }
        owner.join().expect("it ends");
        let (counted, pending) = lane.read();
        assert_eq!((counted, pending.map(|data| data.slot)), (3, Some(3)));
    });
}

#[test]
fn loom_a_reader_of_the_new_epoch_finds_nothing_of_the_old() {
    check(3, || {
        let (count, epoch, reset) =
            (words_of::<Word>(), words_of::<Word>(), Arc::new(AtomicU64::new(0)));
        count.set(5);
        let owner = {
            let reset = Arc::clone(&reset);
            thread::spawn(move || {
                // As `cold::keep_up` and `Books::clear` do, at each call.
                for _ in 0..2 {
                    let asked = reset.load(Ordering::Acquire);
                    if epoch.get() != asked {
                        count.set(0);
                        epoch.store(asked, Ordering::Release);
                    }
                    count.bump(1);
                }
            })
        };
        reset.store(1, Ordering::Release);
        if epoch.load(Ordering::Acquire) == 1 {
            let counted = count.get();
            assert!(counted <= 2, "{counted} calls since the reset");
        }
        owner.join().expect("it ends");
        let (epoch, counted) = (epoch.load(Ordering::Acquire), count.get());
        assert_eq!(counted, if epoch == 1 { counted.clamp(1, 2) } else { 7 });
    });
}
