//! What the environment asks for.
//!
//! A bad value never stops the program: it is worth one line, and the default is used.

mod filter;
mod name;
mod reader;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

pub(crate) use filter::Filter;
pub(crate) use name::{misspelt, names};
use reader::Reader;

/// Every setting that comes from an environment variable.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub(crate) struct Config {
    /// `TIMED`: whether anything is recorded.
    pub(crate) on: bool,
    /// `TIMED_REPORT`: what is written to stderr at exit.
    pub(crate) report: Report,
    /// Whether `TIMED_REPORT` asked for that, rather than it being the default.
    pub(crate) report_given: bool,
    /// `TIMED_OUT`: where the report goes besides, `%p` not yet replaced ([`with_pid`]).
    pub(crate) out: Option<PathBuf>,
    /// `TIMED_SORT`: the order of the table's rows.
    pub(crate) sort: Sort,
    /// `TIMED_TOP`: how many rows the table has at most.
    pub(crate) top: Option<usize>,
    /// `TIMED_QUANTILES`: which quantiles are reported, in percent.
    pub(crate) quantiles: Vec<f64>,
    /// `TIMED_FILTER`: which sites are timed.
    pub(crate) filter: Filter,
    /// `TIMED_RECORD`: the file to record into, `%p` not yet replaced ([`with_pid`]).
    pub(crate) record: Option<PathBuf>,
    /// `TIMED_SIGNALS`: whether SIGINT, SIGTERM and SIGHUP lead to a report.
    pub(crate) signals: bool,
    /// `TIMED_TIMELINE`: how many events are kept per lane.
    pub(crate) timeline: Option<u64>,
}

/// What a report looks like.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum Report {
    /// For people.
    #[default]
    Table,
    /// For programs.
    Json,
    /// No report.
    Off,
}

/// What the rows of the table are ordered by: names from A to Z, all else from the largest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum Sort {
    /// Time without timed callees.
    #[default]
    SelfTime,
    /// Time with callees.
    Total,
    /// Finished calls.
    Calls,
    /// The mean without the largest hundredth.
    Typical,
    /// The median.
    P50,
    /// The 99th percentile.
    P99,
    /// The largest reading.
    Max,
    /// The name.
    Name,
}

const SWITCH: &[(&str, bool)] = &[("off", false), ("on", true)];
const REPORTS: &[(&str, Report)] =
    &[("table", Report::Table), ("json", Report::Json), ("off", Report::Off)];
const SORTS: &[(&str, Sort)] = &[
    ("self", Sort::SelfTime),
    ("total", Sort::Total),
    ("calls", Sort::Calls),
    ("typical", Sort::Typical),
    ("p50", Sort::P50),
    ("p99", Sort::P99),
    ("max", Sort::Max),
    ("name", Sort::Name),
];

impl Default for Config {
    fn default() -> Self {
        Config {
            on: true,
            report: Report::Table,
            report_given: false,
            out: None,
            sort: Sort::SelfTime,
            top: None,
            quantiles: vec![50.0, 99.0, 99.9],
            filter: Filter::default(),
            record: None,
            signals: true,
            timeline: None,
        }
    }
}

impl Config {
    /// Reads every variable through `lookup` (`std::env::var_os`, outside tests), and returns
    /// a line for each value that could not be used. An empty value counts as unset.
    pub(crate) fn from_env(lookup: impl Fn(&str) -> Option<OsString>) -> (Config, Vec<String>) {
        let default = Config::default();
        let mut reader = Reader::new(lookup);
        let report = reader.choice(name::REPORT, REPORTS, "table");
        let config = Config {
            on: reader.choice(name::ON, SWITCH, "on").unwrap_or(default.on),
            report: report.unwrap_or(default.report),
            report_given: report.is_some(),
            out: reader.path(name::OUT),
            sort: reader.choice(name::SORT, SORTS, "self").unwrap_or(default.sort),
            top: reader.parse(name::TOP, "a whole number from 1", "showing every row", |text| {
                text.parse().ok().filter(|&rows: &usize| rows > 0)
            }),
            quantiles: reader
                .parse(
                    name::QUANTILES,
                    "percentages from 0 to 100 with commas between them",
                    "using 50,99,99.9",
                    quantiles,
                )
                .unwrap_or(default.quantiles),
            filter: reader
                .parse(
                    name::FILTER,
                    "globs with commas between them, ! before those to leave out",
                    "timing everything",
                    Filter::parse,
                )
                .unwrap_or_default(),
            record: reader.path(name::RECORD),
            signals: reader.choice(name::SIGNALS, SWITCH, "on").unwrap_or(default.signals),
            timeline: reader.parse(
                name::TIMELINE,
                "a whole number from 1",
                "keeping no events",
                |text| text.parse().ok().filter(|&events: &u64| events > 0),
            ),
        };
        (config, reader.complaints)
    }
}

impl Report {
    /// What is written to the file that `TIMED_OUT` names: JSON to `….json`, else the table.
    #[must_use]
    pub(crate) fn for_path(path: &Path) -> Report {
        if path.as_os_str().as_encoded_bytes().ends_with(b".json") {
            Report::Json
        } else {
            Report::Table
        }
    }
}

/// `path` with every `%p` replaced by `pid`.
#[must_use]
pub(crate) fn with_pid(path: &Path, pid: u32) -> PathBuf {
    let pid = pid.to_string();
    let mut rest = path.as_os_str().as_encoded_bytes();
    let mut whole = OsString::new();
    while let Some(at) = rest.windows(2).position(|pair| pair == b"%p") {
        let (before, after) = rest.split_at(at);
        // SAFETY: cut out of an OsStr right before the valid UTF-8 `%p` and right after another.
        whole.push(unsafe { OsStr::from_encoded_bytes_unchecked(before) });
        whole.push(&pid);
        rest = after.get(2..).unwrap_or_default();
    }
    // SAFETY: as above; what is left begins after the last `%p`, or is the whole path.
    whole.push(unsafe { OsStr::from_encoded_bytes_unchecked(rest) });
    whole.into()
}

/// Percentages in the order given, each once.
fn quantiles(text: &str) -> Option<Vec<f64>> {
    let mut percents = Vec::new();
    for part in text.split(',') {
        let percent: f64 = part.trim().parse().ok()?;
        if !(0.0..=100.0).contains(&percent) {
            return None;
        }
        // The absolute value turns -0 into 0.
        let percent = percent.abs();
        if !percents.contains(&percent) {
            percents.push(percent);
        }
    }
    Some(percents)
}

#[cfg(test)]
mod tests;
