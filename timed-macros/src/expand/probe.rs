//! The guard that begins a timed stretch of code.

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use crate::model::{Fence, Options};

/// What is timed.
pub(super) struct Site {
    /// A variant of the runtime's `Kind`.
    pub(super) kind: &'static str,
    /// Its name, where it is not the path.
    pub(super) name: Option<Literal>,
    /// Its place: where the report's line is taken.
    pub(super) span: Span,
}

/// The path of the crate `timed`, foreign code to the lints.
pub(super) fn krate(options: &Options) -> TokenStream {
    let path = options.krate.clone().unwrap_or_else(|| quote!(::timed));
    at(path, Span::call_site())
}

/// A path with another span, except `$crate`: which crate that means is in its span.
pub(super) fn at(path: TokenStream, span: Span) -> TokenStream {
    let respan = |mut tree: TokenTree| {
        if tree.to_string() != "$crate" {
            tree.set_span(span);
        }
        tree
    };
    path.into_iter().map(respan).collect()
}

/// The statement that opens the site until the end of the block.
///
/// ```text
/// #[timed]                      let _ = &R::enter!(Fn);
/// #[timed(name = "parse")]      let _ = &R::enter!(Fn "parse");
/// #[timed(fence = "relaxed")]   let _ = &R::enter!(@relaxed Fn);
/// #[timed(sample = 64)]         let _ = &R::enter!(@sampled 64 Full Fn);
/// ```
///
/// A temporary borrowed by a `let` lives to the end of the block, and needs no name that could
/// meet one of the user's. The macro is the face's (`src/private.rs`): a thousand sites would
/// otherwise pass through the compiler's token server with all they consist of.
pub(super) fn guard(krate: &TokenStream, site: &Site, options: &Options) -> TokenStream {
    let enter = self::site(krate, "enter", site, options);
    quote!(let _ = &#enter;)
}

/// The call of one of the face's macros that makes a site: `R::macro!(…)`, as in [`guard`].
pub(super) fn site(
    krate: &TokenStream,
    macro_name: &str,
    site: &Site,
    options: &Options,
) -> TokenStream {
    let name = &site.name;
    let kind = Ident::new(site.kind, Span::call_site());
    let relaxed = options.fence == Some(Fence::Relaxed);
    let how = match options.sample {
        Some(count) if count > 1 => {
            let count = Literal::u32_unsuffixed(count);
            let fence = if relaxed { quote!(Relaxed) } else { quote!(Full) };
            quote!(@sampled #count #fence)
        }
        _ if relaxed => quote!(@relaxed),
        _ => TokenStream::new(),
    };
    // `line!` inside takes the line of the outermost macro call: this one.
    let path = at(krate.clone(), site.span);
    let macro_name = Ident::new(macro_name, site.span);
    quote_spanned!(site.span=> #path::__private::#macro_name!(#how #kind #name))
}

/// The block that ends a hop.
///
/// The stamp has a name that is none of the user's, and what was borrowed for its sake is given back
/// before the reading is taken.
pub(super) fn hop(krate: &TokenStream, site: &Site, stamp: &[TokenTree]) -> TokenStream {
    let (kind, name) = (Ident::new(site.kind, Span::call_site()), &site.name);
    let taken = Ident::new("__timed_stamp", Span::mixed_site());
    let path = at(krate.clone(), site.span);
    let hop = quote_spanned!(site.span=> #path::__private::hop_at!(#kind #name #taken));
    quote!({ let #taken = #krate::__private::stamped(#(#stamp)*); #hop })
}

/// The statement that times the wall from here to the end of the block.
pub(super) fn span(krate: &TokenStream, site: &Site, options: &Options) -> TokenStream {
    let span = self::site(krate, "span", site, options);
    quote!(let _ = &#span;)
}
