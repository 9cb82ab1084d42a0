//! Columns side by side, in the room that there is.

use super::TableOptions;
use super::column::Column;
use super::row::Row;
use crate::report::cell;
use crate::report::text::{shorten, width};

/// Between two columns.
pub(super) const GAP: &str = "  ";
/// Columns are given up before names get less than this.
pub(super) const NAME_ROOM: usize = 24;
/// From this share of all self time on a site is hot, in tenths of a percent.
const HOT: u32 = 200;

const BOLD: &str = "1";
const DIM: &str = "2";
const RED: &str = "31";

/// A column with its cells, and how wide it is.
struct Filled {
    column: Column,
    title: String,
    cells: Vec<String>,
    width: usize,
}

/// The header and the rows. Their last column, the site, is as wide as is left.
pub(super) fn write(
    rows: &[Row],
    resolution_ns: f64,
    options: &TableOptions,
    room: Option<usize>,
) -> String {
    let columns = columns(rows, resolution_ns, options, room);
    let site_room = room.map(|room| room.saturating_sub(room_of(&columns)));
    let mut text = String::new();
    for column in &columns {
        text += &paint(options.colour.then_some(BOLD), &column.title, column.width);
        text += GAP;
    }
    text += &paint(options.colour.then_some(BOLD), "site", 0);
    text.push('\n');
    for (index, row) in rows.iter().enumerate() {
        for column in &columns {
            let style = style(column.column, row).filter(|_| options.colour);
            let cell = column.cells.get(index).map_or("", String::as_str);
            text += &paint(style, cell, column.width);
            text += GAP;
        }
        text += &site(row, site_room);
        text.push('\n');
    }
    text
}

/// The columns that leave enough room for the names.
fn columns(
    rows: &[Row],
    resolution_ns: f64,
    options: &TableOptions,
    room: Option<usize>,
) -> Vec<Filled> {
    let mut columns: Vec<Filled> = Column::all(&options.quantiles)
        .into_iter()
        .map(|column| fill(column, rows, resolution_ns))
        .collect();
    let Some(room) = room else {
        return columns;
    };
    let longest = rows.iter().map(|row| width(&site(row, None))).max();
    let wanted = longest.unwrap_or(0).min(NAME_ROOM);
    for given_up in Column::given_up(&options.quantiles) {
        if room_of(&columns) + wanted <= room {
            break;
        }
        columns.retain(|filled| filled.column != given_up);
    }
    columns
}

fn fill(column: Column, rows: &[Row], resolution_ns: f64) -> Filled {
    let title = column.title();
    let cells: Vec<String> = rows.iter().map(|row| column.cell(row, resolution_ns)).collect();
    let widest = cells.iter().map(|cell| width(cell)).max().unwrap_or(0);
    Filled { column, width: widest.max(width(&title)), title, cells }
}

fn room_of(columns: &[Filled]) -> usize {
    columns.iter().map(|filled| filled.width + GAP.len()).sum()
}

/// The name, and what is still running: as much about that as leaves room for the name.
fn site(row: &Row, room: Option<usize>) -> String {
    let notes = in_flight(row);
    let Some(full) = notes.first() else {
        return shorten(&row.label, room.unwrap_or(usize::MAX)).into_owned();
    };
    let Some(room) = room else {
        return format!("{}{GAP}{full}", row.label);
    };
    let wanted = width(&row.label).min(NAME_ROOM);
    let left = |note: &str| room.saturating_sub(GAP.len() + width(note));
    let note = notes.iter().find(|note| left(note) >= wanted);
    let Some(note) = note.or(notes.last()) else {
        return String::new();
    };
    format!("{}{GAP}{note}", shorten(&row.label, left(note)))
}

/// What is still running, from the longest way to say it to the shortest.
fn in_flight(row: &Row) -> Vec<String> {
    let site = row.site;
    if site.in_flight == 0 {
        return Vec::new();
    }
    let short = format!("+{}", site.in_flight);
    let medium = format!("{short} in flight");
    let long = format!("{medium}, {} so far", cell::duration(site.in_flight_ns));
    let own = cell::duration(site.in_flight_self_ns);
    vec![format!("{long}, {own} of it self"), long, medium, short]
}

fn style(column: Column, row: &Row) -> Option<&'static str> {
    match column {
        Column::Uncertainty => Some(DIM),
        Column::SelfPercent if row.tenths >= HOT => Some(RED),
        _ => None,
    }
}

/// The text at the right end of so many columns, in a style where one is given. The blanks stay
/// outside the style: some terminals would show it on them.
fn paint(style: Option<&str>, text: &str, columns: usize) -> String {
    let blanks = " ".repeat(columns.saturating_sub(width(text)));
    match style {
        Some(style) => format!("{blanks}\u{1b}[{style}m{text}\u{1b}[0m"),
        None => format!("{blanks}{text}"),
    }
}
