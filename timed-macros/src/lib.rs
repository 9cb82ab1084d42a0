//! What `#[timed]` turns a function into. Used through the crate `timed`, which re-exports it.
//!
//! With the feature `enabled`, every entry takes the same way:
//!
//! 1. `parse`: tokens into the plain data of `model`. It looks at headers only and keeps the
//!    user's own tokens, so that nothing is ever written out again that was not changed.
//! 2. `check`: every refusal, with its words and its place.
//! 3. `expand`: the same tokens with the probe put in.
//!
//! Without it, the attribute hands back its item, and this crate depends on nothing.

use proc_macro::TokenStream;

#[cfg(feature = "enabled")]
mod check;
#[cfg(feature = "enabled")]
mod expand;
#[cfg(feature = "enabled")]
mod model;
#[cfg(feature = "enabled")]
mod parse;
#[cfg(feature = "enabled")]
mod tokens;

/// Times every call of a function, or of the functions in an `impl`, an inline `mod`, or a
/// `trait` (its default methods).
///
/// ```text
/// #[timed]
/// #[timed(name = "parse")]      instead of the path
/// #[timed(fence = "relaxed")]   bare counter reads; "full" is the default
/// #[timed(sample = 64)]         counts every call, times one in 64 at random
/// #[timed(skip)]                inside an annotated impl, mod or trait: leave it alone
/// #[timed(crate = my::timed)]   where the crate `timed` is re-exported
/// ```
///
/// On an `impl`, `mod` or `trait` the options (not `name`) apply to each function inside; a
/// function's own `#[timed(…)]` wins, option by option. `const fn`, naked functions and those
/// without a body are passed over there. `cargo clippy` is shown every item as it was written.
///
/// Of an `async fn` every call is timed from its first poll to its end, and every poll beside that. So
/// is a function that is one `async` block and nothing else: `Box::pin(async move { … })`, as macros
/// like `#[async_trait]` make it, or `async move { … }` for an `impl Future`. Any other function that
/// returns a future is timed as functions are: until it returns.
#[cfg(feature = "enabled")]
#[proc_macro_attribute]
pub fn timed(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(options.into(), item.into()).into()
}

/// Hands its item back as it is: the feature `enabled` is off.
#[cfg(not(feature = "enabled"))]
#[proc_macro_attribute]
pub fn timed(_options: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// What an annotated `impl`, `mod` or `trait` passes on to an item inside whose own attributes
/// may include `#[timed]` under any name: it stands last, so such a one runs first and takes
/// these options in.
#[cfg(feature = "enabled")]
#[doc(hidden)]
#[proc_macro_attribute]
pub fn inherited(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(options.into(), item.into()).into()
}

/// The rest of `timed::scope!`: `[path of the face] "name"`.
#[cfg(feature = "enabled")]
#[doc(hidden)]
#[proc_macro]
pub fn scope(input: TokenStream) -> TokenStream {
    expand::scope(input.into()).into()
}

/// The rest of `timed::block!`: `[path of the face] "name", { … }`.
#[cfg(feature = "enabled")]
#[doc(hidden)]
#[proc_macro]
pub fn block(input: TokenStream) -> TokenStream {
    expand::block(input.into()).into()
}

/// The rest of `timed::hop!`: `[path of the face] "name", stamp`.
#[cfg(feature = "enabled")]
#[doc(hidden)]
#[proc_macro]
pub fn hop(input: TokenStream) -> TokenStream {
    expand::hop(input.into()).into()
}
