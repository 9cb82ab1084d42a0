//! The crate under another name, and passed on by modules and macros of the user's.

use clock::timed;

#[timed(crate = clock)]
fn short() -> u8 {
    1
}

#[clock::timed(crate = ::clock, sample = 2, name = "long")]
fn long() -> u8 {
    2
}

#[timed(crate = crate::tools::profiling)]
fn passed_on() -> u8 {
    tools::profiling::scope!("passed on");
    clock::block!("block", { 3 })
}

pub mod tools {
    pub mod profiling {
        pub use clock::*;
    }

    pub mod timed {}

    pub mod inside {
        use super::profiling::timed as measured;

        pub struct Counter(pub u8);

        #[measured(crate = super::profiling)]
        impl Counter {
            pub fn go(&self) -> u8 {
                self.0
            }

            #[measured(crate = self::super::profiling, name = "own")]
            pub fn own(&self) -> u8 {
                self.0 + 1
            }

            #[measured(skip)]
            pub fn skipped(&self) -> u8 {
                self.0 + 2
            }
        }

        #[measured(crate = clock)]
        pub mod deeper {
            pub fn down() -> u8 {
                5
            }

            #[cfg_attr(all(), clock::timed(name = "cfg"))]
            pub fn by_cfg() -> u8 {
                6
            }
        }
    }
}

macro_rules! function {
    ($crate_path:path, $name:ident) => {
        #[timed(crate = $crate_path)]
        fn $name() -> u8 {
            7
        }
    };
    ($name:ident) => {
        #[$crate::tools::profiling::timed(crate = $crate::tools::profiling)]
        fn $name() -> u8 {
            8
        }
    };
}
function!(crate::tools::profiling, from_a_path);
function!(through_the_macro);

fn main() {
    use tools::inside::{Counter, deeper};

    assert_eq!(short() + long() + passed_on(), 6);
    let counter = Counter(1);
    assert_eq!(counter.go() + counter.own() + counter.skipped(), 6);
    assert_eq!(deeper::down() + deeper::by_cfg(), 11);
    assert_eq!(from_a_path() + through_the_macro(), 15);
    if clock::is_enabled() {
        let sites = clock::snapshot().sites;
        assert!(sites.iter().all(|site| site.calls == 1), "{sites:?}");
        assert_eq!(sites.len(), 11);
    }
}
