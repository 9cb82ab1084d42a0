//! fastrace: the attribute, a root span around each unit of work, and a reporter that keeps durations.

use common::{Mean, Peer, typical_of};
use fastrace::collector::{Config, ConsoleReporter, Reporter, SpanRecord};
use fastrace::prelude::*;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

macro_rules! measured {
    ($name:ident, $number:expr, $x:ident, $body:expr) => {
        #[fastrace::trace]
        #[inline(never)]
        pub fn $name($x: u64) -> u64 {
            $body
        }
    };
}

/// What is kept of the spans. Keeping them is no cost of the tool, so only questions that need it ask for it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Nothing,
    Counts,
    Durations,
}

/// How many spans there were of a name, and how long they took.
type Spans = HashMap<String, (u64, Vec<u64>)>;

static SPANS: LazyLock<Mutex<Spans>> = LazyLock::new(Mutex::default);

struct Collect(Keep);

impl Reporter for Collect {
    fn report(&mut self, spans: Vec<SpanRecord>) {
        if self.0 == Keep::Nothing {
            return;
        }
        let mut kept = SPANS.lock().expect("nobody panics with it");
        for span in spans {
            let (count, durations) = kept.entry(span.name.into_owned()).or_default();
            *count += 1;
            if self.0 == Keep::Durations {
                durations.push(span.duration_ns);
            }
        }
    }
}

struct Fastrace;

impl Peer for Fastrace {
    fn start() {
        let keep = match std::env::args().nth(1).as_deref() {
            Some("truth") => Keep::Durations,
            Some("calls") => Keep::Counts,
            _ => Keep::Nothing,
        };
        fastrace::set_reporter(Collect(keep), Config::default());
    }

    fn task(work: impl FnOnce()) {
        let root = Span::root("task", SpanContext::random());
        let _guard = root.set_local_parent();
        work();
    }

    fn flush() {
        fastrace::flush();
    }

    fn means() -> Vec<Mean> {
        let spans = std::mem::take(&mut *SPANS.lock().expect("nobody panics with it"));
        spans
            .into_iter()
            .map(|(site, (calls, mut durations))| Mean {
                site,
                calls,
                nanoseconds: typical_of(&mut durations),
            })
            .collect()
    }

    fn whole(work: fn()) {
        fastrace::set_reporter(ConsoleReporter, Config::default());
        work();
        fastrace::flush();
    }
}

common::program!(Fastrace, measured);
