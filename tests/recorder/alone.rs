//! A test in a process of its own: there is one recorder in a process, and these tests say what
//! is in it to the last call.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use timed::{SiteStats, Snapshot, TreeNode};

/// Set in the process that a test has to itself.
const MARK: &str = "TIMED_TEST_ALONE";

/// The longest that a test may take. Some step through code an instruction at a time.
const PATIENCE: Duration = Duration::from_secs(100);

/// `alone! { fn name() { … } }`: tests that have the process to themselves, with the environment
/// variables in brackets, if any: `[TIMED = "off"]`.
macro_rules! alone {
    ($($(#[$meta:meta])* $([$variable:ident = $value:literal])* fn $name:ident() $body:block)*) => {$(
        $(#[$meta])*
        #[test]
        fn $name() {
            fn body() $body
            let variables: &[(&str, &str)] = &[$((stringify!($variable), $value)),*];
            $crate::alone::run(concat!(module_path!(), "::", stringify!($name)), variables, body);
        }
    )*};
}
pub(crate) use alone;

/// Runs `body` in a child process, which is this same test called by its name.
pub(crate) fn run(path: &str, variables: &[(&str, &str)], body: fn()) {
    if std::env::var_os(MARK).is_some() {
        limit_time();
        return body();
    }
    let (_crate, name) = path.split_once("::").expect("a module's path");
    let mut command = this_executable();
    for (variable, _) in std::env::vars_os() {
        if variable.to_string_lossy().starts_with("TIMED") {
            command.env_remove(variable);
        }
    }
    command
        .args([name, "--exact", "--nocapture", "--test-threads=1", "--include-ignored"])
        .env(MARK, "1");
    let output =
        command.envs(variables.iter().copied()).stdin(Stdio::null()).output().expect("a child");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert!(output.status.success(), "{}\n{text}", output.status);
    assert!(text.contains("1 passed"), "no test of the name {name}:\n{text}");
}

/// To start it, where it cannot start by itself: through the emulator that `EMULATOR` names.
fn this_executable() -> Command {
    let executable = std::env::current_exe().expect("this executable");
    let Some(emulator) = std::env::var_os("EMULATOR") else { return Command::new(executable) };
    let mut command = Command::new(emulator);
    command.arg(executable);
    command
}

/// A deadlock is a failure, not a wait.
fn limit_time() {
    std::thread::spawn(|| {
        // Signals are for the thread that a test runs on.
        // SAFETY: a full set for this thread's mask; both calls only write to the set.
        unsafe {
            let mut all = std::mem::zeroed();
            libc::sigfillset(&raw mut all);
            libc::pthread_sigmask(libc::SIG_BLOCK, &raw const all, std::ptr::null_mut());
        }
        std::thread::sleep(PATIENCE);
        eprintln!("the test hangs");
        std::process::abort();
    });
}

/// Sets the flag when it drops, so that threads end also when a test fails.
pub(crate) struct Stop<'a>(pub(crate) &'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The one site whose name is, or ends in, this.
#[track_caller]
pub(crate) fn site<'a>(snapshot: &'a Snapshot, name: &str) -> &'a SiteStats {
    find(snapshot, name).unwrap_or_else(|| panic!("no site {name} in {snapshot:#?}"))
}

/// The same, if there is one.
pub(crate) fn find<'a>(snapshot: &'a Snapshot, name: &str) -> Option<&'a SiteStats> {
    snapshot.sites.iter().find(|site| site.name.rsplit("::").next() == Some(name))
}

/// Its calls; 0 if it is not in the snapshot.
pub(crate) fn calls(snapshot: &Snapshot, name: &str) -> u64 {
    find(snapshot, name).map_or(0, |site| site.calls)
}

/// The last segment of a tree node's name.
pub(crate) fn name_of<'a>(snapshot: &'a Snapshot, node: &TreeNode) -> &'a str {
    snapshot.sites[node.site].name.rsplit("::").next().unwrap_or_default()
}

/// The tree as `caller>callee: calls`, sorted; the caller of what no timed function called is
/// empty.
pub(crate) fn edges(snapshot: &Snapshot) -> Vec<(String, u64)> {
    let mut edges: Vec<(String, u64)> = snapshot
        .tree
        .iter()
        .map(|node| {
            let caller = node.parent.map_or("", |parent| name_of(snapshot, &snapshot.tree[parent]));
            (format!("{caller}>{}", name_of(snapshot, node)), node.calls)
        })
        .collect();
    edges.sort();
    edges
}

/// What holds of every snapshot, whatever was measured.
#[track_caller]
pub(crate) fn check(snapshot: &Snapshot) {
    for site in &snapshot.sites {
        let counted: u64 = site.buckets.iter().map(|bucket| bucket.count).sum();
        assert_eq!(site.timed, counted + site.negative, "{site:#?}");
        assert!(site.timed <= site.calls, "{site:#?}");
        for figure in [
            site.total_ns,
            site.self_ns,
            site.mean_ns,
            site.typical_ns,
            site.min_ns,
            site.max_ns,
            site.uncertainty_ns,
            site.self_uncertainty_ns,
            site.in_flight_ns,
            site.in_flight_self_ns,
            site.migrated_ns,
        ] {
            // Fifty days, since a deep recursion's readings add up; what wraps is some hundred years.
            assert!(figure.is_finite() && figure.abs() < 4.3e15, "{figure} in {site:#?}");
        }
    }
    let percent: f64 = snapshot.sites.iter().map(|site| site.self_percent).sum();
    assert!(
        snapshot.sites.is_empty() || percent == 0.0 || (percent - 100.0).abs() < 1e-6,
        "{percent}"
    );
    for (at, node) in snapshot.tree.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| parent < at), "{:#?}", snapshot.tree);
    }
}
