//! What a program has done, out of what its recorder has of it.

use super::program::{
    Call, FLOOR, Known, OUTSIDE, PAIR, Thread, build_checked, call, check, check_known, costs,
    facts, stats,
};
use crate::report::random::Random;
use crate::snapshot::data::OpenData;
use crate::snapshot::model::Verdict;
use crate::snapshot::{Facts, build};

fn of(sites: usize, calls: &[Call]) -> Thread {
    let mut thread = Thread::new(sites);
    for call in calls {
        thread.run(call);
    }
    thread
}

/// A random tree of calls, at most `depth` deep.
fn random_call(random: &mut Random, sites: usize, depth: usize) -> Call {
    let callees = if depth == 0 { 0 } else { random.below(4) };
    let callees: Vec<Call> = (0..callees).map(|_| random_call(random, sites, depth - 1)).collect();
    call(random.below(sites), random.next() >> (40 + random.below(20)), callees)
}

#[test]
fn a_leaf() {
    let thread = of(1, &[call(0, 1000, []), call(0, 3000, [])]);
    let known = thread.known.clone();
    let snapshot = build_checked(&facts(vec![thread]));
    check_known(&snapshot, &known, 0.0);
    let leaf = stats(&snapshot, 0).expect("it was called");
    assert!((leaf.typical_ns - 2000.0).abs() < 1e-6, "{leaf:#?}");
    assert!((leaf.min_ns, leaf.max_ns) == (1000.0, 3000.0), "{leaf:#?}");
    assert_eq!((leaf.verdict, leaf.timed), (Verdict::Ok, 2));
}

#[test]
fn an_empty_leaf_is_below_what_the_clock_can_tell() {
    let thread = of(1, &vec![call(0, 0, []); 500]);
    let snapshot = build_checked(&facts(vec![thread]));
    let leaf = stats(&snapshot, 0).expect("it was called");
    assert_eq!(leaf.verdict, Verdict::BelowResolution);
    assert!(leaf.typical_ns.abs() < 1e-6 && leaf.total_ns.abs() < 1e-3, "{leaf:#?}");
}

#[test]
fn a_parent_of_many_children() {
    let thread = of(2, &[call(0, 500, vec![call(1, 0, []); 1000])]);
    let known = thread.known.clone();
    let snapshot = build_checked(&facts(vec![thread]));
    check_known(&snapshot, &known, 0.0);
    let parent = stats(&snapshot, 0).expect("it was called");
    // The readings add up to some 120 µs.
    assert!((parent.typical_ns - 500.0).abs() <= 1.0, "{parent:#?}");
    assert!((parent.self_percent - 100.0).abs() < 1.0, "{parent:#?}");
}

#[test]
fn recursion_counts_the_outermost_alone() {
    let nested = |n: u64| (0..n).fold(call(0, 10, []), |inner, _| call(0, 10, [inner]));
    let thread = of(1, &[nested(99), nested(0)]);
    let known = thread.known.clone();
    assert_eq!(known[0], Known { calls: 101, own: 1010, total: 1010 });
    let snapshot = build_checked(&facts(vec![thread]));
    check_known(&snapshot, &known, 0.0);
    assert_eq!(snapshot.tree.len(), 1);
}

#[test]
fn mutual_recursion() {
    let nested = (0..50).fold(call(2, 5, []), |inner, n| call(n % 2, 100, [inner, call(2, 1, [])]));
    let thread = of(3, &[nested.clone(), call(0, 1, [nested])]);
    let known = thread.known.clone();
    let snapshot = build_checked(&facts(vec![thread]));
    check_known(&snapshot, &known, 0.0);
}

#[test]
fn any_program_on_any_number_of_threads() {
    let mut random = Random::new();
    for _ in 0..300 {
        let sites = 1 + random.below(6);
        let threads: Vec<Thread> = (0..=random.below(3))
            .map(|_| {
                let calls: Vec<Call> =
                    (0..=random.below(5)).map(|_| random_call(&mut random, sites, 6)).collect();
                of(sites, &calls)
            })
            .collect();
        let mut known = vec![Known::default(); sites];
        for (all, one) in known.iter_mut().zip(threads.iter().map(|thread| &thread.known).fold(
            vec![Known::default(); sites],
            |mut all, one| {
                for (all, one) in all.iter_mut().zip(one) {
                    all.calls += one.calls;
                    all.own += one.own;
                    all.total += one.total;
                }
                all
            },
        )) {
            *all = one;
        }
        let snapshot = build_checked(&facts(threads));
        check_known(&snapshot, &known, 0.0);
    }
}

