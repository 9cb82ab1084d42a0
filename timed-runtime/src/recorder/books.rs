//! What a lane's cold paths need: its table of nodes, its slots, its rows of frames.

use super::arena::{Arena, Bump};
use super::lane::{Lane, PLACE_MASK, frame_at, node_at, slot_at};
use super::layout::{self, Frame, NO_MINIMUM, Node, Row, SiteInfo, Slot, frame, node};
use super::list::{List, Nodes};
use super::probe::Place;
use super::process::LaneAt;
use super::roster::Seat;
use super::site::{Kind, NO_KEY, Site, Tally};
use super::thread::Desk;
use crate::sync::{Own as _, Word};
use std::ptr;

/// Nodes of a lane (2 MiB of them); calls beyond go to one node a site.
pub(crate) const MOST_NODES: usize = if cfg!(test) { 64 } else { 16 << 10 };

/// The site of activations that belong to none any more. Its key, and its slot's, are 0 for good.
static DROPPED: Site = Site::off();

/// See the module's text.
#[derive(Debug)]
pub(crate) struct Books {
    pub(crate) arena: &'static Arena,
    pub(crate) block: &'static layout::Lane,
    pub(super) bump: Bump,
    pub(super) root: &'static Node,
    pub(super) sink: &'static Node,
    nowhere: &'static Slot,
    nodes: Nodes,
    /// By site number.
    pub(super) slots: List<Option<&'static Slot>>,
    /// First and last (END) frame of each row.
    pub(super) rows: List<(&'static Frame, &'static Frame)>,
    /// The owning thread's tallies, so that it can clear them when it leaves.
    pub(crate) tallies: List<*const Tally>,
    random: u64,
    /// Probes at the last batch of bare pairs.
    probes_then: u64,
    /// The lane's place in the roster, while a thread owns it.
    pub(crate) seat: Option<&'static Seat<LaneAt>>,
    /// Tells this process's descriptions of sites from its parent's.
    generation: u64,
    /// Open frames, outermost first, where that order is needed.
    path: List<&'static Frame>,
}

pub(super) fn address<T>(of: &'static T) -> u64 {
    ptr::from_ref(of).expose_provenance() as u64
}

impl Books {
    /// Books for a new lane, none if the system has no memory.
    pub(crate) fn new(arena: &'static Arena, generation: u64) -> Option<Self> {
        let mut bump = Bump::new();
        let block = bump.block::<layout::Lane>(arena, |_| {})?;
        let nowhere = bump.block::<Slot>(arena, |slot| {
            slot.lane.set(address(block));
            slot.home.set(address(&DROPPED));
            slot.min.set(NO_MINIMUM);
        })?;
        let fresh = |flags: u64| {
            move |node: &Node| {
                node.slot.set(address(nowhere));
                node.lane.set(address(block));
                node.flags.set(flags);
            }
        };
        let root = bump.block::<Node>(arena, fresh(node::ROOT))?;
        let sink = bump.block::<Node>(arena, fresh(node::SINK))?;
        let mut books = Self {
            arena,
            block,
            bump,
            root,
            sink,
            nowhere,
            nodes: Nodes::new(),
            slots: List::new(),
            rows: List::new(),
            tallies: List::new(),
            random: address(block) | 1,
            probes_then: 0,
            seat: None,
            generation,
            path: List::new(),
        };
        books.add_row()?;
        Some(books)
    }

    /// Address of the node that stands in for the caller of what no timed function called.
    pub(crate) fn root_address(&self) -> u64 {
        address(self.root)
    }

    /// Leads a desk at work to the bottom of these books.
    pub(crate) fn set_up(&self, desk: &Desk, lane: &Lane) {
        let bottom = self.bottom();
        bottom.clear();
        desk.held.set(ptr::from_ref(bottom).wrapping_add(1));
        desk.lane.set(lane);
    }

