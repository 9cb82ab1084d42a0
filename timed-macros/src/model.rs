//! What the attribute was given and what it stands on, as plain data.

use std::ops::Range;

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};

/// The options in an attribute's parentheses. What was not said is `None`.
#[derive(Default, Clone)]
pub(crate) struct Options {
    /// `name = "…"`
    pub(crate) name: Option<Literal>,
    /// Its key, for the refusal of a name on something that holds many functions.
    pub(crate) name_key: Option<Ident>,
    /// `fence = "full"` or `"relaxed"`
    pub(crate) fence: Option<Fence>,
    /// `sample = N`
    pub(crate) sample: Option<u32>,
    /// `skip`
    pub(crate) skip: bool,
    /// `crate = path`
    pub(crate) krate: Option<TokenStream>,
}

impl Options {
    /// These options, and for each that was not said, the other's.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            name: self.name.or(other.name),
            name_key: self.name_key.or(other.name_key),
            fence: self.fence.or(other.fence),
            sample: self.sample.or(other.sample),
            skip: self.skip || other.skip,
            krate: self.krate.or(other.krate),
        }
    }
}

/// How the counter is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fence {
    Full,
    Relaxed,
}

/// An item: its tokens as they were written, and what was found where.
pub(crate) struct Item<'a> {
    pub(crate) trees: &'a [TokenTree],
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) target: Target,
}

/// An outer attribute: `#[path …]`.
pub(crate) struct Attribute {
    /// Which of the item's trees it is.
    pub(crate) place: Range<usize>,
    /// Its path without spaces.
    pub(crate) path: String,
}

/// What can stand under the attribute.
pub(crate) enum Target {
    Function(Function),
    Container(Container),
    Other(Other),
}

/// `fn`, in any place where one can stand.
pub(crate) struct Function {
    /// The word `fn`.
    pub(crate) keyword: Span,
    pub(crate) name: Option<Ident>,
    /// The word `const`.
    pub(crate) constness: Option<Span>,
    /// The word `async`.
    pub(crate) asyncness: Option<Span>,
    /// The tree of the parameters, in their parentheses.
    pub(crate) parameters: Option<usize>,
    /// The trees of the return type; empty for a function that names none.
    pub(crate) result: Range<usize>,
    /// The tree of the body.
    pub(crate) body: Option<usize>,
}

/// What holds functions.
pub(crate) struct Container {
    pub(crate) kind: ContainerKind,
    /// The word that says what it is.
    pub(crate) keyword: Span,
    /// The tree of its braces; `mod name;` has none.
    pub(crate) body: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContainerKind {
    Impl,
    Mod,
    Trait,
}

/// What holds no calls to time.
pub(crate) struct Other {
    /// The item, in words: "a `struct`".
    pub(crate) what: &'static str,
    /// The word that says so.
    pub(crate) span: Span,
}
