//! The tools, and what is known of them without measuring.

/// A tool, or one of its ways to be used.
pub struct Tool {
    /// In the table, and on the command line.
    pub name: &'static str,
    /// The package in `with/` that measures with it.
    pub package: &'static str,
    /// Its features.
    pub features: &'static str,
    /// The crate whose version the table shows.
    pub shown: &'static str,
    /// How its clock's reads are ordered against the body.
    pub reads: &'static str,
    /// Whether its report is the tool's own, and not written by the program.
    pub reports: Reports,
    /// What a program that uses it depends on, and its source.
    pub hello: (&'static str, &'static str),
}

/// Who writes the report.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reports {
    /// The tool.
    Itself,
    /// The program, with what the tool hands out.
    ByHand,
    /// The tool sends what it has recorded while the program runs.
    AsItGoes,
    /// A viewer, which is another program or a part of its window.
    Viewer,
}

/// `timed` itself comes by its path.
pub const OURS: &str = "timed = { path = \"PATH\", features = [\"enabled\"] }";

/// Nothing of the body executes outside its two reads, and nothing of anything else between them.
const FENCED: &str = "fenced";
/// `Instant` on Linux: a read waits for what precedes it, and what follows need not wait for the read.
const HALF: &str = "fenced before";
/// The processor executes reads and body in the order that suits it.
const BARE: &str = "bare";

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "timed",
        package: "timed",
        features: "",
        shown: "timed",
        reads: FENCED,
        reports: Reports::Itself,
        hello: (OURS, "#[timed::timed]\nfn work() {}\n\nfn main() {\n    work();\n}\n"),
    },
    Tool {
        name: "timed-relaxed",
        package: "timed",
        features: "relaxed",
        shown: "timed",
        reads: BARE,
        reports: Reports::Itself,
        hello: (
            OURS,
            "#[timed::timed(fence = \"relaxed\")]\nfn work() {}\n\nfn main() {\n    work();\n}\n",
        ),
    },
    Tool {
        name: "hotpath",
        package: "hotpath",
        features: "",
        shown: "hotpath",
        reads: BARE,
        reports: Reports::Itself,
        hello: (
            "hotpath = { version = \"0.30\", features = [\"hotpath\"] }",
            "#[hotpath::measure]\nfn work() {}\n\n#[hotpath::main]\nfn main() {\n    work();\n}\n",
        ),
    },
    Tool {
        name: "fastrace",
        package: "fastrace",
        features: "",
        shown: "fastrace",
        reads: BARE,
        reports: Reports::AsItGoes,
        hello: (
            "fastrace = { version = \"0.7\", features = [\"enable\"] }",
            "use fastrace::collector::{Config, ConsoleReporter};\nuse fastrace::prelude::*;\n\n\
             #[trace]\nfn work() {}\n\nfn main() {\n    fastrace::set_reporter(ConsoleReporter, \
             Config::default());\n    {\n        let root = Span::root(\"root\", \
             SpanContext::random());\n        let _guard = root.set_local_parent();\n        \
             work();\n    }\n    fastrace::flush();\n}\n",
        ),
    },
    Tool {
        name: "tracing-timing",
        package: "tracing-timing",
        features: "",
        shown: "tracing-timing",
        reads: BARE,
        reports: Reports::ByHand,
        hello: (
            "tracing = \"0.1\"\ntracing-timing = \"0.7\"",
            "use tracing::{Dispatch, trace, trace_span};\nuse tracing_timing::{Builder, Histogram};\n\n\
             fn main() {\n    let subscriber = Builder::default().build(|| \
             Histogram::new_with_max(1_000_000, 2).unwrap());\n    let dispatch = \
             Dispatch::new(subscriber);\n    \
             tracing::dispatcher::set_global_default(dispatch).unwrap();\n    \
             trace_span!(\"work\").in_scope(|| trace!(\"end\"));\n}\n",
        ),
    },
    Tool {
        name: "puffin",
        package: "puffin",
        features: "",
        shown: "puffin",
        reads: HALF,
        reports: Reports::Viewer,
        hello: (
            "puffin = \"0.20\"",
            "fn work() {\n    puffin::profile_function!();\n}\n\nfn main() {\n    \
             puffin::set_scopes_on(true);\n    puffin::GlobalProfiler::lock().new_frame();\n    \
             work();\n}\n",
        ),
    },
    Tool {
        name: "metered",
        package: "metered",
        features: "",
        shown: "metered",
        reads: HALF,
        reports: Reports::ByHand,
        hello: (
            "metered = \"0.9\"\nserde = { version = \"1\", features = [\"derive\"] }",
            "use metered::ResponseTime;\n\n#[derive(Default)]\nstruct Work {\n    metrics: \
             Metrics,\n}\n\n#[metered::metered(registry = Metrics)]\nimpl Work {\n    \
             #[measure(ResponseTime)]\n    fn work(&self) {}\n}\n\nfn main() {\n    \
             Work::default().work();\n}\n",
        ),
    },
    Tool {
        name: "time-graph",
        package: "time-graph",
        features: "",
        shown: "time-graph",
        reads: BARE,
        reports: Reports::ByHand,
        hello: (
            "time-graph = { version = \"0.3\", features = [\"table\"] }",
            "#[time_graph::instrument]\nfn work() {}\n\nfn main() {\n    \
             time_graph::enable_data_collection(true);\n    work();\n    println!(\"{}\", \
             time_graph::get_full_graph().as_table());\n}\n",
        ),
    },
    Tool {
        name: "tsc-trace",
        package: "tsc-trace",
        features: "",
        shown: "tsc-trace",
        reads: BARE,
        reports: Reports::ByHand,
        hello: ("tsc-trace = \"0.7\"", TSC_TRACE),
    },
    Tool {
        name: "tsc-trace-lfence",
        package: "tsc-trace",
        features: "lfence",
        shown: "tsc-trace",
        reads: FENCED,
        reports: Reports::ByHand,
        hello: ("tsc-trace = { version = \"0.7\", features = [\"lfence\"] }", TSC_TRACE),
    },
    Tool {
        name: "quanta",
        package: "quanta",
        features: "",
        shown: "quanta",
        reads: BARE,
        reports: Reports::ByHand,
        hello: (
            "quanta = \"0.13\"",
            "fn main() {\n    let clock = quanta::Clock::new();\n    let begin = clock.raw();\n    \
             println!(\"{:?}\", clock.delta(begin, clock.raw()));\n}\n",
        ),
    },
    Tool {
        name: "hand",
        package: "hand",
        features: "",
        shown: "hdrhistogram",
        reads: HALF,
        reports: Reports::ByHand,
        hello: (
            "hdrhistogram = { version = \"7\", default-features = false }",
            "fn main() {\n    let begin = std::time::Instant::now();\n    let mut times = \
             hdrhistogram::Histogram::<u64>::new(2).unwrap();\n    \
             times.saturating_record(begin.elapsed().as_nanos() as u64);\n}\n",
        ),
    },
];

const TSC_TRACE: &str = "use tsc_trace::*;\n\nfn work() {\n    trace_span!(1);\n}\n\nfn main() {\n    \
    work();\n    write_traces_csv(&mut std::io::stdout()).unwrap();\n}\n";
