//! What futures return, and the ways in which a body ends.

use std::fmt::{Debug, Display};
use std::future::Future;
use std::pin::Pin;

use timed::timed;

use super::{Yield, finish};

#[timed]
async fn unit() {
    Yield(1).await
}

#[timed]
async fn explicit_unit(list: &mut Vec<u8>) -> () {
    Yield(1).await;
    list.push(1)
}

#[timed]
async fn tuple(a: u8) -> (u8, String, [u8; 2]) {
    Yield(1).await;
    (a, a.to_string(), [a; 2])
}

#[timed]
async fn opaque(n: u8) -> impl Iterator<Item = u8> + Clone {
    Yield(1).await;
    (0..n).filter(|n| n % 2 == 0)
}

#[timed]
async fn opaque_and_borrowed<'a>(list: &'a [u8], from: &u8) -> impl Iterator<Item = u8> + use<'a> {
    Yield(1).await;
    list.iter()
        .copied()
        .skip(usize::from(*from))
        .collect::<Vec<_>>()
        .into_iter()
        .chain(list.iter().copied())
}

#[timed]
async fn opaque_in_a_result(
    n: u8,
) -> Result<impl Debug + Display + Sized, Box<dyn std::error::Error>> {
    Yield(1).await;
    if n == 0 {
        return Err("zero".into());
    }
    let number: u16 = "300".parse()?;
    Ok(number + u16::from(n))
}

#[timed]
async fn opaque_argument(all: impl IntoIterator<Item = impl Into<u32>>) -> u32 {
    let mut sum = 0;
    let all: Vec<u32> = all.into_iter().map(Into::into).collect();
    for n in all {
        Yield(1).await;
        sum += n;
    }
    sum
}

#[timed]
async fn boxed_closure(n: u8) -> Result<Box<dyn Fn(u8) -> u8 + Send>, String> {
    Yield(1).await;
    Ok(Box::new(move |m| n + m))
}

#[timed]
async fn boxed_closures(n: u8) -> Vec<Box<dyn Fn(u8) -> u8>> {
    Yield(1).await;
    vec![Box::new(move |m| n + m), Box::new(move |m| n * m)]
}

#[timed]
async fn boxed_future(n: u8) -> Option<Pin<Box<dyn Future<Output = u8>>>> {
    Some(Box::pin(async move { n + 1 }))
}

#[timed]
async fn function_pointer(which: bool) -> fn(u8) -> u8 {
    Yield(1).await;
    match which {
        true => |n| n + 1,
        false => u8::reverse_bits,
    }
}

#[timed]
async fn objects(which: u8) -> Box<dyn Debug> {
    if which == 0 {
        return Box::new("zero");
    }
    Yield(1).await;
    match which {
        1 => Box::new(1),
        _ => Box::new(Some('x')),
    }
}

#[timed]
async fn slice(list: &[u8; 3]) -> &[u8] {
    list
}

#[timed]
async fn reborrowed(list: &mut Vec<u8>) -> &[u8] {
    list.push(4);
    list
}

#[timed]
async fn from_several<'a>(a: &'a str, b: &'a str, c: &str) -> &'a str {
    Yield(1).await;
    if a.len() == c.len() { a } else { b }
}

#[timed]
async fn struct_of_references<'a, 'b>(a: &'a str, b: &'b str) -> (&'b str, &'a str) {
    Yield(1).await;
    (b, a)
}

#[timed]
async fn question(words: &[&str]) -> Result<u32, std::num::ParseIntError> {
    let mut sum = 0;
    for word in words {
        Yield(1).await;
        sum += word.parse::<u32>()?;
    }
    Ok(sum)
}

#[timed]
async fn question_in_the_tail(
    words: &[&str],
) -> Result<u64, Box<dyn std::error::Error + Send + Sync>> {
    Ok(u64::from(question(words).await?))
}

#[timed]
async fn question_of_an_option(list: &[Option<u8>]) -> Option<u8> {
    let first = (*list.first()?)?;
    Yield(1).await;
    list.get(1).copied().flatten().map(|second| first + second)
}

#[timed]
async fn early(n: u8) -> &'static str {
    if n == 0 {
        return "none";
    }
    for _ in 0..n {
        Yield(1).await;
        if n > 3 {
            return "many";
        }
    }
    "some"
}

