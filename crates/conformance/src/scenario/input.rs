//! Scenarios step by step.

use serde::Serialize;
use threshold_land::vector::Vec3;

use super::{Call, Job, MAX_TICKS, Point, Query, TOO_LARGE, TOO_LONG};

/// Input of one step of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum StepInput {
    /// None: falls and cameras are complete before the first step.
    Nothing,
    /// Movement of a walk, in metres.
    Move(Vec3),
    /// Candidate position of a mover.
    Candidate(Point),
    /// Sphere of a cell query.
    Query(Query),
    /// Call of a coordinate function.
    Call(Call),
}

impl StepInput {
    /// Returns whether the step has no input.
    pub(crate) fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// Returns whether all its numbers are finite.
    pub(crate) fn is_finite(&self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Move(by) => by.is_finite(),
            Self::Candidate(point) => point.pos.is_finite(),
            Self::Query(query) => query.pos.is_finite() && query.radius.is_finite(),
            Self::Call(Call::AdjustToOutside(_, at) | Call::GetOutsideLcoord(_, at)) => {
                at.is_finite()
            }
            Self::Call(_) => true,
        }
    }
}

impl Job {
    /// Returns the number of steps of its result.
    pub fn steps(&self) -> usize {
        match self {
            Self::Walk(walk) => walk.moves.len(),
            Self::Sim(sim) => usize::try_from(sim.ticks).unwrap_or(usize::MAX),
            Self::Place(place) => place.candidates.len(),
            Self::Cells(cells) => cells.queries.len(),
            Self::Viewer(_) => 1,
            Self::Landdefs(landdefs) => landdefs.calls.len(),
        }
    }

    /// Returns the input of a step, from 0; `None` after the last.
    pub fn input(&self, step: usize) -> Option<StepInput> {
        match self {
            Self::Walk(walk) => walk.moves.get(step).copied().map(StepInput::Move),
            Self::Place(place) => place.candidates.get(step).copied().map(StepInput::Candidate),
            Self::Cells(cells) => cells.queries.get(step).copied().map(StepInput::Query),
            Self::Landdefs(landdefs) => landdefs.calls.get(step).copied().map(StepInput::Call),
            Self::Sim(_) | Self::Viewer(_) => (step < self.steps()).then_some(StepInput::Nothing),
        }
    }

    /// Adds a step; fails if the job cannot have it.
    pub(crate) fn push(&mut self, input: StepInput) -> Result<(), &'static str> {
        if !input.is_finite() {
            return Err(TOO_LARGE);
        }
        match (self, input) {
            (Self::Walk(walk), StepInput::Move(by)) => walk.moves.push(by),
            (Self::Place(place), StepInput::Candidate(point)) => place.candidates.push(point),
            (Self::Cells(cells), StepInput::Query(query)) => cells.queries.push(query),
            (Self::Landdefs(landdefs), StepInput::Call(call)) => landdefs.calls.push(call),
            (Self::Sim(sim), StepInput::Nothing) if sim.ticks < MAX_TICKS => sim.ticks += 1,
            (Self::Sim(_), StepInput::Nothing) => return Err(TOO_LONG),
            // Its only step exists from the start.
            (Self::Viewer(_), StepInput::Nothing) => {}
            _ => return Err("this input does not fit a scenario of this kind"),
        }
        Ok(())
    }
}
