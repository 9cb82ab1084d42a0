//! The recorder where its tables are full: they are small in this crate's tests.

use super::books::MOST_NODES;
use super::guard::enter;
use super::site::{Kind, Name, Reads, Site};
use crate::snapshot::model::{SiteStats, Snapshot};
use std::thread;

const fn site(name: &'static str) -> Site {
    Site::new(Name::Given(name), "", "tests.rs", 0, Kind::Fn, 0, Reads::Full)
}

fn of_name<'a>(snapshot: &'a Snapshot, name: &str) -> Vec<&'a SiteStats> {
    snapshot.sites.iter().filter(|site| site.name == name).collect()
}

/// In a thread of its own, whose lane nobody else uses meanwhile.
fn in_a_thread(f: fn()) -> Snapshot {
    thread::spawn(f).join().expect("it does not panic");
    crate::snapshot::take()
}

#[test]
fn more_callees_than_nodes() {
    const SITES: usize = 3 * MOST_NODES;
    static CALLER: Site = site("caller of many");
    static CALLEES: [Site; SITES] = [const { site("one of many") }; SITES];
    let snapshot = in_a_thread(|| {
        for _ in 0..5 {
            let _caller = enter(&CALLER);
            for callee in &CALLEES {
                drop(enter(callee));
            }
        }
    });
    let callees = of_name(&snapshot, "one of many");
    assert_eq!(callees.len(), SITES);
    for callee in callees {
        assert_eq!((callee.calls, callee.timed, callee.in_flight), (5, 5, 0), "{callee:#?}");
    }
    assert_eq!(of_name(&snapshot, "caller of many")[0].calls, 5);
    assert!(snapshot.notes.iter().any(|note| note.contains("call paths")), "{:?}", snapshot.notes);
}

#[test]
fn more_paths_than_nodes() {
    static SITES: [Site; 8] = [const { site("in every order") }; 8];
    /// Every order in which the sites that are left can call one another.
    fn descend(left: &[&'static Site]) {
        for (at, site) in left.iter().enumerate() {
            let _open = enter(site);
            let rest: Vec<_> =
                left.iter().copied().enumerate().filter(|(other, _)| *other != at).collect();
            descend(&rest.into_iter().map(|(_, site)| site).collect::<Vec<_>>());
        }
    }
    let snapshot = in_a_thread(|| descend(&SITES.iter().collect::<Vec<_>>()));
    // Of paths through k of 8 there are 8!/(8-k)!, and each site is the last of an eighth of them.
    let paths: u64 = (1..=8).map(|k| (9 - k..=8).product::<u64>()).sum();
    let found = of_name(&snapshot, "in every order");
    assert_eq!(found.len(), 8);
    for site in found {
        assert_eq!((site.calls, site.in_flight), (paths / 8, 0), "{site:#?}");
        assert!(site.total_ns.is_finite() && site.total_ns < 3.6e12, "{site:#?}");
    }
}

#[test]
fn a_recursion_over_many_rows_of_frames() {
    static DEEP: Site = site("deep");
    static LEAF: Site = site("leaf of the deep");
    fn descend(n: u32) {
        let _open = enter(&DEEP);
        if n > 0 {
            descend(n - 1);
            drop(enter(&LEAF));
        }
    }
    let snapshot = in_a_thread(|| (0..200).for_each(descend));
    let (deep, leaf) = (of_name(&snapshot, "deep")[0], of_name(&snapshot, "leaf of the deep")[0]);
    assert_eq!((deep.calls, deep.in_flight), ((1..=200).sum(), 0));
    assert_eq!((leaf.calls, leaf.in_flight), ((0..200).sum(), 0));
    let roots =
        snapshot.tree.iter().filter(|node| snapshot.sites[node.site].name == "deep").count();
    assert_eq!(roots, 1, "{:#?}", snapshot.tree);
}

#[test]
fn sites_get_numbers_of_their_own() {
    static SITES: [Site; 300] = [const { site("numbered") }; 300];
    let threads: Vec<_> = (0..4)
        .map(|_| thread::spawn(|| SITES.iter().map(Site::number).collect::<Vec<u32>>()))
        .collect();
    let numbers: Vec<Vec<u32>> =
        threads.into_iter().map(|thread| thread.join().expect("it ends")).collect();
    assert!(numbers.windows(2).all(|pair| pair[0] == pair[1]));
    let mut own = numbers[0].clone();
    own.sort_unstable();
    own.dedup();
    assert_eq!(own.len(), SITES.len());
    for (number, site) in numbers[0].iter().zip(&SITES) {
        let found = super::site::called()
            .find(|site| site.number() == *number)
            .expect("it is in the table");
        assert!(std::ptr::eq(found, site));
    }
}
