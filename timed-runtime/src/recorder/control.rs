//! Off, paused, filtered, reset: one word for the process, from which every site's key follows.
//!
//! Whoever changes the word then goes over the sites; whoever meets a site afterwards derives its
//! key from the word, and looks again whether the word is still the same. So the last change wins,
//! without a lock, whatever interleaves or dies in between.

use super::lane::place_of;
use super::process;
use super::site::{self, Site, UNKNOWN};
use core::sync::atomic::{AtomicU64, Ordering};

/// Bits of the control word; the reset's epoch is above them.
const OFF: u64 = 1;
const PAUSED: u64 = 2;
const EPOCH_SHIFT: u32 = 2;

static CONTROL: AtomicU64 = AtomicU64::new(0);

/// When the last reset was, on the process's clock.
static RESET: AtomicU64 = AtomicU64::new(0);

/// Which reset the counts follow, and when it was, on the process's clock.
pub(crate) fn last_reset() -> (u64, u64) {
    let epoch = CONTROL.load(Ordering::Acquire) >> EPOCH_SHIFT;
    (epoch, RESET.load(Ordering::Acquire))
}

/// Whether `TIMED=off`.
pub(crate) fn is_off() -> bool {
    CONTROL.load(Ordering::Relaxed) & OFF != 0
}

/// Turns everything off for good.
pub(crate) fn turn_off() {
    CONTROL.fetch_or(OFF, Ordering::SeqCst);
    refresh_all();
}

/// Leaves out calls that begin from now on, in all threads, until [`resume`]. Calls that are open
/// are still recorded when they return. Calls that are left out are not counted.
///
/// Takes a few nanoseconds a site; the paused call then costs a test of one word.
pub fn pause() {
    CONTROL.fetch_or(PAUSED, Ordering::SeqCst);
    refresh_all();
}

/// Ends a [`pause`].
pub fn resume() {
    CONTROL.fetch_and(!PAUSED, Ordering::SeqCst);
    refresh_all();
}

/// Begins all counts anew. Activations that are open are dropped, and counted in
/// `Snapshot::dropped`; each thread clears its own counts at its next timed call.
pub fn reset() {
    RESET.store(process::get().map_or(0, |process| process.clock.now()), Ordering::SeqCst);
    CONTROL.fetch_add(1 << EPOCH_SHIFT, Ordering::SeqCst);
    process::forget_untimed();
    refresh_all();
}

fn refresh_all() {
    site::called().for_each(|site| {
        refresh(site);
    });
}

/// Brings a site's key up to date, and returns it: 0 where its calls are not to be timed.
pub(crate) fn refresh(site: &'static Site) -> u64 {
    let id = site.number();
    let accepted = process::config().is_none_or(|config| {
        config.filter.is_everything() || config.filter.accepts(&site.display_name())
    });
    loop {
        let control = CONTROL.load(Ordering::SeqCst);
        let key = if control & (OFF | PAUSED) != 0 || !accepted {
            0
        } else if process::get().is_some_and(|process| !process.clock.counter) {
            // Every call goes to the cold path, which reads that clock.
            UNKNOWN
        } else {
            key_of(id, control >> EPOCH_SHIFT)
        };
        site.key.store(key, Ordering::SeqCst);
        if CONTROL.load(Ordering::SeqCst) == control {
            return key;
        }
    }
}

/// The key of site `id` since a reset: its place in a caller's row of cache entries, and the
/// rest, which tells it from all others.
fn key_of(id: u32, epoch: u64) -> u64 {
    let id = u64::from(id);
    let key = epoch << 44 | id << 20 | 1 << 16 | place_of(id);
    debug_assert!(key != UNKNOWN);
    key
}
