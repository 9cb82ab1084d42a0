//! `#[::timed::timed]` in front of every function that can have it, in the text of a file.
//!
//! The attribute is put in on the function's own line, and nothing else is touched: tests that look
//! at line numbers find them as they were.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, ImplItem, Item, Macro, Signature, TraitItem};

/// What is put in.
const ATTRIBUTE: &str = "#[::timed::timed] ";

/// What the edition of 2015 needs besides.
const EXTERN_CRATE: &str = "extern crate timed; ";

/// Why a function was left as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    Const,
    NoBody,
    Naked,
    /// In what a macro is given or turns into: text that is a function only once it is expanded.
    Macro,
    /// Syntax that syn does not know.
    Unread,
    /// The list of crates says so.
    Listed,
}

impl Reason {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Const => "const",
            Self::NoBody => "without body",
            Self::Naked => "naked",
            Self::Macro => "in macros",
            Self::Unread => "of unknown syntax",
            Self::Listed => "by the list",
        }
    }
}

/// The functions of a file, or of many.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) timed: usize,
    pub(crate) left: BTreeMap<Reason, usize>,
}

impl Count {
    pub(crate) fn leave(&mut self, reason: Reason, functions: usize) {
        if functions > 0 {
            *self.left.entry(reason).or_default() += functions;
        }
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.timed += other.timed;
        for (reason, functions) in other.left {
            self.leave(reason, functions);
        }
    }
}

/// The text with the attribute, `None` where it does not parse. Functions whose names `leave`
/// accepts stay without.
///
/// In the edition of 2015, `::timed` is what the crate's root says it is: that file is a `root_2015`.
pub(crate) fn annotate(
    text: &str,
    root_2015: bool,
    leave: &dyn Fn(&str) -> bool,
) -> Option<(String, Count)> {
    let start = start_of_code(text);
    let file: syn::File = syn::parse_str(&text[start..]).ok()?;
    let mut finder = Finder { leave, places: Vec::new(), count: Count::default() };
    finder.visit_file(&file);
    let mut insertions: Vec<_> =
        finder.places.into_iter().map(|place| (place, ATTRIBUTE)).collect();
    if let (true, Some(first)) = (root_2015, file.items.first()) {
        insertions.push((start_of(&[], first), EXTERN_CRATE));
    }
    // At the same place, the crate comes before the attribute.
    insertions.sort_by_key(|&(place, inserted)| (place, inserted == ATTRIBUTE));

    let mut annotated = text[..start].to_owned();
    let mut done = start;
    for (place, inserted) in insertions {
        annotated.push_str(&text[done..start + place]);
        annotated.push_str(inserted);
        done = start + place;
    }
    annotated.push_str(&text[done..]);
    Some((annotated, finder.count))
}

/// What stands before Rust's own grammar: a byte order mark, and the line `#!/…`.
fn start_of_code(text: &str) -> usize {
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let rest = &text[mark..];
    if rest.starts_with("#!") && !rest.starts_with("#![") {
        mark + rest.find('\n').unwrap_or(rest.len())
    } else {
        mark
    }
}

/// Finds where the attribute goes.
struct Finder<'a> {
    leave: &'a dyn Fn(&str) -> bool,
    /// Byte positions in the file.
    places: Vec<usize>,
    count: Count,
}

impl Finder<'_> {
    /// `before` may stand between the function's attributes and its signature. Our attribute comes
    /// in front of that, the last of all: after each `#[cfg(…)]`.
    fn function(
        &mut self,
        attributes: &[Attribute],
        before: &[&dyn ToTokens],
        signature: &Signature,
        body: Option<&Block>,
    ) {
        let naked = |attribute: &Attribute| {
            let words = attribute.meta.to_token_stream().to_string();
            words == "naked" || words.replace(' ', "") == "unsafe(naked)"
        };
        let reason = if body.is_none() {
            Some(Reason::NoBody)
        } else if signature.constness.is_some() {
            Some(Reason::Const)
        } else if attributes.iter().any(naked) {
            Some(Reason::Naked)
        } else if (self.leave)(&signature.ident.to_string()) {
            Some(Reason::Listed)
        } else {
            None
        };
        if let Some(reason) = reason {
            self.count.leave(reason, 1);
        } else {
            self.places.push(start_of(before, signature));
            self.count.timed += 1;
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.attrs, &[&item.vis], &item.sig, Some(&item.block));
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        let before: [&dyn ToTokens; 2] = [&item.vis, &item.modifiers.defaultness];
        self.function(&item.attrs, &before, &item.sig, Some(&item.block));
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.function(&item.attrs, &[], &item.sig, item.default.as_ref());
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_foreign_item_fn(&mut self, _: &'ast syn::ForeignItemFn) {
        self.count.leave(Reason::NoBody, 1);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.count.leave(Reason::Macro, functions_in(call.tokens.clone()));
    }

    fn visit_item(&mut self, item: &'ast Item) {
        if let Item::Verbatim(tokens) = item {
            self.count.leave(Reason::Unread, functions_in(tokens.clone()));
        }
        visit::visit_item(self, item);
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        if let ImplItem::Verbatim(tokens) = item {
            self.count.leave(Reason::Unread, functions_in(tokens.clone()));
        }
        visit::visit_impl_item(self, item);
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        if let TraitItem::Verbatim(tokens) = item {
            self.count.leave(Reason::Unread, functions_in(tokens.clone()));
        }
        visit::visit_trait_item(self, item);
    }
}

/// How many functions there seem to be in a text that does not parse.
pub(crate) fn functions_in_text(text: &str) -> usize {
    text.parse().map_or(0, functions_in)
}

/// The byte position of the first token of `before`, or of `part` where there is none.
fn start_of(before: &[&dyn ToTokens], part: &dyn ToTokens) -> usize {
    let first = |part: &dyn ToTokens| Some(part.to_token_stream().into_iter().next()?.span());
    let span = before.iter().find_map(|part| first(*part)).or_else(|| first(part));
    span.map_or(0, |span| span.byte_range().start)
}

/// How often `fn name`, or `fn $name`, stands in these tokens.
fn functions_in(tokens: TokenStream) -> usize {
    let mut functions = 0;
    let mut after_fn = false;
    for tree in tokens {
        let named = match &tree {
            TokenTree::Ident(_) => true,
            TokenTree::Punct(punct) => punct.as_char() == '$',
            _ => false,
        };
        functions += usize::from(after_fn && named);
        after_fn = matches!(&tree, TokenTree::Ident(word) if word == "fn");
        if let TokenTree::Group(group) = tree {
            functions += functions_in(group.stream());
        }
    }
    functions
}

#[cfg(test)]
mod tests;
