//! The table: a row a budget.

/// What a measured figure must not exceed.
#[derive(Clone, Copy)]
pub(crate) enum Budget {
    Most(f64),
    Least(f64),
}

/// The rows so far, printed as they come: some take seconds.
pub(crate) struct Table {
    rows: usize,
    over: usize,
}

impl Table {
    /// With the table's head printed.
    pub(crate) fn new() -> Self {
        println!("{:<66} {:>9} {:<11} {:>8}  verdict", "row", "measured", "unit", "budget");
        Self { rows: 0, over: 0 }
    }

    /// A row; `note` says what else was seen.
    pub(crate) fn row(
        &mut self,
        name: &str,
        measured: f64,
        unit: &str,
        budget: Budget,
        note: &str,
    ) {
        let (good, sign, limit) = match budget {
            Budget::Most(limit) => (measured <= limit, '≤', limit),
            Budget::Least(limit) => (measured >= limit, '≥', limit),
        };
        let verdict = if good { "ok" } else { "over" };
        self.rows += 1;
        self.over += usize::from(!good);
        let budget = format!("{sign} {limit}");
        let measured = digits(measured);
        println!("{name:<66} {measured:>9} {unit:<11} {budget:>8}  {verdict:<7} {note}");
    }

    pub(crate) fn foot(&self) {
        println!("{} rows, {} over their budget", self.rows, self.over);
    }
}

/// Three digits behind the point where that says something.
pub(crate) fn digits(value: f64) -> String {
    if value.abs() < 10.0 { format!("{value:.3}") } else { format!("{value:.1}") }
}
