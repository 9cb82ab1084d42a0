//! Hops on paper: intervals beside the calls of a program.

use super::program::{FLOOR, OUTSIDE, Thread, build_checked, call, check_known, facts, stats};
use crate::snapshot::Facts;
use crate::snapshot::data::{SlotData, WallData};
use crate::snapshot::model::{Kind, Verdict};

/// A program of two sites and the hops of a third, in each of so many threads.
fn program(threads: usize, intervals: &[u64]) -> Facts {
    let thread = || {
        let mut thread = Thread::new(3);
        thread.run(&call(0, 1000, [call(1, 50, [])]));
        let mut hops = SlotData { site: 3, wall: Some(WallData::default()), ..SlotData::default() };
        for interval in intervals {
            hops.add((interval + FLOOR) as i64);
        }
        // The largest one has moved.
        let largest = intervals.iter().max().map_or(0, |interval| interval + FLOOR);
        (hops.migrated, hops.migrated_sum, hops.migrated_max) = (1, largest, largest);
        hops.negative = 2;
        thread.lane.slots.push(hops);
        thread.lane.halves = 2 * intervals.len() as u64 + 4;
        thread
    };
    let mut facts = facts((0..threads).map(|_| thread()).collect());
    facts.recording.sites[2].kind = Kind::Hop as u64;
    facts
}

#[test]
fn hops_are_intervals_and_nobody_s_time() {
    let facts = program(2, &[6800, 7000, 7300]);
    let snapshot = build_checked(&facts);
    let hop = stats(&snapshot, 2).expect("ended");
    assert_eq!((hop.kind, hop.calls, hop.timed, hop.negative), (Kind::Hop, 10, 10, 4));
    assert_eq!((hop.migrated, hop.verdict), (2, Verdict::Ok));
    let near = |figure: f64, expected: f64| {
        assert!((figure - expected).abs() < 1e-6, "{expected}: {hop:#?}");
    };
    near(hop.total_ns, 2.0 * 21_100.0);
    near(hop.migrated_ns, 2.0 * 7300.0);
    near(hop.migrated_max_ns, 7300.0);
    near(hop.min_ns, 6800.0);
    near(hop.max_ns, 7300.0);
    near(hop.self_ns, 0.0);
    near(hop.self_percent, 0.0);
    near(hop.self_uncertainty_ns, 0.0);
    assert!(snapshot.tree.iter().all(|node| node.site != 2), "{:#?}", snapshot.tree);
}

#[test]
fn calls_are_what_they_are_without_hops() {
    let mut thread = Thread::new(2);
    thread.run(&call(0, 1000, [call(1, 50, [])]));
    let known = thread.known.clone();
    let mut facts = program(1, &[10_000; 50]);
    let snapshot = build_checked(&facts);
    for (site, known) in known.iter().enumerate() {
        let stats = stats(&snapshot, site).expect("called");
        assert!((stats.self_ns - known.own as f64).abs() < 1.0, "{stats:#?}");
    }
    facts.recording.lanes[0].slots.pop();
    check_known(&build_checked(&facts), &known, 1.0);
}

#[test]
fn the_probes_took_what_stamps_and_hops_did() {
    // A stamp costs OUTSIDE here, and both together FLOOR and OUTSIDE.
    let probes = |facts: &Facts| build_checked(facts).probe_ns;
    let without = probes(&program(1, &[]));
    let with = probes(&program(1, &[500; 10]));
    let expected = 10.0 * (FLOOR + OUTSIDE) as f64;
    assert!((with - without - expected).abs() < 1e-6, "{without} {with}");
    // Stamps from which nobody has hopped.
    let mut facts = program(1, &[]);
    facts.recording.lanes[0].halves += 7;
    let expected = 7.0 * OUTSIDE as f64;
    assert!((probes(&facts) - without - expected).abs() < 1e-6);
}
