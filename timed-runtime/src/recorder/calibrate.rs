//! Measuring the probe's cost with the probe itself, in a lane that no report reads.

use super::arena::Arena;
use super::books::Books;
use super::guard::{Fence, Full, Guard, Relaxed, begin};
use super::layout::Node;
use super::site::{Kind, Name, Reads, Site};
use super::thread::{self, Desk};
use super::{cold, owner, probe, wall};
use crate::clock::{Choice, arch, bare_pair, stop_counter};
use crate::cost::{Cost, Costs, Run};
use crate::sync::Own as _;
use core::ptr;
use core::sync::atomic::{AtomicBool, Ordering};

static FULL: Site = Site::new(Name::Given("full"), "", "", 0, Kind::Fn, 0, Reads::Full);
static RELAXED: Site = Site::new(Name::Given("relaxed"), "", "", 0, Kind::Fn, 0, Reads::Relaxed);

static POLLED: Site = Site::new(Name::Given("poll"), "", "", 0, Kind::Async, 0, Reads::Full);
static OUTER: Site = Site::new(Name::Given("outer"), "", "", 0, Kind::Fn, 0, Reads::Full);

/// Keys that these sites have for good: they are in no table, and no report.
const KEYS: [u64; 4] = [1 << 62 | 1 << 6, 1 << 62 | 2 << 6, 1 << 62 | 3 << 6, 1 << 62 | 4 << 6];

/// Runs of one kind of probe: at 32 calls of some 60 ns each, a quarter of a millisecond.
const RUNS: usize = 48;
/// Calls of a run: four rounds of [`ROUND_LINKS`] over eight calls.
const ROUNDS: usize = 4;
const ROUND_CALLS: usize = 8;
const ROUND_LINKS: usize = 4 + 11 + 6 + 13 + 5 + 9 + 7 + 10;

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
/// The caller's place in `Bench::nodes`, behind those of the kinds of probes.
const OUTERS: usize = 3;

