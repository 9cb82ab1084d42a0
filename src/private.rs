//! What the macros' expansions name. Not part of the public interface.

pub use timed_macros::{block, hop, inherited, scope};
pub use timed_runtime::private::*;

pub use crate::{
    __timed_enter as enter, __timed_hop_at as hop_at, __timed_may_end as may_end,
    __timed_own as own, __timed_plan as plan, __timed_same as same, __timed_span as span,
    __timed_tie as tie,
};

/// A site, and the guard that opens it.
///
/// ```text
/// enter!(Fn)                       named by its path
/// enter!(Fn "name")
/// enter!(@relaxed Fn …)            bare counter reads
/// enter!(@sampled 64 Full Fn …)    one call in 64, also with Relaxed
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __timed_enter {
    ($kind:ident $($name:literal)?) => {{
        $crate::__timed_site! { 0 Full $kind $($name)? }
        $crate::__private::enter(&SITE)
    }};
    (@relaxed $kind:ident $($name:literal)?) => {{
        $crate::__timed_site! { 0 Relaxed $kind $($name)? }
        $crate::__private::enter_relaxed(&SITE)
    }};
    (@sampled $count:literal $fence:ident $kind:ident $($name:literal)?) => {{
        $crate::__timed_site! { $count $fence $kind $($name)? }
        $crate::__private::thread_local! {
            static TALLY: $crate::__private::Tally = const { $crate::__private::Tally::new() };
        }
        $crate::__private::enter_sampled::<$crate::__private::$fence>(&SITE, &TALLY)
    }};
}

/// A site, and the plan to time the calls of a future there. The same forms as [`enter!`].
#[doc(hidden)]
#[macro_export]
macro_rules! __timed_plan {
    ($kind:ident $($name:literal)?) => {{
        $crate::__timed_site! { 0 Full $kind $($name)? }
        $crate::__timed_plan! { @every Full }
    }};
    (@relaxed $kind:ident $($name:literal)?) => {{
        $crate::__timed_site! { 0 Relaxed $kind $($name)? }
        $crate::__timed_plan! { @every Relaxed }
    }};
    (@every $fence:ident) => {{
        fn site() -> &'static $crate::__private::Site {
            &SITE
        }
        $crate::__private::every::<$crate::__private::$fence, _>(site)
    }};
    (@sampled $count:literal $fence:ident $kind:ident $($name:literal)?) => {{
        $crate::__timed_site! { $count $fence $kind $($name)? }
        $crate::__private::thread_local! {
            static TALLY: $crate::__private::Tally = const { $crate::__private::Tally::new() };
        }
        fn site() -> $crate::__private::Sampled {
            (&SITE, &TALLY)
        }
        $crate::__private::some::<$crate::__private::$fence, _>(site)
    }};
}

/// A site, and what times the wall there.
#[doc(hidden)]
#[macro_export]
macro_rules! __timed_span {
    ($kind:ident $name:literal) => {{
        $crate::__timed_site! { 0 Full $kind $name }
        $crate::__private::span(&SITE)
    }};
}

/// A site, and what ends a hop there.
#[doc(hidden)]
#[macro_export]
macro_rules! __timed_hop_at {
    ($kind:ident $name:literal $stamp:ident) => {{
        $crate::__timed_site! { 0 Full $kind $name }
        $crate::__private::hop(&SITE, $stamp)
    }};
}

/// The type of the result of the function around, for the body that moves into a block.
///
/// The `return` is what has the compiler infer it. What follows the call of `void` cannot be
/// reached: nothing is moved there, nothing counts as used, and nothing is left of it in the code.
#[doc(hidden)]
#[macro_export]
macro_rules! __timed_tie {
    () => {{
        let tie = $crate::__private::Tie::new();
        if false {
            return $crate::__private::tied(tie, $crate::__private::void());
        }
        tie
    }};
}

/// The beginning of a block that shall have the type of the tie for its result, where there is
/// one, and own these variables, without using them. The last one is one that is assigned to: the
/// compiler is told that something drops it.
#[doc(hidden)]
#[macro_export]
macro_rules! __timed_own {
    ($($tie:ident)?; $($(#[$cfg:meta])* $name:ident)* $(; $assigned:ident)?) => {
        if false {
            $($assigned = $crate::__private::nothing();)?
            let _void = $crate::__private::void();
            $($(#[$cfg])* let _ = &$name;)*
            $(return $crate::__private::tied($tie, _void);)?
        }
    };
}

/// The items of a site. The path of a type that is declared beside it is the site's path.
///
/// How a site that is never called is found: see the runtime's `recorder/registry.rs`.
#[doc(hidden)]
#[macro_export]
macro_rules! __timed_site {
    ($sample:literal $fence:ident $kind:ident) => {
        struct Here;
        #[used]
        #[cfg_attr(target_os = "linux", unsafe(link_section = "timed_sites_0_1"))]
        static SITE: $crate::__private::Site = $crate::__private::Site::new(
            $crate::__private::Name::Path($crate::__private::type_name::<Here>),
            $crate::__private::module_path!(),
            $crate::__private::file!(),
            $crate::__private::line!(),
            $crate::__private::Kind::$kind,
            $sample,
            $crate::__private::Reads::$fence,
        );
        $crate::__private::submit! { $crate::__private::Listed(&SITE) }
    };
    ($sample:literal $fence:ident $kind:ident $name:literal) => {
        #[used]
        #[cfg_attr(target_os = "linux", unsafe(link_section = "timed_sites_0_1"))]
        static SITE: $crate::__private::Site = $crate::__private::Site::new(
            $crate::__private::Name::Given($name),
            $crate::__private::module_path!(),
            $crate::__private::file!(),
            $crate::__private::line!(),
            $crate::__private::Kind::$kind,
            $sample,
            $crate::__private::Reads::$fence,
        );
        $crate::__private::submit! { $crate::__private::Listed(&SITE) }
    };
}

/// To the compiler's eyes, a way in which the block with this label ends before its tail.
///
/// It costs nothing: the condition is constant, and what follows the call of `void` cannot be
/// reached, so nothing is moved or dropped on this way.
#[doc(hidden)]
#[macro_export]
macro_rules! __timed_may_end {
    ($label:lifetime) => {
        if false {
            break $label $crate::__private::any($crate::__private::void());
        }
    };
}

/// What it was given, held together.
#[doc(hidden)]
#[macro_export]
macro_rules! __timed_same {
    ($block:block) => { $block };
    ($($any:tt)*) => { $($any)* };
}

/// What has no value.
#[doc(hidden)]
#[derive(Debug)]
pub enum Void {}

#[doc(hidden)]
#[cold]
#[must_use]
pub fn void() -> Void {
    unreachable!()
}

/// Never called: no value, where the compiler shall take it for one that comes.
#[doc(hidden)]
#[cold]
#[must_use]
pub fn nothing<T>() -> T {
    unreachable!()
}

/// A value of the tie's type.
#[doc(hidden)]
#[must_use]
#[allow(clippy::needless_pass_by_value)] // As for `any`.
pub fn tied<T>(_: Tie<T>, void: Void) -> T {
    match void {}
}

#[doc(hidden)]
#[must_use]
#[allow(clippy::needless_pass_by_value)] // A reference can be made from nothing.
pub fn any<T>(void: Void) -> T {
    match void {}
}
