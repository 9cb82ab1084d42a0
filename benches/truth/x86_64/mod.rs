//! The bench, part by part, in the order of its table.

mod case;
#[path = "../../common/child.rs"]
#[allow(dead_code, reason = "this bench's children say more than a number")]
mod child;
mod depth;
mod leaf;
mod neighbour;
mod table;
#[path = "../../common/unit.rs"]
#[allow(dead_code, reason = "this bench needs no ratios")]
mod unit;

use case::Case;
use unit::Effort;

/// Groups of rows, each of which is measured in processes of its own.
const GROUPS: [(&str, &[Case]); 2] = [("leaf", leaf::CASES), ("depth", depth::CASES)];

pub(super) fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    // `cargo bench` says `--bench`; whoever else runs this only wants to see it run.
    let effort = Effort::of(has("--quick") || !has("--bench"));
    let children: [child::Child; 4] = [
        ("leaf", |effort| case::measure(leaf::CASES, effort)),
        ("depth", |effort| case::measure(depth::CASES, effort)),
        ("leaf-busy", |effort| neighbour::beside(|| case::measure(leaf::CASES, effort))),
        ("depth-busy", |effort| neighbour::beside(|| case::measure(depth::CASES, effort))),
    ];
    if child::answer(&arguments, effort, &children) {
        return;
    }
    let mut table = table::Table::new();
    for (group, cases) in GROUPS {
        table.group(cases, &case::collect(group, cases, effort), true);
    }
    println!("beside a thread that keeps the other CPU busy:");
    for (group, cases) in GROUPS {
        table.group(cases, &case::collect(&format!("{group}-busy"), cases, effort), false);
    }
    table.foot();
}
