//! Half-typed and broken code: the expansion never panics, keeps every token that was written, in
//! order, and says one thing at most.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr as _;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

const ITEMS: [&str; 17] = [
    "#[a] pub(crate) unsafe extern \"C\" fn f<'a, T: Fn(&'a u8) -> u8>(#[b] x: [T; { 2 }]) -> \
     Option<<T as A>::B> where T: A { #![c] let x = a[1]?; if x > 2 { m! { 3 } } g::<T>(x) + 1 }",
    "fn f(mut self: Box<Self>, (a, ..): (u8, u8)) -> impl Fn() + 'static { move || a }",
    "fn f<const N: usize>() -> ! { loop { if N < 3 { continue } } }",
    "fn f() -> f64 { let x = match a { 1 => return 2.0, _ => -1.0 }; { x } }",
    "async fn f(a: &str) -> u8 { b(a).await? }",
    "async fn f<'a>(#[cfg(a)] _: A, mut b: B, (c, _, E { d, .. }): C, ref e: D) -> R { #![a] \
     let f = c.await; b += f; b.c[1] = 2; b }",
    "pub async unsafe fn f(mut self: Box<Self>, _: &'a mut b) -> ! { loop { self.a = g().await } }",
    "fn f(a: A) -> Pin<Box<dyn Future<Output = u8>>> { Box::pin(async move { a.await? }) }",
    "fn f(a: A) -> impl Future<Output = u8> { async move { a } }",
    "#[timed] trait A { #[b] async fn f(&self, mut a: A) -> u8 { a = 1; async { 2 }.await } }",
    "const fn f() -> u8 { 1 }",
    "#[unsafe(naked)] extern fn f();",
    "#[a] impl<T> A for B<{ 3 }> where T: C { const D: u8 = 1; #[e] fn f() -> u8 { g() } h!(); }",
    "impl !Send for A {} unsafe impl<'a> B for &'a [u8; 2] { type C = u8; fn d(self) {} }",
    "pub mod m { #![a] use b::{c, d}; macro_rules! e { () => {} } trait F { fn g() {} } \
     extern \"C\" { fn h(); } struct I(u8); enum J { K } union L { m: u8 } mod n; static O: u8 = 1; }",
    "#[timed(skip)] trait A: B + for<'a> C<'a> { fn d(); default async unsafe fn e() { f(); } }",
    "struct A<T>(T) where T: B;",
];

const OPTIONS: &str = "name = \"a\", fence = \"full\", sample = 2, crate = ::a::b, skip";

/// What random damage puts in.
const EXTRA: &str = "fn impl mod trait async const unsafe extern where if else match let return for \
                     dyn pub self = == -> => :: : ; , . .. # ! ? < > & * + - | _ 'a \"b\" 1 2.5 x \
                     () [] {} timed";

fn tokens(text: &str) -> TokenStream {
    TokenStream::from_str(text).expect("the test's tokens are well-formed")
}

/// The tokens one by one, the visible delimiters among them.
fn flat(tokens: TokenStream, into: &mut Vec<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                into.push(open.to_owned());
                flat(group.stream(), into);
                into.push(close.to_owned());
            }
            tree => into.push(tree.to_string()),
        }
    }
    into.retain(|token| !token.is_empty());
}

/// Whether `these` stand among `all` in their order.
fn are_among(these: &[String], all: &[String]) -> bool {
    let mut all = all.iter();
    these.iter().all(|token| all.any(|other| other == token))
}

fn holds(options: &TokenStream, item: &TokenStream, how: &str) {
    let said = || format!("{how}: #[timed({options})] {item}");
    let expand = AssertUnwindSafe(|| super::attribute(options.clone(), item.clone()));
    let expanded = catch_unwind(expand).unwrap_or_else(|_| panic!("{}", said()));
    let (mut written, mut expansion) = (Vec::new(), Vec::new());
    flat(item.clone(), &mut written);
    flat(expanded.clone(), &mut expansion);
    if written.contains(&"async".to_owned()) {
        // A parameter called `_` gets a name, and one that is bound again is `mut` there.
        written.retain(|token| token != "_" && token != "mut");
    }
    assert!(are_among(&written, &expansion), "tokens lost, {}\n{expanded}", said());
    let errors = expansion.iter().filter(|token| *token == "compile_error").count();
    assert!(errors <= 1, "{errors} errors, {}\n{expanded}", said());
}

/// A change: what stands before a tree, the tree, what stands after it; and what to put there.
type Change = dyn Fn(&[TokenTree], &TokenTree, &[TokenTree]) -> Vec<TokenTree>;

