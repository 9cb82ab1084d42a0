//! Numbers as people read them: three significant digits and one unit.

/// From the smallest unit to the largest, in nanoseconds.
const UNITS: &[(f64, &str)] = &[
    (1.0, "ns"),
    (1e3, "µs"),
    (1e6, "ms"),
    (1e9, "s"),
    (60e9, "min"),
    (3_600e9, "h"),
    (86_400e9, "d"),
];

/// A duration in nanoseconds; below zero it is shown as zero. Seconds are not split into
/// minutes before there are a thousand of them, and below a nanosecond three decimals are all.
pub(super) fn duration(ns: f64) -> String {
    to_place(ns, 0.0)
}

/// A duration known to within ± `uncertainty_ns`: with no digit of which nothing is known.
pub(super) fn known(ns: f64, uncertainty_ns: f64) -> String {
    to_place(ns, place(uncertainty_ns.min(ns)))
}

/// An uncertainty, or a bound: two digits.
pub(super) fn rough(ns: f64) -> String {
    to_place(ns, place(ns) / 10.0)
}

/// The power of ten that is the place of a number's first digit; 0 of what has none.
fn place(value: f64) -> f64 {
    if value > 0.0 && value.is_finite() { 10_f64.powf(value.log10().floor()) } else { 0.0 }
}

