//! Many sites, many callers.

use super::table::{Budget, Table};
use super::unit::{Effort, chain, paired, spin};

/// 64 functions, of 8 modules with 8 each: `lap` calls each of them once.
macro_rules! eight {
    ($attribute:tt, $x:ident => $body:expr; $($name:ident)*) => {
        $(#$attribute #[inline(never)] fn $name($x: u64) -> u64 { $body })*

        #[inline(always)]
        pub(super) fn lap(mut x: u64) -> u64 {
            $(x = $name(x);)*
            x
        }
    };
}
macro_rules! sixty_four {
    ($attribute:tt, $x:ident => $body:expr; $($part:ident)*) => {
        use super::*;
        $(mod $part {
            use super::*;
            eight!($attribute, $x => $body; a b c d e f g h);
        })*

        #[inline(never)]
        pub(super) fn lap(mut x: u64) -> u64 {
            $(x = $part::lap(x);)*
            x
        }
    };
}

mod callees_paired {
    sixty_four!([must_use], x => paired(|| chain::<0>(x)); a b c d e f g h);
}
mod callees_timed {
    sixty_four!([timed::timed], x => chain::<0>(x); a b c d e f g h);
}
mod callers_paired {
    sixty_four!([must_use], x => paired(|| callee_paired(x)); a b c d e f g h);
}
mod callers_timed {
    sixty_four!([timed::timed], x => callee_timed(x); a b c d e f g h);
}

#[inline(never)]
fn callee_paired(x: u64) -> u64 {
    paired(|| chain::<0>(x))
}

#[timed::timed]
#[inline(never)]
fn callee_timed(x: u64) -> u64 {
    chain::<0>(x)
}

/// The one caller of 64 sites makes many laps in a call, so that its own probe is a thousandth.
#[timed::timed]
#[inline(never)]
fn caller(calls: u32) -> f64 {
    spin(calls / 16, 1, callees_timed::lap)
}

pub(super) fn rows(table: &mut Table, effort: Effort) {
    let ratio = effort.ratio(|calls| spin(calls / 16, 1, callees_paired::lap), caller);
    table.row("64 sites called in turn by one caller", ratio, "pairs", Budget(1.20), "");
    // The callers are timed as well, so a call passes two probes: those of a caller, which had to
    // be found in the tree while it was open, and of the callee. The unit has a pair around each
    // caller, too. So both probes are in the figure, and the ratio is that of one probe.
    let ratio = effort.ratio(
        |calls| spin(calls / 16, 1, callers_paired::lap),
        |calls| spin(calls / 16, 1, callers_timed::lap),
    );
    table.row(
        "one site called from 64 callers in turn",
        ratio,
        "pairs",
        Budget(1.30),
        "callers' probes included",
    );
}
