//! The JSON report, schema `timed/1`.
//!
//! The keys come in the order in which the schema lists them; those after the schema's own
//! (`threads`, `dropped`, `notes`; `migrated_ns`, `migrated_max_ns`, `self_percent`) may be
//! missing in reports of other versions. `async` is there for futures only.

use std::cell::Cell;
use std::io;

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use super::percent::share;
use crate::snapshot::model::{
    Bucket, Check, Clock, Drift, Futures, Place, SiteStats, Snapshot, TreeNode,
};

/// Writes the snapshot as one JSON object and a newline, with these quantiles (in percent) of
/// each site.
///
/// JSON has no way to write a number that is not finite. Such a one, which no sound snapshot
/// holds, is written as 0, and a note at the end says how many there were.
///
/// # Errors
/// Those of `out`.
pub(crate) fn write(
    snapshot: &Snapshot,
    quantiles: &[f64],
    out: &mut impl io::Write,
) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    let replaced = Cell::new(0);
    let report = Report::new(snapshot, quantiles, &replaced);
    serde_json::to_writer(&mut out, &report)?;
    io::Write::write_all(&mut out, b"\n")?;
    io::Write::flush(&mut out)
}

/// A figure, and where to count it if it is not finite.
#[derive(Clone, Copy)]
struct Number<'a>(f64, &'a Cell<u64>);

impl Serialize for Number<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Number(value, replaced) = *self;
        if value.is_finite() {
            serializer.serialize_f64(value)
        } else {
            replaced.set(replaced.get() + 1);
            serializer.serialize_f64(0.0)
        }
    }
}

/// Objects of the report, their keys in the order of the fields. A field with a key of its own is left
/// out where there is nothing in it.
///
/// Not `serde_derive`: with it nothing here was compiled before all of `syn` was.
macro_rules! objects {
    ($(struct $name:ident<$life:lifetime> { $($field:ident $($key:literal)?: $type:ty,)* })*) => { $(
        struct $name<$life> { $($field: $type,)* }

        impl Serialize for $name<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let fields = [$(stringify!($field)),*].len();
                let mut object = serializer.serialize_struct(stringify!($name), fields)?;
                $(objects!(@field object self $field $($key)?);)*
                object.end()
            }
        }
    )* };
    (@field $object:ident $self:ident $field:ident) => {
        $object.serialize_field(stringify!($field), &$self.$field)?
    };
    (@field $object:ident $self:ident $field:ident $key:literal) => {
        if let Some(value) = &$self.$field {
            $object.serialize_field($key, value)?;
        }
    };
}

objects! {
    struct Report<'a> {
        schema: &'static str,
        pid: u32,
        program: &'a str,
        wall_ns: Number<'a>,
        lanes: u64,
        probe_ns: Number<'a>,
        clock: WireClock<'a>,
        sites: Vec<WireSite<'a>>,
        never_called: Vec<WirePlace<'a>>,
        tree: Vec<WireNode<'a>>,
        threads: u64,
        dropped: u64,
        notes: Notes<'a>,
    }

    struct WireClock<'a> {
        source: &'static str,
        reason: &'a str,
        hz: Number<'a>,
        hz_error_ppm: Number<'a>,
        checks: Vec<WireCheck<'a>>,
        resolution_ns: Number<'a>,
        floor_ns: WireDrift<'a>,
        outside_ns: WireDrift<'a>,
    }

    struct WireCheck<'a> {
        name: &'a str,
        hz: Number<'a>,
        ppm: Number<'a>,
    }

    struct WireDrift<'a> {
        start: Number<'a>,
        end: Number<'a>,
        spread: Number<'a>,
    }

    struct WireSite<'a> {
        name: &'a str,
        module: &'a str,
        file: &'a str,
        line: u32,
        kind: &'static str,
        calls: u64,
        timed: u64,
        in_flight: u64,
        in_flight_ns: Number<'a>,
        in_flight_self_ns: Number<'a>,
        migrated: u64,
        negative: u64,
        cancelled: u64,
        total_ns: Number<'a>,
        self_ns: Number<'a>,
        mean_ns: Number<'a>,
        typical_ns: Number<'a>,
        min_ns: Number<'a>,
        max_ns: Number<'a>,
        uncertainty_ns: Number<'a>,
        self_uncertainty_ns: Number<'a>,
        verdict: &'static str,
        quantiles: Vec<WireQuantile<'a>>,
        histogram: WireHistogram<'a>,
        futures "async": Option<WireFutures<'a>>,
        migrated_ns: Number<'a>,
        migrated_max_ns: Number<'a>,
        self_percent: Number<'a>,
    }

    struct WireQuantile<'a> {
        q: f64,
        ns: Number<'a>,
    }

    struct WireHistogram<'a> {
        unit: &'static str,
        buckets: Buckets<'a>,
    }

    struct WireFutures<'a> {
        polls: u64,
        busy_ns: Number<'a>,
        idle_ns: Number<'a>,
        longest_poll_ns: Number<'a>,
    }

    struct WirePlace<'a> {
        name: &'a str,
        file: &'a str,
        line: u32,
    }

    struct WireNode<'a> {
        site: usize,
        parent: Option<usize>,
        calls: u64,
        total_ns: Number<'a>,
        self_ns: Number<'a>,
    }
}

