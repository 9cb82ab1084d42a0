//! The rows: which site, under what name, in which order.

use std::collections::BTreeMap;

use crate::config::Sort;
use crate::report::percent::apportion;
use crate::report::text::escape;
use crate::snapshot::model::{SiteStats, Snapshot};

/// One site, as a row of the table.
pub(super) struct Row<'a> {
    pub(super) site: &'a SiteStats,
    /// What it is called in this report.
    pub(super) label: String,
    /// Its share of all self time, in tenths of a percent; those of all rows add up to 1000.
    pub(super) tenths: u32,
}

/// Every site called, in the order wanted.
pub(super) fn ranked(snapshot: &Snapshot, sort: Sort) -> Vec<Row<'_>> {
    let labels = Labels::new(snapshot);
    let weights: Vec<f64> = snapshot.sites.iter().map(|site| site.self_percent).collect();
    let mut rows: Vec<(f64, Row)> = snapshot
        .sites
        .iter()
        .zip(apportion(&weights, 1000))
        .map(|(site, tenths)| {
            let label = labels.of(&site.name, &site.file, site.line);
            (rank(site, sort), Row { site, label, tenths })
        })
        .collect();
    // Rows that tie are ordered by name, so that the same figures give the same table.
    rows.sort_by(|(a, row_a), (b, row_b)| {
        b.total_cmp(a).then_with(|| row_a.label.cmp(&row_b.label))
    });
    rows.into_iter().map(|(_, row)| row).collect()
}

/// What the rows are ordered by, the largest first. Time in flight counts, as it does in the
/// percentages; sites without a reading come last where readings are compared.
fn rank(site: &SiteStats, sort: Sort) -> f64 {
    let readings = |figure: f64| {
        if site.timed == 0 || figure.is_nan() { f64::NEG_INFINITY } else { figure }
    };
    let with_open = |finished: f64, open: f64| finished.max(0.0) + open.max(0.0);
    match sort {
        Sort::SelfTime => with_open(site.self_ns, site.in_flight_self_ns),
        Sort::Total => with_open(site.total_ns, site.in_flight_ns),
        Sort::Calls => site.calls as f64,
        Sort::Typical => readings(site.typical_ns),
        Sort::P50 => readings(site.quantile_ns(0.5)),
        Sort::P99 => readings(site.quantile_ns(0.99)),
        Sort::Max => readings(site.max_ns),
        Sort::Name => 0.0,
    }
}

/// Names as they are shown: escaped, and with their place where two sites share one or there
/// is none.
pub(super) struct Labels<'a> {
    sites_of: BTreeMap<&'a str, u32>,
}

impl<'a> Labels<'a> {
    pub(super) fn new(snapshot: &'a Snapshot) -> Self {
        let mut sites_of = BTreeMap::new();
        let called = snapshot.sites.iter().map(|site| &site.name);
        let never_called = snapshot.never_called.iter().map(|place| &place.name);
        for name in called.chain(never_called) {
            *sites_of.entry(name.as_str()).or_insert(0) += 1;
        }
        Labels { sites_of }
    }

    pub(super) fn of(&self, name: &str, file: &str, line: u32) -> String {
        let shared = self.sites_of.get(name).is_some_and(|&sites| sites > 1);
        match name {
            "" => format!("({}:{line})", escape(file)),
            name if shared => format!("{} ({}:{line})", escape(name), escape(file)),
            name => escape(name).into_owned(),
        }
    }
}
