//! Steps of a mover.

use threshold_land::{CellId, Position};
use threshold_motion::{Outcome, Stance};

use crate::record::Step;

/// Returns the position, stance and hit of a mover as a step. A mover that had nowhere to go was not
/// swept: that succeeds and hits nothing.
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
