//! Hops from stamps that no program can be made to take: from CPUs that are ahead, or elsewhere.

use super::super::site::{Kind, Name, Reads, Site};
use super::{Stamp, hop, stamp};
use crate::snapshot::model::SiteStats;
use std::thread;

/// A CPU that no machine has.
const ELSEWHERE: u32 = u32::MAX;

const fn site(name: &'static str) -> Site {
    Site::new(Name::Given(name), "", "hops.rs", 1, Kind::Hop, 0, Reads::Full)
}

/// The figures of the sites of this name after `f`, in a thread of its own.
fn figures(name: &str, f: fn()) -> Vec<SiteStats> {
    thread::spawn(f).join().expect("it does not panic");
    crate::snapshot::take().sites.into_iter().filter(|site| site.name == name).collect()
}

#[test]
fn from_a_cpu_that_is_ahead() {
    static AHEAD: Site = site("ahead");
    let found = figures("ahead", || {
        for _ in 0..100 {
            let now = stamp();
            hop(&AHEAD, now);
            hop(&AHEAD, Stamp { ticks: now.ticks + (1 << 32), ..now });
            hop(&AHEAD, Stamp { ticks: now.ticks + (1 << 32), cpu: ELSEWHERE });
        }
    });
    let site = &found[0];
    assert_eq!((site.calls, site.timed, site.negative), (300, 300, 200), "{site:#?}");
    // Those below zero are in no figure.
    let counted: u64 = site.buckets.iter().map(|bucket| bucket.count).sum();
    assert_eq!(counted, 100);
    assert!(site.migrated < 100 && site.total_ns < 1e10, "{site:#?}");
}

#[test]
fn from_another_cpu() {
    static MOVED: Site = site("moved");
    let found = figures("moved", || {
        for _ in 0..100 {
            hop(&MOVED, Stamp { cpu: ELSEWHERE, ..stamp() });
        }
    });
    let site = &found[0];
    assert_eq!((site.calls, site.timed, site.migrated), (100, 100, 100), "{site:#?}");
    assert!((site.migrated_ns - site.total_ns).abs() < 1e-3, "{site:#?}");
    assert!((site.migrated_max_ns - site.max_ns).abs() < 1e-3, "{site:#?}");
}

#[test]
fn from_no_time() {
    static TIMELESS: Site = site("timeless");
    let found = figures("timeless", || {
        for _ in 0..10 {
            hop(&TIMELESS, Stamp::NONE);
            hop(&TIMELESS, stamp());
        }
    });
    let site = &found[0];
    assert_eq!((site.calls, site.timed), (20, 10), "{site:#?}");
}

#[test]
fn at_more_sites_than_the_cache_has_places() {
    const SITES: usize = 2100;
    static MANY: [Site; SITES] = [const { site("of many") }; SITES];
    let found = figures("of many", || {
        for _ in 0..3 {
            MANY.iter().for_each(|site| hop(site, stamp()));
        }
    });
    assert_eq!(found.len(), SITES);
    assert!(found.iter().all(|site| (site.calls, site.timed) == (3, 3)));
}
