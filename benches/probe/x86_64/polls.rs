//! What a future pays for being timed: for each poll, and for a call that is ready at its first.

use super::table::{Budget, Table};
use super::unit::{Effort, Loop, chain, paired, spin};
use std::cell::Cell;
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// Pending at its first poll.
struct Once(bool);

impl Future for Once {
    type Output = ();

    #[inline(always)]
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) { Poll::Ready(()) } else { Poll::Pending }
    }
}

/// One poll, from outside.
#[inline(never)]
fn poll<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// So many polls of one future, which passes its value on through the cell.
fn polls<'a, F: Future>(
    calls: u32,
    value: &'a Cell<u64>,
    future: impl FnOnce(&'a Cell<u64>) -> F,
) -> f64 {
    let mut future = pin!(future(value));
    spin(calls, 1, |x| {
        value.set(x);
        let _ = poll(future.as_mut());
        value.get()
    })
}

/// So many calls of an async function.
fn calls<F: Future<Output = u64>>(calls: u32, call: impl Fn(u64) -> F) -> f64 {
    spin(calls, 1, |x| match poll(pin!(call(x))) {
        Poll::Ready(x) => x,
        Poll::Pending => 0,
    })
}

macro_rules! guises {
    ($links:literal) => {
        use super::*;

        async fn pair_ready(x: u64) -> u64 {
            paired(|| chain::<$links>(x))
        }

        #[timed::timed]
        async fn timed_ready(x: u64) -> u64 {
            chain::<$links>(x)
        }

        async fn pair_pending(x: &Cell<u64>) {
            loop {
                x.set(paired(|| chain::<$links>(x.get())));
                Once(false).await;
            }
        }

        #[timed::timed]
        async fn timed_pending(x: &Cell<u64>) {
            loop {
                x.set(chain::<$links>(x.get()));
                Once(false).await;
            }
        }

        /// Unit and rival, for calls and for polls.
        pub(super) const CALLS: [Loop; 2] = [|n| calls(n, pair_ready), |n| calls(n, timed_ready)];
        pub(super) const POLLS: [Loop; 2] =
            [|n| polls(n, &Cell::new(1), pair_pending), |n| polls(n, &Cell::new(1), timed_pending)];
    };
}

mod empty {
    guises!(0);
}
mod links4 {
    guises!(4);
}
mod links16 {
    guises!(16);
}

pub(super) fn rows(table: &mut Table, effort: Effort) {
    for (body, polls, calls) in [
        ("empty", empty::POLLS, empty::CALLS),
        ("4 links", links4::POLLS, links4::CALLS),
        ("16 links", links16::POLLS, links16::CALLS),
    ] {
        for (what, [unit, rival]) in [("per poll", polls), ("a call of one poll", calls)] {
            let ratio = effort.ratio(unit, rival);
            let name = format!("async, {what}, {body}");
            table.row(&name, ratio, "pairs", Budget(1.3), "");
        }
    }
}
