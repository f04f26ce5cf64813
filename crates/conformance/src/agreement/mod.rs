//! Judges the results of a run.
//!
//! Our results are compared with one or two sets of records. With one set, ours must be the same. With
//! two, ours must be that of both; where they differ, ours must be that of the first, and agreement
//! with either is counted. A scenario without a record is counted and not judged, and so is one whose
//! record is no evidence ([`counts`](crate::compare::counts)), unless it has
//! [`properties`](crate::properties). A scenario on the list of known differences is excused while it
//! differs, and a failure once it no longer does.

mod report;

use serde::Serialize;
use threshold_world::World;

pub use self::report::{Agreement, DisputeCounts, KindAgreement, Tally};
use crate::Kind;
use crate::compare::{Difference, first_difference, same_steps};
use crate::known::KnownDifferences;
use crate::properties::Properties;
use crate::record::{RecordedResults, ScenarioResult, Step};
use crate::scenario::Scenario;

/// Recorded results, known differences and properties that our results are judged by.
#[derive(Clone, Debug, Default)]
pub struct Expectation {
    /// The results that ours must equal.
    pub first: RecordedResults,
    /// A second set, which shows what is disputed. It decides only where the first has no record.
    pub second: Option<RecordedResults>,
    /// Scenarios that may differ.
    pub known: KnownDifferences,
    /// Properties that cameras must have, also against the records.
    pub properties: Properties,
}

/// One of two sets of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ComparedSide {
    /// The set that decides.
    First,
    /// The other set.
    Second,
}

/// The judgement of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The scenario.
    pub id: String,
    /// Its kind.
    pub kind: Kind,
    /// The outcome of the comparison.
    #[serde(flatten)]
    pub outcome: ComparisonOutcome,
    /// The set whose record decided; `None` if neither has one.
    pub judged_by: Option<ComparedSide>,
    /// The sets without a record of it.
    pub not_recorded_by: Vec<ComparedSide>,
    /// Equal steps, of all steps that either result has.
    pub steps: Tally,
    /// How ours relates to both sets, where both count and differ.
    pub dispute: Option<Dispute>,
}

/// The outcome of a comparison.
#[must_use]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum ComparisonOutcome {
    /// Our result is the recorded one.
    Agrees,
    /// There is nothing to compare with.
    NotRecorded,
    /// The record is no evidence for what ours must be.
    NotCompared,
    /// The record is no evidence, and ours has all properties that it must have.
    Satisfies,
    /// Ours lacks properties that it must have: a failure.
    Violates {
        /// Each of them, with the reason.
        violations: Vec<String>,
    },
    /// Our result differs: a failure.
    Differs {
        /// The first difference.
        difference: Difference,
    },
    /// Our result differs, and is listed as a known difference.
    Excused {
        /// The first difference.
        difference: Difference,
        /// The reason on the list.
        reason: String,
    },
    /// Listed as a known difference without differing: a failure.
    NoLongerDiffers {
        /// The reason on the list.
        reason: String,
    },
}

impl ComparisonOutcome {
    /// Returns whether this is a failure.
    pub(crate) fn is_failure(&self) -> bool {
        matches!(self, Self::Differs { .. } | Self::NoLongerDiffers { .. } | Self::Violates { .. })
    }
}

/// A scenario on which the two sets differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Dispute {
    /// Whether ours equals the first.
    pub as_first: bool,
    /// Whether ours equals the second.
    pub as_second: bool,
}

impl Expectation {
    /// Judges our result of a scenario by the records and by the properties that it must have. `world`
    /// is that of the scenario, wholly resident.
    pub fn judge_in(&self, world: &World, scenario: &Scenario, ours: &ScenarioResult) -> Verdict {
        let mut verdict = self.judge(scenario.kind(), ours);
        let Some(violations) = self.properties.violations(world, scenario, &ours.steps) else {
            return verdict;
        };
        if violations.is_empty() {
            if matches!(
                verdict.outcome,
                ComparisonOutcome::NotCompared | ComparisonOutcome::NotRecorded
            ) {
                verdict.outcome = ComparisonOutcome::Satisfies;
            }
        } else if !verdict.outcome.is_failure() {
            verdict.outcome = ComparisonOutcome::Violates { violations };
        }
        verdict
    }

