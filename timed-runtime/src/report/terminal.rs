//! The terminal that a report goes to, if it is one.

use std::ffi::OsStr;

/// How many columns the terminal behind the descriptor `fd` has; none if it is not a terminal
/// or does not say. The variable `COLUMNS` overrides what a terminal says.
#[cfg(unix)]
#[must_use]
pub(crate) fn width_of(fd: i32) -> Option<usize> {
    if !is_terminal(fd) {
        return None;
    }
    let asked = std::env::var_os("COLUMNS");
    let asked = asked.and_then(|columns| columns.to_str()?.parse().ok());
    asked.or_else(|| window_width(fd)).filter(|&columns| columns > 0)
}

/// Elsewhere nobody is asked.
#[cfg(not(unix))]
#[must_use]
pub(crate) fn width_of(_fd: i32) -> Option<usize> {
    None
}

/// Whether the descriptor `fd` is a terminal.
#[cfg(unix)]
#[must_use]
pub(crate) fn is_terminal(fd: i32) -> bool {
    // SAFETY: takes a number; any will do.
    unsafe { libc::isatty(fd) == 1 }
}

/// Elsewhere nobody is asked.
#[cfg(not(unix))]
#[must_use]
pub(crate) fn is_terminal(_fd: i32) -> bool {
    false
}

#[cfg(unix)]
fn window_width(fd: i32) -> Option<usize> {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: TIOCGWINSZ writes one winsize to where its argument points.
    let result = unsafe { libc::ioctl(fd, libc::TIOCGWINSZ, &raw mut size) };
    (result == 0).then_some(usize::from(size.ws_col))
}

/// Whether colours may be used: on a terminal, unless `NO_COLOR` is set to something or `TERM`
/// is `dumb`.
#[must_use]
pub(crate) fn colour_allowed(
    is_terminal: bool,
    no_color: Option<&OsStr>,
    term: Option<&OsStr>,
) -> bool {
    is_terminal && no_color.is_none_or(OsStr::is_empty) && term.is_none_or(|term| term != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_need_a_terminal_that_wants_them() {
        let some = |text: &'static str| Some(OsStr::new(text));
        assert!(colour_allowed(true, None, some("xterm")));
        assert!(colour_allowed(true, some(""), None));
        assert!(!colour_allowed(false, None, some("xterm")));
        assert!(!colour_allowed(true, some("1"), some("xterm")));
        assert!(!colour_allowed(true, None, some("dumb")));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_terminal_has_no_width() {
        assert_eq!(width_of(-1), None);
        assert!(!is_terminal(-1));
    }
}
