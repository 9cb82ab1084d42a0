//! Random input for tests, repeatable by `SEED=…`.

use std::time::{SystemTime, UNIX_EPOCH};

/// The generator `SplitMix64`.
pub(crate) struct Random(u64);

impl Random {
    /// Seeded from the variable `SEED`, else from the time; a failing test shows which it was.
    pub(crate) fn new() -> Self {
        let given = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = given.unwrap_or_else(|| {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            now.map_or(0, |since| since.as_nanos() as u64)
        });
        println!("SEED={seed}");
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to, not including, `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// From 0 up to, not including, 1.
    pub(crate) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Fewer than `end` of the `letters`.
    pub(crate) fn text(&mut self, letters: &[char], end: usize) -> String {
        (0..self.below(end)).map(|_| letters[self.below(letters.len())]).collect()
    }
}
