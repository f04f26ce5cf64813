//! Many records.

use std::collections::BTreeMap;

use super::{Record, Step};

/// Recorded answers, by the id of their scenario. Where an id comes again, its last record counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    records: BTreeMap<String, Vec<Step>>,
}

impl Recorded {
    /// The steps that were recorded for a scenario.
    pub fn get(&self, id: &str) -> Option<&[Step]> {
        self.records.get(id).map(Vec::as_slice)
    }

    /// How many scenarios have a record.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }
}

impl Extend<Record> for Recorded {
    fn extend<I: IntoIterator<Item = Record>>(&mut self, records: I) {
        self.records.extend(records.into_iter().map(|record| (record.id, record.steps)));
    }
}

impl FromIterator<Record> for Recorded {
    fn from_iter<I: IntoIterator<Item = Record>>(records: I) -> Self {
        let mut recorded = Self::default();
        recorded.extend(records);
        recorded
    }
}
