//! Records by id.

use std::collections::BTreeMap;

use super::{ScenarioResult, Step};
use crate::Kind;
use crate::compare::counts;
use crate::trace::Course;

/// Recorded results by the id of their scenario. If an id occurs again, its last record counts, unless
/// that is cut off and an earlier one is not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedResults {
    records: BTreeMap<String, Entry>,
}

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    steps: Vec<Step>,
    from: RecordSource,
}

/// Source of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RecordSource {
    Results,
    Trace { is_complete: bool },
}

impl Entry {
    fn is_cut(&self) -> bool {
        self.from == RecordSource::Trace { is_complete: false }
    }
}

impl RecordedResults {
    /// Returns the recorded steps of a scenario.
    pub fn get(&self, id: &str) -> Option<&[Step]> {
        self.records.get(id).map(|entry| entry.steps.as_slice())
    }

    /// Adds a record. Returns its id if that was added before.
    pub fn add(&mut self, ScenarioResult { id, steps }: ScenarioResult) -> Option<String> {
        self.put(id, Entry { steps, from: RecordSource::Results })
    }

    /// Adds a course of a trace. Returns its id if that was added before. Cameras of a trace count even if
    /// they hit something: the error of the recorded ones is not in traces.
    pub(crate) fn add_course(&mut self, course: Course) -> Option<String> {
        let Course { record: ScenarioResult { id, steps }, is_complete, .. } = course;
        self.put(id, Entry { steps, from: RecordSource::Trace { is_complete } })
    }

    /// A record that is cut off does not replace a complete one.
    fn put(&mut self, id: String, entry: Entry) -> Option<String> {
        let before = self.records.get(&id);
        let again = before.map(|_| id.clone());
        if !(entry.is_cut() && before.is_some_and(|before| !before.is_cut())) {
            self.records.insert(id, entry);
        }
        again
    }

    /// Returns whether the record of a scenario is evidence for ours.
    pub fn is_evidence(&self, kind: Kind, id: &str) -> bool {
        let is_evidence = |entry: &Entry| match entry.from {
            RecordSource::Results => counts(kind, &entry.steps),
            RecordSource::Trace { .. } => true,
        };
        self.records.get(id).is_some_and(is_evidence)
    }

    /// Returns the number of steps of a record that is cut off.
    pub(crate) fn cut_after(&self, id: &str) -> Option<usize> {
        let entry = self.records.get(id)?;
        entry.is_cut().then_some(entry.steps.len())
    }

    /// Returns the number of scenarios with a record.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }
}

impl Extend<ScenarioResult> for RecordedResults {
    fn extend<I: IntoIterator<Item = ScenarioResult>>(&mut self, records: I) {
        records.into_iter().for_each(|record| drop(self.add(record)));
    }
}

impl FromIterator<ScenarioResult> for RecordedResults {
    fn from_iter<I: IntoIterator<Item = ScenarioResult>>(records: I) -> Self {
        let mut recorded = Self::default();
        recorded.extend(records);
        recorded
    }
}
