//! The events of a sweep, recorded for comparison.

use threshold_land::{CellId, Position};
use threshold_motion::probe::Ending;
use threshold_motion::{Insert, SweepEvent, SweepProbe};

/// An event of a sweep that tests compare.
#[derive(Clone, Debug, PartialEq)]
pub enum TraceEvent {
    /// A sub-step began.
    SubStep,
    /// A cell was asked for collisions, and how that ended.
    Collided(CellId, Insert),
    /// A cell array was made, and the cell that was picked from it.
    Listed(Vec<CellId>, Option<CellId>),
    /// A sub-step was validated: how it ended, and where.
    Validated(Insert, Position),
}

/// A probe that records the events of a sweep.
#[derive(Debug, Default)]
pub struct Trace(pub Vec<TraceEvent>);

impl Trace {
    /// Returns the cells that were asked for collisions, with their answers.
    pub fn collided_cells(&self) -> Vec<(CellId, Insert)> {
        let answer = |event: &TraceEvent| match event {
            TraceEvent::Collided(cell, answer) => Some((*cell, *answer)),
            _ => None,
        };
        self.0.iter().filter_map(answer).collect()
    }

    /// Returns the cell arrays, each with the cell that was picked.
    pub fn cell_arrays(&self) -> Vec<(Vec<CellId>, Option<CellId>)> {
        let list = |event: &TraceEvent| match event {
            TraceEvent::Listed(cells, picked) => Some((cells.clone(), *picked)),
            _ => None,
        };
        self.0.iter().filter_map(list).collect()
    }

    /// Returns how the sub-steps ended, and where.
    pub fn sub_step_ends(&self) -> Vec<(Insert, Position)> {
        let end = |event: &TraceEvent| match event {
            TraceEvent::Validated(answer, at) => Some((*answer, *at)),
            _ => None,
        };
        self.0.iter().filter_map(end).collect()
    }
}

impl SweepProbe for Trace {
    fn on_event(&mut self, event: SweepEvent<'_>) {
        let event = match event {
            SweepEvent::SubStepMoved { .. } => TraceEvent::SubStep,
            SweepEvent::StageEnded(Ending::Cell(cell, answer)) => {
                TraceEvent::Collided(cell, answer)
            }
            SweepEvent::CellsListed { cells, picked, .. } => {
                TraceEvent::Listed(cells.iter().map(|entry| entry.cell).collect(), picked)
            }
            SweepEvent::SubStepEnded { answer, at, .. } => TraceEvent::Validated(answer, *at),
            _ => return,
        };
        self.0.push(event);
    }
}
