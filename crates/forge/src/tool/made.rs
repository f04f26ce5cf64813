//! The finished world.

use threshold_dat::{FileKind, RecordId, RecordSet, Result, Source};

/// A made world: the records that a folder of data files would hold. It is a [`Source`], too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeWorld {
    records: RecordSet,
}

impl MadeWorld {
    pub(crate) fn new(records: RecordSet) -> Self {
        Self { records }
    }

    /// Returns the records; [`RecordSet::to_dat`] writes them as data files.
    pub fn records(&self) -> &RecordSet {
        &self.records
    }

    /// Returns the records for further changes.
    pub fn into_records(self) -> RecordSet {
        self.records
    }
}

impl Source for MadeWorld {
    fn read<'a>(
        &'a self,
        file: FileKind,
        id: RecordId,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Option<&'a [u8]>> {
        self.records.read(file, id, buffer)
    }

    fn contains(&self, file: FileKind, id: RecordId) -> Result<bool> {
        self.records.contains(file, id)
    }

    fn ids(&self, file: FileKind) -> Vec<RecordId> {
        self.records.ids(file)
    }
}
