//! A recording, as read: plain data, still in ticks and uncorrected.

/// One lane, as read.
#[derive(Debug, Default)]
pub(crate) struct LaneData {
    pub(crate) epoch: u64,
    pub(crate) threads: u64,
    pub(crate) dropped: u64,
    pub(crate) overflow: u64,
    /// Stamps taken, and hops ended.
    pub(crate) halves: u64,
    /// Ticks of a bare pair, weighted by probes; none before the first batch.
    pub(crate) pair: Option<f64>,
    pub(crate) nodes: Vec<NodeData>,
    pub(crate) slots: Vec<SlotData>,
    /// Activations that have not ended, outermost first.
    pub(crate) open: Vec<OpenData>,
}

/// A node, as read. Parents come before children.
#[derive(Debug, Default, Clone)]
pub(crate) struct NodeData {
    /// Index into the lane's slots; none for the nodes that stand in for others.
    pub(crate) slot: Option<usize>,
    /// Index into the lane's nodes; none where no timed function called.
    pub(crate) parent: Option<usize>,
    /// Outermost activations, and those inside another of the same site.
    pub(crate) sums: [SumsData; 2],
}

/// What a node adds up: see `layout::Sums`.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct SumsData {
    pub(crate) calls: u64,
    pub(crate) raw: u64,
    pub(crate) child_raw: u64,
    pub(crate) callees: u64,
    pub(crate) charge: u64,
}

/// One site in one lane, as read.
#[derive(Debug, Default, Clone)]
pub(crate) struct SlotData {
    pub(crate) site: u64,
    /// Smallest and largest reading.
    pub(crate) range: Option<(i64, i64)>,
    pub(crate) negative: u64,
    pub(crate) migrated: u64,
    pub(crate) migrated_sum: u64,
    pub(crate) migrated_max: u64,
    /// Calls that sampling has left out.
    pub(crate) left_out: u64,
    pub(crate) octaves: Vec<OctaveData>,
    /// What a slot for wall times has besides.
    pub(crate) wall: Option<WallData>,
}

/// Calls that are not one activation, as read: see `layout::Slot`.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct WallData {
    pub(crate) live: u64,
    pub(crate) bases: u64,
    pub(crate) cancelled: u64,
    pub(crate) cancelled_sum: u64,
    pub(crate) inner: u64,
    pub(crate) inner_sum: u64,
}

/// One octave of a distribution, as read.
#[derive(Debug, Clone)]
pub(crate) struct OctaveData {
    pub(crate) index: usize,
    /// Sum of its readings, signed.
    pub(crate) sum: i64,
    /// The buckets that hold anything, and their counts.
    pub(crate) counts: Vec<(usize, u64)>,
}

/// An activation that has not ended, as read.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct OpenData {
    /// The site's number.
    pub(crate) site: u64,
    /// The first reading.
    pub(crate) start: u64,
    pub(crate) child_raw: u64,
    pub(crate) callees: u64,
    pub(crate) charge: u64,
    pub(crate) lost: u64,
    /// Address of its frame.
    pub(crate) frame: u64,
    /// Whether it is a future's first poll.
    pub(crate) first: bool,
    /// Whether it stands beside the path of those that are open.
    pub(crate) stranded: bool,
}

/// A site, as read.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct SiteData {
    pub(crate) id: u64,
    pub(crate) kind: u64,
    pub(crate) relaxed: bool,
    pub(crate) sample: u32,
    pub(crate) line: u32,
    pub(crate) name: String,
    pub(crate) module: String,
    pub(crate) file: String,
    pub(crate) untimed: u64,
}

/// Everything in a recording.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    pub(crate) lanes: Vec<LaneData>,
    pub(crate) sites: Vec<SiteData>,
}
