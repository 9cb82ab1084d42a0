//! quanta by hand, at its cheapest: two raw readings, whose differences and number are added up.

use common::{Mean, Peer};
use quanta::Clock;
use std::cell::Cell;
use std::sync::OnceLock;

macro_rules! measured {
    ($name:ident, $number:expr, $x:ident, $body:expr) => {
        pub mod $name {
            use super::*;
            thread_local! {
                /// Ticks in it, and calls.
                pub static SUM: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
            }
        }

        #[inline(never)]
        pub fn $name($x: u64) -> u64 {
            let clock = clock();
            let begin = clock.raw();
            let result = $body;
            let end = clock.raw();
            $name::SUM.with(|sum| {
                let (ticks, calls) = sum.get();
                sum.set((ticks + end.saturating_sub(begin), calls + 1));
            });
            result
        }
    };
}

static CLOCK: OnceLock<Clock> = OnceLock::new();

#[inline]
fn clock() -> &'static Clock {
    CLOCK.get_or_init(Clock::new)
}

struct Quanta;

impl Peer for Quanta {
    fn start() {
        clock();
    }

    fn means() -> Vec<Mean> {
        let mut means = Vec::new();
        macro_rules! mean {
            ($name:ident, $number:literal, $x:ident, $body:expr) => {
                let (ticks, calls) = sites::$name::SUM.get();
                means.push(Mean {
                    site: stringify!($name).to_owned(),
                    calls,
                    nanoseconds: clock().delta_as_nanos(0, ticks) as f64 / calls as f64,
                });
            };
        }
        common::sites!(mean);
        means
    }

    fn whole(work: fn()) {
        work();
        let (ticks, calls) = sites::visited::SUM.get();
        println!("visited: {:?} in {calls} calls", clock().delta(0, ticks));
    }
}

common::program!(Quanta, measured);
