//! The sum of the parts beside the whole, from the figures while the program still runs.

use timed::{SiteStats, Snapshot};

/// What a packet passes through, in this order, and all of it together.
const PARTS: [&str; 4] = ["Market::feed", "decode", "decode→drain", "Book::drain"];
const WHOLE: &str = "feed→drain";
/// Probes inside the whole: those of three calls, and of one hop, which costs about as much.
const PROBES: f64 = 4.0;
/// Threads that packets pass through.
const THREADS: f64 = 2.0;

/// Prints the comparison; nothing where nothing was timed.
pub(crate) fn print(snapshot: &Snapshot) {
    let Some(whole) = mean_ns(snapshot, WHOLE) else { return };
    println!();
    let mut sum_ns = 0.0;
    for part in PARTS {
        let part_ns = mean_ns(snapshot, part).unwrap_or(f64::NAN);
        sum_ns += part_ns;
        row(part, part_ns, whole);
    }
    row("sum of the parts", sum_ns, whole);
    let clock = &snapshot.clock;
    let probes_ns = PROBES * (clock.floor_ns.end + clock.outside_ns.end);
    row("the probes inside", probes_ns, whole);
    row(WHOLE, whole, whole);
    let share = snapshot.probe_ns / (THREADS * snapshot.wall_ns) * 100.0;
    println!("the probes took {share:.2} % of the threads' time");
}

fn row(name: &str, ns: f64, whole_ns: f64) {
    println!("{name:<20} {ns:>9.0} ns  {:>5.1} %", ns / whole_ns * 100.0);
}

/// The mean of all packets: means add up, which quantiles do not.
fn mean_ns(snapshot: &Snapshot, name: &str) -> Option<f64> {
    let is_it = |site: &&SiteStats| {
        site.name.strip_suffix(name).is_some_and(|path| path.is_empty() || path.ends_with("::"))
    };
    snapshot.sites.iter().find(is_it).map(|site| site.total_ns / site.timed as f64)
}
