//! The machine that has the clock: its true time, its counter and its system's clock, and what is
//! wrong with them.

use crate::clock::choice::TscFacts;
use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

/// What a counter does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Counts,
    /// It stays where it is.
    Frozen,
    /// It reads as 0.
    Zero,
    /// It counts downwards.
    Backwards,
}

/// What a counter does while the machine is suspended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AcrossSuspend {
    RunsOn,
    Stands,
    /// It begins at zero afterwards.
    Restarts,
}

/// See the module's text.
#[derive(Debug)]
pub(crate) struct Machine {
    /// What the counter has counted, in parts of a tick (one in 10¹²).
    count: i128,
    pub(crate) mode: Mode,
    pub(crate) ticks_per_second: u64,
    /// It shows multiples of this.
    pub(crate) step: u64,
    /// How far each CPU's counter is ahead, in ticks.
    pub(crate) ahead: [i64; 2],
    /// The system's monotonic clock, in picoseconds, and whether it stands still.
    system_ps: u64,
    pub(crate) system_stands: bool,
    /// The part of true time that the system's clock has not seen.
    pub(crate) asleep_ns: u64,
    /// What a reading of the counter takes, at least, and of the system's clock.
    pub(crate) read_ps: u64,
    pub(crate) link_ps: u64,
    seed: u64,
    pub(crate) facts: TscFacts,
    pub(crate) claims: Vec<(&'static str, f64)>,
}

const TICK: i128 = 1_000_000_000_000;

/// 2.6 GHz in steps of 26, up for a quarter of an hour, of which all speak well.
static MACHINE: Mutex<Machine> = Mutex::new(Machine {
    count: 2_600_000_000 * 900 * TICK,
    mode: Mode::Counts,
    ticks_per_second: 2_600_000_000,
    step: 26,
    ahead: [0; 2],
    system_ps: 900_000_000_000_000,
    system_stands: false,
    asleep_ns: 0,
    read_ps: 9_000,
    link_ps: 1_000,
    seed: 7,
    facts: TscFacts {
        invariant: true,
        rdtscp: true,
        linux: true,
        hypervisor: false,
        clocksource: None,
    },
    claims: Vec::new(),
});

thread_local!(static CPU: Cell<u32> = const { Cell::new(0) });

/// Does something to the machine.
pub(crate) fn drive<T>(f: impl FnOnce(&mut Machine) -> T) -> T {
    // A test that fails holding it has failed already.
    f(&mut MACHINE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Goes on, on another CPU.
pub(crate) fn move_to(cpu: u32) {
    CPU.set(cpu);
}

/// The CPU that this thread is on.
pub(super) fn cpu() -> u32 {
    CPU.get()
}

/// Time passes, for all clocks.
pub(crate) fn pass_ns(ns: u64) {
    drive(|machine| machine.pass_ns(ns));
}

impl Machine {
    /// Time passes, for all clocks.
    pub(crate) fn pass_ns(&mut self, ns: u64) {
        self.pass(ns * 1_000);
    }

    fn pass(&mut self, ps: u64) {
        self.system_ps += if self.system_stands { 0 } else { ps };
        self.count_on(ps);
    }

    /// Time passes for the counter alone.
    fn count_on(&mut self, ps: u64) {
        let parts = i128::from(ps) * i128::from(self.ticks_per_second);
        match self.mode {
            Mode::Counts | Mode::Zero => self.count += parts,
            Mode::Backwards => self.count -= parts,
            Mode::Frozen => {}
        }
    }

    /// A reading of the counter.
    pub(crate) fn read_counter(&mut self) -> u64 {
        self.pass_reading();
        if self.mode == Mode::Zero {
            return 0;
        }
        let count = (self.count / TICK) as u64;
        (count / self.step * self.step).wrapping_add_signed(self.ahead[CPU.get() as usize % 2])
    }

    /// A reading of the system's clock, in nanoseconds.
    pub(crate) fn read_system(&mut self) -> u64 {
        self.pass_reading();
        self.system_ps / 1_000
    }

    pub(crate) fn run_links(&mut self, links: u64) {
        self.pass(links * self.link_ps);
    }

    /// The machine is suspended: the system's clock does not see it.
    pub(crate) fn suspend(&mut self, ns: u64, counter: AcrossSuspend) {
        self.asleep_ns += ns;
        match counter {
            AcrossSuspend::RunsOn => self.count_on(ns * 1_000),
            AcrossSuspend::Stands => {}
            AcrossSuspend::Restarts => self.count = 0,
        }
    }

    /// The machine is paused, and its counter with it; the system's clock is set on afterwards.
    pub(crate) fn pause_counter(&mut self, ns: u64) {
        self.system_ps += ns * 1_000;
    }

    /// The machine is paused, and its system's clock with it.
    pub(crate) fn pause_system(&mut self, ns: u64) {
        self.count_on(ns * 1_000);
    }

    /// The counter is set on, or back.
    pub(crate) fn jump(&mut self, ticks: i64) {
        self.count += i128::from(ticks) * TICK;
    }

    /// A reading takes up to a quarter more each time.
    fn pass_reading(&mut self) {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        self.pass(self.read_ps + (self.seed >> 33) % (self.read_ps / 4 + 1));
    }
}
