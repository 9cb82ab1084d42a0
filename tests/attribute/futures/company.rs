//! The attribute above and below others: of tokio, of `async-trait`.

use std::time::Duration;

use async_trait::async_trait;
use timed::timed;
use tokio::task::{JoinSet, yield_now};

#[timed]
#[tokio::main(flavor = "current_thread")]
async fn above_main(n: u8) -> Result<u8, String> {
    let spawned = tokio::spawn(step(n));
    Ok(step(n).await + spawned.await.map_err(|error| error.to_string())?)
}

#[tokio::main(flavor = "current_thread")]
#[timed]
async fn below_main(n: u8) -> Result<u8, String> {
    yield_now().await;
    if n == 0 {
        return Err("none".into());
    }
    Ok(step(n).await)
}

#[timed]
async fn step(n: u8) -> u8 {
    yield_now().await;
    n + 1
}

#[timed]
#[tokio::test]
async fn above_test() {
    assert_eq!(step(1).await, 2);
}

#[tokio::test]
#[timed]
async fn below_test() -> Result<(), Box<dyn std::error::Error>> {
    yield_now().await;
    assert_eq!(step("1".parse()?).await, 2);
    Ok(())
}

#[timed]
#[tokio::test]
#[should_panic(expected = "on purpose")]
async fn above_should_panic() {
    yield_now().await;
    panic!("on purpose");
}

#[tokio::test]
#[should_panic(expected = "on purpose")]
#[timed]
async fn below_should_panic() {
    yield_now().await;
    panic!("on purpose");
}

#[tokio::test]
#[timed]
#[ignore = "never runs"]
async fn ignored() {
    unreachable!()
}

#[timed]
async fn fails_now_and_then(n: u8) -> Result<u8, u8> {
    yield_now().await;
    if n > 2 { Err(n) } else { Ok(n) }
}

#[timed]
async fn forever() {
    std::future::pending().await
}

#[timed]
async fn with_macros(n: u8) -> Result<u8, u8> {
    let (a, b) = tokio::join!(step(n), async { step(n).await + 1 });
    let (c, d) = tokio::try_join!(fails_now_and_then(1), fails_now_and_then(2))?;
    let e = tokio::select! {
        biased;
        () = forever() => 100,
        e = step(1) => e,
        else => 101,
    };
    let f = tokio::select! {
        f = fails_now_and_then(n) => f?,
        () = tokio::time::sleep(Duration::from_secs(60)) => 102,
    };
    Ok(a + b + c + d + e + f)
}

#[timed]
async fn with_tasks(count: u8) -> u32 {
    let mut tasks = JoinSet::new();
    for n in 0..count {
        tasks.spawn(step(n));
    }
    let cancelled = tokio::spawn(forever());
    yield_now().await;
    cancelled.abort();
    assert!(cancelled.await.is_err_and(|error| error.is_cancelled()));
    let local = tokio::task::LocalSet::new();
    let local = local.run_until(async {
        let shared = std::rc::Rc::new(1);
        tokio::task::spawn_local(not_send(shared)).await.unwrap()
    });
    let mut sum = local.await;
    while let Some(n) = tasks.join_next().await {
        sum += u32::from(n.unwrap());
    }
    sum
}

#[timed]
async fn not_send(n: std::rc::Rc<u32>) -> u32 {
    yield_now().await;
    *n
}

#[tokio::test]
async fn macros_and_tasks() {
    assert_eq!(with_macros(1).await, Ok(11));
    assert_eq!(with_macros(3).await, Err(3));
    assert_eq!(with_tasks(3).await, 7);
    let late = tokio::time::timeout(Duration::from_millis(1), forever()).await;
    assert!(late.is_err());
}

#[test]
fn entry_points() {
    assert_eq!((above_main(1), below_main(1), below_main(0)), (Ok(4), Ok(2), Err("none".into())));
    #[cfg(feature = "enabled")]
    assert_eq!((super::calls("::above_main"), super::calls("::below_main")), (1, 2));
}

