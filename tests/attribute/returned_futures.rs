//! Functions that are not `async` and return futures: their statements run when they are called,
//! and the future is the one that they made.

use std::cell::RefCell;
use std::future::{Future, Ready, ready};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use timed::timed;

type Steps = Rc<RefCell<Vec<&'static str>>>;

fn finish<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
    }
}

#[timed]
fn opaque(steps: Steps, n: u8) -> impl Future<Output = u8> {
    steps.borrow_mut().push("called");
    async move {
        steps.borrow_mut().push("polled");
        n + 1
    }
}

#[timed]
fn boxed<'a>(steps: &Steps, text: &'a str) -> Pin<Box<dyn Future<Output = usize> + Send + 'a>> {
    steps.borrow_mut().push("called");
    Box::pin(async move { text.len() })
}

#[timed]
fn concrete<T>(value: T) -> Ready<T> {
    ready(value)
}

#[timed]
fn in_a_result(
    steps: &Steps,
    good: bool,
) -> Result<impl Future<Output = u8> + use<>, &'static str> {
    steps.borrow_mut().push("called");
    if !good {
        return Err("not good");
    }
    Ok(async { 1 })
}

#[timed]
fn a_closure(n: u8) -> impl AsyncFn(u8) -> u8 {
    async move |m| n + m
}

#[timed]
fn nested(n: u8) -> impl Future<Output = impl Future<Output = u8>> {
    async move { async move { n } }
}

struct Owner(u8);

impl Owner {
    #[timed]
    fn borrowed(&mut self) -> impl Future<Output = &mut u8> {
        self.0 += 1;
        async move {
            self.0 += 1;
            &mut self.0
        }
    }
}

/// What `async` methods become by the macro of that name, and its methods that are not `async`.
mod by_macro {
    use async_trait::async_trait;
    use timed::timed;

    #[async_trait]
    pub trait Store: Sync {
        async fn get(&self, key: &str) -> Option<u8>;

        fn size(&self) -> usize;

        #[timed(sample = 2)]
        fn is_empty(&self) -> bool {
            self.size() == 0
        }
    }

    #[async_trait]
    impl Store for Vec<(&'static str, u8)> {
        async fn get(&self, key: &str) -> Option<u8> {
            self.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
        }

        #[timed]
        fn size(&self) -> usize {
            self.len()
        }
    }

    #[async_trait]
    #[timed]
    impl Store for u8 {
        async fn get(&self, key: &str) -> Option<u8> {
            (key == "own").then_some(*self)
        }

        fn size(&self) -> usize {
            1
        }

        fn is_empty(&self) -> bool {
            false
        }
    }
}

#[test]
fn futures_are_left_as_they_are() {
    let steps = Steps::default();
    let future = opaque(Rc::clone(&steps), 1);
    assert_eq!(*steps.borrow(), ["called"]);
    assert_eq!(finish(future), 2);
    assert_eq!(steps.take(), ["called", "polled"]);
    let future = boxed(&steps, "abc");
    assert_eq!(steps.take(), ["called"]);
    assert_eq!(std::thread::scope(|scope| scope.spawn(|| finish(future)).join().unwrap()), 3);
    assert_eq!(concrete(Rc::new(4)).into_inner(), Rc::new(4));
    assert_eq!(in_a_result(&steps, false).err(), Some("not good"));
    assert_eq!(finish(in_a_result(&steps, true).ok().unwrap()), 1);
    assert_eq!(finish(a_closure(1)(2)), 3);
    assert_eq!(finish(finish(nested(5))), 5);
    let store: &dyn by_macro::Store = &vec![("a", 1)];
    assert_eq!((store.size(), store.is_empty(), finish(store.get("a"))), (1, false, Some(1)));
    let store: &dyn by_macro::Store = &6;
    assert_eq!((store.size(), store.is_empty(), finish(store.get("own"))), (1, false, Some(6)));
    let mut owner = Owner(1);
    let future = owner.borrowed();
    *finish(future) += 1;
    assert_eq!(owner.0, 4);
}
