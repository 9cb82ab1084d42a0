//! The table: a row a budget.

/// What a measured figure must not exceed.
#[derive(Clone, Copy)]
pub(super) struct Budget(pub(super) f64);

/// The rows so far, printed as they come: some take seconds.
pub(super) struct Table {
    rows: usize,
    over: usize,
}

impl Table {
    /// With the table's head printed.
    pub(super) fn new() -> Self {
        println!("{:<66} {:>9} {:<11} {:>8}  verdict", "row", "measured", "unit", "budget");
        Self { rows: 0, over: 0 }
    }

    /// A row; `note` says what else was seen.
    pub(super) fn row(
        &mut self,
        name: &str,
        measured: f64,
        unit: &str,
        budget: Budget,
        note: &str,
    ) {
        let Budget(limit) = budget;
        let good = measured <= limit;
        let verdict = if good { "ok" } else { "over" };
        self.rows += 1;
        self.over += usize::from(!good);
        let budget = format!("≤ {limit}");
        let measured = digits(measured);
        println!("{name:<66} {measured:>9} {unit:<11} {budget:>8}  {verdict:<7} {note}");
    }

    pub(super) fn foot(&self) {
        println!("{} rows, {} over their budget", self.rows, self.over);
    }
}

/// Three digits behind the point where that says something.
pub(super) fn digits(value: f64) -> String {
    if value.abs() < 10.0 { format!("{value:.3}") } else { format!("{value:.1}") }
}