#[async_trait]
trait Store: Sync {
    async fn get(&self, key: &str) -> Option<u8>;

    #[timed(name = "company::get_or")]
    async fn get_or<D: Into<u8> + Send>(&self, key: &str, default: D) -> u8
    where
        Self: Sized,
    {
        yield_now().await;
        self.get(key).await.unwrap_or(default.into())
    }

    async fn put(&mut self, key: String, (value, _): (u8, u8)) -> Result<usize, String>;

    #[timed(name = "company::consumed")]
    async fn consumed(self: Box<Self>, _: u8) -> usize {
        1
    }
}

#[async_trait]
impl Store for Vec<(String, u8)> {
    #[timed(name = "company::get")]
    async fn get(&self, key: &str) -> Option<u8> {
        yield_now().await;
        self.iter().find(|(name, _)| name == key).map(|(_, value)| *value)
    }

    #[timed(name = "company::put")]
    async fn put(&mut self, key: String, (value, _): (u8, u8)) -> Result<usize, String> {
        if key.is_empty() {
            return Err(key);
        }
        yield_now().await;
        self.push((key, value));
        Ok(self.len())
    }
}

struct Above;

#[timed]
#[async_trait]
impl Store for Above {
    async fn get(&self, _: &str) -> Option<u8> {
        yield_now().await;
        Some(1)
    }

    #[timed(name = "company::put_above")]
    async fn put(&mut self, _: String, _: (u8, u8)) -> Result<usize, String> {
        Ok(1)
    }
}

struct Below;

#[async_trait]
#[timed]
impl Store for Below {
    async fn get(&self, _: &str) -> Option<u8> {
        yield_now().await;
        Some(2)
    }

    #[timed(name = "company::put_below")]
    async fn put(&mut self, _: String, _: (u8, u8)) -> Result<usize, String> {
        Ok(2)
    }
}

#[timed]
#[async_trait(?Send)]
trait Local {
    async fn local(&self, n: std::rc::Rc<u8>) -> u8 {
        yield_now().await;
        *n
    }

    async fn declared<'a>(&'a mut self, text: &'a str) -> &'a str;
}

#[async_trait(?Send)]
#[timed]
impl Local for u8 {
    async fn declared<'a>(&'a mut self, text: &'a str) -> &'a str {
        yield_now().await;
        *self += 1;
        &text[usize::from(*self)..]
    }
}

#[tokio::test]
async fn traits_by_macro() {
    let mut store = Vec::new();
    for n in 0..5 {
        assert_eq!(store.put(n.to_string(), (n, n)).await, Ok(usize::from(n) + 1));
    }
    assert_eq!(store.put(String::new(), (1, 1)).await, Err(String::new()));
    assert_eq!((store.get("2").await, store.get_or("9", 9).await), (Some(2), 9));
    assert_eq!((Above.get("").await, Above.put("a".into(), (1, 2)).await), (Some(1), Ok(1)));
    assert_eq!((Below.get("").await, Below.put("a".into(), (1, 2)).await), (Some(2), Ok(2)));
    let boxed: Box<dyn Erased> = Box::new(store);
    assert_eq!(boxed.consumed_by_a_task().await, 1);
    assert_eq!((1_u8.local(3.into()).await, 1_u8.declared("abc").await), (3, "c"));
    #[cfg(feature = "enabled")]
    for (name, calls) in [
        ("company::put", 6),
        ("company::get", 2),
        ("company::get_or", 1),
        ("company::consumed", 1),
        ("company::put_above", 1),
        ("company::put_below", 1),
    ] {
        assert_eq!(super::calls(name), calls, "{name}");
    }
}

#[async_trait]
trait Erased: Send {
    async fn consumed_by_a_task(self: Box<Self>) -> usize;
}

#[async_trait]
impl Erased for Vec<(String, u8)> {
    #[timed]
    async fn consumed_by_a_task(self: Box<Self>) -> usize {
        tokio::spawn(self.consumed(0)).await.unwrap()
    }
}
