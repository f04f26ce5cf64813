//! Known differences, each with its reason.
//!
//! A text file with an id and a reason on each line; lines that begin with `#` are comments. A listed
//! scenario may differ. If it no longer does, that is a failure, too, so the list stays true.
//!
//! ```
//! use threshold_conformance::known::KnownDifferences;
//!
//! let known = KnownDifferences::parse("# slopes\nholt-slope-0001 the foot is below the plane (R1)\n")?;
//! assert_eq!(known.reason("holt-slope-0001"), Some("the foot is below the plane (R1)"));
//! assert_eq!(known.reason("holt-slope-0002"), None);
//! assert!(KnownDifferences::parse("holt-slope-0001").is_err());
//! # Ok::<(), threshold_conformance::known::KnownDifferencesError>(())
//! ```

use std::collections::BTreeMap;
use std::path::Path;

use crate::file::{self, FileError};
use crate::list;
use crate::parse::quoted;

/// Scenarios that may differ, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownDifferences {
    entries: BTreeMap<String, Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    reason: String,
    line: usize,
}

/// A line of the list that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct KnownDifferencesError {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: KnownDifferencesProblem,
}

/// What is wrong with a line of the list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KnownDifferencesProblem {
    /// An id without a reason.
    #[error("{} has no reason", quoted(.id))]
    NoReason {
        /// The id.
        id: String,
    },
    /// An id that is on an earlier line, too.
    #[error("{} is listed on line {before} already", quoted(.id))]
    Again {
        /// The id.
        id: String,
        /// The earlier line.
        before: usize,
    },
}

impl KnownDifferences {
    /// Reads the text of a list.
    pub fn parse(text: &str) -> Result<Self, KnownDifferencesError> {
        let mut known = Self::default();
        for (line, entry) in list::entries(text) {
            known.add(entry, line).map_err(|problem| KnownDifferencesError { line, problem })?;
        }
        Ok(known)
    }

    /// Reads a list from a file.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        Self::parse(&list::read(path)?).map_err(|KnownDifferencesError { line, problem }| {
            FileError::at(path, line, file::FileProblem::Known(problem))
        })
    }

    fn add(&mut self, entry: &str, line: usize) -> Result<(), KnownDifferencesProblem> {
        let (id, reason) = entry.split_once(char::is_whitespace).unwrap_or((entry, ""));
        let (id, reason) = (id.to_owned(), reason.trim().to_owned());
        if reason.is_empty() {
            return Err(KnownDifferencesProblem::NoReason { id });
        }
        if let Some(before) = self.entries.get(&id).map(|entry| entry.line) {
            return Err(KnownDifferencesProblem::Again { id, before });
        }
        self.entries.insert(id, Entry { reason, line });
        Ok(())
    }

    /// Returns why a scenario may differ; `None` if it may not.
    pub fn reason(&self, id: &str) -> Option<&str> {
        self.entries.get(id).map(|entry| entry.reason.as_str())
    }

    /// The ids that are listed, sorted.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, want: &str) {
        assert_eq!(KnownDifferences::parse(text).unwrap_err().to_string(), want, "{text:?}");
    }

    #[test]
    fn comments_and_blank_lines_are_skipped() {
        let known =
            KnownDifferences::parse("# one\n\n  \nb-2\tslides\n   # two\n a-1  is  steep \r\n")
                .unwrap();
        assert_eq!(known.ids().collect::<Vec<_>>(), ["a-1", "b-2"]);
        assert_eq!(known.reason("a-1"), Some("is  steep"));
        assert_eq!(known.reason("b-2"), Some("slides"));
        assert_eq!(KnownDifferences::parse("").unwrap(), KnownDifferences::default());
    }

    #[test]
    fn an_entry_without_a_reason_or_a_second_one_is_an_error() {
        check("# one\nwalk-1\n", "line 2: walk-1 has no reason");
        check("walk-1   \n", "line 1: walk-1 has no reason");
        check("walk-1 a\n\nwalk-1 b\n", "line 3: walk-1 is listed on line 1 already");
        let shown = format!("line 1: {} ... has no reason", "w".repeat(80));
        check(&"w".repeat(3_000_000), &shown);
    }

    #[test]
    fn errors_name_file_and_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known.txt");
        assert!(KnownDifferences::read(&path).unwrap_err().to_string().contains("known.txt: "));
        std::fs::write(&path, "a b\nc\n").unwrap();
        let error = KnownDifferences::read(&path).unwrap_err().to_string();
        assert!(error.ends_with("known.txt:2: c has no reason"), "{error}");
        std::fs::write(&path, "\u{FEFF}# one\r\na b\r\n").unwrap();
        assert_eq!(KnownDifferences::read(&path).unwrap().reason("a"), Some("b"));
        let error = KnownDifferences::read(folder.path()).unwrap_err().to_string();
        assert!(error.ends_with(": a folder, not a regular file"), "{error}");
    }
}
