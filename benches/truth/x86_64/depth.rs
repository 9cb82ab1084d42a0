//! Functions that call others: what is left in them of their callees' probes.

use super::case::{Case, Limit, median_of, own, typical};
use super::unit::{chain, long_chain, spin};
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// The same functions twice, in `$name::plain` and in `$name::timed`: `@` in front of a function, with
/// options or without, stands for the attribute.
macro_rules! twins {
    ($name:ident { $(@ $(($($option:tt)*))? fn $f:ident($x:ident) $body:block)* }) => {
        mod $name {
            pub(super) mod plain {
                #[allow(unused_imports, reason = "each needs some")]
                use super::super::*;
                $(#[inline(never)] pub(in super::super) fn $f($x: u64) -> u64 $body)*
            }
            pub(super) mod timed {
                #[allow(unused_imports, reason = "each needs some")]
                use super::super::*;
                $(#[::timed::timed $(($($option)*))?] #[inline(never)]
                pub(in super::super) fn $f($x: u64) -> u64 $body)*
            }
        }
    };
}

/// So many calls, each with the result of the one before.
#[inline(always)]
fn repeat(times: u32, mut x: u64, call: fn(u64) -> u64) -> u64 {
    for _ in 0..times {
        x = call(x);
    }
    x
}

twins! { empty {
    @ fn child(x) { chain::<0>(x) }
    @ fn thousand(x) { repeat(1000, x, child) }
    @ fn thousands(x) { repeat(8000, x, child) }
    @ fn at_work(x) { repeat(1000, long_chain(x, 1000), child) }
} }

twins! { short {
    @ fn child(x) { chain::<16>(x) }
    @ fn thousand(x) { repeat(1000, x, child) }
} }

/// Four callees each, five levels of them: 1364 calls below the root.
macro_rules! tree {
    ($($f:ident calls $g:ident,)*) => {
        twins! { tree {
            $(@ fn $f(x) { repeat(4, chain::<4>(x), $g) })*
            @ fn leaf(x) { chain::<4>(x) }
        } }
    };
}
tree! { root calls a, a calls b, b calls c, c calls d, d calls leaf, }

// The depth left is in the low bits, so that each call needs the result of the one before: a processor
// would run others side by side, as soon as there is no probe between them.
twins! { recursion {
    @ fn root(x) { walk((x << 4) + 14) }
    @ fn walk(x) {
        let (left, x) = (x & 15, chain::<1>(x >> 4));
        if left < 2 { x } else { walk(walk(x << 4 | (left - 1)) << 4 | (left - 2)) }
    }
} }

twins! { relaxed {
    @ (fence = "relaxed") fn child(x) { chain::<8>(x) }
    @ fn thousand(x) { repeat(1000, x, child) }
} }

twins! { sampled {
    @ (sample = 16) fn child(x) { chain::<8>(x) }
    @ fn thousand(x) { repeat(1000, x, child) }
} }

twins! { callers {
    @ fn child(x) { chain::<8>(x) }
    @ fn caller(x) { child(x) }
    @ fn thousand(x) { repeat(1000, x, caller) }
} }

twins! { mixed {
    @ fn full(x) { chain::<8>(x) }
    @ (fence = "relaxed") fn relaxed(x) { chain::<8>(x) }
    @ (sample = 16) fn sampled(x) { chain::<8>(x) }
    @ fn root(x) { repeat(250, x, turn) }
    @ fn turn(x) { sampled(relaxed(full(x))) }
} }

/// A future that is ready at its second poll.
struct Second(bool);

impl Future for Second {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.0 {
            return Poll::Ready(());
        }
        self.0 = true;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

/// Polls it until it is ready.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}

/// Futures, twice.
macro_rules! futures {
    ($name:ident, $attribute:tt) => {
        mod $name {
            use super::*;

            #$attribute
            async fn child(x: u64) -> u64 {
                chain::<8>(x)
            }

            #$attribute
            pub(super) async fn ready(mut x: u64) -> u64 {
                for _ in 0..1000 {
                    x = child(x).await;
                }
                x
            }

            #$attribute
            async fn waiting(x: u64) -> u64 {
                let x = chain::<8>(x);
                Second(false).await;
                x
            }

            #$attribute
            pub(super) async fn pending(mut x: u64) -> u64 {
                for _ in 0..500 {
                    x = waiting(x).await;
                }
                x
            }
        }
    };
}
futures!(plain_futures, [allow(clippy::unused_async)]);
futures!(timed_futures, [::timed::timed]);

/// Intervals in a function that nothing is timed in besides.
mod hops {
    use super::chain;

    #[inline(never)]
    pub(super) fn plain(mut x: u64) -> u64 {
        for _ in 0..1000 {
            x = chain::<16>(x);
        }
        x
    }

    #[::timed::timed]
    #[inline(never)]
    pub(super) fn parent(mut x: u64) -> u64 {
        for _ in 0..1000 {
            let begin = ::timed::stamp();
            x = chain::<16>(x);
            ::timed::hop!("hop of 16 links", begin);
        }
        x
    }
}

/// A case of a pair of twins.
macro_rules! case {
    ($name:literal, $calls:literal, $($path:ident)::+ . $f:ident, $limit:expr, $figure:ident) => {
        Case {
            name: $name,
            site: concat!($(stringify!($path), "::",)+ "timed::", stringify!($f)),
            limit: $limit,
            calls: $calls,
            plain: |calls| spin(calls, 1, $($path)::+::plain::$f),
            timed: |calls| spin(calls, 1, $($path)::+::timed::$f),
            figure: $figure,
        }
    };
}

const BIAS: Limit = Limit::Bias(2.0);

pub(super) const CASES: &[Case] = &[
    case!("parent of 1000 empty timed children", 10, empty.thousand, BIAS, median_of),
    case!("parent of 8000", 2, empty.thousands, BIAS, median_of),
    // What a call itself takes is on the border: some 2 % of what its probe does.
    case!("parent of 1000, of 21 µs by itself: self", 5, empty.at_work, Limit::Bias(3.0), own),
    case!("parent of 1000 chains of 18 ns", 10, short.thousand, BIAS, median_of),
    case!("tree, 5 levels of 4 callees each", 10, tree.root, BIAS, median_of),
    case!("recursion, 1219 calls, 14 deep", 10, recursion.root, BIAS, median_of),
    case!("parent of 1000 relaxed children", 10, relaxed.thousand, BIAS, median_of),
    case!("parent of 1000 of which one in 16 is timed", 10, sampled.thousand, BIAS, median_of),
    case!("parent of 1000 with one timed callee each", 10, callers.thousand, BIAS, median_of),
    case!("parent of 250, each of a full, relaxed, sampled child", 10, mixed.root, BIAS, median_of),
    Case {
        name: "future of 1000 timed futures, each ready at once",
        site: "timed_futures::ready",
        limit: BIAS,
        calls: 10,
        plain: |calls| spin(calls, 1, |x| block_on(plain_futures::ready(x))),
        timed: |calls| spin(calls, 1, |x| block_on(timed_futures::ready(x))),
        figure: median_of,
    },
    Case {
        name: "future of 500, each ready at its second poll",
        site: "timed_futures::pending",
        limit: BIAS,
        calls: 10,
        plain: |calls| spin(calls, 1, |x| block_on(plain_futures::pending(x))),
        timed: |calls| spin(calls, 1, |x| block_on(timed_futures::pending(x))),
        figure: median_of,
    },
    Case {
        name: "parent of 1000 stamps and hops",
        site: "hops::parent",
        limit: BIAS,
        calls: 10,
        plain: |calls| spin(calls, 1, hops::plain),
        timed: |calls| spin(calls, 1, hops::parent),
        figure: median_of,
    },
    Case {
        name: "such a hop, on one thread",
        site: "hop of 16 links",
        limit: Limit::Ns(1.0),
        calls: 10_000,
        plain: |calls| spin(calls / 1000, 1, hops::plain) / 1000.0,
        timed: |calls| spin(calls / 1000, 1, hops::parent) / 1000.0,
        figure: typical,
    },
];
