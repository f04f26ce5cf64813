//! Many records.

use std::collections::BTreeMap;

use super::{Record, Step};
use crate::Kind;
use crate::compare::counts;
use crate::trace::Course;

/// Recorded answers, by the id of their scenario. Where an id comes again, its last record counts, unless that is cut off
/// and an earlier one is not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    records: BTreeMap<String, Entry>,
}

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    steps: Vec<Step>,
    from: From,
}

/// What a record was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    Results,
    Trace { is_complete: bool },
}

impl Entry {
    fn is_cut(&self) -> bool {
        self.from == From::Trace { is_complete: false }
    }
}

impl Recorded {
    /// The steps that were recorded for a scenario.
    pub fn get(&self, id: &str) -> Option<&[Step]> {
        self.records.get(id).map(|entry| entry.steps.as_slice())
    }

    /// Adds a record. Its id comes back if it came before.
    pub fn add(&mut self, Record { id, steps }: Record) -> Option<String> {
        self.put(id, Entry { steps, from: From::Results })
    }

    /// Adds a course of a trace. It is taken at its word: cameras count whatever they met, since what is
    /// wrong with recorded ones is a slip of those who recorded them. Its id comes back if it came before.
    pub fn add_course(&mut self, course: Course) -> Option<String> {
        let Course { record: Record { id, steps }, is_complete, .. } = course;
        self.put(id, Entry { steps, from: From::Trace { is_complete } })
    }

    /// Half an answer does not take the place of a whole one.
    fn put(&mut self, id: String, entry: Entry) -> Option<String> {
        let before = self.records.get(&id);
        let again = before.map(|_| id.clone());
        if !(entry.is_cut() && before.is_some_and(|before| !before.is_cut())) {
            self.records.insert(id, entry);
        }
        again
    }

    /// Whether the record of a scenario says what ours must be.
    pub fn is_evidence(&self, kind: Kind, id: &str) -> bool {
        let is_evidence = |entry: &Entry| match entry.from {
            From::Results => counts(kind, &entry.steps),
            From::Trace { .. } => true,
        };
        self.records.get(id).is_some_and(is_evidence)
    }

    /// How many steps a record has that is cut off, and says nothing about those after it.
    pub fn cut_after(&self, id: &str) -> Option<usize> {
        let entry = self.records.get(id)?;
        entry.is_cut().then_some(entry.steps.len())
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
        records.into_iter().for_each(|record| drop(self.add(record)));
    }
}

impl FromIterator<Record> for Recorded {
    fn from_iter<I: IntoIterator<Item = Record>>(records: I) -> Self {
        let mut recorded = Self::default();
        recorded.extend(records);
        recorded
    }
}
