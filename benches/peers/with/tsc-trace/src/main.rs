//! tsc-trace: its macro at the head of a function, and its list of spans at the end. The spans are in
//! ticks; what a tick is the program has to find out.

use common::{Mean, Peer, typical_of};
use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::Instant;
use tsc_trace::{TraceSpan, rdtsc, trace_span, write_traces_binary, write_traces_csv};

macro_rules! measured {
    ($name:ident, $number:expr, $x:ident, $body:expr) => {
        #[inline(never)]
        pub fn $name($x: u64) -> u64 {
            trace_span!($number);
            $body
        }
    };
}

/// The functions' names, by the numbers that stand for them in a trace.
fn names() -> HashMap<u64, &'static str> {
    let mut names = HashMap::new();
    macro_rules! name {
        ($name:ident, $number:literal, $x:ident, $body:expr) => {
            names.insert($number, stringify!($name));
        };
    }
    common::sites!(name);
    names
}

/// When the program began, by the system's clock and by the counter.
static BEGIN: OnceLock<(Instant, u64)> = OnceLock::new();

struct TscTrace;

impl Peer for TscTrace {
    const MARK: &'static str = "77777,";

    fn start() {
        BEGIN.get_or_init(|| (Instant::now(), rdtsc()));
    }

    fn means() -> Vec<Mean> {
        let (begin, tick) = BEGIN.get().expect("it was started");
        let tick_ns = begin.elapsed().as_nanos() as f64 / (rdtsc() - tick) as f64;
        let mut bytes = Vec::new();
        write_traces_binary(&mut bytes).expect("memory is not full");
        let mut durations: HashMap<u64, Vec<u64>> = HashMap::new();
        for span in bytes.as_chunks::<24>().0 {
            let [number, from, to] = *span.as_chunks::<8>().0 else { continue };
            let ticks = u64::from_ne_bytes(to).saturating_sub(u64::from_ne_bytes(from));
            durations.entry(u64::from_ne_bytes(number)).or_default().push(ticks);
        }
        let names = names();
        durations
            .into_iter()
            .filter_map(|(number, mut ticks)| {
                Some(Mean {
                    site: (*names.get(&number)?).to_owned(),
                    calls: ticks.len() as u64,
                    nanoseconds: typical_of(&mut ticks) * tick_ns,
                })
            })
            .collect()
    }

    fn whole(work: fn()) {
        work();
        write_traces_csv(&mut std::io::stdout()).expect("the parent reads");
    }
}

common::program!(TscTrace, measured);
