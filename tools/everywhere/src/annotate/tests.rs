use super::*;

/// The text with the attribute, written `@` here.
fn annotated(text: &str) -> String {
    let (annotated, _) = annotate(text, false, &|_| false).expect("the text parses");
    annotated.replace(ATTRIBUTE, "@")
}

fn count(text: &str) -> Count {
    annotate(text, false, &|name| name == "listed").expect("the text parses").1
}

#[track_caller]
fn assert_left(text: &str, reason: Reason) {
    assert_eq!(annotated(text), text);
    assert_eq!(count(text), Count { timed: 0, left: BTreeMap::from([(reason, 1)]) });
}

#[test]
fn functions_of_all_kinds() {
    let text = "
        @fn free() { @fn nested() {} }
        impl T { @pub(crate) fn method(&self) {} @default fn special() {} @unsafe fn raw() {} }
        trait U { @fn given(&self) {} }
        mod inline { @pub extern \"C\" fn abi() {} }
        const N: usize = { @fn in_constant() {} 3 };
        const fn constant() { @fn in_const_fn() {} }
    ";
    assert_eq!(annotated(&text.replace('@', "")), text);
    assert_eq!(count(&text.replace('@', "")).timed, 9);
}

#[test]
fn the_attribute_comes_after_the_others() {
    let text = "/// Says what.\n#[cfg(unix)]\n#[inline] @pub fn f() { #![allow(unused)] }\n";
    assert_eq!(annotated(&text.replace('@', "")), text);
}

#[test]
fn the_text_around_it_stays() {
    let text = "#![no_std] // ä\r\n/* fn */ @fn f<'a>(x: &'a str) -> &'a str { x }\t@fn g() {}";
    assert_eq!(annotated(&text.replace('@', "")), text);
    let text = "\u{feff}#!/usr/bin/env run\n@fn main() {}\n";
    assert_eq!(annotated(&text.replace('@', "")), text);
}

#[test]
fn the_root_of_a_crate_of_2015() {
    let (text, count) =
        annotate("#![no_std]\n/// Says.\nfn f() {}\n", true, &|_| false).expect("the text parses");
    assert_eq!(text, "#![no_std]\nextern crate timed; /// Says.\n#[::timed::timed] fn f() {}\n");
    assert_eq!(count.timed, 1);
}

#[test]
fn what_is_left_out() {
    assert_left("const fn f() {}", Reason::Const);
    assert_left("trait T { fn f(); }", Reason::NoBody);
    assert_left("extern \"C\" { fn f(); }", Reason::NoBody);
    assert_left("#[unsafe(naked)] extern \"C\" fn f() {}", Reason::Naked);
    assert_left("#[naked] fn f() {}", Reason::Naked);
    assert_left("macro_rules! m { () => { fn $f() {} } }", Reason::Macro);
    assert_left("m! { fn f(g: fn(u8)) {} }", Reason::Macro);
    assert_eq!(count("fn listed() { fn f() {} }").left, BTreeMap::from([(Reason::Listed, 1)]));
}

#[test]
fn text_that_is_no_rust() {
    assert_eq!(annotate("fn fn", false, &|_| false), None);
    assert_eq!(functions_in_text("fn a( {} fn b() {}"), 0);
    assert_eq!(functions_in_text("fn a() = {} fn b() {}"), 2);
}
