// More of `drops.rs`, in the same program: tails, blocks, receivers, and `main`.

#[timed]
async fn tail(a: Noted) -> u8 {
    let _local = Noted("local");
    pending().await;
    Noted("tail").get() + a.get()
}

#[timed]
async fn tail_awaited(_a: Noted) -> u8 {
    let _local = Noted("local");
    Noted("tail").ready().await
}

#[timed]
async fn tail_in_an_arm(_a: Noted) -> u8 {
    let _local = Noted("local");
    match Noted("scrutinee").get() {
        1 => {
            let _arm = Noted("arm");
            pending().await;
            Noted("tail").get()
        }
        _ => 2,
    }
}

#[timed]
async fn tail_without_a_value(_a: Noted) {
    let _local = Noted("local");
    drop(Noted("tail").ready())
}

#[timed]
async fn returned_tail(_a: Noted) -> u8 {
    let _local = Noted("local");
    return Noted("tail").get();
}

#[timed]
async fn scrutinee(_a: Noted) -> u8 {
    let _local = Noted("local");
    if let Some(n) = Noted("scrutinee").some() {
        n
    } else {
        pending().await;
        Noted("else").get()
    }
}

#[timed]
async fn temporaries_over_an_await(a: Noted) -> u8 {
    let sum = Noted("left").get() + {
        pending().await;
        Noted("right").get()
    };
    pending().await;
    sum + a.get()
}

#[timed]
async fn inside(a: Noted, b: Noted) -> u8 {
    let block = async {
        let _block = Noted("block");
        pending().await;
        a.get()
    };
    let n = block.await;
    let moving = async move {
        let _moving = Noted("moving");
        pending().await;
        b.get()
    };
    n + moving.await
}

#[timed]
async fn unpolled_inside(a: Noted, b: Noted) {
    let _block = async move {
        b.get();
    };
    pending().await;
    a.get();
}

#[timed]
async fn generic<T, U: Default>(t: T, _u: U, _: T) -> T {
    pending().await;
    let _default = U::default();
    t
}

impl Default for Noted {
    fn default() -> Self {
        Noted("default")
    }
}

#[timed]
impl Pair {
    async fn by_value(self, a: Noted) {
        pending().await;
        a.get();
    }

    async fn by_value_and_moved(self, _: Noted) -> Noted {
        pending().await;
        self.second
    }

    async fn boxed(self: Box<Self>, a: Noted) {
        let _local = Noted("local");
        pending().await;
        a.get();
        let first = self.first;
        pending().await;
        drop(first);
    }

    async fn pinned(self: Pin<Box<Self>>, _a: Noted) {
        pending().await;
    }

    async fn counted(self: Rc<Self>, other: Arc<Self>) {
        pending().await;
        drop(self);
        pending().await;
        other.first.get();
    }

    async fn mutable(mut self, mut a: Noted) {
        pending().await;
        self.second = Noted("anew");
        a = Noted("a anew");
        pending().await;
        a.get();
    }

    async fn borrowed(&mut self, _a: Noted) -> &mut Noted {
        let _local = Noted("local");
        pending().await;
        &mut self.first
    }
}

#[timed]
async fn slices([a, b, rest @ ..]: [Noted; 4], c @ Noted(_): Noted) {
    let _local = Noted("local");
    pending().await;
    drop(b);
    pending().await;
    (a.get(), rest.len(), c.get());
}

#[timed]
fn boxed(a: Noted, b: Noted) -> Pin<Box<dyn Future<Output = u8>>> {
    Box::pin(async move {
        let _local = Noted("local");
        pending().await;
        let n = b.get();
        pending().await;
        n + a.get()
    })
}

#[timed]
fn opaque(a: Noted, _b: Noted) -> impl Future<Output = u8> {
    async move {
        let _local = Noted("local");
        pending().await;
        a.get()
    }
}

fn pair() -> Pair {
    Pair { first: Noted("pair.first"), second: Noted("pair.second") }
}

fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    let (a, b, c) = (|| Noted("a"), || Noted("b"), || Noted("c"));
    let (d, e) = (|| Noted("d"), || Noted("e"));
    all("used", || used(a(), b(), c()));
    all("unused", || unused(a(), b(), c()));
    all("without_an_await", || without_an_await(a(), b()));
    all("nothing", || nothing(a(), b()));
    all("wildcards", || wildcards(a(), b(), c(), d(), e()));
    all("moved", || moved(a(), b(), c()));
    all("moved_now_and_then", || moved_now_and_then(a(), b(), true));
    all("moved_now_and_then", || moved_now_and_then(a(), b(), false));
    all("a_part_moved", || a_part_moved(pair(), (a(), b()), c()));
    all("tuple", || tuple((a(), b()), (c(), d())));
    all("fields", || fields(pair(), c()));
    all("by_reference", || by_reference(a(), b(), pair()));
    all("mutable", || mutable(a(), b()));
    all("assigned_last", || assigned_last(a(), b(), c(), (d(), e()), Noted("f")));
    all("assigned_before_the_tail", || assigned_before_the_tail(a(), b(), c()));
    all("borrowed_in_the_tail", || borrowed_in_the_tail(a(), RefCell::new(b()), c()));
    all("only_a_part", || only_a_part((a(), b())));
    all("only_a_part_of_the_first", || only_a_part_of_the_first((a(), b()), c()));
    all("returns_early", || returns_early(a(), b(), true));
    all("returns_early", || returns_early(a(), b(), false));
    all("question", || question(a(), b()));
    all("panics", || panics(a(), b(), c(), (d(), e())));
    all("panics_at_once", || panics_at_once(a(), b()));
    all("tail", || tail(a()));
    all("tail_awaited", || tail_awaited(a()));
    all("tail_in_an_arm", || tail_in_an_arm(a()));
    all("tail_without_a_value", || tail_without_a_value(a()));
    all("returned_tail", || returned_tail(a()));
    all("scrutinee", || scrutinee(a()));
    all("temporaries_over_an_await", || temporaries_over_an_await(a()));
    all("inside", || inside(a(), b()));
    all("unpolled_inside", || unpolled_inside(a(), b()));
    all("generic", || generic(a(), b(), c()));
    all("by_value", || pair().by_value(a()));
    all("by_value_and_moved", || pair().by_value_and_moved(a()));
    all("boxed", || Box::new(pair()).boxed(a()));
    all("pinned", || Box::pin(pair()).pinned(a()));
    all("counted", || Rc::new(pair()).counted(Arc::new(pair())));
    all("mutable", || pair().mutable(a()));
    all("borrowed", || async {
        pair().borrowed(a()).await.get();
    });
    all("slices", || slices([a(), b(), c(), d()], e()));
    all("boxed", || boxed(a(), b()));
    all("opaque", || opaque(a(), b()));
}
