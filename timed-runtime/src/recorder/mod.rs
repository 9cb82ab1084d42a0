//! Recording: the probe, and everything it writes.
//!
//! | file | what |
//! |---|---|
//! | `site` | what and where, in constant data; the table of sites |
//! | `guard`, `hold` | what stands inline in a timed function |
//! | `probe` | the ordinary path: open, close |
//! | `cold` | every other path |
//! | `lane`, `books` | one thread's hot words, and what its cold paths need |
//! | `layout`, `arena`, `histogram` | the recording itself |
//! | `roster`, `thread` | which thread owns which lane |
//! | `process`, `control`, `calibrate` | what a process has one of |

pub(crate) mod arena;
pub(crate) mod books;
pub(crate) mod calibrate;
mod cold;
pub(crate) mod control;
pub(crate) mod guard;
pub(crate) mod histogram;
pub(crate) mod hold;
pub(crate) mod lane;
pub(crate) mod layout;
mod memory;
mod path;
mod probe;
pub(crate) mod process;
pub(crate) mod roster;
pub(crate) mod site;
pub(crate) mod thread;

pub(crate) use cold::work;
