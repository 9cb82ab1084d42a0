//! An `impl`, `mod` or `trait`: each function inside is timed.

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use quote::quote;

use super::fragments::held_together;
use super::{expanded, probe};
use crate::check::{self, Refusal};
use crate::model::{Fence, Item, Options, Target};
use crate::parse;
use crate::tokens::{group, is_punct, refill};

/// The braces of a container, each function inside timed with the container's options.
///
/// ```text
/// in:   { const fn a() {}  fn b() {}                       #[other] fn c() {} }
/// out:  { const fn a() {}  fn b() { let _ = &R::enter!(…); }
///         #[other] #[R::inherited(crate = …)] fn c() {} }
/// ```
///
/// Any attribute that is not the language's own may be ours under another name, or turn into it
/// (`cfg_attr`). The options then wait behind it, on the item: ours takes them in, and what is
/// not ours leaves them to run last.
pub(super) fn body(braces: &TokenTree, options: &Options) -> Result<TokenTree, Refusal> {
    let TokenTree::Group(braces) = braces else { return Ok(braces.clone()) };
    let krate = probe::krate(options);
    let contents = held_together(&krate, braces.stream().into_iter().collect());
    if is_cut_short(&contents) {
        return Ok(TokenTree::Group(braces.clone()));
    }
    Ok(refill(braces, items(&contents, options)?))
}

/// Whether the last item is a half-typed one. The compiler has said so then, and says it once more
/// of braces that are not quite the user's.
fn is_cut_short(contents: &[TokenTree]) -> bool {
    !match contents.last() {
        Some(TokenTree::Group(group)) => {
            matches!(group.delimiter(), Delimiter::Brace | Delimiter::None)
        }
        last => last.is_none() || is_punct(last, ';'),
    }
}

fn items(trees: &[TokenTree], options: &Options) -> Result<TokenStream, Refusal> {
    let mut tokens = TokenStream::new();
    for item in parse::split(trees) {
        match item.trees {
            // A macro's `$item` fragment.
            [TokenTree::Group(fragment)] if fragment.delimiter() == Delimiter::None => {
                let inside: Vec<TokenTree> = fragment.stream().into_iter().collect();
                tokens.extend(items(&inside, options)?);
            }
            _ => tokens.extend(self::item(&item, options)?),
        }
    }
    Ok(tokens)
}

fn item(item: &Item, options: &Options) -> Result<TokenStream, Refusal> {
    let concerned = match &item.target {
        Target::Function(function) => {
            function.constness.is_none() && function.body.is_some() && check::naked(item).is_none()
        }
        Target::Container(container) => container.body.is_some(),
        Target::Other(_) => false,
    };
    if !concerned {
        return Ok(item.trees.iter().cloned().collect());
    }
    if item.attributes.iter().all(|attribute| is_the_languages(&attribute.path)) {
        check::target(item, options)?;
        return expanded(item, options);
    }
    let end = item.attributes.last().map_or(0, |attribute| attribute.place.end);
    let mut tokens: TokenStream = item.trees[..end].iter().cloned().collect();
    tokens.extend(inherited(options));
    tokens.extend(item.trees[end..].iter().cloned());
    Ok(tokens)
}

/// `#[R::inherited(…)]` with the container's options.
fn inherited(options: &Options) -> TokenStream {
    let krate = probe::krate(options);
    let mut list = quote!(crate = #krate);
    if let Some(fence) = options.fence {
        let fence = Literal::string(if fence == Fence::Full { "full" } else { "relaxed" });
        list.extend(quote!(, fence = #fence));
    }
    if let Some(count) = options.sample {
        let count = Literal::u32_unsuffixed(count);
        list.extend(quote!(, sample = #count));
    }
    quote!(#[#krate::__private::inherited(#list)])
}

/// Adds what a container around the item left on it, and takes that off the item.
pub(super) fn take_inherited(own: Options, trees: Vec<TokenTree>) -> (Options, Vec<TokenTree>) {
    let attributes = parse::item(&trees).attributes;
    let Some(left) = attributes.iter().find(|it| it.path.ends_with("::__private::inherited"))
    else {
        return (own, trees);
    };
    let meta = group(trees.get(left.place.start + 1), Delimiter::Bracket).map(Group::stream);
    let list = meta.and_then(|meta| match meta.into_iter().last() {
        Some(TokenTree::Group(list)) => parse::options(list.stream()).ok(),
        _ => None,
    });
    let place = left.place.clone();
    let mut trees = trees;
    trees.drain(place);
    (own.or(list.unwrap_or_default()), trees)
}

/// Whether an attribute is one of the language's that can stand on a function, `impl`, `mod` or
/// `trait`, so that it cannot be ours.
fn is_the_languages(path: &str) -> bool {
    const OWN: [&str; 28] = [
        "allow",
        "automatically_derived",
        "bench",
        "cfg",
        "cold",
        "deny",
        "deprecated",
        "doc",
        "expect",
        "export_name",
        "forbid",
        "ignore",
        "inline",
        "link_section",
        "macro_use",
        "must_use",
        "naked",
        "no_mangle",
        "non_exhaustive",
        "path",
        "proc_macro",
        "proc_macro_attribute",
        "proc_macro_derive",
        "should_panic",
        "target_feature",
        "test",
        "track_caller",
        "unsafe",
    ];
    let tools = ["clippy::", "diagnostic::", "rustfmt::"];
    path == "warn" || OWN.contains(&path) || tools.iter().any(|tool| path.starts_with(tool))
}