/// A duration with three digits, none of them below the place `last_ns`.
fn to_place(ns: f64, last_ns: f64) -> String {
    if !ns.is_finite() {
        return "?".to_owned();
    }
    let ns = if last_ns > 0.0 { (ns / last_ns).round() * last_ns } else { ns };
    if ns < 0.000_5 {
        return "0 ns".to_owned();
    }
    let mut unit = UNITS.iter();
    let (mut scaled, mut last, mut name) = (ns, last_ns, "ns");
    // The next unit begins where rounding would give a thousand of this one.
    while scaled >= 999.5
        && let Some((scale, next)) = unit.next()
    {
        (scaled, last, name) = (ns / scale, last_ns / scale, next);
    }
    let digits = match scaled {
        ..0.999_5 => 3,
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    // A power of ten is a little off once it has been divided.
    let known = if last > 0.0 { (-last.log10() + 0.01).floor().max(0.0) as usize } else { digits };
    format!("{scaled:.*} {name}", digits.min(known))
}

/// For what is somewhere between zero and `ns`.
pub(super) fn less_than(ns: f64) -> String {
    format!("< {}", rough(ns))
}

/// A figure known to within ± `uncertainty_ns`, which is a bound where it may as well be zero.
pub(super) fn figure(ns: f64, uncertainty_ns: f64) -> String {
    if uncertainty_ns > 0.0 && ns <= uncertainty_ns {
        less_than(ns.max(0.0) + uncertainty_ns)
    } else {
        known(ns, uncertainty_ns)
    }
}

/// A frequency to the kilohertz, as kernels give it, or as far as it is known.
pub(super) fn frequency(hz: f64, error_ppm: f64) -> String {
    let last = place(hz * error_ppm * 1e-6) / 1e6;
    let decimals = if last > 0.0 { (-last.log10() + 0.01).floor().clamp(0.0, 3.0) } else { 3.0 };
    format!("{:.*} MHz", decimals as usize, hz / 1e6)
}

/// Parts per million, two decimals.
pub(super) fn ppm(ppm: f64) -> String {
    if ppm > 0.0 && ppm < 0.005 { "< 0.01 ppm".to_owned() } else { format!("{ppm:.2} ppm") }
}

/// Tenths of a percent.
pub(super) fn tenths(tenths: u32) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// What part of `whole` the `part` is, in percent; nothing of nothing is none.
pub(super) fn share(part: f64, whole: f64) -> String {
    let percent = if part > 0.0 { part / whole * 100.0 } else { 0.0 };
    if percent > 0.0 && percent < 0.05 { "< 0.1 %".to_owned() } else { format!("{percent:.1} %") }
}

/// `1 thread`, `2 threads`.
pub(super) fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::random::Random;

    #[test]
    fn durations() {
        let cases = [
            (0.0, "0 ns"),
            (-5.0, "0 ns"),
            (0.000_4, "0 ns"),
            (0.412, "0.412 ns"),
            (0.999_6, "1.00 ns"),
            (9.994, "9.99 ns"),
            (9.996, "10.0 ns"),
            (412.0, "412 ns"),
            (999.4, "999 ns"),
            (999.5, "1.00 µs"),
            (1_934_000.0, "1.93 ms"),
            (999_500.0, "1.00 ms"),
            (2.1e9, "2.10 s"),
            (60e9, "60.0 s"),
            (999.4e9, "999 s"),
            (1_000e9, "16.7 min"),
            (7.2e13, "20.0 h"),
            (1e18, "11574 d"),
            (f64::NAN, "?"),
            (f64::INFINITY, "?"),
        ];
        for (ns, text) in cases {
            assert_eq!(duration(ns), text, "{ns}");
        }
    }

    /// What a cell says, in nanoseconds.
    fn read(cell: &str) -> f64 {
        let (number, unit) = cell.split_once(' ').expect("a number and a unit");
        let (scale, _) = UNITS.iter().find(|(_, name)| *name == unit).expect("a unit");
        number.parse::<f64>().expect("a number") * scale
    }

    #[test]
    fn random_durations_have_three_digits_and_keep_their_order() {
        let mut random = Random::new();
        // Up to 36 days: 999 h are a little more than the 41.6 d that come next.
        let mut values: Vec<f64> = (0..20_000)
            .map(|_| 10_f64.powf(random.share() * 15.5))
            .chain((0..=15).flat_map(|power| {
                let unit = 10_f64.powi(power);
                [unit, unit * 0.999_4, unit * 0.999_5, unit * 0.999_6, unit.next_down()]
            }))
            .filter(|ns| *ns >= 1.0)
            .collect();
        values.sort_by(f64::total_cmp);
        let mut before = 0.0;
        for ns in values {
            let cell = duration(ns);
            let digits = cell.chars().filter(char::is_ascii_digit).count();
            assert_eq!(digits, 3, "{ns} {cell}");
            let value = read(&cell);
            assert!((value / ns - 1.0).abs() <= 0.005_001, "{ns} {cell}");
            assert!(value >= before, "{ns} {cell}");
            before = value;
        }
    }

    #[test]
    fn no_digit_is_printed_of_which_nothing_is_known() {
        let cases = [
            (48.13, 1.29, "48 ns"),
            (48.13, 0.29, "48.1 ns"),
            (48.13, 0.029, "48.1 ns"),
            (48.13, 29.0, "50 ns"),
            (4_375.0, 300.0, "4.4 µs"),
            (88_800.0, 12_000.0, "90 µs"),
            (184e6, 5_920.0, "184 ms"),
            (997.0, 12.0, "1.00 µs"),
            (996.0, 300.0, "1.0 µs"),
            (5.0, 80.0, "5 ns"),
            (0.0, 3.0, "0 ns"),
            (1234.0, 0.0, "1.23 µs"),
            (f64::NAN, 1.0, "?"),
            (5.0, f64::NAN, "5 ns"),
        ];
        for (ns, uncertainty, text) in cases {
            assert_eq!(known(ns, uncertainty), text, "{ns} ± {uncertainty}");
        }
        assert_eq!(rough(1.294), "1.3 ns");
        assert_eq!(rough(10.0), "10 ns");
        assert_eq!(rough(41.67), "42 ns");
        assert_eq!(rough(0.236), "0.24 ns");
        assert_eq!(rough(119_000.0), "120 µs");
    }

    #[test]
    fn a_figure_that_may_be_zero_is_a_bound() {
        assert_eq!(figure(2e6, 5e6), "< 7.0 ms");
        assert_eq!(figure(-2e6, 5e6), "< 5.0 ms");
        assert_eq!(figure(5e6, 2e6), "5 ms");
        assert_eq!(figure(0.0, 0.0), "0 ns");
    }

    #[test]
    fn shares_and_frequencies() {
        assert_eq!(share(1.0, 3.0), "33.3 %");
        assert_eq!(share(1.0, 1e6), "< 0.1 %");
        assert_eq!(share(0.0, 0.0), "0.0 %");
        assert_eq!(frequency(2_994_373_214.0, 0.1), "2994.373 MHz");
        assert_eq!(frequency(2_994_373_214.0, 40.0), "2994.4 MHz");
        assert_eq!(frequency(2_994_373_214.0, 1e6), "2994 MHz");
        assert_eq!(frequency(2_994_373_214.0, f64::INFINITY), "2994.373 MHz");
        assert_eq!(ppm(0.001), "< 0.01 ppm");
        assert_eq!(tenths(1000), "100.0");
        assert_eq!(count(1, "thread"), "1 thread");
    }
}
