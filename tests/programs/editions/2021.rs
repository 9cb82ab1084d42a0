//! Edition 2021: the tail's temporaries drop after the locals, and `if let` keeps its own to its
//! end; both spellings of attributes that are unsafe.

use std::cell::{Cell, RefCell};

use timed::timed;

thread_local!(static DROPS: RefCell<String> = const { RefCell::new(String::new()) });

struct Noted(char);

impl Noted {
    #[timed]
    fn some(&self) -> Option<u8> {
        (self.0 == 'x').then_some(1)
    }

    fn get(&self) -> u8 {
        1
    }

    fn nothing(&self) {}
}

impl Drop for Noted {
    #[timed]
    fn drop(&mut self) {
        DROPS.with(|drops| drops.borrow_mut().push(self.0));
    }
}

fn drops() -> String {
    DROPS.with(|drops| drops.take())
}

#[timed]
fn tail(_parameter: Noted) -> u8 {
    let _local = Noted('l');
    Noted('t').get()
}

#[timed]
fn tail_of_a_block() -> u8 {
    let _local = Noted('l');
    {
        let _inner = Noted('i');
        Noted('t').get()
    }
}

#[timed]
fn tail_in_an_arm(n: u8) -> u8 {
    let _local = Noted('l');
    match Noted('m').get() + n {
        1 => Noted('t').get(),
        _ => Noted('u').get(),
    }
}

#[timed]
fn tail_that_returns() -> u8 {
    let _local = Noted('l');
    return Noted('r').get();
}

#[timed]
fn tail_of_a_call() -> u8 {
    let _local = Noted('l');
    std::convert::identity(Noted('t').get())
}

#[timed]
fn tail_without_a_value() {
    let _local = Noted('l');
    Noted('t').nothing()
}

fn block_in_an_expression() -> u8 {
    let sum =
        timed::block!("sum",
        {
            let _inner = Noted('i');
            Noted('t').get()
        }
        ) + Noted('z').get(); // timed
    sum
}

#[timed]
fn scrutinee() -> u8 {
    if let Some(n) = Noted('s').some() {
        n
    } else {
        Noted('e').get()
    }
}

#[timed]
fn question() -> Option<u8> {
    let _local = Noted('l');
    Some(Noted('q').some()? + 1)
}

#[timed]
fn a_cell_that_lives_on(cell: &RefCell<Vec<u8>>) -> usize {
    cell.borrow().len()
}

#[timed]
#[no_mangle]
pub extern "C" fn timed_test_2021_a(n: i32) -> i32 {
    n + 1
}

#[timed]
#[unsafe(no_mangle)]
pub extern "C" fn timed_test_2021_b(n: i32) -> i32 {
    n + 2
}

#[export_name = "timed_test_2021_c"]
#[timed]
pub extern "C" fn exported(n: i32) -> i32 {
    n + 3
}

extern "C" {
    fn timed_test_2021_c(n: i32) -> i32;
}

#[timed]
unsafe fn unsafe_to_its_end(cell: &Cell<u8>) -> u8 {
    *cell.as_ptr()
}

fn main() {
    assert_eq!((tail(Noted('p')), drops().as_str()), (1, "ltp"));
    assert_eq!((tail_of_a_block(), drops().as_str()), (1, "ilt"));
    assert_eq!((tail_in_an_arm(0), drops().as_str()), (1, "tlm"));
    assert_eq!((tail_that_returns(), drops().as_str()), (1, "rl"));
    assert_eq!((tail_of_a_call(), drops().as_str()), (1, "lt"));
    assert_eq!((block_in_an_expression(), drops().as_str()), (2, "izt"));
    tail_without_a_value();
    assert_eq!(drops(), "lt");
    assert_eq!((scrutinee(), drops().as_str()), (1, "es"));
    assert_eq!((question(), drops().as_str()), (None, "lq"));
    assert_eq!(a_cell_that_lives_on(&RefCell::new(vec![1])), 1);
    assert_eq!(timed_test_2021_a(1) + timed_test_2021_b(1) + exported(1), 9);
    assert_eq!(unsafe { timed_test_2021_c(1) }, 4);
    assert_eq!(unsafe { unsafe_to_its_end(&Cell::new(6)) }, 6);
}
