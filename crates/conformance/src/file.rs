//! Files of scenarios and results: JSON lines, plain or compressed (gzip).
//!
//! Blank lines are passed over. A scenario that cannot be read loses its line and nothing else; a
//! result that cannot be read loses its file, since nothing can be judged by half a record.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde::Deserialize;

use crate::known::KnownProblem;
use crate::parse::{ParseError, parse};
use crate::record::{Record, Recorded};
use crate::scenario::Scenario;

/// A file, or a line of it, that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {problem}", path.display(), line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a file or a line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// It cannot be read; or, compressed, cannot be expanded.
    #[error(transparent)]
    Io(io::Error),
    /// A line that is not a scenario or a record.
    #[error(transparent)]
    Json(ParseError),
    /// A folder without any file of results.
    #[error("no results (*.jsonl or *.jsonl.gz) in this folder")]
    NoResults,
    /// A line of a list of known differences.
    #[error(transparent)]
    Known(KnownProblem),
}

impl FileError {
    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        Self { path: path.to_owned(), line: None, problem: Problem::Io(error) }
    }

    pub(crate) fn at(path: &Path, line: usize, problem: Problem) -> Self {
        Self { path: path.to_owned(), line: Some(line), problem }
    }
}

/// The scenarios of a file.
#[derive(Debug, Default)]
pub struct ScenarioFile {
    /// In the order of the file.
    pub scenarios: Vec<Scenario>,
    /// Lines that are none.
    pub bad: Vec<BadLine>,
}

/// A line that should be a scenario and is not.
#[derive(Debug)]
pub struct BadLine {
    /// What is wrong with it.
    pub error: FileError,
    /// The world it names, where that much can be read.
    pub world: Option<String>,
}

/// What can be read of any scenario.
#[derive(Deserialize)]
struct Head {
    world: String,
}

/// Reads the scenarios of a file.
pub fn scenarios(path: &Path) -> Result<ScenarioFile, FileError> {
    let mut file = ScenarioFile::default();
    each_line(path, |number, line| {
        match Scenario::parse(line) {
            Ok(scenario) => file.scenarios.push(scenario),
            Err(error) => {
                let error = FileError::at(path, number, Problem::Json(error));
                let world = parse(line).ok().map(|head: Head| head.world);
                file.bad.push(BadLine { error, world });
            }
        }
        Ok(())
    })?;
    Ok(file)
}

/// Reads the records of a file.
pub fn records(path: &Path) -> Result<Vec<Record>, FileError> {
    let mut records = Vec::new();
    each_line(path, |number, line| {
        let record = Record::parse(line);
        records.push(record.map_err(|error| FileError::at(path, number, Problem::Json(error)))?);
        Ok(())
    })?;
    Ok(records)
}

/// Reads all files of a folder whose names have `.jsonl` in them, by name; where an id comes again, its
/// last record counts.
pub fn recorded(folder: &Path) -> Result<Recorded, FileError> {
    let files = result_files(folder).map_err(|error| FileError::io(folder, error))?;
    if files.is_empty() {
        let problem = Problem::NoResults;
        return Err(FileError { path: folder.to_owned(), line: None, problem });
    }
    let mut recorded = Recorded::default();
    for file in files {
        recorded.extend(records(&file)?);
    }
    Ok(recorded)
}

/// The name of a file without its folder and without `.jsonl` or `.jsonl.gz`: results are named after
/// their scenarios.
pub fn stem(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    let name = name.strip_suffix(".gz").unwrap_or(name);
    Some(name.strip_suffix(".jsonl").unwrap_or(name))
}

fn result_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for item in std::fs::read_dir(folder)? {
        let item = item?;
        if item.file_name().to_string_lossy().contains(".jsonl") {
            files.push(item.path());
        }
    }
    files.sort();
    Ok(files)
}

/// Calls `each` with the number and the bytes of every line that is not blank, until it fails.
fn each_line(
    path: &Path,
    mut each: impl FnMut(usize, &[u8]) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let io = |error| FileError::io(path, error);
    for (index, line) in open(path).map_err(io)?.split(b'\n').enumerate() {
        let line = line.map_err(io)?;
        let line = line.strip_prefix(BYTE_ORDER_MARK).filter(|_| index == 0).unwrap_or(&line);
        let line = line.trim_ascii();
        if !line.is_empty() {
            each(index + 1, line)?;
        }
    }
    Ok(())
}

/// Some editors begin a file of text with it.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What a compressed file begins with, also where it is not called so.
const COMPRESSED: &[u8] = b"\x1F\x8B";

fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::new(File::open(path)?);
    let called_so = path.extension().is_some_and(|extension| extension == "gz");
    Ok(if called_so || file.fill_buf()?.starts_with(COMPRESSED) {
        Box::new(BufReader::new(MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    })
}

#[cfg(test)]
mod tests;
