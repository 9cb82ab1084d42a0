//! What a stamp and its hop cost.

use super::table::{Budget, Table};
use super::unit::{Effort, Loop, chain, paired, spin};

/// One body between a pair, and between a stamp and a hop.
macro_rules! guises {
    ($links:literal) => {
        use super::*;

        #[inline(never)]
        fn pair(x: u64) -> u64 {
            paired(|| chain::<$links>(x))
        }

        #[inline(never)]
        fn hopped(x: u64) -> u64 {
            let begin = timed::stamp();
            let x = chain::<$links>(x);
            timed::hop!("hop", begin);
            x
        }

        pub(super) const LOOPS: [Loop; 2] = [|n| spin(n, 1, pair), |n| spin(n, 1, hopped)];
    };
}
mod empty {
    guises!(0);
}
mod links4 {
    guises!(4);
}
mod links16 {
    guises!(16);
}

pub(super) fn rows(table: &mut Table, effort: Effort) {
    for (body, [unit, rival]) in
        [("empty", empty::LOOPS), ("4 links", links4::LOOPS), ("16 links", links16::LOOPS)]
    {
        let ratio = effort.ratio(unit, rival);
        let name = format!("a stamp and its hop, {body}");
        table.row(&name, ratio, "pairs", Budget(1.3), "");
    }
}
