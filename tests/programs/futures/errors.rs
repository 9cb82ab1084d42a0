//! Errors of the user's own in asynchronous functions: each once, with the number, the words and the
//! place that it has without the attribute.

use crate::compiler::{Program, Remark};

/// Mistakes that the compiler sees when it reads the program; it then looks at nothing else.
const HALF_TYPED: &[(&str, &str)] = &[
    ("async_half_a_tail", "async fn f() -> u8 { 1 + }"),
    ("async_half_a_method", "async fn f(n: u8) -> u8 { n. }"),
    ("async_half_an_await", "async fn f(n: u8) -> u8 { g().await. }"),
    ("async_half_an_if", "async fn f(n: u8) -> u8 { if n > 1 }"),
    ("async_half_a_let", "async fn f() { let }"),
    ("async_half_a_parameter", "async fn f(n: ) {}"),
    ("async_half_a_statement", "async fn f() -> u8 { let n = ; n }"),
    ("async_half_a_call", "async fn f() -> u8 { g(1 2).await }"),
    ("async_no_semicolon", "async fn f() -> u8 { let n = 1 n }"),
    ("async_no_semicolon_after_await", "async fn f() -> u8 { g().await n }"),
    ("async_half_an_impl", "impl S { async fn f() -> u8 { 1 } pub async }\nstruct S;"),
];

