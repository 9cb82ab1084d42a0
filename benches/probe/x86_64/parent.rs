//! A parent of a thousand empty timed children: what is left of the children's probes in it.

use super::child;
use super::table::{Budget, Table, digits};
use super::unit::{Effort, chain, median, middle_mean, spin};

#[inline(never)]
fn plain_child(x: u64) -> u64 {
    chain::<0>(x)
}

#[inline(never)]
fn plain_parent(mut x: u64) -> u64 {
    for _ in 0..1000 {
        x = plain_child(x);
    }
    x
}

#[timed::timed]
#[inline(never)]
fn empty_child(x: u64) -> u64 {
    chain::<0>(x)
}

#[timed::timed]
#[inline(never)]
fn timed_parent(mut x: u64) -> u64 {
    for _ in 0..1000 {
        x = empty_child(x);
    }
    x
}

pub(super) fn rows(table: &mut Table, effort: Effort) {
    let answers: Vec<(f64, f64)> = (0..effort.children)
        .filter_map(|_| {
            let text = child::run("parent", effort, &[]);
            let (left, covered) = text.trim().split_once(' ')?;
            Some((left.parse().ok()?, covered.parse().ok()?))
        })
        .collect();
    let mut left: Vec<f64> = answers.iter().map(|(left, _)| left.abs()).collect();
    let middle = median(&mut left);
    let signed =
        answers.iter().map(|(left, _)| format!("{left:+.2}")).collect::<Vec<_>>().join(" ");
    let name = "parent of 1000 empty timed children: bias left";
    let note = format!("worst {}: {signed}", digits(left[left.len() - 1]));
    table.row(name, middle, "%", Budget::Most(2.0), &note);
    let covered = answers.iter().filter(|(_, times)| *times <= 1.0).count();
    let times =
        answers.iter().map(|(_, times)| format!("{times:.2}")).collect::<Vec<_>>().join(" ");
    let name = "  of these processes, ± covers what is left in";
    // The ± is one of 95 %: a process in nine may be outside.
    let most = answers.len() as f64 - (answers.len() as f64 * 0.05).ceil();
    table.row(
        name,
        covered as f64,
        "processes",
        Budget::Least(most),
        &format!("error / ±: {times}"),
    );
}

/// Prints the share of the bias that is left, in percent, and the error in units of the ±.
pub(super) fn child(effort: Effort) {
    let (mut plain, mut raw) = (Vec::new(), Vec::new());
    for _ in 0..effort.rounds {
        plain.push(spin(10, 1, plain_parent));
        raw.push(spin(10, 1, timed_parent));
    }
    let taken = timed::snapshot();
    let ticks_a_ns = taken.clock.hz / 1e9;
    let truth = middle_mean(&mut plain) / ticks_a_ns;
    let bias = middle_mean(&mut raw) / ticks_a_ns - truth;
    let site =
        taken.sites.iter().find(|site| site.name.ends_with("timed_parent")).expect("it was called");
    let error = site.typical_ns - truth;
    println!("{} {}", error / bias * 100.0, error.abs() / site.uncertainty_ns);
}
