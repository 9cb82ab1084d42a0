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
    if !ns.is_finite() {
        return "?".to_owned();
    }
    if ns < 0.000_5 {
        return "0 ns".to_owned();
    }
    let mut unit = UNITS.iter();
    let mut scaled = (ns, "ns");
    // The next unit begins where rounding would give a thousand of this one.
    while scaled.0 >= 999.5
        && let Some((scale, name)) = unit.next()
    {
        scaled = (ns / scale, name);
    }
    let decimals = match scaled.0 {
        ..0.999_5 => 3,
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{:.decimals$} {}", scaled.0, scaled.1)
}

/// For what is somewhere between zero and `ns`.
pub(super) fn less_than(ns: f64) -> String {
    format!("< {}", duration(ns))
}

/// A figure known to within ± `uncertainty_ns`, which is a bound where it may as well be zero.
pub(super) fn figure(ns: f64, uncertainty_ns: f64) -> String {
    if uncertainty_ns > 0.0 && ns <= uncertainty_ns {
        less_than(ns.max(0.0) + uncertainty_ns)
    } else {
        duration(ns)
    }
}

/// A frequency to the kilohertz, as kernels give it.
pub(super) fn frequency(hz: f64) -> String {
    format!("{:.3} MHz", hz / 1e6)
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
    fn a_figure_that_may_be_zero_is_a_bound() {
        assert_eq!(figure(2e6, 5e6), "< 7.00 ms");
        assert_eq!(figure(-2e6, 5e6), "< 5.00 ms");
        assert_eq!(figure(5e6, 2e6), "5.00 ms");
        assert_eq!(figure(0.0, 0.0), "0 ns");
    }

    #[test]
    fn shares_and_frequencies() {
        assert_eq!(share(1.0, 3.0), "33.3 %");
        assert_eq!(share(1.0, 1e6), "< 0.1 %");
        assert_eq!(share(0.0, 0.0), "0.0 %");
        assert_eq!(frequency(2_994_373_214.0), "2994.373 MHz");
        assert_eq!(ppm(0.001), "< 0.01 ppm");
        assert_eq!(tenths(1000), "100.0");
        assert_eq!(count(1, "thread"), "1 thread");
    }
}
