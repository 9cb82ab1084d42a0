//! How deep futures may lie in each other, under the compiler's ordinary limit, where the outermost is
//! checked for `Send`.

use timed::timed;

use super::{Yield, finish};

fn sent<F: Future<Output: Send> + Send>(future: F) -> F::Output {
    std::thread::scope(|scope| scope.spawn(|| finish(future)).join().unwrap())
}

macro_rules! functions {
    ($($name:ident calls $next:ident;)*) => {$(
        #[timed]
        async fn $name(n: u32, text: &str) -> Result<u32, String> {
            let text = format!("{text}{n}");
            Ok($next(n + 1, &text).await? + 1)
        }
    )*};
}
functions! {
    a1 calls a2; a2 calls a3; a3 calls a4; a4 calls a5; a5 calls a6; a6 calls a7; a7 calls a8;
    a8 calls a9; a9 calls a10; a10 calls a11; a11 calls a12; a12 calls a13; a13 calls last;
}

#[timed]
async fn last(n: u32, text: &str) -> Result<u32, String> {
    Yield(1).await;
    if text.is_empty() { Err("empty".into()) } else { Ok(n) }
}

struct Nest<A, B>(A, B);

macro_rules! methods {
    ($($name:ident calls $next:ident;)*) => {
        #[timed]
        impl<A: Send + Sync + Clone, B: Send + Sync> Nest<A, B> {
            $(async fn $name<T: Send + Clone>(&self, t: T) -> Option<(A, T)> {
                let copy = t.clone();
                self.$next(copy).await
            })*

            async fn last<T: Send + Clone>(&self, t: T) -> Option<(A, T)> {
                Yield(1).await;
                Some((self.0.clone(), t))
            }
        }
    };
}
methods! {
    b1 calls b2; b2 calls b3; b3 calls b4; b4 calls b5; b5 calls b6; b6 calls b7; b7 calls b8;
    b8 calls b9; b9 calls b10; b10 calls b11; b11 calls b12; b12 calls b13; b13 calls last;
}

#[test]
fn fourteen_deep() {
    assert_eq!(sent(a1(1, "")), Ok(27));
    assert_eq!(sent(Nest(1, vec!["b"]).b1(String::from("t"))), Some((1, "t".into())));
}
