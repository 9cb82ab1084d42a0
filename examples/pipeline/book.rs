//! What the drain makes of the quotes: a window of them for each symbol, and figures over that.

use super::decode::Quote;
use super::market::SYMBOLS;
use std::collections::VecDeque;
use std::fmt;
use timed::timed;

/// Quotes that the figures are over.
const WINDOW: usize = 128;

/// The quotes of all symbols.
#[derive(Default)]
pub(crate) struct Book {
    symbols: [Symbol; SYMBOLS.len()],
}

/// The last quotes of a symbol, and what was traded in all.
#[derive(Default)]
struct Symbol {
    window: VecDeque<Quote>,
    quotes: u64,
    volume: u64,
    /// Cents by volume over the window, and the widest that it has been from lowest to highest.
    average_cents: u64,
    widest_cents: u64,
}

impl Book {
    /// Takes a packet's quotes in.
    #[timed]
    pub(crate) fn drain(&mut self, quotes: &[Quote]) {
        for quote in quotes {
            self.symbols[quote.symbol].take(*quote);
        }
    }
}

impl Symbol {
    fn take(&mut self, quote: Quote) {
        if self.window.len() == WINDOW {
            self.window.pop_front();
        }
        self.window.push_back(quote);
        self.quotes += 1;
        self.volume += quote.size;
        let (mut traded, mut size, mut lowest, mut highest) = (0, 0, u64::MAX, 0);
        for quote in &self.window {
            traded += quote.cents * quote.size;
            size += quote.size;
            lowest = lowest.min(quote.cents);
            highest = highest.max(quote.cents);
        }
        self.average_cents = traded / size;
        self.widest_cents = self.widest_cents.max(highest - lowest);
    }
}

impl fmt::Display for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = |figure: fn(&Symbol) -> u64| self.symbols.iter().map(figure).sum::<u64>();
        writeln!(f, "quotes     {}", sum(|symbol| symbol.quotes))?;
        writeln!(f, "volume     {}", sum(|symbol| symbol.volume))?;
        for (name, symbol) in SYMBOLS.iter().zip(&self.symbols) {
            let average = symbol.average_cents as f64 / 100.0;
            let widest = symbol.widest_cents as f64 / 100.0;
            writeln!(f, "{name}       {average:.2}, at most {widest:.2} wide")?;
        }
        Ok(())
    }
}
