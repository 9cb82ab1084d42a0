//! What needs a process of its own: this executable again, told what to do by its arguments.

use super::unit::Effort;
use std::process::{Command, Stdio};

/// The argument that makes this process a child.
const FLAG: &str = "--child";

/// Runs a child, and returns what it has written on its standard output.
pub(crate) fn run(what: &str, effort: Effort, variables: &[(&str, &str)]) -> String {
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
pub(crate) fn numbers(what: &str, effort: Effort, variables: &[(&str, &str)]) -> Vec<f64> {
    let number = |_| run(what, effort, variables).trim().parse().unwrap_or(f64::NAN);
    (0..effort.children).map(number).collect()
}

/// Lets this process go before others that are ready at the same time, where the system allows it: what
/// interrupts a body that others run beside is no error of its figure.
fn go_first() {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if cores < 2 {
        return;
    }
    // SAFETY: a parameter without pointers, whose priority is the lowest there is; the call reads it.
    unsafe {
        let mut lowest: libc::sched_param = std::mem::zeroed();
        lowest.sched_priority = libc::sched_get_priority_min(libc::SCHED_FIFO);
        libc::sched_setscheduler(0, libc::SCHED_FIFO, &raw const lowest);
    }
}

/// What a child can be asked for.
pub(crate) type Child = (&'static str, fn(Effort));

/// Does what a child is asked for. False in the bench itself.
pub(crate) fn answer(arguments: &[String], effort: Effort, children: &[Child]) -> bool {
    let Some(at) = arguments.iter().position(|argument| argument == FLAG) else { return false };
    let asked = arguments.get(at + 1).map(String::as_str);
    let child = children.iter().find(|(name, _)| Some(*name) == asked);
    let (_, child) = child.unwrap_or_else(|| panic!("no such child: {asked:?}"));
    go_first();
    child(effort);
    true
}
