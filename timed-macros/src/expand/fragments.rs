//! What a macro has put in.
//!
//! A fragment (`$e:expr`) comes in an invisible group that keeps its tokens together. The compiler
//! does not look at such groups any more once a procedural macro has taken the tokens around them
//! apart: with `1 + 1` for `$e`, `$e * 2` would be 3. A call of a macro that gives back what it was
//! given holds them together wherever the fragment may stand: as an expression, a type, a pattern.

use proc_macro2::{Delimiter, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote;
use syn::{Expr, Stmt};

use crate::tokens::{bare, is_punct, is_word};

/// The trees with each fragment held together that its neighbours could tear apart.
///
/// ```text
/// in:   «1 + 1» * 2                 «let a = 1» «a»
/// out:  R::same!(«1 + 1») * 2       «let a = 1»; «a»
/// ```
pub(super) fn held_together(krate: &TokenStream, trees: Vec<TokenTree>) -> Vec<TokenTree> {
    if !trees.iter().any(|tree| invisible(tree).is_some()) {
        return trees;
    }
    let mut held = Vec::new();
    for (at, tree) in trees.iter().enumerate() {
        let (before, after) = (&trees[..at], &trees[at + 1..]);
        match invisible(tree) {
            Some(group) if ends_a_statement(&group, before, after) => {
                let mut semicolon = Punct::new(';', Spacing::Alone);
                semicolon.set_span(Span::mixed_site());
                held.extend([tree.clone(), TokenTree::Punct(semicolon)]);
            }
            Some(group) if may_tear(&group, before, after) => {
                held.extend(quote!(#krate::__private::same!(#group)));
            }
            _ => held.push(tree.clone()),
        }
    }
    held
}

/// The tokens of an invisible group.
fn invisible(tree: &TokenTree) -> Option<TokenStream> {
    match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => Some(group.stream()),
        _ => None,
    }
}

/// Whether the tokens mean something else beside these neighbours than by themselves.
fn may_tear(tokens: &TokenStream, before: &[TokenTree], after: &[TokenTree]) -> bool {
    let trees = bare(tokens.clone());
    if trees.len() < 2 {
        return false;
    }
    if is_word(trees.first(), "dyn") || is_word(trees.first(), "impl") {
        return trees.iter().any(|tree| is_punct(Some(tree), '+')) && points(before);
    }
    let is_statement = || syn::parse2::<Stmt>(tokens.clone()).is_ok();
    if begins_a_statement(before) && is_statement() {
        return false;
    }
    let free = stands_free(before) && after.first().is_none_or(is_separator);
    let expression = || syn::parse2::<Expr>(tokens.clone());
    !free && expression().is_ok_and(|expression| !is_one(&expression, &trees))
}

/// Whether a reference or a pointer is in front of a type.
fn points(before: &[TokenTree]) -> bool {
    match before {
        [.., TokenTree::Punct(quote), TokenTree::Ident(_)] if quote.as_char() == '\'' => true,
        [.., last] => {
            is_punct(Some(last), '&') || is_word(Some(last), "mut") || is_word(Some(last), "const")
        }
        [] => false,
    }
}

/// Whether nothing in front of an expression could take a part of it.
fn stands_free(before: &[TokenTree]) -> bool {
    match before {
        [.., TokenTree::Punct(first), equals] if is_punct(Some(equals), '=') => {
            // `a == «b»`, and `a |= «b»`, which need not be looked at more closely.
            first.spacing() == Spacing::Alone
        }
        [.., last] => is_separator(last) || is_punct(Some(last), '='),
        [] => true,
    }
}

fn is_separator(tree: &TokenTree) -> bool {
    is_punct(Some(tree), ';') || is_punct(Some(tree), ',')
}

/// Whether an expression is one whatever stands beside it.
fn is_one(expression: &Expr, trees: &[TokenTree]) -> bool {
    let braces = |tree: &TokenTree| matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    match expression {
        Expr::Array(_)
        | Expr::Await(_)
        | Expr::Call(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::Lit(_)
        | Expr::MethodCall(_)
        | Expr::Paren(_)
        | Expr::Path(_)
        | Expr::Repeat(_)
        | Expr::Try(_)
        | Expr::Tuple(_) => !trees.iter().any(braces),
        Expr::Macro(_) => true,
        _ => false,
    }
}

/// Whether the tokens are a statement that has no semicolon, and that what follows would go on with.
fn ends_a_statement(tokens: &TokenStream, before: &[TokenTree], after: &[TokenTree]) -> bool {
    if is_punct(after.first(), ';') {
        return false;
    }
    if is_word(bare(tokens.clone()).first(), "let") {
        return true;
    }
    let goes_on = match after.first() {
        None | Some(TokenTree::Punct(_)) => false,
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::None,
        next => !is_word(next, "as"),
    };
    // An expression is a statement only with its semicolon, unless it ends with a block.
    let is_open = || {
        syn::parse2::<Expr>(tokens.clone()).is_ok() && syn::parse2::<Stmt>(tokens.clone()).is_err()
    };
    begins_a_statement(before) && goes_on && is_open()
}

fn begins_a_statement(before: &[TokenTree]) -> bool {
    match before.last() {
        None => true,
        Some(TokenTree::Group(group)) => {
            matches!(group.delimiter(), Delimiter::Brace | Delimiter::None)
        }
        last => is_punct(last, ';'),
    }
}
