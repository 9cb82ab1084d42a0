//! Which bucket a reading falls into: hdrhistogram's layout at two significant digits, unit 1.
//!
//! Octave 0 holds 0 to 127, one value a bucket; octave 1 128 to 255, likewise; octave k from there
//! on 2⁶⁺ᵏ to 2⁷⁺ᵏ − 1 in 128 buckets of 2ᵏ⁻¹.

use super::layout::{BUCKETS, OCTAVES};

/// Readings from here on go into the last bucket.
pub(crate) const LIMIT: u64 = 1 << (OCTAVES as u32 + 6);

/// Octave and bucket of a reading below [`LIMIT`].
#[inline(always)]
pub(crate) fn place(ticks: u64) -> (usize, usize) {
    // With v | 255 the first two octaves share the shift 0.
    let shift = (u64::BITS - 8) - (ticks | 255).leading_zeros();
    let scaled = (ticks >> shift) as usize;
    // `scaled` is 128 to 255, or below 128 in octave 0.
    (shift as usize + (scaled >> 7), scaled & (BUCKETS - 1))
}

/// Row and bucket, as a slot stores them: the two octaves below 256 ticks, in which a bucket is one
/// value, are one row of 256, so that for the shortest functions nothing is to be worked out.
#[inline(always)]
pub(crate) fn stored(ticks: u64) -> (usize, usize) {
    if ticks < 2 * BUCKETS as u64 {
        return (0, ticks as usize);
    }
    // Its first bit is the eighth of the scaled value.
    let shift = ticks.ilog2() - BUCKETS.ilog2();
    (shift as usize, (ticks >> shift) as usize & (BUCKETS - 1))
}

/// A bucket's smallest reading, and how many different readings fall into it.
pub(crate) fn range(octave: usize, bucket: usize) -> (u64, u64) {
    match octave {
        0 => (bucket as u64, 1),
        _ => ((BUCKETS + bucket) as u64 * (1 << (octave - 1)), 1 << (octave - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_octaves_but_for_the_first_two() {
        for value in
            (0..5000).chain((8..46).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 77]))
        {
            let (octave, bucket) = place(value);
            let expected =
                if octave < 2 { (0, octave * BUCKETS + bucket) } else { (octave - 1, bucket) };
            assert_eq!(stored(value), expected, "{value}");
        }
    }

    #[test]
    fn buckets_are_hdrhistograms() {
        let mut theirs =
            hdrhistogram::Histogram::<u64>::new_with_bounds(1, LIMIT, 2).expect("valid bounds");
        theirs.auto(false);
        let mut value = 1_u64;
        while value < LIMIT {
            for v in [value - 1, value, value + 1] {
                let v = v.min(LIMIT - 1);
                let (octave, bucket) = place(v);
                let (low, width) = range(octave, bucket);
                assert_eq!(low, theirs.lowest_equivalent(v), "{v}");
                assert_eq!(low + width, theirs.next_non_equivalent(v), "{v}");
            }
            value += value / 37 + 1;
        }
    }
}
