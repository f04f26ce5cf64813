//! Errors of files and records, with the place of the fault.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::record::RecordId;

/// A file or record that cannot be used: which file, record and byte, and what was expected there.
///
/// One pointer wide, so that returning it in a `Result` costs nothing.
pub struct DatError(Box<Inner>);

struct Inner {
    file: Option<Arc<str>>,
    record: Option<RecordId>,
    at: Option<ByteOffset>,
    kind: DatErrorKind,
}

/// The place of an error in the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOffset {
    /// Offset from the start of the file.
    File(u64),
    /// Offset in the record's own bytes, which may be scattered over the file.
    Record(u64),
}

/// What is wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatErrorKind {
    /// The bytes end too early.
    #[error("{wanted} bytes expected, {left} left")]
    Truncated {
        /// Bytes that the next field needs.
        wanted: usize,
        /// Bytes that are left.
        left: usize,
    },
    /// A count too large for the rest of the record.
    #[error("{count} {what} of at least {each} bytes announced, {left} bytes left")]
    Count {
        /// What is counted.
        what: &'static str,
        /// The count.
        count: u64,
        /// Least size of each, in bytes.
        each: usize,
        /// Bytes that are left.
        left: usize,
    },
    /// A field with an invalid value.
    #[error("{what}: {expected} expected, 0x{found:X} found")]
    Value {
        /// The name of the field.
        what: &'static str,
        /// The valid values.
        expected: Cow<'static, str>,
        /// The value found.
        found: u64,
    },
    /// The id in the record header differs from that in the directory.
    #[error("the record header says {found}")]
    Id {
        /// The id in the record header.
        found: RecordId,
    },
    /// A frame that retail refuses to load.
    #[error(
        "frame: numbers and a rotation of unit length expected, squared length {squared} found"
    )]
    Frame {
        /// Squared length of the rotation; NaN if the rotation or the origin contains a NaN.
        squared: f32,
    },
    /// Bytes after the end of the record. A warning at run time, an error in tests.
    #[error("{0} bytes after the end of the record")]
    Trailing(usize),
    /// The record is compressed and cannot be inflated.
    #[error("compressed record: {0}")]
    Inflate(Cow<'static, str>),
    /// The operating system reported an error.
    #[error("{0}")]
    Io(std::io::Error),
    /// The file became shorter after it was opened.
    #[error(
        "{was} bytes long when it was opened, {is} now: another program cut it short; open it again"
    )]
    CutShort {
        /// Length when it was opened.
        was: u64,
        /// Length now, or the place where reading ended.
        is: u64,
    },
    /// The folder lacks data files.
    #[error("no {} in this folder (in any letter case)", .0.join(" and no "))]
    MissingFiles(Vec<&'static str>),
}

impl DatError {
    /// Creates an error without a place; the methods `in_...` and `at` add it.
    pub fn new(kind: DatErrorKind) -> Self {
        Self(Box::new(Inner { file: None, record: None, at: None, kind }))
    }

    /// Creates the error for a field with an invalid value.
    pub fn value(
        what: &'static str,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<u64>,
    ) -> Self {
        Self::new(DatErrorKind::Value { what, expected: expected.into(), found: found.into() })
    }

    /// Adds the byte, unless it is known already.
    #[must_use]
    pub fn at(mut self, at: ByteOffset) -> Self {
        self.0.at.get_or_insert(at);
        self
    }

    /// Adds the record, unless it is known already.
    #[must_use]
    pub fn in_record(mut self, id: RecordId) -> Self {
        self.0.record.get_or_insert(id);
        self
    }

    /// Adds the file, unless it is known already.
    #[must_use]
    pub fn in_file(mut self, name: &Arc<str>) -> Self {
        self.0.file.get_or_insert_with(|| name.clone());
        self
    }

    /// The file, if known.
    pub fn file(&self) -> Option<&str> {
        self.0.file.as_deref()
    }

    /// The record, if known.
    pub fn record(&self) -> Option<RecordId> {
        self.0.record
    }

    /// The byte, if the error has one.
    pub fn place(&self) -> Option<ByteOffset> {
        self.0.at
    }

    /// What is wrong.
    pub fn kind(&self) -> &DatErrorKind {
        &self.0.kind
    }
}

impl fmt::Display for DatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.0.file {
            write!(f, "{file}: ")?;
        }
        if let Some(record) = self.0.record {
            write!(f, "record {record}: ")?;
        }
        match self.0.at {
            Some(ByteOffset::File(at)) => write!(f, "byte 0x{at:X} of the file: ")?,
            Some(ByteOffset::Record(at)) => write!(f, "byte 0x{at:X} of the record: ")?,
            None => {}
        }
        self.0.kind.fmt(f)
    }
}

impl fmt::Debug for DatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

// The text includes the message of the operating system, so there is no source.
impl std::error::Error for DatError {}

/// A record or file that the format cannot represent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// A list longer than its count field allows.
    #[error("{what}: {found}, the format holds at most {max}")]
    TooMany {
        /// The items of the list.
        what: &'static str,
        /// Their number.
        found: usize,
        /// The greatest number allowed.
        max: usize,
    },
    /// Two lists that must have the same length do not.
    #[error("{what}: {found} given, {expected} expected")]
    Mismatch {
        /// The list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length it must have.
        expected: usize,
    },
    /// The nodes of a tree do not form one tree below its root. Holds the index of a node.
    #[error("tree node {0}: a child does not exist or is reached twice")]
    Tree(u32),
    /// Two records with the same id, or the id 0.
    #[error("record {0}: the id is 0 or was given twice")]
    Id(RecordId),
    /// A record version that the retail client refuses.
    #[error("record {0}: version 0, which the retail client refuses")]
    Version(RecordId),
    /// A block size that no reader accepts.
    #[error("block size {0}: a multiple of 4 in 64..=65536 expected")]
    BlockSize(u32),
    /// A file larger than the 2 GiB that the format can address.
    #[error("file of {0} bytes, the format holds at most 2147483647")]
    FileSize(u64),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_file_record_byte_and_expectation() {
        let error = DatError::value("vertex type", "1", 7_u32)
            .at(ByteOffset::Record(8))
            .in_record(RecordId(0x0100_0010))
            .in_file(&"client_portal.dat".into());
        assert_eq!(
            error.to_string(),
            "client_portal.dat: record 0x01000010: byte 0x8 of the record: vertex type: 1 expected, 0x7 found"
        );
        assert_eq!(size_of::<DatError>(), size_of::<usize>());
    }

    #[test]
    fn a_known_place_is_not_overwritten() {
        let error = DatError::new(DatErrorKind::Trailing(3))
            .at(ByteOffset::File(9))
            .at(ByteOffset::Record(1));
        assert_eq!(error.place(), Some(ByteOffset::File(9)));
    }
}
