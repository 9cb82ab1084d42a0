//! What a counter reading is in Unix time: a straight line through two moments, the next of which
//! is aimed at.
//!
//! Every few milliseconds counter and system clock are read together. The line goes on from
//! where it has arrived, at a slope that meets the system's clock at the next such moment: time
//! as it is handed out neither jumps nor runs back while the system's clock is slewed, and is behind
//! by what a slew adds in that time. A difference too large for that is a step, and is followed at
//! once.

/// From one moment to the next, in nanoseconds: 4.2 ms. NTP's fastest slew, 500 ppm, makes 2 µs of it.
pub(super) const INTERVAL_NS: f64 = (1_u64 << 22) as f64;
/// What the slope may differ from the rate by: more than any slew, and less than anybody sees.
const STEEPEST: f64 = 1e-3;
/// The rate is learnt over so long: a reading's jitter of some ten nanoseconds is 1 ppm of it.
const LEARNT_OVER_NS: f64 = 64e6;

/// The two clocks at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moment {
    pub(super) ticks: u64,
    pub(super) unix_ns: u64,
}

/// Unix time by counter reading, good for readings up to `reach` ticks behind the base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    base_ticks: u64,
    base_unix_ns: u64,
    /// Nanoseconds a tick, in 2⁻³².
    slope: u64,
    reach: u64,
}

impl Line {
    const WORDS: usize = 4;

    pub(super) fn of([base_ticks, base_unix_ns, slope, reach]: [u64; Self::WORDS]) -> Self {
        Self { base_ticks, base_unix_ns, slope, reach }
    }

    /// The reading's Unix time. Readings from before the base are as good as the slope.
    #[inline(always)]
    pub(super) fn at(&self, ticks: u64) -> u64 {
        let ticks = ticks.wrapping_sub(self.base_ticks) as i64;
        let ns = (i128::from(ticks) * i128::from(self.slope)) >> 32;
        self.base_unix_ns.wrapping_add(ns as u64)
    }

    /// Whether the reading lies before the line's end.
    #[inline(always)]
    pub(super) fn reaches(&self, ticks: u64) -> bool {
        (ticks.wrapping_sub(self.base_ticks) as i64) < self.reach as i64
    }
}

/// A line, and what the next one will be made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Course {
    pub(super) line: Line,
    /// The system clock's nanoseconds a tick.
    rate: f64,
    latest: Moment,
}

impl Course {
    pub(super) const WORDS: usize = Line::WORDS + 3;

    /// From one moment alone, at this rate.
    pub(super) fn begin(at: Moment, ns_per_tick: f64) -> Self {
        let rate = ns_per_tick;
        Self { line: line(at.ticks, at.unix_ns, rate, rate), rate, latest: at }
    }

    /// On from another moment, later than the latest.
    pub(super) fn follow(&self, at: Moment) -> Self {
        let ticks = at.ticks.wrapping_sub(self.latest.ticks);
        let ns = at.unix_ns.wrapping_sub(self.latest.unix_ns) as i64 as f64;
        let mut rate = self.rate;
        let seen = ns / ticks as f64;
        // What is steeper is no rate: the clock has been set in between.
        if (seen / rate - 1.0).abs() <= STEEPEST {
            rate += (seen - rate) * (ns / LEARNT_OVER_NS).min(1.0);
        }
        let arrived = self.at(at.ticks);
        let ahead = at.unix_ns.wrapping_sub(arrived) as i64 as f64 / INTERVAL_NS;
        let line = if ahead.abs() <= STEEPEST {
            line(at.ticks, arrived, rate * (1.0 + ahead), rate)
        } else {
            line(at.ticks, at.unix_ns, rate, rate)
        };
        Self { line, rate, latest: at }
    }

    /// Whether the reading is not so late that the system's clock may have gone elsewhere since.
    pub(super) fn is_fresh(&self, ticks: u64) -> bool {
        let Line { base_ticks, reach, .. } = self.line;
        (ticks.wrapping_sub(base_ticks) as i64) < 4 * reach as i64
    }

    /// The reading's Unix time, also behind the line's end: on at the rate from there, for the slope
    /// would lead past what it was aimed at.
    pub(super) fn at(&self, ticks: u64) -> u64 {
        if self.line.reaches(ticks) {
            return self.line.at(ticks);
        }
        let end = self.line.base_ticks.wrapping_add(self.line.reach);
        self.line.at(end).wrapping_add(self.ns(ticks.wrapping_sub(end)) as u64)
    }

    /// Nanoseconds of some ticks.
    pub(super) fn ns(&self, ticks: u64) -> f64 {
        ticks as f64 * self.rate
    }

    pub(super) fn words(&self) -> [u64; Self::WORDS] {
        let Line { base_ticks, base_unix_ns, slope, reach } = self.line;
        let Moment { ticks, unix_ns } = self.latest;
        [base_ticks, base_unix_ns, slope, reach, self.rate.to_bits(), ticks, unix_ns]
    }

