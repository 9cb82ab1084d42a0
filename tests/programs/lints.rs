//! Lints: silent on what the attribute generates, and as loud as without it on what the user wrote.

use std::process::Command;

use crate::compiler::{Program, Remark, rustc};

pub(crate) const SHAPES: &str =
    concat!(include_str!("lints/shapes.rs"), include_str!("lints/more_shapes.rs"));
const MACROS: &str = include_str!("lints/macros.rs");
const MACRO_CALLS: &str = include_str!("lints/macro_calls.rs");
const STRICT: &str = include_str!("lints/strict.rs");
const STRICT_FUTURES: &str = include_str!("futures/strict.rs");

/// Every lint that the compiler knows and does not make an error by itself.
fn all_of_rustc() -> Vec<String> {
    let output = Command::new(rustc()).args(["-W", "help"]).output().expect("rustc runs");
    let text = String::from_utf8(output.stdout).unwrap();
    let lints = text.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let (name, level) = (words.next()?, words.next()?);
        matches!(level, "allow" | "warn").then(|| name.replace('-', "_"))
    });
    lints.collect()
}

/// The program with all these lints on, and all of Clippy's.
pub(crate) fn talkative(name: &'static str, edition: &'static str, source: &str) -> Program {
    let clippys =
        ["all", "pedantic", "nursery", "restriction"].map(|group| format!("clippy::{group}"));
    let lints = all_of_rustc().into_iter().chain(clippys);
    Program::new(name, edition, source).flags(lints.map(|lint| format!("-W{lint}")))
}

/// That the compiler says the same with the attribute as without it.
#[track_caller]
pub(crate) fn same(timed: &[Remark], plain: &[Remark]) {
    let only = |these: &[Remark], others: &[Remark]| -> Vec<Remark> {
        these.iter().filter(|it| !others.contains(it)).cloned().collect()
    };
    let (added, lost) = (only(timed, plain), only(plain, timed));
    assert!(added.is_empty() && lost.is_empty(), "added: {added:?}\nlost: {lost:?}");
    assert_eq!(timed.len(), plain.len());
}

#[test]
fn the_compiler_says_the_same() {
    for edition in ["2018", "2021", "2024"] {
        let program = talkative("shapes", edition, SHAPES);
        let plain = program.plain().check();
        assert!(plain.len() > 100, "the lints are on: {plain:?}");
        same(&program.check(), &plain);
    }
}

#[test]
fn clippy_says_the_same() {
    for edition in ["2021", "2024"] {
        let program = talkative("shapes", edition, SHAPES);
        let Some(plain) = program.plain().clippy() else { return };
        assert!(plain.len() > 500, "the lints are on: {plain:?}");
        same(&program.clippy().unwrap(), &plain);
    }
}

/// A macro's parts are no longer known as such once any attribute has changed the item, so that the
/// compiler may point at the part instead of the place that it was put into.
#[test]
fn the_same_is_said_of_what_macros_make() {
    let program = talkative("macros", "2021", MACROS);
    let nowhere = |mut remarks: Vec<Remark>| -> Vec<Remark> {
        remarks.iter_mut().for_each(|remark| remark.places.clear());
        remarks.sort();
        remarks
    };
    let plain = nowhere(program.plain().check());
    assert!(plain.len() > 10, "the lints are on: {plain:?}");
    same(&nowhere(program.check()), &plain);
    if let Some(plain) = program.plain().clippy() {
        same(&nowhere(program.clippy().unwrap()), &nowhere(plain));
    }
}

/// A scope and a block are told of where the macro stands.
#[test]
fn scopes_and_blocks_add_nothing() {
    let program = talkative("macro_calls", "2024", MACRO_CALLS);
    let words = |remarks: Vec<Remark>| -> Vec<String> {
        remarks.into_iter().map(|remark| remark.message).collect()
    };
    let plain = words(program.plain().check());
    assert!(plain.len() > 20, "the lints are on: {plain:?}");
    for said in words(program.check()) {
        assert!(plain.contains(&said), "{said}");
    }
    let Some(plain) = program.plain().clippy().map(words) else { return };
    for said in program.clippy().map(words).unwrap() {
        assert!(plain.contains(&said), "{said}");
    }
}

/// `forbid` also forbids to allow.
#[test]
fn everything_may_be_forbidden() {
    forbids_everything("strict", "2021", STRICT);
    forbids_everything("strict", "2024", STRICT);
    forbids_everything("strict_futures", "2024", STRICT_FUTURES);
}

fn forbids_everything(name: &'static str, edition: &'static str, source: &str) {
    // What a program cannot do without, or what speaks of the command line.
    let spared = [
        "unused_crate_dependencies",
        "unstable_features",
        "warnings",
        "non_upper_case_globals",
        "absolute_paths_not_starting_with_crate",
        "async_fn_in_trait",
    ];
    let lints = all_of_rustc().into_iter().filter(|lint| !spared.contains(&lint.as_str()));
    let flags: Vec<String> = lints.map(|lint| format!("-F{lint}")).collect();
    let program = Program::new(name, edition, source).flags(flags.clone());
    let forbidden = |mut said: Vec<Remark>| {
        said.retain(|it| it.code != "unknown_lints");
        assert!(said.is_empty(), "{said:?}");
    };
    forbidden(program.check());
    let clippys = ["all", "pedantic"].map(|group| format!("-Fclippy::{group}"));
    let program = program.flags(clippys);
    let Some(said) = program.clippy() else { return };
    forbidden(said);
    forbidden(program.clippy_with_code().unwrap());
}

/// Where it compiles, too, Clippy sees what the attribute generates.
#[test]
fn clippy_says_the_same_where_it_compiles() {
    // Lints of taste that speak of how a function ends, or of a variable that is bound again; one
    // that speaks of the line that the plain copy has instead of the attribute; and what is timed is
    // never `const`.
    let spared = [
        "clippy::implicit_return",
        "clippy::shadow_same",
        "clippy::empty_line_after_doc_comments",
        "clippy::missing_const_for_fn",
    ];
    let words = |remarks: Vec<Remark>| -> Vec<(String, String)> {
        let remarks = remarks.into_iter().filter(|it| !spared.contains(&it.code.as_str()));
        remarks.map(|it| (it.code, it.message)).collect()
    };
    for (name, source) in [("strict", STRICT), ("strict_futures", STRICT_FUTURES)] {
        // `plain` cannot see through a block in one line.
        let program = talkative(name, "2024", source);
        let plain =
            talkative(name, "2024", &source.replace(r#"timed::block!("reading", { 7 })"#, "7"));
        let Some(plain) = plain.plain().clippy_with_code().map(words) else { return };
        assert!(plain.len() > 30, "the lints are on: {plain:?}");
        for said in words(program.clippy_with_code().unwrap()) {
            assert!(plain.contains(&said), "{said:?}");
        }
    }
}