    /// The slot of a site in this lane.
    pub(crate) fn slot(&mut self, site: &'static Site) -> Option<&'static Slot> {
        let id = site.number();
        let index = id as usize;
        self.slots.lengthen(index + 1, None)?;
        if let Some(slot) = self.slots[index] {
            return Some(slot);
        }
        self.record_site(site, id)?;
        let lane = address(self.block);
        let first_left_out = self.draw(site.sample);
        let slot = self.bump.block::<Slot>(self.arena, |slot| {
            slot.site.set(u64::from(id));
            slot.lane.set(lane);
            slot.home.set(address(site));
            slot.min.set(NO_MINIMUM);
            if site.sample > 1 {
                slot.issued.set(first_left_out);
                slot.countdown.set(first_left_out);
            }
        })?;
        self.slots[index] = Some(slot);
        Some(slot)
    }

    /// The slot for the wall times of a site's calls in this lane.
    pub(crate) fn wall_slot(&mut self, slot: &'static Slot) -> Option<&'static Slot> {
        if let Some(wall) = slot.wall() {
            return Some(wall);
        }
        let wall = self.bump.block::<Slot>(self.arena, |wall| {
            wall.site.set(slot.site.get());
            wall.lane.set(slot.lane.get());
            wall.home.set(slot.home.get());
            wall.min.set(NO_MINIMUM);
            wall.wall.set(ptr::from_ref(wall).expose_provenance() as u64);
        })?;
        slot.wall.set(address(wall));
        Some(wall)
    }

    /// Describes a site in the arena, once for a process (twice does no harm).
    pub(crate) fn record_site(&mut self, site: &'static Site, id: u32) -> Option<()> {
        use std::sync::atomic::Ordering::Relaxed;
        if site.known_to.load(Relaxed) == self.generation {
            return Some(());
        }
        let name = site.display_name();
        let texts = [name.as_bytes(), site.module.as_bytes(), site.file.as_bytes()];
        let bytes = texts.concat();
        self.bump.block_with::<SiteInfo>(self.arena, bytes.len().div_ceil(8), |info| {
            info.id.set(u64::from(id));
            info.home.set(address(site));
            info.traits.set(SiteInfo::pack(site.kind as u64, site.relaxed, site.sample));
            info.line.set(u64::from(site.line));
            for (length, text) in
                [&info.name_len, &info.module_len, &info.file_len].iter().zip(texts)
            {
                length.set(text.len() as u64);
            }
            for (at, chunk) in bytes.chunks(8).enumerate() {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                // SAFETY: the block has a tail of as many words as there are chunks.
                let tail = unsafe { &*ptr::from_ref(info).add(1).cast::<Word>().add(at) };
                tail.set(u64::from_le_bytes(word));
            }
        })?;
        site.known_to.store(self.generation, Relaxed);
        Some(())
    }

    /// The node for an activation of `site` called from the node at `caller`, found or made, and
    /// put into the lane's cache if it has a `key`; none if the system has no memory.
    pub(crate) fn resolve(
        &mut self,
        lane: &Lane,
        caller: u64,
        site: &'static Site,
        key: Option<u64>,
    ) -> Option<(&'static Node, &'static Slot)> {
        let slot = self.slot(site)?;
        let node = match slot.open.get() {
            0 => {
                let id = site.number();
                match self.nodes.get(caller, id) {
                    Some(node) => node,
                    None => self.add_node(caller, id, slot)?,
                }
            }
            // SAFETY: a slot's open node is one of this lane's.
            open => unsafe { node_at(open) },
        };
        if let Some(key) = key {
            slot.key.set(key);
            self.remember(lane, caller, key, node, slot);
        }
        Some((node, slot))
    }

    /// Finds the places of the open frame `last` and of all below it whose are not known yet.
    pub(crate) fn settle_path(&mut self, lane: &Lane, last: &'static Frame) {
        let mut path = std::mem::replace(&mut self.path, List::new());
        path.clear();
        let mut at = last;
        while at.what.get() & frame::NODE == 0 {
            // What a signal has interrupted in its opening is nothing yet.
            if at.what.get() != 0 && path.push(at).is_none() {
                break;
            }
            // SAFETY: an open frame's parent is one of this lane's; the bottom's place is known.
            at = unsafe { frame_at(at.parent.get()) };
        }
        let mut caller = at.what.get() & !frame::NODE;
        for at in path.iter().rev() {
            // SAFETY: the place is not known, so the word is a site's address.
            let site = unsafe { Site::at(frame::address(at.what.get())) };
            let key = site.key.load(std::sync::atomic::Ordering::Relaxed);
            let found =
                self.resolve(lane, caller, site, (key != 0 && lane.counter.get()).then_some(key));
            let (node, slot) = found.unwrap_or((self.sink, self.nowhere));
            let inner = if slot.open.get() == 0 { 0 } else { frame::INNER };
            at.settle(&Place::new(node, slot, inner));
            caller = address(node);
        }
        self.path = path;
    }

    fn add_node(&mut self, caller: u64, id: u32, slot: &'static Slot) -> Option<&'static Node> {
        let full = self.nodes.len() >= MOST_NODES;
        // One node a site for all callers once the table is full: it hangs under the root.
        let (key, parent, flags) = if full {
            self.block.overflow.bump(1);
            (0, address(self.root), node::OTHER)
        } else {
            (caller, caller, 0)
        };
        if let Some(node) = self.nodes.get(key, id) {
            return Some(node);
        }
        let lane = address(self.block);
        let salt = self.random() & PLACE_MASK;
        let node = self.bump.block::<Node>(self.arena, |node| {
            node.slot.set(address(slot));
            node.salt.set(salt);
            node.parent.set(parent);
            node.lane.set(lane);
            node.flags.set(flags);
        })?;
        self.nodes.insert(key, id, node)?;
        Some(node)
    }

    /// Puts an entry into the cache. Where it would displace another caller's, the caller gets
    /// other places for all its entries instead.
    fn remember(
        &mut self,
        lane: &Lane,
        caller: u64,
        key: u64,
        node: &'static Node,
        slot: &'static Slot,
    ) {
        // SAFETY: the caller is one of this lane's nodes.
        let salt = &unsafe { node_at(caller) }.salt;
        let caller = caller | frame::NODE;
        let displaced = lane.entry(salt.get(), key).caller.get();
        if displaced != 0 && displaced != caller {
            salt.set(self.random() & PLACE_MASK);
        }
        let open = slot.open.get();
        let entry = lane.entry(salt.get(), key);
        entry.caller.set(caller);
        entry.key.set(key);
        entry.slot.set(slot);
        entry.expects.set(open);
        entry.node.set(address(node));
        entry.sums.set(&raw const node.sums[usize::from(open != 0)]);
    }

    /// A slot's row of buckets, made if need be.
    pub(crate) fn row(&mut self, slot: &Slot, index: usize) -> Option<&'static Row> {
        let word = slot.rows.get(index)?;
        if word.get() == 0 {
            let row = self.bump.block_with::<Row>(self.arena, Row::buckets(index), |row| {
                row.slot.set(ptr::from_ref(slot).expose_provenance() as u64);
                row.index.set(index as u64);
            })?;
            word.set(address(row));
        }
        // SAFETY: the word holds the address of a row of this lane.
        Some(unsafe { &*ptr::with_exposed_provenance(word.get() as usize) })
    }

    /// A random number (xorshift64).
    pub(crate) fn random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }

    /// How many calls to leave out before the next timed one, of which there is one in `period`:
    /// geometric, so that every call has the same chance whatever was timed before it.
    pub(crate) fn draw(&mut self, period: u32) -> u64 {
        // 53 random bits in (0, 1].
        let unit = ((self.random() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
        let keep_out = 1.0 - 1.0 / f64::from(period.max(1));
        if keep_out <= 0.0 { 0 } else { (unit.ln() / keep_out.ln()) as u64 }
    }

    /// Notes what a bare pair takes now (in 1/256 tick), for the probes since the last time.
    pub(crate) fn weigh_pair(&mut self, pair: u64) {
        let calls: u64 =
            self.nodes.iter().flat_map(|node| &node.sums).map(|sums| sums.calls.get()).sum();
        let probes = calls.wrapping_add(self.block.pending.halves.get());
        let weight = u64::wrapping_sub(probes, self.probes_then);
        self.probes_then = probes;
        let block = self.block;
        block.pair_sum.bump(pair.wrapping_mul(weight));
        block.pair_weight.bump(weight);
    }

    /// Begins anew after the reset at `when`: counts to zero, and activations that were open then
    /// to the sink.
    pub(crate) fn clear(&mut self, desk: &Desk, epoch: u64, when: u64) {
        let mut live = 0_u64;
        for slot in self.slots.iter().flatten() {
            slot.clear();
            slot.open.set(0);
            if let Some(wall) = slot.wall() {
                live = live.wrapping_add(wall.live.get());
                wall.clear();
            }
        }
        for node in self.nodes.iter() {
            node.sums.iter().for_each(layout::Sums::clear);
        }
        let slots = self.slots.iter().flatten().flat_map(|slot| [Some(*slot), slot.wall()]);
        for row in slots.flatten().flat_map(|slot| &slot.rows).filter(|row| row.get() != 0) {
            // SAFETY: the word holds the address of a row of this lane.
            let row: &Row = unsafe { &*ptr::with_exposed_provenance(row.get() as usize) };
            row.sum.set(0);
            for bucket in 0..Row::buckets(row.index.get() as usize) {
                // SAFETY: within the row.
                unsafe { row.count(bucket) }.set(0);
            }
        }
        self.block.clear_counts();
        // Futures between two polls: over all lanes together, as many as there are.
        self.block.dropped.set(live);
        self.probes_then = 0;
        let mut path = std::mem::replace(&mut self.path, List::new());
        path.clear();
        for frame in self.open_frames(desk) {
            // Where there is no memory, those further out are taken for dropped by readers alone.
            let _ = path.push(frame);
        }
        let sink = address(self.sink) | frame::NODE;
        for frame in path.iter().rev() {
            let what = frame.what.get();
            if what == 0 {
                continue;
            }
            if frame.start.get() <= when {
                // A poll's call has been counted above, if it was known of.
                // SAFETY: the frame is open, and the word not 0.
                let is_poll = unsafe { Site::of_frame(what) }.kind == Kind::Async;
                let is_call = what != sink && (!is_poll || frame.how.get() & frame::FIRST != 0);
                self.block.dropped.bump(u64::from(is_call));
                frame.what.set(sink);
                frame.clear();
            } else if what & frame::NODE != 0 {
                // SAFETY: the word says that it is a node's address, of this lane.
                let slot = unsafe { slot_at(node_at(what & !frame::NODE).slot.get()) };
                if slot.open.get() == 0 {
                    frame.how.set(frame.how.get() & !frame::INNER);
                    slot.open.set(what & !frame::NODE);
                }
            }
        }
        self.path = path;
        self.bottom().clear();
        self.block.epoch.store(epoch, crate::sync::Ordering::Release);
    }

    /// Forgets the ways that the owning thread's tallies hold.
    pub(crate) fn clear_tallies(&mut self) {
        for tally in self.tallies.iter() {
            // SAFETY: a tally is a thread-local without destructor of the thread that is leaving
            // the lane, which calls this: it exists until that thread has ended.
            unsafe { (**tally).key.set(NO_KEY) };
        }
        self.tallies.clear();
    }
}
