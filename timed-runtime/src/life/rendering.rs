//! A snapshot in the form that was asked for, and for the terminal that it goes to.

use crate::config::{Config, Report};
use crate::report::table::{self, TableOptions};
use crate::report::{json, terminal};
use crate::snapshot::model::Snapshot;
use std::env::var_os;

const STDERR: i32 = 2;

/// The report. Only one that goes to stderr fits itself to a terminal.
pub(super) fn render(
    snapshot: &Snapshot,
    config: &Config,
    form: Report,
    on_stderr: bool,
) -> Vec<u8> {
    let mut out = Vec::new();
    // A vector takes everything.
    let _ = match form {
        Report::Table => table::write(snapshot, &options(config, on_stderr), &mut out),
        Report::Json => json::write(snapshot, &config.quantiles, &mut out),
        Report::Off => Ok(()),
    };
    out
}

fn options(config: &Config, on_stderr: bool) -> TableOptions {
    let is_terminal = on_stderr && terminal::is_terminal(STDERR);
    TableOptions {
        width: on_stderr.then(|| terminal::width_of(STDERR)).flatten(),
        colour: terminal::colour_allowed(
            is_terminal,
            var_os("NO_COLOR").as_deref(),
            var_os("TERM").as_deref(),
        ),
        ..TableOptions::of(config)
    }
}