    pub(super) fn of([base, unix, slope, reach, rate, ticks, unix_ns]: [u64; Self::WORDS]) -> Self {
        Self {
            line: Line::of([base, unix, slope, reach]),
            rate: f64::from_bits(rate),
            latest: Moment { ticks, unix_ns },
        }
    }
}

fn line(base_ticks: u64, base_unix_ns: u64, slope: f64, rate: f64) -> Line {
    let slope = (slope * (1_u64 << 32) as f64) as u64;
    Line { base_ticks, base_unix_ns, slope, reach: (INTERVAL_NS / rate) as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counter and system clock of a machine: 2.6 ticks a nanosecond, and a clock that is off by some ppm.
    struct Machine {
        ticks: f64,
        unix_ns: f64,
        slew_ppm: f64,
    }

    const PER_NS: f64 = 2.6;
    const BEGAN: i64 = 1_700_000_000_000_000_000;

    impl Machine {
        fn new(slew_ppm: f64) -> Self {
            Self { ticks: 1e9, unix_ns: 0.0, slew_ppm }
        }

        fn run(&mut self, ns: f64) -> Moment {
            self.ticks += ns * PER_NS;
            self.unix_ns += ns * (1.0 + self.slew_ppm / 1e6);
            self.now()
        }

        fn now(&self) -> Moment {
            Moment { ticks: self.ticks as u64, unix_ns: (BEGAN + self.unix_ns as i64) as u64 }
        }

        /// How far the line is from the system's clock now.
        fn error_ns(&self, course: &Course) -> f64 {
            let now = self.now();
            course.at(now.ticks).wrapping_sub(now.unix_ns) as i64 as f64
        }
    }

    #[test]
    fn the_words_are_the_course() {
        let course = Course::begin(Moment { ticks: 5, unix_ns: 7 }, 0.4);
        let course = course.follow(Moment { ticks: 10_000_005, unix_ns: 4_000_008 });
        assert_eq!(Course::of(course.words()), course);
        let words = course.words();
        assert_eq!(Line::of([words[0], words[1], words[2], words[3]]), course.line);
    }

    #[test]
    fn a_slew_is_learnt_and_followed_without_a_jump() {
        let mut machine = Machine::new(0.0);
        let mut course = Course::begin(machine.now(), 1.0 / PER_NS);
        for (slew_ppm, rounds) in [(0.0, 10), (500.0, 100), (-400.0, 100), (30.0, 100)] {
            machine.slew_ppm = slew_ppm;
            for round in 0..rounds {
                machine.run(INTERVAL_NS);
                let before = course.at(machine.now().ticks);
                let worst = if round < 80 { 4000.0 } else { 60.0 };
                assert!(machine.error_ns(&course).abs() < worst, "{slew_ppm} ppm, {round}");
                course = course.follow(machine.now());
                assert_eq!(course.at(machine.now().ticks), before, "it has jumped");
                assert!(!course.line.reaches(machine.ticks as u64 + 11_000_000));
                assert!(course.line.reaches(machine.ticks as u64 + 10_000_000));
            }
        }
    }

    #[test]
    fn a_step_is_followed_at_once_and_not_taken_for_a_rate() {
        for step_ns in [3.6e12, -3.6e12, 1e5, -1e5, 5e3] {
            let mut machine = Machine::new(20.0);
            let mut course = Course::begin(machine.now(), 1.0 / PER_NS);
            for _ in 0..50 {
                course = course.follow(machine.run(INTERVAL_NS));
            }
            machine.unix_ns += step_ns;
            course = course.follow(machine.run(INTERVAL_NS));
            assert!(machine.error_ns(&course).abs() < 2.0, "{step_ns}");
            machine.run(INTERVAL_NS);
            assert!(machine.error_ns(&course).abs() < 100.0, "{step_ns}");
        }
    }

    #[test]
    fn moments_that_come_late_do_not_make_it_swing() {
        let mut machine = Machine::new(10.0);
        let mut course = Course::begin(machine.now(), 1.0 / PER_NS);
        machine.unix_ns += 3000.0;
        for late in [1.0, 3.0, 4.0, 2.0, 3.9, 4.0, 1.5] {
            machine.run(INTERVAL_NS * late);
            let error = machine.error_ns(&course);
            assert!(error.abs() < if late < 1.1 { 3100.0 } else { 1000.0 }, "{late}: {error}");
            course = course.follow(machine.now());
        }
    }

    #[test]
    fn a_long_pause_sets_the_rate() {
        let mut machine = Machine::new(40.0);
        let mut course = Course::begin(machine.now(), 1.0 / PER_NS);
        course = course.follow(machine.run(1e10));
        assert!(machine.error_ns(&course).abs() < 2.0);
        machine.run(INTERVAL_NS);
        assert!(machine.error_ns(&course).abs() < 3.0, "{}", machine.error_ns(&course));
    }

    #[test]
    fn readings_before_the_base_are_earlier() {
        let line = Course::begin(Moment { ticks: 26_000, unix_ns: 50_000 }, 1.0 / PER_NS).line;
        assert!(line.at(0).abs_diff(40_000) <= 1 && line.reaches(0));
    }
}
