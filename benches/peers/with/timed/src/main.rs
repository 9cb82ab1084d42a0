//! `timed`, as its README says: the attribute, and nothing else.

use common::{Mean, Peer};

macro_rules! measured {
    ($name:ident, $number:expr, $x:ident, $body:expr) => {
        #[cfg_attr(not(feature = "relaxed"), timed::timed)]
        #[cfg_attr(feature = "relaxed", timed::timed(fence = "relaxed"))]
        #[inline(never)]
        pub fn $name($x: u64) -> u64 {
            $body
        }
    };
}

struct Timed;

impl Peer for Timed {
    fn means() -> Vec<Mean> {
        let sites = timed::snapshot().sites;
        sites
            .into_iter()
            .map(|site| Mean { site: site.name, calls: site.calls, nanoseconds: site.typical_ns })
            .collect()
    }

    fn whole(work: fn()) {
        work();
    }
}

common::program!(Timed, measured);
