//! Do we agree? The judgement over a run.
//!
//! Ours is compared with one or two sets of recorded answers. With one, ours must be the same. With two,
//! ours must be what both say; where they dispute, ours must be what the first says, and how often it is
//! either's is counted. A scenario without a record is counted and not judged, and so is one whose record
//! is no evidence ([`counts`](crate::compare::counts)), unless it has [`properties`](crate::properties) to be judged by. One on the list of known differences is excused while it differs, and a
//! failure once it no longer does.

mod report;

use serde::Serialize;
use threshold_world::World;

pub use self::report::{Agreement, Disputed, KindAgreement, Tally};
use crate::Kind;
use crate::compare::{Difference, first_difference, same_steps};
use crate::known::Known;
use crate::properties::Properties;
use crate::record::{Record, Recorded, Step};
use crate::scenario::Scenario;

/// What ours is judged by.
#[derive(Clone, Debug, Default)]
pub struct Expectation {
    /// What ours must be.
    pub first: Recorded,
    /// Another opinion, which shows what is disputed. It decides only where the first has no record.
    pub second: Option<Recorded>,
    /// Where ours may differ.
    pub known: Known,
    /// What cameras must satisfy, whatever is recorded.
    pub properties: Properties,
}

/// One of two sets of recorded answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The one that decides.
    First,
    /// The other opinion.
    Second,
}

/// How a scenario came out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The scenario.
    pub id: String,
    /// What it asks for.
    pub kind: Kind,
    /// How it came out.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Whose record decided; `None` where nobody has one.
    pub judged_by: Option<Side>,
    /// Who has no record of it.
    pub not_recorded_by: Vec<Side>,
    /// Steps that are the same, of those compared: all that either answer has.
    pub steps: Tally,
    /// What the two opinions are, where both count and they differ.
    pub dispute: Option<Dispute>,
}

/// The outcome of a comparison.
#[must_use]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// Ours is what it must be.
    Agrees,
    /// There is nothing to compare with.
    NotRecorded,
    /// What is recorded does not say what ours must be.
    NotCompared,
    /// What is recorded does not say what ours must be, and ours has all properties that it must have.
    Satisfies,
    /// Ours lacks properties that it must have: a failure.
    Violates {
        /// Each of them, with the reason.
        violations: Vec<String>,
    },
    /// Ours is something else: a failure.
    Differs {
        /// Where they part.
        difference: Difference,
    },
    /// Ours is something else, as is known.
    Excused {
        /// Where they part.
        difference: Difference,
        /// Why, as the list says.
        reason: String,
    },
    /// The list says that ours differs, and it does not: a failure.
    NoLongerDiffers {
        /// Why it was listed.
        reason: String,
    },
}

impl Outcome {
    /// Whether something must be done about it.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Differs { .. } | Self::NoLongerDiffers { .. } | Self::Violates { .. })
    }
}

/// A scenario on which the two sets differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Dispute {
    /// Whether ours is what the first says.
    pub as_first: bool,
    /// Whether ours is what the second says.
    pub as_second: bool,
}

impl Expectation {
    /// Judges our answer to a scenario by what is recorded and by the properties that it must have. The world is that of the
    /// scenario, all of it resident.
    pub fn judge_in(&self, world: &World, scenario: &Scenario, ours: &Record) -> Verdict {
        let mut verdict = self.judge(scenario.kind(), ours);
        let Some(violations) = self.properties.violations(world, scenario, &ours.steps) else {
            return verdict;
        };
        if violations.is_empty() {
            if matches!(verdict.outcome, Outcome::NotCompared | Outcome::NotRecorded) {
                verdict.outcome = Outcome::Satisfies;
            }
        } else if !verdict.outcome.is_failure() {
            verdict.outcome = Outcome::Violates { violations };
        }
        verdict
    }

    /// Judges our answer to a scenario of this kind by what is recorded.
    pub fn judge(&self, kind: Kind, ours: &Record) -> Verdict {
        let first = Opinion::of(Some(&self.first), kind, &ours.id);
        let second = Opinion::of(self.second.as_ref(), kind, &ours.id);
        let mut verdict = Verdict {
            id: ours.id.clone(),
            kind,
            outcome: Outcome::NotRecorded,
            judged_by: None,
            not_recorded_by: self.not_recorded_by(first.is_some(), second.is_some()),
            steps: Tally::default(),
            dispute: None,
        };
        let judge = first.map(|opinion| (Side::First, opinion));
        let Some((side, judge)) = judge.or(second.map(|opinion| (Side::Second, opinion))) else {
            return verdict;
        };
        verdict.judged_by = Some(side);
        if !judge.is_evidence {
            verdict.outcome = Outcome::NotCompared;
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

    fn not_recorded_by(&self, by_first: bool, by_second: bool) -> Vec<Side> {
        let first = (!by_first).then_some(Side::First);
        let second = (self.second.is_some() && !by_second).then_some(Side::Second);
        first.into_iter().chain(second).collect()
    }

    fn outcome(&self, kind: Kind, ours: &Record, theirs: Opinion<'_>) -> Outcome {
        let reason = self.known.reason(&ours.id).map(str::to_owned);
        let steps = up_to(theirs.cut_after, &ours.steps);
        match (first_difference(kind, steps, theirs.steps), reason) {
            (None, None) => Outcome::Agrees,
            // What is listed may differ further on.
            (None, Some(_)) if theirs.cut_after.is_some() => Outcome::Agrees,
            (None, Some(reason)) => Outcome::NoLongerDiffers { reason },
            (Some(difference), None) => Outcome::Differs { difference },
            (Some(difference), Some(reason)) => Outcome::Excused { difference, reason },
        }
    }
}

/// What one set says about a scenario.
#[derive(Clone, Copy)]
struct Opinion<'a> {
    steps: &'a [Step],
    is_evidence: bool,
    /// It says nothing about the steps after these.
    cut_after: Option<usize>,
}

impl<'a> Opinion<'a> {
    fn of(recorded: Option<&'a Recorded>, kind: Kind, id: &str) -> Option<Self> {
        let recorded = recorded?;
        let (is_evidence, cut_after) = (recorded.is_evidence(kind, id), recorded.cut_after(id));
        recorded.get(id).map(|steps| Self { steps, is_evidence, cut_after })
    }
}

/// The steps that there is something to say about.
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
