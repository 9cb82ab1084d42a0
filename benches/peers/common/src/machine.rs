//! What the system says of this process: its processor's time, its memory; and the counter's rate.

use super::bodies::{begin, end};
use std::fs;
use std::thread::sleep;
use std::time::Duration;

/// Nanoseconds of a clock of the system.
fn clock_ns(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a local that outlives the call.
    let done = unsafe { libc::clock_gettime(clock, &raw mut time) };
    assert_eq!(done, 0, "the system has this clock");
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Processor time of this process, all its threads, ended ones as well.
pub(crate) fn process_ns() -> u64 {
    clock_ns(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// Processor time of this thread.
pub(crate) fn thread_ns() -> u64 {
    clock_ns(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Waits until nobody in this process has anything left to do.
pub(crate) fn quiet() {
    /// Longer than any tool's worker sleeps between two rounds while it has a backlog.
    const WINDOW: Duration = Duration::from_millis(120);
    loop {
        let before = process_ns();
        sleep(WINDOW);
        if process_ns() - before < 1_000_000 {
            return;
        }
    }
}

/// Goes before other processes where that is allowed, and so do the threads that this one starts: a tool that
/// shows plain means would be said to be wrong by what its neighbours on the machine take. Not on a single core,
/// where a tool's own thread has to take its turn with the caller.
pub(crate) fn hurry() {
    if std::thread::available_parallelism().map_or(1, usize::from) == 1 {
        return;
    }
    let lowest = libc::sched_param { sched_priority: 1 };
    // SAFETY: the pointer is to a local, which is read; where it is not allowed, all stays as it is.
    unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO, &raw const lowest) };
}

/// The calling thread stays on the core that it is on; those that run already move as they like.
pub(crate) fn pin() {
    // SAFETY: a set of no CPUs is all zeroes; the calls stay within it, and only read it.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(libc::sched_getcpu().max(0) as usize, &mut set);
        libc::sched_setaffinity(0, size_of_val(&set), &raw const set);
    }
}

/// How often another thread has taken this one's core.
pub(crate) fn interruptions() -> i64 {
    // SAFETY: all zeroes are a value of this struct of integers, which the call fills.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage);
        usage.ru_nivcsw
    }
}

/// Kilobytes of this process in memory: now, and at most so far.
pub(crate) fn memory_kb() -> (u64, u64) {
    let status = fs::read_to_string("/proc/self/status").expect("Linux has it");
    let field = |name: &str| {
        status
            .lines()
            .find_map(|line| line.strip_prefix(name)?.trim().strip_suffix(" kB")?.parse().ok())
            .unwrap_or(0)
    };
    (field("VmRSS:"), field("VmHWM:"))
}

/// Ticks that `work` takes.
#[inline(always)]
pub(crate) fn ticks(work: impl FnOnce()) -> f64 {
    let from = begin();
    work();
    end().wrapping_sub(from) as f64
}

/// The counter beside the system's clock; the process's own life is the time between two readings.
pub(crate) struct Rate {
    ticks: u64,
    ns: u64,
}

impl Rate {
    pub(crate) fn now() -> Self {
        // The narrowest of some brackets: the reading in the middle was not interrupted.
        (0..20)
            .map(|_| {
                let from = begin();
                let ns = clock_ns(libc::CLOCK_MONOTONIC_RAW);
                let width = end().wrapping_sub(from);
                (width, Self { ticks: from + width / 2, ns })
            })
            .min_by_key(|(width, _)| *width)
            .expect("there were twenty")
            .1
    }

    /// Nanoseconds in a tick, since `self`.
    pub(crate) fn tick_ns(&self) -> f64 {
        let now = Self::now();
        (now.ns - self.ns) as f64 / now.ticks.wrapping_sub(self.ticks) as f64
    }
}
