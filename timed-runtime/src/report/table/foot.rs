//! The lines below the table: what it leaves out, and what to know about its figures.

use super::row::{Labels, Row};
use crate::report::cell;
use crate::report::text::{escape, list, wrap};
use crate::snapshot::model::{Kind, SiteStats, Snapshot, Verdict};

/// Lists end here where there is no terminal to fit them into.
const LIST_ROOM: usize = 100;

/// `left_out` are the rows beyond the top ones; `moved` is the mark of readings of calls that changed CPU,
/// where the table has any.
pub(super) fn write(
    snapshot: &Snapshot,
    left_out: &[Row],
    moved: Option<&str>,
    room: Option<usize>,
) -> String {
    let labels = Labels::new(snapshot);
    let list_room = room.unwrap_or(LIST_ROOM);
    let mut text = String::new();
    if !left_out.is_empty() {
        text += &wrap(&beyond_top(left_out), room);
    }
    if snapshot.sites.iter().any(|site| site.verdict == Verdict::Estimated) {
        text +=
            &wrap("~ estimated: relaxed readings cannot be corrected, samples are scaled up", room);
    }
    if let Some(mark) = moved {
        text += &wrap(&format!("{mark} that of calls which changed CPU meanwhile"), room);
    }
    for (heading, number) in NUMBERS {
        let items = numbers(snapshot, &labels, number);
        if !items.is_empty() {
            text += &list(heading, &items, list_room);
        }
    }
    if snapshot.dropped > 0 {
        let calls = cell::count(snapshot.dropped, "call");
        text +=
            &wrap(&format!("dropped: {calls} open at a reset, or when their thread died"), room);
    }
    for note in &snapshot.notes {
        text += &wrap(&format!("note: {}", escape(note)), room);
    }
    if !snapshot.never_called.is_empty() {
        let names: Vec<String> = snapshot
            .never_called
            .iter()
            .map(|place| labels.of(&place.name, &place.file, place.line))
            .collect();
        text += &list("never called", &names, list_room);
    }
    text
}

fn beyond_top(left_out: &[Row]) -> String {
    let tenths = left_out.iter().map(|row| row.tenths).sum();
    let sites = cell::count(left_out.len() as u64, "more site");
    format!("{sites} not shown, {} % of self time", cell::tenths(tenths))
}

/// A number of calls that something is to be known about, if there are any.
type Number = fn(&SiteStats) -> u64;

const NUMBERS: [(&str, Number); 4] = [
    ("calls counted but not timed", untimed),
    ("readings below zero (not in the quantiles)", |site| site.negative),
    ("calls that ended on a CPU new to their thread (kept)", |site| {
        if is_hop(site) { 0 } else { site.migrated }
    }),
    ("hops between CPUs", |site| if is_hop(site) { site.migrated } else { 0 }),
];

fn is_hop(site: &SiteStats) -> bool {
    site.kind == Kind::Hop
}

/// Where a site samples that is as it was asked for, and marked as estimated.
fn untimed(site: &SiteStats) -> u64 {
    match site.verdict {
        Verdict::Estimated => 0,
        Verdict::Ok | Verdict::BelowResolution => {
            site.calls.saturating_sub(site.timed).saturating_sub(site.cancelled)
        }
    }
}

/// `name 12`, the largest numbers first.
fn numbers(snapshot: &Snapshot, labels: &Labels, number: Number) -> Vec<String> {
    let mut sites: Vec<(u64, &SiteStats)> = snapshot
        .sites
        .iter()
        .map(|site| (number(site), site))
        .filter(|(number, _)| *number > 0)
        .collect();
    sites.sort_by(|(a, _), (b, _)| b.cmp(a));
    sites
        .into_iter()
        .map(|(number, site)| {
            let label = labels.of(&site.name, &site.file, site.line);
            format!("{label} {number}")
        })
        .collect()
}
