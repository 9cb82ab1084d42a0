//! Measuring the probe's cost with the probe itself, in a lane that no report reads.

mod hop;

use super::arena::Arena;
use super::books::Books;
use super::future;
use super::guard::{Fence, Full, Guard, Relaxed};
use super::layout::{Node, Slot};
use super::site::{Kind, Name, Reads, Site};
use super::thread::{self, Desk};
use super::{cold, owner, probe};
use crate::clock::{Choice, arch, bare_pair, stop_counter};
use crate::cost::{Cost, Costs, Run, middle};
use crate::sync::Own as _;
use core::pin::pin;
use core::ptr;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Poll, Waker};
use std::future::Future as _;

static FULL: Site = Site::new(Name::Given("full"), "", "", 0, Kind::Fn, 0, Reads::Full);
static RELAXED: Site = Site::new(Name::Given("relaxed"), "", "", 0, Kind::Fn, 0, Reads::Relaxed);

static POLLED: Site = Site::new(Name::Given("poll"), "", "", 0, Kind::Async, 0, Reads::Full);
static OUTER: Site = Site::new(Name::Given("outer"), "", "", 0, Kind::Fn, 0, Reads::Full);

/// Gives one of the bench's own sites a number, which keeps it out of the table of sites and so out of
/// a pause's or a reset's reach, and its key for good, which it returns.
fn own(site: &'static Site, number: u32) -> u64 {
    let key = 1 << 62 | u64::from(number) << 6;
    site.id.store(number, Ordering::Relaxed);
    site.key.store(key, Ordering::Relaxed);
    key
}

/// Runs of each kind: 32 calls, and a round in front of them, take some two microseconds.
const RUNS: usize = 32;
/// Calls of a run: four rounds of [`ROUND_LINKS`] over eight calls.
const ROUNDS: usize = 4;
const ROUND_CALLS: usize = 8;
const ROUND_LINKS: usize = 4 + 11 + 6 + 13 + 5 + 9 + 7 + 10;
/// Calls, and links, of a run.
const CALLS: f64 = (ROUNDS * ROUND_CALLS) as f64;
const LINKS: f64 = (ROUNDS * ROUND_LINKS) as f64;

/// Whether this is one of the sites that costs are measured with.
pub(crate) fn is_own(site: &'static Site) -> bool {
    [&FULL, &RELAXED, &POLLED, &OUTER].into_iter().any(|own| ptr::eq(own, site))
}

/// The word of the frames in which polls are measured.
pub(super) fn polled() -> u64 {
    POLLED.address()
}

/// Links of the callee in [`nested`].
const NESTED_LINKS: usize = 8;
/// Behind the kinds of probes: a caller's place in `Bench::nodes`, and those of all among the runs.
const OUTERS: usize = 3;
const HOPS: usize = 4;
const STAMPS: usize = 5;