/// `[[low, high, count], …]`, not built before it is written: there may be many.
struct Buckets<'a>(&'a [Bucket], &'a Cell<u64>);

impl Serialize for Buckets<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Buckets(buckets, replaced) = *self;
        serializer.collect_seq(buckets.iter().map(|bucket| {
            let edge = |ns| Number(ns, replaced);
            (edge(bucket.low_ns), edge(bucket.high_ns), bucket.count)
        }))
    }
}

/// The snapshot's notes, and one on what was replaced: complete only because they come last.
struct Notes<'a>(&'a [String], &'a Cell<u64>);

impl Serialize for Notes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Notes(notes, replaced) = *self;
        let added = (replaced.get() > 0).then(|| {
            let replaced = replaced.get();
            format!("{replaced} figures that were not finite are written as 0")
        });
        serializer.collect_seq(notes.iter().chain(added.as_ref()))
    }
}

impl<'a> Report<'a> {
    fn new(snapshot: &'a Snapshot, quantiles: &[f64], replaced: &'a Cell<u64>) -> Self {
        let number = |value| Number(value, replaced);
        Report {
            schema: "timed/1",
            pid: snapshot.pid,
            program: &snapshot.program,
            wall_ns: number(snapshot.wall_ns),
            lanes: snapshot.lanes,
            probe_ns: number(snapshot.probe_ns),
            clock: WireClock::new(&snapshot.clock, replaced),
            sites: snapshot
                .sites
                .iter()
                .map(|site| WireSite::new(site, quantiles, replaced))
                .collect(),
            never_called: snapshot.never_called.iter().map(WirePlace::new).collect(),
            tree: snapshot.tree.iter().map(|node| WireNode::new(node, replaced)).collect(),
            threads: snapshot.threads,
            dropped: snapshot.dropped,
            notes: Notes(&snapshot.notes, replaced),
        }
    }
}

impl<'a> WireClock<'a> {
    fn new(clock: &'a Clock, replaced: &'a Cell<u64>) -> Self {
        let number = |value| Number(value, replaced);
        let drift = |cost: Drift| WireDrift {
            start: number(cost.start),
            end: number(cost.end),
            spread: number(cost.spread),
        };
        let check = |check: &'a Check| WireCheck {
            name: &check.name,
            hz: number(check.hz),
            ppm: number(check.ppm),
        };
        WireClock {
            source: clock.source.as_str(),
            reason: &clock.reason,
            hz: number(clock.hz),
            hz_error_ppm: number(clock.hz_error_ppm),
            checks: clock.checks.iter().map(check).collect(),
            resolution_ns: number(clock.resolution_ns),
            floor_ns: drift(clock.floor_ns),
            outside_ns: drift(clock.outside_ns),
        }
    }
}

impl<'a> WireSite<'a> {
    fn new(site: &'a SiteStats, quantiles: &[f64], replaced: &'a Cell<u64>) -> Self {
        let number = |value| Number(value, replaced);
        let quantile = |&percent: &f64| {
            let q = share(percent);
            let ns = number(site.quantile_ns(q));
            WireQuantile { q, ns }
        };
        let futures = |futures: Futures| WireFutures {
            polls: futures.polls,
            busy_ns: number(futures.busy_ns),
            idle_ns: number(futures.idle_ns),
            longest_poll_ns: number(futures.longest_poll_ns),
        };
        WireSite {
            name: &site.name,
            module: &site.module,
            file: &site.file,
            line: site.line,
            kind: site.kind.as_str(),
            calls: site.calls,
            timed: site.timed,
            in_flight: site.in_flight,
            in_flight_ns: number(site.in_flight_ns),
            in_flight_self_ns: number(site.in_flight_self_ns),
            migrated: site.migrated,
            negative: site.negative,
            cancelled: site.cancelled,
            total_ns: number(site.total_ns),
            self_ns: number(site.self_ns),
            mean_ns: number(site.mean_ns),
            typical_ns: number(site.typical_ns),
            min_ns: number(site.min_ns),
            max_ns: number(site.max_ns),
            uncertainty_ns: number(site.uncertainty_ns),
            self_uncertainty_ns: number(site.self_uncertainty_ns),
            verdict: site.verdict.as_str(),
            quantiles: quantiles.iter().map(quantile).collect(),
            histogram: WireHistogram { unit: "ns", buckets: Buckets(&site.buckets, replaced) },
            futures: site.futures.map(futures),
            migrated_ns: number(site.migrated_ns),
            migrated_max_ns: number(site.migrated_max_ns),
            self_percent: number(site.self_percent),
        }
    }
}

impl<'a> WirePlace<'a> {
    fn new(place: &'a Place) -> Self {
        WirePlace { name: &place.name, file: &place.file, line: place.line }
    }
}

impl<'a> WireNode<'a> {
    fn new(node: &TreeNode, replaced: &'a Cell<u64>) -> Self {
        WireNode {
            site: node.site,
            parent: node.parent,
            calls: node.calls,
            total_ns: Number(node.total_ns, replaced),
            self_ns: Number(node.self_ns, replaced),
        }
    }
}
