//! The table: a row a budget.

/// The rows so far, printed as they come: some take minutes.
pub(super) struct Table {
    rows: usize,
    over: usize,
}

impl Table {
    /// With the table's head printed.
    pub(super) fn new() -> Self {
        println!("{:<52} {:>9} {:<8} {:>8}  verdict", "row", "measured", "unit", "budget");
        Self { rows: 0, over: 0 }
    }

    /// A row; `note` says what else was seen.
    pub(super) fn row(&mut self, name: &str, measured: f64, unit: &str, most: f64, note: &str) {
        let good = measured <= most;
        let verdict = if good { "ok" } else { "over" };
        self.rows += 1;
        self.over += usize::from(!good);
        let measured =
            if unit == "crates" { measured.to_string() } else { format!("{measured:.3}") };
        println!(
            "{name:<52} {measured:>9} {unit:<8} {:>8}  {verdict:<7} {note}",
            format!("≤ {most}")
        );
    }

    pub(super) fn foot(&self) {
        println!("{} rows, {} over their budget", self.rows, self.over);
    }
}
