//! Types that come from the signature, and coercions at a function's end.

use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::convert::Infallible;
use std::error::Error;
use std::fmt::{Debug, Display};
use std::rc::Rc;

use timed::timed;

trait Base {
    fn number(&self) -> u8;
}

trait Derived: Base {}

impl Base for u8 {
    fn number(&self) -> u8 {
        *self
    }
}

impl Derived for u8 {}

mod coerced {
    use super::*;

    #[timed]
    pub fn through_boxes(text: &Box<String>) -> &str {
        text
    }

    #[timed]
    pub fn through_references<'a>(n: &'a mut &'a mut u8) -> &'a mut u8 {
        n
    }

    #[timed]
    pub fn to_shared(n: &mut u8) -> &u8 {
        n
    }

    #[timed]
    pub fn to_a_pointer(n: &mut u8) -> *const u8 {
        n
    }

    #[timed]
    pub fn upwards(derived: Box<dyn Derived>) -> Box<dyn Base> {
        derived
    }

    #[timed]
    pub fn upwards_by_reference<'a>(derived: &'a (dyn Derived + 'a)) -> &'a (dyn Base + 'a) {
        derived
    }

    #[timed]
    pub fn to_an_object(n: &u8) -> &dyn Any {
        // Not the object of a reference.
        if *n > 100 { &'x' } else { &1_u8 }
    }

    #[timed]
    pub fn in_a_cell() -> Rc<RefCell<dyn Debug>> {
        Rc::new(RefCell::new(1))
    }

    #[timed]
    pub fn in_a_tuple(n: u8) -> (fn(u8) -> u8, &'static [u8], Option<Box<dyn Fn() -> u8>>) {
        (|n| n + 1, &[1, 2, 3], Some(Box::new(move || n)))
    }

    #[timed]
    pub fn functions() -> [fn(f64) -> f64; 2] {
        [f64::sqrt, |x| x * 2.0]
    }

    #[timed]
    pub fn of_a_lifetime<'a>(list: &'a [u8]) -> Box<dyn Iterator<Item = &'a u8> + 'a> {
        match list {
            [] => Box::new(std::iter::empty()),
            [one] => Box::new(std::iter::once(one)),
            more => Box::new(more.iter().rev()),
        }
    }

    #[timed]
    pub fn never_to_a_value(value: Result<u8, Infallible>) -> u8 {
        match value {
            Ok(n) => n,
            Err(never) => match never {},
        }
    }

    #[timed]
    pub fn nothing_to_a_value(never: Option<Infallible>) -> Option<String> {
        let never = never?;
        match never {}
    }

    #[timed]
    pub fn closures(up: bool) -> Box<dyn FnMut(&str) -> Option<char>> {
        let mut seen = 0;
        if up {
            Box::new(move |text| {
                seen += 1;
                text.chars().nth(seen)
            })
        } else {
            Box::new(|_| None)
        }
    }
}

mod inferred {
    use super::*;

    #[timed]
    pub fn a_shift() -> u64 {
        1 << 40
    }

    #[timed]
    pub fn a_literal() -> i8 {
        -128
    }

    #[timed]
    pub fn a_default<T: Default, U: Default>() -> (T, U) {
        Default::default()
    }

    #[timed]
    pub fn an_into() -> Box<dyn Error + Send + Sync> {
        "text".into()
    }

    #[timed]
    pub fn an_error() -> Result<u8, Box<dyn Error>> {
        Err("text")?
    }

    #[timed]
    pub fn a_sum(list: &[u8]) -> u32 {
        list.iter().copied().map(u32::from).sum()
    }

    #[timed]
    pub fn a_collection(list: &[(u8, char)]) -> HashMap<u8, char> {
        list.iter().copied().collect()
    }

    #[timed]
    pub fn a_loop(text: &str) -> Option<u16> {
        loop {
            break text.parse().ok();
        }
    }

