//! Anchors of machines on paper.

use super::*;

const HZ: f64 = 2.6e9;
const KERNEL: (&str, f64) = ("kernel", HZ);

/// A machine whose clocks advance as they are told; an anchor is taken after each step.
struct Paper {
    anchors: Vec<Anchor>,
    ticks: f64,
    ns: u64,
    asleep_ns: u64,
}

impl Paper {
    /// A run that has just measured its costs for a millisecond.
    fn new() -> Self {
        let mut paper = Self { anchors: Vec::new(), ticks: 7e12, ns: 3_000_000_000, asleep_ns: 0 };
        paper.step(0, 0.0);
        paper.run(1_000_000);
        paper
    }

    fn step(&mut self, ns: u64, ticks: f64) {
        self.ns += ns;
        self.ticks += ticks;
        self.anchors.push(Anchor {
            ticks: self.ticks.max(0.0) as u64,
            ns: self.ns,
            bracket_ticks: 130,
            asleep_ns: self.asleep_ns,
            cpu: 0,
        });
    }

    fn run(&mut self, ns: u64) {
        self.step(ns, ns as f64 / 1e9 * HZ);
    }

    fn seconds(&mut self, seconds: usize) {
        (0..seconds).for_each(|_| self.run(1_000_000_000));
    }

