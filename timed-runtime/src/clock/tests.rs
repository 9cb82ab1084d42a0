//! What holds of the clock on any machine, a busy or an emulated one: order, and orders of magnitude.

use super::*;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What a busy machine, or an emulator, may add to anything.
const PATIENCE: Duration = Duration::from_secs(5);

fn unix_ns() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("it is past 1970").as_nanos() as u64
}

#[test]
fn readings_of_a_thread_never_run_back() {
    let mut last = start();
    for _ in 0..1000 {
        // An emulated counter repeats itself.
        for reading in [start(), stop(), now_cpu().0, start()] {
            assert!(reading >= last, "{reading} after {last}");
            last = reading;
        }
    }
    assert!(relaxed().abs_diff(stop()) as f64 <= PATIENCE.as_secs_f64() * frequency().hz);
}

#[test]
fn elapsed_is_what_the_system_s_clock_says() {
    let (before, counter, after) = (Instant::now(), TickCounter::current(), Instant::now());
    std::thread::sleep(Duration::from_millis(20));
    let least = after.elapsed().as_nanos() as f64;
    let ns = ticks_to_ns(counter.elapsed());
    let most = before.elapsed().as_nanos() as f64;
    // The system's clock is steered, by 500 ppm at most, and in steps of its own.
    assert!(ns >= least * 0.999 - 1000.0 && ns <= most * 1.001 + 1000.0, "{least} {ns} {most}");
}

#[test]
fn a_counter_that_ran_back_has_not_advanced() {
    assert_eq!(counter::elapsed(10, 30), 20);
    assert_eq!(counter::elapsed(30, 10), 0);
    assert_eq!(counter::elapsed(u64::MAX - 1, 3), 5, "it has wrapped");
}

#[test]
fn the_frequency_is_soon_known_and_gets_better() {
    let begin = Instant::now();
    let first = frequency();
    assert!(begin.elapsed() < PATIENCE);
    assert!(first.hz > 1e6 && first.hz < 1e11, "{first:?}");
    std::thread::sleep(Duration::from_millis(100));
    let later = frequency();
    assert!(later.error_ppm < 1000.0 && later.error_ppm <= first.error_ppm.max(1.0), "{later:?}");
    let apart_ppm = (first.hz / later.hz - 1.0).abs() * 1e6;
    assert!(apart_ppm <= first.error_ppm + later.error_ppm, "{first:?} {later:?}");
}

#[test]
fn the_system_s_clock_counts_nanoseconds() {
    match counter() {
        Ok(counter) => assert_eq!(counter == Counter::Tsc, cfg!(target_arch = "x86_64")),
        Err(why) => {
            assert!(!why.to_string().is_empty());
            assert_eq!(frequency(), Frequency { hz: 1e9, source: Source::Kernel, error_ppm: 0.0 });
            assert_eq!((ticks_to_ns(0), ticks_to_ns(1_000_000_007)), (0.0, 1_000_000_007.0));
        }
    }
    assert_eq!(counter().is_ok(), Choice::make().counter);
}

#[test]
fn intervals_of_any_length_are_converted() {
    let hz = frequency().hz;
    for ticks in [0, 1, 1 << 20, 1 << 40, u64::MAX] {
        let expected = ticks as f64 / hz * 1e9;
        assert!((ticks_to_ns(ticks) - expected).abs() <= expected * 1e-3, "{ticks}");
    }
}

#[test]
fn the_step_is_below_a_tenth_of_a_millisecond() {
    assert!(resolution() >= 1);
    assert_eq!(resolution(), resolution());
    assert!(precision_ns() > 0.0 && precision_ns() < 1e5, "{} ns", precision_ns());
}

/// On Linux the thread can say where it may run, and is there.
#[cfg(target_os = "linux")]
#[test]
fn the_cpu_is_the_one_that_the_thread_is_bound_to() {
    // SAFETY: a set of CPUs is plain numbers.
    let mut allowed: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: `allowed` is valid for its size.
    unsafe { libc::sched_getaffinity(0, size_of_val(&allowed), &raw mut allowed) };
    std::thread::spawn(move || {
        for cpu in 0..256 {
            // SAFETY: both are in the sets' range of 1024.
            let bound = unsafe {
                let mut one: libc::cpu_set_t = std::mem::zeroed();
                libc::CPU_SET(cpu, &mut one);
                libc::CPU_ISSET(cpu, &allowed)
                    && libc::sched_setaffinity(0, size_of_val(&one), &raw const one) == 0
            };
            if bound {
                assert_eq!(now_cpu().1, cpu as u32);
            }
        }
    })
    .join()
    .expect("it agrees");
}

#[test]
fn the_wall_clock_follows_the_system_s() {
    /// What a slew, and a comparison that was interrupted, may make.
    const OFF_NS: u64 = 20_000;
    // Through first use, the first lines, and a pause.
    for round in 0..3000 {
        let before = unix_ns();
        let now = WallClock::unix_ns();
        let after = unix_ns();
        assert!(now + OFF_NS >= before && now <= after + OFF_NS, "{round}: {before} {now} {after}");
        if round % 500 == 0 {
            std::thread::sleep(Duration::from_millis(7));
        }
    }
}

#[test]
fn a_span_ends_where_it_has_started_or_later() {
    let threads: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn(|| {
                let begin = Instant::now();
                while begin.elapsed() < Duration::from_millis(50) {
                    let span = WallClock::start();
                    assert!(span.end_unix_ns() >= span.start_unix_ns());
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().expect("it agrees"));
    let span = WallClock::start();
    std::thread::sleep(Duration::from_millis(10));
    let took = span.end_unix_ns() - span.start_unix_ns();
    assert!(took > 9_900_000 && took < PATIENCE.as_nanos() as u64, "{took}");
}

#[test]
fn readings_have_a_unix_time_when_they_are_old_too() {
    let (reading, then) = (start(), unix_ns());
    for _ in 0..3 {
        assert!(WallClock::unix_ns_at(reading).abs_diff(then) < 50_000_000);
        std::thread::sleep(Duration::from_millis(6));
    }
}

#[test]
fn every_reason_has_its_words() {
    for why in [
        Unavailable::Architecture,
        Unavailable::OperatingSystem,
        Unavailable::NoClock,
        Unavailable::BuiltWithout,
        Unavailable::NoRdtscp,
        Unavailable::NotInvariant,
        Unavailable::KernelDistrusts(String::from("hpet")),
    ] {
        assert!(why.to_string().len() > 5, "{why:?}");
    }
}
