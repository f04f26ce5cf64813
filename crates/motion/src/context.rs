//! The context shared by moves of bodies.

use threshold_world::World;

use crate::rules::Rules;
use crate::sweep::{SweepScratch, Sweeper};

/// World, rules and scratch of one thread, as needed to move bodies.
///
/// Borrowed for one call or for many; it has no state of its own.
#[derive(Debug)]
pub struct MoveContext<'a> {
    /// World that sweeps read and commits change.
    pub world: &'a mut World,
    /// Choices for disputed behaviour.
    pub rules: Rules,
    /// Buffers and caches of this thread.
    pub scratch: &'a mut SweepScratch,
}

impl<'a> MoveContext<'a> {
    /// Borrows a world and a scratch.
    pub fn new(world: &'a mut World, rules: Rules, scratch: &'a mut SweepScratch) -> Self {
        Self { world, rules, scratch }
    }

    /// Splits into a sweeper of the current world, and the scratch it needs.
    pub(crate) fn sweeper(&mut self) -> (Sweeper<'_>, &mut SweepScratch) {
        (Sweeper { world: self.world, rules: self.rules }, self.scratch)
    }
}