#[timed]
async fn labelled(n: u8) -> u8 {
    let found = 'outer: loop {
        for a in 0.. {
            for b in 0..a {
                Yield(1).await;
                if a * b > n {
                    break 'outer a + b;
                }
                if b > 3 {
                    continue 'outer;
                }
            }
        }
    };
    'block: {
        if found > 3 {
            break 'block found;
        }
        Yield(1).await;
        1
    }
}

#[timed]
async fn matched(n: Option<Result<u8, String>>) -> String {
    match n {
        Some(Ok(n)) if n > 3 => {
            Yield(1).await;
            n.to_string()
        }
        Some(Ok(_)) => "few".into(),
        Some(Err(text)) => text,
        None => String::default(),
    }
}

#[timed]
async fn nested(n: u8) -> u8 {
    let before = async {
        Yield(1).await;
        n + 1
    };
    let moved = async move { before.await * 2 };
    let early = async {
        if n > 1 {
            return Err(n);
        }
        Ok(moved.await)
    };
    match early.await {
        Ok(n) | Err(n) => n,
    }
}

#[timed]
async fn async_closures(list: &[u8]) -> u8 {
    async fn apply(f: impl AsyncFn(u8) -> u8, n: u8) -> u8 {
        f(n).await + f(n).await
    }
    let mut sum = 0;
    let mut add = async |n: u8| {
        Yield(1).await;
        sum += n;
    };
    for n in list {
        add(*n).await;
    }
    apply(async |n| n + sum, 1).await
}

#[timed]
async fn takes_async_closures<F>(mut f: F) -> String
where
    F: AsyncFnMut(&str) -> String,
{
    f("a").await + &f("b").await
}

#[timed]
async fn recursive(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    Box::pin(recursive(n - 1)).await + Box::pin(recursive(n - 2)).await
}

#[timed]
fn recursive_and_boxed<'a>(n: &'a u64) -> Pin<Box<dyn Future<Output = u64> + Send + 'a>> {
    Box::pin(async move { if *n == 0 { 0 } else { recursive_and_boxed(&(*n - 1)).await + 1 } })
}

/// # Safety
/// The pointer must be valid.
#[timed]
async unsafe fn unsafe_to_its_end(n: *const u8) -> u8 {
    Yield(1).await;
    // SAFETY: as for this function.
    unsafe { *n }
}

#[timed]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
async fn with_features(n: u8) -> u8 {
    Yield(1).await;
    n + 1
}

#[timed]
#[must_use]
#[inline]
#[doc(alias = "another")]
/// Documented.
async fn attributes(n: u8) -> u8 {
    #![allow(unused_variables)]
    #![doc = "Inside."]
    let unused = 1;
    n
}

#[timed]
async fn never(n: u8) -> ! {
    Yield(1).await;
    panic!("after {n}")
}

#[timed]
async fn never_in_the_end(n: Option<u8>) -> u8 {
    match n {
        Some(n) => n,
        None => never(1).await,
    }
}

#[timed]
async fn items(n: u8) -> u8 {
    use std::convert::identity;
    #[timed]
    async fn inner(n: u8) -> u8 {
        Yield(1).await;
        n + TWO
    }
    const TWO: u8 = 2;
    struct Local(u8);
    #[timed]
    impl Local {
        async fn get(&self) -> u8 {
            self.0
        }
    }
    identity(inner(n).await + Local(1).get().await)
}

#[timed]
async fn blocks(n: u8) -> Option<u8> {
    timed::scope!("blocks' scope");
    let first = timed::block!("an await", {
        Yield(1).await;
        n.checked_add(1)?
    });
    for n in 0.. {
        timed::block!("no await", {
            if n > first {
                break;
            }
        });
    }
    Some(timed::block!("tail", { first }))
}

#[timed]
async fn long_lived_temporaries(list: &std::sync::Mutex<Vec<u8>>) -> usize {
    list.lock().unwrap().len() + { list.try_lock().is_err() as usize }
}

#[timed]
async fn generic<T: Clone + Debug, U: From<T>, const N: usize>(t: T) -> ([T; N], U)
where
    U: Display,
{
    Yield(N as u32).await;
    (std::array::from_fn(|_| t.clone()), U::from(t))
}

#[timed]
async fn integer() -> u64 {
    let mut all = Vec::new();
    all.push(1);
    Yield(1).await;
    all.into_iter().sum()
}

