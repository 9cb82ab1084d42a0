//! A crate's sources: fetched from the registry, copied, and annotated in the copy.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use serde_json::Value;
use toml_edit::{DocumentMut, InlineTable, Item, Table};

use crate::annotate::{self, Count, Reason};
use crate::list::Entry;

/// A package as the registry has it.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    manifest_path: PathBuf,
    targets: Vec<Target>,
}

#[derive(Debug, Deserialize)]
struct Target {
    kind: Vec<String>,
    src_path: PathBuf,
    edition: String,
}

/// Has Cargo fetch the package, by asking for the metadata of one that depends on it.
pub(crate) fn fetch(entry: &Entry, stub: &Path) -> Result<Package, String> {
    let version = entry.version.as_ref().map_or("*".to_owned(), |version| format!("={version}"));
    let manifest = format!(
        "[package]\nname = \"stub\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\n{} = {{ version = \"{version}\", default-features = false }}\n",
        entry.name
    );
    write(&stub.join("src/lib.rs"), "")?;
    write(&stub.join("Cargo.toml"), &manifest)?;
    let output = Command::new(crate::cargo())
        .args(["metadata", "--format-version=1", "--color=never"])
        .current_dir(stub)
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    let metadata: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let package = only_dependency(&metadata).ok_or("cargo metadata without the package")?;
    serde_json::from_value(package.clone()).map_err(|error| error.to_string())
}

/// What the root package depends on.
fn only_dependency(metadata: &Value) -> Option<&Value> {
    let with_id = |list: &'_ Value, id: &Value| -> Option<usize> {
        list.as_array()?.iter().position(|entry| entry["id"] == *id)
    };
    let nodes = &metadata["resolve"]["nodes"];
    let root = &nodes[with_id(nodes, &metadata["resolve"]["root"])?];
    let packages = &metadata["packages"];
    Some(&packages[with_id(packages, &root["dependencies"][0])?])
}

impl Package {
    fn root(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(&self.manifest_path)
    }

    /// A copy that Cargo takes for a package of its own, as it is.
    pub(crate) fn copy(&self, to: &Path) -> Result<(), String> {
        if to.exists() {
            fs::remove_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
        }
        copy_folder(self.root(), to)?;
        // The newest dependencies: older ones would be built for each crate anew, and may stand in
        // the way of those that the runtime needs.
        let lock = to.join("Cargo.lock");
        if lock.exists() {
            fs::remove_file(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
        }
        edit_manifest(to, |_| ())
    }

    /// A copy in which all functions are timed.
    pub(crate) fn copy_timed(
        &self,
        to: &Path,
        timed: &Path,
        entry: &Entry,
    ) -> Result<Count, String> {
        self.copy(to)?;
        edit_manifest(to, |manifest| {
            let mut dependency = InlineTable::new();
            dependency.insert("path", timed.display().to_string().into());
            manifest["dependencies"]["timed"] = dependency.into();
        })?;
        let mut count = Count::default();
        for file in self.sources()? {
            let path = to.join(&file);
            // Cargo's tests are UTF-8; files that are not are somebody's test data.
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let leave = |function: &str| entry.leaves(&file, function);
            let root_2015 = self.targets.iter().any(|target| {
                target.edition == "2015" && target.src_path == self.root().join(&file)
            });
            match annotate::annotate(&text, root_2015, &leave) {
                Some((annotated, functions)) => {
                    write(&path, &annotated)?;
                    count += functions;
                }
                None => count.leave(Reason::Unread, annotate::functions_in_text(&text)),
            }
        }
        Ok(count)
    }

    /// The files of libraries, programs, tests and examples, but no build script and no benches,
    /// which `cargo test` does not build.
    fn sources(&self) -> Result<BTreeSet<PathBuf>, String> {
        let mut sources = BTreeSet::new();
        for target in self.targets.iter().filter(|target| !target.is_kind("custom-build")) {
            let Ok(file) = target.src_path.strip_prefix(self.root()) else { continue };
            match file.components().next() {
                _ if target.is_kind("bench") => {}
                Some(folder) if folder.as_os_str() != file.as_os_str() => {
                    rust_files(self.root(), folder.as_ref(), &mut sources)?;
                }
                _ => {
                    sources.insert(file.to_owned());
                }
            }
        }
        for target in self.targets.iter().filter(|target| target.is_kind("custom-build")) {
            if let Ok(file) = target.src_path.strip_prefix(self.root()) {
                sources.remove(file);
            }
        }
        Ok(sources)
    }
}

impl Target {
    fn is_kind(&self, kind: &str) -> bool {
        self.kind.iter().any(|is| is == kind)
    }
}

fn rust_files(root: &Path, folder: &Path, files: &mut BTreeSet<PathBuf>) -> Result<(), String> {
    for entry in entries(&root.join(folder))? {
        let path = folder.join(entry.file_name());
        if entry.path().is_dir() {
            rust_files(root, &path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.insert(path);
        }
    }
    Ok(())
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
    for entry in entries(from)? {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_folder(&from, &to)?;
        } else {
            fs::copy(&from, &to).map_err(|error| format!("{}: {error}", from.display()))?;
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<fs::DirEntry>, String> {
    fs::read_dir(folder)
        .and_then(Iterator::collect)
        .map_err(|error| format!("{}: {error}", folder.display()))
}

/// Changes the manifest, and makes it a workspace of its own: Cargo would look for one in the
/// folders above.
fn edit_manifest(folder: &Path, edit: impl FnOnce(&mut DocumentMut)) -> Result<(), String> {
    let path = folder.join("Cargo.toml");
    let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(&path).map_err(|error| fault(&error))?;
    let mut manifest: DocumentMut = text.parse().map_err(|error| fault(&error))?;
    manifest.entry("workspace").or_insert(Item::Table(Table::new()));
    manifest.entry("dependencies").or_insert(Item::Table(Table::new()));
    edit(&mut manifest);
    write(&path, &manifest.to_string())
}

/// Writes a file, and its folder where that is missing.
fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}