    fn estimate(&self, claims: &[(&'static str, f64)]) -> Estimate {
        let estimate = estimate(&self.anchors, 26.0, claims);
        sane(&estimate);
        estimate
    }
}

/// Holds of every estimate.
#[track_caller]
fn sane(estimate: &Estimate) {
    assert!(estimate.hz.is_finite() && estimate.hz > 0.0, "{estimate:?}");
    assert!(estimate.error_ppm.is_finite() && estimate.error_ppm > 0.0, "{estimate:?}");
    assert!(estimate.events.iter().all(|event| event.excess_ns.is_finite()), "{estimate:?}");
}

#[track_caller]
fn is_right(estimate: &Estimate) {
    let ppm = (estimate.hz / HZ - 1.0).abs() * 1e6;
    assert!(ppm <= estimate.error_ppm, "{ppm} ppm off: {estimate:?}");
    assert!(estimate.error_ppm < 200.0 && estimate.basis == Basis::Measured, "{estimate:?}");
}

#[test]
fn a_quiet_run_is_as_exact_as_its_ends() {
    let mut paper = Paper::new();
    paper.seconds(10);
    let estimate = paper.estimate(&[]);
    is_right(&estimate);
    assert!(estimate.error_ppm < 0.01 && estimate.drift_ppm == 0.0, "{estimate:?}");
    assert!(estimate.events.is_empty() && !estimate.contested, "{estimate:?}");
}

#[test]
fn a_run_of_a_millisecond() {
    let estimate = Paper::new().estimate(&[]);
    is_right(&estimate);
    assert!(estimate.events.is_empty(), "{estimate:?}");
}

#[test]
fn a_suspend_is_left_out_whatever_the_counter_does() {
    for ran_for_ns in [0.0, 5e9, -2.6e12] {
        let mut paper = Paper::new();
        paper.seconds(2);
        paper.asleep_ns += 5_000_000_000;
        paper.step(400_000_000, (400_000_000.0 + ran_for_ns) / 1e9 * HZ);
        paper.seconds(2);
        let estimate = paper.estimate(&[]);
        is_right(&estimate);
        let [event] = estimate.events[..] else { panic!("{estimate:?}") };
        assert_eq!((event.what, event.asleep_ns), (What::Suspended, 5_000_000_000));
        assert_eq!((event.from_ns, event.to_ns), (2_001_000_000, 2_401_000_000));
        let gone_back = paper.anchors[3].ticks > paper.anchors[4].ticks;
        assert!(gone_back || (event.excess_ns - ran_for_ns).abs() < 1e3, "{event:?}");
    }
}

#[test]
fn pauses_of_one_clock_are_no_rate() {
    for excess_ns in [4e9, -0.9e9, 3e6, -3e6] {
        let mut paper = Paper::new();
        paper.seconds(3);
        paper.step(1_000_000_000, (1e9 + excess_ns) / 1e9 * HZ);
        paper.seconds(1);
        let estimate = paper.estimate(&[]);
        is_right(&estimate);
        let [event] = estimate.events[..] else { panic!("{estimate:?}") };
        assert_eq!(event.what, What::Apart);
        assert!((event.excess_ns - excess_ns).abs() < 1e4, "{event:?}");
    }
}

#[test]
fn of_two_that_disagree_claims_decide_and_else_the_shorter_is_taken_and_marked() {
    let mut paper = Paper::new();
    paper.step(1_000_000_000, 5.0 * HZ);
    let estimate = paper.estimate(&[KERNEL]);
    is_right(&estimate);
    assert!(!estimate.contested && estimate.events.len() == 1, "{estimate:?}");
    let estimate = paper.estimate(&[]);
    assert!(estimate.contested && estimate.error_ppm > 1e6, "{estimate:?}");
    assert!((estimate.hz / HZ - 1.0).abs() < 1e-3, "{estimate:?}");
    // Claims that agree with nobody decide nothing.
    assert!(paper.estimate(&[("cpuid 15h", 2.8 * HZ)]).contested);
}

#[test]
fn wrong_claims_do_not_outweigh_what_is_measured() {
    let mut paper = Paper::new();
    paper.seconds(1);
    let estimate = paper.estimate(&[("cpuid 15h", 2.8 * HZ), ("hypervisor", f64::NAN)]);
    is_right(&estimate);
    assert!(estimate.events.is_empty());
}

#[test]
fn a_drift_widens_the_error() {
    let mut paper = Paper::new();
    for second in 0..10 {
        paper.step(1_000_000_000, HZ * (1.0 + f64::from(second) * 10e-6));
    }
    let estimate = paper.estimate(&[KERNEL]);
    assert!(estimate.events.is_empty(), "{estimate:?}");
    assert!((40.0..60.0).contains(&estimate.drift_ppm), "{estimate:?}");
    let ends = [HZ, HZ * 1.000_09].map(|hz| (estimate.hz / hz - 1.0).abs() * 1e6);
    assert!(ends.into_iter().all(|ppm| ppm <= estimate.error_ppm), "{ends:?}: {estimate:?}");
}

#[test]
fn counters_a_little_apart_are_no_drift() {
    let mut paper = Paper::new();
    for (step, ns) in [10_000_000, 20_000_000, 40_000_000, 80_000_000].into_iter().enumerate() {
        let ahead = if step % 2 == 0 { 900.0 } else { -900.0 };
        paper.step(ns, (ns as f64 + ahead) / 1e9 * HZ);
    }
    let estimate = paper.estimate(&[KERNEL]);
    is_right(&estimate);
    assert!(estimate.drift_ppm == 0.0 && estimate.events.is_empty(), "{estimate:?}");
}

#[test]
fn a_counter_that_stands_or_runs_back_for_a_while() {
    let mut paper = Paper::new();
    paper.seconds(2);
    (0..3).for_each(|_| paper.step(1_000_000_000, 0.0));
    paper.seconds(1);
    paper.step(1_000_000_000, -2.0 * HZ);
    paper.seconds(1);
    let estimate = paper.estimate(&[]);
    is_right(&estimate);
    let [stood, back] = estimate.events[..] else { panic!("{estimate:?}") };
    assert_eq!((stood.what, stood.to_ns - stood.from_ns), (What::StoodStill, 3_000_000_000));
    assert!(back.what == What::RanBack && (back.excess_ns + 3e9).abs() < 1e4, "{back:?}");
}

#[test]
fn where_nothing_is_measured_the_kernel_is_believed_and_it_is_said() {
    let mut paper = Paper::new();
    paper.anchors.clear();
    paper.step(0, 0.0);
    paper.step(1_000_000, 0.0);
    paper.step(1_000_000_000, -HZ);
    let estimate = paper.estimate(&[("cpuid 15h", 1e9), KERNEL]);
    assert_eq!((estimate.hz, estimate.basis), (HZ, Basis::Claimed("kernel")));
    let claims = [("cpuid 15h", 0.0), ("hypervisor", f64::INFINITY), ("kernel", f64::NAN)];
    let estimate = paper.estimate(&claims);
    assert_eq!((estimate.hz, estimate.basis), (1e9, Basis::Nothing));
    assert_eq!(estimate.events.len(), 2, "{estimate:?}");
    for few in 0..2 {
        sane(&super::estimate(&paper.anchors[..few], 1.0, &[]));
    }
}

#[test]
fn any_anchors_make_an_estimate() {
    let mut random = crate::report::random::Random::new();
    for _ in 0..3000 {
        let mut any = |most: u32| random.next() >> (64 - most + random.below(most as usize) as u32);
        let anchors: Vec<Anchor> = (0..any(4))
            .map(|_| Anchor {
                ticks: any(64),
                ns: any(64),
                bracket_ticks: any(64),
                asleep_ns: any(64),
                cpu: any(2),
            })
            .collect();
        let claims = [("cpuid 15h", any(40) as f64), ("kernel", f64::from_bits(any(64)))];
        sane(&estimate(&anchors, any(20) as f64, &claims));
    }
}