/// The streams that come of one change at one place, at any depth.
fn changed_once(stream: &TokenStream, change: &Change) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = stream.clone().into_iter().collect();
    let mut changed = Vec::new();
    for (at, tree) in trees.iter().enumerate() {
        let (before, after) = (&trees[..at], &trees[at + 1..]);
        changed.push(change(before, tree, after).into_iter().collect());
        if let TokenTree::Group(group) = tree {
            for inside in changed_once(&group.stream(), change) {
                let group = TokenTree::Group(Group::new(group.delimiter(), inside));
                changed.push(before.iter().chain([&group]).chain(after).cloned().collect());
            }
        }
    }
    changed
}

#[test]
fn every_beginning() {
    let cut = |before: &[TokenTree], _: &TokenTree, _: &[TokenTree]| before.to_vec();
    for item in ITEMS {
        for item in changed_once(&tokens(item), &cut) {
            holds(&TokenStream::new(), &item, "cut short");
        }
    }
    for options in changed_once(&tokens(OPTIONS), &cut) {
        holds(&options, &tokens(ITEMS[0]), "options cut short");
    }
}

#[test]
fn every_token_left_out_or_doubled() {
    let left_out =
        |before: &[TokenTree], _: &TokenTree, after: &[TokenTree]| [before, after].concat();
    let doubled = |before: &[TokenTree], tree: &TokenTree, after: &[TokenTree]| {
        [before, &[tree.clone(), tree.clone()], after].concat()
    };
    let in_a_group = |before: &[TokenTree], tree: &TokenTree, after: &[TokenTree]| {
        let group = Group::new(Delimiter::None, tree.clone().into());
        [before, &[TokenTree::Group(group)], after].concat()
    };
    for item in ITEMS {
        for item in changed_once(&tokens(item), &left_out) {
            holds(&TokenStream::new(), &item, "left out");
        }
        for item in changed_once(&tokens(item), &doubled) {
            holds(&TokenStream::new(), &item, "doubled");
        }
        for item in changed_once(&tokens(item), &in_a_group) {
            holds(&TokenStream::new(), &item, "as a fragment");
        }
    }
    for options in changed_once(&tokens(OPTIONS), &left_out) {
        holds(&options, &tokens(ITEMS[1]), "option left out");
    }
}

/// A generator of numbers that look random: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

/// The stream with one place changed, chosen and changed at random.
fn mutated(stream: TokenStream, extra: &[TokenTree], random: &mut Random) -> TokenStream {
    let mut trees: Vec<TokenTree> = stream.into_iter().collect();
    let at = random.below(trees.len() + 1);
    if let Some(TokenTree::Group(group)) = trees.get(at)
        && random.below(4) > 0
    {
        let inside = mutated(group.stream(), extra, random);
        let delimiters =
            [Delimiter::Brace, Delimiter::Parenthesis, Delimiter::Bracket, group.delimiter()];
        let delimiter = delimiters[3 - random.below(16).saturating_sub(12)];
        trees[at] = TokenTree::Group(Group::new(delimiter, inside));
        return trees.into_iter().collect();
    }
    match random.below(4) {
        0 if at < trees.len() => drop(trees.remove(at)),
        1 if at < trees.len() => {
            let other = random.below(trees.len());
            trees.swap(at, other);
        }
        2 if at < trees.len() => trees[at] = extra[random.below(extra.len())].clone(),
        _ => trees.insert(at, extra[random.below(extra.len())].clone()),
    }
    trees.into_iter().collect()
}

/// `ROBUST_SEED=N` repeats a run that failed.
#[test]
fn random_damage() {
    let seed = std::env::var("ROBUST_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| u64::from(std::process::id()) << 20 | 1);
    println!("ROBUST_SEED={seed}");
    let mut random = Random(seed);
    let extra: Vec<TokenTree> = tokens(EXTRA).into_iter().collect();
    for round in 0..4000 {
        let mut item = tokens(ITEMS[random.below(ITEMS.len())]);
        for _ in 0..=random.below(4) {
            item = mutated(item, &extra, &mut random);
        }
        let mut options = TokenStream::new();
        if random.below(4) == 0 {
            options = mutated(tokens(OPTIONS), &extra, &mut random);
        }
        // A parser in the middle of what was written may read `timed` as an attribute of its own.
        holds(&options, &item, &format!("ROBUST_SEED={seed}, round {round}"));
        let _ = super::block(item.clone());
        let _ = super::hop(item.clone());
        let _ = super::scope(item);
    }
}
