//! The programs in `with/`: building them, and asking them.

use crate::tools::Tool;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The workspace.
pub const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// A program that measures with one tool.
pub struct Child(PathBuf);

impl Child {
    /// Builds it; where that fails, the reason.
    pub fn build(tool: &Tool) -> Result<Self, String> {
        eprintln!("building {}", tool.name);
        let package = format!("with-{}", tool.package);
        // Each by itself: built together, one tool's features of a crate would be another's.
        let output = Command::new(env!("CARGO"))
            .current_dir(HERE)
            .args(["build", "--release", "--quiet", "-p", &package])
            .args(["--features", tool.features])
            .output()
            .expect("cargo runs");
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            eprintln!("{said}");
            let reason = said.lines().find(|line| line.starts_with("error")).unwrap_or("error");
            return Err(reason.to_owned());
        }
        // The next one of the same package, with other features, takes the place of this one.
        let built = directory().join(&package);
        let own = directory().join(format!("peer-{}", tool.name));
        std::fs::copy(built, &own).expect("it was built");
        Ok(Self(own))
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.0);
        // What is in the environment of whoever runs this must not switch a tool off, or its report on.
        for (name, _) in std::env::vars() {
            if name.starts_with("TIMED") || name.starts_with("HOTPATH") {
                command.env_remove(name);
            }
        }
        command
    }

    /// The answers to a question: a name and figures each.
    pub fn ask(&self, question: &str, amount: u32) -> Result<Vec<Answer>, String> {
        let mut command = self.command();
        command.arg(question).arg(amount.to_string()).env("TIMED_REPORT", "off");
        let output = command.output().expect("it was built");
        if !output.status.success() {
            eprintln!("{}", String::from_utf8_lossy(&output.stderr));
            return Err(format!("asked for {question}: {}", output.status));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let answers = text.lines().filter_map(answer);
        Ok(answers.map(|(name, figures)| (name.to_owned(), figures)).collect())
    }
}

/// A name, and its figures.
pub type Answer = (String, Vec<f64>);

fn answer(line: &str) -> Option<(&str, Vec<f64>)> {
    let mut words = line.strip_prefix("= ")?.split(' ');
    let name = words.next()?;
    Some((name, words.map(|word| word.parse().unwrap_or(f64::NAN)).collect()))
}

/// Where Cargo has put this program, and puts the others.
fn directory() -> PathBuf {
    let own = std::env::current_exe().expect("the system knows");
    own.parent().map(Path::to_owned).expect("it is in a directory")
}
