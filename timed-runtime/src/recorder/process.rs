//! What a process has one of, made at its first timed call, and made anew in a forked child.
//!
//! The one word that leads to it lies in a page that the kernel wipes on fork. Where it cannot,
//! a handler that runs in the child forgets the word instead.

use super::arena::Arena;
use super::calibrate::Bench;
use super::control;
use super::history::History;
use super::hop;
use super::lane::Lane;
use super::memory;
use super::roster::Roster;
use super::site;
use crate::clock::{self, Anchor, Choice};
use crate::config::{self, Config};
use crate::cost::{Costs, Limits, Refused};
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::ptr;

/// A lane's address, for the roster.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LaneAt(pub(crate) *const Lane);

// SAFETY: only the seat's owner reads or writes behind the address.
unsafe impl Send for LaneAt {}
// SAFETY: as above.
unsafe impl Sync for LaneAt {}

/// One process's recording and what belongs to it.
#[derive(Debug)]
pub(crate) struct Process {
    /// Tells this process's descriptions of sites from its parent's.
    pub(crate) generation: u64,
    pub(crate) arena: Arena,
    pub(crate) roster: Roster<LaneAt>,
    pub(crate) clock: Choice,
    /// Step of the clock, in ticks.
    pub(crate) resolution: u64,
    /// As first use measured them; none where that made costs that no probe has.
    pub(crate) costs: Costs,
    pub(crate) refused: Option<Refused>,
    /// The lane in which costs are measured.
    pub(crate) bench: Bench,
    pub(crate) began: Anchor,
    /// It, and those since.
    pub(crate) history: History,
    /// Ticks from one batch of bare pairs to the next: about 10 ms.
    pub(crate) batch_every: u64,
}

impl Process {
    /// What costs are believed to be.
    pub(crate) fn limits(&self) -> Limits {
        Limits { step: self.resolution as f64, per_10_ms: self.batch_every as f64 }
    }

    /// Whether it is a forked child.
    pub(crate) fn is_child(&self) -> bool {
        self.generation > 1
    }
}

/// The page that a fork wipes.
#[derive(Debug)]
struct Page {
    state: AtomicU64,
    process: AtomicPtr<Process>,
}

const BLANK: u64 = 0;
const STARTING: u64 = 1;
const LIVE: u64 = 2;

static PAGE: AtomicPtr<Page> = AtomicPtr::new(ptr::null_mut());
static CONFIG: AtomicPtr<Config> = AtomicPtr::new(ptr::null_mut());
static GENERATIONS: AtomicU64 = AtomicU64::new(0);

/// The settings, once the first timed call has read them.
pub(crate) fn config() -> Option<&'static Config> {
    // SAFETY: null, or a leaked box.
    unsafe { CONFIG.load(Ordering::Acquire).as_ref() }
}

/// The process, if it has made a timed call.
pub(crate) fn get() -> Option<&'static Process> {
    // SAFETY: null, or a page that is never given back.
    let page = unsafe { PAGE.load(Ordering::Acquire).as_ref() }?;
    // SAFETY: null, or a leaked box.
    unsafe { page.process.load(Ordering::Acquire).as_ref() }
}

/// The process, made if this is its first timed call. None where it is off, where there is no
/// memory, or where another thread has been making it for too long.
pub(crate) fn get_or_start() -> Option<&'static Process> {
    if let Some(process) = get() {
        return Some(process);
    }
    if control::is_off() {
        return None;
    }
    let page = page()?;
    match page.state.compare_exchange(BLANK, STARTING, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => {
            let process = start();
            if let Some(process) = process {
                // Before anybody's first call returns: whoever has made one gets a report.
                if let Some(config) = config() {
                    crate::life::arm(config);
                }
                page.process.store(ptr::from_ref(process).cast_mut(), Ordering::Release);
            }
            page.state.store(LIVE, Ordering::Release);
            process
        }
        Err(_) => wait(page),
    }
}

/// Start-up takes about a millisecond, on a busy machine some more. A thread that comes meanwhile
/// waits for it, but not for one that never ends: its calls then count as untimed.
fn wait(page: &Page) -> Option<&'static Process> {
    for _ in 0..1000 {
        if page.state.load(Ordering::Acquire) == LIVE {
            break;
        }
        std::thread::sleep(std::time::Duration::from_micros(50));
    }
    get()
}

fn page() -> Option<&'static Page> {
    let known = PAGE.load(Ordering::Acquire);
    // SAFETY: null, or a page that is never given back.
    if let Some(page) = unsafe { known.as_ref() } {
        return Some(page);
    }
    let fresh = memory::zeroed(memory::PAGE_BYTES)?.cast::<Page>();
    match PAGE.compare_exchange(ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => {
            if !memory::can_wipe() {
                forget_on_fork();
            }
            // SAFETY: zeroed memory, which is a blank Page, never given back.
            Some(unsafe { &*fresh })
        }
        // The page that came second is one page lost, once.
        // SAFETY: not null, and never given back.
        Err(theirs) => Some(unsafe { &*theirs }),
    }
}

/// For kernels that cannot wipe: the child's handler forgets the page and the thread's lane.
fn forget_on_fork() {
    #[cfg(unix)]
    {
        unsafe extern "C" fn forget() {
            PAGE.store(ptr::null_mut(), Ordering::Release);
            super::thread::with_desk(super::thread::Desk::forget_lane);
        }
        // SAFETY: the handler stores to a static and to thread-locals without destructors.
        unsafe { libc::pthread_atfork(None, None, Some(forget)) };
    }
}

fn start() -> Option<&'static Process> {
    // First, because signal handlers' calls count while this is at work; and only where there has
    // been a parent, because they have counted before.
    if GENERATIONS.load(Ordering::Relaxed) > 0 {
        forget_untimed();
    }
    let config = config().unwrap_or_else(|| {
        let (config, complaints) = Config::from_env(|name| std::env::var_os(name));
        let misspelt = config::misspelt(config::names());
        for line in complaints.iter().chain(&misspelt) {
            crate::life::say(line);
        }
        let config = Box::leak(Box::new(config));
        CONFIG.store(config, Ordering::Release);
        config
    });
    if !config.on {
        control::turn_off();
        return None;
    }
    let clock = Choice::make();
    let history = History::new();
    hop::tell_clock(clock.counter);
    let began = Anchor::take(&clock);
    let resolution = clock::step(|| clock.start());
    let bench = Bench::new(&clock)?;
    let measured = bench.measure(clock.counter).unwrap_or_default();
    let calibrated = Anchor::take(&clock);
    // A second's worth where the clock did not advance yet: then nothing follows it closely.
    let batch_every = began
        .frequency(&calibrated)
        .map_or(1 << 31, |frequency| (frequency.hz / 100.0).clamp(1e4, 1e12) as u64);
    for anchor in [&began, &calibrated] {
        history.add(anchor, batch_every);
    }
    let limits = Limits { step: resolution as f64, per_10_ms: batch_every as f64 };
    let (costs, refused) = match measured.checked(&limits) {
        Ok(costs) => (costs, None),
        Err(refused) => (Costs::default(), Some(refused)),
    };
    let process = Process {
        generation: GENERATIONS.fetch_add(1, Ordering::Relaxed) + 1,
        arena: Arena::new(),
        roster: Roster::new(),
        resolution,
        costs,
        refused,
        bench,
        began,
        history,
        batch_every,
        clock,
    };
    Some(Box::leak(Box::new(process)))
}

/// Calls that were not timed, back to none: at a reset, and in a forked child.
pub(crate) fn forget_untimed() {
    site::called().for_each(|site| site.untimed.store(0, Ordering::Relaxed));
}