#[test]
fn costs_that_have_changed_are_followed_by_the_bare_pair() {
    let mut random = Random::new();
    for slow in [0.5, 1.5, 2.0, 3.0] {
        let mut thread = Thread::new(4);
        thread.slow = slow;
        (0..20).for_each(|_| thread.run(&random_call(&mut random, 4, 5)));
        thread.lane.pair = Some(PAIR * slow);
        let known = thread.known.clone();
        let mut facts = facts(vec![thread]);
        facts.last = costs(slow);
        check_known(&build_checked(&facts), &known, 0.0);
    }
}

#[test]
fn costs_that_were_disturbed_at_first_use_are_not_believed() {
    // What the recorder has taken off was by prices that were half too high.
    let thread = of(2, &[call(0, 500, vec![call(1, 20, []); 1000])]);
    let mut facts = facts(vec![thread]);
    facts.first.full.floor = FLOOR as f64 * 1.5;
    facts.first.full.outside = OUTSIDE as f64 * 1.5;
    facts.recording.lanes[0].nodes[0].sums[0].charge =
        facts.recording.lanes[0].nodes[0].sums[0].charge / 2 * 3;
    let total = |facts: &Facts| stats(&build(facts), 0).expect("called").total_ns;
    let known = 500.0 + 1000.0 * 20.0;
    assert!((total(&facts) - known).abs() > 10_000.0);
    facts.last.others_are_odd = true;
    assert!((total(&facts) - known).abs() < 1e-6, "{}", total(&facts));
}

#[test]
fn costs_of_which_nothing_is_known() {
    let thread = of(2, &[call(0, 500, vec![call(1, 20, []); 10])]);
    let mut facts = facts(vec![thread]);
    (facts.first, facts.last) = (crate::cost::Costs::default(), crate::cost::Costs::default());
    let snapshot = build_checked(&facts);
    let parent = stats(&snapshot, 0).expect("it was called");
    let whole = (500 + FLOOR + 10 * (20 + FLOOR + OUTSIDE)) as f64;
    assert!(parent.total_ns > 0.0 && parent.total_ns <= whole, "{parent:#?}");
}

#[test]
fn what_is_open_is_its_own_and_not_its_callers() {
    let mut thread = of(3, &[call(2, 100, [])]);
    let now = 1_000_000_000;
    let open = |site: u64, ago: u64| OpenData { site, start: now - ago, ..OpenData::default() };
    thread.lane.open = vec![
        OpenData { child_raw: 300_000, callees: 1, lost: 1000, ..open(1, 1_000_000) },
        open(2, 400_000),
        open(1, 100_000),
    ];
    let snapshot = build_checked(&facts(vec![thread]));
    let (outer, middle) = (stats(&snapshot, 0).expect("open"), stats(&snapshot, 1).expect("open"));
    assert_eq!((outer.in_flight, middle.in_flight, outer.calls), (2, 1, 0));
    let near = |found: f64, exact: f64| (found - exact).abs() < 1000.0;
    // Of the two of the first site, the outer one's time; and what each has not spent in callees.
    assert!(near(outer.in_flight_ns, 999_000.0), "{outer:#?}");
    assert!(near(outer.in_flight_self_ns, 299_000.0 + 100_000.0), "{outer:#?}");
    assert!(
        near(middle.in_flight_ns, 400_000.0) && near(middle.in_flight_self_ns, 300_000.0),
        "{middle:#?}"
    );
}

#[test]
fn sampled_calls_are_estimated_and_taken_off_their_caller() {
    // A thousand calls of 200 ticks each, of which one in ten was timed; the caller's own is 5000.
    let timed = 100;
    let mut thread = of(2, &[call(0, 5000 + 900 * 200, vec![call(1, 200, []); timed])]);
    thread.lane.slots[1].left_out = 900;
    let mut facts = facts(vec![thread]);
    facts.recording.sites[1].sample = 10;
    let snapshot = build(&facts);
    check(&snapshot);
    let (caller, sampled) =
        (stats(&snapshot, 0).expect("called"), stats(&snapshot, 1).expect("called"));
    assert_eq!((sampled.calls, sampled.timed, sampled.verdict), (1000, 100, Verdict::Estimated));
    assert!(
        (sampled.total_ns - 200_000.0).abs() < 1e-3 && (sampled.self_ns - 200_000.0).abs() < 1e-3,
        "{sampled:#?}"
    );
    // Less what 900 untimed calls take besides, some ticks each.
    assert!(
        caller.self_ns <= 5000.0 && caller.self_ns > 5000.0 - 900.0 * PAIR * 0.1,
        "{caller:#?}"
    );
}

