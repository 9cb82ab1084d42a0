//! The JSON report, schema `timed/1`.
//!
//! The keys come in the order in which the schema lists them; those after the schema's own
//! (`threads`, `dropped`, `notes`; `migrated_ns`, `migrated_max_ns`, `self_percent`) may be
//! missing in reports of other versions. `async` is there for futures only.
//!
//! It is written by hand, and not by `serde_json`, because what we depend on is in the user's build,
//! and its impls are seen by the user's type inference: with `u8: PartialEq<serde_json::Value>`
//! around, `assert_eq!(bytes, &[])` is ambiguous.

use std::fmt;
use std::io;

use super::percent::share;
use crate::snapshot::model::{Clock, Drift, Futures, Place, SiteStats, Snapshot, TreeNode};

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
    let mut json =
        Json { out: io::BufWriter::new(out), fault: Ok(()), separate: false, replaced: 0 };
    json.object(|json| report(json, snapshot, quantiles));
    json.put("\n");
    json.fault.and_then(|()| io::Write::flush(&mut json.out))
}

/// A JSON text on its way out.
struct Json<W: io::Write> {
    out: io::BufWriter<W>,
    /// The first error of `out`. Nothing is written after it.
    fault: io::Result<()>,
    /// Whether something stands in the innermost object already.
    separate: bool,
    /// Figures that were not finite.
    replaced: u64,
}

impl<W: io::Write> Json<W> {
    fn put(&mut self, text: &str) {
        self.put_args(format_args!("{text}"));
    }

    fn put_args(&mut self, text: fmt::Arguments) {
        if self.fault.is_ok() {
            self.fault = io::Write::write_fmt(&mut self.out, text);
        }
    }

    fn object(&mut self, entries: impl FnOnce(&mut Self)) {
        self.put("{");
        self.separate = false;
        entries(self);
        self.put("}");
        self.separate = true;
    }

    /// What comes next is the value of this key.
    fn key(&mut self, key: &str) -> &mut Self {
        if self.separate {
            self.put(",");
        }
        self.separate = true;
        self.put_args(format_args!("\"{key}\":"));
        self
    }

    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        self.put("[");
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.put(",");
            }
            write(self, item);
        }
        self.put("]");
    }

    fn string(&mut self, text: &str) {
        self.put("\"");
        let mut rest = text;
        while let Some(at) = rest.find(|c| matches!(c, '"' | '\\' | '\0'..' ')) {
            self.put(&rest[..at]);
            match rest.as_bytes()[at] {
                b'\n' => self.put("\\n"),
                b'\r' => self.put("\\r"),
                b'\t' => self.put("\\t"),
                control @ 0..b' ' => self.put_args(format_args!("\\u{control:04x}")),
                quoted => self.put_args(format_args!("\\{}", char::from(quoted))),
            }
            rest = &rest[at + 1..];
        }
        self.put(rest);
        self.put("\"");
    }

    fn count(&mut self, count: u64) {
        self.put_args(format_args!("{count}"));
    }

    /// As many digits as it takes to read the same number again.
    fn figure(&mut self, value: f64) {
        if value.is_finite() {
            self.put_args(format_args!("{value:?}"));
        } else {
            self.replaced += 1;
            self.put("0.0");
        }
    }
}

fn report<W: io::Write>(json: &mut Json<W>, snapshot: &Snapshot, quantiles: &[f64]) {
    json.key("schema").string("timed/1");
    json.key("pid").count(snapshot.pid.into());
    json.key("program").string(&snapshot.program);
    json.key("wall_ns").figure(snapshot.wall_ns);
    json.key("lanes").count(snapshot.lanes);
    json.key("probe_ns").figure(snapshot.probe_ns);
    json.key("clock").object(|json| clock(json, &snapshot.clock));
    json.key("sites").list(&snapshot.sites, |json, entry| {
        json.object(|json| site(json, entry, quantiles));
    });
    json.key("never_called").list(&snapshot.never_called, |json, entry| {
        json.object(|json| place(json, entry));
    });
    json.key("tree").list(&snapshot.tree, |json, entry| json.object(|json| node(json, entry)));
    json.key("threads").count(snapshot.threads);
    json.key("dropped").count(snapshot.dropped);
    // Last, because only now it is known how many figures were replaced.
    let replaced = (json.replaced > 0)
        .then(|| format!("{} figures that were not finite are written as 0", json.replaced));
    json.key("notes").list(snapshot.notes.iter().chain(&replaced), |json, note| json.string(note));
}

