//! Small questions about token trees.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

/// The tree is this punctuation character.
pub(crate) fn is_punct(tree: Option<&TokenTree>, char: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == char)
}

/// The tree is this word.
pub(crate) fn is_word(tree: Option<&TokenTree>, word: &str) -> bool {
    matches!(tree, Some(TokenTree::Ident(ident)) if ident == word)
}

/// The tree, if it is a group with this delimiter.
pub(crate) fn group(tree: Option<&TokenTree>, delimiter: Delimiter) -> Option<&Group> {
    match tree {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
        _ => None,
    }
}

/// The trees without the invisible group that a macro's fragment (`$item`, `$name`) comes in.
pub(crate) fn bare(tokens: TokenStream) -> Vec<TokenTree> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    match trees.as_slice() {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => bare(group.stream()),
        _ => trees,
    }
}

/// The tree without invisible groups, if that is one tree.
pub(crate) fn bare_tree(tree: &TokenTree) -> Option<TokenTree> {
    match bare(TokenStream::from(tree.clone())).as_slice() {
        [tree] => Some(tree.clone()),
        _ => None,
    }
}

/// The braces that the tree is, also inside the invisible groups of a `$body:block`.
pub(crate) fn braces(tree: &TokenTree) -> Option<Group> {
    match bare_tree(tree) {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => Some(group),
        _ => None,
    }
}

/// A group with other contents between the same delimiters: their span says which edition's rules
/// the block follows, and that the lints inside are the user's.
pub(crate) fn refill(group: &Group, contents: TokenStream) -> TokenTree {
    let mut filled = Group::new(group.delimiter(), contents);
    filled.set_span(group.span());
    TokenTree::Group(filled)
}

/// The word, wherever it stands, at any depth.
pub(crate) fn find_word(tokens: TokenStream, word: &str) -> Option<Span> {
    tokens.into_iter().find_map(|tree| match tree {
        TokenTree::Ident(ident) if ident == word => Some(ident.span()),
        TokenTree::Group(group) => find_word(group.stream(), word),
        _ => None,
    })
}

/// Where the outermost pair of angle brackets stands open while one walks over a header.
#[derive(Default)]
pub(crate) struct Angles {
    depth: usize,
    after_arrow: bool,
}

impl Angles {
    /// Takes the next tree in; whether it stands outside all angle brackets.
    pub(crate) fn outside(&mut self, tree: &TokenTree) -> bool {
        let arrow = std::mem::replace(&mut self.after_arrow, is_punct(Some(tree), '-'));
        if let TokenTree::Punct(punct) = tree {
            match punct.as_char() {
                '<' => self.depth += 1,
                '>' if !arrow => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        self.depth == 0
    }
}
