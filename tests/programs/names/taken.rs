//! Everything that an expansion names itself is the user's as well: items, parameters, generics,
//! lifetimes, labels, fields, methods.

#![allow(dead_code, non_upper_case_globals, non_camel_case_types, non_snake_case)]

use timed::timed;

static SITE: u8 = 1;
const TALLY: u8 = 2;
const __INVENTORY: u8 = 3;
static __CTOR: u8 = 4;
struct Here;
struct __ctor;
enum Fn {
    Fn,
}

#[timed(sample = 2)]
fn items() -> u8 {
    let _ = (Here, __ctor, Fn::Fn);
    SITE + TALLY + __INVENTORY + __CTOR
}

#[timed(sample = 2)]
fn items_of_its_own() -> (Here, u8) {
    struct Here;
    static SITE: u8 = 10;
    const TALLY: u8 = 20;
    const __INVENTORY: u8 = 30;
    static __CTOR: u8 = 40;
    fn enter(_: Here) -> u8 {
        1
    }
    (self::Here, SITE + TALLY + __INVENTORY + __CTOR + enter(Here))
}

#[timed(sample = 2)]
fn parameters(hold: u8, enter: u8, guard: u8, timed: u8, __private: u8, void: u8, any: u8) -> u8 {
    hold + enter + guard + timed + __private + void + any
}

#[timed(sample = 2)]
fn types<SITE: Copy, TALLY: Default, Here, Guard>(hold: SITE, _: &Here, _: Guard) -> (SITE, TALLY) {
    (hold, TALLY::default())
}

#[timed(sample = 2)]
fn constants<const SITE: usize, const TALLY: u8, const Here: bool>() -> [u8; SITE] {
    [if Here { TALLY } else { 0 }; SITE]
}

#[timed]
fn lifetimes<'_held, 'held, 'site>(a: &'_held str, b: &'held str, _: &'site u8) -> (&'_held str, &'held str) {
    (a, b)
}

#[timed]
fn labels(n: u8) -> u8 {
    let mut sum = 0;
    '_held: loop {
        'held: for i in 0.. {
            if i > n {
                break '_held;
            }
            if i % 2 == 0 {
                continue 'held;
            }
            sum += i;
        }
    }
    let last = '_held: {
        if n > 200 {
            break '_held 1;
        }
        2
    };
    '_held: {
        if sum > 100 {
            break '_held last;
        }
        sum + last
    }
}

struct Fields {
    hold: u8,
    SITE: fn() -> u8,
}

/// Methods that everything has.
trait Everything: Sized {
    fn enter(self) -> u8 {
        unreachable!()
    }
    fn new() -> u8 {
        unreachable!()
    }
    fn hold(&self) -> u8 {
        unreachable!()
    }
    fn submit(&self) -> u8 {
        unreachable!()
    }
    fn with<R>(&self, _: impl FnOnce(&Self) -> R) -> R {
        unreachable!()
    }
}
impl<T> Everything for T {}

#[timed(sample = 2)]
impl Fields {
    fn hold(&self) -> u8 {
        self.hold + (self.SITE)()
    }

    fn enter(self) -> u8 {
        let Self { hold, SITE: site } = self;
        site() + hold
    }
}

#[timed]
fn hold(n: u8) -> u8 {
    n
}

#[timed]
fn hold_float(n: f64) -> f64 {
    n
}

#[timed]
fn enter() -> u8 {
    hold(3)
}

#[timed]
fn may_end(n: u8) -> u8 {
    if n == 0 {
        return 0;
    }
    enter()
}

#[timed]
fn timed(timed: u8) -> u8 {
    timed
}

mod timed_module {
    pub mod timed {
        pub mod __private {}
    }
    use self::timed as clash;
    use ::timed::timed;

    #[timed]
    pub fn inside() -> u8 {
        #[allow(unused_imports)]
        use clash::__private;
        4
    }
}

fn main() {
    assert_eq!(items(), 10);
    assert_eq!(items_of_its_own().1, 101);
    assert_eq!(parameters(1, 1, 1, 1, 1, 1, 1), 7);
    assert_eq!(types::<_, u8, _, _>('a', &1, 2), ('a', 0));
    assert_eq!(constants::<2, 3, true>(), [3, 3]);
    assert_eq!(lifetimes("a", "b", &1), ("a", "b"));
    assert_eq!(labels(4), 6);
    let fields = Fields { hold: 1, SITE: || 2 };
    assert_eq!(fields.hold() + fields.enter(), 6);
    assert_eq!(hold(1) + enter() + may_end(1) + timed(2) + timed_module::inside(), 13);
    assert_eq!(hold_float(0.5), 0.5);
}
