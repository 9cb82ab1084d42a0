//! Which clock is read: chosen once, at the first use of any function here, and kept.
//!
//! What every reading asks is one word, loaded without ordering anything, for it leads nowhere:
//! whoever finds it unset takes the cold path, and finds out. Nobody waits for anybody there. Of
//! threads that come at once each finds out for itself, and the first to publish is believed.

use super::{Anchor, Choice, Unavailable, arch};
use crate::errno::Errno;
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::{fmt, ptr};

/// A counter of the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Counter {
    /// The time stamp counter of x86-64.
    Tsc,
    /// The virtual counter of `AArch64`'s generic timer.
    Cntvct,
}

impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tsc => "tsc",
            Self::Cntvct => "cntvct",
        })
    }
}

/// What was found at first use.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) choice: Choice,
    /// The moment: what has been measured since is the frequency.
    pub(super) began: Anchor,
}

const UNSET: u64 = 0;
const COUNTER: u64 = 1;
const SYSTEM: u64 = 2;

static USED: AtomicU64 = AtomicU64::new(UNSET);
static KNOWN: AtomicPtr<Known> = AtomicPtr::new(ptr::null_mut());

/// Whether it is known that the counter is read. Where it is not, see [`known`].
#[inline(always)]
pub(super) fn is_counter() -> bool {
    USED.load(Ordering::Relaxed) == COUNTER
}

/// What is known, found out if this is the first use.
pub(super) fn known() -> &'static Known {
    // SAFETY: null, or a leaked box, published with what is in it.
    let known = unsafe { KNOWN.load(Ordering::Acquire).as_ref() };
    known.unwrap_or_else(find_out)
}

#[cold]
fn find_out() -> &'static Known {
    let _errno = Errno::keep();
    let choice = Choice::make();
    let began = Anchor::take(&choice);
    let own = Box::into_raw(Box::new(Known { choice, began }));
    let first = KNOWN.compare_exchange(ptr::null_mut(), own, Ordering::AcqRel, Ordering::Acquire);
    let known = match first {
        Ok(_) => own,
        Err(theirs) => {
            // SAFETY: the box was made here, and nobody else has been told of it.
            drop(unsafe { Box::from_raw(own) });
            theirs
        }
    };
    // SAFETY: a leaked box, of this thread or of the one that was first.
    let known = unsafe { &*known };
    USED.store(if known.choice.counter { COUNTER } else { SYSTEM }, Ordering::Relaxed);
    known
}

/// Whether the processor has the instructions that guards read with, whichever clock is used.
pub(crate) fn can_read() -> bool {
    /// One more than the answer, 0 before it has been asked for.
    static ANSWER: AtomicU64 = AtomicU64::new(0);
    let known = ANSWER.load(Ordering::Relaxed);
    if known != 0 {
        return known == 2;
    }
    let answer = !matches!(arch::available(), Err(Unavailable::NoRdtscp));
    ANSWER.store(1 + u64::from(answer), Ordering::Relaxed);
    answer
}

/// Which counter the readings are taken from.
///
/// # Errors
///
/// Why it is none, and the readings are the system's monotonic clock, in nanoseconds.
///
/// ```
/// match timed_runtime::clock::counter() {
///     Ok(counter) => println!("readings are ticks of {counter}"),
///     Err(why) => println!("readings are nanoseconds of the system's clock: {why}"),
/// }
/// ```
pub fn counter() -> Result<Counter, Unavailable> {
    match &known().choice.why_not {
        Some(why) => Err(why.clone()),
        None if cfg!(target_arch = "aarch64") => Ok(Counter::Cntvct),
        None => Ok(Counter::Tsc),
    }
}
