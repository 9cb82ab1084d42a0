//! Every refusal: what is wrong, where, and what to write instead.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

use crate::model::{Container, ContainerKind, Function, Item, Options, Other, Target};
use crate::tokens::find_word;

/// The keys that the attribute knows.
pub(crate) const OPTIONS: [&str; 5] = ["name", "fence", "sample", "skip", "crate"];

/// How each key is written.
const KNOWN: &str =
    "`name = \"…\"`, `fence = \"full\"` or `\"relaxed\"`, `sample = N`, `skip`, `crate = path`";

/// One mistake, at the tokens that make it.
#[derive(Debug)]
pub(crate) struct Refusal {
    span: Span,
    message: String,
}

impl Refusal {
    fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into() }
    }

    /// `::core::compile_error! { "message" }` at the place of the mistake.
    pub(crate) fn into_tokens(self) -> TokenStream {
        // The place is the user's; the edition, in which `::core` means the crate, is ours.
        let span = self.span.resolved_at(Span::mixed_site());
        let punct = |char, spacing| {
            let mut punct = Punct::new(char, spacing);
            punct.set_span(span);
            TokenTree::Punct(punct)
        };
        let mut message = Literal::string(&self.message);
        message.set_span(span);
        let mut braces = Group::new(Delimiter::Brace, TokenTree::Literal(message).into());
        braces.set_span(span);
        TokenStream::from_iter([
            punct(':', Spacing::Joint),
            punct(':', Spacing::Alone),
            TokenTree::Ident(Ident::new("core", span)),
            punct(':', Spacing::Joint),
            punct(':', Spacing::Alone),
            TokenTree::Ident(Ident::new("compile_error", span)),
            punct('!', Spacing::Alone),
            TokenTree::Group(braces),
        ])
    }
}

// What the attribute stands on.

/// Whether an item can be timed with these options.
pub(crate) fn target(item: &Item, options: &Options) -> Result<(), Refusal> {
    match &item.target {
        Target::Function(function) => match naked(item) {
            Some(span) => Err(Refusal::new(
                span,
                "`#[timed]` cannot time a naked function: it has no frame for a guard. Time a \
                     function that calls it",
            )),
            None => self::function(function),
        },
        Target::Container(container) => self::container(container, options),
        Target::Other(other) => Err(not_timeable(other)),
    }
}

/// The word that says that a function is naked: one whose whole body is assembly.
pub(crate) fn naked(item: &Item) -> Option<Span> {
    item.attributes.iter().find_map(|attribute| {
        let whole = &item.trees[attribute.place.end - 1];
        let may_be = matches!(attribute.path.as_str(), "naked" | "unsafe");
        may_be.then(|| find_word(whole.clone().into(), "naked")).flatten()
    })
}

/// Whether a function can be timed.
pub(crate) fn function(function: &Function) -> Result<(), Refusal> {
    if let Some(span) = function.constness {
        return Err(Refusal::new(
            span,
            "`#[timed]` cannot time a `const fn`: the compiler may run it, and there is no clock \
             then. Take `const` or the attribute away, or time a function that calls it",
        ));
    }
    if function.body.is_none() {
        return Err(Refusal::new(
            function.keyword,
            "`#[timed]` cannot time a function without a body. Put it on the functions that \
             implement this one, or on one that calls it",
        ));
    }
    Ok(())
}

fn container(container: &Container, options: &Options) -> Result<(), Refusal> {
    let (what, inside) = match container.kind {
        ContainerKind::Impl => ("an `impl`", "functions"),
        ContainerKind::Mod => ("a `mod`", "functions"),
        ContainerKind::Trait => ("a `trait`", "default methods"),
    };
    if let Some(key) = &options.name_key {
        return Err(Refusal::new(
            key.span(),
            format!(
                "`name` names one function, and {what} holds many. Put `#[timed(name = \"…\")]` on \
                 one of the {inside} inside"
            ),
        ));
    }
    if container.body.is_none() {
        return Err(Refusal::new(
            container.keyword,
            "`#[timed]` cannot time a `mod` in another file. Put it on the items in that file, or \
             write the module's braces here",
        ));
    }
    Ok(())
}

