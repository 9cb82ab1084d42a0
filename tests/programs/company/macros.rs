//! Attributes of the kinds that others write.

extern crate proc_macro;

use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};

/// Takes the item apart to its last token, and gives it back.
#[proc_macro_attribute]
pub fn rebuilt(_: TokenStream, item: TokenStream) -> TokenStream {
    item.into_iter()
        .map(|tree| match tree {
            TokenTree::Group(group) => {
                let mut again = Group::new(group.delimiter(), rebuilt(TokenStream::new(), group.stream()));
                again.set_span(group.span());
                TokenTree::Group(again)
            }
            other => other,
        })
        .collect()
}

/// Gives every token the place of the attribute.
#[proc_macro_attribute]
pub fn respanned(_: TokenStream, item: TokenStream) -> TokenStream {
    item.into_iter()
        .map(|mut tree| {
            if let TokenTree::Group(group) = &tree {
                let inside = respanned(TokenStream::new(), group.stream());
                tree = TokenTree::Group(Group::new(group.delimiter(), inside));
            }
            tree.set_span(Span::call_site());
            tree
        })
        .collect()
}

/// Puts the whole item into an invisible group.
#[proc_macro_attribute]
pub fn grouped(_: TokenStream, item: TokenStream) -> TokenStream {
    TokenTree::Group(Group::new(Delimiter::None, item)).into()
}

/// Puts the body into a closure, which is called.
#[proc_macro_attribute]
pub fn wrapped(_: TokenStream, item: TokenStream) -> TokenStream {
    with_body(item, |body| format!("{{ let mut call = move || {body}; call() }}"))
}

/// Puts statements in front of the body.
#[proc_macro_attribute]
pub fn prefixed(_: TokenStream, item: TokenStream) -> TokenStream {
    with_body(item, |body| format!("{{ let _prefix = 1 + 1; {body} }}"))
}

/// Keeps the function, and makes a test of it for each value: `#[each(1, 2)]`.
#[proc_macro_attribute]
pub fn each(values: TokenStream, item: TokenStream) -> TokenStream {
    let name = item
        .clone()
        .into_iter()
        .skip_while(|tree| tree.to_string() != "fn")
        .nth(1)
        .expect("a function has a name")
        .to_string();
    let tests: String = values
        .to_string()
        .split(',')
        .map(|value| value.trim())
        .map(|value| format!("#[test] fn with_{value}() {{ super::{name}({value}) }}"))
        .collect();
    let mut tokens = item;
    let module: TokenStream = format!("mod each_{name} {{ {tests} }}").parse().unwrap();
    tokens.extend(module);
    tokens
}

/// Makes a constructor of a number's name; `#[number]` on fields is its helper.
#[proc_macro_derive(Made, attributes(number))]
pub fn made(_: TokenStream) -> TokenStream {
    "impl Made { #[::timed::timed] pub fn made() -> u8 { 7 } }".parse().unwrap()
}

/// A function by another macro, timed.
#[proc_macro]
pub fn function(name: TokenStream) -> TokenStream {
    format!("#[::timed::timed] fn {name}(n: u8) -> Option<u8> {{ let m = n.checked_add(1)?; Some(m) }}")
        .parse()
        .unwrap()
}

fn with_body(item: TokenStream, body: impl Fn(String) -> String) -> TokenStream {
    let mut trees: Vec<TokenTree> = item.into_iter().collect();
    let last = trees.pop().unwrap().to_string();
    let mut tokens: TokenStream = trees.into_iter().collect();
    tokens.extend(body(last).parse::<TokenStream>().unwrap());
    tokens
}
