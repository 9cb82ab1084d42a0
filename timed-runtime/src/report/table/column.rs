//! The columns: what each is called, holds, and is worth when there is no room for all.

use super::row::Row;
use crate::report::{cell, percent};
use crate::snapshot::model::{Kind, SiteStats, Verdict};

/// One of the columns in front of the site's name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Column {
    Calls,
    Total,
    SelfTime,
    SelfPercent,
    Typical,
    Uncertainty,
    Min,
    /// In percent.
    Quantile(f64),
    Max,
}

/// Behind a figure that calls have made which changed CPU.
pub(super) const MOVED: &str = "*";

/// For a figure that was not measured.
const NONE: &str = "-";

impl Column {
    /// All of them, from left to right.
    pub(super) fn all(quantiles: &[f64]) -> Vec<Column> {
        let mut columns = vec![
            Column::Calls,
            Column::Total,
            Column::SelfTime,
            Column::SelfPercent,
            Column::Typical,
            Column::Uncertainty,
            Column::Min,
        ];
        columns.extend(quantiles.iter().copied().map(Column::Quantile));
        columns.push(Column::Max);
        columns
    }

    /// The order in which they make room for names. `typical` says what the lowest quantile
    /// says, and one outlier makes `max`. The share of self time stays.
    pub(super) fn given_up(quantiles: &[f64]) -> Vec<Column> {
        let (first, others) = match quantiles {
            [first, others @ ..] if !others.is_empty() => (Some(*first), others),
            all => (None, all),
        };
        let mut columns = vec![Column::Min];
        columns.extend(first.map(Column::Quantile));
        columns.push(Column::Max);
        columns.extend(others.iter().rev().copied().map(Column::Quantile));
        columns.extend([
            Column::Uncertainty,
            Column::SelfTime,
            Column::Typical,
            Column::Total,
            Column::Calls,
        ]);
        columns
    }

    pub(super) fn title(self) -> String {
        match self {
            Column::Calls => "calls".to_owned(),
            Column::Total => "total".to_owned(),
            Column::SelfTime => "self".to_owned(),
            Column::SelfPercent => "self%".to_owned(),
            Column::Typical => "typical".to_owned(),
            Column::Uncertainty => "±".to_owned(),
            Column::Min => "min".to_owned(),
            Column::Quantile(percent) => format!("p{percent}"),
            Column::Max => "max".to_owned(),
        }
    }

    /// The row's cell. No single reading says anything about durations below the resolution.
    pub(super) fn cell(self, row: &Row, resolution_ns: f64) -> String {
        let site = row.site;
        match self {
            Column::Calls => site.calls.to_string(),
            // An interval is nobody's own time.
            Column::SelfTime | Column::SelfPercent if site.kind == Kind::Hop => NONE.to_owned(),
            Column::SelfPercent => cell::tenths(row.tenths),
            Column::Total if measured(site, site.total_ns) => {
                cell::figure(site.total_ns, site.total_uncertainty_ns)
            }
            Column::SelfTime if measured(site, site.self_ns) => {
                cell::figure(site.self_ns, site.self_uncertainty_ns)
            }
            _ if site.timed == 0 => NONE.to_owned(),
            Column::Total | Column::SelfTime => NONE.to_owned(),
            Column::Typical => typical(site, resolution_ns),
            Column::Uncertainty if site.verdict == Verdict::BelowResolution => NONE.to_owned(),
            Column::Uncertainty => cell::rough(site.uncertainty_ns),
            Column::Min => reading(site.min_ns, resolution_ns, 0.0),
            Column::Quantile(percent) => {
                let ns = site.quantile_ns(percent::share(percent));
                reading(ns, resolution_ns, ns / BUCKETS) + self.mark(site)
            }
            Column::Max => reading(site.max_ns, resolution_ns, 0.0) + self.mark(site),
        }
    }

    /// [`MOVED`] behind a reading that is what it is because its thread was moved to another CPU: it
    /// says nothing of the function.
    fn mark(self, site: &SiteStats) -> &'static str {
        let (moved, timed) = (site.migrated as f64, site.timed as f64);
        // Hops between CPUs are what hops are for.
        let is_theirs = moved > 0.0
            && site.kind != Kind::Hop
            && match self {
                Column::Quantile(percent) => {
                    let q = percent::share(percent);
                    let ns = site.quantile_ns(q);
                    // They are half of what is beyond it at least; and without them, if they are all
                    // there, another reading has that rank.
                    let others = (q * (1.0 - moved / timed)).max(0.0);
                    moved * 2.0 >= timed * (1.0 - q)
                        && site.migrated_ns / moved >= ns
                        && site.quantile_ns(others) < 0.9 * ns
                }
                _ => site.migrated_max_ns >= site.max_ns * (1.0 - 1e-9),
            };
        if is_theirs { MOVED } else { "" }
    }

    /// Whether any of the rows has that mark.
    pub(super) fn any_moved(rows: &[Row], quantiles: &[f64]) -> bool {
        let can_be = |column: &Column| matches!(column, Column::Quantile(_) | Column::Max);
        let columns: Vec<Column> = Column::all(quantiles).into_iter().filter(can_be).collect();
        rows.iter().any(|row| columns.iter().any(|column| !column.mark(row.site).is_empty()))
    }
}

/// A quantile is known to within a bucket, which is at most such a part of its readings wide.
const BUCKETS: f64 = 128.0;

/// Sums may hold something without one finished reading: the polls of a cancelled future.
fn measured(site: &SiteStats, ns: f64) -> bool {
    site.timed > 0 || ns != 0.0
}

fn typical(site: &SiteStats, resolution_ns: f64) -> String {
    match site.verdict {
        // As far up as it may be, where that is above the resolution.
        Verdict::BelowResolution => {
            cell::less_than(resolution_ns.max(site.typical_ns + site.uncertainty_ns))
        }
        Verdict::Estimated => {
            format!("~{}", cell::known(site.typical_ns, site.uncertainty_ns))
        }
        Verdict::Ok => cell::known(site.typical_ns, site.uncertainty_ns),
    }
}

/// A single reading is a multiple of the clock's step, and may stand for all of a bucket.
fn reading(ns: f64, resolution_ns: f64, width_ns: f64) -> String {
    if ns < resolution_ns {
        cell::less_than(resolution_ns)
    } else {
        cell::known(ns, resolution_ns.max(width_ns))
    }
}
