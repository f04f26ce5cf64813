//! Traces in files.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::IgnoredAny;

use super::lines::{Line, Lines};
use super::{FileError, FileProblem};
use crate::trace::{Course, Head, TraceReader};

/// Notes about a trace file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceNotes {
    /// The file.
    pub path: PathBuf,
    /// The heads that have courses, in order. Most files have one.
    pub heads: Vec<Arc<Head>>,
    /// Places where the trace is cut off.
    pub cuts: Vec<TraceCut>,
}

/// Place where a trace is cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceCut {
    /// A course without an end. Its steps count.
    Course {
        /// Its id.
        id: String,
        /// Its number of steps.
        steps: usize,
    },
    /// The file ends within a line, before any course.
    Line,
}

impl fmt::Display for TraceCut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Course { id, steps: 1 } => write!(f, "{id} is cut off after 1 step"),
            Self::Course { id, steps } => write!(f, "{id} is cut off after {steps} steps"),
            Self::Line => f.write_str("the file is cut off within a line"),
        }
    }
}

/// Reads a trace. `bad` is called for an invalid line, with the current head, and decides whether to
/// continue.
pub(super) fn courses(
    mut lines: Lines<'_>,
    mut each: impl FnMut(Course),
    mut bad: impl FnMut(FileError, Option<&Head>) -> Result<(), FileError>,
) -> Result<TraceNotes, FileError> {
    let path = lines.path;
    let mut traced = TraceNotes::new(path);
    let mut reader = TraceReader::new();
    let mut is_cut = false;
    while let Some(line) = not_cut(lines.next(), &mut is_cut)? {
        match reader.line(line.text) {
            Ok(Some(course)) => traced.take(course, &mut each),
            Ok(None) => {}
            Err(problem) => {
                if let Some(course) = reader.cut() {
                    traced.take(course, &mut each);
                }
                bad(FileError::at(path, line.number, FileProblem::Trace(problem)), reader.head())?;
            }
        }
    }
    match reader.finish() {
        Some(course) => traced.take(course, &mut each),
        None if is_cut => traced.cuts.push(TraceCut::Line),
        None => {}
    }
    Ok(traced)
}

/// Returns the line, unless the file ends within it.
fn not_cut<'a>(
    line: Result<Option<Line<'a>>, FileError>,
    is_cut: &mut bool,
) -> Result<Option<Line<'a>>, FileError> {
    *is_cut = match &line {
        Ok(Some(line)) => line.is_last && is_half(line.text),
        Ok(None) => false,
        // A compressed file whose end is missing.
        Err(FileError { problem: FileProblem::Io(error), .. }) => {
            error.kind() == io::ErrorKind::UnexpectedEof
        }
        Err(_) => false,
    };
    if *is_cut { Ok(None) } else { line }
}

/// Returns whether a line is the beginning of a valid one.
fn is_half(text: &[u8]) -> bool {
    // A number cut off after its sign is an error and not an end.
    let at_the_end = |error: serde_json::Error| error.is_eof() || error.column() >= text.len();
    serde_json::from_slice::<IgnoredAny>(text).is_err_and(at_the_end)
}

impl TraceNotes {
    fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), heads: Vec::new(), cuts: Vec::new() }
    }

    fn take(&mut self, course: Course, each: &mut impl FnMut(Course)) {
        if !self.heads.last().is_some_and(|head| Arc::ptr_eq(head, &course.head)) {
            self.heads.push(Arc::clone(&course.head));
        }
        let steps = course.record.steps.len();
        if !course.is_complete {
            self.cuts.push(TraceCut::Course { id: course.record.id.clone(), steps });
        }
        if course.is_complete || steps > 0 {
            each(course);
        }
    }
}
