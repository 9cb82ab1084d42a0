//! Each edition of the language, with what only it has.
//!
//! A plain copy of each program runs, too: it says what must hold.

use crate::compiler::Program;

#[track_caller]
fn runs(name: &'static str, edition: &'static str, source: &str) {
    let program = Program::new(name, edition, source);
    program.plain().run();
    program.run();
}

#[test]
fn edition_2015() {
    Program::new("edition_2015", "2015", include_str!("editions/2015.rs")).run();
}

#[test]
fn edition_2018() {
    runs("edition_2018", "2018", include_str!("editions/2018.rs"));
}

#[test]
fn edition_2021() {
    runs("edition_2021", "2021", include_str!("editions/2021.rs"));
}

#[test]
fn edition_2024() {
    runs("edition_2024", "2024", include_str!("editions/2024.rs"));
}
