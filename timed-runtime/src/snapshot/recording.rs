//! Reading a recording: from rows of words, which others may be writing, to plain data.
//!
//! Nothing that is read is trusted: an address that leads to no block of the right kind leaves out
//! what it belongs to. Nobody is waited for, and nobody waits.

use super::data::{
    LaneData, NodeData, OctaveData, OpenData, Recording, SiteData, SlotData, SumsData, WallData,
};
use crate::recorder::arena;
use crate::recorder::histogram;
use crate::recorder::layout::{
    self, BUCKETS, Block, FRAME_WORDS, Frame, Frames, NO_MINIMUM, Node, ROWS, Row, SiteInfo, Slot,
    frame,
};
use crate::sync::{Ordering, Own, Word};
use std::collections::{HashMap, HashSet};

/// A block, and where the writer had it.
struct At<'a, B> {
    address: u64,
    block: &'a B,
    words: &'a [Word],
}

/// All blocks of the kinds that matter, in the order of the writer's addresses.
#[derive(Default)]
struct Blocks<'a> {
    lanes: Vec<At<'a, layout::Lane>>,
    sites: Vec<At<'a, SiteInfo>>,
    slots: Vec<At<'a, Slot>>,
    nodes: Vec<At<'a, Node>>,
    rows: Vec<At<'a, Row>>,
    frames: Vec<At<'a, Frames>>,
}

impl<'a> Blocks<'a> {
    fn of(extents: &[&'a [Word]]) -> Self {
        let mut all = Self::default();
        for extent in extents {
            let Some(head) = arena::view::<layout::Extent>(extent) else { continue };
            let mut address = head.base.get().wrapping_add(8 * layout::Extent::WORDS as u64);
            for (kind, words) in arena::blocks(extent) {
                all.take(kind, words, address);
                address = address.wrapping_add(8 * words.len() as u64);
            }
        }
        all
    }

    fn take(&mut self, kind: u64, words: &'a [Word], address: u64) {
        fn push<'a, B: Block>(to: &mut Vec<At<'a, B>>, words: &'a [Word], address: u64) {
            if let Some(block) = arena::view::<B>(words) {
                to.push(At { address, block, words });
            }
        }
        match kind {
            layout::Lane::KIND => push(&mut self.lanes, words, address),
            SiteInfo::KIND => push(&mut self.sites, words, address),
            Slot::KIND => push(&mut self.slots, words, address),
            Node::KIND => push(&mut self.nodes, words, address),
            Row::KIND => push(&mut self.rows, words, address),
            Frames::KIND => push(&mut self.frames, words, address),
            _ => {}
        }
    }
}

/// The blocks of one lane.
#[derive(Default)]
struct OfLane<'a> {
    slots: Vec<At<'a, Slot>>,
    nodes: Vec<At<'a, Node>>,
    rows: Vec<At<'a, Row>>,
    frames: Vec<At<'a, Frames>>,
}

