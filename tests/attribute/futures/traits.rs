//! Which traits a future has: those that it has without the attribute.

#![allow(unused_assignments)]

use std::cell::Cell;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::MutexGuard;

use super::{Yield, finish};

/// The same functions twice: plain, and timed.
macro_rules! twice {
    ($($item:item)*) => {
        #[allow(dead_code)]
        mod plain {
            use super::*;

            $($item)*
        }

        #[allow(dead_code)]
        #[timed::timed]
        mod watched {
            use super::*;

            $($item)*
        }
    };
}

/// Whether what a function returns has each of four traits. A method of the value itself comes before
/// one that is found behind a reference to it.
macro_rules! traits_of {
    ($($call:tt)*) => {{
        #[allow(unused_imports)]
        use probes::*;

        #[allow(unreachable_code, unused_variables, clippy::diverging_sub_expression)]
        let which = |never: bool| {
            let made = || if never { unreachable!() } else { $($call)* };
            let of = Of::returned_by(&made);
            [
                (&&of).is_send(),
                (&&of).is_sync(),
                (&&of).is_unpin(),
                (&&of).is_unwind_safe(),
            ]
        };
        which(false)
    }};
}

struct Of<T>(PhantomData<T>);

impl<T> Of<T> {
    fn returned_by(_: &impl Fn() -> T) -> Self {
        Self(PhantomData)
    }
}

mod probes {
    use super::Of;

    macro_rules! probes {
        ($($yes:ident $no:ident $method:ident $bound:path;)*) => {$(
            pub(super) trait $yes {
                fn $method(&self) -> bool {
                    true
                }
            }
            impl<T: $bound> $yes for &Of<T> {}

            pub(super) trait $no {
                fn $method(&self) -> bool {
                    false
                }
            }
            impl<T> $no for Of<T> {}
        )*};
    }
    probes! {
        IsSend IsNotSend is_send Send;
        IsSync IsNotSync is_sync Sync;
        IsUnpin IsNotUnpin is_unpin Unpin;
        IsUnwindSafe IsNotUnwindSafe is_unwind_safe std::panic::UnwindSafe;
    }
}

twice! {
    pub(super) async fn nothing() {}

    pub(super) async fn waits() {
        Yield(1).await;
    }

    pub(super) async fn text(text: String, _: Vec<u8>) -> usize {
        Yield(1).await;
        text.len()
    }

    pub(super) async fn counted(n: Rc<u8>) -> u8 {
        *n
    }

    pub(super) async fn counted_over_an_await(n: Rc<u8>) -> u8 {
        Yield(1).await;
        *n
    }

    pub(super) async fn unused(_: Rc<u8>) {}

    pub(super) async fn unused_over_an_await(_: Rc<u8>, _n: u8) {
        Yield(1).await;
    }

    pub(super) async fn cell(cell: Cell<u8>) -> u8 {
        Yield(1).await;
        cell.get()
    }

    pub(super) async fn cell_moved(cell: Cell<u8>) -> u8 {
        let n = cell.into_inner();
        Yield(1).await;
        n
    }

    pub(super) async fn cell_in_a_local() -> u8 {
        let cell = Cell::new(1);
        let borrowed = &cell;
        Yield(1).await;
        borrowed.get()
    }

    pub(super) async fn counted_in_a_local() -> u8 {
        let n = Rc::new(1);
        Yield(1).await;
        *n
    }

    pub(super) async fn counted_before_an_await() -> u8 {
        let n = {
            let n = Rc::new(1);
            *n
        };
        Yield(1).await;
        n
    }

    pub(super) async fn pointer(p: *const u8) -> bool {
        Yield(1).await;
        p.is_null()
    }

    pub(super) async fn guard(guard: MutexGuard<'static, u8>) -> u8 {
        Yield(1).await;
        *guard
    }

    pub(super) async fn returns_what_is_not_send() -> Rc<u8> {
        Yield(1).await;
        Rc::new(1)
    }

    pub(super) async fn returns_a_pointer() -> *mut u8 {
        std::ptr::null_mut()
    }

    pub(super) async fn borrowed(text: &mut String, _: &str) -> usize {
        Yield(1).await;
        text.len()
    }

    pub(super) async fn generic<T>(t: T) -> T {
        Yield(1).await;
        t
    }

    pub(super) async fn object(object: Box<dyn Fn() + Send>) {
        Yield(1).await;
        object();
    }

    pub(super) async fn object_sync(object: Box<dyn Fn() + Sync>) {
        object();
    }

    pub(super) async fn assigned(mut n: Cell<u8>, mut m: Option<Rc<u8>>) {
        n = Cell::new(1);
        m = None;
        Yield(1).await;
        drop((n, m));
    }

    pub(super) fn boxed(n: u8) -> std::pin::Pin<Box<dyn Future<Output = u8> + Send>> {
        Box::pin(async move { n })
    }

    pub(super) fn opaque(n: Rc<u8>) -> impl Future<Output = u8> {
        async move { *n }
    }

    pub(super) fn opaque_and_send(n: u8) -> impl Future<Output = u8> + Send + Sync {
        async move { Yield(1).await; n }
    }
}

