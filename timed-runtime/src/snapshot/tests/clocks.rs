//! Clocks that run backwards, stand still, or advance in long steps.

use super::program::{Thread, build_checked, call, facts, stats};
use crate::clock::Anchor;
use crate::report::random::Random;
use crate::snapshot::data::{NodeData, OpenData, SumsData};
use crate::snapshot::model::Verdict;

#[test]
fn a_clock_behind_the_start_of_what_is_open() {
    let mut thread = Thread::new(1);
    thread.lane.open = vec![OpenData { site: 1, start: 2_000_000_000, ..OpenData::default() }];
    let snapshot = build_checked(&facts(vec![thread]));
    let site = stats(&snapshot, 0).expect("open");
    assert!(
        site.in_flight == 1 && site.in_flight_ns == 0.0 && site.in_flight_self_ns == 0.0,
        "{site:#?}"
    );
}

#[test]
fn intervals_below_zero_are_counted_and_in_no_figure() {
    let mut thread = Thread::new(1);
    thread.run(&call(0, 100, []));
    thread.lane.slots[0].negative = 3;
    let snapshot = build_checked(&facts(vec![thread]));
    let site = stats(&snapshot, 0).expect("called");
    assert_eq!((site.calls, site.timed, site.negative), (4, 4, 3));
    assert!(
        (site.typical_ns - 100.0).abs() < 1e-6 && (site.total_ns - 100.0).abs() < 1e-6,
        "{site:#?}"
    );
}

#[test]
fn nothing_but_intervals_below_zero() {
    let mut thread = Thread::new(1);
    thread.lane.nodes.push(NodeData { slot: Some(0), ..NodeData::default() });
    thread.lane.slots[0].negative = 5;
    let snapshot = build_checked(&facts(vec![thread]));
    let site = stats(&snapshot, 0).expect("called");
    assert_eq!((site.calls, site.timed, site.buckets.len()), (5, 5, 0));
    assert!(site.total_ns == 0.0 && site.min_ns == 0.0 && site.max_ns == 0.0, "{site:#?}");
}

#[test]
fn a_clock_that_stands_still() {
    let anchor = Anchor { ticks: 77, ns: 5, ..Anchor::default() };
    assert!(anchor.frequency(&anchor).is_none());
    // Every reading is 0, and so is what reading costs.
    let mut thread = Thread::new(1);
    thread.lane.nodes.push(NodeData {
        slot: Some(0),
        sums: [SumsData { calls: 100, ..SumsData::default() }, SumsData::default()],
        ..NodeData::default()
    });
    (0..100).for_each(|_| thread.lane.slots[0].add(0));
    let mut facts = facts(vec![thread]);
    (facts.first, facts.last) = (crate::cost::Costs::default(), crate::cost::Costs::default());
    let snapshot = build_checked(&facts);
    let site = stats(&snapshot, 0).expect("called");
    assert_eq!((site.calls, site.verdict), (100, Verdict::BelowResolution));
    assert!(site.total_ns == 0.0 && site.self_percent == 0.0, "{site:#?}");
}

#[test]
fn a_clock_of_long_steps_resolves_by_the_number_of_readings() {
    // Bodies of 300 ticks on a clock that advances by 1000: seven readings in ten are 0.
    let mut random = Random::new();
    let (step, body, calls) = (1000, 300, 4000_u64);
    let mut thread = Thread::new(1);
    let mut sums = SumsData { calls, ..SumsData::default() };
    for _ in 0..calls {
        let begin = random.next() >> 20;
        let raw = (begin + body) / step * step - begin / step * step;
        sums.raw += raw;
        thread.lane.slots[0].add(raw as i64);
    }
    thread.lane.nodes.push(NodeData {
        slot: Some(0),
        sums: [sums, SumsData::default()],
        ..NodeData::default()
    });
    let mut facts = facts(vec![thread]);
    (facts.first, facts.last) = (crate::cost::Costs::default(), crate::cost::Costs::default());
    facts.step = step as f64;
    let snapshot = build_checked(&facts);
    let site = stats(&snapshot, 0).expect("called");
    assert!((site.mean_ns - body as f64).abs() < 60.0, "{site:#?}");
    assert!((site.typical_ns - body as f64).abs() < 60.0, "{site:#?}");
    assert!(site.uncertainty_ns > 5.0 && site.uncertainty_ns < 60.0, "{site:#?}");
}

#[test]
fn any_sums_make_figures() {
    let mut random = Random::new();
    for _ in 0..2000 {
        let mut any = |most: u32| random.next() >> (64 - most + random.below(most as usize) as u32);
        let mut thread = Thread::new(3);
        for slot in 0..3 {
            let sums = [(); 2].map(|()| SumsData {
                calls: any(20),
                // Also less than nothing, as sums of readings that ran backwards.
                raw: any(46).wrapping_sub(any(40)),
                child_raw: any(46).wrapping_sub(any(40)),
                callees: any(40),
                charge: any(40),
            });
            thread.lane.nodes.push(NodeData {
                slot: Some(slot),
                parent: slot.checked_sub(1),
                sums,
            });
            for _ in 0..any(4) {
                thread.lane.slots[slot].add(any(50) as i64 - any(30) as i64);
            }
            thread.lane.slots[slot].left_out = any(20);
            thread.lane.slots[slot].negative = any(4);
            thread.lane.slots[slot].migrated = any(4);
            thread.lane.slots[slot].migrated_sum = any(40).wrapping_sub(any(40));
        }
        let mut open = |site| OpenData {
            site,
            start: any(60),
            child_raw: any(60),
            callees: any(50),
            charge: any(50),
            lost: any(40),
            ..OpenData::default()
        };
        thread.lane.open = vec![open(1), open(2), open(1), open(9)];
        thread.lane.pair = Some(any(20) as f64);
        let mut facts = facts(vec![thread]);
        facts.now = any(60);
        facts.hz = 1.0 + any(40) as f64;
        facts.recording.sites[0].sample = 8;
        let snapshot = crate::snapshot::build(&facts);
        for site in &snapshot.sites {
            let figures =
                [site.total_ns, site.self_ns, site.typical_ns, site.mean_ns, site.self_percent];
            assert!(figures.into_iter().all(f64::is_finite), "{site:#?}");
            assert!(
                site.uncertainty_ns.is_finite() && site.self_uncertainty_ns.is_finite(),
                "{site:#?}"
            );
            assert!(site.in_flight_ns >= 0.0 && site.in_flight_ns.is_finite(), "{site:#?}");
            assert!((0.0..=100.000_001).contains(&site.self_percent), "{site:#?}");
        }
    }
}
