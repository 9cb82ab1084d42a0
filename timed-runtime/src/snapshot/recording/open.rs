//! The activations that have not ended.

use super::super::data::OpenData;
use super::{At, OfLane};
use crate::recorder::layout::{Block as _, FRAME_WORDS, Frame, Frames, frame};
use crate::sync::{Ordering, Own as _, Word};
use std::collections::HashMap;

/// The frames in use, from the bottom up. A frame that changes while it is read is left out.
pub(super) fn read_open(blocks: &OfLane<'_>, homes: &HashMap<u64, u64>) -> Vec<OpenData> {
    let mut rows: Vec<&At<'_, Frames>> = blocks.frames.iter().collect();
    rows.sort_by_key(|row| row.block.depth.get());
    let nodes: HashMap<u64, u64> =
        blocks.nodes.iter().map(|node| (node.address, node.block.slot.get())).collect();
    let slots: HashMap<u64, u64> =
        blocks.slots.iter().map(|slot| (slot.address, slot.block.site.get())).collect();
    let mut open = Vec::new();
    for row in rows {
        let frames = row.words[Frames::WORDS..].chunks_exact(FRAME_WORDS);
        for (words, at) in frames.zip((Frames::WORDS as u64..).step_by(FRAME_WORDS)) {
            let Some((what, data)) = frame_of(words).and_then(read_frame) else { continue };
            let site = if what & frame::NODE == 0 {
                homes.get(&frame::address(what)).copied()
            } else {
                nodes.get(&(what & !frame::NODE)).and_then(|slot| slots.get(slot)).copied()
            };
            let Some(site) = site.filter(|site| *site != 0) else { continue };
            open.push(OpenData { site, frame: row.address.wrapping_add(8 * at), ..data });
        }
    }
    open
}

/// What the frame is open for, and its words, if it is open and does not change meanwhile.
pub(crate) fn read_frame(frame: &Frame) -> Option<(u64, OpenData)> {
    let start = frame.start.load(Ordering::Acquire);
    // The lower half is stored first: alone it is no reading.
    if start >> 32 == 0 {
        return None;
    }
    let what = frame.what.load(Ordering::Acquire);
    let how = frame.how.get();
    let data = OpenData {
        start,
        first: how & frame::FIRST != 0,
        stranded: how & frame::STRANDED != 0,
        child_raw: frame.child_raw.get(),
        callees: frame.callees.get(),
        charge: frame.charge.get(),
        lost: frame.lost.get(),
        ..OpenData::default()
    };
    (frame.start.load(Ordering::Acquire) == start).then_some((what, data))
}

fn frame_of(words: &[Word]) -> Option<&Frame> {
    // SAFETY: a Frame is repr(C) and FRAME_WORDS words long, which `words` is checked to hold.
    (words.len() >= FRAME_WORDS).then(|| unsafe { &*words.as_ptr().cast::<Frame>() })
}
