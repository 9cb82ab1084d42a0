//! Where an item's parts stand, and where one item ends and the next begins.

use std::ops::Range;

use proc_macro2::{Delimiter, Span, TokenTree};

use crate::model::{Attribute, Container, ContainerKind, Function, Item, Other, Target};
use crate::tokens::{Angles, bare, bare_tree, braces, group, is_punct, is_word};

/// Reads the item that the trees begin with; it holds the trees up to its end.
pub(crate) fn item(trees: &[TokenTree]) -> Item<'_> {
    let attributes = attributes(trees);
    let start = attributes.last().map_or(0, |attribute| attribute.place.end);
    let start = start + visibility(&trees[start..]);
    let (target, end) = target(trees, start);
    Item { trees: &trees[..end], attributes, target }
}

/// Cuts the contents of a container's braces into items.
pub(crate) fn split(trees: &[TokenTree]) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    let mut rest = trees;
    while !rest.is_empty() {
        let item = item(rest);
        rest = &rest[item.trees.len()..];
        items.push(item);
    }
    items
}

/// How many trees the inner attributes (`#![…]`) take up that a block begins with.
pub(crate) fn inner_attributes(trees: &[TokenTree]) -> usize {
    let mut end = 0;
    while is_punct(trees.get(end), '#')
        && is_punct(trees.get(end + 1), '!')
        && group(trees.get(end + 2), Delimiter::Bracket).is_some()
    {
        end += 3;
    }
    end
}

fn attributes(trees: &[TokenTree]) -> Vec<Attribute> {
    let mut attributes = Vec::new();
    let mut start = 0;
    while is_punct(trees.get(start), '#') {
        let Some(meta) = group(trees.get(start + 1), Delimiter::Bracket) else { break };
        let path = bare(meta.stream())
            .iter()
            .map_while(|tree| match tree {
                TokenTree::Ident(ident) => Some(ident.to_string()),
                TokenTree::Punct(punct) if punct.as_char() == ':' => Some(":".to_owned()),
                _ => None,
            })
            .collect();
        attributes.push(Attribute { place: start..start + 2, path });
        start += 2;
    }
    attributes
}

/// How many trees `pub`, `pub(…)`, or a `$vis` fragment (which may be empty) takes up.
fn visibility(trees: &[TokenTree]) -> usize {
    if is_word(trees.first(), "pub") {
        return 1 + usize::from(group(trees.get(1), Delimiter::Parenthesis).is_some());
    }
    let Some(fragment) = group(trees.first(), Delimiter::None) else { return 0 };
    let fragment = bare(fragment.stream());
    usize::from(fragment.is_empty() || visibility(&fragment) == fragment.len())
}

/// What the item is that has its first word at `start`, and where it ends.
fn target(trees: &[TokenTree], start: usize) -> (Target, usize) {
    let mut constness = None;
    let mut asyncness = None;
    let mut at = start;
    // What may stand in front of `fn`, `impl`, `trait`, `mod`.
    while let Some(TokenTree::Ident(ident)) = trees.get(at) {
        match ident.to_string().as_str() {
            "const" => constness = Some(ident.span()),
            "async" => asyncness = Some(ident.span()),
            "extern" if trees.get(at + 1).is_some_and(is_literal) => at += 1,
            "unsafe" | "safe" | "default" | "auto" | "gen" | "extern"
                if matches!(trees.get(at + 1), Some(TokenTree::Ident(_))) => {}
            _ => break,
        }
        at += 1;
    }
    let Some(TokenTree::Ident(word)) = trees.get(at) else { return other(trees, start) };
    let kind = match word.to_string().as_str() {
        "fn" => {
            let (function, end) = function(trees, at, constness, asyncness);
            return (Target::Function(function), end);
        }
        "impl" => ContainerKind::Impl,
        "mod" => ContainerKind::Mod,
        "trait" => ContainerKind::Trait,
        _ => return other(trees, start),
    };
    let (body, end) = to_braces(trees, at);
    (Target::Container(Container { kind, keyword: word.span(), body }), end)
}

/// An ABI, perhaps as a macro's `$abi:literal` fragment.
fn is_literal(tree: &TokenTree) -> bool {
    matches!(bare_tree(tree), Some(TokenTree::Literal(_)))
}

