//! Futures: a guard around each poll, and the call's wall time from the first poll to the end.
//!
//! What an expansion puts around an `async` body is a future of one word beside the body's own: the
//! call's base (see `wall`). Its site is in its type.

use super::cold;
use super::guard::{Fence, begin};
use super::hold::hold;
use super::layout::Frame;
use super::site::{Site, Tally};
use super::wall::{self, NEW, OUT};
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};
use std::thread::LocalKey;

/// What a future's calls are timed as.
pub trait Plan {
    /// How polls are read.
    type Fence: Fence;
    /// The site.
    fn site(&self) -> &'static Site;
    /// Whether the call that begins is to be timed.
    fn takes_turn(&self) -> bool;
}

/// A site that samples, and a thread's way to its countdown.
pub type Sampled = (&'static Site, &'static LocalKey<Tally>);

/// Every call is timed. `S` is a function without a size.
#[derive(Debug, Clone, Copy)]
pub struct Every<F, S>(S, PhantomData<F>);

/// Some calls are timed, and the others counted.
#[derive(Debug, Clone, Copy)]
pub struct Some<F, S>(S, PhantomData<F>);

/// The plan to time every call at the site that `site` returns.
pub const fn every<F: Fence, S: Fn() -> &'static Site>(site: S) -> Every<F, S> {
    Every(site, PhantomData)
}

/// The plan to time one call in `Site::sample`.
pub const fn some<F: Fence, S: Fn() -> Sampled>(site: S) -> Some<F, S> {
    Some(site, PhantomData)
}

impl<F: Fence, S: Fn() -> &'static Site> Plan for Every<F, S> {
    type Fence = F;

    #[inline(always)]
    fn site(&self) -> &'static Site {
        (self.0)()
    }

    #[inline(always)]
    fn takes_turn(&self) -> bool {
        true
    }
}

impl<F: Fence, S: Fn() -> Sampled> Plan for Some<F, S> {
    type Fence = F;

    #[inline(always)]
    fn site(&self) -> &'static Site {
        (self.0)().0
    }

    #[inline]
    fn takes_turn(&self) -> bool {
        let (site, tally) = (self.0)();
        tally.with(|tally| cold::take_turn(site, tally))
    }
}

/// A future whose calls are timed.
#[derive(Debug)]
#[must_use = "futures do nothing unless they are polled"]
pub struct Timed<P: Plan, F> {
    // Dropped first: what it does then is still the call's.
    future: F,
    call: Call<P>,
}

/// A call of a future, which ends at the latest when this is dropped.
#[derive(Debug)]
struct Call<P: Plan> {
    plan: P,
    base: u64,
}

/// Times `future` according to `plan`.
#[inline]
pub const fn future<P: Plan, F: Future>(plan: P, future: F) -> Timed<P, F> {
    Timed { future, call: Call { plan, base: NEW } }
}

/// The type `!`, which has no name of its own yet.
pub type Never = <fn() -> ! as Returns>::Output;

/// What a function returns.
pub trait Returns {
    /// That type.
    type Output;
}

impl<T> Returns for fn() -> T {
    type Output = T;
}

/// [`future`] for a body that never ends.
#[inline]
pub const fn never<P: Plan, F: Future<Output = Never>>(plan: P, body: F) -> Timed<P, F> {
    future(plan, body)
}

impl<P: Plan, F: Future> Future for Timed<P, F> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: nothing is moved out of `future`, here or elsewhere, and it is dropped where it is:
        // `Timed` has no destructor, is not packed, and is `Unpin` only if it is.
        let (future, call) = unsafe {
            let this = self.get_unchecked_mut();
            (Pin::new_unchecked(&mut this.future), &mut this.call)
        };
        let mut open = call.open();
        let result = hold(future.poll(context));
        open.ends = result.is_ready();
        drop(open);
        result
    }
}

impl<P: Plan> Call<P> {
    #[inline(always)]
    fn open(&mut self) -> Open<'_, P> {
        let is_new = self.base == NEW;
        if is_new && !self.plan.takes_turn() {
            self.base = OUT;
        }
        let mut frame = core::ptr::null();
        if self.base != OUT {
            frame = begin::<P::Fence>(self.plan.site(), is_new);
            if is_new && frame.is_null() {
                self.base = OUT;
            }
        }
        Open { frame, call: self, ends: true }
    }
}

impl<P: Plan> Drop for Call<P> {
    #[inline]
    fn drop(&mut self) {
        if self.base != NEW && self.base != OUT {
            wall::cancel(self.plan.site(), self.base);
        }
    }
}

/// A poll. One that a panic ends is the call's last.
struct Open<'a, P: Plan> {
    frame: *const Frame,
    call: &'a mut Call<P>,
    ends: bool,
}

impl<P: Plan> Drop for Open<'_, P> {
    #[inline(always)]
    fn drop(&mut self) {
        if !self.frame.is_null() {
            // SAFETY: `begin` returned the frame to this poll.
            unsafe { P::Fence::close_poll(self.frame, &raw mut self.call.base, self.ends) }
        } else if self.ends && self.call.base != OUT {
            wall::end_unseen(self.call.plan.site(), &mut self.call.base);
        }
    }
}

/// The type of a future's result, for a body that is not in the function itself any more: carries
/// what the compiler expects there to where the body is.
#[derive(Debug)]
pub struct Tie<T>(PhantomData<fn() -> T>);

impl<T> Tie<T> {
    /// Nothing but a type.
    #[must_use]
    #[inline(always)]
    #[allow(clippy::new_without_default, reason = "there is no use for one")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T> Clone for Tie<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Tie<T> {}
