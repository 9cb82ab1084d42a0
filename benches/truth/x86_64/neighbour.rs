//! A neighbour that keeps a core busy meanwhile: where the two are threads of one core, they take
//! turns with its units; where they are not, they share its caches and its clock.

use super::unit::long_chain;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs `f` beside it.
pub(super) fn beside(f: impl FnOnce()) {
    static DONE: AtomicBool = AtomicBool::new(false);
    let neighbour = std::thread::spawn(|| {
        let mut x = 1;
        while !DONE.load(Ordering::Relaxed) {
            x = black_box(long_chain(x, 1000));
        }
    });
    f();
    DONE.store(true, Ordering::Relaxed);
    let _ = neighbour.join();
}
