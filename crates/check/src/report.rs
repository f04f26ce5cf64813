//! The result of a check.

use serde::Serialize;

use crate::{Finding, Severity};

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CheckReport {
    /// The files that were checked.
    pub files: Vec<FileSummary>,
    /// Number of records in all files.
    pub records: usize,
    /// Number of errors. A badly damaged file has more than are listed.
    pub errors: usize,
    /// Number of notes. A badly damaged file has more than are listed.
    pub notes: usize,
    /// Findings by file, record and landblock.
    pub findings: Vec<Finding>,
}

/// The size of a checked file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FileSummary {
    /// The file, by path or by the name it was opened with.
    pub file: String,
    /// Number of records.
    pub records: usize,
    /// Length of all records together.
    pub bytes: u64,
    /// Number of nodes of the directory.
    pub directory_nodes: usize,
    /// Number of blocks in use.
    pub blocks: usize,
}

impl CheckReport {
    pub(crate) fn add(&mut self, finding: Finding) {
        match finding.severity {
            Severity::Error => self.errors += 1,
            Severity::Note => self.notes += 1,
        }
        self.findings.push(finding);
    }
}
