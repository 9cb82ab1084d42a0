//! What each kind of item becomes, in readable form.

use std::str::FromStr as _;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::tokens::is_punct;

fn tokens(text: &str) -> TokenStream {
    TokenStream::from_str(text).expect("the test's tokens are well-formed")
}

/// The same with each `@(…)` as a macro's fragment.
fn with_fragments(text: &str) -> TokenStream {
    fn replace(tokens: TokenStream) -> TokenStream {
        let mut trees: Vec<TokenTree> = Vec::new();
        for tree in tokens {
            let TokenTree::Group(group) = tree else {
                trees.push(tree);
                continue;
            };
            let marked = is_punct(trees.last(), '@');
            let delimiter = if marked { Delimiter::None } else { group.delimiter() };
            if marked {
                trees.pop();
            }
            trees.push(TokenTree::Group(Group::new(delimiter, replace(group.stream()))));
        }
        trees.into_iter().collect()
    }
    replace(tokens(text))
}

/// Tokens as text, whatever their spacing and the numbers in labels.
fn text(tokens: &TokenStream) -> String {
    let text: String = tokens.to_string().split_whitespace().collect();
    let mut parts = text.split("'_held_");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "'_held" + part.trim_start_matches(char::is_numeric))
}

/// `#[timed(options)] item` becomes `expected`.
#[track_caller]
fn becomes(options: &str, item: &str, expected: &str) {
    let expanded = super::attribute(tokens(options), tokens(item));
    // `R` stands for the hidden module that expansions name.
    let expected = expected.replace("R::", "::timed::__private::");
    assert_eq!(text(&expanded), text(&tokens(&expected)));
}

/// `#[timed(options)] item` is refused with these words, and the item is still there.
#[track_caller]
fn refused(options: &str, item: &str, words: &str) {
    let expanded = super::attribute(tokens(options), tokens(item)).to_string();
    let item = tokens(item).to_string();
    let error = expanded.strip_prefix(&item).expect("the item comes first, unchanged");
    assert!(error.contains("compile_error") && error.contains(words), "{error}");
    assert_eq!(error.matches("compile_error").count(), 1, "one mistake, one error");
}

#[test]
fn a_function_without_a_value() {
    becomes("", "fn f() { g(); h() }", "fn f() { let _ = &R::enter!(Fn); g(); h() }");
    becomes("", "fn f() {}", "fn f() { let _ = &R::enter!(Fn); }");
    becomes("", "fn f() -> ! { loop {} }", "fn f() -> ! { let _ = &R::enter!(Fn); loop {} }");
    becomes("", "fn f() -> () { g() }", "fn f() -> () { let _ = &R::enter!(Fn); g() }");
}

#[test]
fn a_value_is_held() {
    becomes(
        "",
        "pub fn f<F: Fn(u8) -> u8>(a: u8) -> Option<u8> where F: Copy { let b = a; b + 1 }",
        "pub fn f<F: Fn(u8) -> u8>(a: u8) -> Option<u8> where F: Copy {
            let _ = &R::enter!(Fn); let b = a; R::hold('_held: { b + 1 })
        }",
    );
    becomes(
        "",
        "fn f() -> f64 { 1.0 }",
        "fn f() -> f64 { let _ = &R::enter!(Fn); R::hold_float('_held: { 1.0 }) }",
    );
    becomes(
        "",
        "fn f() -> u8 { return 1 }",
        "fn f() -> u8 { let _ = &R::enter!(Fn); return R::hold('_held: { 1 }) }",
    );
    becomes(
        "",
        "fn f() -> u8 { Ok(g()) }",
        "fn f() -> u8 { let _ = &R::enter!(Fn); R::hold('_held: { Ok(g()) }) }",
    );
}

#[test]
fn a_value_that_may_never_come_may_end_early() {
    for tail in ["g()", "a.g()", "todo!()", "loop { g() }", "match a { 1 => g(), _ => return 1 }"] {
        becomes(
            "",
            &format!("fn f(a: u8) -> u8 {{ {tail} }}"),
            &format!(
                "fn f(a: u8) -> u8 {{
                    let _ = &R::enter!(Fn);
                    R::hold('_held: {{ R::may_end!('_held); {tail} }})
                }}"
            ),
        );
    }
    // Its own value does come, or the compiler warns of endless recursion.
    for tail in
        ["f(a)", "Self::f(a)", "a.f()", "if a > 1 { f(a) } else { 2 }", "match a { _ => 1 }"]
    {
        becomes(
            "",
            &format!("fn f(a: u8) -> u8 {{ {tail} }}"),
            &format!(
                "fn f(a: u8) -> u8 {{ let _ = &R::enter!(Fn); R::hold('_held: {{ {tail} }}) }}"
            ),
        );
    }
}

