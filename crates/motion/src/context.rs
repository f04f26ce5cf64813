//! What moves of bodies share.

use threshold_world::World;

use crate::rules::Rules;
use crate::sweep::{SweepScratch, Sweeper};

/// The world that bodies move in and change, the rules, and the scratch memory of the thread.
///
/// Borrowed for one call or for many: it holds no state of its own.
#[derive(Debug)]
pub struct MoveContext<'a> {
    /// The world that is read by sweeps and changed by commits.
    pub world: &'a mut World,
    /// Answers to disputed questions.
    pub rules: Rules,
    /// Buffers and caches of this thread.
    pub scratch: &'a mut SweepScratch,
}

impl<'a> MoveContext<'a> {
    /// Borrows a world and scratch memory.
    pub fn new(world: &'a mut World, rules: Rules, scratch: &'a mut SweepScratch) -> Self {
        Self { world, rules, scratch }
    }

    /// Splits into a sweeper of the world as it is, and the scratch memory it needs.
    pub(crate) fn sweeper(&mut self) -> (Sweeper<'_>, &mut SweepScratch) {
        (Sweeper { world: self.world, rules: self.rules }, self.scratch)
    }
}
