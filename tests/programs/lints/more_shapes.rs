
// The rest of `shapes.rs`: one program in two files.

#[timed]
pub fn long_literal() -> f64 {
    3.14159265358979323846264338327950288
}

#[timed]
pub fn float_equal(a: f64) -> bool {
    a == 0.1
}

#[timed]
pub fn approximates() -> f64 {
    3.14
}

#[timed]
pub fn identity(a: u8) -> u8 {
    a + 0
}

#[timed]
pub fn overflows() -> u8 {
    255u8 + 1
}

#[timed]
pub fn divides() -> i32 {
    1 / 0
}

#[timed]
pub fn NotSnake(NotEither: u8) -> u8 {
    let Nor = NotEither;
    Nor
}

#[timed]
pub fn größe(länge: u8) -> u8 {
    länge
}

#[timed]
#[must_use]
pub fn must_use_unit() {}

#[timed]
pub fn drops_nothing(a: &u8, b: u8) {
    drop(a);
    drop(b);
}

#[timed]
pub fn ignores_must_use() {
    documented_nowhere(1, 2);
    wraps_an_error(3);
    vec![1].iter().map(|n| n + 1);
}

#[timed]
pub fn never(n: u8) -> ! {
    panic!("{n}");
}

#[timed]
pub fn loops(mut n: u8) -> u8 {
    loop {
        n += 1;
        if n > 9 {
            break n;
        }
    }
}

#[timed]
pub fn loops_once(list: &[u8]) -> u8 {
    for n in list {
        return *n;
    }
    0
}

#[timed]
pub fn infinite(n: u8) -> u8 {
    while true {
        never_called();
    }
    n
}

#[timed]
pub fn labels(n: u8) -> u8 {
    'unused: loop {
        return n;
    }
}

#[timed]
pub fn opaque(n: u8) -> impl Iterator<Item = u8> {
    let list = (0..n).map(|n| n);
    list
}

#[timed]
pub fn generic<T: Clone + Clone, U: Default>(value: T) -> (T, U) {
    (value.clone(), U::default())
}

#[timed]
pub fn absolute() -> ::std::collections::HashMap<u8, u8> {
    ::std::collections::HashMap::new()
}

#[timed]
#[inline(always)]
pub fn inlined(a: &mut u8) -> &mut u8 {
    a
}

#[timed]
pub extern "C" fn foreign(a: String) -> String {
    a
}

#[timed]
#[deprecated]
pub fn old() -> u8 {
    2
}

#[timed]
pub fn uses_old() -> u8 {
    old()
}

#[timed]
pub fn expects(spare: u8) -> u8 {
    #![expect(unused_variables)]
    1
}

#[timed]
#[expect(unused_mut)]
pub fn expects_in_vain() -> u8 {
    1
}

#[timed]
#[allow(unused_variables)]
#[allow(clippy::needless_return)]
pub fn allows(spare: u8) -> u8 {
    return 1;
}

pub trait Weigh {
    fn grams(&self) -> u32;

    #[timed]
    fn kilograms(&self) -> u32 {
        let all = self.grams();
        return all / 1000;
    }
}

#[timed]
impl Weigh for u8 {
    fn grams(&self) -> u32 {
        (*self) as u32
    }
}

#[timed]
impl fmt::Display for Ring {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.to_string())
    }
}

#[timed]
impl Drop for Ring {
    fn drop(&mut self) {}
}

#[timed]
impl Clone for Ring {
    fn clone(&self) -> Self {
        Ring { next: None }
    }
}

#[timed]
impl Iterator for Ring {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        None
    }
}

impl Ring {
    #[timed]
    pub fn new() -> Self {
        Ring { next: None }
    }

    #[timed]
    pub fn from_str(text: &str) -> Ring {
        Self::new()
    }

    #[timed]
    pub fn to_nothing(self) {}

    #[timed]
    pub fn unused_self(&self, a: u8) -> u8 {
        a
    }

    #[timed]
    pub fn add(self, other: Ring) -> Ring {
        other
    }
}

#[timed]
pub mod inside {
    fn unused_inside() {}

    pub fn with_return() -> u8 {
        return 4;
    }

    pub struct Open {
        pub a: u8,
    }
}

#[timed]
pub fn match_like(a: Option<u8>) -> bool {
    match a {
        Some(3) => true,
        _ => false,
    }
}

#[timed]
pub fn one_arm(a: Option<u8>) -> u8 {
    match a {
        Some(n) => n,
        _ => 0,
    }
}

#[timed]
pub fn early(a: Option<u8>) -> Option<u8> {
    if a.is_none() {
        return None;
    }
    a
}

#[timed]
pub fn into(a: u8) -> u8 {
    a.into()
}

#[timed]
pub fn borrows(a: &str) -> String {
    format!("{}", &a.to_string())
}

#[timed]
pub fn asserts(a: bool) {
    assert_eq!(a, true);
    assert!(true);
    debug_assert!(a);
}

#[timed]
pub fn semicolons(a: &mut Vec<u8>) {
    a.push(1)
}

#[timed]
pub fn empty_statement() {
    ;
    empty();;
}

#[timed]
pub fn transmutes(a: u32) -> f32 {
    unsafe { std::mem::transmute(a) }
}

#[timed]
pub fn single_char(a: &str) -> bool {
    let x = a.split("x").count();
    x > 1
}
