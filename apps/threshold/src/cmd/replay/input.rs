//! Scenario files, and the paths of their results.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use threshold_conformance::file::{self, ScenarioFile};

use crate::run::check_not_overwritten;

/// A file of scenarios.
pub(super) struct Input {
    pub(super) path: PathBuf,
    /// Path of the results, if they are written.
    pub(super) results: Option<PathBuf>,
    pub(super) file: ScenarioFile,
}

/// Reads all scenario files. Fails first if results would overwrite one of them or of `others`, which are also read.
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

/// Returns the path of the results of each file. Fails if two files have the same one.
fn result_paths(paths: &[PathBuf], out: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut stems: BTreeMap<&str, &Path> = BTreeMap::new();
    let mut results = Vec::with_capacity(paths.len());
    for path in paths {
        let stem = file::stem(path)
            .with_context(|| format!("{}: has no file name for the results", path.display()))?;
        if let Some(other) = stems.insert(stem, path) {
            let (other, path) = (other.display(), path.display());
            bail!("{other} and {path}: the results of both would be {stem}.jsonl; rename one");
        }
        results.push(out.join(format!("{stem}.jsonl")));
    }
    Ok(results)
}
