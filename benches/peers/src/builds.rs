//! What a tool adds to a build: a program of a few lines that uses it, from nothing, for debugging.

use crate::children::HERE;
use crate::tools::Tool;
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Crates in its tree, and seconds for all of them, if they are to be built.
pub fn hello(tool: &Tool, build: bool) -> (usize, Option<f64>) {
    let folder = std::env::temp_dir().join(format!("peers-{}-{}", std::process::id(), tool.name));
    let (needs, source) = tool.hello;
    let root = Path::new(HERE).join("../..").canonicalize().expect("we are in the repository");
    let manifest = format!(
        "[package]\nname = \"hello\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{}\n",
        needs.replace("PATH", &root.display().to_string())
    );
    fs::create_dir_all(folder.join("src")).expect("the temporary directory can be written to");
    fs::write(folder.join("Cargo.toml"), manifest).expect("it is ours");
    fs::write(folder.join("src/main.rs"), source).expect("it is ours");
    // The versions that were measured.
    fs::copy(Path::new(HERE).join("Cargo.lock"), folder.join("Cargo.lock")).expect("it is ours");

    let tree = ["tree", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"];
    let text = cargo(&folder, &tree);
    // A crate that occurs again has a mark behind its name and version. Without the program itself.
    let crates: HashSet<Vec<&str>> =
        text.lines().map(|line| line.split(' ').take(2).collect()).collect();
    let seconds = build.then(|| {
        let begin = Instant::now();
        cargo(&folder, &["build", "--quiet", "--offline"]);
        begin.elapsed().as_secs_f64()
    });
    _ = fs::remove_dir_all(&folder);
    (crates.len().saturating_sub(1), seconds)
}

fn cargo(folder: &Path, arguments: &[&str]) -> String {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(folder).args(arguments);
    cargo.env("CARGO_TARGET_DIR", folder.join("target")).env("CARGO_INCREMENTAL", "0");
    let output = cargo.output().expect("cargo runs");
    if !output.status.success() {
        eprintln!("{}: {}", folder.display(), String::from_utf8_lossy(&output.stderr));
    }
    String::from_utf8_lossy(&output.stdout).into_owned()
}
