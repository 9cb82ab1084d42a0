//! Traits, and an `impl`, `mod` or `trait` with the attribute around `async` functions.

use std::collections::HashMap;
use std::fmt::Debug;

use timed::timed;
use timed::timed as also;

use super::{Yield, finish};

#[allow(async_fn_in_trait)]
trait Store<K> {
    type Value: Default;

    async fn get(&self, key: &K) -> Option<Self::Value>;

    #[timed]
    async fn get_or_default(&self, key: &K) -> Self::Value {
        Yield(1).await;
        self.get(key).await.unwrap_or_default()
    }

    #[timed(name = "futures::defaults", sample = 1)]
    async fn all<const N: usize>(&self, keys: [K; N]) -> Vec<Self::Value>
    where
        K: Debug,
    {
        let mut all = Vec::new();
        for key in &keys {
            all.push(self.get_or_default(key).await);
        }
        all
    }

    async fn consumed(self, _: u8) -> usize
    where
        Self: Sized;
}

#[timed]
impl<K: Eq + std::hash::Hash, V: Clone + Default> Store<K> for HashMap<K, V> {
    type Value = V;

    async fn get(&self, key: &K) -> Option<V> {
        Yield(1).await;
        HashMap::get(self, key).cloned()
    }

    async fn consumed(self, _: u8) -> usize {
        Yield(1).await;
        self.len()
    }
}

#[timed(sample = 1, fence = "relaxed")]
#[allow(async_fn_in_trait)]
trait Shape {
    async fn area(&self) -> u32;

    async fn double(&self) -> u32 {
        self.area().await * 2
    }

    fn name(&self) -> String {
        "shape".into()
    }

    #[timed(skip)]
    async fn left_alone(&self) -> u32 {
        self.double().await
    }
}

impl Shape for u32 {
    #[timed]
    async fn area(&self) -> u32 {
        Yield(1).await;
        *self
    }

    // In the trait, it is no async function: here, it is.
    #[timed]
    async fn double(&self) -> u32 {
        2 * self
    }
}

impl Shape for u8 {
    fn area(&self) -> impl Future<Output = u32> {
        async { 3 }
    }
}

trait Sends {
    fn sends(&self, text: &str) -> impl Future<Output = usize> + Send;
}

impl Sends for u8 {
    #[timed]
    async fn sends(&self, text: &str) -> usize {
        Yield(1).await;
        text.len() + usize::from(*self)
    }
}

#[timed]
mod inside {
    use super::*;

    pub async fn function(n: u8) -> u8 {
        Yield(1).await;
        n
    }

    #[timed(name = "futures::named", fence = "relaxed")]
    pub async fn named(n: u8) -> u8 {
        Yield(1).await;
        n
    }

    #[also(name = "futures::twice")]
    #[timed]
    #[also]
    pub async fn twice(n: u8) -> u8 {
        n
    }

    #[cfg_attr(all(), also(name = "futures::conditional"))]
    pub async fn conditional(n: u8) -> u8 {
        n
    }

    #[timed(skip)]
    pub async fn skipped(n: u8) -> u8 {
        n
    }

    #[also(crate = timed, sample = 2)]
    pub async fn sampled() {}

    #[cfg(any())]
    pub async fn gone() -> Nowhere {}

    pub struct Type;

    impl Type {
        pub async fn method(&mut self, (a, b): (u8, u8)) -> u8 {
            Yield(1).await;
            a + b
        }

        pub fn boxed(&self) -> std::pin::Pin<Box<dyn Future<Output = u8> + '_>> {
            Box::pin(async { 1 })
        }
    }

    #[also]
    #[timed]
    impl Type {
        #[also(name = "futures::thrice")]
        pub async fn thrice(&self, _: u8) -> u8 {
            3
        }
    }
}

#[test]
fn functions_in_containers() {
    let map = HashMap::from([("a", 1), ("b", 2)]);
    assert_eq!(finish(Store::get(&map, &"a")), Some(1));
    assert_eq!(finish(map.all(["a", "x", "b"])), [1, 0, 2]);
    assert_eq!(finish(map.consumed(0)), 2);
    assert_eq!(
        (finish(4_u32.double()), finish(4_u32.area()), 4_u32.name()),
        (8, 4, "shape".into())
    );
    assert_eq!((finish(1_u8.double()), finish(1_u8.left_alone())), (6, 6));
    assert_eq!(std::thread::spawn(|| finish(1_u8.sends("ab"))).join().unwrap(), 3);
    assert_eq!(finish(inside::Type.method((1, 2))) + finish(inside::Type.boxed()), 4);
    finish(inside::sampled());
}

#[test]
fn each_call_is_counted_once() {
    for n in 0..10 {
        assert_eq!(finish(inside::function(n)), n);
        assert_eq!(finish(inside::named(n)) + finish(inside::twice(n)), 2 * n);
        assert_eq!(finish(inside::conditional(n)) + finish(inside::skipped(n)), 2 * n);
        assert_eq!(finish(inside::Type.thrice(n)), 3);
    }
    #[cfg(feature = "enabled")]
    for (name, expected) in [
        ("inside::function", 10),
        ("futures::named", 10),
        ("futures::twice", 10),
        ("futures::conditional", 10),
        ("futures::thrice", 10),
        ("inside::twice", 0),
        ("skipped", 0),
        ("left_alone", 0),
    ] {
        assert_eq!(super::calls(name), expected, "{name}");
    }
}
