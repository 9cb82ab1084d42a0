//! From the model to tokens: those that were written, with the probe put in.

mod captures;
mod container;
mod fragments;
mod function;
mod future;
#[cfg(test)]
mod golden;
mod macros;
mod probe;
#[cfg(test)]
mod robust;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use proc_macro2::{TokenStream, TokenTree};

use crate::check::{self, Refusal};
use crate::model::{Item, Options, Target};
use crate::parse;
use crate::tokens::bare;

pub(crate) use macros::{block, hop, scope};

/// `#[timed(options)] item`. A mistake gives the item as it was, and one error beside it.
pub(crate) fn attribute(options: TokenStream, item: TokenStream) -> TokenStream {
    match timed(options, item.clone()) {
        Ok(Some(tokens)) if !for_clippy() => tokens,
        Ok(_) => item,
        Err(refusal) => {
            let mut tokens = item;
            tokens.extend(refusal.into_tokens());
            tokens
        }
    }
}

/// The item timed; nothing, where it stays as it is.
fn timed(options: TokenStream, item: TokenStream) -> Result<Option<TokenStream>, Refusal> {
    let own = parse::options(options)?;
    let trees = bare(item);
    let count = trees.len();
    let (options, trees) = container::take_inherited(own, trees);
    if options.skip && trees.len() == count {
        return Ok(None);
    }
    let trees = fragments::held_together(&probe::krate(&options), trees);
    if options.skip {
        return Ok(Some(trees.into_iter().collect()));
    }
    let item = parse::item(&trees);
    check::target(&item, &options)?;
    let mut tokens = expanded(&item, &options)?;
    tokens.extend(trees[item.trees.len()..].iter().cloned());
    Ok(Some(tokens))
}

/// Whether Clippy is at work, as `cargo clippy` runs it. It judges functions by how they begin and
/// end, so it is shown what the user wrote, with the mistakes in it and nothing else. Where it has
/// been asked for code besides, as any compiler, the code is timed.
fn for_clippy() -> bool {
    static CLIPPY: LazyLock<bool> = LazyLock::new(|| {
        let compiler = std::env::current_exe().unwrap_or_default();
        let only_checks = || {
            std::env::args().any(|argument| {
                let kinds = argument.strip_prefix("--emit=");
                kinds.is_some_and(|kinds| !kinds.contains("link") && !kinds.contains("obj"))
            })
        };
        compiler.file_stem().is_some_and(|name| name == "clippy-driver") && only_checks()
    });
    *CLIPPY
}

/// An item that can be timed, timed.
fn expanded(item: &Item, options: &Options) -> Result<TokenStream, Refusal> {
    let replaced = match &item.target {
        Target::Function(target) => match target.body {
            Some(at) if target.asyncness.is_some() => {
                return Ok(future::asynchronous(item, target, at, options));
            }
            body => body.map(|at| (at, function::body(item, target, at, options))),
        },
        Target::Container(target) => match target.body {
            Some(at) => Some((at, container::body(&item.trees[at], options)?)),
            None => None,
        },
        Target::Other(_) => None,
    };
    Ok(match replaced {
        Some((at, body)) => with(item.trees, at, body),
        None => item.trees.iter().cloned().collect(),
    })
}

/// The trees, one of them replaced.
fn with(trees: &[TokenTree], at: usize, tree: TokenTree) -> TokenStream {
    let before = trees[..at].iter().cloned();
    before.chain([tree]).chain(trees[at + 1..].iter().cloned()).collect()
}
