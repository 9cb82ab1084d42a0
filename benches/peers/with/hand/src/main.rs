//! By hand: two `Instant`s, and a histogram of the function's own, of hdrhistogram.

use common::{Mean, Peer, typical};
use hdrhistogram::Histogram;
use std::cell::RefCell;
use std::time::Instant;

macro_rules! measured {
    ($name:ident, $number:expr, $x:ident, $body:expr) => {
        pub mod $name {
            use super::*;
            thread_local! {
                pub static TIMES: RefCell<Histogram<u64>> = RefCell::new(histogram());
            }
        }

        #[inline(never)]
        pub fn $name($x: u64) -> u64 {
            let begin = Instant::now();
            let result = $body;
            let elapsed = begin.elapsed();
            $name::TIMES
                .with_borrow_mut(|times| times.saturating_record(elapsed.as_nanos() as u64));
            result
        }
    };
}

/// Up to a minute, in buckets of a hundredth.
fn histogram() -> Histogram<u64> {
    Histogram::new_with_bounds(1, 60_000_000_000, 2).expect("the bounds are good")
}

/// Each bucket's value, and how many durations are in it.
fn recorded(times: &Histogram<u64>) -> impl Iterator<Item = (u64, u64)> + Clone {
    let values: Vec<_> = times
        .iter_recorded()
        .map(|value| {
            (times.median_equivalent(value.value_iterated_to()), value.count_since_last_iteration())
        })
        .collect();
    values.into_iter()
}

struct Hand;

impl Peer for Hand {
    fn means() -> Vec<Mean> {
        let mut means = Vec::new();
        macro_rules! mean {
            ($name:ident, $number:literal, $x:ident, $body:expr) => {
                means.push(sites::$name::TIMES.with_borrow(|times| Mean {
                    site: stringify!($name).to_owned(),
                    calls: times.len(),
                    nanoseconds: typical(recorded(times)),
                }));
            };
        }
        common::sites!(mean);
        means
    }

    fn whole(work: fn()) {
        work();
        let mean = sites::visited::TIMES.with_borrow(Histogram::mean);
        println!("visited: {mean} ns");
    }
}

common::program!(Hand, measured);
