//! Clocks that are broken from the start.

use super::{
    alone, noted, nothing_noted, report, right_frequency, right_work, trust, work_for_seconds,
};
use crate::clock::driven::{Mode, drive};
use crate::snapshot::model::{ClockSource, Snapshot};

/// The system's clock was taken, for this reason, and its figures are right.
#[track_caller]
fn on_the_system_clock(snapshot: &Snapshot, why: &str) {
    let clock = &snapshot.clock;
    assert_eq!((clock.source, clock.reason.as_str()), (ClockSource::Monotonic, why));
    assert!((clock.hz - 1e9).abs() < 1e-3, "{clock:#?}");
    right_work(snapshot);
    nothing_noted(snapshot);
}

alone! {
    fn a_good_clock() {
        trust();
        work_for_seconds(3);
        let snapshot = report();
        right_frequency(&snapshot);
        right_work(&snapshot);
        nothing_noted(&snapshot);
        assert!(snapshot.clock.hz_error_ppm < 1.0, "{:#?}", snapshot.clock);
        assert!((snapshot.clock.resolution_ns - 10.0).abs() < 0.01, "{:#?}", snapshot.clock);
        // What batches and anchors take is nobody's: all calls together are off by three readings.
        let outer = super::stats(&snapshot, "outer");
        assert!(outer.self_ns.abs() < outer.self_uncertainty_ns, "{outer:#?}");
    }

    fn steps_of_64() {
        trust();
        drive(|machine| machine.step = 64);
        work_for_seconds(3);
        let snapshot = report();
        right_frequency(&snapshot);
        right_work(&snapshot);
        nothing_noted(&snapshot);
        assert!((snapshot.clock.resolution_ns - 64.0 / 2.6).abs() < 0.01, "{:#?}", snapshot.clock);
    }

    fn steps_of_half_a_call() {
        trust();
        drive(|machine| machine.step = 1_300_000);
        work_for_seconds(10);
        let snapshot = report();
        right_frequency(&snapshot);
        nothing_noted(&snapshot);
        assert!((snapshot.clock.resolution_ns / 5e5 - 1.0).abs() < 1e-3, "{:#?}", snapshot.clock);
        let work = super::stats(&snapshot, "work");
        assert!((work.mean_ns / 1e6 - 1.0).abs() < 0.02, "{work:#?}");
        assert!((work.typical_ns / 1e6 - 1.0).abs() < 0.02, "{work:#?}");
    }

    fn steps_of_four_calls() {
        trust();
        // None is seen in a millisecond.
        drive(|machine| machine.step = 10_400_000);
        work_for_seconds(1);
        on_the_system_clock(&report(), "the processor's counter stands still");
    }

    fn a_counter_that_stands() {
        trust();
        drive(|machine| machine.mode = Mode::Frozen);
        work_for_seconds(1);
        on_the_system_clock(&report(), "the processor's counter stands still");
    }

    fn a_counter_that_reads_zero() {
        trust();
        drive(|machine| machine.mode = Mode::Zero);
        work_for_seconds(1);
        on_the_system_clock(&report(), "the processor's counter stands still");
    }

    fn a_counter_that_counts_down() {
        trust();
        drive(|machine| machine.mode = Mode::Backwards);
        work_for_seconds(1);
        on_the_system_clock(&report(), "the processor's counter runs backwards");
    }

    fn a_kernel_that_keeps_time_by_another_clock() {
        drive(|machine| machine.facts.clocksource = Some(String::from("hpet")));
        work_for_seconds(1);
        on_the_system_clock(&report(), "the kernel keeps time by hpet, not by the counter");
    }

    fn a_system_clock_that_stands() {
        drive(|machine| {
            machine.facts.clocksource = Some(String::from("hpet"));
            machine.system_stands = true;
        });
        work_for_seconds(1);
        let snapshot = report();
        noted(&snapshot, "the clock stood still, or ran backwards, over the whole run");
        assert_eq!(snapshot.notes.len(), 1, "{:#?}", snapshot.notes);
    }

    fn a_counter_beside_a_system_clock_that_stands() {
        trust();
        drive(|machine| machine.system_stands = true);
        work_for_seconds(1);
        let snapshot = report();
        noted(&snapshot, "could not be measured: that of the check `kernel` was used");
        noted(&snapshot, "the system's clock stood still at 0.00 ns of the run, while the counter advanced 1.00 s");
        // It happens to be right, and nobody can know.
        assert!((snapshot.clock.hz - 2.6e9).abs() < 1.0 && snapshot.clock.hz_error_ppm >= 1e6);
    }

    fn a_leaf_of_cpuid_that_is_another_machines() {
        trust();
        drive(|machine| {
            machine.facts.hypervisor = true;
            machine.claims.insert(0, ("cpuid 15h", 2.8 * 2.6e9));
        });
        work_for_seconds(3);
        let snapshot = report();
        right_frequency(&snapshot);
        right_work(&snapshot);
        noted(&snapshot, "cpuid 15h says that the clock runs at 7280.000 MHz (a hypervisor's guest");
        assert_eq!(snapshot.notes.len(), 1);
    }

    fn claims_that_are_no_numbers() {
        drive(|machine| {
            machine.claims = vec![("cpuid 15h", 0.0), ("hypervisor", f64::NAN), ("kernel", f64::INFINITY)];
        });
        work_for_seconds(3);
        let snapshot = report();
        right_frequency(&snapshot);
        right_work(&snapshot);
        nothing_noted(&snapshot);
    }

    fn readings_that_take_a_millisecond() {
        trust();
        drive(|machine| machine.read_ps = 1_000_000_000);
        work_for_seconds(1);
        let snapshot = report();
        right_frequency(&snapshot);
        noted(&snapshot, "the probe's cost could not be measured at first use (a floor of 1.1");
        // Nothing was taken off: a call has a reading in it.
        let work = super::stats(&snapshot, "work");
        assert!((2.0e6..2.3e6).contains(&work.typical_ns), "{work:#?}");
    }
}
