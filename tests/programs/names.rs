//! Names: nothing generated means something of the user's, and nothing of the user's is hidden.

use crate::compiler::Program;

#[test]
fn without_a_prelude() {
    for edition in ["2018", "2021", "2024"] {
        Program::new("no_prelude", edition, include_str!("names/no_prelude.rs")).run();
    }
}

#[test]
fn without_the_standard_library() {
    let program = Program::new("no_std", "2024", include_str!("names/no_std.rs"));
    assert_eq!(program.check(), []);
    if let Some(said) = program.clippy() {
        assert_eq!(said, []);
    }
}

#[test]
fn names_of_the_standard_library_are_taken() {
    for edition in ["2018", "2024"] {
        Program::new("shadowed", edition, include_str!("names/shadowed.rs")).run();
    }
}

#[test]
fn names_of_the_expansion_are_taken() {
    for edition in ["2021", "2024"] {
        let program = Program::new("taken", edition, include_str!("names/taken.rs"));
        program.plain().run();
        program.run();
    }
}

#[test]
fn the_crate_has_another_name() {
    let program = Program::new("renamed", "2021", include_str!("names/renamed.rs"));
    Program { face: "clock", ..program }.run();
}
