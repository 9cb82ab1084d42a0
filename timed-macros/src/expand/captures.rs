//! How parameters get into the block that a body moves into.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::quote;

use super::fragments::held_together;
use crate::parse::{Binding, Parameters, is_assigned_at_an_end};
use crate::tokens::{is_punct, is_word, refill};

/// The tokens that see to it.
#[derive(Default)]
pub(super) struct Captures {
    /// What `own!` is told: the variables that the block owns, the last one first.
    pub(super) owned: TokenStream,
    /// The others, as the arms that bind them.
    bound: Vec<(Ident, TokenStream)>,
    /// The list of parameters, where it is not as it was.
    pub(super) list: Option<TokenTree>,
}

/// ```text
/// in:   (a: A, _: B)                          { g(a) }
/// out:  (a: A, _unnamed3: B)    own!(…; _unnamed3 a)    g(a)
/// in:   (a: A, mut b: B, c: C)                { g(a, &b); b = c }
/// out:  (a: A, b: B, c: C)      own!(…; a)    match b { mut b => match c { c => { g(a, &b); b = c } } }
/// in:   (mut self)                            { self.open = false }
/// out:  (mut self)              own!(…; self; self)    self.open = false
/// ```
///
/// A variable that a block owns because it is named there takes no second place in the future. But
/// the compiler takes its assignments for lost, also those that a destructor sees, and finds others
/// that are. So one that is assigned to first of all or last of all is bound again, and those after it
/// are, too: they drop in the order in which they are bound. An arm's variables outlive the temporaries
/// of its tail, in every edition, as parameters do. `self` cannot be bound: that something drops it is
/// shown to the compiler by an assignment that is never run.
pub(super) fn captures(
    krate: &TokenStream,
    list: &Group,
    parameters: Parameters,
    statements: &[TokenTree],
) -> Captures {
    let Parameters { mut trees, mut renamed, bindings } = parameters;
    let is_assigned = |binding: &Binding| {
        binding.mutable.is_some() && is_assigned_at_an_end(statements, &binding.name)
    };
    let is_self = |binding: &Binding| binding.name == "self";
    let kept = bindings.iter().position(|it| !is_self(it) && is_assigned(it));
    // A `match` cannot be there or not.
    let kept = kept.filter(|&at| bindings[at..].iter().all(|it| it.cfg.is_empty()));
    let (kept, again) = bindings.split_at(kept.unwrap_or(bindings.len()));
    let mut captures = Captures::default();
    for Binding { name, cfg, .. } in kept.iter().rev() {
        captures.owned.extend(quote!(#cfg #name));
    }
    if kept.first().is_some_and(|first| is_self(first) && is_assigned(first)) {
        let name = &kept[0].name;
        captures.owned.extend(quote!(; #name));
    }
    for Binding { name, lints, mutable, .. } in again {
        let mutable = mutable.as_ref().filter(|_| {
            let taken = without_mut(&mut trees, name);
            renamed |= taken;
            taken
        });
        captures.bound.push((name.clone(), quote!(#lints #mutable #name)));
    }
    let list_of = |trees| refill(list, held_together(krate, trees).into_iter().collect());
    captures.list = renamed.then(|| list_of(trees));
    captures
}

impl Captures {
    /// The body, in these braces, with the variables bound that are bound again.
    pub(super) fn body(&self, statements: &[TokenTree], braces: &Group) -> TokenStream {
        let statements = statements.iter().cloned().collect();
        if self.bound.is_empty() {
            return statements;
        }
        self.bound.iter().rfold(
            refill(braces, statements).into(),
            |body, (name, arm)| quote!(match #name { #arm => #body }),
        )
    }
}

/// Takes the `mut` away that stands before a name in a pattern.
fn without_mut(trees: &mut Vec<TokenTree>, name: &Ident) -> bool {
    for at in 0..trees.len() {
        if let TokenTree::Group(group) = &trees[at] {
            let mut inside: Vec<TokenTree> = group.stream().into_iter().collect();
            if without_mut(&mut inside, name) {
                trees[at] = refill(group, inside.into_iter().collect());
                return true;
            }
        }
        let is_a_types = || {
            let before = at.checked_sub(1).and_then(|at| trees.get(at));
            is_punct(before, '&')
                || is_punct(before, '*')
                || is_word(before, "ref")
                || at > 1 && is_punct(trees.get(at - 2), '\'')
        };
        let is_the_names = matches!(trees.get(at + 1), Some(TokenTree::Ident(it)) if it == name);
        if is_word(trees.get(at), "mut") && is_the_names && !is_a_types() {
            trees.remove(at);
            return true;
        }
    }
    false
}
