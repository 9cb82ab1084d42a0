//! Which variables a body assigns to.

use proc_macro2::{Ident, Spacing, TokenStream, TokenTree};

/// Whether the first or the last time that a body names a variable, or a part of it, it is to assign
/// to that. Where it only seems so (a macro has the name in a string), nothing is lost.
pub(crate) fn is_assigned_at_an_end(statements: &[TokenTree], name: &Ident) -> bool {
    let mut tokens = Vec::new();
    flatten(statements.iter().cloned().collect(), &mut tokens);
    let mut mentions =
        (0..tokens.len()).filter(|&at| tokens[at].is(name)).filter(|&at| !is_a_part(&tokens[..at]));
    let Some(first) = mentions.next() else { return false };
    let last = mentions.next_back().unwrap_or(first);
    [first, last].iter().any(|&at| is_assigned(&tokens[at + 1..]))
}

/// A token, its delimiters being tokens of their own.
enum Token {
    Tree(TokenTree),
    Open,
    Close,
}

impl Token {
    fn is(&self, name: &Ident) -> bool {
        matches!(self, Self::Tree(TokenTree::Ident(ident)) if ident == name)
    }

    fn punct(&self) -> Option<(char, Spacing)> {
        match self {
            Self::Tree(TokenTree::Punct(punct)) => Some((punct.as_char(), punct.spacing())),
            _ => None,
        }
    }
}

fn flatten(stream: TokenStream, into: &mut Vec<Token>) {
    for tree in stream {
        match tree {
            TokenTree::Group(group) => {
                let visible = group.delimiter() != proc_macro2::Delimiter::None;
                into.extend(visible.then_some(Token::Open));
                flatten(group.stream(), into);
                into.extend(visible.then_some(Token::Close));
            }
            tree => into.push(Token::Tree(tree)),
        }
    }
}

/// Whether what comes next is a field or a path's segment.
fn is_a_part(before: &[Token]) -> bool {
    let char = |back: usize| {
        before.len().checked_sub(back).and_then(|at| before[at].punct()).map(|(char, _)| char)
    };
    match char(1) {
        // Not `..name`.
        Some('.') => char(2) != Some('.'),
        Some(':') => char(2) == Some(':'),
        _ => false,
    }
}

/// Whether a variable is assigned to that these tokens follow: ` = …`, `.field += …`, `[n] <<= …`.
fn is_assigned(mut after: &[Token]) -> bool {
    loop {
        let punct = |at: usize| after.get(at).and_then(Token::punct);
        match after.first() {
            Some(Token::Open) => {
                let mut depth = 0;
                let end = after.iter().position(|token| {
                    match token {
                        Token::Open => depth += 1,
                        Token::Close => depth -= 1,
                        Token::Tree(_) => {}
                    }
                    depth == 0
                });
                after = &after[end.map_or(after.len(), |end| end + 1)..];
            }
            Some(Token::Tree(_)) => match punct(0) {
                Some(('.', Spacing::Alone)) => after = &after[after.len().min(2)..],
                Some(('=', spacing)) => return spacing == Spacing::Alone,
                Some(('+' | '-' | '*' | '/' | '%' | '^' | '&' | '|', Spacing::Joint)) => {
                    return matches!(punct(1), Some(('=', _)));
                }
                Some((shift @ ('<' | '>'), Spacing::Joint)) => {
                    return punct(1).is_some_and(|(char, _)| char == shift)
                        && matches!(punct(2), Some(('=', _)));
                }
                _ => return false,
            },
            _ => return false,
        }
    }
}