#[timed]
async fn parsed() -> Result<u8, std::num::ParseIntError> {
    "12".parse()
}

#[timed]
async fn into() -> String {
    Yield(1).await;
    "text".into()
}

#[timed]
async fn default<T: Default>() -> (T, Vec<T>) {
    (Default::default(), Default::default())
}

#[test]
fn results_of_every_kind() {
    let mut list = vec![];
    finish(unit());
    finish(explicit_unit(&mut list));
    assert_eq!(list, [1]);
    assert_eq!(finish(tuple(3)), (3, "3".into(), [3, 3]));
    assert_eq!(finish(opaque(5)).clone().sum::<u8>(), 6);
    assert_eq!(finish(opaque_and_borrowed(&[1, 2], &1)).collect::<Vec<_>>(), [2, 1, 2]);
    assert_eq!(finish(opaque_in_a_result(1)).unwrap().to_string(), "301");
    assert_eq!(finish(opaque_in_a_result(0)).map(|_| ()).unwrap_err().to_string(), "zero");
    assert_eq!(finish(opaque_argument([1_u8, 2])), 3);
    assert_eq!(finish(boxed_closure(1)).unwrap()(2), 3);
    assert_eq!(finish(boxed_closures(3)).iter().map(|f| f(2)).sum::<u8>(), 11);
    assert_eq!(finish(finish(boxed_future(1)).unwrap()), 2);
    assert_eq!(finish(function_pointer(true))(1) + finish(function_pointer(false))(1), 130);
    assert_eq!(
        format!("{:?}{:?}{:?}", finish(objects(0)), finish(objects(1)), finish(objects(2))),
        "\"zero\"1Some('x')"
    );
    assert_eq!(finish(slice(&[1, 2, 3])).len() + finish(reborrowed(&mut list)).len(), 5);
    assert_eq!(finish(from_several("a", "bc", &String::from("d"))), "a");
    assert_eq!(finish(struct_of_references("a", "b")), ("b", "a"));
    assert_eq!(finish(attributes(1)) + finish(with_features_here()), 3);
    assert_eq!(finish(generic::<u8, u32, 2>(1)), ([1, 1], 1));
    assert_eq!((finish(integer()), finish(parsed()), finish(into())), (1, Ok(12), "text".into()));
    assert_eq!(finish(default::<u8>()), (0, vec![]));
}

fn with_features_here() -> impl Future<Output = u8> {
    // SAFETY: every x86-64 processor has it.
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_unsafe))]
    unsafe {
        with_features(1)
    }
}

#[test]
fn ends_of_every_kind() {
    assert_eq!(finish(question(&["1", "2"])), Ok(3));
    assert!(finish(question(&["1", "x"])).is_err());
    assert_eq!(finish(question_in_the_tail(&["4"])).ok(), Some(4));
    assert!(finish(question_in_the_tail(&["x"])).is_err());
    assert_eq!(finish(question_of_an_option(&[Some(1), Some(2)])), Some(3));
    assert_eq!(finish(question_of_an_option(&[])), None);
    assert_eq!([finish(early(0)), finish(early(2)), finish(early(4))], ["none", "some", "many"]);
    assert_eq!(finish(labelled(10)), 7);
    assert_eq!(finish(matched(Some(Ok(4)))) + &finish(matched(Some(Ok(1)))), "4few");
    assert_eq!(finish(matched(Some(Err("e".into())))) + &finish(matched(None)), "e");
    assert_eq!(finish(nested(1)) + finish(nested(2)), 6);
    assert_eq!(finish(async_closures(&[1, 2])), 8);
    assert_eq!(finish(takes_async_closures(async |text: &str| text.to_uppercase())), "AB");
    assert_eq!((finish(recursive(10)), finish(recursive_and_boxed(&5))), (55, 5));
    // SAFETY: the pointer is a reference's.
    assert_eq!(finish(unsafe { unsafe_to_its_end(&7) }), 7);
    assert_eq!(finish(never_in_the_end(Some(2))), 2);
    assert!(std::panic::catch_unwind(|| finish(never_in_the_end(None))).is_err());
    assert_eq!((finish(items(1)), finish(blocks(3)), finish(blocks(255))), (4, Some(4), None));
    assert_eq!(finish(long_lived_temporaries(&vec![1, 2].into())), 3);
}
