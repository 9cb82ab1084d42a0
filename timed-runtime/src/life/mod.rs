//! The life of a process: armed at its first timed call, reporting once when it ends.
//!
//! Nothing in here may stand in the program's way. What fails, fails silently or with a line on
//! stderr; what waits does so for seconds at most; nothing panics, and the status that the process
//! leaves with is its own.

#[cfg(target_os = "linux")]
mod bell;
mod delivery;
#[cfg(unix)]
mod descriptor;
#[cfg(not(unix))]
#[path = "descriptor_other.rs"]
mod descriptor;
mod exit;
mod file;
mod harness;
mod origin;
#[cfg(target_os = "linux")]
mod pin;
mod rendering;
#[cfg(target_os = "linux")]
mod shield;
#[cfg(not(target_os = "linux"))]
#[path = "shield_other.rs"]
mod shield;
#[cfg(target_os = "linux")]
mod signals;
mod turn;

use crate::config::Config;
use crate::recorder::work;
use delivery::Delivery;
use descriptor::FileId;
use origin::Origin;
use shield::Shield;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::Duration;
use turn::Turn;

/// Whose turn it is to report.
static TURN: Turn = Turn::new();

/// What the process that is armed does with its report. Never freed: a process arms once.
static DELIVERY: AtomicPtr<Delivery> = AtomicPtr::new(ptr::null_mut());

/// For one who finds another reporting: a report takes milliseconds, and its readers have two
/// seconds each.
const OTHERS_TURN: Duration = Duration::from_secs(10);

/// Makes sure that this process reports when it ends. To be called at its first timed call, also
/// in a forked child; further calls do nothing.
pub(crate) fn arm(config: &'static Config) {
    let pid = pid();
    if !config.on || !TURN.begin(pid) {
        return;
    }
    let planned = Delivery::plan(config, harness::is_running(), Origin::of(pid));
    let Some(delivery) = planned else {
        return;
    };
    DELIVERY.store(Box::into_raw(Box::new(delivery)), Ordering::Release);
    TURN.ready(pid);
    #[cfg(target_os = "linux")]
    let stays = pin::pin();
    exit::hook();
    #[cfg(target_os = "linux")]
    if config.signals && stays {
        signals::arm();
    }
}

/// Writes a line to stderr as it is now, in the way that the report is written: for what is wrong
/// with the environment.
pub(crate) fn say(line: &str) {
    if let Some(stderr) = FileId::of_stderr() {
        let _shield = Shield::up();
        let _ = descriptor::write_stderr(stderr, format!("{line}\n").as_bytes());
    }
}

/// Reports, unless that has been done; when somebody else is at it, waits for them.
fn report_once() {
    let pid = pid();
    if !report_if_first(pid) {
        TURN.wait(pid, OTHERS_TURN);
    }
}

/// False when it is, or has been, somebody else's turn.
fn report_if_first(pid: u32) -> bool {
    // Up for all of the turn: the handler, on this thread, would wait for this thread.
    let _shield = Shield::up();
    if !TURN.claim(pid) {
        return false;
    }
    // SAFETY: the turn can be claimed after the pointer was stored only, and nobody frees it.
    let delivery = unsafe { &*DELIVERY.load(Ordering::Acquire) };
    // Whatever it is, it is not worth the program's status.
    let _ = catch_unwind(AssertUnwindSafe(|| report_at_exit(delivery)));
    TURN.finish(pid);
    true
}

/// Takes the figures once, and shows them in every form that was asked for.
fn report_at_exit(delivery: &Delivery) {
    let snapshot = crate::snapshot::take_last();
    let show = || {
        delivery
            .run(&|form, on_stderr| rendering::render(&snapshot, delivery.config, form, on_stderr));
    };
    // At work, so that a timed allocator makes no calls beside those that are reported. (The
    // snapshot has been at work by itself.) Where a cold path has ended the process, it is.
    let shown = work(|_| {
        show();
        Some(())
    });
    if shown.is_none() {
        show();
    }
}

/// This process, also right after a fork.
pub(crate) fn pid() -> u32 {
    if cfg!(target_family = "wasm") {
        // Asking panics, as there is one only.
        1
    } else {
        std::process::id()
    }
}
