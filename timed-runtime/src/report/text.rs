//! Text in a terminal's columns.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

/// How many columns the text takes: two for a wide character, none for a combining one. Counted
/// one character at a time, so that the widths of the parts add up to that of the whole.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

fn columns(character: char) -> usize {
    character.width().unwrap_or(0)
}

/// The text with everything escaped that is not seen, or that changes how the rest is seen:
/// control and format characters, separators other than a blank, unassigned ones.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) {
        return Cow::Borrowed(text);
    }
    let is_plain = |character: char| matches!(character, '"' | '\'' | '\\');
    let mut escaped = String::with_capacity(text.len());
    // Escaped for a literal, it would have these three escaped as well.
    for part in text.split_inclusive(is_plain) {
        let literal = part.strip_suffix(is_plain).unwrap_or(part);
        escaped.extend(literal.escape_debug());
        escaped.push_str(part.get(literal.len()..).unwrap_or_default());
    }
    Cow::Owned(escaped)
}

/// The text in at most `room` columns: where it is longer, without its middle. More is left of
/// the end, which tells names of one module apart, and it begins with a `::` if it has one.
pub(super) fn shorten(text: &str, room: usize) -> Cow<'_, str> {
    if width(text) <= room {
        return Cow::Borrowed(text);
    }
    let Some(room) = room.checked_sub(1) else {
        return Cow::Borrowed("");
    };
    let end = last_columns(text, room - room * 2 / 5);
    let segment = end.find("::").and_then(|at| end.get(at..));
    let end = segment.unwrap_or(end);
    let start = first_columns(text, room.saturating_sub(width(end)));
    Cow::Owned(format!("{start}…{end}"))
}

fn first_columns(text: &str, room: usize) -> &str {
    let mut used = 0;
    let past = text.char_indices().find(|&(_, character)| {
        used += columns(character);
        used > room
    });
    past.and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

fn last_columns(text: &str, room: usize) -> &str {
    let mut used = 0;
    let mut start = text.len();
    for (at, character) in text.char_indices().rev() {
        used += columns(character);
        if used > room {
            break;
        }
        // A combining character must not begin the end: it would change the ellipsis.
        if columns(character) > 0 {
            start = at;
        }
    }
    text.get(start..).unwrap_or_default()
}

/// Breaks the text at blanks into lines of at most `room` columns, if that is given; those after
/// the first are indented. A word that is longer loses its middle.
pub(super) fn wrap(text: &str, room: Option<usize>) -> String {
    const INDENT: &str = "  ";
    let Some(room) = room else {
        return format!("{text}\n");
    };
    let mut wrapped = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        if used > 0 && used + 1 + width(word) > room {
            wrapped.push('\n');
            wrapped.push_str(INDENT);
            used = INDENT.len();
        } else if used > 0 {
            wrapped.push(' ');
            used += 1;
        }
        let word = shorten(word, room.saturating_sub(used));
        wrapped.push_str(&word);
        used += width(&word);
    }
    wrapped.push('\n');
    wrapped
}

/// `heading: a, b, c and 12 more`: one line of at most `room` columns, but always one item, of
/// which something is to be seen.
pub(super) fn list(heading: &str, items: &[String], room: usize) -> String {
    const SOMETHING: usize = 12;
    let more = |left: usize| match left {
        0 => String::new(),
        left => format!(" and {left} more"),
    };
    let mut line = format!("{heading}: ");
    let mut listed = 0;
    for item in items {
        let comma = if listed == 0 { "" } else { ", " };
        let rest = more(items.len() - listed - 1);
        let free = room.saturating_sub(width(&line) + comma.len() + rest.len());
        if listed == 0 {
            line.push_str(&shorten(item, free.max(SOMETHING)));
        } else if width(item) <= free {
            line.push_str(comma);
            line.push_str(item);
        } else {
            break;
        }
        listed += 1;
    }
    line.push_str(&more(items.len() - listed));
    wrap(&line, Some(room))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::random::Random;

    #[test]
    fn widths() {
        assert_eq!(width("app::next"), 9);
        assert_eq!(width("日本"), 4);
        assert_eq!(width("e\u{301}µ±…"), 4);
    }

    #[test]
    fn what_would_break_the_table_is_escaped() {
        let cases = [
            ("<a::B as C<'x>>::d", "<a::B as C<'x>>::d"),
            ("a\nb\tc\0", r"a\nb\tc\0"),
            ("\u{1b}[31m", r"\u{1b}[31m"),
            ("a\u{202e}b\u{2066}", r"a\u{202e}b\u{2066}"),
            ("a\u{200b}\u{200d}\u{feff}\u{ad}", r"a\u{200b}\u{200d}\u{feff}\u{ad}"),
            ("a\u{2028}b\u{85}\u{a0}", r"a\u{2028}b\u{85}\u{a0}"),
            ("\u{301}e\u{301}", "\\u{301}e\u{301}"),
            ("数'\"\\é", "数'\"\\é"),
        ];
        for (text, escaped) in cases {
            assert_eq!(escape(text), escaped);
        }
    }

    #[test]
    fn long_names_lose_their_middle() {
        assert_eq!(shorten("app::next", 9), "app::next");
        assert_eq!(shorten("app::parser::Lexer::next", 20), "app::parser::…::next");
        assert_eq!(shorten("app::next_of_many_words", 14), "app::…ny_words");
        assert_eq!(shorten("日本語日本語", 6), "日…語");
        assert_eq!(shorten("abc", 1), "…");
        assert_eq!(shorten("abc", 0), "");
    }

    #[test]
    fn random_text_fits() {
        let mut random = Random::new();
        let letters = ['a', ':', '日', '\u{301}', ' ', '\n', '\u{200d}', 'é', '\u{1b}'];
        for _ in 0..5_000 {
            let text = random.text(&letters, 60);
            let room = 20 + random.below(40);
            let escaped = escape(&text);
            assert!(width(&shorten(&escaped, room)) <= room);
            for line in wrap(&escaped, Some(room)).lines() {
                assert!(width(line) <= room, "{line:?}");
            }
            let items = vec![escaped.to_string(); random.below(5) + 1];
            for line in list("a few of them", &items, room).lines() {
                assert!(width(line) <= room, "{line:?}");
            }
        }
    }

    #[test]
    fn lists_say_how_many_are_left_out() {
        let items = ["a::b", "a::c", "a::d"].map(str::to_owned);
        assert_eq!(list("x", &items, 80), "x: a::b, a::c, a::d\n");
        assert_eq!(list("x", &items, 20), "x: a::b and 2 more\n");
        assert_eq!(list("x", &items, 8), "x: a::b\n  and 2\n  more\n");
    }
}