    /// Judges our result of a scenario of this kind by the records.
    pub fn judge(&self, kind: Kind, ours: &ScenarioResult) -> Verdict {
        let first = Opinion::of(Some(&self.first), kind, &ours.id);
        let second = Opinion::of(self.second.as_ref(), kind, &ours.id);
        let mut verdict = Verdict {
            id: ours.id.clone(),
            kind,
            outcome: ComparisonOutcome::NotRecorded,
            judged_by: None,
            not_recorded_by: self.not_recorded_by(first.is_some(), second.is_some()),
            steps: Tally::default(),
            dispute: None,
        };
        let judge = first.map(|opinion| (ComparedSide::First, opinion));
        let Some((side, judge)) = judge.or(second.map(|opinion| (ComparedSide::Second, opinion)))
        else {
            return verdict;
        };
        verdict.judged_by = Some(side);
        if !judge.is_evidence {
            verdict.outcome = ComparisonOutcome::NotCompared;
            return verdict;
        }
        verdict.outcome = self.outcome(kind, ours, judge);
        let steps = up_to(judge.cut_after, &ours.steps);
        verdict.steps = Tally {
            agreed: same_steps(kind, steps, judge.steps),
            compared: steps.len().max(judge.steps.len()),
        };
        if let (Some(first), Some(second)) = (first, second.filter(|second| second.is_evidence)) {
            verdict.dispute = dispute(kind, &ours.steps, first, second);
        }
        verdict
    }

    fn not_recorded_by(&self, by_first: bool, by_second: bool) -> Vec<ComparedSide> {
        let first = (!by_first).then_some(ComparedSide::First);
        let second = (self.second.is_some() && !by_second).then_some(ComparedSide::Second);
        first.into_iter().chain(second).collect()
    }

    fn outcome(&self, kind: Kind, ours: &ScenarioResult, theirs: Opinion<'_>) -> ComparisonOutcome {
        let reason = self.known.reason(&ours.id).map(str::to_owned);
        let steps = up_to(theirs.cut_after, &ours.steps);
        match (first_difference(kind, steps, theirs.steps), reason) {
            (None, None) => ComparisonOutcome::Agrees,
            // The listed difference may lie behind the cut.
            (None, Some(_)) if theirs.cut_after.is_some() => ComparisonOutcome::Agrees,
            (None, Some(reason)) => ComparisonOutcome::NoLongerDiffers { reason },
            (Some(difference), None) => ComparisonOutcome::Differs { difference },
            (Some(difference), Some(reason)) => ComparisonOutcome::Excused { difference, reason },
        }
    }
}

/// The record of a scenario in one set.
#[derive(Clone, Copy)]
struct Opinion<'a> {
    steps: &'a [Step],
    is_evidence: bool,
    /// Number of steps after which the record is cut off.
    cut_after: Option<usize>,
}

impl<'a> Opinion<'a> {
    fn of(recorded: Option<&'a RecordedResults>, kind: Kind, id: &str) -> Option<Self> {
        let recorded = recorded?;
        let (is_evidence, cut_after) = (recorded.is_evidence(kind, id), recorded.cut_after(id));
        recorded.get(id).map(|steps| Self { steps, is_evidence, cut_after })
    }
}

/// Returns the steps before a cut.
fn up_to(cut_after: Option<usize>, steps: &[Step]) -> &[Step] {
    cut_after.and_then(|count| steps.get(..count)).unwrap_or(steps)
}

fn dispute(kind: Kind, ours: &[Step], first: Opinion<'_>, second: Opinion<'_>) -> Option<Dispute> {
    let cut_after = first.cut_after.into_iter().chain(second.cut_after).min();
    let [ours, first, second] =
        [ours, first.steps, second.steps].map(|steps| up_to(cut_after, steps));
    first_difference(kind, first, second)?;
    let is_ours = |theirs| first_difference(kind, ours, theirs).is_none();
    Some(Dispute { as_first: is_ours(first), as_second: is_ours(second) })
}

#[cfg(test)]
mod tests;
