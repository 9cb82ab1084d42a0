//! What needs a process of its own: this executable again, told what to do by its arguments.

use super::unit::Effort;
use super::{cost, frequency, hops, parent, start, truth};
use std::process::{Command, Stdio};

/// The argument that makes this process a child.
const FLAG: &str = "--child";

/// Runs a child, and returns what it has written on its standard output.
pub(super) fn run(what: &str, effort: Effort, variables: &[(&str, &str)]) -> String {
    let program = std::env::current_exe().expect("the bench knows its executable");
    let mut command = Command::new(program);
    command.args([FLAG, what, if effort.is_quick() { "--quick" } else { "--bench" }]);
    // No setting of the caller's, and no report: only its child that times one asks for it.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("TIMED") {
            command.env_remove(name);
        }
    }
    command.env("TIMED_REPORT", "off").envs(variables.iter().copied());
    let output = command.stderr(Stdio::null()).output().expect("the bench starts itself");
    assert!(output.status.success(), "the child `{what}` ended with {}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// One number from each of several children.
pub(super) fn numbers(what: &str, effort: Effort, variables: &[(&str, &str)]) -> Vec<f64> {
    let number = |_| run(what, effort, variables).trim().parse().unwrap_or(f64::NAN);
    (0..effort.children).map(number).collect()
}

/// Does what a child is asked for. False in the bench itself.
pub(super) fn answer(arguments: &[String], effort: Effort) -> bool {
    let Some(at) = arguments.iter().position(|argument| argument == FLAG) else { return false };
    match arguments.get(at + 1).map(String::as_str) {
        Some("idle") => cost::idle(effort),
        Some("first-call") => start::first_call(),
        Some("exit") => start::exit(),
        Some("memory") => start::memory(),
        Some("truth") => truth::child(effort),
        Some("parent") => parent::child(effort),
        Some("hops") => hops::child(effort),
        Some("frequency") => frequency::child(),
        other => panic!("no such child: {other:?}"),
    }
    true
}
