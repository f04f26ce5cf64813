//! What is wrong with a file or a record, and where.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::record::RecordId;

/// A file or record that cannot be used: the file, the record, the byte, and what was expected there.
///
/// One pointer wide, so that the results of the small reads cost nothing.
pub struct DatError(Box<Inner>);

struct Inner {
    file: Option<Arc<str>>,
    record: Option<RecordId>,
    at: Option<ByteOffset>,
    kind: DatErrorKind,
}

/// Where in the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOffset {
    /// Offset from the start of the file.
    File(u64),
    /// Offset from the start of the record's own bytes, which may lie scattered in the file.
    Record(u64),
}

/// What was wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatErrorKind {
    /// The bytes end too early.
    #[error("{wanted} bytes expected, {left} left")]
    Truncated {
        /// Bytes the next field needs.
        wanted: usize,
        /// Bytes there are.
        left: usize,
    },
    /// A count that the rest of the record cannot hold.
    #[error("{count} {what} of at least {each} bytes announced, {left} bytes left")]
    Count {
        /// What is counted.
        what: &'static str,
        /// The count.
        count: u64,
        /// Bytes that each takes at the least.
        each: usize,
        /// Bytes there are.
        left: usize,
    },
    /// A field with a value it cannot have.
    #[error("{what}: {expected} expected, 0x{found:X} found")]
    Value {
        /// The field.
        what: &'static str,
        /// What it may be.
        expected: Cow<'static, str>,
        /// What it is.
        found: u64,
    },
    /// The record says that it is another one.
    #[error("the record calls itself {found}")]
    Id {
        /// The id in the record's head.
        found: RecordId,
    },
    /// A frame that retail refuses to load.
    #[error(
        "frame: numbers and a rotation of unit length expected, squared length {squared} found"
    )]
    Frame {
        /// Squared length of the rotation; NaN also when the origin has a NaN.
        squared: f32,
    },
    /// Bytes after the end of the record. A warning at run time, an error in tests.
    #[error("{0} bytes after the end of the record")]
    Trailing(usize),
    /// The record is compressed and does not inflate.
    #[error("compressed record: {0}")]
    Inflate(Cow<'static, str>),
    /// The operating system refused.
    #[error("{0}")]
    Io(std::io::Error),
    /// The file became shorter after it was opened.
    #[error(
        "{was} bytes long when it was opened, {is} now: another program cut it short; open it again"
    )]
    CutShort {
        /// Bytes when it was opened.
        was: u64,
        /// Bytes it has now, or where reading ended.
        is: u64,
    },
    /// Data files are not in the folder.
    #[error("no {} in this folder (in any letter case)", .0.join(" and no "))]
    MissingFiles(Vec<&'static str>),
}

impl DatError {
    /// An error without an address; the `in_` and `at_` methods add it.
    pub fn new(kind: DatErrorKind) -> Self {
        Self(Box::new(Inner { file: None, record: None, at: None, kind }))
    }

    /// A field with a value it cannot have.
    pub fn value(
        what: &'static str,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<u64>,
    ) -> Self {
        Self::new(DatErrorKind::Value { what, expected: expected.into(), found: found.into() })
    }

    /// With the byte, unless it is known already.
    #[must_use]
    pub fn at(mut self, at: ByteOffset) -> Self {
        self.0.at.get_or_insert(at);
        self
    }

    /// With the record, unless it is known already.
    #[must_use]
    pub fn in_record(mut self, id: RecordId) -> Self {
        self.0.record.get_or_insert(id);
        self
    }

    /// With the file, unless it is known already.
    #[must_use]
    pub fn in_file(mut self, name: &Arc<str>) -> Self {
        self.0.file.get_or_insert_with(|| name.clone());
        self
    }

    /// The file, where it is known.
    pub fn file(&self) -> Option<&str> {
        self.0.file.as_deref()
    }

    /// The record, where it is known.
    pub fn record(&self) -> Option<RecordId> {
        self.0.record
    }

    /// The byte, where there is one to blame.
    pub fn place(&self) -> Option<ByteOffset> {
        self.0.at
    }

    /// What was wrong.
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

// What the operating system said is part of the text already, so there is no source.
impl std::error::Error for DatError {}

/// A record or file that the format cannot express.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// More of something than its count field can say.
    #[error("{what}: {found} of them, the format holds {most}")]
    TooMany {
        /// What there are too many of.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// Lists that must match do not.
    #[error("{what}: {found} given, {expected} expected")]
    Mismatch {
        /// Which list.
        what: &'static str,
        /// How long it is.
        found: usize,
        /// How long it must be.
        expected: usize,
    },
    /// A tree whose children do not form one tree below its root.
    #[error("tree node {0}: a child that does not exist, or is reached twice")]
    Tree(u32),
    /// Two records with one id, or the id 0.
    #[error("record {0}: the id is 0 or was given twice")]
    Id(RecordId),
    /// A record version that the retail client refuses.
    #[error("record {0}: version 0")]
    Version(RecordId),
    /// A block size that no reader accepts.
    #[error("block size {0}: a multiple of 4 in 64..=65536 expected")]
    BlockSize(u32),
    /// A file beyond the 2 GiB that the format can address.
    #[error("{0} bytes, the format holds 2147483647")]
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
    fn the_first_address_stays() {
        let error = DatError::new(DatErrorKind::Trailing(3))
            .at(ByteOffset::File(9))
            .at(ByteOffset::Record(1));
        assert_eq!(error.place(), Some(ByteOffset::File(9)));
    }
}