#[test]
fn relaxed_readings_have_a_floor_of_their_own() {
    let mut thread = Thread::new(1);
    thread.lane.nodes.push(crate::snapshot::data::NodeData { slot: Some(0), ..Default::default() });
    let sums = &mut thread.lane.nodes[0].sums[0];
    (sums.calls, sums.raw) = (10, 10 * 110);
    (0..10).for_each(|_| thread.lane.slots[0].add(110));
    let mut facts = facts(vec![thread]);
    facts.recording.sites[0].relaxed = true;
    let snapshot = build_checked(&facts);
    let site = stats(&snapshot, 0).expect("called");
    assert!(
        (site.total_ns - 1000.0).abs() < 1e-6 && (site.typical_ns - 100.0).abs() < 1e-6,
        "{site:#?}"
    );
    assert_eq!(site.verdict, Verdict::Estimated);
}

#[test]
fn calls_that_were_not_timed_are_counted() {
    let mut facts = facts(vec![of(2, &[call(0, 100, [])])]);
    facts.recording.sites[0].untimed = 7;
    let snapshot = build(&facts);
    let site = stats(&snapshot, 0).expect("called");
    assert_eq!((site.calls, site.timed), (8, 1));
}

#[test]
fn what_is_not_known_of_probes_inside_adds_up() {
    // The same 1000 probes: at one level, and at two with 10 at the upper one.
    let flat = of(3, &[call(0, 500, vec![call(1, 50, []); 1000])]);
    let deep = of(3, &[call(0, 500, vec![call(2, 50, vec![call(1, 50, []); 99]); 10])]);
    let [flat, deep] = [flat, deep].map(|thread| build_checked(&facts(vec![thread])));
    let outer = |snapshot| stats(snapshot, 0).expect("called").clone();
    let (flat, deep) = (outer(&flat), outer(&deep));
    assert!(flat.uncertainty_ns > 1000.0 * PAIR * 0.01, "{flat:#?}");
    assert!((flat.uncertainty_ns / deep.uncertainty_ns - 1.0).abs() < 0.05, "{deep:#?}");
    // But its own time is compared with the readings of ten callees.
    assert!(deep.self_uncertainty_ns < flat.self_uncertainty_ns / 20.0, "{deep:#?}");
}

#[test]
fn how_readings_are_spread_says_nothing_of_their_sum() {
    let calls: Vec<Call> =
        (0..200).map(|n| call(0, if n % 2 == 0 { 10 } else { 1_000_000 }, [])).collect();
    let snapshot = build_checked(&facts(vec![of(1, &calls)]));
    let site = stats(&snapshot, 0).expect("called");
    assert!(site.uncertainty_ns > 50_000.0, "{site:#?}");
    let most = 200.0 * PAIR * 0.1;
    assert!(site.total_uncertainty_ns < most && site.self_uncertainty_ns < most, "{site:#?}");
    assert!((site.total_ns - 100_001_000.0).abs() < 1e-3, "{site:#?}");
}

#[test]
fn calls_left_untimed_cost_everyone_above_them() {
    // Each of a hundred middle calls makes a thousand calls, of which one is timed.
    let middle = call(1, 5000, [call(2, 200, [])]);
    let mut thread = of(3, &[call(0, 100, vec![middle; 100])]);
    thread.lane.slots[2].left_out = 99_900;
    let mut facts = facts(vec![thread]);
    facts.recording.sites[2].sample = 1000;
    let without = {
        facts.recording.lanes[0].slots[2].left_out = 0;
        build(&facts)
    };
    facts.recording.lanes[0].slots[2].left_out = 99_900;
    let with = build(&facts);
    for site in 0..2 {
        let (with, without) =
            (stats(&with, site).expect("called"), stats(&without, site).expect("called"));
        let taken = (without.total_ns - with.total_ns) / 99_900.0;
        assert!(taken > 0.01 * PAIR && taken < 0.05 * PAIR, "{taken}");
        assert!(with.total_uncertainty_ns > without.total_uncertainty_ns);
        let typical = (without.typical_ns - with.typical_ns) * with.timed as f64 / 99_900.0;
        assert!((typical - taken).abs() < 1e-6, "{typical} {taken}");
    }
}
