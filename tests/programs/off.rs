//! Without the feature, every item comes out as it went in, token for token.

use crate::compiler::Program;
use crate::lints::SHAPES;

#[track_caller]
fn comes_out_as_it_went_in(name: &'static str, source: &str) {
    for edition in ["2021", "2024"] {
        let program = Program::new(name, edition, source);
        let plain = tokens(&program.plain().expanded()).replace("usetimedas_;", "usetimed::timed;");
        assert!(plain.contains("fn"), "{plain}");
        assert_eq!(tokens(&program.expanded()), plain);
    }
}

/// Without spaces, and without the attribute in the macros that the program defines.
fn tokens(text: &str) -> String {
    text.split_whitespace().collect::<String>().replace("#[timed]", "")
}

#[test]
fn items_come_out_as_they_went_in() {
    comes_out_as_it_went_in("off_shapes", SHAPES);
}

#[test]
fn what_macros_make_comes_out_as_it_went_in() {
    comes_out_as_it_went_in("off_macros", include_str!("lints/macros.rs"));
}

/// With the feature, these are mistakes.
#[test]
fn anything_else_comes_out_as_it_went_in() {
    let source = "use timed::timed;
        #[timed]\nconst fn constant() -> u8 { 1 }
        #[timed]\npub async fn later() {}
        #[timed(any = 1, thing; at all)]\nstruct S { a: u8 }
        #[timed]\nenum E { A, B(u8) }
        #[timed]\nuse std::fmt;
        #[timed]\nmacro_rules! m { ($a:expr) => { $a } }
        #[timed]\nstatic N: u8 = m!(1);
        trait T { #[timed]\n fn f(); }
        impl S {\n#[timed(skip)]\n fn g() { #[timed]\n fn inner() {} } }";
    comes_out_as_it_went_in("off_others", &source.replace("{ #[timed]", "{\n#[timed]"));
}
