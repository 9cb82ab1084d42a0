//! Without the feature: two crates are built, and the machine code is that of the plain source.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Functions of several shapes; each `@` is where the attribute goes, `~` a line that is there with it.
const SOURCE: &str = r#"
@
#[unsafe(no_mangle)]
pub extern "C" fn mix(mut n: u64) -> u64 {
    for _ in 0..14 {
        n = (n ^ n.rotate_left(23)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    n
}

pub struct Table(Vec<u32>);

@
impl Table {
    #[inline(never)]
    pub fn find(&self, key: u32) -> Option<usize> {
        self.0.iter().position(|entry| *entry == key)
    }

    @(name = "largest")
    #[inline(never)]
    pub fn largest(&self) -> u32 {
        self.0.iter().copied().max().unwrap_or_default()
    }
}

@(fence = "relaxed", sample = 64)
#[inline(never)]
pub fn text(parts: &[&str]) -> String {
    parts.concat()
}

#[inline(never)]
pub fn sum(numbers: &[u32]) -> u32 {
~    let begin = ::timed::stamp();
    let sum = numbers.iter().fold(0_u32, |sum, number| sum.wrapping_add(*number));
~    ::timed::hop!("sum", begin);
    sum
}
"#;

fn cargo() -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo
}

#[test]
fn only_the_face_and_its_macros_are_built() {
    let tree = |features: &[&str]| -> BTreeSet<String> {
        let mut command = cargo();
        command.args(["tree", "--offline", "--package", "timed", "--edges", "normal,build"]);
        let output = command.args(["--prefix", "none", "--format", "{p}"]).args(features).output();
        let output = output.expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
    };
    assert_eq!(tree(&[]), BTreeSet::from(["timed", "timed-macros"].map(str::to_owned)));
    assert!(tree(&["--features", "enabled"]).contains("syn"));
}

#[test]
fn the_machine_code_is_the_same() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("off");
    fs::create_dir_all(&folder).unwrap();
    let face = build_the_face(&folder.join("target"));
    let attribute = |options: &str| format!("#[::timed::timed{options}]");
    let timed = assembly(&folder, &source(attribute, |line| line), &face);
    let plain = assembly(&folder, &source(|_| String::new(), |_| ""), &face);
    assert!(plain.contains("mix:") && plain.contains("largest"), "{plain}");
    assert_eq!(timed, plain);
}

/// The source with these attributes and lines, line for line.
fn source(attribute: impl Fn(&str) -> String, extra: impl Fn(&str) -> &str) -> String {
    let line = |line: &str| match (line.trim().strip_prefix('@'), line.strip_prefix('~')) {
        (Some(options), _) => attribute(options),
        (None, Some(line)) => extra(line).to_owned(),
        (None, None) => line.to_owned(),
    };
    SOURCE.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Builds `timed` without features; returns its library.
fn build_the_face(target: &Path) -> PathBuf {
    let mut command = cargo();
    command.args(["build", "--offline", "--quiet", "--package", "timed", "--lib", "--target-dir"]);
    assert!(command.arg(target).status().expect("cargo runs").success());
    target.join("debug/libtimed.rlib")
}

/// The optimised assembly of a library, without what names its source.
fn assembly(folder: &Path, source: &str, face: &Path) -> String {
    let (input, output) = (folder.join("shapes.rs"), folder.join("shapes.s"));
    fs::write(&input, source).unwrap();
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition", "2024", "--crate-type", "lib", "--emit", "asm", "-Copt-level=3"]);
    rustc.args(["-Ccodegen-units=1", "-Cdebuginfo=0"]).arg(&input).arg("-o").arg(&output);
    let macros = face.parent().unwrap().join("deps");
    rustc.arg("--extern").arg(format!("timed={}", face.display()));
    rustc.arg(format!("-Ldependency={}", macros.display()));
    assert!(rustc.status().expect("rustc runs").success());
    fs::read_to_string(&output).unwrap()
}
