//! What a function's parameters bind.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, FnArg, Pat, Token};

use crate::tokens::{Angles, group, is_punct, is_word};

/// The parameters of a function.
#[derive(Default)]
pub(crate) struct Parameters {
    /// The list's trees, with names for what is called `_`.
    pub(crate) trees: Vec<TokenTree>,
    /// Whether there was such a one.
    pub(crate) renamed: bool,
    /// Every name that they bind, in their order.
    pub(crate) bindings: Vec<Binding>,
}

/// A name that a parameter binds.
pub(crate) struct Binding {
    pub(crate) name: Ident,
    /// The `#[cfg]` that it is under.
    pub(crate) cfg: TokenStream,
    /// Which lints speak of it: `#[allow]` and its like.
    pub(crate) lints: TokenStream,
    /// The word `mut` in front of it.
    pub(crate) mutable: Option<Ident>,
}

/// Looks through a list of parameters. One that does not parse binds nothing.
pub(crate) fn parameters(list: &Group) -> Parameters {
    let (trees, renamed) = name_wildcards(list);
    let tokens: TokenStream = trees.iter().cloned().collect();
    let mut bindings = Vec::new();
    if let Ok(arguments) = Punctuated::<FnArg, Token![,]>::parse_terminated.parse2(tokens) {
        for argument in &arguments {
            match argument {
                FnArg::Receiver(receiver) => bindings.push(Binding {
                    name: Ident::new("self", receiver.self_token.span),
                    cfg: among(&receiver.attrs, &CFG),
                    lints: among(&receiver.attrs, &LINTS),
                    mutable: receiver.mutability.as_ref().map(|word| Ident::new("mut", word.span)),
                }),
                FnArg::Typed(typed) => names(&typed.pat, &mut |name, mutable| {
                    bindings.push(Binding {
                        name: name.clone(),
                        cfg: among(&typed.attrs, &CFG),
                        lints: among(&typed.attrs, &LINTS),
                        mutable,
                    });
                }),
            }
        }
    }
    Parameters { trees, renamed, bindings }
}

/// The parameters' trees, each pattern that is `_` alone replaced by a name that nothing else can
/// mean; whether there was one.
fn name_wildcards(list: &Group) -> (Vec<TokenTree>, bool) {
    let mut angles = Angles::default();
    let (mut trees, mut renamed, mut begins) = (Vec::new(), false, true);
    let mut rest = list.stream().into_iter().peekable();
    while let Some(tree) = rest.next() {
        let outside = angles.outside(&tree);
        if begins && is_word(Some(&tree), "_") && is_punct(rest.peek(), ':') {
            let name = format!("_unnamed{}", trees.len());
            trees.push(Ident::new(&name, Span::mixed_site().located_at(tree.span())).into());
            (renamed, begins) = (true, false);
            continue;
        }
        let is_attribute = is_punct(Some(&tree), '#')
            || begins && group(Some(&tree), proc_macro2::Delimiter::Bracket).is_some();
        begins = begins && is_attribute || outside && is_punct(Some(&tree), ',');
        trees.push(tree);
    }
    (trees, renamed)
}

const CFG: [&str; 2] = ["cfg", "cfg_attr"];
const LINTS: [&str; 4] = ["allow", "warn", "deny", "forbid"];

/// The attributes with these names.
fn among(attributes: &[Attribute], names: &[&str]) -> TokenStream {
    let is_one = |attribute: &&Attribute| names.iter().any(|name| attribute.path().is_ident(name));
    let attributes = attributes.iter().filter(is_one);
    quote!(#(#attributes)*)
}

/// Calls `found` with each name that a pattern binds, from left to right, and the `mut` before it.
fn names(pattern: &Pat, found: &mut impl FnMut(&Ident, Option<Ident>)) {
    match pattern {
        Pat::Ident(binding) => {
            let word = binding.mutability.as_ref().filter(|_| binding.by_ref.is_none());
            found(&binding.ident, word.map(|word| Ident::new("mut", word.span)));
            if let Some((_, inside)) = &binding.subpat {
                names(inside, found);
            }
        }
        Pat::Paren(inside) => names(&inside.pat, found),
        Pat::Reference(inside) => names(&inside.pat, found),
        Pat::Type(inside) => names(&inside.pat, found),
        Pat::Slice(parts) => parts.elems.iter().for_each(|part| names(part, found)),
        Pat::Tuple(parts) => parts.elems.iter().for_each(|part| names(part, found)),
        Pat::TupleStruct(parts) => parts.elems.iter().for_each(|part| names(part, found)),
        Pat::Struct(fields) => fields.fields.iter().for_each(|field| names(&field.pat, found)),
        // All alternatives bind the same.
        Pat::Or(cases) => cases.cases.iter().take(1).for_each(|case| names(case, found)),
        _ => {}
    }
}
