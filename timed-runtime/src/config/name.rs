//! The names of the variables, and names that were probably meant to be one of them.

use std::ffi::{OsStr, OsString};

pub(super) const ON: &str = "TIMED";
pub(super) const REPORT: &str = "TIMED_REPORT";
pub(super) const OUT: &str = "TIMED_OUT";
pub(super) const SORT: &str = "TIMED_SORT";
pub(super) const TOP: &str = "TIMED_TOP";
pub(super) const QUANTILES: &str = "TIMED_QUANTILES";
pub(super) const FILTER: &str = "TIMED_FILTER";
pub(super) const RECORD: &str = "TIMED_RECORD";
pub(super) const SIGNALS: &str = "TIMED_SIGNALS";
pub(super) const TIMELINE: &str = "TIMED_TIMELINE";

const ALL: &[&str] = &[ON, REPORT, OUT, SORT, TOP, QUANTILES, FILTER, RECORD, SIGNALS, TIMELINE];
const PREFIX: &str = "TIMED_";

/// Changing one letter of a shorter name too easily gives a word of its own (TOP, STOP), and
/// the program may well have variables of its own that begin with `TIMED_`.
const LONG_ENOUGH: usize = 5;

/// The names of the environment's variables. Asking panics where there is no environment.
pub(crate) fn names() -> impl Iterator<Item = OsString> {
    let there_is_one = !cfg!(all(target_family = "wasm", target_os = "unknown"));
    there_is_one.then(std::env::vars_os).into_iter().flatten().map(|(name, _)| name)
}

/// A line for each of these variable names that is one slip of the finger away from one of ours.
pub(crate) fn misspelt<N: AsRef<OsStr>>(names: impl IntoIterator<Item = N>) -> Vec<String> {
    names.into_iter().filter_map(|name| complaint(name.as_ref().to_str()?)).collect()
}

fn complaint(name: &str) -> Option<String> {
    let word = name.strip_prefix(PREFIX)?;
    let meant = ALL.iter().find(|known| {
        known.strip_prefix(PREFIX).is_some_and(|known| {
            known.len() >= LONG_ENOUGH && one_slip(known.as_bytes(), word.as_bytes())
        })
    })?;
    Some(format!("timed: {name} is not a variable that is read; did you mean {meant}?"))
}

/// Whether one byte was left out, added or replaced, or two neighbours were swapped.
fn one_slip(mut meant: &[u8], mut typed: &[u8]) -> bool {
    while let ([a, rest @ ..], [b, typed_rest @ ..]) = (meant, typed)
        && a == b
    {
        (meant, typed) = (rest, typed_rest);
    }
    while let ([rest @ .., a], [typed_rest @ .., b]) = (meant, typed)
        && a == b
    {
        (meant, typed) = (rest, typed_rest);
    }
    match (meant, typed) {
        ([], [_]) | ([_], [] | [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slip_is_pointed_out() {
        let near =
            ["TIMED_QUANTILE", "TIMED_FLITER", "TIMED_REPORTS", "TIMED_SIGNAL", "TIMED_TIMELINR"];
        let lines = misspelt(near);
        assert_eq!(lines.len(), near.len());
        assert_eq!(
            lines[0],
            "timed: TIMED_QUANTILE is not a variable that is read; did you mean TIMED_QUANTILES?"
        );
    }

    #[test]
    fn names_of_ours_and_of_others_are_left_alone() {
        assert!(misspelt(ALL).is_empty());
        let others = [
            "TIMED_STOP",
            "TIMED_OUTPUT",
            "TIMED_",
            "TIMED_SHORT",
            "TIMED_CACHE_DIR",
            "TIMER_FILTE",
            "PATH",
            "TIMED_FILTÉR",
        ];
        assert!(misspelt(others).is_empty());
    }
}
