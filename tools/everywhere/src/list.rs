//! The crates that are tried, and what each of them needs: `crates.toml`.

use std::path::Path;

use serde::Deserialize;

const LIST: &str = include_str!("../crates.toml");

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// The newest one where there is none.
    pub(crate) version: Option<String>,
    /// What kind of crate it is.
    #[serde(default)]
    pub(crate) what: String,
    /// Small enough for every change.
    #[serde(default)]
    pub(crate) quick: bool,
    #[serde(default)]
    pub(crate) features: Vec<String>,
    /// For `cargo test`.
    #[serde(default)]
    pub(crate) args: Vec<String>,
    /// Tests that are not run.
    #[serde(default)]
    pub(crate) skip: Vec<Skip>,
    /// Functions that stay without the attribute.
    #[serde(default)]
    pub(crate) leave: Vec<Leave>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Skip {
    /// As the harness takes it: a part of a name.
    pub(crate) test: String,
    /// For those who read the list.
    #[serde(rename = "why")]
    _why: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Leave {
    /// A file, or a folder of files.
    path: String,
    /// All functions there where there is none.
    function: Option<String>,
    #[serde(rename = "why")]
    _why: String,
}

impl Entry {
    /// Whether this function of this file stays as it is.
    pub(crate) fn leaves(&self, file: &Path, function: &str) -> bool {
        self.leave.iter().any(|leave| {
            file.starts_with(&leave.path)
                && leave.function.as_deref().is_none_or(|name| name == function)
        })
    }
}

#[derive(Deserialize)]
struct List {
    #[serde(rename = "crate")]
    crates: Vec<Entry>,
}

/// All entries, in the order of the file.
pub(crate) fn all() -> Result<Vec<Entry>, String> {
    let list: List = toml_edit::de::from_str(LIST).map_err(|e| format!("crates.toml: {e}"))?;
    Ok(list.crates)
}

/// `NAME` or `NAME@VERSION`: the entry, if there is one, else a crate without special needs.
pub(crate) fn find(list: &[Entry], wanted: &str) -> Entry {
    let (name, version) = match wanted.split_once('@') {
        Some((name, version)) => (name, Some(version)),
        None => (wanted, None),
    };
    let listed = list.iter().find(|entry| entry.name == name);
    let mut entry = listed.cloned().unwrap_or_default();
    name.clone_into(&mut entry.name);
    if let Some(version) = version {
        entry.version = Some(version.to_owned());
    }
    entry
}
