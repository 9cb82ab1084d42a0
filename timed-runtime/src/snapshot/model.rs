//! What a snapshot holds: plain data, corrected, in nanoseconds.
//!
//! The face includes this same file in off mode (through a symbolic link), so that code which
//! reads a snapshot compiles with the feature on and off. Nothing here may depend on another
//! module or crate.

/// Every site, as it stood at one moment, without anyone having been stopped.
///
/// Durations are nanoseconds in fields named `_ns`: corrected for the probes, unrounded and
/// signed, so a figure below what the clock can tell may come out below zero.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Snapshot {
    /// The process that was measured.
    pub pid: u32,
    /// Its executable's file name.
    pub program: String,
    /// From the first timed call to this snapshot.
    pub wall_ns: f64,
    /// Recorders in use or used: the peak number of threads that ran timed calls at once.
    pub lanes: u64,
    /// Threads that ran timed calls (several may have used one lane after another).
    pub threads: u64,
    /// What the probes took, summed over all lanes.
    pub probe_ns: f64,
    /// Activations dropped because they were open at a `reset`, or their thread died in them; and hops
    /// from stamps that are older than the reset.
    pub dropped: u64,
    /// The clock, and what was taken off.
    pub clock: Clock,
    /// The sites that were called, in the order of their first calls.
    pub sites: Vec<SiteStats>,
    /// The sites that were not.
    pub never_called: Vec<Place>,
    /// The call tree of all lanes together, recursion folded; parents come before children.
    pub tree: Vec<TreeNode>,
    /// What a reader should know about these figures, a sentence each.
    pub notes: Vec<String>,
}

/// Facts about the clock behind a snapshot.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Clock {
    /// Which clock it is.
    pub source: ClockSource,
    /// Why this one.
    pub reason: String,
    /// Ticks per second.
    pub hz: f64,
    /// Bound on the error of `hz`, in parts per million.
    pub hz_error_ppm: f64,
    /// What others say that the frequency is.
    pub checks: Vec<Check>,
    /// The step in which the clock advances.
    pub resolution_ns: f64,
    /// What the two reads of a full probe add to a reading.
    pub floor_ns: Drift,
    /// What a full probe takes outside its two reads.
    pub outside_ns: Drift,
}

/// Which clock was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClockSource {
    /// The x86 time stamp counter.
    Tsc,
    /// The Arm generic timer's virtual counter.
    Cntvct,
    /// The system's monotonic clock.
    #[default]
    Monotonic,
}

/// A frequency from another source, beside the measured one.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Check {
    /// Where it is from.
    pub name: String,
    /// Ticks per second.
    pub hz: f64,
    /// How far it is from the measured one, in parts per million of it.
    pub ppm: f64,
}

/// A cost at the program's start and at the snapshot, and how far it varied in between.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Drift {
    /// At first use.
    pub start: f64,
    /// At the snapshot.
    pub end: f64,
    /// Largest less smallest of all that was seen.
    pub spread: f64,
}

/// A place in the source that was never called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// Its name.
    pub name: String,
    /// The file as the compiler names it.
    pub file: String,
    /// The line of its attribute or macro.
    pub line: u32,
}

/// What a site is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A function.
    #[default]
    Fn,
    /// An `async` function.
    Async,
    /// `scope!`.
    Scope,
    /// `block!`.
    Block,
    /// `hop!`.
    Hop,
}

/// How far a site's figures can be trusted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Within `uncertainty_ns`.
    #[default]
    Ok,
    /// The clock cannot tell `typical_ns` from zero.
    BelowResolution,
    /// Relaxed readings, which cannot be corrected, or totals scaled up from a sample.
    Estimated,
}

