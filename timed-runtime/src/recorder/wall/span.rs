//! Blocks that await: two points in time, and nothing else.

use super::super::control;
use super::super::layout::BASE_SHIFT;
use super::super::process;
use super::super::site::Site;
use super::cold::{add, now, with_slots};
use super::{OUT, elapsed, end, is_from_before};
use crate::clock::monotonic_ns;
use crate::sync::Own as _;

/// The wall time of a block that awaits, from here until it is dropped, on whatever thread.
#[derive(Debug)]
#[must_use]
pub struct Span {
    site: &'static Site,
    /// As its lane has noted it, and as it is: a reading behind all of the beginning.
    noted: u64,
    base: u64,
}

/// Begins a [`Span`].
pub fn span(site: &'static Site) -> Span {
    // As for calls: off, paused or filtered out is decided when it begins.
    let noted = with_slots(site, |lane, _, _, wall| {
        if control::refresh(site) == 0 {
            return OUT;
        }
        let noted = lane.now() << BASE_SHIFT;
        wall.live.bump(1);
        wall.bases.bump(noted);
        noted
    });
    let noted = noted.unwrap_or_else(|| {
        if !control::is_off() {
            site.count_untimed();
        }
        OUT
    });
    let counter = process::get().is_none_or(|process| process.clock.counter);
    let begin = if counter { crate::clock::arch::start() } else { monotonic_ns() };
    Span { site, noted, base: begin << BASE_SHIFT }
}

impl Drop for Span {
    fn drop(&mut self) {
        if self.noted == OUT {
            return;
        }
        let now = now();
        let done = with_slots(self.site, |lane, books, slot, wall| {
            if !is_from_before(lane, self.noted) {
                add(books, slot, wall, elapsed(now, self.base));
                end(wall, self.noted);
            }
        });
        if done.is_none() {
            self.site.count_untimed();
        }
    }
}
