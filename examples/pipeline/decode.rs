//! From a packet's text to its quotes.

use super::market::SYMBOLS;
use timed::timed;

/// One quote.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Quote {
    /// Its place in `SYMBOLS`.
    pub(crate) symbol: usize,
    pub(crate) cents: u64,
    pub(crate) size: u64,
}

/// The quotes of a packet; none of one that is damaged.
#[timed]
pub(crate) fn decode(packet: &str) -> Option<Vec<Quote>> {
    let mut lines = packet.lines();
    lines.next()?.parse::<u64>().ok()?;
    lines.map(quote).collect()
}

/// `ALFA,100.07,250`
fn quote(line: &str) -> Option<Quote> {
    let mut fields = line.split(',');
    let name = fields.next()?;
    let symbol = SYMBOLS.iter().position(|symbol| *symbol == name)?;
    let (whole, part) = fields.next()?.split_once('.')?;
    let cents = whole.parse::<u64>().ok()?.checked_mul(100)?.checked_add(part.parse().ok()?)?;
    let size = fields.next()?.parse().ok()?;
    fields.next().is_none().then_some(Quote { symbol, cents, size })
}
