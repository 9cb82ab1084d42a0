//! What only futures have: a second, smaller table.

use super::layout::{GAP, NAME_ROOM};
use super::row::Row;
use crate::report::cell;
use crate::report::text::{shorten, width};
use crate::snapshot::model::{Futures, SiteStats};

/// A column: its title, and its cell.
type Column = (&'static str, fn(&SiteStats, Futures) -> String);

const COLUMNS: [Column; 5] = [
    ("polls", |_, futures| futures.polls.to_string()),
    ("busy", |_, futures| cell::duration(futures.busy_ns)),
    ("idle", |_, futures| cell::duration(futures.idle_ns)),
    ("longest poll", |_, futures| cell::duration(futures.longest_poll_ns)),
    ("cancelled", |site, _| site.cancelled.to_string()),
];

/// Which of them make room for names, the first one first: what is idle follows from the others.
const GIVEN_UP: [&str; 4] = ["cancelled", "idle", "polls", "longest poll"];

/// The futures among the rows, in their order; nothing if there are none.
pub(super) fn write(rows: &[Row], room: Option<usize>) -> String {
    let futures: Vec<(&Row, Futures)> =
        rows.iter().filter_map(|row| Some((row, row.site.futures?))).collect();
    if futures.is_empty() {
        return String::new();
    }
    let mut columns: Vec<(&str, Vec<String>, usize)> = COLUMNS
        .iter()
        .map(|(title, cell)| {
            let cells: Vec<String> =
                futures.iter().map(|(row, futures)| cell(row.site, *futures)).collect();
            let widest = cells.iter().map(|cell| width(cell)).chain([width(title)]).max();
            (*title, cells, widest.unwrap_or(0))
        })
        .collect();
    let taken = |columns: &[(&str, Vec<String>, usize)]| -> usize {
        columns.iter().map(|(_, _, width)| width + GAP.len()).sum()
    };
    let longest = futures.iter().map(|(row, _)| width(&row.label)).max().unwrap_or(0);
    for given_up in GIVEN_UP {
        if room.is_none_or(|room| taken(&columns) + longest.min(NAME_ROOM) <= room) {
            break;
        }
        columns.retain(|(title, ..)| *title != given_up);
    }
    let name_room = room.map_or(usize::MAX, |room| room.saturating_sub(taken(&columns)));
    let mut text = String::new();
    let mut line = |cell: &dyn Fn(&(&str, Vec<String>, usize)) -> String, name: &str| {
        for column in &columns {
            let cell = cell(column);
            text += &" ".repeat(column.2.saturating_sub(width(&cell)));
            text += &cell;
            text += GAP;
        }
        text += &shorten(name, name_room);
        text.push('\n');
    };
    line(&|(title, ..)| (*title).to_owned(), "future");
    for (at, (row, _)) in futures.iter().enumerate() {
        line(&|(_, cells, _)| cells[at].clone(), &row.label);
    }
    text
}
