//! Straight-line arithmetic stays between the two readings, where the compiler would move it out.

use crate::alone::{alone, site};
use std::hint::black_box;
use std::time::Instant;

#[derive(Debug, Clone, Copy)]
struct Pair {
    low: u32,
    high: f32,
}

fn mix(mut x: u64) -> u64 {
    for _ in 0..14 {
        x = (x ^ x.rotate_left(23)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    x
}

/// `arithmetic! { fn name(x: T) -> U = expression; }`: the function, timed and not, and for each a
/// loop of so many calls, each of which waits for the one before it.
macro_rules! arithmetic {
    ($(fn $name:ident($x:ident: $from:ty) -> $to:ty $body:block then |$result:ident| $next:expr;)*) => {
        mod timed_ones {
            use super::*;
            $(#[timed::timed] #[inline(never)] pub(super) fn $name($x: $from) -> $to $body)*
        }
        mod plain {
            use super::*;
            $(#[inline(never)] pub(super) fn $name($x: $from) -> $to $body)*
        }
        alone! {
            $(fn $name() {
                let run = |f: fn($from) -> $to, calls: u32, first: $from| {
                    let began = Instant::now();
                    let mut x = first;
                    for _ in 0..calls {
                        let $result = black_box(f(black_box(x)));
                        x = $next;
                    }
                    black_box(x);
                    began.elapsed().as_nanos() as f64 / f64::from(calls)
                };
                let first = black_box(Default::default());
                run(timed_ones::$name, 30_000, first);
                // Each run is short, so that some meet no interrupt.
                let alone = (0..100).map(|_| run(plain::$name, 2000, first)).fold(f64::MAX, f64::min);
                let snapshot = timed::snapshot();
                let timed = site(&snapshot, stringify!($name));
                assert_eq!(timed.calls, 30_000);
                // Moved out, it would be about nothing.
                assert!(
                    timed.typical_ns > 0.3 * alone && timed.typical_ns < 4.0 * alone + 10.0,
                    "{} ns in a timed call, {alone} ns without", timed.typical_ns
                );
            })*
        }
    };
}

arithmetic! {
    fn integers(x: u64) -> u64 { mix(x) } then |x| x;

    fn doubles(x: f64) -> f64 {
        (1..20).fold(x + 1.5, |y, n| y * 0.75 + f64::from(n))
    } then |x| x / 1e6;

    fn floats(x: f32) -> f32 {
        (1..20_u8).fold(x + 1.5, |y, n| y * 0.75 + f32::from(n))
    } then |x| x / 1e6;

    fn long_integers(x: u128) -> u128 {
        (0..14).fold(x, |x, _| (x ^ (x >> 23)).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835))
    } then |x| x;

    fn truth(x: u64) -> bool { mix(x) & 64 == 0 } then |x| u64::from(x);

    fn options(x: u32) -> Option<u32> {
        u32::try_from(mix(u64::from(x)) >> 30).ok()
    } then |x| x.unwrap_or(7);

    fn structures(x: u64) -> Pair {
        let x = mix(x);
        Pair { low: x as u32, high: (x >> 32) as f32 * 0.5 }
    } then |x| u64::from(x.low) + u64::from(x.high > 1e9);
}

/// What the compiler makes of it.
#[cfg(target_arch = "x86_64")]
mod assembly {
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    const SOURCE: &str = r"
use timed::timed;

pub struct Pair(pub u32, pub f32);

fn rounds(mut x: u64) -> u64 {
    for _ in 0..14 {
        x = (x ^ x.rotate_left(23)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    x
}

#[timed] #[unsafe(no_mangle)] pub fn integers(x: u64) -> u64 { rounds(x) }
#[timed] #[unsafe(no_mangle)] pub fn doubles(x: f64) -> f64 { ((x * 0.5 + 1.0) * x + 3.0) * x + 7.0 }
#[timed] #[unsafe(no_mangle)] pub fn floats(x: f32) -> f32 { ((x * 0.5 + 1.0) * x + 3.0) * x + 7.0 }
#[timed] #[unsafe(no_mangle)] pub fn long(x: u128) -> u128 {
    (0..14).fold(x, |x, _| (x ^ (x >> 23)).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835))
}
#[timed] #[unsafe(no_mangle)] pub fn truth(x: u64) -> bool { rounds(x) & 64 == 0 }
#[timed] #[unsafe(no_mangle)] pub fn options(x: u64) -> Option<u32> { u32::try_from(rounds(x) >> 30).ok() }
#[timed] #[unsafe(no_mangle)] pub fn structures(x: u64) -> Pair { let x = rounds(x); Pair(x as u32, (x >> 32) as f32) }
";
    const NAMES: [&str; 7] =
        ["integers", "doubles", "floats", "long", "truth", "options", "structures"];

    /// Builds `timed` with the feature; returns its library.
    fn build_the_face(target: &Path) -> PathBuf {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(env!("CARGO_MANIFEST_DIR")).args([
            "build",
            "--offline",
            "--quiet",
            "--release",
        ]);
        cargo.args(["--package", "timed", "--features", "enabled", "--lib", "--target-dir"]);
        assert!(cargo.arg(target).status().expect("cargo runs").success());
        target.join("release/libtimed.rlib")
    }

    fn assemble(folder: &Path, face: &Path) -> String {
        let (input, output) = (folder.join("straight.rs"), folder.join("straight.s"));
        fs::write(&input, SOURCE).expect("a writable folder");
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc.args(["--edition", "2024", "--crate-type", "lib", "--emit", "asm", "-Copt-level=3"]);
        rustc.args(["-Ccodegen-units=1", "-Cdebuginfo=0"]).arg(&input).arg("-o").arg(&output);
        rustc.arg("--extern").arg(format!("timed={}", face.display()));
        rustc.arg(format!("-Ldependency={}", face.with_file_name("deps").display()));
        assert!(rustc.status().expect("rustc runs").success());
        fs::read_to_string(&output).expect("assembly")
    }

    /// The instructions of a function, in the order of their addresses.
    fn instructions<'a>(assembly: &'a str, name: &str) -> Vec<&'a str> {
        let label = format!("\n{name}:\n");
        let body = &assembly[assembly.find(&label).expect("the function") + label.len()..];
        let body = &body[..body.find(".cfi_endproc").unwrap_or(body.len())];
        let lines = body.lines().map(str::trim);
        lines.filter(|line| !line.is_empty() && !line.starts_with(['.', '#'])).collect()
    }

    #[test]
    fn multiplications_stand_between_the_readings() {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("held");
        fs::create_dir_all(&folder).expect("a writable folder");
        let assembly = assemble(&folder, &build_the_face(&folder.join("target")));
        for name in NAMES {
            let lines = instructions(&assembly, name);
            let position =
                |what: &str| lines.iter().position(|line| line.split('\t').next() == Some(what));
            let first = position("rdtsc")
                .unwrap_or_else(|| panic!("{name} does not read the clock: {lines:#?}"));
            // The fence behind the first reading.
            let start =
                first + lines[first..].iter().position(|line| *line == "lfence").expect("a fence");
            let end = position("rdtscp").expect("a second reading");
            let is_product =
                |line: &&&str| line.split(['\t', ' ']).next().is_some_and(|it| it.contains("mul"));
            let inside = lines[start..end].iter().filter(is_product).count();
            let all = lines.iter().filter(is_product).count();
            assert!(
                start < end && inside > 0 && inside == all,
                "{name}: {inside} of {all} in {lines:#?}"
            );
        }
    }
}
