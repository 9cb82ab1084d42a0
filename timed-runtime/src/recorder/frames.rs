//! A lane's rows of frames, and the activations that are open in them.

use super::books::{Books, address};
use super::lane::{Lane, frame_at, node_at, slot_at};
use super::layout::{FRAME_WORDS, Frame, Frames, Slot, frame};
use super::thread::Desk;
use crate::sync::Own as _;
use std::ptr;

/// Frames of the first row; each of the next five has twice as many as the one before.
const FIRST_FRAMES: usize = if cfg!(test) { 4 } else { 126 };

impl Books {
    /// The frame at the bottom, whose node is the root and which is never closed.
    pub(super) fn bottom(&self) -> &'static Frame {
        self.rows[0].0
    }

    /// Frames of activations that have not ended, innermost first.
    pub(crate) fn open_frames(&self, desk: &Desk) -> impl Iterator<Item = &'static Frame> + use<> {
        let bottom = ptr::from_ref(self.bottom());
        let mut at: *const Frame = desk.open();
        std::iter::from_fn(move || {
            if at == bottom {
                return None;
            }
            // SAFETY: frames above the bottom lead to it through their parents, all of this lane.
            let frame = unsafe { &*at };
            at = ptr::with_exposed_provenance(frame.parent.get() as usize);
            Some(frame)
        })
    }

    /// The frame `next`, if it is free, else the first free one above it: behind stranded ones, or in
    /// the row after the one that ends there. Where a row ends, all open frames find their places,
    /// so that no later search for them is longer than a row.
    pub(crate) fn free_frame(
        &mut self,
        lane: &Lane,
        next: &'static Frame,
    ) -> Option<&'static Frame> {
        let mut at = next;
        loop {
            while at.how.get() & frame::STRANDED != 0 {
                // SAFETY: above a frame of a row there is another one, or the row's END.
                at = unsafe { &*ptr::from_ref(at).add(1) };
            }
            if at.how.get() & frame::READY != 0 {
                at.parent.set(next.parent.get());
                return Some(at);
            }
            // SAFETY: the parent of a frame that is to be used next is the open one.
            self.settle_path(lane, unsafe { frame_at(next.parent.get()) });
            let full = self.rows.iter().position(|(_, end)| ptr::eq(*end, at))?;
            if full + 1 == self.rows.len() {
                self.add_row()?;
            }
            at = self.rows[full + 1].0;
        }
    }

    /// Puts the parents of the frames above `this` up to `next` back to the frames below them.
    pub(crate) fn straighten(&self, this: &Frame, next: &Frame) {
        let mut at = ptr::from_ref(this).wrapping_add(1);
        let row = self
            .rows
            .iter()
            .find(|(first, end)| at > ptr::from_ref(*first) && at <= ptr::from_ref(*end));
        let Some((_, end)) = row else { return };
        let last = if at <= ptr::from_ref(next) && ptr::from_ref(next) <= ptr::from_ref(*end) {
            next
        } else {
            end
        };
        while at <= ptr::from_ref(last) {
            // SAFETY: a frame of this row, or its END.
            unsafe { &*at }.parent.set(at.wrapping_sub(1).expose_provenance() as u64);
            at = at.wrapping_add(1);
        }
    }

    pub(super) fn add_row(&mut self) -> Option<()> {
        let count = FIRST_FRAMES << self.rows.len().min(5);
        let depth =
            self.rows.iter().map(|(first, end)| frames_between(first, end)).sum::<usize>() as u64;
        let lane = address(self.block);
        let tail = (count + 1) * FRAME_WORDS;
        let row = self.bump.block_with::<Frames>(self.arena, tail, |frames| {
            frames.lane.set(lane);
            frames.depth.set(depth);
        })?;
        // SAFETY: the block has a tail of `count` frames and one more.
        let (first, end) = unsafe {
            let first = ptr::from_ref(row).add(1).cast::<Frame>();
            (&*first, &*first.add(count))
        };
        for at in 0..=count {
            // SAFETY: within the row, its END included.
            let frame = unsafe { &*ptr::from_ref(first).add(at) };
            frame.how.set(if at < count { address(&self.block.pending) | frame::READY } else { 0 });
            // The first one's is set when the row below it is full.
            frame.parent.set(ptr::from_ref(frame).wrapping_sub(1).expose_provenance() as u64);
        }
        if self.rows.is_empty() {
            first.what.set(address(self.root) | frame::NODE);
        }
        self.rows.push((first, end))
    }

    /// Takes a frame that is not the innermost out of the open ones, as a guard does that is kept
    /// while what was opened after it goes on. False if it is not open in this lane.
    pub(crate) fn splice(&self, desk: &Desk, this: &Frame) -> bool {
        let address = ptr::from_ref(this).expose_provenance() as u64;
        let Some(above) = self.open_frames(desk).find(|frame| frame.parent.get() == address) else {
            return false;
        };
        above.parent.set(this.parent.get());
        true
    }

    /// Takes `this`, a poll's frame, and all that were opened in it out of the open ones. The latter
    /// stay in use by their guards, so nothing else may use them. False if it is not open in this
    /// lane.
    pub(crate) fn strand(&self, desk: &Desk, this: &Frame) -> bool {
        if !self.open_frames(desk).any(|frame| ptr::eq(frame, this)) {
            return false;
        }
        let mut at = desk.open();
        desk.held().parent.set(this.parent.get());
        while !ptr::eq(at, this) {
            at.how.set(at.how.get() & !frame::READY | frame::STRANDED);
            if at.what.get() & frame::NODE != 0 && at.how.get() & frame::INNER == 0 {
                // SAFETY: the word says that it is a node's address, of this lane.
                let slot = unsafe { slot_at(node_at(at.what.get() & !frame::NODE).slot.get()) };
                self.hand_over(desk, at, slot);
            }
            // SAFETY: frames above an open one lead to it through their parents.
            at = unsafe { frame_at(at.parent.get()) };
        }
        true
    }

    /// Hands a node that `this` has opened to the outermost activation that is still inside it.
    pub(crate) fn hand_over(&self, desk: &Desk, this: &Frame, slot: &Slot) {
        let what = this.what.get();
        match self.open_frames(desk).filter(|frame| frame.what.get() == what).last() {
            Some(heir) => heir.how.set(heir.how.get() & !frame::INNER),
            None => slot.open.set(0),
        }
    }

    /// Ends, without recording them, the activations that the owner before this one died in. What it
    /// left open over a poll has moved its path up, and frames are above the ones below them again.
    pub(crate) fn cut_off_left(&mut self) {
        for slot in self.slots.iter().flatten() {
            slot.open.set(0);
        }
        for (first, end) in self.rows.iter() {
            for at in 0..frames_between(first, end) {
                // SAFETY: within the row.
                let frame = unsafe { &*ptr::from_ref(*first).add(at) };
                if frame.start.get() != 0 {
                    frame.start.set(0);
                    self.block
                        .dropped
                        .bump(u64::from(frame.what.get() != address(self.sink) | frame::NODE));
                    frame.what.set(0);
                }
                frame.clear();
                frame.how.set(frame.how.get() & !frame::STRANDED | frame::READY);
            }
            self.straighten(first, end);
        }
    }
}

/// Frames from `first` up to, not including, `end`.
fn frames_between(first: &Frame, end: &Frame) -> usize {
    (ptr::from_ref(end).addr() - ptr::from_ref(first).addr()) / size_of::<Frame>()
}