/// The lane, and who may use it.
#[derive(Debug)]
pub(crate) struct Bench {
    /// What the measuring thread's desk shows meanwhile.
    desk: Desk,
    nodes: [&'static Node; 4],
    hops: &'static Slot,
    taken: AtomicBool,
}

// SAFETY: `desk` is used by the thread that has set `taken` alone; the rest may be shared.
unsafe impl Sync for Bench {}
// SAFETY: nothing in it belongs to a thread.
unsafe impl Send for Bench {}

/// A timed chain, as a user's function would be.
#[inline(never)]
fn timed_chain<F: Fence, const LINKS: usize>(site: &'static Site, x: u64) -> u64 {
    let guard = Guard::<F>::begin(site);
    let x = arch::chain::<LINKS>(x);
    drop(guard);
    x
}

/// Eight chains of different lengths, so that the run's period does not lock to the counter's step.
macro_rules! round {
    ($fence:ty, $site:expr, $x:ident) => {
        $x = timed_chain::<$fence, 4>($site, $x);
        $x = timed_chain::<$fence, 11>($site, $x);
        $x = timed_chain::<$fence, 6>($site, $x);
        $x = timed_chain::<$fence, 13>($site, $x);
        $x = timed_chain::<$fence, 5>($site, $x);
        $x = timed_chain::<$fence, 9>($site, $x);
        $x = timed_chain::<$fence, 7>($site, $x);
        $x = timed_chain::<$fence, 10>($site, $x);
    };
}
fn full_rounds(mut x: u64, rounds: usize) -> u64 {
    for _ in 0..rounds {
        round!(Full, &FULL, x);
    }
    x
}

/// A caller with one callee.
#[inline(never)]
fn nested(x: u64) -> u64 {
    let guard = super::guard::enter(&OUTER);
    let x = timed_chain::<Full, NESTED_LINKS>(&FULL, x);
    drop(guard);
    x
}

fn nested_rounds(mut x: u64, rounds: usize) -> u64 {
    for _ in 0..rounds * ROUND_CALLS {
        x = nested(x);
    }
    x
}

fn relaxed_rounds(mut x: u64, rounds: usize) -> u64 {
    for _ in 0..rounds {
        round!(Relaxed, &RELAXED, x);
    }
    x
}

/// A chain, timed as a future that is ready at its first poll. With all that there is around a poll:
/// a caller pays for that, too.
#[inline(never)]
fn timed_poll<const LINKS: usize>(context: &mut Context<'_>, x: u64) -> u64 {
    let plan = future::every::<Full, _>(|| &POLLED);
    let future = pin!(future::future(plan, async move { arch::chain::<LINKS>(x) }));
    match future.poll(context) {
        Poll::Ready(x) => x,
        Poll::Pending => 0,
    }
}

fn polled_rounds(mut x: u64, rounds: usize) -> u64 {
    let context = &mut Context::from_waker(Waker::noop());
    for _ in 0..rounds {
        x = timed_poll::<4>(context, x);
        x = timed_poll::<11>(context, x);
        x = timed_poll::<6>(context, x);
        x = timed_poll::<13>(context, x);
        x = timed_poll::<5>(context, x);
        x = timed_poll::<9>(context, x);
        x = timed_poll::<7>(context, x);
        x = timed_poll::<10>(context, x);
    }
    x
}

/// A link's ticks, from a long chain without a probe.
fn link(x: &mut u64) -> f64 {
    const LINKS: usize = 64;
    const LOOPS: usize = 32;
    let begin = arch::start();
    for _ in 0..LOOPS {
        *x = arch::chain::<LINKS>(*x);
    }
    let ticks = stop_counter().wrapping_sub(begin) as i64 as f64;
    // The reading's own floor is about half of a bare pair: a thousandth of the chain.
    (ticks - in_ticks(bare_pair()) / 2.0) / (LINKS * LOOPS) as f64
}

/// What [`bare_pair`] says.
fn in_ticks(pair: u64) -> f64 {
    pair as f64 / 256.0
}

/// So many rounds of chains, with the result of the one before.
type Rounds = fn(u64, usize) -> u64;

/// Ticks of one run, by a reading around it.
fn around(rounds: Rounds, x: &mut u64) -> f64 {
    let begin = arch::start();
    *x = rounds(*x, ROUNDS);
    stop_counter().wrapping_sub(begin) as i64 as f64
}

impl Bench {
    /// A lane with the bench's sites in its cache; none if the system has no memory.
    pub(crate) fn new(clock: &Choice) -> Option<Self> {
        let arena = Box::leak(Box::new(Arena::new()));
        let desk = Desk::new();
        let books = Books::new(arena, 0)?;
        let lane = owner::make_lane(books, clock.counter)?;
        // SAFETY: this thread has just made the lane, and is at work.
        let books = unsafe { cold::books(lane) };
        books.set_up(&desk, lane);
        desk.next.set(desk.held.get());
        let mut nodes = [None; 4];
        for (node, (site, number)) in
            nodes.iter_mut().zip([&FULL, &RELAXED, &POLLED, &OUTER].into_iter().zip(1..))
        {
            let key = own(site, number);
            let (found, slot) = books.resolve(lane, books.root_address(), site, Some(key))?;
            books.wall_slot(slot)?;
            *node = Some(found);
        }
        let [Some(full), Some(relaxed), Some(polled), Some(outer)] = nodes else { return None };
        let nodes = [full, relaxed, polled, outer];
        let hops = hop::prepare(lane, books)?;
        Some(Self { desk, nodes, hops, taken: AtomicBool::new(false) })
    }

    /// Costs as they are now, in under a millisecond. None while another thread measures them.
    ///
    /// The calling thread must be at work (`cold::work`), so that its own lane is not in use.
    pub(crate) fn measure(&self, counter: bool) -> Option<Costs> {
        if self.taken.swap(true, Ordering::Acquire) {
            return None;
        }
        let costs = thread::with_desk(|desk| {
            desk.borrow_lane(&self.desk);
            let costs = if counter { self.on_counter() } else { Self::on_system_clock() };
            desk.return_lane(&self.desk);
            costs
        });
        self.taken.store(false, Ordering::Release);
        Some(costs)
    }