/// `fn name<…>(…) -> result where … { body }`, with `fn` at `start`.
fn function(
    trees: &[TokenTree],
    start: usize,
    constness: Option<Span>,
    asyncness: Option<Span>,
) -> (Function, usize) {
    let (body, end) = to_braces(trees, start);
    let signature = start..body.unwrap_or(end);
    let keyword = trees[start].span();
    let name = match trees.get(start + 1).and_then(bare_tree) {
        Some(TokenTree::Ident(name)) => Some(name),
        _ => None,
    };
    let (parameters, result) = signature_parts(trees, signature);
    (Function { keyword, name, constness, asyncness, parameters, result, body }, end)
}

/// The tree of the parameters, and the trees of the return type, in a signature.
fn signature_parts(trees: &[TokenTree], signature: Range<usize>) -> (Option<usize>, Range<usize>) {
    let mut angles = Angles::default();
    let parameters = signature.clone().find(|&at| {
        angles.outside(&trees[at]) && group(trees.get(at), Delimiter::Parenthesis).is_some()
    });
    let Some(parameters) = parameters else { return (None, 0..0) };
    if !(is_punct(trees.get(parameters + 1), '-') && is_punct(trees.get(parameters + 2), '>')) {
        return (Some(parameters), 0..0);
    }
    let start = parameters + 3;
    let end = (start..signature.end).find(|&at| is_word(trees.get(at), "where"));
    (Some(parameters), start..end.unwrap_or(signature.end).max(start))
}

/// The first braces outside angle brackets, and the end of an item that ends with them or with a
/// semicolon.
fn to_braces(trees: &[TokenTree], start: usize) -> (Option<usize>, usize) {
    let mut angles = Angles::default();
    for (at, tree) in trees.iter().enumerate().skip(start) {
        if is_punct(Some(tree), ';') {
            return (None, at + 1);
        }
        // `-> ty! {…}` is a type; `-> ! {…}` is not.
        let macro_call = at > start + 1
            && is_punct(trees.get(at - 1), '!')
            && matches!(trees[at - 2], TokenTree::Ident(_));
        if angles.outside(tree) && braces(tree).is_some() && !macro_call {
            return (Some(at), at + 1);
        }
    }
    (None, trees.len())
}

/// An item without calls of its own, whose first word is at `start`.
fn other(trees: &[TokenTree], start: usize) -> (Target, usize) {
    let Some(first) = trees.get(start) else {
        let span = trees.last().map_or_else(Span::call_site, TokenTree::span);
        return (Target::Other(Other { what: "nothing", span }), trees.len());
    };
    let word = match first {
        TokenTree::Ident(ident) => ident.to_string(),
        _ => String::new(),
    };
    let semicolon = || {
        let at = (start..trees.len()).find(|&at| is_punct(trees.get(at), ';'));
        at.map_or(trees.len(), |at| at + 1)
    };
    let (what, end) = match word.as_str() {
        "const" => ("a `const`", semicolon()),
        "static" => ("a `static`", semicolon()),
        "type" => ("a type alias", semicolon()),
        "use" => ("a `use`", semicolon()),
        "let" => ("a `let`", semicolon()),
        "extern" if is_word(trees.get(start + 1), "crate") => ("an `extern crate`", semicolon()),
        "struct" => ("a `struct`", to_braces(trees, start).1),
        "enum" => ("an `enum`", to_braces(trees, start).1),
        "union" if matches!(trees.get(start + 1), Some(TokenTree::Ident(_))) => {
            ("a `union`", to_braces(trees, start).1)
        }
        "extern" | "unsafe" => ("an `extern` block", to_braces(trees, start).1),
        "" => ("this", start + 1),
        _ => ("a macro call", macro_call(trees, start)),
    };
    (Target::Other(Other { what, span: first.span() }), end)
}

/// The end of `path!{…}`, `path!(…);`, `macro_rules! name {…}`.
fn macro_call(trees: &[TokenTree], start: usize) -> usize {
    let is_body = |at: &usize| matches!(trees.get(*at), Some(TokenTree::Group(_)));
    let body = (start..trees.len()).find(is_body).unwrap_or(trees.len() - 1);
    let semicolon = is_punct(trees.get(body + 1), ';');
    body + 1 + usize::from(semicolon)
}
