//! What only futures have: a second, smaller table.

use super::layout::{GAP, NAME_ROOM};
use super::row::Row;
use crate::report::cell;
use crate::report::text::{shorten, width};
use crate::snapshot::model::{Futures, SiteStats};

/// A column's cell.
type Cell = fn(&SiteStats, Futures) -> String;

const COLUMNS: [(&str, Cell); 5] = [
    ("polls", |_, futures| futures.polls.to_string()),
    ("busy", |_, futures| cell::duration(futures.busy_ns)),
    ("idle", |_, futures| cell::duration(futures.idle_ns)),
    ("longest poll", |_, futures| cell::duration(futures.longest_poll_ns)),
    ("cancelled", |site, _| site.cancelled.to_string()),
];

/// Which of them make room for names, the first one first: what is idle follows from the others.
const GIVEN_UP: [&str; 4] = ["cancelled", "idle", "polls", "longest poll"];

/// A column with its cells, and how wide it is.
struct Filled {
    title: &'static str,
    cells: Vec<String>,
    width: usize,
}

/// The futures among the rows, in their order; nothing if there are none.
pub(super) fn write(rows: &[Row], room: Option<usize>) -> String {
    let futures: Vec<(&Row, Futures)> =
        rows.iter().filter_map(|row| Some((row, row.site.futures?))).collect();
    if futures.is_empty() {
        return String::new();
    }
    let mut columns: Vec<Filled> = COLUMNS
        .into_iter()
        .map(|(title, cell)| {
            let cells: Vec<String> =
                futures.iter().map(|(row, futures)| cell(row.site, *futures)).collect();
            let widest = cells.iter().map(|cell| width(cell)).chain([width(title)]).max();
            Filled { title, cells, width: widest.unwrap_or(0) }
        })
        .collect();
    let taken = |columns: &[Filled]| -> usize {
        columns.iter().map(|column| column.width + GAP.len()).sum()
    };
    let longest = futures.iter().map(|(row, _)| width(&row.label)).max().unwrap_or(0);
    for given_up in GIVEN_UP {
        if room.is_none_or(|room| taken(&columns) + longest.min(NAME_ROOM) <= room) {
            break;
        }
        columns.retain(|column| column.title != given_up);
    }
    let name_room = room.map_or(usize::MAX, |room| room.saturating_sub(taken(&columns)));
    let mut text = String::new();
    let mut line = |cell: &dyn Fn(&Filled) -> String, name: &str| {
        for column in &columns {
            let cell = cell(column);
            text += &" ".repeat(column.width.saturating_sub(width(&cell)));
            text += &cell;
            text += GAP;
        }
        text += &shorten(name, name_room);
        text.push('\n');
    };
    line(&|column| column.title.to_owned(), "future");
    for (at, (row, _)) in futures.iter().enumerate() {
        line(&|column| column.cells[at].clone(), &row.label);
    }
    text
}
