//! The table: a row a case, medians over the processes.

use super::case::{Case, Found, Limit, middle};

/// Rows, and how many of them are over their limit; processes, and how many of them lie within ±.
#[derive(Default)]
pub(super) struct Table {
    rows: usize,
    over: usize,
    processes: usize,
    within: usize,
}

impl Table {
    /// With the table's head printed.
    pub(super) fn new() -> Self {
        println!(
            "{:<58} {:>11} {:>11} {:>9} {:>9} {:>7}  {:>7} {:<8} {:>7}  verdict",
            "body", "true ns", "reported", "error", "± ns", "bias %", "within±", "limit", "worst"
        );
        Self::default()
    }

    /// The rows of a group of cases. Budgets are for a quiet machine.
    pub(super) fn group(&mut self, cases: &[Case], found: &[Vec<Found>], quiet: bool) {
        for (case, found) in cases.iter().zip(found) {
            self.row(case, found, quiet);
        }
    }

    fn row(&mut self, case: &Case, found: &[Found], quiet: bool) {
        let truth = middle(found, |found| found.truth);
        let error = middle(found, Found::error);
        let left = middle(found, Found::bias_left);
        let within = found.iter().filter(|found| found.error().abs() <= found.uncertainty).count();
        let (size, limit, text) = match case.limit {
            Limit::Ns(most) => {
                let most = most.max(truth / 100.0);
                (Found::error as fn(&Found) -> f64, most, format!("≤ {} ns", digits(most)))
            }
            Limit::Bias(most) => {
                (Found::bias_left as fn(&Found) -> f64, most, format!("≤ {most} %"))
            }
        };
        let measured = middle(found, |found| size(found).abs());
        let worst = found.iter().map(|found| size(found).abs()).fold(0.0, f64::max);
        let good = measured <= limit;
        self.processes += found.len();
        self.within += within;
        self.rows += usize::from(quiet);
        self.over += usize::from(quiet && !good);
        println!(
            "{:<58} {:>11} {:>11} {:>9} {:>9} {:>7}  {:>7} {:<8} {:>7}  {}",
            case.name,
            digits(truth),
            digits(middle(found, |found| found.reported)),
            format!("{error:+.2}"),
            digits(middle(found, |found| found.uncertainty)),
            format!("{left:+.2}"),
            format!("{within}/{}", found.len()),
            text,
            digits(worst),
            if good { "ok" } else { "over" },
        );
    }

    pub(super) fn foot(&self) {
        let share = self.within as f64 / self.processes.max(1) as f64 * 100.0;
        println!(
            "{} rows, {} over their limit; the true value lies within ± in {share:.1} % of {} figures",
            self.rows, self.over, self.processes
        );
    }
}

fn digits(value: f64) -> String {
    match value.abs() {
        ..9.995 => format!("{value:.2}"),
        ..999.5 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}
