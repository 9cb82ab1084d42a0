//! A site's distribution as hdrhistogram's type, for whoever wants to go on calculating with it.

use super::model::SiteStats;
use hdrhistogram::Histogram;

impl SiteStats {
    /// The corrected readings in nanoseconds, at two significant digits. What came out below zero
    /// counts as 0; a reading stands for the middle of its bucket.
    #[must_use]
    pub fn histogram_ns(&self) -> Histogram<u64> {
        fill(self.buckets.iter().map(|bucket| {
            (f64::midpoint(bucket.low_ns, bucket.high_ns).max(0.0).round() as u64, bucket.count)
        }))
    }

    /// The readings as they were recorded, in ticks of the clock, bucket for bucket: less what the
    /// probes inside took, but not less the floor.
    #[must_use]
    pub fn histogram_ticks(&self) -> Histogram<u64> {
        fill(self.buckets.iter().map(|bucket| (bucket.low_ticks, bucket.count)))
    }
}

fn fill(readings: impl Iterator<Item = (u64, u64)>) -> Histogram<u64> {
    // Two digits are within what the constructor takes.
    let mut histogram =
        Histogram::new(2).unwrap_or_else(|_| unreachable!("two digits are allowed"));
    for (value, count) in readings {
        // A histogram that resizes itself takes every value.
        let _ = histogram.record_n(value, count);
    }
    histogram
}
