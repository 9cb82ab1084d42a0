//! Errors of the user's own: one each, with the number, the words and the place that it has
//! without the attribute.

use std::fmt::Write as _;

use crate::compiler::{Program, Remark};
use crate::lints::same;

/// Mistakes that the compiler sees when it reads the program; it then looks at nothing else.
const HALF_TYPED: &[(&str, &str)] = &[
    ("half_a_tail", "fn f() -> u8 { 1 + }"),
    ("half_a_method", "fn f(n: u8) -> u8 { n. }"),
    ("half_a_tail_of_nothing", "fn f(n: &mut u8) { *n += }"),
    ("half_an_if", "fn f(n: u8) -> u8 { if n > 1 }"),
    ("half_an_else", "fn f(n: u8) -> u8 { if n > 1 { 2 } else }"),
    ("half_a_path", "fn f() -> u8 { u8:: }"),
    ("half_a_let", "fn f() { let }"),
    ("half_a_let_with_type", "fn f() { let n: u8 }"),
    ("half_an_impl", "impl S { fn f() -> u8 { 1 } pub }\nstruct S;"),
    ("half_a_method_in_an_impl", "impl S { fn f() -> u8 { 1 + } }\nstruct S;"),
    ("half_a_mod", "mod m { fn f() -> u8 { 1 } fn }"),
    ("half_a_statement", "fn f() -> u8 { let n = ; n }"),
    ("half_a_call", "fn f() -> u8 { g(1 2) }"),
    ("no_semicolon", "fn f() -> u8 { let n = 1 n }"),
];

/// Mistakes in what the program means.
const WRONG: &[(&str, &str)] = &[
    ("another_type", "fn f(n: u8) -> String { let m = n + 1; m }"),
    ("another_type_of_a_call", "fn f() -> u64 { g(1) }\nfn g(n: u8) -> u8 { n }"),
    ("another_type_of_a_method", "fn f(text: &str) -> usize { text.trim() }"),
    (
        "another_type_in_an_arm",
        "fn f(n: u8) -> Result<u8, ()> { match n { 0 => Err(()), _ => n } }",
    ),
    ("another_type_in_a_branch", "fn f(n: u8) -> u16 { if n > 1 { n } else { 1 } }"),
    ("another_type_in_a_block", "fn f(n: u8) -> u16 { { n } }"),
    ("another_type_in_parentheses", "fn f(n: u8) -> u16 { (n) }"),
    ("another_type_returned", "fn f(n: u8) -> u16 { return n }"),
    ("another_type_returned_early", "fn f(n: u8) -> u16 { if n > 1 { return n; } 1 }"),
    ("another_type_out_of_a_loop", "fn f() -> u16 { loop { break \"text\" } }"),
    ("another_type_of_a_tuple", "fn f() -> (u8, String) { (1, 2) }"),
    ("another_type_of_a_closure", "fn f() -> Box<dyn Fn(u8) -> u8> { Box::new(|n| n == 1) }"),
    ("another_type_of_an_opaque", "fn f() -> impl Iterator<Item = u8> { vec![1u16].into_iter() }"),
    ("another_type_of_nothing", "fn f(list: &mut Vec<u8>) { list.pop() }"),
    ("another_type_through_question", "fn f() -> Option<u8> { Ok::<u8, ()>(1)?; None }"),
    ("question_without_a_result", "fn f() -> u8 { Some(1)? }"),
    ("nothing", "fn f() -> u8 {}"),
    ("a_semicolon_too_many", "fn f(n: u8) -> u8 { n + 1; }"),
    ("no_else", "fn f(n: u8) -> u8 { if n > 1 { 2 } }"),
    ("a_name_unknown", "fn f() -> u8 { nowhere + 1 }"),
    ("a_function_unknown", "fn f() -> u8 { nowhere(1) }"),
    ("a_method_unknown", "fn f(n: u8) -> u8 { n.nowhere() }"),
    ("a_macro_unknown", "fn f() -> u8 { nowhere!(1) }"),
    ("a_type_unknown", "fn f() -> Nowhere { 1 }"),
    ("a_field_unknown", "fn f(s: S) -> u8 { s.nowhere }\nstruct S;"),
    ("arguments_too_many", "fn f() -> u8 { g(1, 2) }\nfn g(n: u8) -> u8 { n }"),
    ("a_bound_not_met", "fn f<T>(t: T) -> T { t.clone() }"),
    ("a_bound_not_met_in_the_tail", "fn f<T>(t: &T) -> String { format!(\"{t}\") }"),
    ("a_type_not_known", "fn f() -> usize { let list = Vec::new(); list.len() }"),
    ("a_type_not_known_in_the_tail", "fn f() -> usize { \"1\".parse().unwrap_or_default().len() }"),
    ("moved", "fn f(text: String) -> usize { drop(text); text.len() }"),
    ("moved_in_the_tail", "fn f(text: &String) -> String { *text }"),
    ("borrowed_twice", "fn f(list: &mut Vec<u8>) -> u8 { let a = &mut list[0]; list.push(1); *a }"),
    ("borrowed_of_a_local", "fn f<'a>() -> &'a str { let text = String::new(); text.as_str() }"),
    ("borrowed_of_a_temporary", "fn f<'a>() -> &'a str { String::new().as_str() }"),
    ("borrowed_of_a_parameter", "fn f<'a>(text: String) -> &'a str { &text }"),
    ("borrowed_for_too_short", "fn f<'a>(a: &'a str, b: &str) -> &'a str { b }"),
    ("borrowed_by_a_closure", "fn f(n: u8) -> impl Fn() -> u8 { || n }"),
    ("borrowed_by_a_boxed_closure", "fn f(n: u8) -> Box<dyn Fn() -> u8> { Box::new(|| n) }"),
    ("no_lifetime", "fn f(a: &str, b: &str) -> &str { a }"),
    ("not_mutable", "fn f(n: u8) -> u8 { n += 1; n }"),
    ("not_initialised", "fn f() -> u8 { let n: u8; n }"),
    ("not_safe", "fn f() -> u8 { g() }\nunsafe fn g() -> u8 { 1 }"),
    ("not_all_arms", "fn f(n: Option<u8>) -> u8 { match n { Some(n) => n } }"),
    ("not_static", "fn f(text: &str) -> Box<dyn Fn() -> usize> { Box::new(move || text.len()) }"),
    ("break_out_of_nothing", "fn f() -> u8 { break; 1 }"),
    ("await_in_no_async", "fn f() -> u8 { std::future::ready(1).await }"),
    ("a_label_unknown", "fn f() -> u8 { loop { break 'nowhere 1 } }"),
    ("a_name_like_ours", "fn f() -> u8 { let _: Here; SITE }"),
    ("never_returns", "fn f() -> ! { g() }\nfn g() {}"),
    ("denied", "#[deny(unused_variables)]\nfn f(n: u8) -> u8 { 1 }"),
    ("self_outside", "fn f() -> u8 { self.n }"),
    ("outer_parameter", "fn f<T>(t: T) -> T { fn g(t: T) -> T { t } g(t) }"),
    (
        "another_method_than_the_traits",
        "impl T for u8 { fn f() -> u16 { 1 } }\ntrait T { fn f() -> u8; }",
    ),
    ("a_method_missing", "trait T { fn f(); fn g() {} }\n#[timed]\nimpl T for u8 { fn g() {} }"),
    ("twice", "fn f() -> u8 { 1 }\n#[timed]\nfn f() -> u8 { 2 }"),
    ("in_an_impl", "impl S { fn f(&self) -> u8 { self.0 } }\nstruct S(u16);"),
    ("in_a_mod", "mod m { pub fn f() -> u8 { \"\" } }"),
    ("in_a_trait", "trait T { fn f(&self) -> u8 { self.g() } }"),
];

