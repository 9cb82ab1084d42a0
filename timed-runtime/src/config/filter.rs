//! Which sites are timed: globs over their names.

/// A list of globs, some of which exclude.
///
/// * `*` stands for any text, `::` included; a glob is about the whole name. Nothing else is
///   special, as `?` and `[…]` occur in the names of types.
/// * A glob after `!` excludes, and exclusions win, wherever they stand in the list.
/// * Without a glob that includes, everything is included.
/// * A comma inside a closed pair of brackets (`<>`, `()`, `[]`, `{}`) belongs to the glob.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    include: Vec<String>,
    exclude: Vec<String>,
}

impl Filter {
    /// Reads `glob,glob,!glob`. Empty items are passed over; a `!` with nothing behind it is
    /// the one thing that makes no sense.
    #[must_use]
    pub(crate) fn parse(text: &str) -> Option<Filter> {
        let mut filter = Filter::default();
        for item in split(text) {
            let item = item.trim();
            match item.strip_prefix('!').map(str::trim) {
                Some("") => return None,
                Some(glob) => filter.exclude.push(glob.to_owned()),
                None if item.is_empty() => {}
                None => filter.include.push(item.to_owned()),
            }
        }
        Some(filter)
    }

    /// Whether the site of this name is to be timed. Takes time linear in the lengths of the
    /// name and of the globs.
    #[must_use]
    pub(crate) fn accepts(&self, name: &str) -> bool {
        let included =
            self.include.is_empty() || self.include.iter().any(|glob| matches(glob, name));
        included && !self.exclude.iter().any(|glob| matches(glob, name))
    }

    /// Whether every name is accepted, without looking at it.
    #[must_use]
    pub(crate) fn is_everything(&self) -> bool {
        self.include.is_empty() && self.exclude.is_empty()
    }
}

/// Anchors the text before the first `*` and behind the last one, and takes what stands between
/// stars at its first occurrence: a later one could only leave less for the rest.
fn matches(glob: &str, name: &str) -> bool {
    let Some((start, rest)) = glob.split_once('*') else {
        return glob == name;
    };
    let Some(name) = name.strip_prefix(start) else {
        return false;
    };
    let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    let Some(mut name) = name.strip_suffix(end) else {
        return false;
    };
    for part in middle.split('*') {
        match name.split_once(part) {
            Some((_, after)) => name = after,
            None => return false,
        }
    }
    true
}

/// Splits at the commas that are not inside a closed pair of brackets.
fn split(text: &str) -> Vec<&str> {
    // The openers that wait for their closers, and the commas that split unless one comes.
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut commas: Vec<usize> = Vec::new();
    let mut previous = ' ';
    for (at, character) in text.char_indices() {
        match character {
            ',' => commas.push(at),
            '<' => open.push((at, '>')),
            '(' => open.push((at, ')')),
            '[' => open.push((at, ']')),
            '{' => open.push((at, '}')),
            // The arrow of a function type.
            '>' if previous == '-' => {}
            '>' | ')' | ']' | '}' => {
                let opener = open.iter().rposition(|&(_, closer)| closer == character);
                // What was opened inside of the pair and not closed is not a bracket.
                if let Some((start, _)) = opener.and_then(|opener| open.drain(opener..).next()) {
                    while commas.pop_if(|comma| *comma > start).is_some() {}
                }
            }
            _ => {}
        }
        previous = character;
    }
    let mut parts = Vec::with_capacity(commas.len() + 1);
    let mut start = 0;
    for end in commas.into_iter().chain([text.len()]) {
        parts.extend(text.get(start..end));
        start = end + 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::random::Random;

    fn filter(text: &str) -> Filter {
        Filter::parse(text).expect("a filter")
    }

    #[test]
    fn a_glob_is_about_the_whole_name() {
        assert!(filter("app::parse").accepts("app::parse"));
        assert!(!filter("app::parse").accepts("app::parse::next"));
        assert!(filter("app::*").accepts("app::parse::next"));
        assert!(filter("*::next").accepts("app::parse::next"));
        assert!(filter("a*a").accepts("aa"));
        assert!(!filter("a*a").accepts("a"));
        assert!(filter("*b*b*").accepts("abcb"));
        assert!(filter("**").accepts(""));
    }

    #[test]
    fn exclusions_win_and_alone_start_from_everything() {
        assert!(filter("").is_everything());
        assert!(filter(" , ").is_everything());
        let alone = filter("!app::log*");
        assert!(alone.accepts("app::parse") && !alone.accepts("app::log::write"));
        let first = filter("!*::fmt, app::*");
        assert!(first.accepts("app::parse") && !first.accepts("app::fmt"));
        assert!(!first.accepts("other::parse"));
        assert_eq!(Filter::parse("app::*,!"), None);
    }

    #[test]
    fn commas_inside_brackets_do_not_split() {
        let cases: &[(&str, &[&str])] = &[
            ("a,b", &["a", "b"]),
            ("<app::Map<K, V> as Get>::get,b", &["<app::Map<K, V> as Get>::get", "b"]),
            ("<fn(u8, u8) -> u8 as F<A, B>>::f,b", &["<fn(u8, u8) -> u8 as F<A, B>>::f", "b"]),
            ("f<[u8; 2], {(1, 2)}>,!c", &["f<[u8; 2], {(1, 2)}>", "!c"]),
            // Unclosed, or closed by the wrong one: plain characters.
            ("a<*,b", &["a<*", "b"]),
            ("a>,b(,c", &["a>", "b(", "c"]),
            ("{a < b, c},d", &["{a < b, c}", "d"]),
            ("[(a,b],c", &["[(a,b]", "c"]),
            ("", &[""]),
        ];
        for (text, parts) in cases {
            assert_eq!(&split(text), parts, "{text}");
        }
    }

    /// The definition of a glob, in exponential time.
    fn by_definition(glob: &[u8], name: &[u8]) -> bool {
        match (glob, name) {
            ([], []) => true,
            ([b'*', rest @ ..], _) => {
                (0..=name.len()).any(|skipped| by_definition(rest, &name[skipped..]))
            }
            ([a, glob @ ..], [b, name @ ..]) => a == b && by_definition(glob, name),
            _ => false,
        }
    }

    #[test]
    fn random_globs_match_by_definition() {
        let mut random = Random::new();
        for _ in 0..20_000 {
            let glob = random.text(&['a', 'b', '*'], 7);
            let name = random.text(&['a', 'b'], 8);
            let expected = by_definition(glob.as_bytes(), name.as_bytes());
            assert_eq!(matches(&glob, &name), expected, "{glob} {name}");
        }
    }

    #[test]
    fn random_text_does_no_harm() {
        let mut random = Random::new();
        let letters = ['a', ',', '!', '*', '<', '>', '-', '(', ')', '[', '}', 'é', '\u{301}', ' '];
        for _ in 0..20_000 {
            let text = random.text(&letters, 24);
            assert_eq!(split(&text).join(","), text);
            if let Some(filter) = Filter::parse(&text) {
                let _ = filter.accepts(&random.text(&letters, 24));
            }
        }
    }
}
