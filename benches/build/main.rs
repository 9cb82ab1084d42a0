//! What the attribute adds to the time that a build takes, each figure beside its budget.
//!
//! ```text
//! cargo bench --bench build --features enabled               the table, in some ten minutes
//! cargo bench --bench build --features enabled -- --quick    to see that it runs
//! cargo bench --bench build --features enabled -- empty      one part: empty, ordinary or tree
//! ```
//!
//! It makes projects in the system's temporary directory, and fetches what they depend on, `fastrace`
//! and `hotpath` among it. Those that are compared are built in turns, so that other work on the
//! machine falls upon both. Figures are medians over the rounds; the last column has the ratio of the
//! shortest builds, and of the processor's time in all of them, which other work disturbs least.

mod project;
mod rebuild;
mod source;
mod table;
mod tree;

use table::Table;

/// How much is built.
#[derive(Clone, Copy)]
struct Effort {
    /// Functions in a library.
    functions: usize,
    /// Builds of each project: those that take seconds, and the others.
    rounds: (usize, usize),
}

/// Some rows of the table.
type Part = fn(&mut Table, &project::Folder, Effort);

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    // `cargo bench` says `--bench`; whoever else runs this only wants to see it run.
    let effort = if has("--quick") || !has("--bench") {
        Effort { functions: 20, rounds: (1, 1) }
    } else {
        Effort { functions: 1000, rounds: (9, 5) }
    };
    let folder = project::Folder::new();
    let mut table = Table::new();
    let parts: [(&str, Part); 3] =
        [("empty", rebuild::empty), ("ordinary", rebuild::ordinary), ("tree", tree::rows)];
    let all = !parts.iter().any(|(name, _)| has(name));
    for (name, part) in parts {
        if all || has(name) {
            part(&mut table, &folder, effort);
        }
    }
    table.foot();
}
