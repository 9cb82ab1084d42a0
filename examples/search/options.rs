//! The command line.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use regex::Regex;

pub(crate) const HELP: &str = "\
Searches a directory for lines that match a pattern, on many threads.

usage: search [PATTERN] [DIR]

  PATTERN   a regular expression; `--` before one that starts with a dash
            [default: \\bunsafe\\b]
  DIR       where to look
            [default: the sources of the crates in Cargo's registry]
";

const DEFAULT_PATTERN: &str = r"\bunsafe\b";

/// What the command line asks for.
pub(crate) enum Request {
    Help,
    Search(Options),
}

pub(crate) struct Options {
    pub(crate) pattern: Regex,
    pub(crate) dir: PathBuf,
}

/// Reads the arguments that follow the program's name.
pub(crate) fn parse(args: impl Iterator<Item = OsString>) -> Result<Request, String> {
    let mut positional = Vec::new();
    let mut options_end = false;
    for arg in args {
        match arg.to_str() {
            Some("--") if !options_end => options_end = true,
            Some("-h" | "--help") if !options_end => return Ok(Request::Help),
            Some(option) if !options_end && option.len() > 1 && option.starts_with('-') => {
                return Err(format!("unknown option `{option}` (see --help)"));
            }
            _ => positional.push(arg),
        }
    }
    let mut positional = positional.into_iter();
    let pattern = match positional.next() {
        Some(arg) => compile(arg)?,
        None => compile(DEFAULT_PATTERN.into())?,
    };
    let dir = match positional.next() {
        Some(arg) => PathBuf::from(arg),
        None => default_dir(),
    };
    if let Some(extra) = positional.next() {
        let extra = extra.display();
        return Err(format!("one argument too many: `{extra}` (see --help)"));
    }
    match dir.read_dir() {
        Ok(_) => Ok(Request::Search(Options { pattern, dir })),
        Err(error) => Err(format!("cannot search {}: {error}", dir.display())),
    }
}

fn compile(pattern: OsString) -> Result<Regex, String> {
    let pattern = pattern
        .into_string()
        .map_err(|raw| format!("bad pattern `{}`: not UTF-8", raw.display()))?;
    Regex::new(&pattern).map_err(|error| {
        // The parser draws a picture over several lines; the reason is its last one.
        let error = error.to_string();
        let last = error.lines().last().unwrap_or_default();
        let reason = last.strip_prefix("error: ").unwrap_or(last);
        format!("bad pattern `{}`: {reason}", pattern.escape_debug())
    })
}

/// Where Cargo unpacks the crates that it downloads; the current directory where it has not.
fn default_dir() -> PathBuf {
    let cargo_home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(env::home_dir()?.join(".cargo")));
    let dir = cargo_home
        .map(|home| home.join("registry").join("src"))
        .filter(|sources| sources.is_dir())
        .unwrap_or_else(|| PathBuf::from("."));
    eprintln!("search: no directory given, searching {}", dir.display());
    dir
}