/// Mistakes in what the program means.
const WRONG: &[(&str, &str)] = &[
    ("another_type", "async fn f(n: u8) -> String { let m = n + 1; m }"),
    ("another_type_of_a_call", "async fn f() -> u64 { g(1) }\nfn g(n: u8) -> u8 { n }"),
    ("another_type_awaited", "async fn f() -> u64 { g(1).await }\nasync fn g(n: u8) -> u8 { n }"),
    ("not_awaited", "async fn f() -> u8 { g(1) }\nasync fn g(n: u8) -> u8 { n }"),
    ("not_awaited_in_a_sum", "async fn f() -> u8 { g(1) + 1 }\nasync fn g(n: u8) -> u8 { n }"),
    ("awaited_for_nothing", "async fn f(n: u8) -> u8 { n.await }"),
    (
        "another_type_in_an_arm",
        "async fn f(n: u8) -> Result<u8, ()> { match n { 0 => Err(()), _ => n } }",
    ),
    ("another_type_in_a_branch", "async fn f(n: u8) -> u16 { if n > 1 { n } else { 1 } }"),
    ("another_type_returned", "async fn f(n: u8) -> u16 { return n }"),
    ("another_type_returned_early", "async fn f(n: u8) -> u16 { if n > 1 { return n; } 1 }"),
    ("another_type_of_a_tuple", "async fn f() -> (u8, String) { (1, 2) }"),
    ("another_type_of_a_closure", "async fn f() -> Box<dyn Fn(u8) -> u8> { Box::new(|n| n == 1) }"),
    (
        "another_type_of_an_opaque",
        "async fn f() -> impl Iterator<Item = u8> { vec![1u16].into_iter() }",
    ),
    ("another_type_of_nothing", "async fn f(list: &mut Vec<u8>) { list.pop() }"),
    ("another_type_through_question", "async fn f() -> Option<u8> { Ok::<u8, ()>(1)?; None }"),
    (
        "another_error_through_question",
        "async fn f() -> Result<u8, u8> { Err::<u8, &str>(\"\")?; Ok(1) }",
    ),
    ("question_without_a_result", "async fn f() -> u8 { Some(1)? }"),
    ("question_in_unit", "async fn f() { Some(1)?; }"),
    ("nothing", "async fn f() -> u8 {}"),
    ("a_semicolon_too_many", "async fn f(n: u8) -> u8 { n + 1; }"),
    ("no_else", "async fn f(n: u8) -> u8 { if n > 1 { 2 } }"),
    ("a_name_unknown", "async fn f() -> u8 { nowhere + 1 }"),
    ("a_method_unknown", "async fn f(n: u8) -> u8 { n.nowhere().await }"),
    ("a_type_unknown", "async fn f() -> Nowhere { 1 }"),
    ("a_type_of_a_parameter_unknown", "async fn f(a: Nowhere, _: Nowhere) {}"),
    ("a_bound_not_met", "async fn f<T>(t: T) -> T { t.clone() }"),
    ("a_type_not_known", "async fn f() -> usize { let list = Vec::new(); list.len() }"),
    ("moved", "async fn f(text: String) -> usize { drop(text); text.len() }"),
    (
        "moved_twice",
        "async fn f(text: String) { drop(text); g().await; drop(text); }\nasync fn g() {}",
    ),
    (
        "moved_into_a_block",
        "async fn f(text: String) -> usize { let b = async move { text.len() }; b.await + text.len() }",
    ),
    ("moved_out_of_a_reference", "async fn f(text: &String) -> String { *text }"),
    (
        "borrowed_twice",
        "async fn f(list: &mut Vec<u8>) -> u8 { let a = &mut list[0]; list.push(1); *a }",
    ),
    (
        "borrowed_of_a_local",
        "async fn f<'a>() -> &'a str { let text = String::new(); text.as_str() }",
    ),
    ("borrowed_of_a_parameter", "async fn f<'a>(text: String) -> &'a str { &text }"),
    ("borrowed_for_too_short", "async fn f<'a>(a: &'a str, b: &str) -> &'a str { b }"),
    ("no_lifetime", "async fn f(a: &str, b: &str) -> &str { a }"),
    ("not_mutable", "async fn f(n: u8) -> u8 { n += 1; n }"),
    ("not_mutable_to_borrow", "async fn f(list: Vec<u8>) { list.push(1); }"),
    ("not_mutable_behind_a_reference", "async fn f(list: &Vec<u8>) { list.push(1); }"),
    ("not_mutable_self", "impl S { async fn f(&self) { self.0 = 1; } }\nstruct S(u8);"),
    ("not_initialised", "async fn f() -> u8 { let n: u8; n }"),
    ("not_safe", "async fn f() -> u8 { g() }\nunsafe fn g() -> u8 { 1 }"),
    ("not_all_arms", "async fn f(n: Option<u8>) -> u8 { match n { Some(n) => n } }"),
    ("not_irrefutable", "async fn f(Some(n): Option<u8>) -> u8 { n }"),
    ("break_out_of_nothing", "async fn f() -> u8 { break; 1 }"),
    ("await_in_no_async", "async fn f() -> u8 { let g = || std::future::ready(1).await; g() }"),
    ("a_label_unknown", "async fn f() -> u8 { loop { break 'nowhere 1 } }"),
    ("a_name_like_ours", "async fn f() -> u8 { let _: Here; SITE + _tie + _void }"),
    ("denied", "#[deny(unused_variables)]\nasync fn f(n: u8) -> u8 { 1 }"),
    (
        "denied_assignment",
        "#[deny(unused_assignments)]\nasync fn f(mut n: u8) -> u8 { n = 1; n = 2; n }",
    ),
    ("recursive", "async fn f(n: u8) -> u8 { if n == 0 { 1 } else { f(n - 1).await } }"),
    ("parameter_twice", "async fn f(n: u8, n: u8) -> u8 { n }"),
    ("self_outside", "async fn f() -> u8 { self.n }"),
    ("self_moved", "impl S { async fn f(self) -> S { drop(self.0); self } }\nstruct S(String);"),
    (
        "not_send",
        "async fn f(n: std::rc::Rc<u8>) -> u8 { g().await; *n }\nasync fn g() {}\nfn h() { s(f(1.into())) }\nfn s<T: Send>(_: T) {}",
    ),
    (
        "not_send_local",
        "async fn f() -> u8 { let n = std::rc::Rc::new(1); g().await; *n }\nasync fn g() {}\nfn h() { s(f()) }\nfn s<T: Send>(_: T) {}",
    ),
    (
        "not_send_lock",
        "async fn f(m: &std::sync::Mutex<u8>) { let held = m.lock(); g().await; drop(held) }\nasync fn g() {}\nfn h(m: &std::sync::Mutex<u8>) { s(f(m)) }\nfn s<T: Send>(_: T) {}",
    ),
    (
        "not_send_deep",
        "async fn f() { g().await }\n#[timed]\nasync fn g() { let n = std::cell::Cell::new(1); let m = &n; h().await; m.set(2) }\nasync fn h() {}\nfn i() { s(f()) }\nfn s<T: Send>(_: T) {}",
    ),
    (
        "not_send_generic",
        "async fn f<T>(t: T) -> T { g().await; t }\nasync fn g() {}\nfn h<T>(t: T) { s(f(t)) }\nfn s<T: Send>(_: T) {}",
    ),
    (
        "not_static",
        "async fn f(n: &u8) -> u8 { *n }\nfn h(n: &u8) { s(f(n)) }\nfn s<T: 'static>(_: T) {}",
    ),
    ("not_unpin", "async fn f() {}\nfn h() { s(f()) }\nfn s<T: Unpin>(_: T) {}"),
    (
        "another_output",
        "async fn f() -> u8 { 1 }\nfn h() { s(f()) }\nfn s<T: std::future::Future<Output = u16>>(_: T) {}",
    ),
    ("in_an_impl", "impl S { async fn f(&self) -> u8 { self.0 } }\nstruct S(u16);"),
    ("in_a_trait", "trait T { async fn f(&self) -> u8 { self.g() } }"),
    ("in_a_block", "fn f() -> impl std::future::Future<Output = u8> { async { 1u16 } }"),
    (
        "in_a_boxed_block",
        "fn f(n: &str) -> std::pin::Pin<Box<dyn std::future::Future<Output = u8>>> { Box::pin(async { n.len() }) }",
    ),
    (
        "not_send_in_a_boxed_block",
        "fn f() -> std::pin::Pin<Box<dyn std::future::Future<Output = u8> + Send>> { Box::pin(async { let n = std::rc::Rc::new(1); std::future::ready(1).await; *n }) }",
    ),
];

