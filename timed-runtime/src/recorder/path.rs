//! A site's default name, from the path that the compiler gives a type declared in the function.

/// Tidies a path like `<app::Lexer<_> as core::iter::traits::iterator::Iterator>::next::Here` into
/// `<app::Lexer as Iterator>::next`.
///
/// The last segment is the marker's own and goes; `<_>` (parameters that the path leaves open)
/// goes; a trait loses its path; `<impl Type>` of an impl in another module becomes the type, and
/// with it the module in front, which is the impl's, goes.
pub(crate) fn tidy(path: &str) -> String {
    let path = path.rsplit_once("::").map_or(path, |(function, _marker)| function);
    let path = path
        .replace("<_>", "")
        .replace("<_, _>", "")
        .replace("<_, _, _>", "")
        .replace("<_, _, _, _>", "");
    shorten_traits(&unwrap_impl(&path))
}

/// `app::far::<impl app::Lexer>::go` → `app::Lexer::go`, and
/// `app::far::<impl app::Trait for app::Lexer>::go` → `<app::Lexer as app::Trait>::go`.
fn unwrap_impl(path: &str) -> String {
    let Some(begin) = path.find("<impl ") else { return path.to_owned() };
    let inside = begin + "<impl ".len();
    let Some(end) = matching(&path[inside..]).map(|at| inside + at) else { return path.to_owned() };
    let (body, rest) = (&path[inside..end], &path[end + 1..]);
    match split_outside(body, " for ") {
        Some((of, ty)) => format!("<{ty} as {of}>{rest}"),
        None => format!("{body}{rest}"),
    }
}

/// `<app::Lexer as core::iter::Iterator>::next` → `<app::Lexer as Iterator>::next`.
fn shorten_traits(path: &str) -> String {
    let Some(inside) = path.strip_prefix('<') else { return path.to_owned() };
    let Some(end) = matching(inside) else { return path.to_owned() };
    let Some((ty, of)) = split_outside(&inside[..end], " as ") else { return path.to_owned() };
    // The trait's own arguments keep their paths: only what is in front of its name goes.
    let arguments = of.find('<').unwrap_or(of.len());
    let name = of[..arguments].rfind("::").map_or(0, |at| at + 2);
    format!("<{ty} as {}>{}", &of[name..], &inside[end + 1..])
}

/// Where the bracket closes that was opened just before `text`.
fn matching(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            // The arrow of a function type closes nothing.
            '>' if before == '-' => {}
            '>' if depth == 0 => return Some(at),
            '>' => depth -= 1,
            _ => {}
        }
        before = c;
    }
    None
}

/// Splits at the first `separator` that is in no brackets.
fn split_outside<'a>(text: &'a str, separator: &str) -> Option<(&'a str, &'a str)> {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if before != '-' => depth = depth.saturating_sub(1),
            _ if depth == 0 && text[at..].starts_with(separator) => {
                return Some((&text[..at], &text[at + separator.len()..]));
            }
            _ => {}
        }
        before = c;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn names_lead_to_their_functions() {
        for (path, name) in [
            ("app::run::Here", "app::run"),
            ("app::outer::inner::Here", "app::outer::inner"),
            ("app::parser::Lexer<_>::next::Here", "app::parser::Lexer::next"),
            ("app::Lexer<_>::f::{{closure}}::Here", "app::Lexer::f::{{closure}}"),
            (
                "<app::Lexer<_> as core::iter::traits::iterator::Iterator>::next::Here",
                "<app::Lexer as Iterator>::next",
            ),
            ("app::far::<impl app::Lexer<u32>>::go::Here", "app::Lexer<u32>::go"),
            ("app::far::<impl app::Tr for &app::Lexer<_>>::d::Here", "<&app::Lexer as Tr>::d"),
            ("<fn(u8) -> u8 as app::Tr>::d::Here", "<fn(u8) -> u8 as Tr>::d"),
            ("<app::A as core::ops::Add<app::B>>::add::Here", "<app::A as Add<app::B>>::add"),
            ("<[u8] as app::Tr>::d::Here", "<[u8] as Tr>::d"),
            ("app::Map<_, _>::get::Here", "app::Map::get"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(tidy(path), name);
        }
    }
}
