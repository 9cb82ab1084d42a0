//! `scope!`, `block!` and `hop!`, in both modes.

/// Times from here to the end of the enclosing block, under the name given.
///
/// ```
/// fn load(bytes: &[u8]) -> usize {
///     timed::scope!("decode");
///     bytes.iter().filter(|byte| byte.is_ascii_digit()).count()
/// }
/// # assert_eq!(load(b"a1"), 1);
/// ```
///
/// The name is a string literal. What the macro leaves in the block is not `Send`: a future in
/// which it lives across an `.await` is not either. In one that is polled on its own thread, a scope
/// that is left open at the end of a poll counts as wall time, and loses its place in the call tree.
///
/// ```compile_fail
/// fn moves_between_threads(_: impl Future + Send) {}
///
/// moves_between_threads(async {
///     timed::scope!("load");
///     std::future::ready(()).await;
/// });
/// ```
#[cfg(feature = "enabled")]
#[macro_export]
macro_rules! scope {
    ($($input:tt)*) => { $crate::__private::scope! { [$crate] $($input)* } };
}

/// Times a block, as an expression, under the name given.
///
/// ```
/// let primes = timed::block!("sieve", {
///     (2..100u32).filter(|n| (2..*n).all(|d| n % d != 0)).count()
/// });
/// # assert_eq!(primes, 25);
/// ```
///
/// The name is a string literal. `break`, `continue`, `?` and `return` inside mean what they mean
/// in a block that is not timed.
///
/// A block with an `.await` in it may wait, and go on in another thread. It is wall time alone: its self
/// time is zero, and it is not in the call tree.
///
/// ```
/// async fn answer(question: impl Future<Output = u32>) -> u32 {
///     timed::block!("ask", { question.await }) + 1
/// }
/// # drop(answer(std::future::ready(41)));
/// ```
#[cfg(feature = "enabled")]
#[macro_export]
macro_rules! block {
    ($($input:tt)*) => { $crate::__private::block! { [$crate] $($input)* } };
}

/// Records the time from a [`stamp`] to here, under the name given.
///
/// ```
/// use std::sync::mpsc;
///
/// let (feed, drain) = mpsc::channel();
/// let thread = std::thread::spawn(move || {
///     for (price, sent) in drain {
///         timed::hop!("feed→drain", sent);
///         # let _: u64 = price;
///     }
/// });
/// for price in 0..100_u64 {
///     feed.send((price, timed::stamp())).unwrap();
/// }
/// # drop(feed);
/// # thread.join().unwrap();
/// ```
///
/// The name is a string literal, the stamp an expression of the type [`Stamp`]. Stamps are `Copy` and
/// `Send`, and one may be the beginning of many hops.
///
/// A hop is an interval, nobody's work: it has calls, a total and a distribution, in nanoseconds as
/// everything, but no self time and no place in the call tree, and the percentages are without it. What
/// the stamp and the hop take of the interval is taken off it. A hop costs little more than a fenced
/// pair of reads together with its stamp, and the functions around them are not charged for it.
///
/// Whether a hop is recorded (off, paused, filtered out) is decided here. One whose stamp is from before
/// a `reset` is dropped, and counted in [`Snapshot::dropped`].
///
/// Between CPUs an interval is as true as their counters agree: invariant ones run at one rate, and
/// the kernel checks at its start that they agree to within what it can see, some tens of
/// nanoseconds. Hops that ended on another CPU than they began on are counted as
/// [`SiteStats::migrated`]; those whose end's counter was behind the beginning's are counted as
/// [`SiteStats::negative`], and are in no figure.
///
/// [`stamp`]: crate::stamp
/// [`Stamp`]: crate::Stamp
/// [`Snapshot::dropped`]: crate::Snapshot::dropped
/// [`SiteStats::migrated`]: crate::SiteStats::migrated
/// [`SiteStats::negative`]: crate::SiteStats::negative
#[cfg(feature = "enabled")]
#[macro_export]
macro_rules! hop {
    ($($input:tt)*) => { $crate::__private::hop! { [$crate] $($input)* } };
}

/// Times from here to the end of the enclosing block, under the name given.
///
/// Nothing is timed: the feature `enabled` is off.
#[cfg(not(feature = "enabled"))]
#[macro_export]
macro_rules! scope {
    ($name:literal) => {
        const _: &::core::primitive::str = $name;
    };
}

/// Times a block, as an expression, under the name given.
///
/// Nothing is timed: the feature `enabled` is off.
#[cfg(not(feature = "enabled"))]
#[macro_export]
macro_rules! block {
    ($name:literal, $body:block $(,)?) => {
        $body
    };
}

/// Records the time from a stamp to here, under the name given.
///
/// Nothing is recorded: the feature `enabled` is off. The stamp is evaluated, once.
#[cfg(not(feature = "enabled"))]
#[macro_export]
macro_rules! hop {
    ($name:literal, $stamp:expr $(,)?) => {{
        const _: &::core::primitive::str = $name;
        let _: $crate::Stamp = $stamp;
    }};
}
