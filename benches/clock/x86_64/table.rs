//! The table: a row a figure.

/// The rows so far, printed as they come.
pub(super) struct Table {
    rows: usize,
    over: usize,
}

impl Table {
    /// With the table's head printed.
    pub(super) fn new() -> Self {
        println!("{:<58} {:>9} {:<6} {:>8}  verdict", "row", "measured", "unit", "budget");
        Self { rows: 0, over: 0 }
    }

    /// A row; `most` is its budget, and `note` says what else was seen.
    pub(super) fn row(&mut self, name: &str, measured: f64, unit: &str, most: f64, note: &str) {
        let good = measured <= most;
        self.rows += 1;
        self.over += usize::from(!good);
        let verdict = if good { "ok" } else { "over" };
        let budget = format!("≤ {most}");
        println!("{name:<58} {measured:>9.3} {unit:<6} {budget:>8}  {verdict:<7} {note}");
    }

    pub(super) fn foot(&self) {
        println!("{} rows, {} over their budget", self.rows, self.over);
    }
}