#[test]
fn half_typed_code_has_its_errors_once() {
    crate::errors::has_its_errors_once(HALF_TYPED);
}

/// Borrow errors are only shown where there are no errors in types: each has a program of its own.
#[test]
fn errors_are_the_users_own() {
    let mut failed = Vec::new();
    for (name, item) in WRONG {
        let source = format!("use timed::timed;\n#[timed]\n{item}\n");
        let program = Program::new(name, "2024", &source);
        let errors = |program: &Program| -> Vec<Remark> {
            let errors = program.check().into_iter().filter(|it| it.level == "error");
            errors.map(leniently).collect()
        };
        let (timed, plain) = (errors(&program), errors(&program.plain()));
        assert!(!plain.is_empty(), "{name} has a mistake");
        if timed != plain {
            failed.push(format!("{name}\n  plain: {plain:?}\n  timed: {timed:?}\n"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.concat());
}

/// What is not the same: a body is a block's now, and its parameters are what the block has captured;
/// a future that a function returns is of another type; what never returns is known by its block.
fn leniently(mut error: Remark) -> Remark {
    error.more.clear();
    let words = [
        ("in an async block", "in an async function"),
        ("`async` block", "`async` function"),
        ("local data `text`", "local variable `text`"),
        ("cannot assign to", "cannot assign twice to immutable variable"),
        (", as it is not declared as mutable", ""),
        ("Timed<Every<Full, fn() -> &Site {site}>, {async block", "{async block"),
        ("}>` to be a future", "}` to be a future"),
    ];
    for (timed, plain) in words {
        error.message = error.message.replace(timed, plain);
    }
    if error.code == "E0594" && error.message.contains("twice") {
        error.code = "E0384".into();
    }
    error
}

/// Of a body that shall never end and does, the compiler says so, and that the function does.
#[test]
fn what_shall_never_end_is_told_of() {
    for body in ["g()", "if n == 1 { loop {} }", "loop { if n == 1 { break } }", "n"] {
        let source = format!(
            "use timed::timed;\n#[timed]\npub async fn f(n: u8) -> ! {{ {body} }}\nfn g() {{}}\n"
        );
        let program = Program::new("never_ends", "2024", &source);
        let errors = program.check().into_iter().filter(|it| it.level == "error");
        let ends: Vec<u64> = errors.map(|it| it.places[0][2]).collect();
        assert!(ends.len() <= 2 && ends.iter().all(|line| *line == 3), "{body}: {ends:?}");
    }
}
