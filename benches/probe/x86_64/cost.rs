//! What a call pays for being timed.

use super::child;
use super::table::{Budget, Table, digits};
use super::unit::{Effort, Loop, chain, median, paired, paired_bare, spin};
use std::sync::Barrier;

/// One body in every guise. All are functions of one signature that are called, not inlined.
macro_rules! guises {
    ($links:literal) => {
        use super::*;

        #[inline(never)]
        fn plain(x: u64) -> u64 {
            chain::<$links>(x)
        }

        #[inline(never)]
        fn pair(x: u64) -> u64 {
            paired(|| chain::<$links>(x))
        }

        #[inline(never)]
        fn bare_pair(x: u64) -> u64 {
            paired_bare(|| chain::<$links>(x))
        }

        #[timed::timed]
        #[inline(never)]
        fn full(x: u64) -> u64 {
            chain::<$links>(x)
        }

        #[timed::timed(fence = "relaxed")]
        #[inline(never)]
        fn relaxed(x: u64) -> u64 {
            chain::<$links>(x)
        }

        #[timed::timed(sample = 64)]
        #[inline(never)]
        fn sampled(x: u64) -> u64 {
            chain::<$links>(x)
        }

        pub(crate) const LOOPS: Guises = Guises {
            plain: |calls| spin(calls, 1, plain),
            pair: |calls| spin(calls, 1, pair),
            bare_pair: |calls| spin(calls, 1, bare_pair),
            full: |calls| spin(calls, 1, full),
            relaxed: |calls| spin(calls, 1, relaxed),
            sampled: |calls| spin(calls, 1, sampled),
        };
    };
}

struct Guises {
    plain: Loop,
    pair: Loop,
    bare_pair: Loop,
    full: Loop,
    relaxed: Loop,
    sampled: Loop,
}

/// The same source once more, elsewhere: where the linker puts a function and its loop moves a
/// ratio by a hundredth or two, which is the machine's doing and not the probe's.
macro_rules! placements {
    ($name:ident: $($copy:ident)*) => {
        mod $name {
            use super::*;
            $(pub(super) mod $copy {
                use super::*;
                pub(crate) mod empty { guises!(0); }
                pub(crate) mod links4 { guises!(4); }
                pub(crate) mod links16 { guises!(16); }
            })*
        }
        const EMPTY: &[Guises] = &[$($name::$copy::empty::LOOPS),*];
        const LINKS4: &[Guises] = &[$($name::$copy::links4::LOOPS),*];
        const LINKS16: &[Guises] = &[$($name::$copy::links16::LOOPS),*];
    };
}
placements!(copies: first second third fourth fifth);

const BODIES: [(&str, &[Guises]); 3] =
    [("empty", EMPTY), ("4 links", LINKS4), ("16 links", LINKS16)];

/// The median over the copies, and how far apart they were.
fn over(copies: &[Guises], figure: impl Fn(&Guises) -> f64) -> (f64, String) {
    let mut figures: Vec<f64> = copies.iter().map(figure).collect();
    let middle = median(&mut figures);
    (middle, format!("{} to {}", digits(figures[0]), digits(figures[figures.len() - 1])))
}

pub(super) fn one_core(table: &mut Table, effort: Effort) {
    for (body, copies) in BODIES {
        let (ratio, note) = over(copies, |guises| effort.ratio(guises.pair, guises.full));
        table.row(&format!("#[timed], {body}"), ratio, "pairs", Budget(1.10), &note);
    }
}

/// All cores measure at the same time, the pair as well.
pub(super) fn every_core(table: &mut Table, effort: Effort) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for (body, copies) in BODIES {
        let barrier = Barrier::new(cores);
        let measure = |core| {
            pin(core);
            let ratio = |guises: &Guises| {
                barrier.wait();
                effort.ratio(guises.pair, guises.full)
            };
            over(copies, ratio).0
        };
        let ratios: Vec<f64> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..cores).map(|core| scope.spawn(move || measure(core))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap_or(f64::NAN)).collect()
        });
        let worst = ratios.iter().copied().fold(0.0, f64::max);
        let note = ratios.iter().map(|ratio| digits(*ratio)).collect::<Vec<_>>().join(", ");
        let name = format!("#[timed], {body}, on every core at once");
        table.row(&name, worst, "pairs", Budget(1.10), &note);
    }
}

/// Keeps the calling thread on one core.
fn pin(core: usize) {
    // SAFETY: a set of no CPUs is all zeroes; the calls stay within it, and read it.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(core, &mut set);
        libc::sched_setaffinity(0, size_of_val(&set), &raw const set);
    }
}

/// What other kinds of probes cost: an empty function's calls, less those of its plain twin.
pub(super) fn cheaper(table: &mut Table, effort: Effort) {
    for (body, copies) in BODIES {
        let (ratio, note) = over(copies, |guises| effort.ratio(guises.bare_pair, guises.relaxed));
        table.row(
            &format!("fence = \"relaxed\", {body}"),
            ratio,
            "rdtsc pairs",
            Budget(1.35),
            &note,
        );
    }
    let (share, note) =
        over(EMPTY, |guises| effort.excess(guises.pair, guises.sampled, guises.plain));
    table.row("sample = 64", share, "pairs", Budget(0.06), &note);
    timed::pause();
    let (share, note) = over(EMPTY, |guises| effort.excess(guises.pair, guises.full, guises.plain));
    table.row("paused", share, "pairs", Budget(0.04), &note);
    timed::resume();
    for (name, variable, value) in
        [("filtered out", "TIMED_FILTER", "nothing"), ("TIMED=off", "TIMED", "off")]
    {
        let text = child::run("idle", effort, &[(variable, value)]);
        let (share, note) = text.trim().split_once(' ').unwrap_or(("NaN", "no answer"));
        table.row(name, share.parse().unwrap_or(f64::NAN), "pairs", Budget(0.04), note);
    }
}

/// In a child process that times nothing.
pub(super) fn idle(effort: Effort) {
    let (share, note) = over(EMPTY, |guises| effort.excess(guises.pair, guises.full, guises.plain));
    println!("{share} {note}");
}
