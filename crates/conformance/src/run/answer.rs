//! What is said about a mover.

use threshold_land::{CellId, Position};
use threshold_motion::{Outcome, Stance};

use crate::record::Step;

/// Where a mover is, how it stands, and what its sweep met. Where it did not have to go anywhere there was no sweep: that
/// succeeds, and meets nothing.
pub(super) fn answer(at: &Position, stance: &Stance, sweep: Option<&Outcome>) -> Step {
    let cells = sweep.map_or(&[][..], |outcome| &outcome.cells);
    let cells: Vec<CellId> = cells.iter().map(|entry| entry.cell).collect();
    Step {
        ok: sweep.is_none_or(Outcome::is_ok).into(),
        cell: at.cell.into(),
        pos: at.frame.origin.into(),
        contact: stance.contact.into(),
        walkable: stance.on_walkable.into(),
        plane: stance.contact.then_some(stance.plane).into(),
        plane_cell: stance.contact.then_some(stance.plane_cell).into(),
        slide: stance.sliding.then_some(stance.sliding_normal).into(),
        hit: sweep.and_then(|outcome| outcome.hit).into(),
        env: sweep.is_some_and(|outcome| outcome.hit_environment).into(),
        cells: cells.into(),
        ..Step::default()
    }
}
