//! What the projects consist of.

use std::fmt::Write as _;

/// A library of empty functions.
pub(super) fn empty(functions: usize, attribute: &str) -> String {
    library(functions, attribute, |source, index| {
        _ = writeln!(source, "pub fn function_{index}() {{}}");
    })
}

/// A library of functions of 30 lines, of two kinds in turns; no two are alike.
pub(super) fn ordinary(functions: usize, attribute: &str) -> String {
    library(functions, attribute, |source, index| {
        let kind = [NUMBERS, WORDS][index % 2];
        // A constant of its own keeps a function from being merged with another.
        let text = kind.replace("INDEX", &index.to_string());
        assert_eq!(text.lines().count(), 30, "lines of a function");
        source.push_str(&text);
    })
}

/// A program with one function.
pub(super) fn program(attribute: &str) -> String {
    format!("{attribute}fn work() {{}}\n\nfn main() {{\n    work();\n}}\n")
}

/// Twenty functions a module, all public, so that none is left out.
fn library(functions: usize, attribute: &str, function: impl Fn(&mut String, usize)) -> String {
    const PER_MODULE: usize = 20;
    let mut source = String::new();
    for first in (0..functions).step_by(PER_MODULE) {
        _ = writeln!(source, "pub mod module_{first} {{");
        for index in first..(first + PER_MODULE).min(functions) {
            source.push_str(attribute);
            function(&mut source, index);
        }
        source.push_str("}\n");
    }
    source
}

const NUMBERS: &str = r#"pub fn numbers_INDEX(text: &str, limit: usize) -> Result<Vec<u64>, String> {
    let mut found = Vec::new();
    let mut sum = INDEXu64;
    for (at, word) in text.split_whitespace().enumerate() {
        if at >= limit {
            break;
        }
        let number = match word.parse::<u64>() {
            Ok(number) => number,
            Err(_) if word.starts_with('#') => continue,
            Err(error) => return Err(format!("{word} at {at}: {error}")),
        };
        sum = sum.wrapping_mul(31).wrapping_add(number ^ INDEX);
        match number % 4 {
            0 => found.push(sum),
            1 => found.insert(0, number),
            2 => found.extend([sum, number]),
            _ => {}
        }
    }
    let largest = found.iter().copied().max().ok_or("nothing was found")?;
    while sum > largest && sum > 1 {
        sum /= 2;
    }
    if found.len() < INDEX {
        found.push(sum);
    }
    found.sort_unstable();
    Ok(found)
}
"#;

const WORDS: &str = r#"pub fn words_INDEX(lines: &[String], key: Option<&str>) -> Option<String> {
    let key = key?.trim();
    let mut longest = lines.first()?.as_str();
    let mut counts = [0u32; 26];
    for line in lines {
        for letter in line.bytes() {
            if letter.is_ascii_lowercase() {
                counts[usize::from(letter - b'a')] += 1;
            }
        }
        if line.len() > longest.len() {
            longest = line;
        }
    }
    let mut result = String::with_capacity(longest.len() + INDEX);
    let (place, count) = counts.iter().enumerate().max_by_key(|(_, count)| **count)?;
    result.push(char::from(b'a' + place as u8));
    result.push_str(match count {
        0 => "never",
        1 => "once",
        2..=9INDEX => "sometimes",
        _ => "often",
    });
    if let Some((before, after)) = longest.split_once(key) {
        result.push_str(after);
        result.push_str(before);
    }
    let result = result.replace('\t', " ");
    Some(result)
}
"#;
