//! A market that is made up: a random walk of prices, sent as text.

use std::fmt::Write as _;
use timed::timed;

/// What is traded. The walk begins at one price for all.
pub(crate) const SYMBOLS: [&str; 8] =
    ["ALFA", "BETA", "GAMA", "DELT", "EPSI", "ZETA", "ETAA", "THET"];
const FIRST_CENTS: u32 = 10_000;
/// Quotes of a packet.
const QUOTES: usize = 16;

/// The prices, and where the walk is.
pub(crate) struct Market {
    cents: [u32; SYMBOLS.len()],
    random: u64,
    sequence: u64,
}

impl Market {
    pub(crate) fn new() -> Self {
        Self { cents: [FIRST_CENTS; SYMBOLS.len()], random: 0x9e37_79b9_7f4a_7c15, sequence: 0 }
    }

    /// The next packet: a line with its number, and a line for each quote.
    #[timed]
    pub(crate) fn feed(&mut self) -> String {
        let mut packet = String::with_capacity(512);
        self.sequence += 1;
        // Writing to a string does not fail.
        let _ = writeln!(packet, "{}", self.sequence);
        for _ in 0..QUOTES {
            let random = self.next_random();
            let symbol = (random >> 8) as usize % SYMBOLS.len();
            let cents = &mut self.cents[symbol];
            *cents = (*cents + (random >> 16) as u32 % 21).saturating_sub(10).max(100);
            let (whole, part, size) = (*cents / 100, *cents % 100, 1 + (random >> 32) % 900);
            let _ = writeln!(packet, "{},{whole}.{part:02},{size}", SYMBOLS[symbol]);
        }
        packet
    }

    /// Xorshift: the same walk in every run.
    fn next_random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }
}
