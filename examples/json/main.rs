//! Cleans a JSON document: drops nulls, redacts secrets, normalises text, sums numbers.
//!
//! ```text
//! cargo run --release --example json --features enabled -- INPUT.json OUTPUT.json
//! ```
//!
//! Without arguments it makes an input of 32 MB, always the same one, and keeps nothing.

mod clean;
mod sample;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};

use serde_json::Value;
use timed::timed;

use clean::Cleaner;

const HELP: &str = "\
Cleans a JSON document: drops nulls, redacts secrets, normalises text, sums numbers.

usage: json [INPUT [OUTPUT]]

  INPUT    the document [default: one of 32 MB, made for the occasion]
  OUTPUT   where the cleaned one goes [default: a temporary file]
";

const SAMPLE_BYTES: usize = 32_000_000;

fn main() -> ExitCode {
    let args: Vec<_> = env::args_os().skip(1).collect();
    if args.iter().any(|arg| arg == "-h" || arg == "--help") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    match run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("json: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(args: Vec<OsString>) -> Result<(), String> {
    if args.len() > 2 {
        return Err("more than two arguments (see --help)".into());
    }
    let mut args = args.into_iter().map(PathBuf::from);
    let scratch = Scratch::new().map_err(|error| format!("temporary directory: {error}"))?;
    let input = if let Some(path) = args.next() {
        path
    } else {
        let path = scratch.0.join("input.json");
        sample::write(&path, SAMPLE_BYTES).map_err(|error| at(&path, &error))?;
        path
    };
    let output = args.next().unwrap_or_else(|| scratch.0.join("output.json"));

    let mut document = load(&input)?;
    let mut cleaner = Cleaner::default();
    cleaner.clean(&mut document);
    let written = store(&document, &output)?;
    // Millions of small allocations take their time to go.
    timed::block!("free", { drop(document) });

    println!("values      {}", cleaner.values);
    println!("nulls       {} dropped", cleaner.nulls);
    println!("secrets     {} redacted", cleaner.secrets);
    println!("texts       {} normalised", cleaner.texts);
    println!("numbers     {:.2} in all", cleaner.sum);
    println!("written     {written} bytes");
    Ok(())
}

#[timed]
fn load(path: &Path) -> Result<Value, String> {
    let text = read(path)?;
    timed::scope!("parse");
    serde_json::from_slice(&text).map_err(|error| at(path, &error))
}

#[timed]
fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| at(path, &error))
}

#[timed]
fn store(document: &Value, path: &Path) -> Result<usize, String> {
    let text = encode(document);
    write(path, &text)?;
    Ok(text.len())
}

#[timed]
fn encode(document: &Value) -> Vec<u8> {
    document.to_string().into_bytes()
}

#[timed]
fn write(path: &Path, text: &[u8]) -> Result<(), String> {
    fs::write(path, text).map_err(|error| at(path, &error))
}

fn at(path: &Path, error: &dyn std::error::Error) -> String {
    format!("{}: {error}", path.display())
}

/// A directory that goes away with the value.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> io::Result<Self> {
        let path = env::temp_dir().join(format!("timed-json-{}", process::id()));
        fs::create_dir(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("json: {}", at(&self.0, &error));
        }
    }
}