impl<'a> OfLane<'a> {
    /// Those of each lane. A block that says it is of no lane here is left out.
    fn split(
        lanes: &[At<'a, layout::Lane>],
        slots: Vec<At<'a, Slot>>,
        nodes: Vec<At<'a, Node>>,
        rows: Vec<At<'a, Row>>,
        frames: Vec<At<'a, Frames>>,
    ) -> Vec<Self> {
        let mut split: Vec<Self> = lanes.iter().map(|_| Self::default()).collect();
        let lane_at: HashMap<u64, usize> =
            lanes.iter().enumerate().map(|(at, lane)| (lane.address, at)).collect();
        let lane_of = |word: &Word| lane_at.get(&word.get()).copied();
        let mut slot_at = HashMap::with_capacity(slots.len());
        for slot in slots {
            if let Some(lane) = lane_of(&slot.block.lane) {
                slot_at.insert(slot.address, lane);
                split[lane].slots.push(slot);
            }
        }
        for node in nodes {
            if let Some(lane) = lane_of(&node.block.lane) {
                split[lane].nodes.push(node);
            }
        }
        for row in rows {
            if let Some(lane) = slot_at.get(&row.block.slot.get()) {
                split[*lane].rows.push(row);
            }
        }
        for frames in frames {
            if let Some(lane) = lane_of(&frames.block.lane) {
                split[lane].frames.push(frames);
            }
        }
        split
    }
}

/// Reads everything in the extents, given newest first, that follows the reset `epoch`.
pub(crate) fn read(extents: &[&[Word]], epoch: u64) -> Recording {
    let oldest_first: Vec<&[Word]> = extents.iter().rev().copied().collect();
    let blocks = Blocks::of(&oldest_first);
    let homes: HashMap<u64, u64> =
        blocks.sites.iter().map(|site| (site.block.home.get(), site.block.id.get())).collect();
    let futures: HashSet<u64> = blocks
        .sites
        .iter()
        .filter(|site| SiteInfo::unpack(site.block.traits.get()).0 == ASYNC)
        .map(|site| site.block.id.get())
        .collect();
    let mut sites: Vec<SiteData> = blocks.sites.iter().filter_map(read_site).collect();
    let split =
        OfLane::split(&blocks.lanes, blocks.slots, blocks.nodes, blocks.rows, blocks.frames);
    let lanes = blocks.lanes.iter().zip(split);
    let lanes = lanes
        .map(|(lane, blocks)| read_lane(&blocks, lane.block, epoch, &homes, &futures))
        .collect();
    sites.sort_by_key(|site| site.id);
    sites.dedup_by(|again, first| {
        let same = again.id == first.id;
        if same {
            first.untimed += again.untimed;
        }
        same
    });
    Recording { lanes, sites }
}

fn read_lane(
    blocks: &OfLane<'_>,
    block: &layout::Lane,
    epoch: u64,
    homes: &HashMap<u64, u64>,
    futures: &HashSet<u64>,
) -> LaneData {
    let mut data = LaneData {
        epoch: block.epoch.load(Ordering::Acquire),
        threads: block.threads.get(),
        overflow: block.overflow.get(),
        ..LaneData::default()
    };
    data.open = read_open(blocks, homes);
    if data.epoch != epoch {
        // Its owner has made no call since the reset: what it holds is from before.
        // Polls are no calls; a future's call is among those under way.
        let is_call = |open: &&OpenData| open.first || !futures.contains(&open.site);
        let walls = blocks.slots.iter().filter_map(|slot| read_slot(slot).wall);
        let live = walls.fold(0_u64, |sum, wall| sum.wrapping_add(wall.live));
        data.dropped = live.wrapping_add(data.open.iter().filter(is_call).count() as u64);
        data.open.clear();
        return data;
    }
    data.dropped = block.dropped.get();
    let weight = block.pair_weight.get();
    data.pair = (weight > 0).then(|| block.pair_sum.get() as f64 / weight as f64 / 256.0);
    let mut slot_at = HashMap::new();
    for slot in blocks.slots.iter().filter(|slot| slot.block.site.get() != 0) {
        slot_at.insert(slot.address, data.slots.len());
        data.slots.push(read_slot(slot));
    }
    let mut node_at = HashMap::new();
    for node in &blocks.nodes {
        node_at.insert(node.address, data.nodes.len());
        let stands_in = node.block.flags.get() & (layout::node::ROOT | layout::node::SINK) != 0;
        let parent = node_at.get(&node.block.parent.get()).copied();
        data.nodes.push(NodeData {
            slot: (!stands_in).then(|| slot_at.get(&node.block.slot.get()).copied()).flatten(),
            parent: parent
                .filter(|parent| data.nodes.get(*parent).is_some_and(|node| node.slot.is_some())),
            sums: [read_sums(&node.block.sums[0]), read_sums(&node.block.sums[1])],
        });
    }
    for row in &blocks.rows {
        if let Some(slot) = slot_at.get(&row.block.slot.get()) {
            data.slots[*slot].add_row(row.block, &row.words[Row::WORDS..]);
        }
    }
    add_pending(&mut data, block, &slot_at, &node_at);
    data
}

/// Adds the reading that the lane's next end would have added.
fn add_pending(
    data: &mut LaneData,
    lane: &layout::Lane,
    slot_at: &HashMap<u64, usize>,
    node_at: &HashMap<u64, usize>,
) {
    let Some(pending) = PendingData::read(&lane.pending) else { return };
    let Some(slot) = slot_at.get(&pending.slot).and_then(|slot| data.slots.get_mut(*slot)) else {
        return;
    };
    if (pending.raw() as i64) < 0 {
        slot.negative += 1;
        return;
    }
    let found = [0, 1].into_iter().find_map(|inner| {
        let offset = std::mem::offset_of!(Node, sums) + inner * size_of::<layout::Sums>();
        Some((*node_at.get(&pending.sums.wrapping_sub(offset as u64))?, inner))
    });
    let Some((node, inner)) = found else { return };
    let sums = &mut data.nodes[node].sums[inner];
    sums.calls += 1;
    sums.raw = sums.raw.wrapping_add(pending.raw());
    // The caller, if it is still open, may have called something else meanwhile.
    if let Some(caller) = data.open.iter_mut().find(|open| open.frame == pending.parent) {
        caller.child_raw = caller.child_raw.wrapping_add(pending.raw());
    }
    slot.add(pending.raw().wrapping_sub(pending.charge >> layout::CHARGE_SHIFT) as i64);
}

/// The pending words, as read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PendingData {
    pub(crate) end: u64,
    pub(crate) base: u64,
    charge: u64,
    sums: u64,
    pub(crate) slot: u64,
    parent: u64,
}

