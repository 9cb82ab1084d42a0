//! `stamp` and `hop!`: what may stand where, and that the stamp is evaluated once.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Mutex;
use timed::Stamp;

/// Names that an expansion has, too.
const SITE: u32 = 1;
#[allow(non_upper_case_globals)]
const stamp: u32 = 2;

fn counted(evaluations: &Cell<u32>) -> Stamp {
    evaluations.set(evaluations.get() + 1);
    timed::stamp()
}

#[test]
fn the_stamp_is_evaluated_once() {
    let evaluations = Cell::new(0);
    timed::hop!("once", counted(&evaluations));
    timed::hop!("with a comma", counted(&evaluations),);
    timed::hop! { "in braces", counted(&evaluations) }
    timed::hop!["in brackets", counted(&evaluations)];
    assert_eq!(evaluations.get(), 4);
    assert_eq!(SITE + stamp, 3);
}

#[test]
fn as_a_statement_and_as_an_expression() {
    let begin = timed::stamp();
    let unit = timed::hop!("let", begin);
    assert_eq!(unit, ());
    match SITE {
        1 => timed::hop!("arm", begin),
        _ => unreachable!(),
    }
    let hop = |begin| timed::hop!("closure", begin);
    hop(begin);
    (0..3).for_each(|_| timed::hop!("loop", begin));
    fn tail(begin: Stamp) {
        timed::hop!("tail", begin)
    }
    tail(begin);
}

#[test]
fn any_expression_of_the_type() {
    struct Packet {
        sent: Stamp,
    }
    let packet = Packet { sent: timed::stamp() };
    timed::hop!("field", packet.sent);
    timed::hop!("block", {
        let sent = packet.sent;
        sent
    });
    timed::hop!("choice", if SITE < stamp { packet.sent } else { return });
    timed::hop!("generics", HashMap::<u8, Stamp>::from([(1, packet.sent)])[&1]);
    timed::hop!("reference", *&packet.sent);
    // What is borrowed for its sake is given back at once, also in the last expression.
    let guarded = Mutex::new(packet.sent);
    timed::hop!("guard", *guarded.lock().unwrap());
    assert!(guarded.try_lock().is_ok());
    timed::hop!("tail guard", *guarded.lock().unwrap())
}

#[test]
fn a_question_mark_leaves_the_function() {
    fn first(stamps: &[Stamp]) -> Option<()> {
        timed::hop!("first", *stamps.first()?);
        Some(())
    }
    assert!(first(&[]).is_none());
    assert!(first(&[timed::stamp()]).is_some());
}

#[test]
fn stamps_are_plain_data() {
    fn plain<T: Copy + Send + Sync + Unpin + std::fmt::Debug + 'static>(_: T) {}
    plain(timed::stamp());
    if !timed::is_enabled() {
        assert_eq!(size_of::<Stamp>(), 0);
    }
}

#[test]
fn from_macros() {
    macro_rules! hop {
        ($name:literal, $packet:ident . $field:tt) => {
            timed::hop!($name, $packet.$field)
        };
        ($stamp:expr) => {
            timed::hop!("of an expression", $stamp)
        };
    }
    let pair = (timed::stamp(), 1);
    hop!("of a field", pair.0);
    hop!(if pair.1 == 1 { pair.0 } else { timed::stamp() });
}

#[test]
fn in_generic_and_async_functions() {
    fn generic<T: Copy>(value: T, begin: Stamp) -> T {
        timed::hop!("generic", begin);
        value
    }
    assert_eq!((generic(1, timed::stamp()), generic("a", timed::stamp())), (1, "a"));
    fn moves_between_threads(_: impl Future + Send) {}
    moves_between_threads(async {
        let begin = timed::stamp();
        std::future::ready(()).await;
        timed::hop!("over an await", begin);
        std::future::ready(()).await;
    });
}
