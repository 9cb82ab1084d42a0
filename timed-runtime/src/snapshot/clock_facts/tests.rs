//! What is said, word for word where it matters.

use super::*;

fn choice(clocksource: &str) -> Choice {
    Choice {
        counter: true,
        reason: String::new(),
        why_not: None,
        clocksource: Some(clocksource.to_owned()),
    }
}

fn event(what: What, excess_ns: f64, asleep_ns: u64) -> Event {
    let (from_ns, to_ns) = (1_020_000_000, 2_040_000_000);
    Event { what, from_ns, to_ns, asleep_ns, excess_ns, cpus: [3, 3] }
}

#[test]
fn a_suspend_says_what_the_counter_did() {
    let said =
        |excess_ns, counter| of_event(&event(What::Suspended, excess_ns, 5_000_000_000), counter);
    let head = "the machine was suspended for 5.00 s, between 1.02 s and 2.04 s of the run: ";
    for (excess_ns, counter, meaning) in [
        (5.01e9, true, "the counter ran on, and calls under way then hold that"),
        (1e5, true, "the counter stood still, and no duration holds that"),
        (-9e11, true, "the counter began anew, and calls under way then read below zero"),
        (1.5e9, true, "the counter advanced 1.50 s more than the time awake"),
        (0.0, false, "no duration holds that"),
    ] {
        assert_eq!(said(excess_ns, counter), format!("{head}{meaning}"));
    }
}

#[test]
fn events_beyond_a_few_are_told_by_their_number() {
    let events = [event(What::Apart, 4e9, 0); 9];
    let notes = of_events(&events, true);
    assert_eq!(notes.len(), MOST_EVENTS + 1);
    assert!(notes[0].starts_with("the counter advanced 4.00 s more than the system's clock"));
    assert_eq!(notes[MOST_EVENTS], "the clock was odd 5 more times in the run");
}

#[test]
fn counters_that_are_apart_are_told_once_and_a_pause_is_not_taken_for_that() {
    let moved =
        |from, to, excess_ns| Event { cpus: [from, to], ..event(What::Apart, excess_ns, 0) };
    let events = [moved(3, 7, 1.6e9), moved(7, 3, -1.6e9), moved(3, 7, 1.59e9), moved(3, 2, 4e9)];
    let notes = of_events(&events, true);
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].contains("4.00 s more") && notes[0].contains("another CPU's"), "{notes:?}");
    assert!(notes[1].contains("not the same on all CPUs, but up to 1.60 s apart"), "{notes:?}");
    // There, and there again, is no offset.
    let events = [moved(3, 7, 1.6e9), moved(7, 3, 1.6e9)];
    assert_eq!(of_events(&events, true).len(), 2);
}

#[test]
fn a_kernel_that_turns_away_from_the_counter_is_told() {
    let note = of_source(&choice("tsc"), Some("hpet")).expect("abandoned");
    assert!(note.contains("by tsc at the start, and by hpet at the end"), "{note}");
    assert_eq!(of_source(&choice("tsc"), Some("tsc")), None);
    assert_eq!(of_source(&choice("kvm-clock"), Some("tsc")), None);
    assert_eq!(of_source(&choice("tsc"), None), None);
    // Not measured with, so it may do what it likes.
    let system = Choice { counter: false, ..choice("tsc") };
    assert_eq!(of_source(&system, Some("hpet")), None);
}

#[test]
fn claims_that_are_far_off_are_told_and_a_guest_is_told_why() {
    let check =
        |name: &str, hz: f64| Check { name: name.to_owned(), hz, ppm: (hz / 2.6e9 - 1.0) * 1e6 };
    let checks =
        vec![check("cpuid 15h", 7.28e9), check("kernel", 2.6001e9), check("hypervisor", f64::NAN)];
    let clock = Clock { hz: 2.6e9, hz_error_ppm: 1.0, checks, ..Clock::default() };
    let notes = of_claims(&clock, true);
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(
        notes[0].starts_with(
            "cpuid 15h says that the clock runs at 7280.000 MHz (a hypervisor's guest"
        )
    );
    assert!(!of_claims(&clock, false)[0].contains("guest"));
}

#[test]
fn spans_have_three_digits() {
    for (ns, said) in [(0.0, "0.00 ns"), (26.04, "26.0 ns"), (1.6e9, "1.60 s"), (4e12, "4000 s")] {
        assert_eq!(span(ns), said);
    }
}
