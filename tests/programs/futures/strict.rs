//! Asynchronous functions of a library that forbids everything that it can.

use std::pin::Pin;

use timed::timed;

/// Adds.
#[timed]
#[must_use]
pub async fn plain(a: u8, b: u8) -> u8 {
    std::future::ready(()).await;
    a.wrapping_add(b)
}

/// Adds, now and then timed.
#[timed(name = "sampled", sample = 64)]
#[must_use]
pub async fn sampled<T: Clone + Sync>(a: &T, _: u8, _b: u8) -> T {
    std::future::ready(()).await;
    a.clone()
}

/// Waits, timed roughly.
#[timed(fence = "relaxed")]
pub async fn relaxed() {
    std::future::ready(()).await;
}

/// Roughly, and now and then.
#[timed(fence = "relaxed", sample = 3)]
#[must_use]
pub async fn both(text: &str) -> Option<char> {
    let first = text.chars().next()?;
    std::future::ready(()).await;
    if first.is_alphabetic() {
        return None;
    }
    todo(first).await
}

#[timed]
async fn todo(first: char) -> Option<char> {
    assert!(first.is_ascii(), "ascii only");
    std::future::ready(()).await;
    std::process::exit(1)
}

/// Counts for ever.
#[timed]
pub async fn forever(mut n: u8) -> ! {
    loop {
        std::future::ready(()).await;
        n = n.wrapping_add(1);
    }
}

/// Counts for a while.
#[timed]
#[must_use]
pub async fn assigned(mut n: u8, (mut a, b): (u8, u8), _: String, c: String) -> usize {
    let mut sum = 0_usize;
    while n < 100 {
        std::future::ready(()).await;
        a = a.wrapping_add(b);
        sum = sum.wrapping_add(usize::from(a));
        n = n.wrapping_add(1);
    }
    sum.wrapping_add(c.len())
}

/// Is armed until it is not.
#[derive(Debug)]
pub struct Guard {
    armed: bool,
}

impl Drop for Guard {
    fn drop(&mut self) {
        assert!(!self.armed, "armed");
    }
}

#[timed]
impl Guard {
    /// Disarms it.
    pub async fn disarm(mut self, mut other: Self) {
        std::future::ready(()).await;
        self.armed = false;
        other.armed = false;
    }
}

/// Something that can be weighed.
#[allow(async_fn_in_trait)]
pub trait Weigh {
    /// What it weighs.
    async fn grams(&self) -> u32;

    /// What it weighs, rounded.
    #[timed]
    async fn kilograms(&self) -> u32 {
        self.grams().await / 1000
    }
}

/// An opaque value.
#[derive(Clone, Copy, Debug)]
pub struct Stone;

#[timed]
impl Weigh for Stone {
    async fn grams(&self) -> u32 {
        timed::block!("reading",
        {
            std::future::ready(()).await;
            7
        }
        ) // timed
    }
}

/// A module.
#[timed]
pub mod inside {
    /// Borrows.
    pub async fn longest<'a>(a: &'a str, b: &'a str) -> &'a str {
        std::future::ready(()).await;
        if a.len() > b.len() { a } else { b }
    }

    /// Opaque.
    pub async fn opaque() -> impl Iterator<Item = u8> {
        std::future::ready(()).await;
        [1, 2].into_iter()
    }
}

/// In a box.
#[timed]
#[must_use]
pub fn boxed(n: u8) -> Pin<Box<dyn Future<Output = u8> + Send>> {
    Box::pin(async move {
        std::future::ready(()).await;
        n
    })
}
