//! A crate built again after its source was touched, without incremental compilation.

use super::Effort;
use super::project::{Cost, Dependency, Folder, Project, in_turns, ratio, seconds};
use super::source;
use super::table::Table;

const PROFILES: [&str; 2] = ["dev", "release"];

/// Many empty functions, timed by us and by others.
pub(super) fn empty(table: &mut Table, folder: &Folder, effort: Effort) {
    let make = |name, on: Dependency| {
        let source = source::empty(effort.functions, on.attribute());
        folder.project(name, on, "lib.rs", &source)
    };
    let ours = make("empty-timed", Dependency::Timed);
    let theirs = make("empty-fastrace", Dependency::Fastrace);
    let plain = make("empty-plain", Dependency::None);
    for profile in PROFILES {
        let [ours, theirs, plain] = race(effort.rounds.0, profile, [&ours, &theirs, &plain]);
        let (ratio, note) = ratio(&ours, &theirs);
        let name = format!("{} empty functions, to fastrace, {profile}", effort.functions);
        let note = format!("{note}; plain {:.2} s", seconds(&plain));
        table.row(&name, ratio, "times", 1.0, &note);
    }
}

/// Many functions of ordinary size, with the attribute and without.
pub(super) fn ordinary(table: &mut Table, folder: &Folder, effort: Effort) {
    let make = |name, on: Dependency| {
        let source = source::ordinary(effort.functions, on.attribute());
        folder.project(name, on, "lib.rs", &source)
    };
    let timed = make("ordinary-timed", Dependency::Timed);
    let plain = make("ordinary-plain", Dependency::None);
    for profile in PROFILES {
        let [timed, plain] = race(effort.rounds.1, profile, [&timed, &plain]);
        let (ratio, note) = ratio(&timed, &plain);
        let name = format!("{} functions of 30 lines, to plain, {profile}", effort.functions);
        table.row(&name, ratio, "times", 1.15, &note);
    }
}

/// What rebuilds take, in turns; what they depend on is built before.
fn race<const N: usize>(rounds: usize, profile: &str, projects: [&Project; N]) -> [Vec<Cost>; N] {
    for project in projects {
        project.rebuild(profile);
    }
    let builds = projects.map(|project| move || project.rebuild(profile));
    in_turns(rounds, builds.each_ref().map(|build| build as &dyn Fn() -> Cost))
}
