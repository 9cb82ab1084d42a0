// More of `shapes.rs`, in the same program.

#[timed]
pub async fn clones(text: String) -> String {
    let copy = text.clone();
    empty().await;
    copy.clone()
}

#[timed]
pub async fn unwraps(map: &HashMap<u8, Vec<u8>>, at: usize) -> u8 {
    let list = map.get(&1).unwrap();
    empty().await;
    list[at] as u8
}

#[timed]
pub async fn question(map: &HashMap<u8, Vec<u8>>) -> Option<u8> {
    let list = match map.get(&1) {
        Some(list) => list,
        None => return None,
    };
    Some(list.first()?.clone())
}

#[timed]
pub async fn wraps(a: u8) -> Option<u8> {
    Some(a)
}

#[timed]
pub async fn wraps_with_question(a: Option<u8>) -> Option<u8> {
    Some(a?)
}

#[timed]
pub async fn shadows(a: u8) -> u8 {
    let a = a;
    let a = a + 1;
    let _a = a;
    _a
}

#[timed]
pub async fn items_late(a: u8) -> u8 {
    let b = helper(a).await;
    async fn helper(a: u8) -> u8 {
        a
    }
    const TWO: u8 = 2;
    fn unused_helper() {}
    b + TWO
}

#[timed]
pub async fn drops_a_future() {
    let _ = empty();
    let _future = empty();
    empty();
    Box::pin(empty());
}

#[timed]
pub async fn a_lock_over_an_await(lock: &Mutex<u8>) -> u8 {
    let held = lock.lock().unwrap();
    empty().await;
    *held
}

#[timed]
pub async fn a_borrow_over_an_await(cell: &RefCell<u8>) -> u8 {
    let held = cell.borrow();
    empty().await;
    *held
}

#[timed]
pub async fn not_send(a: Rc<u8>) -> u8 {
    empty().await;
    *a
}

#[timed]
pub async fn large() -> u8 {
    let buffer = [1_u8; 20_000];
    empty().await;
    buffer[3]
}

#[timed]
pub async fn awaits_what_is_large() -> u8 {
    large().await
}

#[timed]
pub async fn yields_a_future(n: u8) -> impl Future<Output = u8> {
    async move { n }
}

#[timed]
pub async fn yields_from_a_block() -> u8 {
    let outer = async { async { 1 } };
    outer.await.await
}

#[timed]
pub async fn redundant_block() -> u8 {
    let n = async { documented_nowhere(1, 2).await };
    n.await
}

#[timed]
pub fn manual(n: u8) -> impl Future<Output = u8> {
    async move { n + 1 }
}

#[timed]
pub fn manual_and_boxed(n: u8, unused: u8) -> Pin<Box<dyn Future<Output = u8>>> {
    Box::pin(async move {
        let spare = 1;
        n + 1
    })
}

#[timed]
pub async fn closures(list: &[u8]) -> Vec<u8> {
    let unused = |a: u8| a;
    let later = async |a: u8| a + 1;
    let mut all = Vec::new();
    for n in list {
        all.push(later(*n).await);
    }
    all.iter().map(|n| n.clone()).collect()
}

#[timed]
pub async fn many(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: bool, j: bool, k: bool) -> u8 {
    if i || j || k { a + b + c + d } else { e + f + g + h }
}

#[timed]
pub async fn by_value(text: String, list: Vec<u8>, count: &u8) -> usize {
    text.len() + list.len() + usize::from(*count)
}

#[timed]
pub async fn lifetimes<'a>(text: &'a str) -> &'a str {
    empty().await;
    text
}

#[timed]
pub async fn only_used_in_a_loop(mut n: u8) -> u8 {
    loop {
        n += 1;
        if n > 10 {
            break;
        }
        empty().await;
    }
    while n > 3 {
        n -= 1;
    }
    3
}

#[timed]
pub async fn unsafe_code(n: &u8) -> u8 {
    unsafe { *(n as *const u8) }
}

#[timed]
pub async unsafe fn all_unsafe(n: *const u8) -> u8 {
    unsafe { *n }
}

#[timed]
#[must_use]
pub async fn must_be_used() -> u8 {
    1
}

#[timed]
pub async fn does_not_use() {
    must_be_used().await;
    must_be_used();
}

#[timed]
#[allow(unused)]
pub async fn allowed(a: u8, mut b: u8) {
    let c = 1;
    b = 1;
}

#[timed]
#[expect(unused_variables)]
pub async fn expected(a: u8) {
    let c = 1;
}

#[timed]
#[expect(unused_variables)]
pub async fn expected_in_vain(a: u8) -> u8 {
    a
}

#[timed]
pub async fn allowed_inside(a: u8, #[allow(unused_variables)] c: u8) -> u8 {
    #![allow(unused_variables)]
    let b = 1;
    2
}

pub trait Shape {
    fn grams(&self) -> impl Future<Output = u32> + Send;

    #[timed]
    #[allow(async_fn_in_trait)]
    async fn kilograms(&self) -> u32 {
        let unused = 1;
        self.grams().await / 1000
    }
}

#[timed]
pub trait Area {
    async fn area(&self) -> u32;

    async fn double(&self, unused: u8) -> u32 {
        self.area().await * 2
    }
}

#[timed]
impl Area for u8 {
    async fn area(&self) -> u32 {
        return u32::from(*self);
    }
}

#[timed]
pub async fn NotSnakeCase(Param: u8) -> u8 {
    let Local = Param;
    Local
}

#[timed]
#[deprecated]
pub async fn old() {}

#[timed]
pub async fn calls_old() {
    old().await;
}
