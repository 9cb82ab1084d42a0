//! What each kind of item becomes, compared with the files in `golden/`.
//!
//! `UPDATE_GOLDEN=1 cargo test -p timed-macros --features enabled golden` writes them anew.

use std::fmt::Write as _;
use std::path::Path;
use std::str::FromStr as _;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

fn tokens(text: &str) -> TokenStream {
    TokenStream::from_str(text).expect("the test's tokens are well-formed")
}

/// Every item in `items`, with these options, one after the other in one file.
#[track_caller]
fn golden(file: &str, items: &[(&str, &str)]) {
    let mut text = String::new();
    for (options, item) in items {
        let attribute = if options.is_empty() { String::new() } else { format!("({options})") };
        let expanded = super::attribute(tokens(options), tokens(item));
        let (item, expanded) = (pretty(tokens(item)), pretty(expanded));
        write!(text, "#[timed{attribute}]\n{item}\n// becomes\n\n{expanded}\n").unwrap();
    }
    compare(file, text.trim_end());
}

#[track_caller]
fn compare(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/expand/golden").join(file);
    let text = text.to_owned() + "\n";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, golden, "{}; UPDATE_GOLDEN=1 writes it anew", path.display());
}

/// Tokens as a reader would like them, more or less: a statement a line, braces indented.
fn pretty(tokens: TokenStream) -> String {
    let mut page = Page { text: String::new(), depth: 0, tight: true, brackets: 0 };
    page.put_all(tokens);
    let lines = page.text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    lines.map(|line| line.to_owned() + "\n").collect()
}

struct Page {
    text: String,
    depth: usize,
    /// Whether the next token follows without a space.
    tight: bool,
    /// How many parentheses and brackets are open since the last brace.
    brackets: usize,
}

impl Page {
    fn put_all(&mut self, tokens: TokenStream) {
        let mut joint = false;
        for tree in tokens {
            let joined = joint;
            joint = matches!(&tree, TokenTree::Punct(it) if it.spacing() == Spacing::Joint);
            match tree {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    let brackets = std::mem::take(&mut self.brackets);
                    self.put("{", false);
                    self.depth += 1;
                    self.line();
                    self.put_all(group.stream());
                    self.depth -= 1;
                    self.line();
                    self.put("}", true);
                    self.brackets = brackets;
                    self.line();
                }
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Bracket => ("[", "]"),
                        _ => ("(", ")"),
                    };
                    let called =
                        self.text.ends_with(|c: char| c.is_alphanumeric() || "_>!#".contains(c));
                    self.put(open, called);
                    self.tight = true;
                    self.brackets += 1;
                    self.put_all(group.stream());
                    self.brackets -= 1;
                    self.text.truncate(self.text.trim_end().len());
                    self.put(close, true);
                }
                TokenTree::Punct(punct) => self.punct(punct.as_char(), joined),
                tree => self.put(&tree.to_string(), joined),
            }
        }
    }

    fn punct(&mut self, char: char, joined: bool) {
        let after_word = self.text.ends_with(|c: char| c.is_alphanumeric() || "_>)".contains(c));
        let tight = match char {
            ',' | ';' | '.' | '?' => true,
            ':' | '<' | '!' => {
                after_word && !["->", "return"].iter().any(|end| self.text.ends_with(end))
            }
            '>' => !self.text.ends_with('='),
            _ => false,
        };
        self.put(&char.to_string(), joined || tight);
        let path = self.text.ends_with("::");
        self.tight = path || matches!(char, '&' | '#' | '.' | '<' | '\'' | '$' | '*' | '@');
        if char == ';' && self.brackets == 0 {
            self.line();
        }
    }

    fn put(&mut self, token: &str, tight: bool) {
        if !(tight || self.tight) {
            self.text.push(' ');
        }
        self.text += token;
        self.tight = false;
    }

    fn line(&mut self) {
        self.text += "\n";
        self.text += &"    ".repeat(self.depth);
        self.tight = true;
    }
}

#[test]
fn functions() {
    golden(
        "function.txt",
        &[
            ("", "fn nothing() {}"),
            ("", "pub fn unit(list: &mut Vec<u8>) { list.push(1) }"),
            ("", "fn value(a: u8) -> u8 { let b = a; b + 1 }"),
            ("", "fn float(a: f64) -> f64 { a / 2.0 }"),
            ("", "fn call(a: u8) -> u8 { other(a) }"),
            ("", "fn early(a: Option<u8>) -> Option<u8> { if a?.get() { return None; } Some(2) }"),
            ("", "fn returned(a: u8) -> u8 { return a }"),
            ("", "fn ends(code: i32) -> u8 { exit(code) }"),
            ("", "fn recursive(n: u64) -> u64 { recursive(n - 1) }"),
            ("", "fn never(n: u8) -> ! { panic(n) }"),
            ("", "fn opaque(n: u8) -> impl Iterator<Item = u8> { (0..n) }"),
            ("", "fn inner() -> u8 { #![allow(unused)] 1 }"),
        ],
    );
}

#[test]
fn forms() {
    golden(
        "forms.txt",
        &[
            ("", "fn method(&mut self, n: u8) -> &mut Self { self.0 += n; self }"),
            (
                "",
                "pub fn generic<'a, T: Clone, const N: usize>(a: &'a [T; N]) -> Vec<T> where T: 'a { a.to_vec() }",
            ),
            ("", "pub(crate) unsafe extern \"C\" fn foreign(p: *const u8) -> u8 { unsafe { *p } }"),
            ("", "#[inline] #[must_use] #[unsafe(no_mangle)] pub extern fn exported() -> u8 { 1 }"),
            ("", "#[track_caller] fn tracked() -> u32 { Location::caller().line() }"),
        ],
    );
}

