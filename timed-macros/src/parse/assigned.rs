//! Which variables a body assigns to.

use proc_macro2::{Ident, Spacing, TokenStream, TokenTree};

/// Whether the first time that a body names a variable it is to give it another value, or the last
/// time to assign to it or to a part of it. Where it only seems so (a macro has the name in a string),
/// nothing is lost.
pub(crate) fn is_assigned_at_an_end(statements: &[TokenTree], name: &Ident) -> bool {
    let mut tokens = Vec::new();
    flatten(statements.iter().cloned().collect(), &mut tokens);
    let mut mentions =
        (0..tokens.len()).filter(|&at| tokens[at].is(name)).filter(|&at| !is_a_part(&tokens[..at]));
    let Some(first) = mentions.next() else { return false };
    let last = mentions.next_back().unwrap_or(first);
    let after = |at: usize| &tokens[at + 1..];
    is_equals(after(first)) || is_assigned(after(last))
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

/// ` = …`
fn is_equals(after: &[Token]) -> bool {
    after.first().and_then(Token::punct) == Some(('=', Spacing::Alone))
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
                Some(('=', _)) => return is_equals(after),
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

#[cfg(test)]
mod tests {
    use std::str::FromStr as _;

    use proc_macro2::{Ident, Span, TokenStream, TokenTree};

    fn is_assigned(body: &str) -> bool {
        let trees: Vec<TokenTree> = TokenStream::from_str(body).unwrap().into_iter().collect();
        super::is_assigned_at_an_end(&trees, &Ident::new("n", Span::call_site()))
    }

    #[test]
    fn first_or_last() {
        for body in [
            "n = 1;",
            "n = f(); g(n)",
            "f(n); n = 1; g(m)",
            "while n < 3 { n += 1; }",
            "f(n); if a { n.b = 1 }",
            "f(&n); n.0.b[i][n2.len()] = 3;",
            "f(n); m(|| n <<= 1)",
            "f(n); n |= 1",
            "f(0..n); a.n; b::n; n %= 1",
        ] {
            assert!(is_assigned(body), "{body}");
        }
    }

    #[test]
    fn neither() {
        for body in [
            "",
            "f(m)",
            "f(n)",
            "n += 1; f(n)",
            "n.b = 1; f(n)",
            "f(n); n = 1; g(n)",
            "f(n); n == 1",
            "match a { 1 => n, _ => 2 }",
            "if n <= 2 {}",
            "n >= 2",
            "n != 2",
            "n < -m",
            "a.n = 1; b::n = 2;",
            "n << 1",
            "n && m",
            "let m = n;",
            "match b { n => 1 }",
            "n.f(|a| a).g",
        ] {
            assert!(!is_assigned(body), "{body}");
        }
    }
}
