//! `scope!`, `block!` and `hop!`.
//!
//! The face's `macro_rules` pass on `[$crate]` and what was written, so that the crate is found
//! under whatever name it was given.

use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};
use quote::quote;

use super::fragments::held_together;
use super::function::{Hold, held};
use super::probe::{self, Site, guard, krate, span};
use crate::check::{self, Refusal};
use crate::model::Options;
use crate::parse::{self, Tail};
use crate::tokens::{braces, find_word, group, is_punct, refill};

const SCOPE: &str = "timed::scope!(\"name\")";
const BLOCK: &str = "timed::block!(\"name\", { … })";
const HOP: &str = "timed::hop!(\"name\", stamp)";

/// ```text
/// in:   scope!("decode")
/// out:  let _ = &R::enter!(Scope "decode");
/// ```
pub(crate) fn scope(input: TokenStream) -> TokenStream {
    let (options, trees) = face(input);
    let timed = || {
        let (site, rest) = site("Scope", SCOPE, &trees)?;
        match rest.first() {
            None if super::for_clippy() => Ok(TokenStream::new()),
            None => Ok(guard(&krate(&options), &site, &options)),
            other => Err(check::macro_form(SCOPE, other)),
        }
    };
    timed().unwrap_or_else(|refusal: Refusal| {
        let mut error = refusal.into_tokens();
        error.extend([TokenTree::from(proc_macro2::Punct::new(';', proc_macro2::Spacing::Alone))]);
        error
    })
}

/// ```text
/// in:   block!("decode", { f(); g() })
/// out:  { let _ = &R::enter!(Block "decode"); f(); R::hold(… g() …) }
/// ```
///
/// The braces are the user's own, so no function boundary stands between `break`, `?` or `return`
/// and what they leave.
///
/// ```text
/// in:   block!("load", { f().await; g() })
/// out:  { let _ = &R::span!(Block "load"); f().await; g() }
/// ```
///
/// A guard cannot live across an `.await`. What takes its place knows two points in time, and has no
/// part in the call tree.
pub(crate) fn block(input: TokenStream) -> TokenStream {
    let (options, trees) = face(input);
    let timed = || {
        let (site, rest) = site("Block", BLOCK, &trees)?;
        let [comma, rest @ ..] = rest else { return Err(check::macro_form(BLOCK, None)) };
        if !is_punct(Some(comma), ',') {
            return Err(check::macro_form(BLOCK, Some(comma)));
        }
        let (body, after) = match rest {
            [body, after @ ..] => {
                (braces(body).ok_or_else(|| check::macro_form(BLOCK, Some(body)))?, after)
            }
            [] => return Err(check::macro_form(BLOCK, Some(comma))),
        };
        match after {
            [] => {}
            [comma] if is_punct(Some(comma), ',') => {}
            [other, ..] => return Err(check::macro_form(BLOCK, Some(other))),
        }
        let krate = krate(&options);
        if super::for_clippy() {
            return Ok(quote!(#krate::__private::same!(#body)));
        }
        let contents = held_together(&krate, body.stream().into_iter().collect());
        let (inner, statements) = contents.split_at(parse::inner_attributes(&contents));
        let mut timed: TokenStream = inner.iter().cloned().collect();
        if find_word(body.stream(), "await").is_some() {
            timed.extend(span(&krate, &site, &options));
            timed.extend(statements.iter().cloned());
        } else {
            timed.extend(guard(&krate, &site, &options));
            timed.extend(held(statements, tail(statements), &body, &krate, Hold::Plain));
        }
        Ok(TokenStream::from(refill(&body, timed)))
    };
    timed().unwrap_or_else(|refusal: Refusal| {
        // Inside the braces, error and statements are one expression still.
        let mut tokens = refusal.into_tokens();
        match trees.iter().find_map(braces) {
            Some(body) => {
                tokens.extend(body.stream());
                refill(&body, tokens).into()
            }
            None => TokenTree::Group(Group::new(Delimiter::Brace, tokens)).into(),
        }
    })
}

/// ```text
/// in:   hop!("feed→drain", packet.sent)
/// out:  { let __timed_stamp = R::stamped(packet.sent); R::hop_at!(Hop "feed→drain" __timed_stamp) }
/// ```
pub(crate) fn hop(input: TokenStream) -> TokenStream {
    let (options, trees) = face(input);
    let timed = || {
        let (site, rest) = site("Hop", HOP, &trees)?;
        let [comma, rest @ ..] = rest else { return Err(check::macro_form(HOP, None)) };
        if !is_punct(Some(comma), ',') || rest.is_empty() {
            return Err(check::macro_form(HOP, Some(comma)));
        }
        let krate = krate(&options);
        let rest = held_together(&krate, rest.to_vec());
        // Of what is no expression the compiler has more to say.
        let end = parse::first_expression(&rest).unwrap_or(rest.len());
        let (stamp, after) = rest.split_at(end);
        match after {
            [] => {}
            [comma] if is_punct(Some(comma), ',') => {}
            [comma, other, ..] if is_punct(Some(comma), ',') => {
                return Err(check::macro_form(HOP, Some(other)));
            }
            [other, ..] => return Err(check::macro_form(HOP, Some(other))),
        }
        if super::for_clippy() {
            return Ok(quote!({ let _ = #krate::__private::stamped(#(#stamp)*); }));
        }
        Ok(probe::hop(&krate, &site, stamp))
    };
    timed().unwrap_or_else(|refusal: Refusal| {
        TokenTree::Group(Group::new(Delimiter::Brace, refusal.into_tokens())).into()
    })
}

/// The value to hold. None that may leave a loop around the block: `break` and `continue` without
/// a label must not cross a block that has one.
fn tail(statements: &[TokenTree]) -> Option<Tail> {
    let tail = parse::tail(statements, None)?;
    let value = || statements[tail.value.clone()].iter().cloned().collect();
    let leaves = ["break", "continue"].iter().any(|word| find_word(value(), word).is_some());
    (!leaves).then_some(tail)
}

/// Takes `[path of the face]` off the front.
fn face(input: TokenStream) -> (Options, Vec<TokenTree>) {
    let mut trees: Vec<TokenTree> = input.into_iter().collect();
    let krate = group(trees.first(), Delimiter::Bracket).map(Group::stream);
    if krate.is_some() {
        trees.remove(0);
    }
    (Options { krate, ..Options::default() }, trees)
}

/// Reads the name; returns the site and what follows the name.
fn site<'a>(
    kind: &'static str,
    usage: &str,
    trees: &'a [TokenTree],
) -> Result<(Site, &'a [TokenTree]), Refusal> {
    let Some((first, rest)) = trees.split_first() else {
        return Err(check::macro_name(usage, None));
    };
    let (name, text): (Literal, String) =
        parse::string(first).ok_or_else(|| check::macro_name(usage, Some(first)))?;
    if text.is_empty() {
        return Err(check::macro_name_empty(first));
    }
    Ok((Site { kind, name: Some(name), span: Span::call_site() }, rest))
}
