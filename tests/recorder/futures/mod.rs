//! Futures: polls, calls, what is between, and what becomes of those that never get ready.

mod beside;
mod counts;
mod life;

use std::future::Future;
use std::hint::black_box;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;
use timed::{SiteStats, timed};

/// Pending so many times.
pub(super) struct Yield(pub(super) u32);

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

pub(super) fn poll<F: Future + ?Sized>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

pub(super) fn finish<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = poll(future.as_mut()) {
            return value;
        }
    }
}

pub(super) fn ms(n: u64) -> f64 {
    n as f64 * 1e6
}

pub(super) fn sleep(n: u64) {
    thread::sleep(Duration::from_millis(n));
}

#[timed]
pub(super) fn leaf() {
    black_box(());
}

#[timed]
pub(super) async fn pends(n: u32) -> u32 {
    leaf();
    Yield(n).await;
    n
}

#[timed]
pub(super) async fn twice(n: u32) -> u32 {
    pends(n).await + pends(n).await
}

#[timed]
pub(super) async fn sleeps(n: u64) {
    sleep(n);
    Yield(1).await;
    sleep(2 * n);
}

#[timed]
pub(super) async fn down(n: u32) -> u32 {
    if n == 0 {
        Yield(1).await;
        return 0;
    }
    Box::pin(down(n - 1)).await + 1
}

#[timed]
pub(super) async fn fails(when: u32) {
    Yield(when).await;
    panic!("on purpose");
}

#[timed(sample = 4)]
pub(super) async fn sampled() {
    Yield(1).await;
}

#[timed(fence = "relaxed")]
pub(super) async fn relaxed() {
    Yield(2).await;
}

#[timed]
pub(super) fn boxed(n: u32) -> Pin<Box<dyn Future<Output = u32> + Send>> {
    Box::pin(async move {
        Yield(n).await;
        n
    })
}

#[timed]
#[expect(clippy::manual_async_fn, reason = "the shape that is tested")]
pub(super) fn opaque(n: u32) -> impl Future<Output = u32> {
    async move {
        Yield(n).await;
        n
    }
}

#[timed]
pub(super) async fn scoped(n: u32) {
    timed::scope!("held");
    Yield(n).await;
    leaf();
}

#[timed]
pub(super) async fn blocks(n: u64) -> u64 {
    timed::block!("waits", {
        Yield(1).await;
        sleep(n);
        n
    })
}

#[timed]
pub(super) async fn forever() -> ! {
    loop {
        Yield(1).await;
    }
}

pub(super) fn polls(site: &SiteStats) -> u64 {
    site.futures.expect("a future has polls").polls
}
