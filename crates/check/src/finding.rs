//! Findings, and their form as text.

use std::fmt;

use serde::Serialize;
use threshold_dat::{ByteOffset, DatError, RecordId, RecordKind};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Place};

/// A fault or an oddity that a check found. Prints as one line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// Severity.
    pub severity: Severity,
    /// The file, by path or by the name it was opened with.
    pub file: String,
    /// The record concerned, if any.
    pub record: Option<RecordId>,
    /// Another record involved, if any.
    pub other_record: Option<RecordId>,
    /// Kind of `record`.
    pub kind: Option<RecordKind>,
    /// Offset in the file, in bytes.
    pub offset: Option<u64>,
    /// Offset in the record, in bytes.
    pub record_offset: Option<u64>,
    /// The cell concerned; a landblock as its `0xFFFF`.
    pub cell: Option<CellId>,
    /// Point in the frame of the cell's landblock, in metres.
    pub position: Option<[f32; 3]>,
    /// Description.
    pub message: String,
}

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Something is lost, or a mover or a camera is led astray.
    Error,
    /// Worth knowing; harms nothing.
    Note,
}

impl Finding {
    /// An error in a file, without a message.
    pub(crate) fn new(file: &str) -> Self {
        Self {
            severity: Severity::Error,
            file: file.to_owned(),
            record: None,
            other_record: None,
            kind: None,
            offset: None,
            record_offset: None,
            cell: None,
            position: None,
            message: String::new(),
        }
    }

    /// An error that makes a whole file unusable.
    pub(crate) fn of_file(error: &DatError) -> Self {
        let offset = match error.place() {
            Some(ByteOffset::File(at)) => Some(at),
            _ => None,
        };
        let message = error.kind().to_string();
        Self { offset, message, ..Self::new(error.file().unwrap_or_default()) }
    }

    /// Sets cell and position; a position that is not finite is left out.
    pub(crate) fn at(mut self, cell: CellId, point: impl Into<Option<Vec3>>) -> Self {
        self.cell = Some(cell);
        self.position = point.into().filter(|at| at.is_finite()).map(|at| at.to_array());
        self
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Note => "note",
        })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.severity, self.file)?;
        // The address begins with a colon, whichever of its parts comes first.
        let mut separator = ": ";
        if let Some(kind) = self.kind {
            write!(f, "{separator}{kind}")?;
            separator = " ";
        }
        if let Some(record) = self.record {
            write!(f, "{separator}{record}")?;
            separator = " ";
        }
        if let Some(offset) = self.offset {
            write!(f, "{separator}at 0x{offset:X}")?;
        }
        if let Some(offset) = self.record_offset {
            write!(f, " (byte 0x{offset:X} of the record)")?;
        }
        match (self.cell, self.position) {
            (Some(cell), Some(at)) => {
                // Readers need no more than millimetres.
                let round = |v: f32| (v * 1000.0).round() / 1000.0;
                write!(f, ": {}", Place::Point(cell, Vec3::from(at).map(round)))?;
            }
            (Some(cell), None) => write!(f, ": {cell}")?,
            (None, _) => {}
        }
        write!(f, ": {}", self.message)
    }
}
