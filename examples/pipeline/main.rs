//! Market data through a pipeline on two threads: feed → decode → ring → drain, a few microseconds each.
//!
//! ```text
//! cargo run --release --example pipeline --features enabled [PACKETS]
//! ```
//!
//! Every stage is a row of the report, and so is every way between two of them: that through the ring,
//! and that of a packet from its beginning to its end. The program prints the sum of the parts beside
//! the whole, and which share of the threads' time the probes took.

mod book;
mod compare;
mod decode;
mod market;
mod pin;
mod ring;

use book::Book;
use decode::{Quote, decode};
use market::Market;
use ring::Ring;
use std::thread;
use timed::Stamp;

/// Packets, where the command line does not say how many.
const PACKETS: u64 = 50_000;
/// Batches that may wait for the drain.
const ROOM: usize = 256;

/// A packet behind the decoder.
struct Batch {
    quotes: Vec<Quote>,
    /// Before it was fed, and when it was decoded.
    begun: Stamp,
    decoded: Stamp,
}

fn main() {
    let packets = match std::env::args().nth(1).map(|number| number.parse()) {
        None => PACKETS,
        Some(Ok(number)) => number,
        Some(Err(error)) => {
            eprintln!("usage: pipeline [PACKETS]: {error}");
            std::process::exit(2);
        }
    };
    let cpus = pin::two_cpus();
    if cpus.is_none() {
        println!("fewer than two CPUs, or no way to choose them: the threads are not pinned");
    }
    let ring = Ring::new(ROOM);
    let book = thread::scope(|scope| {
        scope.spawn(|| {
            pin::to(cpus.map(|[first, _]| first));
            run_feed(packets, &ring);
        });
        let drain = scope.spawn(|| {
            pin::to(cpus.map(|[_, second]| second));
            run_drain(&ring)
        });
        drain.join().expect("the drain does not panic")
    });
    println!("packets    {packets}");
    print!("{book}");
    compare::print(&timed::snapshot());
}

/// The first thread: packets from the market, decoded, into the ring.
fn run_feed(packets: u64, ring: &Ring<Batch>) {
    let mut market = Market::new();
    for _ in 0..packets {
        let begun = timed::stamp();
        let packet = market.feed();
        let quotes = decode(&packet).expect("the market sends what the decoder reads");
        ring.push(Batch { quotes, begun, decoded: timed::stamp() });
    }
    ring.close();
}

/// The second thread: out of the ring, into the book.
fn run_drain(ring: &Ring<Batch>) -> Book {
    let mut book = Book::default();
    while let Some(batch) = ring.pop() {
        timed::hop!("decode→drain", batch.decoded);
        book.drain(&batch.quotes);
        timed::hop!("feed→drain", batch.begun);
    }
    book
}
