//! Files of scenarios, results and traces: JSON lines, plain or compressed (gzip).
//!
//! Blank lines are skipped. A scenario that cannot be read costs its line only; a result that cannot
//! be read costs its file, since half a record cannot be compared. A file whose first line is the head
//! of a [`trace`](crate::trace) is a trace and serves as scenarios and as results; one that is cut off
//! holds the steps up to there and is reported.

mod lines;
mod traced;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use self::lines::Lines;
pub use self::traced::{TraceCut, TraceNotes};
use crate::known::KnownDifferencesProblem;
use crate::parse::{ParseError, parse};
use crate::properties::PropertiesProblem;
use crate::record::{RecordedResults, ScenarioResult};
use crate::scenario::Scenario;
use crate::trace::{Course, TraceProblem};

/// A file, or a line of it, that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {problem}", path.display(), line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: FileProblem,
}

/// What is wrong with a file or a line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileProblem {
    /// It cannot be read or decompressed.
    #[error(transparent)]
    Io(io::Error),
    /// A line that is not a scenario or a record.
    #[error(transparent)]
    Json(ParseError),
    /// A line that does not fit into its trace.
    #[error(transparent)]
    Trace(TraceProblem),
    /// A line without an end.
    #[error("the line is longer than a gibibyte")]
    TooLong,
    /// A folder without any file of results.
    #[error("no results (*.jsonl or *.jsonl.gz) in this folder")]
    NoResults,
    /// A line of a list of known differences.
    #[error(transparent)]
    Known(KnownDifferencesProblem),
    /// A line of a list of properties.
    #[error(transparent)]
    Properties(PropertiesProblem),
}

impl FileError {
    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        Self { path: path.to_owned(), line: None, problem: FileProblem::Io(error) }
    }

    pub(crate) fn at(path: &Path, line: usize, problem: FileProblem) -> Self {
        Self { path: path.to_owned(), line: Some(line), problem }
    }
}

/// The scenarios of a file.
#[derive(Debug, Default)]
pub struct ScenarioFile {
    /// In the order of the file.
    pub scenarios: Vec<Scenario>,
    /// Lines that cannot be read.
    pub bad: Vec<BadLine>,
    /// Notes about the trace, if the file is one.
    pub trace: Option<TraceNotes>,
}

/// A line that is not a valid scenario.
#[derive(Debug)]
pub struct BadLine {
    /// What is wrong with it.
    pub error: FileError,
    /// The world it names, if that can be read.
    pub world: Option<String>,
}

/// The part of a scenario that can be read even if the rest is invalid.
#[derive(Deserialize)]
struct Head {
    world: String,
}

/// Reads the scenarios of a file, which may be a trace.
pub fn scenarios(path: &Path) -> Result<ScenarioFile, FileError> {
    let mut lines = Lines::open(path)?;
    let mut file = ScenarioFile::default();
    if lines.is_trace() {
        let ScenarioFile { scenarios, bad, trace } = &mut file;
        let read = traced::courses(
            lines,
            |course| scenarios.push(course.scenario),
            |error, head| {
                bad.push(BadLine { error, world: head.map(|head| head.world.clone()) });
                Ok(())
            },
        );
        *trace = Some(read?);
        return Ok(file);
    }
    while let Some(line) = lines.next()? {
        match Scenario::parse(line.text) {
            Ok(scenario) => file.scenarios.push(scenario),
            Err(error) => {
                let error = FileError::at(path, line.number, FileProblem::Json(error));
                let world = parse(line.text).ok().map(|head: Head| head.world);
                file.bad.push(BadLine { error, world });
            }
        }
    }
    Ok(file)
}

/// Recorded results from a file or a folder.
#[derive(Debug, Default)]
pub struct RecordFiles {
    /// The results.
    pub recorded: RecordedResults,
    /// Notes about the traces among the files.
    pub traces: Vec<TraceNotes>,
    /// Number of courses of traces that were skipped, by world.
    pub other_worlds: BTreeMap<String, usize>,
    /// Ids that occur more than once.
    pub again: BTreeSet<String>,
}

/// Reads recorded results from a file, or from all files of a folder whose names end in `.jsonl` or
/// `.jsonl.gz`, by name.
///
/// If an id occurs again, its last record counts, unless that is cut off and an earlier one is not. A
/// record does not name its world; of traces, only those of `world` count, or all without it.
pub fn recorded(path: &Path, world: Option<&str>) -> Result<RecordFiles, FileError> {
    let mut files = RecordFiles::default();
    if !path.is_dir() {
        files.read(path, world)?;
        return Ok(files);
    }
    let paths = result_files(path).map_err(|error| FileError::io(path, error))?;
    if paths.is_empty() {
        let problem = FileProblem::NoResults;
        return Err(FileError { path: path.to_owned(), line: None, problem });
    }
    paths.iter().try_for_each(|path| files.read(path, world))?;
    Ok(files)
}

impl RecordFiles {
    fn read(&mut self, path: &Path, world: Option<&str>) -> Result<(), FileError> {
        let mut lines = Lines::open(path)?;
        if lines.is_trace() {
            let Self { recorded, traces, other_worlds, again } = self;
            let each = |course: Course| match &course.scenario.world {
                other if world.is_some_and(|world| other != world) => {
                    *other_worlds.entry(other.clone()).or_default() += 1;
                }
                _ => again.extend(recorded.add_course(course)),
            };
            traces.push(traced::courses(lines, each, |error, _| Err(error))?);
            return Ok(());
        }
        while let Some(line) = lines.next()? {
            let record = ScenarioResult::parse(line.text);
            let record =
                record.map_err(|error| FileError::at(path, line.number, FileProblem::Json(error)));
            self.again.extend(self.recorded.add(record?));
        }
        Ok(())
    }
}

/// Returns the name of a file without its folder and without `.jsonl` or `.jsonl.gz`: results are
/// named after their scenarios.
pub fn stem(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    let name = name.strip_suffix(".gz").unwrap_or(name);
    Some(name.strip_suffix(".jsonl").unwrap_or(name))
}

fn result_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for item in std::fs::read_dir(folder)? {
        let item = item?;
        let name = item.file_name();
        let name = name.to_string_lossy();
        let is_results = name.ends_with(".jsonl") || name.ends_with(".jsonl.gz");
        if is_results && item.path().is_file() {
            files.push(item.path());
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests;
