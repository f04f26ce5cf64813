//! Verdicts, counted.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Outcome, Side, Verdict};
use crate::Kind;

/// How far a run agrees with what it is judged by.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Agreement {
    /// The counts by kind.
    pub kinds: BTreeMap<Kind, KindAgreement>,
    /// The verdicts on what differs and on what is listed in vain, in the order of the run.
    pub remarkable: Vec<Verdict>,
}

/// The counts of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct KindAgreement {
    /// Scenarios that have a record which counts.
    pub scenarios: Tally,
    /// Their steps.
    pub steps: Tally,
    /// Of these scenarios, those on which the two sets differ.
    pub disputed: Disputed,
    /// Scenarios that differ as the list says.
    pub excused: usize,
    /// Scenarios that do not differ and are listed.
    pub no_longer_differ: usize,
    /// Scenarios whose record does not count, and that have no properties to be judged by.
    pub not_compared: usize,
    /// Scenarios without a record that counts that are judged by properties, and those whose answer lacks one.
    pub by_properties: Tally,
    /// Scenarios without a record in the first set.
    pub not_recorded_by_first: usize,
    /// Scenarios without a record in the second set, if there is one.
    pub not_recorded_by_second: usize,
}

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Those that are the same.
    pub agreed: usize,
    /// All.
    pub compared: usize,
}

/// Scenarios on which the two sets differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Disputed {
    /// How many.
    pub scenarios: usize,
    /// Those in which ours is what the first says.
    pub as_first: usize,
    /// Those in which ours is what the second says.
    pub as_second: usize,
}

impl Agreement {
    /// Counts a verdict.
    pub fn add(&mut self, verdict: Verdict) {
        self.kinds.entry(verdict.kind).or_default().add(&verdict);
        match verdict.outcome {
            Outcome::Agrees | Outcome::NotRecorded | Outcome::NotCompared | Outcome::Satisfies => {}
            _ => self.remarkable.push(verdict),
        }
    }

    /// The verdicts that must not be.
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
                Side::First => self.not_recorded_by_first += 1,
                Side::Second => self.not_recorded_by_second += 1,
            }
        }
        match &verdict.outcome {
            Outcome::NotRecorded => return,
            Outcome::NotCompared => {
                self.not_compared += 1;
                return;
            }
            Outcome::Satisfies => {
                self.by_properties.agreed += 1;
                self.by_properties.compared += 1;
                return;
            }
            Outcome::Violates { .. } => {
                self.by_properties.compared += 1;
                return;
            }
            Outcome::Agrees => self.scenarios.agreed += 1,
            Outcome::NoLongerDiffers { .. } => {
                self.scenarios.agreed += 1;
                self.no_longer_differ += 1;
            }
            Outcome::Excused { .. } => self.excused += 1,
            Outcome::Differs { .. } => {}
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
