//! The files of scenarios, and where their results go.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use threshold_conformance::file::{self, ScenarioFile};

use crate::run::check_not_overwritten;

/// A file of scenarios.
pub(super) struct Input {
    pub(super) path: PathBuf,
    /// Where its results go, if they are wanted.
    pub(super) results: Option<PathBuf>,
    pub(super) file: ScenarioFile,
}

/// Reads all files, after a look at what would be overwritten; `others` that are read must not be, either.
pub(super) fn read(
    paths: &[PathBuf],
    out: Option<&Path>,
    others: &[PathBuf],
) -> anyhow::Result<Vec<Input>> {
    let results = out.map(|out| result_paths(paths, out)).transpose()?.unwrap_or_default();
    check_not_overwritten(paths.iter().chain(others), &results)?;
    let mut results = results.into_iter();
    let read = |path: &PathBuf| {
        let file = file::scenarios(path)?;
        Ok(Input { path: path.clone(), results: results.next(), file })
    };
    paths.iter().map(read).collect()
}

/// Where the results of each file go: never where another's go.
fn result_paths(paths: &[PathBuf], out: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut stems: BTreeMap<&str, &Path> = BTreeMap::new();
    let mut results = Vec::with_capacity(paths.len());
    for path in paths {
        let stem = file::stem(path)
            .with_context(|| format!("{}: no name to call the results by", path.display()))?;
        if let Some(other) = stems.insert(stem, path) {
            let (other, path) = (other.display(), path.display());
            bail!("{other} and {path}: the results of both would be {stem}.jsonl");
        }
        results.push(out.join(format!("{stem}.jsonl")));
    }
    Ok(results)
}
