//! Record ids.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use threshold_land::CellId;

/// The id of a record in a data file. 0 means "none" in fields that refer to another record.
///
/// Printed and serialised as `0x0D000001`.
///
/// Retail: `IDClass`, `DataID`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(pub u32);

impl RecordId {
    /// No record.
    pub const NONE: Self = Self(0);

    /// Returns this id, or `None` for the id 0.
    pub fn some(self) -> Option<Self> {
        (self != Self::NONE).then_some(self)
    }

    /// Returns the id as a cell id, for records of the cell file.
    pub fn cell(self) -> CellId {
        CellId(self.0)
    }
}

impl From<CellId> for RecordId {
    fn from(cell: CellId) -> Self {
        Self(cell.0)
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08X}", self.0)
    }
}

impl fmt::Debug for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a record id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a record id; write eight hexadecimal digits, such as 0xA9B40164")]
pub struct RecordIdError(String);

impl FromStr for RecordId {
    type Err = RecordIdError;

    /// Parses eight hexadecimal digits, with or without `0x`.
    fn from_str(text: &str) -> Result<Self, RecordIdError> {
        text.trim().parse::<CellId>().map(Self::from).map_err(|_| RecordIdError(text.to_owned()))
    }
}

impl Serialize for RecordId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