    /// On a clock that breaks meanwhile it takes as many readings as on any other, and what they make
    /// is for [`Costs::checked`] to judge.
    ///
    /// Most kinds in turns: what disturbs the machine for a while, another guest of it or the core itself,
    /// then disturbs a part of the runs of each, which is left out, and not one kind's all. Relaxed
    /// probes are by themselves: they overlap with one another, and hardly with a fence.
    fn on_counter(&self) -> Costs {
        const KINDS: [Rounds; 6] = [
            full_rounds,
            relaxed_rounds,
            polled_rounds,
            nested_rounds,
            hop::hopped_rounds,
            hop::stamped_rounds,
        ];
        let mut x = 1;
        // The first meet octaves that are not there yet, and code that is not in any cache.
        for rounds in KINDS {
            x = rounds(x, 4 * ROUNDS);
        }
        let mut runs = KINDS.map(|_| Vec::with_capacity(RUNS));
        let [mut links, mut pairs] = [(); 2].map(|()| Vec::with_capacity(RUNS));
        for _ in 0..RUNS {
            runs[probe::RELAXED].extend(self.run(probe::RELAXED, relaxed_rounds, &mut x));
        }
        for _ in 0..RUNS {
            links.push(link(&mut x));
            pairs.push(in_ticks(bare_pair()));
            for (kind, runs) in
                runs.iter_mut().enumerate().filter(|(kind, _)| *kind != probe::RELAXED)
            {
                runs.extend(self.run(kind, KINDS[kind], &mut x));
            }
        }
        core::hint::black_box(x);
        let link = middle(&mut links).0;
        let [full, relaxed, poll, outer, hop, stamps] = runs;
        let [full, relaxed, poll, outer, hop] =
            [full, relaxed, poll, outer, hop].map(|runs| Cost::of(&runs, link));
        // What a caller's reading holds beyond its own floor and its callee with that's probe. Where
        // nothing else happens in between, the two probes overlap a little: it may be negative.
        let finding = outer.floor - full.floor - full.whole();
        // Cost::of has taken the caller's floor off the reading around, which has a leaf's.
        let closing = outer.outside + (outer.floor - full.floor) / CALLS - full.outside;
        let stamp = |run: Run| (run.around - full.floor - run.links * link) / CALLS;
        let mut stamps: Vec<f64> = stamps.into_iter().map(stamp).collect();
        Costs {
            full,
            relaxed,
            poll,
            hop,
            stamp: middle(&mut stamps).0,
            finding,
            closing,
            pair: middle(&mut pairs).0,
            others_are_odd: false,
        }
    }

    /// One run, and what its calls have read; none if that is not known.
    fn run(&self, kind: usize, rounds: Rounds, x: &mut u64) -> Option<Run> {
        // Code that others have pushed out, and what they have taught the processor to expect.
        *x = rounds(*x, 1);
        let before = self.counted(kind);
        let around = around(rounds, x);
        let after = self.counted(kind);
        let calls = after.0.wrapping_sub(before.0);
        // The counter may have run back in a call.
        (kind == STAMPS || calls == CALLS as u64).then(|| Run {
            calls: CALLS,
            links: if kind == OUTERS { NESTED_LINKS as f64 * CALLS } else { LINKS },
            raw: after.1.wrapping_sub(before.1) as i64 as f64,
            around,
        })
    }

    /// How many readings of a kind there are so far, and their sum.
    fn counted(&self, kind: usize) -> (u64, u64) {
        match kind {
            HOPS => hop::counted(self.hops),
            // They leave no reading.
            STAMPS => (0, 0),
            probe => {
                let sums = &self.nodes[probe].sums[0];
                (sums.calls.get(), sums.raw.get())
            }
        }
    }

    /// On the system's clock every call takes the cold path: what two reads of it take is the
    /// floor, and the cold path around them is left out.
    fn on_system_clock() -> Costs {
        let mut reads: Vec<f64> = (0..64)
            .map(|_| {
                let begin = crate::clock::monotonic_ns();
                crate::clock::monotonic_ns().wrapping_sub(begin) as i64 as f64
            })
            .collect();
        let (floor, floor_spread) = middle(&mut reads);
        let cost = Cost { floor, floor_spread, ..Cost::default() };
        Costs {
            full: cost,
            relaxed: cost,
            poll: cost,
            // Each of the two is one reading.
            hop: Cost { outside: floor, ..cost },
            stamp: floor,
            finding: 0.0,
            closing: 0.0,
            pair: floor,
            others_are_odd: false,
        }
    }
}