/// The lane, and who may use it.
#[derive(Debug)]
pub(crate) struct Bench {
    /// What the measuring thread's desk shows meanwhile.
    desk: Desk,
    nodes: [&'static Node; 4],
    taken: AtomicBool,
}

// SAFETY: `desk` is used by the thread that has set `taken` alone; the rest may be shared.
unsafe impl Sync for Bench {}
// SAFETY: nothing in it belongs to a thread.
unsafe impl Send for Bench {}

/// A timed chain, as a user's function would be.
#[inline(never)]
fn timed_chain<F: Fence, const LINKS: usize>(
    begin: fn(&'static Site) -> Guard<F>,
    site: &'static Site,
    x: u64,
) -> u64 {
    let guard = begin(site);
    let x = arch::chain::<LINKS>(x);
    drop(guard);
    x
}

/// Eight chains of different lengths, so that the run's period does not lock to the counter's step.
macro_rules! round {
    ($fence:ty, $enter:path, $site:expr, $x:ident) => {
        $x = timed_chain::<$fence, 4>($enter, $site, $x);
        $x = timed_chain::<$fence, 11>($enter, $site, $x);
        $x = timed_chain::<$fence, 6>($enter, $site, $x);
        $x = timed_chain::<$fence, 13>($enter, $site, $x);
        $x = timed_chain::<$fence, 5>($enter, $site, $x);
        $x = timed_chain::<$fence, 9>($enter, $site, $x);
        $x = timed_chain::<$fence, 7>($enter, $site, $x);
        $x = timed_chain::<$fence, 10>($enter, $site, $x);
    };
}
fn full_rounds(mut x: u64) -> u64 {
    for _ in 0..ROUNDS {
        round!(Full, super::guard::enter, &FULL, x);
    }
    x
}

/// A caller with one callee.
#[inline(never)]
fn nested(x: u64) -> u64 {
    let guard = super::guard::enter(&OUTER);
    let x = timed_chain::<Full, NESTED_LINKS>(super::guard::enter, &FULL, x);
    drop(guard);
    x
}

fn nested_rounds(mut x: u64) -> u64 {
    for _ in 0..ROUNDS * ROUND_CALLS {
        x = nested(x);
    }
    x
}

fn relaxed_rounds(mut x: u64) -> u64 {
    for _ in 0..ROUNDS {
        round!(Relaxed, super::guard::enter_relaxed, &RELAXED, x);
    }
    x
}

/// A chain, timed as a future's poll that leaves it pending.
#[inline(never)]
fn timed_poll<const LINKS: usize>(base: &mut u64, x: u64) -> u64 {
    let frame = begin::<Full>(&POLLED, false);
    let x = arch::chain::<LINKS>(x);
    if !frame.is_null() {
        // SAFETY: `begin` has returned the frame.
        unsafe { Full::close_poll(frame, base, false) }
    }
    x
}

fn polled_rounds(mut x: u64) -> u64 {
    let mut base = wall::NEW;
    for _ in 0..ROUNDS {
        x = timed_poll::<4>(&mut base, x);
        x = timed_poll::<11>(&mut base, x);
        x = timed_poll::<6>(&mut base, x);
        x = timed_poll::<13>(&mut base, x);
        x = timed_poll::<5>(&mut base, x);
        x = timed_poll::<9>(&mut base, x);
        x = timed_poll::<7>(&mut base, x);
        x = timed_poll::<10>(&mut base, x);
    }
    x
}

/// A link's ticks, from the fastest of long chains without a probe.
fn link() -> f64 {
    const LINKS: usize = 64;
    const LOOPS: usize = 32;
    let mut x = 1;
    let fastest = (0..16)
        .map(|_| {
            let begin = arch::start();
            for _ in 0..LOOPS {
                x = arch::chain::<LINKS>(x);
            }
            stop_counter().wrapping_sub(begin)
        })
        .min()
        .unwrap_or(0);
    core::hint::black_box(x);
    // The reading's own floor is about that of a bare pair: a thousandth of the chain.
    (fastest as f64 - bare_pair() as f64 / 256.0 / 2.0) / (LINKS * LOOPS) as f64
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
        for (node, (site, key)) in
            nodes.iter_mut().zip([&FULL, &RELAXED, &POLLED, &OUTER].into_iter().zip(KEYS))
        {
            site.key.store(key, Ordering::Relaxed);
            let (found, slot) = books.resolve(lane, books.root_address(), site, Some(key))?;
            books.wall_slot(slot)?;
            *node = Some(found);
        }
        let [Some(full), Some(relaxed), Some(polled), Some(outer)] = nodes else { return None };
        Some(Self { desk, nodes: [full, relaxed, polled, outer], taken: AtomicBool::new(false) })
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

    fn on_counter(&self) -> Costs {
        let link = link();
        let pair_before = bare_pair();
        let full = Cost::of(&self.runs(probe::FULL, full_rounds), link);
        let relaxed = Cost::of(&self.runs(probe::RELAXED, relaxed_rounds), link);
        let poll = Cost::of(&self.runs(probe::POLL, polled_rounds), link);
        let finding = self.finding(&full, link);
        let pair_after = bare_pair();
        Costs {
            full,
            relaxed,
            poll,
            finding,
            pair: (pair_before + pair_after) as f64 / 2.0 / 256.0,
        }
    }

    /// On the system's clock every call takes the cold path: what two reads of it take is the
    /// floor, and the cold path around them is left out.
    fn on_system_clock() -> Costs {
        let mut reads: Vec<f64> = (0..64)
            .map(|_| {
                let begin = crate::clock::monotonic_ns();
                crate::clock::monotonic_ns().wrapping_sub(begin) as f64
            })
            .collect();
        let (floor, floor_spread) = crate::cost::middle(&mut reads);
        let cost = Cost { floor, floor_spread, ..Cost::default() };
        Costs { full: cost, relaxed: cost, poll: cost, finding: 0.0, pair: floor }
    }

    /// What a caller's reading holds beside its one callee, the callee's probe and its own floor.
    /// Where nothing else happens in between, the two probes overlap a little: it may be negative.
    fn finding(&self, full: &Cost, link: f64) -> f64 {
        let sums = &self.nodes[OUTERS].sums[0];
        let mut x = nested_rounds(nested_rounds(1));
        let mut readings: Vec<f64> = (0..RUNS / 2)
            .map(|_| {
                let (calls, raw) = (sums.calls.get(), sums.raw.get());
                x = nested_rounds(x);
                let calls = sums.calls.get().wrapping_sub(calls).max(1);
                sums.raw.get().wrapping_sub(raw) as f64 / calls as f64
            })
            .collect();
        core::hint::black_box(x);
        crate::cost::middle(&mut readings).0
            - full.floor
            - full.whole()
            - NESTED_LINKS as f64 * link
    }

    fn runs(&self, kind: usize, rounds: fn(u64) -> u64) -> Vec<Run> {
        let sums = &self.nodes[kind].sums[0];
        let mut x = 1;
        // The first meet octaves that are not there yet, and code that is not in any cache.
        for _ in 0..4 {
            x = rounds(x);
        }
        let runs = (0..RUNS)
            .map(|_| {
                let (calls, raw) = (sums.calls.get(), sums.raw.get());
                let begin = arch::start();
                x = rounds(x);
                let end = stop_counter();
                Run {
                    // A reset may have cleared the lane meanwhile: such a run is left out.
                    calls: sums.calls.get().saturating_sub(calls).max(1) as f64,
                    links: (ROUNDS * ROUND_LINKS) as f64,
                    raw: sums.raw.get().wrapping_sub(raw) as f64,
                    around: end.wrapping_sub(begin) as f64,
                }
            })
            .filter(|run| run.calls as usize == ROUNDS * ROUND_CALLS)
            .collect();
        core::hint::black_box(x);
        runs
    }
}
