//! Many records.

use std::collections::BTreeMap;

use super::{Record, Step};
use crate::Kind;
use crate::compare::counts;

/// Recorded answers, by the id of their scenario. Where an id comes again, its last record counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    records: BTreeMap<String, Entry>,
}

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    steps: Vec<Step>,
    is_traced: bool,
}

impl Recorded {
    /// The steps that were recorded for a scenario.
    pub fn get(&self, id: &str) -> Option<&[Step]> {
        self.records.get(id).map(|entry| entry.steps.as_slice())
    }

    /// Adds what a trace says. It is taken at its word: cameras count whatever they met, since what is
    /// wrong with recorded ones is a slip of those who recorded them.
    pub fn add_traced(&mut self, Record { id, steps }: Record) {
        self.records.insert(id, Entry { steps, is_traced: true });
    }

    /// Whether the record of a scenario says what ours must be.
    pub fn is_evidence(&self, kind: Kind, id: &str) -> bool {
        self.records.get(id).is_some_and(|entry| entry.is_traced || counts(kind, &entry.steps))
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
        let entry = |Record { id, steps }| (id, Entry { steps, is_traced: false });
        self.records.extend(records.into_iter().map(entry));
    }
}

impl FromIterator<Record> for Recorded {
    fn from_iter<I: IntoIterator<Item = Record>>(records: I) -> Self {
        let mut recorded = Self::default();
        recorded.extend(records);
        recorded
    }
}
