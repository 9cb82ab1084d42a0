//! tracing with tracing-timing: a span around the body, and an event at its end, whose time since the
//! span began goes into a histogram of the span's group.

use common::{Mean, Peer, typical};
use tracing::{Dispatch, trace, trace_span};
use tracing_timing::{Builder, Histogram, TimingSubscriber};

macro_rules! measured {
    ($name:ident, $number:expr, $x:ident, $body:expr) => {
        #[inline(never)]
        pub fn $name($x: u64) -> u64 {
            trace_span!(concat!(module_path!(), "::", stringify!($name))).in_scope(|| {
                let result = $body;
                trace!("end");
                result
            })
        }
    };
}

/// As the crate's documentation has it; without span recursion, because a parent's event is to tell the
/// time since the parent began, and not since its last child's event.
fn start() -> Dispatch {
    let subscriber = Builder::default()
        .no_span_recursion()
        .build(|| Histogram::new_with_max(1_000_000, 2).expect("the bounds are good"));
    let dispatch = Dispatch::new(subscriber);
    tracing::dispatcher::set_global_default(dispatch.clone()).expect("it is the first");
    dispatch
}

fn means(dispatch: &Dispatch) -> Vec<Mean> {
    let subscriber = dispatch.downcast_ref::<TimingSubscriber>().expect("it is ours");
    subscriber.force_synchronize();
    subscriber.with_histograms(|groups| {
        groups
            .iter_mut()
            .flat_map(|(&group, histograms)| histograms.values().map(move |each| (group, each)))
            .map(|(group, histogram)| Mean {
                site: group.to_owned(),
                calls: histogram.len(),
                nanoseconds: typical(recorded(histogram)),
            })
            .collect()
    })
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

struct TracingTiming;

impl Peer for TracingTiming {
    fn start() {
        start();
    }

    fn means() -> Vec<Mean> {
        tracing::dispatcher::get_default(means)
    }

    fn whole(work: fn()) {
        let dispatch = start();
        work();
        for mean in means(&dispatch) {
            println!("{}: {} calls, {} ns", mean.site, mean.calls, mean.nanoseconds);
        }
    }
}

common::program!(TracingTiming, measured);
