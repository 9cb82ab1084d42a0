//! The table: what was measured, for people.

mod column;
mod foot;
mod futures;
mod head;
mod layout;
mod row;

use std::io;

use crate::config::{Config, Sort};
use crate::snapshot::model::Snapshot;
use column::Column;

/// How a table is to look.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TableOptions {
    /// The terminal's width in columns, which no line exceeds (below 20 it counts as 20). None
    /// where there is no terminal: then names are written in full.
    pub(crate) width: Option<usize>,
    /// Whether escape sequences for colours may be written.
    pub(crate) colour: bool,
    /// The order of the rows.
    pub(crate) sort: Sort,
    /// How many rows there are at most.
    pub(crate) top: Option<usize>,
    /// The quantiles with a column of their own, in percent.
    pub(crate) quantiles: Vec<f64>,
}

/// Without a terminal, rows ordered by self time, all of them.
impl Default for TableOptions {
    fn default() -> Self {
        TableOptions {
            width: None,
            colour: false,
            sort: Sort::SelfTime,
            top: None,
            quantiles: vec![50.0, 99.0, 99.9],
        }
    }
}

impl TableOptions {
    /// As the environment says, without a terminal.
    pub(crate) fn of(config: &Config) -> Self {
        TableOptions {
            sort: config.sort,
            top: config.top,
            quantiles: config.quantiles.clone(),
            ..TableOptions::default()
        }
    }
}

/// Nobody reads a table on a terminal narrower than this.
const NARROWEST: usize = 20;

/// Writes the snapshot as a table, in one piece.
///
/// # Errors
/// Those of `out`.
pub(crate) fn write(
    snapshot: &Snapshot,
    options: &TableOptions,
    out: &mut impl io::Write,
) -> io::Result<()> {
    out.write_all(render(snapshot, options).as_bytes())
}

fn render(snapshot: &Snapshot, options: &TableOptions) -> String {
    let room = options.width.map(|width| width.max(NARROWEST));
    if snapshot.sites.is_empty() {
        return head::nothing_called(snapshot, room) + &foot::write(snapshot, &[], None, room);
    }
    let mut rows = row::ranked(snapshot, options.sort);
    let left_out = rows.split_off(options.top.unwrap_or(rows.len()).min(rows.len()));
    let mut text = head::write(snapshot, room);
    text.push('\n');
    text += &layout::write(&rows, snapshot.clock.resolution_ns, options, room);
    let futures = futures::write(&rows, room);
    let moved = Column::any_moved(&rows, &options.quantiles).then_some(column::MOVED);
    let foot = foot::write(snapshot, &left_out, moved, room);
    for part in [futures, foot] {
        if !part.is_empty() {
            text.push('\n');
            text += &part;
        }
    }
    text
}