fn not_timeable(other: &Other) -> Refusal {
    Refusal::new(
        other.span,
        format!(
            "`#[timed]` cannot time {}. Put it on a function with a body, or on the `impl`, `mod` \
             or `trait` that has such functions inside",
            other.what
        ),
    )
}

// Its options.

pub(crate) fn not_an_option(tree: &TokenTree) -> Refusal {
    Refusal::new(tree.span(), format!("an option of `#[timed]` was expected here: {KNOWN}"))
}

pub(crate) fn unknown_option(key: &Ident) -> Refusal {
    Refusal::new(key.span(), format!("`#[timed]` has no option `{key}`. It knows {KNOWN}"))
}

pub(crate) fn option_twice(key: &Ident) -> Refusal {
    Refusal::new(key.span(), format!("`{key}` was given before. Keep one of the two"))
}

pub(crate) fn skip_not_alone(key: &Ident) -> Refusal {
    Refusal::new(
        key.span(),
        "`skip` leaves the item untimed, so no other option means anything beside it. Keep one or \
         the other",
    )
}

pub(crate) fn skip_with_value(tree: &TokenTree) -> Refusal {
    Refusal::new(tree.span(), "`skip` takes no value: write `#[timed(skip)]`")
}

pub(crate) fn comma_missing(tree: &TokenTree) -> Refusal {
    Refusal::new(tree.span(), "a comma was expected here, between two options of `#[timed]`")
}

pub(crate) fn value_missing(key: &Ident) -> Refusal {
    Refusal::new(key.span(), format!("`{key}` needs a value: {}", how(key)))
}

pub(crate) fn value_missing_after(key: &Ident, equals: &TokenTree) -> Refusal {
    Refusal::new(equals.span(), format!("`{key}` needs a value: {}", how(key)))
}

pub(crate) fn name_not_a_string(tree: &TokenTree) -> Refusal {
    Refusal::new(tree.span(), "`name` takes a string literal: `name = \"parse\"`")
}

pub(crate) fn name_empty(tree: &TokenTree) -> Refusal {
    Refusal::new(
        tree.span(),
        "the name is empty. Write one, or leave `name` out: the function's path is used then",
    )
}

pub(crate) fn fence_unknown(tree: &TokenTree) -> Refusal {
    Refusal::new(tree.span(), "`fence` is `\"full\"` (the default) or `\"relaxed\"`")
}

pub(crate) fn sample_not_a_count(tree: &TokenTree) -> Refusal {
    Refusal::new(
        tree.span(),
        "`sample` takes a whole number from 1 to 4294967295: `sample = 64` times one call in 64",
    )
}

pub(crate) fn crate_not_a_path(tree: &TokenTree) -> Refusal {
    Refusal::new(
        tree.span(),
        "`crate` takes the path under which the crate `timed` is found here: `crate = my::timed`",
    )
}

fn how(key: &Ident) -> &'static str {
    match key.to_string().as_str() {
        "name" => "`name = \"…\"`",
        "fence" => "`fence = \"full\"` or `fence = \"relaxed\"`",
        "sample" => "`sample = N`",
        _ => "`crate = path`",
    }
}

// `scope!`, `block!` and `hop!`.

/// A macro's name is missing, or is no string literal.
pub(crate) fn macro_name(usage: &str, tree: Option<&TokenTree>) -> Refusal {
    let span = tree.map_or_else(Span::call_site, TokenTree::span);
    Refusal::new(span, format!("a name in quotes was expected here: `{usage}`"))
}

pub(crate) fn macro_name_empty(tree: &TokenTree) -> Refusal {
    Refusal::new(tree.span(), "the name is empty. Write the one that the report shall show")
}

/// Something else than what comes next in the macro's form.
pub(crate) fn macro_form(usage: &str, tree: Option<&TokenTree>) -> Refusal {
    let span = tree.map_or_else(Span::call_site, TokenTree::span);
    Refusal::new(span, format!("this is not the macro's form: `{usage}`"))
}