/// `Kind::Async`, as a recording has it.
const ASYNC: u64 = 1;

/// How often the words are read again that cannot belong together.
const PATIENCE: usize = if cfg!(loom) { 2 } else { 64 };

impl PendingData {
    /// None where nothing is pending.
    ///
    /// The owner overwrites the other words before `end`. Those of an activation that encloses the
    /// one before it, with that one's end, pass for the call in progress that they are nearly. In
    /// any other mixture the end lies before the base; such a reading is believed only if it stays.
    pub(crate) fn read(pending: &layout::Pending) -> Option<Self> {
        let once = || {
            let end = pending.end.load(Ordering::Acquire);
            Self {
                end,
                base: pending.base.get(),
                charge: pending.charge.get(),
                sums: pending.sums.get(),
                slot: pending.slot.get(),
                parent: pending.parent.get(),
            }
        };
        let mut data = once();
        for _ in 0..PATIENCE {
            let again = once();
            if again == data && (data.raw() as i64) >= 0 {
                break;
            }
            data = again;
            std::hint::spin_loop();
        }
        (data.end != 0).then_some(data)
    }

    /// The reading.
    pub(crate) fn raw(&self) -> u64 {
        self.end.wrapping_sub(self.base)
    }
}

impl SlotData {
    /// Adds a row of buckets as octaves. The first holds two of them, and one sum: in the upper
    /// one a bucket is one value, which gives its part of the sum.
    fn add_row(&mut self, row: &Row, counts: &[Word]) {
        let (index, sum) = (row.index.get() as usize, row.sum.get() as i64);
        if index >= ROWS || counts.len() < Row::buckets(index) {
            return;
        }
        let octave = |first: usize| -> Vec<(usize, u64)> {
            let counts = counts[first..first + BUCKETS].iter().map(Own::get);
            counts.enumerate().filter(|(_, count)| *count > 0).collect()
        };
        if index > 0 {
            self.octaves.push(OctaveData { index: index + 1, sum, counts: octave(0) });
            return;
        }
        let upper = octave(BUCKETS);
        let upper_sum = upper
            .iter()
            .map(|(bucket, count)| count.wrapping_mul((BUCKETS + bucket) as u64))
            .fold(0, u64::wrapping_add) as i64;
        self.octaves.push(OctaveData {
            index: 0,
            sum: sum.wrapping_sub(upper_sum),
            counts: octave(0),
        });
        self.octaves.push(OctaveData { index: 1, sum: upper_sum, counts: upper });
    }

