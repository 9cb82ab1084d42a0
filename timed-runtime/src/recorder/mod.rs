//! Recording: the probe, and everything it writes.
//!
//! | file | what |
//! |---|---|
//! | `site`, `registry` | what and where, in constant data; the table of sites; those never called |
//! | `guard`, `hold`, `future` | what stands inline in a timed function |
//! | `probe` | the ordinary path: open, close |
//! | `cold`, `reading` | every other path |
//! | `wall` | calls that are not one activation: of futures, of blocks that await |
//! | `hop` | intervals from a stamp to here, also from another thread |
//! | `lane`, `books`, `frames`, `list` | one thread's hot words, and what its cold paths need |
//! | `owner` | threads and their lanes: claiming, making, giving up |
//! | `layout`, `arena`, `histogram` | the recording itself |
//! | `roster`, `thread`, `local` | which thread owns which lane, and where it finds it |
//! | `process`, `control`, `calibrate`, `history` | what a process has one of |

pub(crate) mod arena;
#[cfg(not(loom))]
pub(crate) mod books;
#[cfg(all(test, driven_clock))]
mod broken;
#[cfg(not(loom))]
pub(crate) mod calibrate;
#[cfg(not(loom))]
mod cold;
#[cfg(not(loom))]
pub(crate) mod control;
#[cfg(not(loom))]
mod frames;
#[cfg(not(loom))]
pub(crate) mod future;
#[cfg(not(loom))]
pub(crate) mod guard;
pub(crate) mod histogram;
#[cfg(not(loom))]
mod history;
#[cfg(not(loom))]
pub(crate) mod hold;
#[cfg(not(loom))]
pub(crate) mod hop;
#[cfg(not(loom))]
pub(crate) mod lane;
pub(crate) mod layout;
#[cfg(not(loom))]
mod list;
#[cfg(all(target_arch = "x86_64", target_os = "linux", not(loom)))]
mod local;
#[cfg(all(not(all(target_arch = "x86_64", target_os = "linux")), not(loom)))]
#[path = "local_std.rs"]
mod local;
mod memory;
#[cfg(all(test, loom))]
mod models;
#[cfg(not(loom))]
mod owner;
#[cfg(not(loom))]
mod path;
#[cfg(not(loom))]
pub(crate) mod probe;
#[cfg(not(loom))]
pub(crate) mod process;
#[cfg(not(loom))]
mod reading;
#[cfg(not(loom))]
pub(crate) mod registry;
pub(crate) mod roster;
#[cfg(not(loom))]
pub(crate) mod site;
#[cfg(all(test, not(loom)))]
mod tests;
#[cfg(not(loom))]
pub(crate) mod thread;
#[cfg(not(loom))]
pub(crate) mod wall;

#[cfg(not(loom))]
pub(crate) use cold::work;
