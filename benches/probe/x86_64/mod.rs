//! The bench, part by part, in the order of its table.

#[path = "../../common/anchor.rs"]
mod anchor;
#[path = "../../common/child.rs"]
mod child;
mod code;
mod cost;
mod frequency;
mod hops;
mod many;
mod polls;
mod sites;
mod start;
mod table;
#[path = "../../common/unit.rs"]
#[allow(dead_code, reason = "bodies and means that the bench `truth` needs")]
mod unit;

use table::Table;
use unit::Effort;

pub(super) fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    // `cargo bench` says `--bench`; whoever else runs this only wants to see it run.
    let effort = Effort::of(has("--quick") || !has("--bench"));
    let children: [child::Child; 5] = [
        ("idle", cost::idle),
        ("first-call", |_| start::first_call()),
        ("exit", |_| start::exit()),
        ("memory", |_| start::memory()),
        ("frequency", |_| frequency::child()),
    ];
    if child::answer(&arguments, effort, &children) {
        return;
    }
    let mut table = Table::new();
    cost::one_core(&mut table, effort);
    cost::every_core(&mut table, effort);
    many::rows(&mut table, effort);
    polls::rows(&mut table, effort);
    hops::rows(&mut table, effort);
    cost::cheaper(&mut table, effort);
    code::rows(&mut table);
    start::rows(&mut table, effort);
    frequency::row(&mut table, effort);
    table.foot();
}
