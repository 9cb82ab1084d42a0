//! The reports that the tests' processes leave.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::Deserialize;

#[derive(Deserialize)]
struct Report {
    schema: String,
    sites: Vec<Site>,
}

#[derive(Deserialize)]
struct Site {
    name: String,
    file: String,
    line: u32,
    calls: u64,
    timed: u64,
    negative: u64,
    histogram: Histogram,
}

#[derive(Deserialize)]
struct Histogram {
    buckets: Vec<(f64, f64, u64)>,
}

/// All reports of a run.
#[derive(Debug, Default)]
pub(crate) struct Sum {
    pub(crate) reports: usize,
    /// The sites that were called in any of the processes.
    pub(crate) sites: usize,
    pub(crate) calls: u64,
}

/// Reads and checks each report in the folder.
pub(crate) fn sum(folder: &Path) -> Result<Sum, String> {
    let mut sum = Sum::default();
    let mut called = BTreeSet::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        let fault = |error: String| format!("{}: {error}", path.display());
        let text = fs::read(&path).map_err(|error| fault(error.to_string()))?;
        let report: Report =
            serde_json::from_slice(&text).map_err(|error| fault(error.to_string()))?;
        if report.schema != "timed/1" {
            return Err(fault(format!("schema {}", report.schema)));
        }
        sum.reports += 1;
        for site in report.sites {
            site.check().map_err(fault)?;
            sum.calls += site.calls;
            if site.calls > 0 {
                called.insert((site.file, site.line, site.name));
            }
        }
    }
    sum.sites = called.len();
    Ok(sum)
}

impl Site {
    /// The calls that were timed are those in the distribution.
    fn check(&self) -> Result<(), String> {
        let counted: u64 = self.histogram.buckets.iter().map(|bucket| bucket.2).sum();
        if counted + self.negative == self.timed && self.timed <= self.calls {
            return Ok(());
        }
        Err(format!(
            "{}: {} calls, {} timed, {} negative, {counted} in the distribution",
            self.name, self.calls, self.timed, self.negative
        ))
    }
}
