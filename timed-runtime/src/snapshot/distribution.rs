//! A site's readings over all lanes: buckets, exact sums, and the mean that the report calls typical.

use super::data::SlotData;
use crate::recorder::histogram;
use crate::recorder::layout::{BUCKETS, OCTAVES};

/// A distribution in ticks, over several lanes: as recorded, with what is to be taken off.
#[derive(Debug, Clone)]
pub(crate) struct Distribution {
    /// Those that hold anything: for a site that is called in one way, a few of them.
    octaves: Vec<Option<Box<Octave>>>,
    /// Sum of the shifts of all readings.
    shift_sum: f64,
    pub(crate) count: u64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// The readings of an octave.
#[derive(Debug, Clone)]
struct Octave {
    sum: i64,
    counts: [u64; BUCKETS],
}

impl Octave {
    const EMPTY: Self = Self { sum: 0, counts: [0; BUCKETS] };
}

impl Default for Distribution {
    fn default() -> Self {
        Self {
            octaves: vec![None; OCTAVES],
            shift_sum: 0.0,
            count: 0,
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
        }
    }
}

impl Distribution {
    /// Adds one lane's readings, each of which is `shift` ticks too long.
    pub(crate) fn add(&mut self, slot: &SlotData, shift: f64) {
        let mut count = 0;
        for octave in &slot.octaves {
            let merged = self.octaves[octave.index].get_or_insert_with(|| Box::new(Octave::EMPTY));
            merged.sum = merged.sum.wrapping_add(octave.sum);
            for (bucket, more) in &octave.counts {
                merged.counts[*bucket] += more;
                count += more;
            }
        }
        self.count += count;
        self.shift_sum += shift * count as f64;
        if let Some((low, high)) = slot.range {
            self.low = self.low.min(low as f64 - shift);
            self.high = self.high.max(high as f64 - shift);
        }
    }

    /// What is to be taken off a reading, on the average.
    pub(crate) fn shift(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.shift_sum / self.count as f64 }
    }

    /// The octaves that hold anything, lowest first.
    fn octaves(&self) -> impl Iterator<Item = (usize, &Octave)> {
        self.octaves.iter().enumerate().filter_map(|(at, octave)| Some((at, octave.as_deref()?)))
    }

    /// The buckets that hold anything, lowest first: lowest reading, width, count.
    pub(crate) fn buckets(&self) -> impl Iterator<Item = (u64, u64, u64)> {
        self.octaves().flat_map(|(octave, readings)| {
            readings.counts.iter().enumerate().filter(|(_, count)| **count > 0).map(
                move |(bucket, count)| {
                    let (low, width) = histogram::range(octave, bucket);
                    (low, width, *count)
                },
            )
        })
    }

    /// The mean without the ⌊n/100⌋ largest readings, less the shift, and its standard error from
    /// the readings' spread and a clock that advances in steps of `step`.
    ///
    /// Octaves that stay whole give their exact sums; only in the one that is cut do buckets stand
    /// for their readings.
    pub(crate) fn typical(&self, step: f64) -> Option<(f64, f64)> {
        let kept = self.count - self.count / 100;
        if kept == 0 {
            return None;
        }
        let (mut sum, mut middles, mut squares, mut seen) = (0.0, 0.0, 0.0, 0);
        for (octave, readings) in self.octaves() {
            let in_octave: u64 = readings.counts.iter().sum();
            if in_octave == 0 || seen == kept {
                continue;
            }
            let mut cut_sum = readings.sum as f64;
            let (mut take, mut cut) = ((kept - seen).min(in_octave), 0.0);
            seen += take;
            for (bucket, count) in readings.counts.iter().enumerate() {
                let (low, width) = histogram::range(octave, bucket);
                let middle = low as f64 + (width - 1) as f64 / 2.0;
                let taken = take.min(*count);
                take -= taken;
                cut += middle * (count - taken) as f64;
                middles += middle * taken as f64;
                squares += middle * middle * taken as f64;
            }
            cut_sum -= cut;
            sum += cut_sum;
        }
        let kept = kept as f64;
        // The spread is that of the buckets' middles, about their own mean: beside the exact one, a
        // single long reading would seem to spread.
        let middle = middles / kept;
        let variance = (squares / kept - middle * middle).max(0.0) + step * step / 12.0;
        Some((sum / kept - self.shift(), (variance / kept).sqrt()))
    }
}
