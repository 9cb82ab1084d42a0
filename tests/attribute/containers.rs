//! An `impl`, `mod` or `trait` with the attribute.

use std::collections::HashMap;

use timed::timed;

mod inner {
    use super::{HashMap, timed};
    use timed as also;

    pub struct Stock<T>(HashMap<&'static str, T>);

    #[timed(sample = 1)]
    impl<T: Copy + Default> Stock<T> {
        pub const SIZE: usize = { Self::size() };

        const fn size() -> usize {
            size_of::<T>()
        }

        pub fn new() -> Self {
            Self(HashMap::new())
        }

        #[also(name = "containers::put")]
        pub fn put(&mut self, key: &'static str, value: T) -> &mut Self {
            self.0.insert(key, value);
            self
        }

        #[cfg_attr(all(), timed::timed(name = "containers::get"))]
        #[must_use]
        pub fn get(&self, key: &str) -> T {
            self.0.get(key).copied().unwrap_or_default()
        }

        /// Has no frame that a guard could stand in.
        #[cfg(target_arch = "x86_64")]
        #[unsafe(naked)]
        pub extern "C" fn naked() -> usize {
            std::arch::naked_asm!("mov eax, 7", "ret")
        }

        #[timed(skip)]
        pub fn left_alone(&self) -> usize {
            self.0.len()
        }

        #[cfg(any())]
        fn gone(&self) -> Nothing {}
    }

    #[also]
    pub trait Weigh {
        fn grams(&self) -> u32;

        fn kilograms(&self) -> u32 {
            self.grams() / 1000
        }
    }

    #[timed]
    mod inside {
        use super::{Stock, Weigh};

        impl Weigh for Stock<u32> {
            fn grams(&self) -> u32 {
                self.0.values().sum()
            }
        }

        #[super::also]
        impl Extend<i8> for Stock<i8> {
            fn extend<I: IntoIterator<Item = i8>>(&mut self, values: I) {
                for value in values {
                    self.put("last", value);
                }
            }
        }
    }
}

#[test]
fn containers_time_what_is_inside() {
    use inner::{Stock, Weigh as _};

    let mut stock = Stock::new();
    assert_eq!(stock.put("a", 1500).put("b", 500).get("a"), 1500);
    assert_eq!((stock.kilograms(), stock.left_alone(), Stock::<u32>::SIZE), (2, 2, 4));
    #[cfg(target_arch = "x86_64")]
    assert_eq!(Stock::<u8>::naked(), 7);
    let mut bytes = Stock::<i8>::new();
    bytes.extend([1, -1]);
    assert_eq!(bytes.left_alone(), 1);
}

/// The functions above that were given names, each called as often as it was.
#[cfg(feature = "enabled")]
#[test]
fn every_call_is_counted_once() {
    use inner::Stock;

    let calls = |name: &str| {
        let sites = timed::snapshot().sites;
        let site = sites.iter().find(|site| site.name.ends_with(name));
        site.map_or(0, |site| site.calls)
    };
    let before = [calls("containers::put"), calls("containers::get")];
    std::thread::spawn(|| {
        let mut stock = Stock::new();
        for n in 0..1000u16 {
            stock.put("a", n);
        }
        assert_eq!(stock.get("a"), 999);
        assert_eq!(stock.left_alone(), 1);
    })
    .join()
    .unwrap();
    let other_test = 4;
    let put = calls("containers::put") - before[0];
    assert!((1000..=1000 + other_test).contains(&put), "{put}");
    assert!((1..=2).contains(&(calls("containers::get") - before[1])));
    assert_eq!(calls("left_alone"), 0);
}
