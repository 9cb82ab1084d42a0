//! How large futures are, and how deep they may lie.

#![allow(unused_assignments)]

use std::future::Future;

use super::{Yield, finish};

macro_rules! twice {
    ($plain:ident $watched:ident; $($item:item)*) => {
        #[allow(dead_code)]
        mod $plain {
            use super::Yield;

            $($item)*
        }

        #[allow(dead_code)]
        #[timed::timed]
        mod $watched {
            use super::Yield;

            $($item)*
        }
    };
}

twice! {
    ordinary timed_ordinary;

    pub(super) async fn a(n: u32, name: &str) -> Result<usize, String> {
        let mut buffer = [0_u8; 128];
        buffer[0] = n as u8;
        let read = b(n + 1, name).await?;
        Ok(read + usize::from(buffer[0]))
    }

    async fn b(n: u32, name: &str) -> Result<usize, String> {
        let text = format!("{name}{n}");
        let length = c(&text, n).await?;
        Ok(length + text.len())
    }

    async fn c(text: &str, n: u32) -> Result<usize, String> {
        let mut block = [n as u8; 256];
        let (first, rest) = block.split_at_mut(1);
        first[0] = 1;
        let length = d(text.to_owned(), rest).await?;
        Ok(length + usize::from(rest[0]))
    }

    async fn d(text: String, block: &mut [u8]) -> Result<usize, String> {
        let list = [text.len(), block.len(), 1, 2, 3, 4, 5, 6];
        Yield(1).await;
        let sum = e(&list, (1, 2)).await?;
        Ok(sum + list.len() + text.len())
    }

    async fn e(list: &[usize], (a, b): (u64, u64)) -> Result<usize, String> {
        let mut sum = 0;
        for n in list {
            let part = [*n; 8];
            sum += f(&part, a).await?;
            sum += part.len() + b as usize;
        }
        Ok(sum)
    }

    async fn f(part: &[usize], a: u64) -> Result<usize, String> {
        let key = [a as u8; 64];
        let n = g(key, part.len()).await?;
        Yield(1).await;
        Ok(n + usize::from(key[3]))
    }

    async fn g(key: [u8; 64], n: usize) -> Result<usize, String> {
        let mut line = String::with_capacity(n);
        for byte in key {
            Yield(1).await;
            line.push(char::from(byte));
        }
        Ok(line.len())
    }
}

twice! {
    small timed_small;

    pub(super) async fn a(n: u32) -> u32 { b(n).await + 1 }
    async fn b(n: u32) -> u32 { c(n).await + 1 }
    async fn c(n: u32) -> u32 { d(n).await + 1 }
    async fn d(n: u32) -> u32 { e(n).await + 1 }
    async fn e(n: u32) -> u32 { f(n).await + 1 }
    async fn f(n: u32) -> u32 { g(n).await + 1 }
    async fn g(n: u32) -> u32 { Yield(n).await; n }
}

twice! {
    passed timed_passed;

    pub(super) async fn a(n: [u8; 512]) -> usize { b(n).await + 1 }
    async fn b(n: [u8; 512]) -> usize { c(n).await + 1 }
    async fn c(n: [u8; 512]) -> usize { d(n).await + 1 }
    async fn d(n: [u8; 512]) -> usize { Yield(1).await; n.len() }
}

twice! {
    kept timed_kept;

    pub(super) async fn a(n: [u8; 512]) -> u8 { Yield(1).await; n[0] }
}

twice! {
    assigned timed_assigned;

    pub(super) async fn a(mut n: [u8; 512]) -> u8 { Yield(1).await; let m = n[0]; n = [1; 512]; m }
}

fn ratio(plain: &impl Future, timed: &impl Future) -> f64 {
    size_of_val(timed) as f64 / size_of_val(plain) as f64
}

#[test]
fn futures_stay_about_as_large() {
    let (plain, timed) = (ordinary::a(1, "a"), timed_ordinary::a(1, "a"));
    println!("ordinary: {} and {} bytes", size_of_val(&plain), size_of_val(&timed));
    assert!(ratio(&plain, &timed) <= 1.25, "{}", ratio(&plain, &timed));
    assert_eq!(finish(plain), finish(timed));
    let (plain, timed) = (small::a(1), timed_small::a(1));
    println!("small: {} and {} bytes", size_of_val(&plain), size_of_val(&timed));
    assert_eq!(finish(plain), finish(timed));
    let (plain, timed) = (passed::a([0; 512]), timed_passed::a([0; 512]));
    println!("passed on: {} and {} bytes", size_of_val(&plain), size_of_val(&timed));
    assert_eq!(finish(plain), finish(timed));
    let (plain, timed) = (kept::a([0; 512]), timed_kept::a([0; 512]));
    println!("kept: {} and {} bytes", size_of_val(&plain), size_of_val(&timed));
    assert_eq!(finish(plain), finish(timed));
    let (plain, timed) = (assigned::a([0; 512]), timed_assigned::a([0; 512]));
    println!("assigned: {} and {} bytes", size_of_val(&plain), size_of_val(&timed));
    assert_eq!(finish(plain), finish(timed));
}
