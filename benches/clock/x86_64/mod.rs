//! The bench, part by part, in the order of its table.

#[path = "../../common/anchor.rs"]
mod anchor;
mod frequency;
mod pair;
mod spans;
mod table;
#[path = "../../common/unit.rs"]
#[allow(dead_code, reason = "loops and bodies that other benches need")]
mod unit;

use table::Table;

pub(super) fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    // `cargo bench` says `--bench`; whoever else runs this only wants to see it run.
    let quick = has("--quick") || !has("--bench");
    if has(frequency::CHILD) {
        return frequency::child(quick);
    }
    match timed_runtime::clock::counter() {
        Ok(counter) => println!("the clock is {counter}"),
        Err(why) => println!("the clock is the system's: {why}"),
    }
    let mut table = Table::new();
    spans::rows(&mut table, quick);
    pair::rows(&mut table, quick);
    frequency::rows(&mut table, quick);
    table.foot();
}

/// The value below which a share of the sorted ones lies.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}
