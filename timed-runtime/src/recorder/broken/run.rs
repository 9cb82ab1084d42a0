//! Clocks that break in the run.

use super::{
    alone, begin_work, noted, nothing_noted, report, right_frequency, right_work, stats, trust,
    work, work_for_seconds,
};
use crate::clock::driven::{AcrossSuspend, Machine, Mode, drive, move_to, pass_ns};
use crate::snapshot::model::Snapshot;

const SECOND_NS: u64 = 1_000_000_000;
/// 1.6 s of ticks.
const FAR: i64 = 4_160_000_000;

/// Four seconds, in the middle of which something happens in a call.
fn with(event: impl FnOnce(&mut Machine)) -> Snapshot {
    trust();
    work_for_seconds(2);
    let call = begin_work();
    drive(event);
    pass_ns(super::WORK_NS);
    drop(call);
    work_for_seconds(2);
    let snapshot = report();
    right_frequency(&snapshot);
    right_work(&snapshot);
    snapshot
}

#[track_caller]
fn longest_s(snapshot: &Snapshot) -> f64 {
    stats(snapshot, "work").max_ns / 1e9
}

alone! {
    fn one_tick_behind_on_another_cpu() {
        trust();
        drive(|machine| {
            machine.ahead[1] = -1;
            machine.read_ps = 1_000;
        });
        for _ in 0..2000 {
            work();
            // Over within a step: it reads one tick less than nothing.
            let call = begin_work();
            move_to(1);
            drop(call);
            move_to(0);
        }
        let snapshot = report();
        right_frequency(&snapshot);
        let work = stats(&snapshot, "work");
        assert!(work.negative > 100 && work.migrated > 100, "{work:#?}");
        assert!(work.max_ns < 1.1e6 && work.min_ns > -50.0, "{work:#?}");
        noted(&snapshot, "readings that ended before they began");
        assert_eq!(snapshot.notes.len(), 1);
    }

    fn far_behind_on_another_cpu() {
        trust();
        drive(|machine| machine.ahead[1] = -FAR);
        let mut calls = 0;
        let outer = super::enter(&super::OUTER);
        for round in 0..40 {
            (0..100).for_each(|_| work());
            let call = begin_work();
            // There and back, in turns.
            move_to((round + 1) % 2);
            pass_ns(super::WORK_NS);
            drop(call);
            calls += 101;
        }
        drop(outer);
        move_to(0);
        let snapshot = report();
        right_frequency(&snapshot);
        right_work(&snapshot);
        let work = stats(&snapshot, "work");
        assert_eq!((work.calls, work.negative), (calls, 20), "{work:#?}");
        assert!((work.migrated_max_ns / 1e9 - 1.6).abs() < 0.01, "{work:#?}");
        noted(&snapshot, "readings that ended before they began: 20 ");
        noted(&snapshot, "not the same on all CPUs, but up to 1.60 s apart");
        assert_eq!(snapshot.notes.len(), 2, "{:#?}", snapshot.notes);
        // Their caller began and ended on one CPU, and has lost nothing.
        let outer = stats(&snapshot, "outer");
        assert!((outer.total_ns / 1e6 - calls as f64).abs() < 1.0, "{outer:#?}");
    }

    fn frozen_from_then_on() {
        trust();
        work_for_seconds(2);
        drive(|machine| machine.mode = Mode::Frozen);
        work_for_seconds(1);
        let snapshot = report();
        right_frequency(&snapshot);
        assert!(stats(&snapshot, "work").max_ns < 1.1e6);
        noted(&snapshot, "the processor's counter stands still by now: no duration since then");
        noted(&snapshot, "the counter advanced 1.00 s less than the system's clock");
        noted(&snapshot, "the probe's cost could not be measured again (a bare pair of 0.00 ns)");
    }

    fn frozen_for_a_while() {
        let snapshot = with(|machine| {
            machine.mode = Mode::Frozen;
            machine.pass_ns(SECOND_NS / 2);
            machine.mode = Mode::Counts;
        });
        noted(&snapshot, "the counter advanced 500 ms less than the system's clock");
        assert!(longest_s(&snapshot) < 0.1);
    }

    fn counting_down_from_then_on() {
        trust();
        work_for_seconds(2);
        drive(|machine| machine.mode = Mode::Backwards);
        (0..500).for_each(|_| work());
        let snapshot = report();
        right_frequency(&snapshot);
        assert_eq!(stats(&snapshot, "work").negative, 500);
        noted(&snapshot, "the processor's counter runs backwards by now: no duration since then");
        noted(&snapshot, "readings that ended before they began: 500 ");
    }

    fn zero_from_then_on() {
        trust();
        work_for_seconds(2);
        drive(|machine| machine.mode = Mode::Zero);
        (0..500).for_each(|_| work());
        let snapshot = crate::snapshot::take_last();
        super::check(&snapshot);
        right_frequency(&snapshot);
        // A reading of nothing is none: the one case in which calls are missing, and it is said.
        let work = stats(&snapshot, "work");
        assert!(work.calls < 2500 && (work.mean_ns / 1e6 - 1.0).abs() < 0.001, "{work:#?}");
        noted(&snapshot, "as it reads 0, calls that have ended since are missing from the counts");
    }

    fn set_forward_and_back() {
        for ticks in [FAR, -FAR, 1, -1] {
            trust();
            work_for_seconds(1);
            drive(|machine| machine.jump(ticks));
        }
        work_for_seconds(1);
        let snapshot = report();
        right_frequency(&snapshot);
        right_work(&snapshot);
        noted(&snapshot, "the counter advanced 1.60 s more than the system's clock");
        noted(&snapshot, "the counter fell behind the system's clock by 1.60 s");
    }

    fn a_drift() {
        trust();
        for ppm in 0..=10 {
            drive(|machine| machine.ticks_per_second = 2_600_000_000 + ppm * 26_000);
            work_for_seconds(1);
        }
        drive(|machine| machine.ticks_per_second = 2_600_000_000);
        let snapshot = report();
        right_frequency(&snapshot);
        right_work(&snapshot);
        noted(&snapshot, "the clock's frequency changed within the run");
        assert!(snapshot.clock.hz_error_ppm > 40.0, "{:#?}", snapshot.clock);
    }

    fn a_suspend_that_the_counter_counts() {
        let snapshot = with(|machine| machine.suspend(5 * SECOND_NS, AcrossSuspend::RunsOn));
        noted(&snapshot, "suspended for 5.00 s");
        noted(&snapshot, "the counter ran on, and calls under way then hold that");
        assert!((longest_s(&snapshot) - 5.0).abs() < 0.1);
    }

    fn a_suspend_that_the_counter_does_not_count() {
        let snapshot = with(|machine| machine.suspend(5 * SECOND_NS, AcrossSuspend::Stands));
        noted(&snapshot, "suspended for 5.00 s");
        noted(&snapshot, "the counter stood still, and no duration holds that");
        assert!(longest_s(&snapshot) < 0.1);
    }

    fn a_suspend_after_which_the_counter_begins_anew() {
        let snapshot = with(|machine| machine.suspend(5 * SECOND_NS, AcrossSuspend::Restarts));
        noted(&snapshot, "the counter began anew, and calls under way then read below zero");
        noted(&snapshot, "readings that ended before they began: 1 ");
        assert_eq!(stats(&snapshot, "work").negative, 1);
        // The batches, and with them the anchors, go on.
        let last = super::super::process::get().expect("it runs").history.anchors();
        assert!(last.last().expect("one").ticks < 10 * 2_600_000_000, "{last:?}");
    }

    fn a_suspend_between_the_only_two_anchors() {
        trust();
        work();
        drive(|machine| machine.suspend(5 * SECOND_NS, AcrossSuspend::RunsOn));
        let snapshot = report();
        right_frequency(&snapshot);
        noted(&snapshot, "suspended for 5.00 s");
    }

    fn a_pause_of_the_whole_machine() {
        let snapshot = with(|machine| {
            machine.pause_counter(4 * SECOND_NS);
            machine.pause_system(4 * SECOND_NS);
        });
        // Both clocks say so, and so it was.
        nothing_noted(&snapshot);
        assert!((longest_s(&snapshot) - 4.0).abs() < 0.1);
    }

    fn a_pause_that_only_the_counter_sees() {
        let snapshot = with(|machine| machine.pause_system(4 * SECOND_NS));
        noted(&snapshot, "the counter advanced 4.00 s more than the system's clock");
        assert!((longest_s(&snapshot) - 4.0).abs() < 0.1);
    }

    fn a_pause_that_only_the_system_sees() {
        let snapshot = with(|machine| machine.pause_counter(4 * SECOND_NS));
        noted(&snapshot, "the counter advanced 4.00 s less than the system's clock");
        assert!(longest_s(&snapshot) < 0.1);
    }

    fn a_pause_between_the_only_two_anchors() {
        trust();
        work();
        drive(|machine| machine.pause_system(4 * SECOND_NS));
        let snapshot = report();
        right_frequency(&snapshot);
        noted(&snapshot, "the counter advanced 4.00 s more than the system's clock");
    }

    fn a_pause_that_nobody_can_place() {
        // Two anchors, and nobody who knows the frequency: what is shown is marked.
        work();
        drive(|machine| machine.pause_system(4 * SECOND_NS));
        let snapshot = report();
        noted(&snapshot, "nothing says which is right");
        assert!(snapshot.clock.hz_error_ppm > 1e6, "{:#?}", snapshot.clock);
    }

    fn a_source_that_the_kernel_abandons() {
        let snapshot = with(|machine| {
            machine.facts.clocksource = Some(String::from("hpet"));
            machine.jump(26_000_000);
        });
        noted(&snapshot, "the kernel stopped trusting the counter: it kept time by tsc at the start");
        noted(&snapshot, "the counter advanced 10.0 ms more than the system's clock");
    }
}