macro_rules! same {
    ($($name:ident($($argument:expr),*) $(,)?)*) => {$(
        assert_eq!(
            traits_of!(watched::$name($($argument),*)),
            traits_of!(plain::$name($($argument),*)),
            stringify!($name)
        );
    )*};
}

fn any<T>() -> T {
    unreachable!()
}

#[test]
fn futures_have_the_traits_of_plain_ones() {
    assert_eq!(traits_of!(plain::text(any(), any())), [true, true, false, true]);
    assert_eq!(traits_of!(plain::counted_over_an_await(any())), [false, false, false, true]);
    assert_eq!(traits_of!(plain::cell(any())), [true, false, false, true]);
    same! {
        nothing() waits() text(any(), any()) counted(any()) counted_over_an_await(any())
        unused(any()) unused_over_an_await(any(), 1) cell(any()) cell_moved(any())
        cell_in_a_local() counted_in_a_local() counted_before_an_await() pointer(any())
        guard(any()) returns_what_is_not_send() returns_a_pointer() borrowed(any(), any())
        generic(1_u8) generic(Rc::new(1)) generic(Cell::new(1)) generic(any::<&Cell<u8>>())
        object(any()) object_sync(any()) assigned(any(), any()) boxed(1) opaque(any())
        opaque_and_send(1)
    }
}

/// What needs a lifetime or a bound to be so.
mod bounded {
    use super::Yield;
    use timed::timed;

    pub(super) struct Sends<'a, T: ?Sized>(pub(super) &'a T);

    // SAFETY: a reference to what is Sync is Send.
    unsafe impl<'a, T: Sync + ?Sized + 'a> Send for Sends<'a, T> {}

    pub(super) trait Handler: Send + Sync + 'static {
        fn handle(&self, text: &str) -> impl Future<Output = usize> + Send;
    }

    impl<F, R> Handler for F
    where
        F: Fn(String) -> R + Send + Sync + 'static,
        R: Future<Output = usize> + Send,
    {
        #[timed]
        async fn handle(&self, text: &str) -> usize {
            Yield(1).await;
            self(text.to_owned()).await
        }
    }

    #[timed]
    pub(super) async fn borrows<T: Sync + ?Sized>(sends: Sends<'_, T>, text: &str) -> usize {
        Yield(1).await;
        let _ = &sends;
        text.len()
    }

    #[timed]
    pub(super) async fn closures<'a, F>(list: &'a [u8], f: F) -> Vec<&'a u8>
    where
        F: for<'b> Fn(&'b u8) -> bool + Send,
    {
        let mut all = Vec::new();
        for n in list.iter().filter(|n| f(n)) {
            Yield(1).await;
            all.push(n);
        }
        all
    }

    #[timed]
    pub(super) async fn objects(
        all: &[Box<dyn Fn(&str) -> &str + Send + Sync>],
        text: &str,
    ) -> usize {
        let mut length = 0;
        for each in all {
            length += each(text).len();
            Yield(1).await;
        }
        length
    }

    #[timed]
    pub(super) async fn handles<H: Handler>(handler: H, text: &str) -> usize {
        handler.handle(text).await + handler.handle(text).await
    }

    #[timed]
    pub(super) async fn iterators<'a>(words: impl Iterator<Item = &'a str> + Send) -> usize {
        let mut length = 0;
        for word in words {
            Yield(1).await;
            length += word.len();
        }
        length
    }
}

#[test]
fn futures_live_as_long_as_plain_ones() {
    fn is_static<T: 'static>(_: &T) {}

    is_static(&watched::text("ab".into(), vec![]));
    is_static(&watched::generic(Rc::new(1)));
    is_static(&watched::borrowed(Box::leak(Box::default()), "text"));
}

#[test]
fn futures_move_between_threads() {
    fn sent<F: Future<Output: Send> + Send>(future: F) -> F::Output {
        std::thread::scope(|scope| scope.spawn(|| finish(future)).join().unwrap())
    }

    let text = String::from("abc");
    assert_eq!(sent(bounded::borrows(bounded::Sends("x"), &text)), 3);
    assert_eq!(sent(bounded::closures(&[1, 2, 3], |n| n % 2 == 1)), [&1, &3]);
    assert_eq!(sent(bounded::objects(&[Box::new(|text| &text[1..])], &text)), 2);
    assert_eq!(sent(bounded::handles(async |text: String| text.len(), &text)), 6);
    let words = text.split('b').map(|word| word.trim());
    assert_eq!(sent(bounded::iterators(words)), 2);
}
