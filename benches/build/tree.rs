//! All that a program pulls in, from nothing.

use super::Effort;
use super::project::{Cost, Dependency, Folder, in_turns, ratio};
use super::source;
use super::table::Table;

pub(super) fn rows(table: &mut Table, folder: &Folder, effort: Effort) {
    let make = |name, on: Dependency| {
        let source = source::program(on.attribute());
        folder.project(name, on, "main.rs", &source).apart()
    };
    let ours = make("program-timed", Dependency::Timed);
    let theirs = make("program-hotpath", Dependency::Hotpath);
    for profile in ["dev", "release"] {
        let [ours, theirs]: [Vec<Cost>; 2] = in_turns(
            effort.rounds.1.min(3),
            [&|| ours.build_clean(profile), &|| theirs.build_clean(profile)],
        );
        let (ratio, note) = ratio(&ours, &theirs);
        let name = format!("a program from clean, to hotpath, {profile}");
        table.row(&name, ratio, "times", 0.333, &note);
    }
    let note = format!("hotpath {}", theirs.crates());
    table.row("crates in the program's tree", ours.crates() as f64, "crates", 24.0, &note);
}