#[test]
fn what_cannot_be_held_stays_as_it_is() {
    for function in [
        "fn f() -> impl Fn() { @ || () }",
        "fn f() -> Result<impl Fn(), u8> { @ g() }",
        "fn f() -> ty!(u8) { @ g() }",
        "fn f() -> Vec<u8> { @ vec! { 1 } }",
        "fn f() -> u8 { @ return 1; }",
        "fn f() -> u8 { @ #[inline] || 1 }",
        "fn f() -> u8 { @ half typed + }",
    ] {
        let expected = function.replace('@', "let _ = &R::enter!(Fn);");
        becomes("", &function.replace('@', ""), &expected);
    }
}

#[test]
fn the_tail_is_found_behind_any_statement() {
    for before in [
        "let a = 1;",
        "if a { 1 } else { 2 }",
        "match a { _ => {} }",
        "fn g() -> u8 { 1 }",
        "m! { 1 }",
        "struct S;",
        "for _ in 0..3 { g(); } loop { break }",
        "unsafe { g() }",
    ] {
        becomes(
            "",
            &format!("fn f() -> i8 {{ {before} -a }}"),
            &format!(
                "fn f() -> i8 {{ let _ = &R::enter!(Fn); {before} R::hold('_held: {{ -a }}) }}"
            ),
        );
    }
    becomes(
        "",
        "fn f() -> u8 { #[cfg(a)] { 1 } #[cfg(b)] { 2 } }",
        "fn f() -> u8 { let _ = &R::enter!(Fn); #[cfg(a)] { 1 } #[cfg(b)] R::hold('_held: { { 2 } }) }",
    );
}

#[test]
fn options_choose_the_guard() {
    for (options, guard) in [
        ("name = \"a b\"", "R::enter!(Fn \"a b\")"),
        ("fence = \"full\"", "R::enter!(Fn)"),
        ("fence = \"relaxed\",", "R::enter!(@relaxed Fn)"),
        ("sample = 1", "R::enter!(Fn)"),
        ("sample = 6_4u32", "R::enter!(@sampled 64 Full Fn)"),
        (
            "fence = \"relaxed\", sample = 0x10, name = r\"n\"",
            "R::enter!(@sampled 16 Relaxed Fn r\"n\")",
        ),
        ("crate = my::timed", "my::timed::__private::enter!(Fn)"),
    ] {
        becomes(options, "fn f() {}", &format!("fn f() {{ let _ = &{guard}; }}"));
    }
    becomes("skip", "fn f() {}", "fn f() {}");
}

#[test]
fn everything_around_the_body_stays() {
    becomes(
        "",
        "/// Doc.
         #[inline] pub(crate) unsafe extern \"C\" fn f(&self, #[cfg(a)] _: u8) { #![allow(x)] g(); }",
        "/// Doc.
         #[inline] pub(crate) unsafe extern \"C\" fn f(&self, #[cfg(a)] _: u8) {
            #![allow(x)] let _ = &R::enter!(Fn); g();
         }",
    );
}

#[test]
fn an_impl_passes_its_options_on() {
    becomes(
        "sample = 8",
        "impl<const N: usize> A<{ N }> {
            const C: u8 = { 1 };
            type T = u8;
            const fn a() {}
            #[unsafe(naked)] extern \"C\" fn n() {}
            fn b(&self) {}
            m! { fn c() {} }
            m!(x);
        }",
        "impl<const N: usize> A<{ N }> {
            const C: u8 = { 1 };
            type T = u8;
            const fn a() {}
            #[unsafe(naked)] extern \"C\" fn n() {}
            fn b(&self) { let _ = &R::enter!(@sampled 8 Full Fn); }
            m! { fn c() {} }
            m!(x);
        }",
    );
    becomes(
        "",
        "trait T { fn a(); fn b() {} }",
        "trait T { fn a(); fn b() { let _ = &R::enter!(Fn); } }",
    );
    becomes(
        "",
        "mod m { #![allow(x)] use a::{b, c}; struct S { a: u8 } impl S { fn a() {} } mod n; mod o { fn a() {} } }",
        "mod m {
            #![allow(x)] use a::{b, c}; struct S { a: u8 } impl S { fn a() { let _ = &R::enter!(Fn); } }
            mod n; mod o { fn a() { let _ = &R::enter!(Fn); } }
        }",
    );
}

