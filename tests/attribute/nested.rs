//! Containers in containers, and the attribute several times on one thing: the inner option wins,
//! one by one; of several on one thing the first; and a call is one call.

use timed::timed;

/// Rarely timed, unless something inside says otherwise.
#[timed(sample = 1_000_000)]
pub mod outer {
    use timed::timed as alias;

    pub fn rare() {}

    #[alias(sample = 1)]
    pub fn exact() {}

    #[cfg_attr(all(), alias(sample = 1, name = "nested::by_cfg"))]
    pub fn by_cfg() {}

    #[cfg_attr(any(), alias(sample = 1))]
    pub fn not_by_cfg() {}

    #[alias(skip)]
    pub mod skipped {
        pub fn never() {}

        #[super::alias]
        pub fn exact_in_a_skipped_one() {}
    }

    pub struct One;

    #[alias(sample = 1)]
    impl One {
        pub fn exact(&self) -> u8 {
            1
        }

        #[alias(sample = 1_000_000)]
        pub fn rare(&self) -> u8 {
            2
        }

        #[alias]
        #[alias(name = "twice")]
        #[cfg_attr(all(), alias)]
        #[inline]
        pub fn many_times(&self) -> u8 {
            3
        }
    }

    #[alias(sample = 1)]
    #[alias]
    pub trait Does {
        fn does(&self) -> u8 {
            4
        }

        fn must(&self) -> u8;
    }

    impl Does for One {
        fn must(&self) -> u8 {
            5
        }
    }

    pub mod deeper {
        pub(crate) mod deepest {
            #[timed::timed(fence = "relaxed")]
            #[timed::timed(sample = 1)]
            pub fn exact() {}

            #[timed::timed(sample = 1)]
            #[timed::timed(fence = "relaxed")]
            pub fn exact_too() -> f32 {
                0.5
            }
        }

        pub fn call() {
            deepest::exact();
            let _ = deepest::exact_too();
        }
    }
}

fn call_all() {
    use outer::{Does as _, One};

    outer::rare();
    outer::exact();
    outer::by_cfg();
    outer::not_by_cfg();
    outer::skipped::never();
    outer::skipped::exact_in_a_skipped_one();
    assert_eq!(One.exact() + One.rare() + One.many_times() + One.does() + One.must(), 15);
    outer::deeper::call();
}

#[test]
fn inner_options_win_and_calls_are_counted_once() {
    const CALLS: u64 = 50;
    for _ in 0..CALLS {
        call_all();
    }
    if !timed::is_enabled() {
        return;
    }
    let sites = timed::snapshot().sites;
    // Its calls, and how many of them were timed.
    let figures = |name: &str| {
        let mut found = sites.iter().filter(|site| site.name.ends_with(name));
        let site = found.next().map_or((0, 0), |site| (site.calls, site.timed));
        assert!(found.next().is_none(), "one row for {name}");
        site
    };
    for exact in [
        "nested::outer::exact",
        "nested::by_cfg",
        "nested::outer::One::exact",
        "nested::outer::skipped::exact_in_a_skipped_one",
        "nested::outer::Does::does",
    ] {
        assert_eq!(figures(exact), (CALLS, CALLS), "{exact}");
    }
    for rare in [
        "nested::outer::rare",
        "nested::outer::not_by_cfg",
        "nested::outer::One::rare",
        "nested::outer::deeper::call",
        "<attribute::nested::outer::One as Does>::must",
    ] {
        let (calls, timed) = figures(rare);
        assert!(calls == CALLS && timed < CALLS, "{rare}: {calls}, {timed}");
    }
    for once in ["nested::outer::One::many_times", "deepest::exact", "deepest::exact_too"] {
        assert_eq!(figures(once).0, CALLS, "{once}");
    }
    assert_eq!(figures("skipped::never"), (0, 0));
}