#[test]
fn half_typed_code_has_its_errors_once() {
    has_its_errors_once(HALF_TYPED);
}

/// That each item has a mistake, and the same errors with the attribute as without it.
#[track_caller]
pub(crate) fn has_its_errors_once(items: &[(&'static str, &str)]) {
    for &(name, item) in items {
        let source = format!("use timed::timed;\n#[timed]\n{item}");
        let program = Program::new(name, "2024", &source);
        let plain = program.plain().check();
        assert!(plain.iter().any(|it| it.level == "error"), "{name} has a mistake: {plain:?}");
        same(&program.check(), &plain);
    }
}

/// All in one program, each in a module of its own: so many have to be shown at once.
#[test]
fn errors_are_the_users_own() {
    let mut source = String::new();
    let mut modules = Vec::new();
    for (name, item) in WRONG {
        let start = source.lines().count() as u64;
        writeln!(source, "mod {name} {{\nuse timed::timed;\n#[timed]\n{item}\n}}").unwrap();
        modules.push((name, start..=source.lines().count() as u64));
    }
    for edition in ["2021", "2024"] {
        let program = Program::new("errors", edition, &source);
        let plain = program.plain().check();
        for (name, lines) in &modules {
            let inside = |it: &Remark| it.level == "error" && lines.contains(&it.places[0][0]);
            assert!(plain.iter().any(inside), "{name} has a mistake, which is shown");
        }
        same(&leniently(program.check()), &leniently(plain));
    }
}

/// Where a borrowed parameter is returned, the compiler speaks of a reference to it; once the
/// reference has been held, of a value that references it.
fn leniently(mut remarks: Vec<Remark>) -> Vec<Remark> {
    for remark in remarks.iter_mut().filter(|remark| remark.code == "E0515") {
        remark.message = remark.message.replace("value referencing", "reference to");
    }
    remarks
}
