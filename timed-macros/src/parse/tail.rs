//! Where a block's tail expression stands, and where an expression ends.

use std::ops::Range;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::parse::discouraged::Speculative as _;
use syn::parse::{Parse as _, ParseStream, Parser as _};
use syn::{Expr, Stmt};

use crate::tokens::{group, is_punct, is_word};

/// The value of a block, by the places of its trees.
pub(crate) struct Tail {
    /// The part to hold: the expression without its attributes, and without `return`.
    pub(crate) value: Range<usize>,
    /// Whether the value may be of type `!` without a warning of the compiler's own.
    pub(crate) may_diverge: bool,
}

/// Attributes that mean the same in front of a call around the expression.
const OUTER: [&str; 6] = ["cfg", "allow", "expect", "warn", "deny", "forbid"];

/// Finds the expression that a block's value is. `None` where the block has no value, where it is
/// a macro call in braces (a statement, whatever it expands to), and where it does not parse.
///
/// `own` is the name of the function, if the block is the body of one.
pub(crate) fn tail(trees: &[TokenTree], own: Option<&Ident>) -> Option<Tail> {
    let last = last_expression.parse2(after_semicolons(trees).cloned().collect()).ok()??;
    let mut start = trees.len() - last.trees;
    while is_punct(trees.get(start), '#') {
        let meta = group(trees.get(start + 1), Delimiter::Bracket)?.stream();
        let Some(TokenTree::Ident(name)) = meta.into_iter().next() else { return None };
        if !OUTER.iter().any(|outer| name == outer) {
            return None;
        }
        start += 2;
    }
    let returned = is_word(trees.get(start), "return");
    start += usize::from(returned);
    let may_diverge = !returned && may_diverge(&last.expression, own);
    (start < trees.len()).then_some(Tail { value: start..trees.len(), may_diverge })
}

/// Whether a body ends where more is needed, as half-typed code does. The compiler has said so then,
/// and says it once more of braces that are not quite the user's.
pub(crate) fn is_cut_short(trees: &[TokenTree]) -> bool {
    let error = last_expression.parse2(after_semicolons(trees).cloned().collect()).err();
    error.map(|error| error.to_string()).is_some_and(|message| {
        message.starts_with("unexpected end of input") || message == "expected `;`"
    })
}

/// The trees behind the last semicolon outside all groups. It always ends a statement: what stands
/// before it need not be parsed at all.
fn after_semicolons(trees: &[TokenTree]) -> std::slice::Iter<'_, TokenTree> {
    let semicolon = trees.iter().rposition(|tree| is_punct(Some(tree), ';'));
    trees[semicolon.map_or(0, |at| at + 1)..].iter()
}

struct Last {
    trees: usize,
    expression: Expr,
}

/// The last of these statements, if it is the block's value.
fn last_expression(input: ParseStream) -> syn::Result<Option<Last>> {
    while !input.is_empty() {
        let trees = trees_left(input);
        let ahead = input.fork();
        match Stmt::parse(&ahead) {
            Ok(Stmt::Expr(expression, None)) if ahead.is_empty() => {
                TokenStream::parse(input)?;
                return Ok(Some(Last { trees, expression }));
            }
            Ok(_) => input.advance_to(&ahead),
            // What needs a semicolon to be a statement, and has none.
            Err(error) => {
                let expression = Expr::parse(input).map_err(|_| error)?;
                return Ok(input.is_empty().then_some(Last { trees, expression }));
            }
        }
    }
    Ok(None)
}

/// Whether an expression may be of type `!` without anything inside it being so. Where something
/// inside is (`1 + todo!()`), the compiler warns of the expression itself, and of nothing after.
///
/// `own`, the function that it is in, has a value.
fn may_diverge(expression: &Expr, own: Option<&Ident>) -> bool {
    let arm = |arm: &syn::Arm| may_diverge(&arm.body, own);
    match expression {
        Expr::Call(call) => !is_harmless(&call.func, own),
        Expr::MethodCall(call) => Some(&call.method) != own,
        Expr::Group(group) => may_diverge(&group.expr, own),
        Expr::Paren(paren) => may_diverge(&paren.expr, own),
        Expr::Block(block) => block.label.is_some() || block_may_diverge(&block.block, own),
        Expr::Unsafe(block) => block_may_diverge(&block.block, own),
        Expr::If(choice) => choice.else_branch.as_ref().is_some_and(|(_, other)| {
            block_may_diverge(&choice.then_branch, own) && may_diverge(other, own)
        }),
        Expr::Match(choice) => choice.arms.iter().all(arm),
        Expr::Break(_)
        | Expr::Continue(_)
        | Expr::Loop(_)
        | Expr::Macro(_)
        | Expr::Return(_)
        | Expr::Verbatim(_) => true,
        _ => false,
    }
}

fn block_may_diverge(block: &syn::Block, own: Option<&Ident>) -> bool {
    match block.stmts.last() {
        Some(Stmt::Expr(tail, None)) => may_diverge(tail, own),
        _ => true,
    }
}

/// Whether a called function surely returns: the one that the call is in, and what is named like
/// a type or a variant (`Ok`, `Self`, `my::Type`).
fn is_harmless(function: &Expr, own: Option<&Ident>) -> bool {
    let Expr::Path(path) = function else { return false };
    path.path.segments.last().is_some_and(|last| {
        Some(&last.ident) == own || last.ident.to_string().starts_with(char::is_uppercase)
    })
}

/// How many of the trees the expression takes that they begin with. `None` where they begin with none.
pub(crate) fn first_expression(trees: &[TokenTree]) -> Option<usize> {
    let count = |input: ParseStream| {
        Expr::parse(input)?;
        let left = trees_left(input);
        TokenStream::parse(input)?;
        Ok(left)
    };
    let left = count.parse2(trees.iter().cloned().collect()).ok()?;
    Some(trees.len() - left)
}

fn trees_left(input: ParseStream) -> usize {
    let mut left = 0;
    let mut cursor = input.cursor();
    while let Some((_, next)) = cursor.token_tree() {
        left += 1;
        cursor = next;
    }
    left
}
