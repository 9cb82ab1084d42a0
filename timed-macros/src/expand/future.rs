//! Functions whose calls are futures: `async fn`, and those that are one `async` block altogether.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use super::captures::captures;
use super::fragments::held_together;
use super::function::is_timed;
use super::probe::{self, Site};
use crate::model::{Function, Item, Options};
use crate::parse;
use crate::tokens::{bare, braces, group, is_punct, is_word, refill};

/// The trees of an `async fn`, timed; its body is the tree `at`.
///
/// ```text
/// in:   async fn f(a: A, _: B, (c, d): C) -> R { #![allow(x)] g(a).await + c + d }
/// out:  async fn f(a: A, _unnamed3: B, (c, d): C) -> R {
///           #![allow(x)]
///           let _tie = R::tie!();
///           R::future(R::plan!(Async), async move { R::own!(_tie; d c _unnamed3 a); g(a).await + c + d }).await
///       }
/// ```
///
/// A guard cannot live across an `.await`: the body goes into a future that has one around each poll.
/// It keeps its braces. What moving it would change is put right by the two other macros: `tie` and
/// `own` have it expect the function's result, without that being named again; `own` also moves
/// every parameter in, used or not, so that they drop as before, the last one first. (A parameter
/// that is called `_` needs a name for that. What a pattern leaves unbound stays outside, and drops
/// after all of them.)
pub(super) fn asynchronous(
    item: &Item,
    function: &Function,
    at: usize,
    options: &Options,
) -> TokenStream {
    let as_it_was = || item.trees.iter().cloned().collect();
    let Some(braces) = braces(&item.trees[at]) else { return as_it_was() };
    let krate = probe::krate(options);
    let contents = held_together(&krate, braces.stream().into_iter().collect());
    let (inner, statements) = contents.split_at(parse::inner_attributes(&contents));
    if is_timed(statements) || parse::is_cut_short(statements) {
        return as_it_was();
    }
    // The block is the user's, as the function is that it was: the compiler does not name variables
    // that foreign code has captured.
    let asyncness = function.asyncness.unwrap_or(function.keyword);
    let word = asyncness.resolved_at(Span::call_site());
    let parameters =
        function.parameters.and_then(|at| group(item.trees.get(at), Delimiter::Parenthesis));
    let captures = parameters
        .map(|list| captures(&krate, list, parse::parameters(list), statements))
        .unwrap_or_default();
    let owned = &captures.owned;

    let never = matches!(
        bare(item.trees[function.result.clone()].iter().cloned().collect()).as_slice(),
        [only] if is_punct(Some(only), '!')
    );
    let tie = Ident::new("_tie", Span::mixed_site());
    let (head, own, future) = if never {
        (quote!(), quote!(#krate::__private::own!(; #owned);), quote!(never))
    } else {
        (
            quote!(let #tie = #krate::__private::tie!();),
            quote!(#krate::__private::own!(#tie; #owned);),
            quote!(future),
        )
    };
    let mut body = own;
    body.extend(captures.body(statements, &braces));
    let body = refill(&braces, body);
    let plan = plan(&krate, function, options);
    let mut timed: TokenStream = inner.iter().cloned().collect();
    timed.extend(head);
    timed.extend(quote!(#krate::__private::#future));
    let mut arguments = plan;
    arguments.extend(quote_spanned!(asyncness=> , async move #body));
    timed.extend([TokenTree::Group(Group::new(Delimiter::Parenthesis, arguments))]);
    timed.extend(quote_spanned!(word=> .await));

    let list = function.parameters.zip(captures.list);
    let tree = |(place, tree): (usize, &TokenTree)| match &list {
        Some((parameters, list)) if place == *parameters => list.clone(),
        _ if place == at => refill(&braces, timed.clone()),
        _ => tree.clone(),
    };
    item.trees.iter().enumerate().map(tree).collect()
}

/// The body of a function that is one `async` block, boxed or as an `impl Future`, timed as a future;
/// none if it is something else.
///
/// ```text
/// in:   { Box::pin(async move { … }) }
/// out:  { Box::pin(R::future(R::plan!(Async), async move { … })) }
/// ```
///
/// That is what `#[async_trait]` and its like make of an `async fn`. Where statements come before,
/// the function does something when it is called, and is timed as any other.
pub(super) fn block(
    statements: &[TokenTree],
    item: &Item,
    function: &Function,
    options: &Options,
) -> Option<TokenStream> {
    let krate = probe::krate(options);
    let wrapped = |block: &[TokenTree]| {
        let plan = plan(&krate, function, options);
        let block = block.iter().cloned();
        let mut arguments = plan;
        arguments.extend(quote!(,));
        arguments.extend(block);
        quote!(#krate::__private::future(#arguments))
    };
    if is_async_block(statements) {
        let opaque = is_word(item.trees.get(function.result.start), "impl");
        return opaque.then(|| wrapped(statements));
    }
    let (last, path) = statements.split_last()?;
    let arguments = group(Some(last), Delimiter::Parenthesis)?;
    let is_boxed = path
        .iter()
        .all(|tree| matches!(tree, TokenTree::Ident(_)) || is_punct(Some(tree), ':'))
        && matches!(path, [.., boxed, _, _, pin] if is_word(Some(boxed), "Box") && is_word(Some(pin), "pin"));
    let inside: Vec<TokenTree> = arguments.stream().into_iter().collect();
    let comma = usize::from(is_punct(inside.last(), ','));
    let (inside, comma) = inside.split_at(inside.len() - comma);
    if !is_boxed || !is_async_block(inside) {
        return None;
    }
    let mut tokens: TokenStream = path.iter().cloned().collect();
    let mut timed = wrapped(inside);
    timed.extend(comma.iter().cloned());
    let mut timed = Group::new(Delimiter::Parenthesis, timed);
    timed.set_span(arguments.span());
    tokens.extend([TokenTree::Group(timed)]);
    Some(tokens)
}

/// `async { … }` or `async move { … }`.
fn is_async_block(trees: &[TokenTree]) -> bool {
    match trees {
        [word, body] => is_word(Some(word), "async") && braces(body).is_some(),
        [word, moved, body] => {
            is_word(Some(word), "async") && is_word(Some(moved), "move") && braces(body).is_some()
        }
        _ => false,
    }
}

fn plan(krate: &TokenStream, function: &Function, options: &Options) -> TokenStream {
    let site = Site { kind: "Async", name: options.name.clone(), span: function.keyword };
    probe::site(krate, "plan", &site, options)
}
