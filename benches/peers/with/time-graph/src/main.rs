//! time-graph: the attribute, collection on, and the table of the whole graph at the end.

use common::{Mean, Peer};

macro_rules! measured {
    ($name:ident, $number:expr, $x:ident, $body:expr) => {
        #[time_graph::instrument]
        #[inline(never)]
        pub fn $name($x: u64) -> u64 {
            $body
        }
    };
}

struct TimeGraph;

impl Peer for TimeGraph {
    fn start() {
        time_graph::enable_data_collection(true);
    }

    fn means() -> Vec<Mean> {
        let graph = time_graph::get_full_graph();
        graph
            .spans()
            .map(|span| Mean {
                site: span.callsite.full_name(),
                calls: span.called.into(),
                nanoseconds: span.elapsed.as_nanos() as f64 / f64::from(span.called),
            })
            .collect()
    }

    fn whole(work: fn()) {
        Self::start();
        work();
        println!("{}", time_graph::get_full_graph().as_table());
    }
}

common::program!(TimeGraph, measured);
