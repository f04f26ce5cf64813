//! Counts of verdicts.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{ComparedSide, ComparisonOutcome, Verdict};
use crate::Kind;

/// Counts of a run by kind, and the verdicts that deserve attention.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Agreement {
    /// The counts by kind.
    pub kinds: BTreeMap<Kind, KindAgreement>,
    /// Verdicts on scenarios that differ or are listed in vain, in the order of the run.
    pub remarkable: Vec<Verdict>,
}

/// The counts of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct KindAgreement {
    /// Scenarios with a record that counts.
    pub scenarios: Tally,
    /// Their steps.
    pub steps: Tally,
    /// Those of them on which the two sets differ.
    pub disputed: DisputeCounts,
    /// Scenarios that differ and are listed.
    pub excused: usize,
    /// Scenarios that do not differ and are listed.
    pub no_longer_differ: usize,
    /// Scenarios whose record does not count and that have no properties.
    pub not_compared: usize,
    /// Scenarios judged by properties: those without a record that counts, and those that lack a
    /// property.
    pub by_properties: Tally,
    /// Scenarios without a record in the first set.
    pub not_recorded_by_first: usize,
    /// Scenarios without a record in the second set, if there is one.
    pub not_recorded_by_second: usize,
}

/// A count of agreements among comparisons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Equal ones.
    pub agreed: usize,
    /// All.
    pub compared: usize,
}

/// Scenarios on which the two sets differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DisputeCounts {
    /// Their number.
    pub scenarios: usize,
    /// Those in which ours equals the first.
    pub as_first: usize,
    /// Those in which ours equals the second.
    pub as_second: usize,
}

impl Agreement {
    /// Counts a verdict.
    pub fn add(&mut self, verdict: Verdict) {
        self.kinds.entry(verdict.kind).or_default().add(&verdict);
        match verdict.outcome {
            ComparisonOutcome::Agrees
            | ComparisonOutcome::NotRecorded
            | ComparisonOutcome::NotCompared
            | ComparisonOutcome::Satisfies => {}
            _ => self.remarkable.push(verdict),
        }
    }

    /// Returns the verdicts that are failures.
    pub fn failures(&self) -> impl Iterator<Item = &Verdict> {
        self.remarkable.iter().filter(|verdict| verdict.outcome.is_failure())
    }
}

impl Extend<Verdict> for Agreement {
    fn extend<I: IntoIterator<Item = Verdict>>(&mut self, verdicts: I) {
        verdicts.into_iter().for_each(|verdict| self.add(verdict));
    }
}

impl KindAgreement {
    fn add(&mut self, verdict: &Verdict) {
        for side in &verdict.not_recorded_by {
            match side {
                ComparedSide::First => self.not_recorded_by_first += 1,
                ComparedSide::Second => self.not_recorded_by_second += 1,
            }
        }
        match &verdict.outcome {
            ComparisonOutcome::NotRecorded => return,
            ComparisonOutcome::NotCompared => {
                self.not_compared += 1;
                return;
            }
            ComparisonOutcome::Satisfies => {
                self.by_properties.agreed += 1;
                self.by_properties.compared += 1;
                return;
            }
            ComparisonOutcome::Violates { .. } => {
                self.by_properties.compared += 1;
                return;
            }
            ComparisonOutcome::Agrees => self.scenarios.agreed += 1,
            ComparisonOutcome::NoLongerDiffers { .. } => {
                self.scenarios.agreed += 1;
                self.no_longer_differ += 1;
            }
            ComparisonOutcome::Excused { .. } => self.excused += 1,
            ComparisonOutcome::Differs { .. } => {}
        }
        self.scenarios.compared += 1;
        self.steps.agreed += verdict.steps.agreed;
        self.steps.compared += verdict.steps.compared;
        if let Some(dispute) = verdict.dispute {
            self.disputed.scenarios += 1;
            self.disputed.as_first += usize::from(dispute.as_first);
            self.disputed.as_second += usize::from(dispute.as_second);
        }
    }
}
