//! Whether this process is a test or a benchmark that Cargo built.
//!
//! Such a process has an output of its own that somebody reads, and hundreds of them run in a
//! row: nobody asked for a report of each.

use std::path::Path;

/// Whether the running executable is one.
pub(super) fn is_running() -> bool {
    std::env::current_exe().is_ok_and(|executable| is_harness(&executable))
}

/// Cargo puts them into a directory `deps`, as `name-` and the 16 digits of a hash. (A program
/// of the user's is there too, but `cargo run` and people start the link beside `deps`.)
fn is_harness(executable: &Path) -> bool {
    let in_deps = executable.parent().and_then(Path::file_name).is_some_and(|name| name == "deps");
    let Some(name) = executable.file_name().and_then(|name| name.to_str()) else {
        return false;
    };
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let hash = name.rsplit_once('-').map_or("", |(_, hash)| hash);
    in_deps && hash.len() == 16 && hash.bytes().all(|digit| digit.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_them_by_their_place_and_name() {
        for (path, expected) in [
            ("/p/target/debug/deps/app-0123456789abcdef", true),
            ("/p/target/release/deps/my-bench-fedcba9876543210", true),
            ("/p/target/debug/deps/app-0123456789abcdef.exe", true),
            ("deps/app-0123456789abcdef", true),
            ("/p/target/debug/app", false),
            ("/p/target/debug/app-0123456789abcdef", false),
            ("/p/target/debug/examples/app-0123456789abcdef", false),
            ("/p/target/debug/deps/app", false),
            ("/p/target/debug/deps/app-0123456789abcde", false),
            ("/p/target/debug/deps/app-0123456789abcdef0", false),
            ("/p/target/debug/deps/app-0123456789abcdeg", false),
            ("/p/target/debug/deps/0123456789abcdef", false),
            ("/", false),
            ("", false),
        ] {
            assert_eq!(is_harness(Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn this_is_one() {
        assert!(is_running());
    }
}