    /// Adds a reading.
    pub(crate) fn add(&mut self, value: i64) {
        let (low, high) = self.range.unwrap_or((value, value));
        self.range = Some((low.min(value), high.max(value)));
        let (index, bucket) = histogram::place(value.clamp(0, histogram::LIMIT as i64 - 1) as u64);
        let known = self.octaves.iter().position(|octave| octave.index == index);
        let at = known.unwrap_or_else(|| {
            self.octaves.push(OctaveData { index, sum: 0, counts: Vec::new() });
            self.octaves.len() - 1
        });
        let octave = &mut self.octaves[at];
        octave.sum += value;
        match octave.counts.iter_mut().find(|(known, _)| *known == bucket) {
            Some((_, count)) => *count += 1,
            None => octave.counts.push((bucket, 1)),
        }
    }
}

fn read_sums(sums: &layout::Sums) -> SumsData {
    SumsData {
        calls: sums.calls.get(),
        raw: sums.raw.get(),
        child_raw: sums.child_raw.get(),
        callees: sums.callees.get(),
        charge: sums.charge.get(),
    }
}

fn read_slot(at: &At<'_, Slot>) -> SlotData {
    let slot = at.block;
    let (min, span) = (slot.min.get(), slot.span.get());
    // What the ordinary comparison covers, and what lies outside of it: 0 where there is nothing.
    let ordinary = (min != NO_MINIMUM).then_some([min as i64, min.wrapping_add(span) as i64]);
    let outside = [slot.lowest.get() as i64, slot.highest.get() as i64]
        .into_iter()
        .filter(|value| *value != 0);
    let range = ordinary.into_iter().flatten().chain(outside).fold(
        None,
        |range: Option<(i64, i64)>, value| {
            let (low, high) = range.unwrap_or((value, value));
            Some((low.min(value), high.max(value)))
        },
    );
    SlotData {
        site: slot.site.get(),
        range,
        negative: slot.negative.get(),
        migrated: slot.migrated.get(),
        migrated_sum: slot.migrated_sum.get(),
        migrated_max: slot.migrated_max.get(),
        left_out: slot.issued.get().saturating_sub(slot.yet_to_come()),
        octaves: Vec::new(),
        wall: (slot.wall.get() == at.address).then(|| WallData {
            live: slot.live.get(),
            bases: slot.bases.get(),
            cancelled: slot.cancelled.get(),
            cancelled_sum: slot.cancelled_sum.get(),
            inner: slot.inner.get(),
            inner_sum: slot.inner_sum.get(),
        }),
    }
}

/// The frames in use, from the bottom up. A frame that changes while it is read is left out.
fn read_open(blocks: &OfLane<'_>, homes: &HashMap<u64, u64>) -> Vec<OpenData> {
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
                homes.get(&what).copied()
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

fn read_site(site: &At<'_, SiteInfo>) -> Option<SiteData> {
    let block = site.block;
    let bytes: Vec<u8> =
        site.words[SiteInfo::WORDS..].iter().flat_map(|word| word.get().to_le_bytes()).collect();
    let mut rest = bytes.as_slice();
    let mut text = |length: &Word| {
        let (text, after) = rest.split_at_checked(length.get() as usize)?;
        rest = after;
        Some(String::from_utf8_lossy(text).into_owned())
    };
    let (kind, relaxed, sample) = SiteInfo::unpack(block.traits.get());
    Some(SiteData {
        id: block.id.get(),
        kind,
        relaxed,
        sample,
        line: block.line.get() as u32,
        name: text(&block.name_len)?,
        module: text(&block.module_len)?,
        file: text(&block.file_len)?,
        untimed: block.untimed.get(),
    })
}