#[test]
fn attributes_inside_that_may_be_ours_come_first() {
    becomes(
        "fence = \"relaxed\", sample = 2",
        "impl A { #[timed(skip)] fn a() {} #[alias] #[inline] fn b() {} #[inline] fn c() {} }",
        "impl A {
            #[timed(skip)]
            #[R::inherited(crate = ::timed, fence = \"relaxed\", sample = 2)]
            fn a() {}
            #[alias] #[inline]
            #[R::inherited(crate = ::timed, fence = \"relaxed\", sample = 2)]
            fn b() {}
            #[inline] fn c() { let _ = &R::enter!(@sampled 2 Relaxed Fn); }
        }",
    );
    let left = "#[R::inherited(crate = ::timed, fence = \"relaxed\", sample = 2)] fn a() {}";
    let left = left.replace("R::", "::timed::__private::");
    becomes("sample = 1", &left, "fn a() { let _ = &R::enter!(@relaxed Fn); }");
    becomes("skip", &left, "fn a() {}");
}

#[test]
fn fragments_hold_together() {
    for (written, expected) in [
        ("@(1 + 1) * 2", "R::same!(1 + 1) * 2"),
        ("let a = 20 / @(1 + 1); a", "let a = 20 / R::same!(1 + 1); a"),
        ("a += @(1 + 1) as u8;", "a += R::same!(1 + 1) as u8;"),
        ("if a == @(b && c) { 1 }", "if a == R::same!(b && c) { 1 }"),
        ("@(-1).abs();", "R::same!(-1).abs();"),
        ("let a: @(&u8) = b as @(&u8);", "let a: R::same!(&u8) = b as R::same!(&u8);"),
        ("let a: &@(dyn A + B) = b;", "let a: &R::same!(dyn A + B) = b;"),
        ("let a: &'a @(dyn A + B) = b;", "let a: &'a R::same!(dyn A + B) = b;"),
        ("let a: *mut @(dyn A + B) = b;", "let a: *mut R::same!(dyn A + B) = b;"),
        ("@(let a = 1) @(2);", "let a = 1; 2;"),
        ("@(f()) @(-1);", "f(); R::same!(-1);"),
        ("@(f()) g();", "f(); g();"),
    ] {
        let item = with_fragments(&format!("fn f() {{ {written} }}"));
        let expanded = super::attribute(TokenStream::new(), item);
        let expected = expected.replace("R::", "::timed::__private::");
        let start = "fn f() { let _ = &::timed::__private::enter!(Fn);";
        assert_eq!(text(&expanded), text(&tokens(&format!("{start} {expected} }}"))));
    }
    // What is by itself already, and what another statement begins behind.
    for written in [
        "let a = @(1 + 1);",
        "@(1 + 1);",
        "g(@(1 + 1) * 2);",
        "@(a) * 2;",
        "@(a.b(1)[2]?) * 2;",
        "@(A::<B>) { a: 1 };",
        "@(fn g() {}) @(2);",
        "@(m! { 1 }) @(2);",
        "@({ 1 }) g();",
        "@(match a { _ => {} }) g();",
        "@(pub(crate)) struct S;",
        "@(f()) + 1;",
        "let a: Box<@(dyn A + B)> = b;",
    ] {
        let item = with_fragments(&format!("fn f() {{ {written} }}"));
        let start = "fn f() { let _ = &R::enter!(Fn);".replace("R::", "::timed::__private::");
        let expected = with_fragments(&format!("{start} {written} }}"));
        assert_eq!(text(&super::attribute(TokenStream::new(), item)), text(&expected));
    }
    let item = with_fragments("impl A { const B: u8 = @(1 + 1) * 2; fn c() -> &@(dyn D + E) {} }");
    let expanded = text(&super::attribute(TokenStream::new(), item));
    assert!(expanded.contains("constB:u8=::timed::__private::same!(1+1)*2;"), "{expanded}");
    assert!(expanded.contains("fnc()->&::timed::__private::same!(dynD+E){"), "{expanded}");
}

