//! Functions whose calls are futures.

mod company;
mod containers;
mod depth;
mod made_by_macros;
mod parameters;
mod results;
mod sizes;
mod traits;

use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// Pending so many times.
pub(crate) struct Yield(pub(crate) u32);

impl Future for Yield {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.0 == 0 {
            return Poll::Ready(());
        }
        self.0 -= 1;
        Poll::Pending
    }
}

pub(crate) fn finish<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
    }
}

/// The calls that sites have whose names end so.
#[cfg(feature = "enabled")]
pub(crate) fn calls(end: &str) -> u64 {
    let sites = timed::snapshot().sites;
    sites.iter().filter(|site| site.name.ends_with(end)).map(|site| site.calls).sum()
}
