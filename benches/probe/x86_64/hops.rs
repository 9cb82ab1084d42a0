//! What a stamp and its hop cost, and what is left of that in the figures.

use super::child;
use super::table::{Budget, Table, digits};
use super::unit::{Effort, Loop, chain, median, paired, spin};

/// One body between a pair, and between a stamp and a hop.
macro_rules! guises {
    ($links:literal) => {
        use super::*;

        #[inline(never)]
        fn pair(x: u64) -> u64 {
            paired(|| chain::<$links>(x))
        }

        #[inline(never)]
        fn hopped(x: u64) -> u64 {
            let begin = timed::stamp();
            let x = chain::<$links>(x);
            timed::hop!("hop", begin);
            x
        }

        pub(super) const LOOPS: [Loop; 2] = [|n| spin(n, 1, pair), |n| spin(n, 1, hopped)];
    };
}
mod empty {
    guises!(0);
}
mod links4 {
    guises!(4);
}
mod links16 {
    guises!(16);
}

const LINKS: u32 = 16;

#[inline(never)]
fn plain_parent(mut x: u64) -> u64 {
    for _ in 0..1000 {
        x = chain::<LINKS>(x);
    }
    x
}

#[timed::timed]
#[inline(never)]
fn timed_parent(mut x: u64) -> u64 {
    for _ in 0..1000 {
        let begin = timed::stamp();
        x = chain::<LINKS>(x);
        timed::hop!("in a parent", begin);
    }
    x
}

pub(super) fn rows(table: &mut Table, effort: Effort) {
    for (body, [unit, rival]) in
        [("empty", empty::LOOPS), ("4 links", links4::LOOPS), ("16 links", links16::LOOPS)]
    {
        let ratio = effort.ratio(unit, rival);
        let name = format!("a stamp and its hop, {body}");
        table.row(&name, ratio, "pairs", Budget::Most(1.3), "");
    }
    let answers: Vec<(f64, f64)> = (0..effort.children)
        .filter_map(|_| {
            let text = child::run("hops", effort, &[]);
            let (left, error) = text.trim().split_once(' ')?;
            Some((left.parse().ok()?, error.parse().ok()?))
        })
        .collect();
    let row = |table: &mut Table, name, unit, budget, figure: fn(&(f64, f64)) -> f64| {
        let signed: Vec<f64> = answers.iter().map(figure).collect();
        let mut sizes: Vec<f64> = signed.iter().map(|figure| figure.abs()).collect();
        let note = signed.iter().map(|figure| format!("{figure:+.2}")).collect::<Vec<_>>();
        let (middle, note) = (median(&mut sizes), note.join(" "));
        let worst = digits(sizes.last().copied().unwrap_or(f64::NAN));
        table.row(name, middle, unit, Budget::Most(budget), &format!("worst {worst}: {note}"));
    };
    row(table, "parent of 1000 stamps and hops: bias left", "%", 2.0, |(left, _)| *left);
    row(table, "error of these hops' typical", "ns", 1.0, |(_, error)| *error);
}

/// Prints the share of the parent's bias that is left, in percent, and the hops' error, in ns. Of the
/// parent, medians: it takes so long that on a busy machine more than a hundredth are interrupted.
pub(super) fn child(effort: Effort) {
    let (mut plain, mut raw) = (Vec::new(), Vec::new());
    for _ in 0..effort.rounds {
        plain.push(spin(4, 1, plain_parent));
        raw.push(spin(4, 1, timed_parent));
    }
    let taken = timed::snapshot();
    let ticks_a_ns = taken.clock.hz / 1e9;
    let truth = median(&mut plain) / ticks_a_ns;
    let bias = median(&mut raw) / ticks_a_ns - truth;
    let site = |name: &str| {
        let found = taken.sites.iter().find(|site| site.name.ends_with(name));
        found.expect("it was called")
    };
    let left = (site("timed_parent").quantile_ns(0.5) - truth) / bias * 100.0;
    println!("{left} {}", site("in a parent").typical_ns - truth / 1000.0);
}