fn clock<W: io::Write>(json: &mut Json<W>, clock: &Clock) {
    json.key("source").string(clock.source.as_str());
    json.key("reason").string(&clock.reason);
    json.key("hz").figure(clock.hz);
    json.key("hz_error_ppm").figure(clock.hz_error_ppm);
    json.key("checks").list(&clock.checks, |json, check| {
        json.object(|json| {
            json.key("name").string(&check.name);
            json.key("hz").figure(check.hz);
            json.key("ppm").figure(check.ppm);
        });
    });
    json.key("resolution_ns").figure(clock.resolution_ns);
    json.key("floor_ns").object(|json| drift(json, clock.floor_ns));
    json.key("outside_ns").object(|json| drift(json, clock.outside_ns));
}

fn drift<W: io::Write>(json: &mut Json<W>, drift: Drift) {
    json.key("start").figure(drift.start);
    json.key("end").figure(drift.end);
    json.key("spread").figure(drift.spread);
}

fn site<W: io::Write>(json: &mut Json<W>, site: &SiteStats, quantiles: &[f64]) {
    json.key("name").string(&site.name);
    json.key("module").string(&site.module);
    json.key("file").string(&site.file);
    json.key("line").count(site.line.into());
    json.key("kind").string(site.kind.as_str());
    json.key("calls").count(site.calls);
    json.key("timed").count(site.timed);
    json.key("in_flight").count(site.in_flight);
    json.key("in_flight_ns").figure(site.in_flight_ns);
    json.key("in_flight_self_ns").figure(site.in_flight_self_ns);
    json.key("migrated").count(site.migrated);
    json.key("migrated_ns").figure(site.migrated_ns);
    json.key("migrated_max_ns").figure(site.migrated_max_ns);
    json.key("negative").count(site.negative);
    json.key("cancelled").count(site.cancelled);
    json.key("total_ns").figure(site.total_ns);
    json.key("self_ns").figure(site.self_ns);
    json.key("mean_ns").figure(site.mean_ns);
    json.key("typical_ns").figure(site.typical_ns);
    json.key("min_ns").figure(site.min_ns);
    json.key("max_ns").figure(site.max_ns);
    json.key("uncertainty_ns").figure(site.uncertainty_ns);
    json.key("self_uncertainty_ns").figure(site.self_uncertainty_ns);
    json.key("total_uncertainty_ns").figure(site.total_uncertainty_ns);
    json.key("verdict").string(site.verdict.as_str());
    json.key("quantiles").list(quantiles, |json, &percent| {
        let q = share(percent);
        json.object(|json| {
            json.key("q").figure(q);
            json.key("ns").figure(site.quantile_ns(q));
        });
    });
    json.key("histogram").object(|json| {
        json.key("unit").string("ns");
        json.key("buckets").list(&site.buckets, |json, bucket| {
            json.put("[");
            json.figure(bucket.low_ns);
            json.put(",");
            json.figure(bucket.high_ns);
            json.put_args(format_args!(",{}]", bucket.count));
        });
    });
    if let Some(entry) = site.futures {
        json.key("async").object(|json| futures(json, entry));
    }
    json.key("migrated_ns").figure(site.migrated_ns);
    json.key("migrated_max_ns").figure(site.migrated_max_ns);
    json.key("self_percent").figure(site.self_percent);
}

fn futures<W: io::Write>(json: &mut Json<W>, futures: Futures) {
    json.key("polls").count(futures.polls);
    json.key("busy_ns").figure(futures.busy_ns);
    json.key("idle_ns").figure(futures.idle_ns);
    json.key("longest_poll_ns").figure(futures.longest_poll_ns);
}

fn place<W: io::Write>(json: &mut Json<W>, place: &Place) {
    json.key("name").string(&place.name);
    json.key("file").string(&place.file);
    json.key("line").count(place.line.into());
}

fn node<W: io::Write>(json: &mut Json<W>, node: &TreeNode) {
    json.key("site").count(node.site as u64);
    match node.parent {
        Some(parent) => json.key("parent").count(parent as u64),
        None => json.key("parent").put("null"),
    }
    json.key("calls").count(node.calls);
    json.key("total_ns").figure(node.total_ns);
    json.key("self_ns").figure(node.self_ns);
}
