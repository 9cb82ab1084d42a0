//! Panics of many kinds, and what the hook is told of each.

use std::panic::{AssertUnwindSafe, catch_unwind};

use timed::timed;

struct Shelf(Vec<u8>);

impl Shelf {
    #[timed]
    #[track_caller]
    fn unwrap(&self, value: Option<u8>) -> u8 {
        value.unwrap()
    }

    #[timed]
    fn index(&self, at: usize) -> u8 {
        self.0[at]
    }

    #[timed]
    #[track_caller]
    fn never(&self) -> ! {
        panic!("never {}", self.0.len())
    }

    #[timed(sample = 1)]
    fn sum(&self) -> u8 {
        let mut sum = 0_u8;
        for n in &self.0 {
            sum += n;
        }
        sum + 200
    }
}

#[timed]
fn divides(n: u32, by: u32) -> u32 {
    n / by
}

#[timed]
fn todo() -> String {
    todo!()
}

#[timed]
fn expects(text: &str) -> u16 {
    let number: u16 = text.parse().expect("a number");
    number + 1
}

#[timed]
fn borrows() -> usize {
    let cell = std::cell::RefCell::new(vec![1]);
    let held = cell.borrow_mut();
    cell.borrow().len() + held.len()
}

#[timed]
fn in_a_closure(list: &[u8]) -> Vec<u8> {
    list.iter().map(|n| list[usize::from(*n)]).collect()
}

#[timed]
fn in_a_statement(list: &[u8]) {
    assert_eq!(list.len(), 3, "three of them");
}

#[timed]
fn asserts(list: &[u8]) -> &u8 {
    assert!(list.len() > 3);
    &list[0]
}

#[timed]
fn shallow(n: u8) -> u8 {
    deeper(n)
}

#[timed]
#[track_caller]
fn deeper(n: u8) -> u8 {
    deepest(n)
}

#[timed]
#[track_caller]
fn deepest(n: u8) -> u8 {
    [1][usize::from(n)]
}

#[timed]
fn recursive(n: u8) -> u8 {
    if n == 0 { unreachable!("the end") } else { recursive(n - 1) }
}

fn main() {
    std::panic::set_hook(Box::new(|info| println!("{info}")));
    let catch = |f: &dyn Fn()| println!("{}", catch_unwind(AssertUnwindSafe(f)).is_err());
    let shelf = Shelf(vec![20, 40]);
    catch(&|| _ = shelf.unwrap(None));
    catch(&|| _ = shelf.index(7));
    catch(&|| shelf.never());
    catch(&|| _ = shelf.sum());
    catch(&|| _ = divides(1, 0));
    catch(&|| _ = todo());
    catch(&|| _ = expects("word"));
    catch(&|| _ = borrows());
    catch(&|| _ = in_a_closure(&[0, 9]));
    catch(&|| in_a_statement(&[1]));
    catch(&|| _ = asserts(&[1]));
    catch(&|| _ = shallow(3));
    catch(&|| _ = recursive(3));
}
