//! `name = "…", fence = "…", sample = N, skip, crate = path`

use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use syn::parse::Parser as _;

use crate::check::{self, Refusal};
use crate::model::{Fence, Options};
use crate::tokens::{bare_tree, is_punct};

/// Reads an attribute's options.
pub(crate) fn options(tokens: TokenStream) -> Result<Options, Refusal> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut options = Options::default();
    let mut keys: Vec<String> = Vec::new();
    let mut rest = trees.as_slice();
    while let Some((first, after)) = rest.split_first() {
        let Some(TokenTree::Ident(key)) = bare_tree(first) else {
            return Err(check::not_an_option(first));
        };
        let word = key.to_string();
        if !check::OPTIONS.contains(&word.as_str()) {
            return Err(check::unknown_option(&key));
        }
        if keys.contains(&word) {
            return Err(check::option_twice(&key));
        }
        rest = if word == "skip" {
            options.skip = true;
            after
        } else {
            value(&mut options, &key, after)?
        };
        keys.push(word);
        if options.skip && keys.len() > 1 {
            return Err(check::skip_not_alone(&key));
        }
        match rest.split_first() {
            Some((comma, after)) if is_punct(Some(comma), ',') => rest = after,
            Some((other @ TokenTree::Group(_), _)) if options.skip => {
                return Err(check::skip_with_value(other));
            }
            Some((other, _)) if options.skip && is_punct(Some(other), '=') => {
                return Err(check::skip_with_value(other));
            }
            Some((other, _)) => return Err(check::comma_missing(other)),
            None => {}
        }
    }
    Ok(options)
}

/// Reads `= value` for `key`; returns what follows.
fn value<'a>(
    options: &mut Options,
    key: &Ident,
    rest: &'a [TokenTree],
) -> Result<&'a [TokenTree], Refusal> {
    let Some((equals, rest)) = rest.split_first().filter(|(tree, _)| is_punct(Some(tree), '='))
    else {
        return Err(check::value_missing(key));
    };
    let Some((first, after)) = rest.split_first().filter(|(tree, _)| !is_punct(Some(tree), ','))
    else {
        return Err(check::value_missing_after(key, equals));
    };
    match key.to_string().as_str() {
        "name" => {
            let (literal, text) = string(first).ok_or_else(|| check::name_not_a_string(first))?;
            if text.is_empty() {
                return Err(check::name_empty(first));
            }
            options.name = Some(literal);
            options.name_key = Some(key.clone());
        }
        "fence" => {
            options.fence = match string(first).map(|(_, text)| text).as_deref() {
                Some("full") => Some(Fence::Full),
                Some("relaxed") => Some(Fence::Relaxed),
                _ => return Err(check::fence_unknown(first)),
            };
        }
        "sample" => {
            options.sample = Some(count(first).ok_or_else(|| check::sample_not_a_count(first))?);
        }
        _ => {
            let end = rest.iter().position(|tree| is_punct(Some(tree), ',')).unwrap_or(rest.len());
            let path: TokenStream = rest[..end].iter().cloned().collect();
            if syn::Path::parse_mod_style.parse2(path.clone()).is_err() {
                return Err(check::crate_not_a_path(first));
            }
            options.krate = Some(path);
            return Ok(&rest[end..]);
        }
    }
    Ok(after)
}

/// The string literal that a tree is, and its text; also as a macro's fragment.
pub(crate) fn string(tree: &TokenTree) -> Option<(Literal, String)> {
    let TokenTree::Literal(literal) = bare_tree(tree)? else { return None };
    match syn::Lit::new(literal.clone()) {
        syn::Lit::Str(string) if string.suffix().is_empty() => Some((literal, string.value())),
        _ => None,
    }
}

/// The count, 1 or more, that a tree is.
fn count(tree: &TokenTree) -> Option<u32> {
    let TokenTree::Literal(literal) = bare_tree(tree)? else { return None };
    match syn::Lit::new(literal) {
        syn::Lit::Int(int) if matches!(int.suffix(), "" | "u32") => {
            int.base10_parse().ok().filter(|count| *count >= 1)
        }
        _ => None,
    }
}
