//! The files of scenarios, and where their results go.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use threshold_conformance::file::{self, ScenarioFile};

/// A file of scenarios.
pub(super) struct Input {
    pub(super) path: PathBuf,
    /// Where its results go.
    pub(super) results: PathBuf,
    pub(super) file: ScenarioFile,
}

/// Reads all files, after a look at what would be overwritten; `known` must not be, either.
pub(super) fn read(
    paths: &[PathBuf],
    out: &Path,
    known: Option<&Path>,
) -> anyhow::Result<Vec<Input>> {
    let results = result_paths(paths, out)?;
    let all = paths.iter().map(PathBuf::as_path).chain(known);
    keep(all, &results)?;
    let read = |(path, results): (&PathBuf, PathBuf)| {
        let file = file::scenarios(path)?;
        Ok(Input { path: path.clone(), results, file })
    };
    paths.iter().zip(results).map(read).collect()
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

/// Refuses results that would take the place of what is read.
fn keep<'a>(mut read: impl Iterator<Item = &'a Path>, results: &[PathBuf]) -> anyhow::Result<()> {
    match read.find(|path| results.iter().any(|result| is_same_place(path, result))) {
        Some(path) => bail!("{}: would be overwritten with results", path.display()),
        None => Ok(()),
    }
}

/// Whether two paths lead to one file or folder that is there.
pub(super) fn is_same_place(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}