    #[timed]
    pub fn a_labelled_block(text: &str) -> Result<i64, String> {
        'number: {
            if text.is_empty() {
                break 'number Ok(0);
            }
            text.parse().map_err(|_| text.into())
        }
    }

    #[timed]
    pub fn an_unsafe_block() -> [u8; 4] {
        // SAFETY: zeros are an array of bytes.
        unsafe { std::mem::zeroed() }
    }

    #[timed]
    pub fn a_constant_block() -> usize {
        const { size_of::<u64>() + 1 }
    }

    #[timed]
    pub fn a_let_chain(text: Option<&str>) -> u8 {
        if let Some(text) = text
            && let Ok(n) = text.parse()
        {
            n
        } else {
            0
        }
    }

    #[timed]
    pub fn an_empty_array<T>() -> [T; 0] {
        []
    }

    #[timed]
    pub fn a_promoted_reference<'a>() -> &'a [Option<u8>] {
        &[None, Some(1)]
    }

    #[timed]
    pub fn a_mutable_nothing<'a>() -> &'a mut [u8] {
        &mut []
    }

    #[timed]
    pub fn a_field(pair: &mut (u8, String)) -> &mut String {
        &mut pair.1
    }

    #[timed]
    pub fn a_moved_field(pair: (u8, String)) -> String {
        pair.1
    }

    #[timed]
    pub fn a_conditional_borrow<'a>(map: &'a mut HashMap<u8, String>, key: u8) -> &'a mut String {
        if map.contains_key(&key) {
            return map.get_mut(&key).unwrap();
        }
        map.entry(key).or_default()
    }

    #[timed]
    pub fn a_display(n: u8) -> impl Display + Clone {
        let _ = n;
        if n > 1 { "many" } else { "one" }
    }
}

#[test]
fn ends_are_coerced() {
    use coerced::*;

    assert_eq!(through_boxes(&Box::new("a".to_owned())), "a");
    *through_references(&mut &mut 1) += 1;
    let mut n = 3;
    assert_eq!(*to_shared(&mut n), 3);
    assert!(!to_a_pointer(&mut n).is_null());
    assert_eq!(upwards(Box::new(4)).number() + upwards_by_reference(&5).number(), 9);
    assert!(to_an_object(&1).is::<u8>() && to_an_object(&101).is::<char>());
    assert_eq!(format!("{:?}", in_a_cell().borrow()), "1");
    let (up, list, constant) = in_a_tuple(6);
    assert_eq!((up(1), list.len(), constant.unwrap()()), (2, 3, 6));
    assert_eq!(functions().map(|f| f(4.0)), [2.0, 8.0]);
    assert_eq!(of_a_lifetime(&[1, 2]).collect::<Vec<_>>(), [&2, &1]);
    assert_eq!((never_to_a_value(Ok(1)), nothing_to_a_value(None)), (1, None));
    assert_eq!((closures(true)("ab"), closures(false)("ab")), (Some('b'), None));
}

#[test]
fn ends_have_the_signatures_types() {
    use inferred::*;

    assert_eq!((a_shift(), a_literal(), a_default::<u8, String>().0), (1 << 40, -128, 0));
    assert_eq!((an_into().to_string(), an_error().is_err()), ("text".to_owned(), true));
    assert_eq!((a_sum(&[200, 200]), a_collection(&[(1, 'a')])[&1]), (400, 'a'));
    assert_eq!((a_loop("7"), a_loop("x")), (Some(7), None));
    assert_eq!((a_labelled_block(""), a_labelled_block("-1")), (Ok(0), Ok(-1)));
    assert_eq!((an_unsafe_block(), a_constant_block()), ([0; 4], 9));
    assert_eq!((a_let_chain(Some("8")), a_let_chain(None)), (8, 0));
    assert_eq!((an_empty_array::<String>().len(), a_promoted_reference().len()), (0, 2));
    assert!(a_mutable_nothing().is_empty());
    let mut pair = (1, String::new());
    a_field(&mut pair).push('c');
    assert_eq!(a_moved_field(pair), "c");
    let mut map = HashMap::new();
    a_conditional_borrow(&mut map, 1).push('d');
    a_conditional_borrow(&mut map, 1).push('e');
    assert_eq!((map[&1].as_str(), a_display(2).clone().to_string().as_str()), ("de", "many"));
}
