//! Asynchronous functions: what the compiler says of them, and what they do, with the attribute and
//! without it.

mod errors;

use crate::compiler::{Program, Remark};
use crate::lints::{same, talkative};

const SHAPES: &str =
    concat!(include_str!("futures/shapes.rs"), "\n", include_str!("futures/more_shapes.rs"));
const DROPS: &str =
    concat!(include_str!("futures/drops.rs"), "\n", include_str!("futures/more_drops.rs"));

/// The compiler looks into functions in another order: what it says of a lint once, it says of another.
fn in_any_order(mut remarks: Vec<Remark>) -> Vec<Remark> {
    for remark in &mut remarks {
        remark.more.retain(|it| !it.starts_with("requested on the command line"));
        remark.more.retain(|it| !(it.starts_with('`') && it.contains("implied by")));
    }
    remarks.sort();
    remarks
}

#[test]
fn the_compiler_says_the_same() {
    for edition in ["2018", "2021", "2024"] {
        let program = talkative("futures", edition, SHAPES);
        let plain = in_any_order(program.plain().check());
        assert!(plain.len() > 100, "the lints are on: {plain:?}");
        same(&in_any_order(program.check()), &plain);
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
        let program = Program::new("drops", edition, DROPS);
        let plain = program.plain().run();
        assert!(plain.lines().count() > 150, "{plain}");
        assert_eq!(program.run(), plain);
    }
}

/// The tests of `tests/attribute/futures`, by an older edition's rules.
#[test]
fn futures_of_every_kind_in_older_editions() {
    let helpers = include_str!("futures/helpers.rs");
    let parameters = include_str!("../attribute/futures/parameters.rs");
    let results = include_str!("../attribute/futures/results.rs");
    let made_by_macros = include_str!("../attribute/futures/made_by_macros.rs");
    let modules: [(&str, &str); 3] =
        [("parameters", parameters), ("results", results), ("made_by_macros", made_by_macros)];
    for (edition, modules) in [("2018", &modules[..1]), ("2021", &modules[..])] {
        let modules = modules.iter().map(|(name, source)| format!("mod {name} {{\n{source}\n}}\n"));
        let source = format!("{helpers}\n{}", modules.collect::<String>());
        let written = Program::new("older", edition, &source).flags(["--test"]).run();
        assert!(written.contains("test result: ok."), "{written}");
    }
}