#[test]
fn the_attribute_twice_times_once() {
    let timed = "fn f() { let _ = &R::enter!(Fn); }";
    becomes("name = \"f\"", &timed.replace("R::", "::timed::__private::"), timed);
}

#[test]
fn mistakes_leave_the_item() {
    for (options, item, words) in [
        ("nmae = \"x\"", "fn f() {}", "no option `nmae`"),
        ("name", "fn f() {}", "needs a value"),
        ("name = ", "fn f() {}", "needs a value"),
        ("name = \"a\" name = \"b\"", "fn f() {}", "comma"),
        ("name = \"a\", name = \"b\"", "fn f() {}", "given before"),
        ("name = b\"a\"", "fn f() {}", "string literal"),
        ("name = \"\"", "fn f() {}", "empty"),
        ("fence = \"none\"", "fn f() {}", "relaxed"),
        ("sample = 0", "fn f() {}", "whole number"),
        ("sample = -1", "fn f() {}", "whole number"),
        ("sample = 4294967296", "fn f() {}", "whole number"),
        ("skip, sample = 2", "fn f() {}", "skip"),
        ("skip = true", "fn f() {}", "no value"),
        ("crate = 3", "fn f() {}", "path"),
        ("crate = a<b>::c", "fn f() {}", "path"),
        ("skip()", "fn f() {}", "no value"),
        ("\"x\"", "fn f() {}", "expected here"),
        ("", "const fn f() {}", "`const fn`"),
        ("", "fn f();", "without a body"),
        ("", "#[unsafe(naked)] fn f() {}", "naked"),
        ("", "struct S;", "a `struct`"),
        ("", "pub const N: u8 = 1;", "a `const`"),
        ("", "unsafe extern \"C\" { fn f(); }", "an `extern` block"),
        ("", "m! {}", "a macro call"),
        ("", "", "nothing"),
        ("name = \"n\"", "impl A { fn f() {} }", "one function"),
        ("", "mod m;", "another file"),
    ] {
        refused(options, item, words);
    }
}

#[test]
fn scope_block_and_hop() {
    let scope = |input| text(&super::scope(tokens(input)));
    let block = |input| text(&super::block(tokens(input)));
    let is = |expected| text(&tokens(expected));
    assert_eq!(scope("[c] \"a\""), is("let _ = &c::__private::enter!(Scope \"a\");"));
    assert_eq!(
        block("[c] \"a\", { f(); 1 }"),
        is(
            "{ let _ = &c::__private::enter!(Block \"a\"); f(); c::__private::hold('_held: { 1 }) }"
        )
    );
    for mistake in ["[c]", "[c] a", "[c] \"\"", "[c] 3", "[c] \"a\" b", "[c] concat!(\"a\")"] {
        assert!(scope(mistake).contains("compile_error"), "{mistake}");
    }
    for mistake in
        ["[c]", "[c] \"a\"", "[c] \"a\",", "[c] \"a\" {}", "[c] \"a\", 3", "[c] \"a\", {} 3"]
    {
        assert!(block(mistake).contains("compile_error"), "{mistake}");
    }
    let hop = |input: &str| text(&super::hop(tokens(input)));
    for stamp in ["t", "f::<A, B>(t, 1)?.sent", "if a < b { t } else { return }"] {
        let expected = format!(
            "{{ let __timed_stamp = c::__private::stamped({stamp}); \
             c::__private::hop_at!(Hop \"a\" __timed_stamp) }}"
        );
        let expected = text(&tokens(&expected));
        assert_eq!(hop(&format!("[c] \"a\", {stamp}")), expected);
        assert_eq!(hop(&format!("[c] \"a\", {stamp},")), expected);
    }
    for mistake in [
        "[c]",
        "[c] a, t",
        "[c] \"\", t",
        "[c] \"a\"",
        "[c] \"a\",",
        "[c] \"a\" t",
        "[c] \"a\", t, 3",
        "[c] \"a\", t t",
    ] {
        assert!(hop(mistake).contains("compile_error"), "{mistake}");
    }
}