#[test]
fn futures() {
    golden(
        "future.txt",
        &[
            ("", "async fn nothing() {}"),
            (
                "",
                "pub async fn value(a: u8) -> Option<u8> { #![allow(unused)] let b = f(a).await?; Some(b) }",
            ),
            (
                "",
                "async fn patterns<'a, T: A>(#[cfg(b)] _: T, (c, ref d): (u8, u8), _: &'a u8, E { f, g: [h, ..] }: E) \
                 -> impl C + 'a where T: 'a { c.await }",
            ),
            ("", "async fn never(n: u8) -> ! { loop { f(n).await } }"),
            (
                "",
                "async fn assigned(a: u8, mut b: u8, _: u8, (c, mut d): (u8, u8)) { f(a, b, c, d).await; b = 1; }",
            ),
            (
                "",
                "async fn not_assigned(mut a: u8, mut b: A) -> u8 { a += 1; b.c = 2; f(b).await + a }",
            ),
            ("name = \"parse\"", "async fn named() {}"),
            ("fence = \"relaxed\"", "async fn relaxed() {}"),
            ("sample = 8, fence = \"relaxed\"", "async fn sampled() -> u8 { 1 }"),
            ("crate = my::timed", "async unsafe fn elsewhere(_: u8) -> u8 { 1 }"),
        ],
    );
}

#[test]
fn methods_that_are_futures() {
    golden(
        "future_method.txt",
        &[
            ("", "async fn borrowed(&mut self, n: u8) -> &mut Self { self.0 += n; self }"),
            ("", "async fn disarmed(mut self, n: u8) { f(n).await; self.armed = false; }"),
            ("", "async fn boxed(mut self: Box<Self>, _: u8) -> u8 { self.f().await }"),
            ("", "trait T { async fn a(&self); async fn b(&self) -> u8 { 1 } }"),
            (
                "sample = 4",
                "impl A { async fn a(&self) {} #[b] async fn b(self) {} #[timed(skip)] async fn c() {} }",
            ),
        ],
    );
}

#[test]
fn blocks_that_are_futures() {
    golden(
        "future_block.txt",
        &[
            ("", "fn opaque(n: u8) -> impl Future<Output = u8> { async move { n } }"),
            (
                "",
                "fn boxed<'a>(n: &'a u8) -> BoxFuture<'a, u8> { Box::pin(async move { f(n).await }) }",
            ),
            (
                "sample = 2",
                "fn with_a_comma(n: u8) -> Boxed { ::std::boxed::Box::pin(async { n },) }",
            ),
            (
                "",
                "fn not_altogether(n: u8) -> impl Future<Output = u8> { let m = n; async move { m } }",
            ),
            ("", "fn of_another_type(n: u8) -> A { async move { n } }"),
        ],
    );
}

#[test]
fn options() {
    golden(
        "options.txt",
        &[
            ("name = \"parse\"", "fn f() {}"),
            ("fence = \"relaxed\"", "fn f() {}"),
            ("sample = 64", "fn f() {}"),
            ("sample = 8, fence = \"relaxed\", name = \"all\"", "fn f() -> u8 { 1 }"),
            ("crate = my::timed", "fn f() -> u8 { g() }"),
            ("skip", "fn f() -> u8 { g() }"),
        ],
    );
}

#[test]
fn containers() {
    golden(
        "container.txt",
        &[
            (
                "sample = 4",
                "impl<T> A<T> { const N: u8 = 1; const fn a() {} fn b(&self) -> u8 { 2 } \
                 #[timed(name = \"c\")] fn c() {} #[timed(skip)] fn d() {} #[inline] fn e() {} }",
            ),
            (
                "",
                "impl Iterator for A { type Item = u8; fn next(&mut self) -> Option<u8> { None } }",
            ),
            ("", "pub trait T { type A; fn a(&self); fn b(&self) -> u8 { 1 } }"),
            (
                "fence = \"relaxed\"",
                "mod m { use a::b; struct S; impl S { fn a() {} } mod n { fn b() {} } m! {} fn c(); }",
            ),
        ],
    );
}

#[test]
fn mistakes() {
    golden(
        "mistake.txt",
        &[
            ("nmae = \"x\"", "fn f() {}"),
            ("", "const fn f() -> u8 { 1 }"),
            ("", "struct S;"),
            ("name = \"x\"", "impl A { fn f() {} }"),
        ],
    );
}

#[test]
fn macros() {
    let scope = pretty(super::scope(tokens("[$crate] \"decode\"")));
    let block = pretty(super::block(tokens("[$crate] \"decode\", { let n = read(); n + 1 }")));
    let waits = pretty(super::block(tokens("[$crate] \"load\", { let n = read().await; n + 1 }")));
    let hop = pretty(super::hop(tokens("[$crate] \"feed→drain\", packet.sent")));
    let text = format!(
        "scope!(\"decode\")\n\n// becomes\n\n{scope}\n\
         block!(\"decode\", {{ let n = read(); n + 1 }})\n\n// becomes\n\n{block}\n\
         block!(\"load\", {{ let n = read().await; n + 1 }})\n\n// becomes\n\n{waits}\n\
         hop!(\"feed→drain\", packet.sent)\n\n// becomes\n\n{hop}"
    );
    compare("macros.txt", text.trim_end());
}