/// One site's figures, over all lanes.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct SiteStats {
    /// Full path, or the name given.
    pub name: String,
    /// The module it is in.
    pub module: String,
    /// The file as the compiler names it.
    pub file: String,
    /// The line of its attribute or macro.
    pub line: u32,
    /// What it is.
    pub kind: Kind,
    /// Calls that finished, timed or not.
    pub calls: u64,
    /// Those that were timed: the counts of `buckets`, and `negative`.
    pub timed: u64,
    /// Activations that have not returned.
    pub in_flight: u64,
    /// Their time so far (of recursive ones, the outermost's).
    pub in_flight_ns: f64,
    /// Their own time so far, without timed callees.
    pub in_flight_self_ns: f64,
    /// Timed calls that began and ended on different CPUs (their readings are kept).
    pub migrated: u64,
    /// The sum of their readings.
    pub migrated_ns: f64,
    /// The largest of their readings.
    pub migrated_max_ns: f64,
    /// Readings below zero: the end's CPU had a counter behind the start's.
    pub negative: u64,
    /// Futures dropped before they were ready.
    pub cancelled: u64,
    /// Time in outermost activations, callees included.
    pub total_ns: f64,
    /// Time in it without its timed callees.
    pub self_ns: f64,
    /// `self_ns` and `in_flight_self_ns`, each at least zero, as a share of all sites' (0 to 100).
    pub self_percent: f64,
    /// `total_ns` / `calls`.
    pub mean_ns: f64,
    /// The mean without the largest hundredth of the readings.
    pub typical_ns: f64,
    /// Smallest reading.
    pub min_ns: f64,
    /// Largest reading.
    pub max_ns: f64,
    /// The ± of `typical_ns` (at 95 %).
    pub uncertainty_ns: f64,
    /// The ± of `self_ns`.
    pub self_uncertainty_ns: f64,
    /// The ± of `total_ns`.
    pub total_uncertainty_ns: f64,
    /// How far to trust it.
    pub verdict: Verdict,
    /// The distribution of the timed calls' inclusive time, lowest first, empty buckets left out.
    pub buckets: Vec<Bucket>,
    /// What only futures have.
    pub futures: Option<Futures>,
}

/// Readings from `low_ns` up to, not including, `high_ns`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Bucket {
    /// Its lower edge.
    pub low_ns: f64,
    /// Its upper edge.
    pub high_ns: f64,
    /// How many readings fell into it.
    pub count: u64,
    /// Its lower edge as it was recorded, in ticks.
    pub low_ticks: u64,
}

/// What is known of a future beside its wall time.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Futures {
    /// Polls of all its futures.
    pub polls: u64,
    /// Time inside polls.
    pub busy_ns: f64,
    /// Time between them.
    pub idle_ns: f64,
    /// The longest poll.
    pub longest_poll_ns: f64,
}

/// One site under one caller.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct TreeNode {
    /// Index into `Snapshot::sites`.
    pub site: usize,
    /// Index into `Snapshot::tree`; none for what no timed function called.
    pub parent: Option<usize>,
    /// Finished calls, estimated where the site samples.
    pub calls: u64,
    /// Time in outermost activations here, callees included.
    pub total_ns: f64,
    /// Time here without timed callees.
    pub self_ns: f64,
}

impl SiteStats {
    /// The smallest recorded value that at least the share `q` (0 to 1) of the readings does not
    /// exceed, within the bucket's width of two significant digits; `min_ns` at 0, `max_ns` at 1,
    /// 0 without readings. Readings below zero are left out.
    #[must_use]
    pub fn quantile_ns(&self, q: f64) -> f64 {
        let total: u64 =
            self.buckets.iter().fold(0, |sum, bucket| sum.saturating_add(bucket.count));
        if total == 0 {
            return 0.0;
        }
        let rank = ((q.clamp(0.0, 1.0) * total as f64).ceil() as u64).clamp(1, total);
        if rank == total && q >= 1.0 {
            return self.max_ns;
        }
        let mut seen = 0;
        for bucket in &self.buckets {
            seen = u64::saturating_add(seen, bucket.count);
            if seen >= rank {
                let middle = f64::midpoint(bucket.low_ns, bucket.high_ns);
                return if q <= 0.0 {
                    self.min_ns
                } else {
                    middle.max(self.min_ns).min(self.max_ns)
                };
            }
        }
        self.max_ns
    }
}

impl Kind {
    /// Its name in the JSON report.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Fn => "fn",
            Kind::Async => "async",
            Kind::Scope => "scope",
            Kind::Block => "block",
            Kind::Hop => "hop",
        }
    }
}

impl Verdict {
    /// Its name in the JSON report.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::BelowResolution => "below_resolution",
            Verdict::Estimated => "estimated",
        }
    }
}

impl ClockSource {
    /// Its name in the JSON report.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            ClockSource::Tsc => "tsc",
            ClockSource::Cntvct => "cntvct",
            ClockSource::Monotonic => "monotonic",
        }
    }
}
