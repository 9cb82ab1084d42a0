//! Programs that write the same with the attribute as without it.

use crate::compiler::Program;

#[track_caller]
fn writes_the_same(name: &'static str, levels: &[u8], source: &str) {
    for level in levels {
        let program = Program::new(name, "2024", source).flags([format!("-Copt-level={level}")]);
        let plain = program.plain().run();
        assert!(plain.lines().count() > 5, "{plain}");
        assert_eq!(program.run(), plain);
    }
}

#[test]
fn panics_are_told_as_they_were() {
    writes_the_same("panics", &[0, 3], include_str!("same/panics.rs"));
}

#[test]
fn values_are_what_they_were() {
    writes_the_same("values", &[0, 3], include_str!("same/values.rs"));
}

#[test]
fn fragments_mean_what_they_meant() {
    writes_the_same("fragments", &[0], include_str!("same/fragments.rs"));
}
