//! `scope!` and `block!`, in both modes.

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
