//! hotpath: the attributes on `main` and on functions, and its report as JSON where figures are read.

use common::{Mean, Peer};
use hotpath::{Format, HotpathGuard, HotpathGuardBuilder};
use std::path::PathBuf;
use std::sync::Mutex;

macro_rules! measured {
    ($name:ident, $number:expr, $x:ident, $body:expr) => {
        #[hotpath::measure]
        #[inline(never)]
        pub fn $name($x: u64) -> u64 {
            $body
        }
    };
}

/// What `#[hotpath::main]` keeps in `main`: the report is written when it is dropped.
static GUARD: Mutex<Option<HotpathGuard>> = Mutex::new(None);

fn report() -> PathBuf {
    std::env::temp_dir().join(format!("with-hotpath-{}.json", std::process::id()))
}

struct Hotpath;

impl Peer for Hotpath {
    fn start() {
        let guard = HotpathGuardBuilder::new("main")
            .functions_limit(0)
            .format(Format::Json)
            .output_path(report())
            .build();
        *GUARD.lock().expect("nobody panics with it") = Some(guard);
    }

    fn means() -> Vec<Mean> {
        drop(GUARD.lock().expect("nobody panics with it").take());
        let text = std::fs::read_to_string(report()).expect("it was written");
        std::fs::remove_file(report()).expect("it is ours");
        let report: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        let rows = report["functions_timing"]["data"].as_array().expect("a list of functions");
        rows.iter()
            .map(|row| Mean {
                site: row["name"].as_str().unwrap_or_default().to_owned(),
                calls: row["calls"].as_u64().unwrap_or(0),
                nanoseconds: row["avg"].as_str().map_or(f64::NAN, nanoseconds),
            })
            .collect()
    }

    #[hotpath::main]
    fn whole(work: fn()) {
        work();
    }
}

/// Of `12 ns`, `3.45 µs` and the like.
fn nanoseconds(text: &str) -> f64 {
    let Some((number, unit)) = text.split_once(' ') else { return f64::NAN };
    let scale = match unit {
        "ns" => 1.0,
        "µs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => f64::NAN,
    };
    number.parse().map_or(f64::NAN, |number: f64| number * scale)
}

common::program!(Hotpath, measured);
