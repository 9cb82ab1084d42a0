//! Distributions against all their readings in a sorted vector.

use crate::recorder::histogram::LIMIT;
use crate::report::random::Random;
use crate::snapshot::data::SlotData;
use crate::snapshot::distribution::Distribution;
use crate::snapshot::model::{Bucket, SiteStats};

/// Readings of many kinds: a constant, a few values, all magnitudes, a crowd with outliers.
fn readings(random: &mut Random) -> Vec<u64> {
    let most = if random.below(4) == 0 { 3000 } else { 60 };
    let count = 1 + random.below(most);
    let kind = random.below(5);
    let base = random.next() >> (18 + random.below(40));
    (0..count)
        .map(|_| match kind {
            0 => base,
            1 => base + random.next() % 4,
            2 => random.next() >> (18 + random.below(46)),
            3 if random.below(200) == 0 => base.saturating_mul(1000).min(1 << 45),
            _ => base + (random.next() % (base / 4 + 2)),
        })
        .map(|reading| reading.min(LIMIT - 1))
        .collect()
}

/// Within two significant digits: a bucket is at most a 128th of its readings wide.
fn close(found: f64, exact: f64) -> bool {
    (found - exact).abs() <= 0.51 + exact.abs() / 128.0
}

fn stats(distribution: &Distribution) -> SiteStats {
    let shift = distribution.shift();
    let buckets = distribution.buckets().map(|(low, width, count)| Bucket {
        low_ns: low as f64 - shift,
        high_ns: (low + width) as f64 - shift,
        count,
        low_ticks: low,
    });
    SiteStats {
        buckets: buckets.collect(),
        min_ns: distribution.low,
        max_ns: distribution.high,
        ..SiteStats::default()
    }
}

#[test]
fn distributions_are_their_sorted_readings() {
    let mut random = Random::new();
    for _ in 0..400 {
        let mut all = readings(&mut random);
        let shift = random.below(3) as f64 * 13.5;
        // Over some lanes, in any order.
        let mut lanes = vec![SlotData::default(); 1 + random.below(4)];
        for value in &all {
            let lane = random.below(lanes.len());
            lanes[lane].add(*value as i64);
        }
        let mut distribution = Distribution::default();
        for lane in &lanes {
            distribution.add(lane, shift);
        }
        all.sort_unstable();

        let (first, last) = (all[0] as f64 - shift, all[all.len() - 1] as f64 - shift);
        assert_eq!(distribution.count, all.len() as u64);
        assert!((distribution.low, distribution.high) == (first, last), "{distribution:?}");
        assert!((distribution.shift() - shift).abs() < 1e-9);

        let mut at = 0;
        for (low, width, count) in distribution.buckets() {
            for value in &all[at..at + count as usize] {
                assert!((low..low + width).contains(value), "{value} in {low}+{width}");
            }
            at += count as usize;
        }
        assert_eq!(at, all.len());

        let kept = &all[..all.len() - all.len() / 100];
        let mean = kept.iter().map(|value| *value as f64).sum::<f64>() / kept.len() as f64 - shift;
        let (typical, error) = distribution.typical(1.0).expect("there are readings");
        // Exact but for the readings that were cut, for which their buckets stand.
        let cut = &all[kept.len()..];
        let blur =
            cut.iter().map(|value| *value as f64 / 128.0 + 0.5).sum::<f64>() / kept.len() as f64;
        assert!(
            (typical - mean).abs() <= blur + 1e-9 * mean.abs() + 1e-6,
            "{typical} is not {mean} ± {blur}"
        );
        assert!(error.is_finite() && error > 0.0, "{error}");

        let stats = stats(&distribution);
        for q in [0.0, 0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1.0, random.share()] {
            let rank = ((q * all.len() as f64).ceil() as usize).clamp(1, all.len());
            let exact = all[rank - 1] as f64 - shift;
            let found = stats.quantile_ns(q);
            assert!(close(found + shift, exact + shift), "{q}: {found} is not {exact}");
            assert!(found >= first && found <= last, "{q}: {found} not from {first} to {last}");
        }
    }
}

#[test]
fn handed_out_histograms_have_the_same_readings() {
    let mut random = Random::new();
    for _ in 0..50 {
        let mut all = readings(&mut random);
        let mut slot = SlotData::default();
        for value in &all {
            slot.add(*value as i64);
        }
        let mut distribution = Distribution::default();
        distribution.add(&slot, 0.0);
        let stats = stats(&distribution);
        all.sort_unstable();
        let (ticks, ns) = (stats.histogram_ticks(), stats.histogram_ns());
        assert_eq!((ticks.len(), ns.len()), (all.len() as u64, all.len() as u64));
        for q in [0.0, 0.25, 0.5, 0.99, 1.0] {
            let rank = ((q * all.len() as f64).ceil() as usize).clamp(1, all.len());
            let exact = all[rank - 1] as f64;
            for found in [ticks.value_at_quantile(q) as f64, ns.value_at_quantile(q) as f64] {
                assert!((found - exact).abs() <= 1.0 + exact / 60.0, "{q}: {found} is not {exact}");
            }
        }
    }
}

#[test]
fn readings_below_zero_and_above_the_last_bucket_keep_sum_and_range() {
    let mut slot = SlotData::default();
    let values = [-400, -1, 0, 1, 1 << 50];
    for value in values {
        slot.add(value);
    }
    let mut distribution = Distribution::default();
    distribution.add(&slot, 0.0);
    assert_eq!(distribution.count, 5);
    assert!((distribution.low, distribution.high) == (-400.0, (1_u64 << 50) as f64));
    let (typical, _) = distribution.typical(1.0).expect("there are readings");
    let mean = values.iter().sum::<i64>() as f64 / 5.0;
    assert!((typical - mean).abs() < 1.0, "{typical} is not {mean}");
}

#[test]
fn nothing_is_in_an_empty_one() {
    let distribution = Distribution::default();
    assert!(distribution.typical(1.0).is_none());
    assert!(distribution.shift() == 0.0 && distribution.buckets().next().is_none());
    let stats = SiteStats::default();
    assert!(stats.quantile_ns(0.5) == 0.0 && stats.histogram_ns().is_empty());
}
