//! `sample` and `fence`.

use crate::alone::{alone, calls, check, edges, site};
use std::hint::black_box;
use std::thread;
use std::time::Instant;
use timed::{Verdict, timed};

/// Some microseconds of arithmetic.
fn spin() -> u64 {
    (0..2000_u64).fold(1, |x, n| black_box(x).wrapping_mul(7).wrapping_add(n))
}

#[timed(sample = 64)]
fn seldom() {
    black_box(());
}

#[timed(sample = 16)]
fn seldom_long() {
    black_box(spin());
}

#[timed]
fn calls_seldom_long(n: u32) {
    (0..n).for_each(|_| seldom_long());
}

#[timed]
fn calls_seldom(n: u32) {
    (0..n).for_each(|_| seldom());
}

#[timed(sample = 2)]
fn second(n: u32) {
    if n > 0 {
        second(n - 1);
    }
}

/// Every sixteenth call is a long one: a sampler that took each sixteenth would see those only, or none.
#[timed(sample = 16)]
fn rhythm(n: u32) {
    if n.is_multiple_of(16) {
        (0..5).for_each(|_| _ = black_box(spin()));
    }
}

#[timed(fence = "relaxed")]
fn relaxed() {
    black_box(spin());
}

#[timed(fence = "relaxed", sample = 8)]
fn relaxed_seldom() {
    relaxed();
}

/// Whether a sample of one in `period` is within six standard deviations of what is expected.
fn plausible(timed: u64, calls: u64, period: f64) -> bool {
    let (n, p) = (calls as f64, 1.0 / period);
    (timed as f64 - n * p).abs() <= 6.0 * (n * p * (1.0 - p)).sqrt() + 6.0
}

alone! {
    fn every_call_is_counted_and_some_are_timed() {
        const CALLS: u32 = 200_003;
        calls_seldom(CALLS);
        let snapshot = timed::snapshot();
        check(&snapshot);
        let seldom = site(&snapshot, "seldom");
        assert_eq!(seldom.calls, u64::from(CALLS));
        assert!(plausible(seldom.timed, seldom.calls, 64.0), "{seldom:#?}");
        assert_eq!(seldom.verdict, Verdict::Estimated);
    }

    fn short_threads_are_sampled_alike() {
        // Each makes fewer calls than it takes, on the average, to meet a timed one.
        for _ in 0..2000 {
            thread::spawn(|| calls_seldom(20)).join().unwrap();
        }
        let snapshot = timed::snapshot();
        check(&snapshot);
        let seldom = site(&snapshot, "seldom");
        assert_eq!((seldom.calls, calls(&snapshot, "calls_seldom")), (40_000, 2000));
        assert!(plausible(seldom.timed, seldom.calls, 64.0), "{} timed", seldom.timed);
    }

    fn totals_are_estimated_without_bias() {
        const CALLS: u32 = 40_000;
        calls_seldom_long(CALLS / 4);
        timed::reset();
        calls_seldom_long(CALLS);
        let snapshot = timed::snapshot();
        check(&snapshot);
        let long = site(&snapshot, "seldom_long");
        assert_eq!(long.calls, u64::from(CALLS));
        // For all calls, not for those that were timed; above, a busy machine sets no limit.
        let all = long.typical_ns * f64::from(CALLS);
        assert!(long.typical_ns > 0.0 && long.total_ns > 0.9 * all && long.total_ns < 16.0 * all, "{long:#?}");
    }

    fn calls_in_a_rhythm_are_sampled_at_random() {
        const CALLS: u32 = 160_000;
        (0..CALLS).for_each(rhythm);
        let snapshot = timed::snapshot();
        check(&snapshot);
        let rhythm = site(&snapshot, "rhythm");
        assert!(plausible(rhythm.timed, rhythm.calls, 16.0), "{rhythm:#?}");
        // Of those that were timed, one in sixteen is long. Interrupts make a few others long.
        let shortest_long = 1000.0;
        let long: u64 = rhythm.buckets.iter().filter(|b| b.low_ns > shortest_long).map(|b| b.count).sum();
        assert!(long * 16 > rhythm.timed / 2 && long * 16 < rhythm.timed * 2, "{long} of {}", rhythm.timed);
    }

    fn pauses_and_resets_lose_no_countdown() {
        calls_seldom(1001);
        timed::pause();
        calls_seldom(5000);
        timed::resume();
        calls_seldom(1002);
        assert_eq!(calls(&timed::snapshot(), "seldom"), 2003);
        for round in 0..50 {
            timed::reset();
            calls_seldom(round);
            let snapshot = timed::snapshot();
            check(&snapshot);
            assert_eq!(calls(&snapshot, "seldom"), u64::from(round));
        }
    }

    fn a_sampled_recursion() {
        (0..2000).for_each(|_| second(9));
        let snapshot = timed::snapshot();
        check(&snapshot);
        let second = site(&snapshot, "second");
        assert_eq!((second.calls, second.in_flight), (20_000, 0));
        assert!(plausible(second.timed, second.calls, 2.0), "{second:#?}");
        assert_eq!(edges(&snapshot).len(), 1);
    }

    fn bare_reads() {
        let began = Instant::now();
        (0..5000).for_each(|_| relaxed_seldom());
        let took = began.elapsed().as_nanos() as f64;
        let snapshot = timed::snapshot();
        check(&snapshot);
        let relaxed = site(&snapshot, "relaxed");
        assert_eq!((relaxed.calls, relaxed.timed, relaxed.verdict), (5000, 5000, Verdict::Estimated));
        assert!(relaxed.total_ns > 0.3 * took && relaxed.total_ns < 1.5 * took, "{took} ns, {relaxed:#?}");
        assert_eq!(calls(&snapshot, "relaxed_seldom"), 5000);
    }
}
