//! Reading a recording: from rows of words, which others may be writing, to plain data.
//!
//! Nothing that is read is trusted: an address that leads to no block of the right kind leaves out
//! what it belongs to. Nobody is waited for, and nobody waits.

// In loom's build this file stands elsewhere in the tree of modules.
#[path = "recording/open.rs"]
mod open;
#[path = "recording/pending.rs"]
mod pending;

#[cfg(loom)]
pub(crate) use open::read_frame;
#[cfg(loom)]
pub(crate) use pending::PendingData;

use super::data::{
    LaneData, NodeData, OctaveData, OpenData, Recording, SiteData, SlotData, SumsData, WallData,
};
use crate::recorder::arena;
use crate::recorder::histogram;
use crate::recorder::layout::{
    self, BUCKETS, Block, Frames, NO_MINIMUM, Node, ROWS, Row, SiteInfo, Slot,
};
use crate::sync::{Ordering, Own, Word};
use open::read_open;
use pending::add_pending;
use std::collections::{HashMap, HashSet};

/// `Kind::Async`, as a recording has it.
const ASYNC: u64 = 1;

#[cfg(not(loom))]
const _: () = assert!(ASYNC == super::model::Kind::Async as u64);

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
    data.halves = block.pending.halves.get();
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
