//! Watching a sweep.

use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position};
use threshold_world::Entry;

use crate::outcome::Insert;

/// Watches a sweep, for a test, a log or a debug view. `()` watches nothing and costs nothing.
pub trait Probe {
    /// Whether it wants to see everything. What is known without looking again is not seen.
    const WATCHES: bool = true;

    /// A sub-step begins: the number counts from 0, the offset is what is left of it on the ground.
    fn sub_step(&mut self, _number: u32, _offset: Vec3) {}

    /// A cell was asked what is in the way, and answered.
    fn asked(&mut self, _cell: CellId, _answer: Insert) {}

    /// The cells that the mover touches were listed, and one was picked as containing it.
    fn listed(&mut self, _cells: &[Entry], _picked: Option<CellId>) {}

    /// A sub-step ended with this answer, and the mover is where it says.
    fn validated(&mut self, _answer: Insert, _at: &Position) {}
}

impl Probe for () {
    const WATCHES: bool = false;
}

/// Every cell that was asked, with its answer.
impl Probe for Vec<(CellId, Insert)> {
    fn asked(&mut self, cell: CellId, answer: Insert) {
        self.push((cell, answer));
    }
}
