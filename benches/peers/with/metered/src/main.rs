//! metered: `ResponseTime` on methods, in the finest unit that it has, microseconds.

use common::{Mean, Peer};
use metered::ResponseTime;
use metered::hdr_histogram::AtomicHdrHistogram;
use metered::time_source::StdInstantMicros;
use std::sync::LazyLock;

type Time = ResponseTime<AtomicHdrHistogram, StdInstantMicros>;

macro_rules! measured {
    ($name:ident, $number:expr, $x:ident, $body:expr) => {
        pub mod $name {
            use super::*;

            #[derive(Default)]
            pub struct Object {
                pub metrics: Metrics,
            }

            #[metered::metered(registry = Metrics, visibility = pub)]
            impl Object {
                #[measure(Time)]
                #[inline(never)]
                pub fn call(&self, $x: u64) -> u64 {
                    $body
                }
            }

            pub static OBJECT: LazyLock<Object> = LazyLock::new(Object::default);
        }

        pub fn $name($x: u64) -> u64 {
            $name::OBJECT.call($x)
        }
    };
}

struct Metered;

impl Peer for Metered {
    fn means() -> Vec<Mean> {
        let mut means = Vec::new();
        macro_rules! mean {
            ($name:ident, $number:literal, $x:ident, $body:expr) => {
                let histogram = sites::$name::OBJECT.metrics.call.time.histogram();
                means.push(Mean {
                    site: stringify!($name).to_owned(),
                    calls: histogram.len(),
                    nanoseconds: histogram.mean() * 1e3,
                });
            };
        }
        common::sites!(mean);
        means
    }

    fn whole(work: fn()) {
        work();
        println!("visited: {:?}", sites::visited::OBJECT.metrics);
    }
}

common::program!(Metered, measured);
