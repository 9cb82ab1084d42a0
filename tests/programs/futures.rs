//! Asynchronous functions: what the compiler says of them, and what they do, with the attribute and
//! without it.

mod errors;

use crate::compiler::{Program, Remark};
use crate::lints::{same, talkative};

const SHAPES: &str = include_str!("futures/shapes.rs");

/// A variable that is bound again inside is told of by its name, without the `mut` before it. And the
/// compiler looks into functions in another order: what it says of a lint once, it says of another.
fn by_lines(mut remarks: Vec<Remark>) -> Vec<Remark> {
    for remark in &mut remarks {
        remark.more.retain(|it| !it.starts_with("requested on the command line"));
        remark.more.retain(|it| !(it.starts_with("`") && it.contains("implied by")));
        if remark.code == "unused_assignments" {
            remark.places.iter_mut().for_each(|place| (place[1], place[3]) = (0, 0));
        }
    }
    remarks.sort();
    remarks
}

#[test]
fn the_compiler_says_the_same() {
    for edition in ["2018", "2021", "2024"] {
        let program = talkative("futures", edition, SHAPES);
        let plain = by_lines(program.plain().check());
        assert!(plain.len() > 100, "the lints are on: {plain:?}");
        same(&by_lines(program.check()), &plain);
    }
}

#[test]
fn clippy_says_the_same() {
    for edition in ["2021", "2024"] {
        let program = talkative("futures", edition, SHAPES);
        let Some(plain) = program.plain().clippy() else { return };
        assert!(plain.len() > 300, "the lints are on: {plain:?}");
        same(&program.clippy().unwrap(), &plain);
    }
}

#[test]
fn everything_drops_as_it_did() {
    for edition in ["2018", "2021", "2024"] {
        let program = Program::new("drops", edition, include_str!("futures/drops.rs"));
        let plain = program.plain().run();
        assert!(plain.lines().count() > 150, "{plain}");
        assert_eq!(program.run(), plain);
    }
}
