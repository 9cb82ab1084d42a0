//! A function's body, timed.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::Lifetime;

use super::fragments::held_together;
use super::future;
use super::probe::{self, Site};
use crate::model::{Function, Item, Options};
use crate::parse::{self, Tail};
use crate::tokens::{bare, braces, find_word, is_punct, is_word, refill};

/// The body of `item`, which is its tree `at`.
///
/// ```text
/// in:   { #![allow(x)] let n = f(); n + 1 }
/// out:  { #![allow(x)] let _ = &R::enter!(…); let n = f(); R::hold(… n + 1 …) }
/// ```
///
/// The braces are the user's own: new ones would change when the tail's temporaries drop, and
/// silence lints. The guard comes first, so it drops last.
pub(super) fn body(item: &Item, function: &Function, at: usize, options: &Options) -> TokenTree {
    let whole = &item.trees[at];
    let Some(braces) = braces(whole) else { return whole.clone() };
    let krate = probe::krate(options);
    let contents = held_together(&krate, braces.stream().into_iter().collect());
    let (inner, statements) = contents.split_at(parse::inner_attributes(&contents));
    if is_timed(statements) {
        return whole.clone();
    }
    if let Some(timed) = future::block(statements, item, function, options) {
        let mut body: TokenStream = inner.iter().cloned().collect();
        body.extend(timed);
        return refill(&braces, body);
    }
    let hold = hold(&item.trees[function.result.clone()]);
    let tail = match hold {
        Hold::No => None,
        _ => parse::tail(statements, function.name.as_ref()),
    };
    if tail.is_none() && parse::is_cut_short(statements) {
        return whole.clone();
    }
    let site = Site { kind: "Fn", name: options.name.clone(), span: function.keyword };
    let mut timed: TokenStream = inner.iter().cloned().collect();
    timed.extend(probe::guard(&krate, &site, options));
    timed.extend(held(statements, tail, &braces, &krate, hold));
    refill(&braces, timed)
}

/// Statements with their value held between the two reads.
///
/// ```text
/// in:   stmts…  a + b
/// out:  stmts…  R::hold('_held_3: { a + b })
/// in:   stmts…  exit(1)
/// out:  stmts…  R::hold('_held_3: { R::may_end!('_held_3); exit(1) })
/// ```
///
/// The value stays a block's, so that the compiler speaks of it as it would: the wrong type is a
/// block's, not an argument's that has made the call's type what it is, and parentheses are
/// superfluous around a block's value. The braces are the user's in span, so that they follow the
/// rules of the user's edition. A block without a label would be superfluous itself.
///
/// A tail that never returns would make the call unreachable, with a warning that an `#[allow]`
/// could only silence for all of the user's tail, and not at all under `#![forbid]`. What follows a
/// labelled block that may end early is never unreachable. The call stands where the tail does:
/// after code that never returns, the tail is what the compiler then warns of.
///
/// `return tail` becomes `return R::hold(…)`.
pub(super) fn held(
    statements: &[TokenTree],
    tail: Option<Tail>,
    braces: &Group,
    krate: &TokenStream,
    hold: Hold,
) -> TokenStream {
    let Some(tail) = tail else { return statements.iter().cloned().collect() };
    let (before, value) = statements.split_at(tail.value.start);
    let ours = |tree: &TokenTree| tree.span().resolved_at(Span::call_site());
    let first = ours(&value[0]);
    let path = probe::at(krate.clone(), first);
    let label = label(value, braces);
    let mut block = TokenStream::new();
    if tail.may_diverge {
        block.extend(quote!(#krate::__private::may_end!(#label);));
    }
    block.extend(value.iter().cloned());
    let block = refill(braces, block);
    let mut arguments = Group::new(Delimiter::Parenthesis, quote!(#label: #block));
    arguments.set_span(ours(&value[value.len() - 1]));
    let hold = Ident::new(if hold == Hold::Float { "hold_float" } else { "hold" }, first);
    let mut tokens: TokenStream = before.iter().cloned().collect();
    tokens.extend(quote_spanned!(first=> #path::__private::#hold));
    tokens.extend([TokenTree::Group(arguments)]);
    tokens
}

/// A label for the block around a value.
///
/// A labelled block begins with its label, so that the edition of this one decides when the
/// block's temporaries drop: it must be the user's in span, and cannot be told from the user's own
/// labels but by its name. The number of trees differs from that of any `block!` in the value.
fn label(value: &[TokenTree], braces: &Group) -> Lifetime {
    let count = count(&mut value.iter().cloned());
    Lifetime::new(&format!("'_held_{count}"), braces.span())
}

fn count(trees: &mut dyn Iterator<Item = TokenTree>) -> usize {
    trees.fold(0, |sum, tree| match tree {
        TokenTree::Group(group) => sum + 1 + count(&mut group.stream().into_iter()),
        _ => sum + 1,
    })
}

/// How a value is held.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    No,
    /// In an integer register, or by reference.
    Plain,
    /// In a float register.
    Float,
}

/// How a function with this return type holds its value.
fn hold(result: &[TokenTree]) -> Hold {
    let result: Vec<TokenTree> = bare(result.iter().cloned().collect());
    match result.as_slice() {
        [] => Hold::No,
        [TokenTree::Punct(never)] if never.as_char() == '!' => Hold::No,
        [TokenTree::Group(unit)]
            if unit.delimiter() == Delimiter::Parenthesis && unit.stream().is_empty() =>
        {
            Hold::No
        }
        // An `impl Trait` is another type inside the function than outside.
        result if may_be_opaque(result.iter().cloned().collect()) => Hold::No,
        [word] if is_word(Some(word), "f32") || is_word(Some(word), "f64") => Hold::Float,
        _ => Hold::Plain,
    }
}

/// Whether the type has `impl Trait` in it, or a macro that could bring one in.
fn may_be_opaque(result: TokenStream) -> bool {
    find_word(result.clone(), "impl").is_some() || has_macro(result)
}

fn has_macro(tokens: TokenStream) -> bool {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let call =
        |pair: &[TokenTree]| is_punct(pair.first(), '!') && matches!(pair[1], TokenTree::Group(_));
    trees.windows(2).any(call)
        || trees.into_iter().any(|tree| match tree {
            TokenTree::Group(group) => has_macro(group.stream()),
            _ => false,
        })
}

/// Whether a body begins with what an expansion begins with: the attribute stands on the function
/// twice, once under another name. The call is timed once.
pub(super) fn is_timed(statements: &[TokenTree]) -> bool {
    fn is_ours(trees: &[TokenTree]) -> bool {
        let first = |tree: &TokenTree| {
            ["enter", "tie", "future", "never"].iter().any(|word| is_word(Some(tree), word))
        };
        let path = |four: &[TokenTree]| is_word(four.first(), "__private") && first(&four[3]);
        trees.windows(4).any(path)
            || trees.iter().any(|tree| match tree {
                // `Box::pin(R::future(…))`
                TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                    is_ours(&group.stream().into_iter().collect::<Vec<_>>())
                }
                _ => false,
            })
    }
    let end = statements.iter().position(|tree| is_punct(Some(tree), ';'));
    is_ours(&statements[..end.unwrap_or(statements.len())])
}
