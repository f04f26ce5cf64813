//! The compared engines: Threshold and rapier.

use rapier3d::prelude::ColliderHandle;
use threshold_conformance::{Runner, ScenarioMover};
use threshold_land::Position;
use threshold_land::vector::Vec3;

use crate::arena::Arena;
use crate::character::{Autostep, Character};
use crate::course::CourseWalk;
use crate::scene::Origin;

/// An engine that can run all walks of a world.
pub(crate) trait Engine {
    /// A mover during a walk.
    type Walker;

    /// Places the mover at the start of a walk, and the walk's objects in the world.
    fn enter(&mut self, walk: &CourseWalk) -> anyhow::Result<Self::Walker>;

    /// Takes one move, in metres.
    fn advance(&mut self, walker: &mut Self::Walker, by: Vec3) -> anyhow::Result<()>;

    /// Returns the position of the feet.
    fn feet(&self, walker: &Self::Walker) -> Vec3;

    /// Removes the mover and the objects.
    fn leave(&mut self, walker: Self::Walker);
}

/// Threshold.
pub(crate) struct Threshold {
    pub(crate) runner: Runner,
    pub(crate) origin: Origin,
}

impl Engine for Threshold {
    type Walker = (ScenarioMover, Position);

    fn enter(&mut self, walk: &CourseWalk) -> anyhow::Result<Self::Walker> {
        Ok((self.runner.enter(&walk.recorded)?, walk.recorded.start.position()))
    }

    fn advance(&mut self, (walker, at): &mut Self::Walker, by: Vec3) -> anyhow::Result<()> {
        let (outcome, _) = walker.advance(&mut self.runner, by)?;
        // A refused move changes nothing.
        if outcome.is_ok() {
            *at = outcome.position;
        }
        Ok(())
    }

    fn feet(&self, (_, at): &Self::Walker) -> Vec3 {
        self.origin.place(at)
    }

    fn leave(&mut self, (walker, _): Self::Walker) {
        walker.leave(&mut self.runner);
    }
}

/// Rapier's character controller.
pub(crate) struct Rapier {
    pub(crate) arena: Arena,
    pub(crate) origin: Origin,
    pub(crate) autostep: Autostep,
}

impl Engine for Rapier {
    type Walker = (Character, Vec<ColliderHandle>);

    fn enter(&mut self, walk: &CourseWalk) -> anyhow::Result<Self::Walker> {
        let start = self.origin.place(&walk.recorded.start.position());
        let objects = self.arena.add(&walk.objects)?;
        Ok((Character::new(&walk.shape, start, self.autostep), objects))
    }

    fn advance(&mut self, (character, _): &mut Self::Walker, by: Vec3) -> anyhow::Result<()> {
        character.advance(&self.arena, by);
        Ok(())
    }

    fn feet(&self, (character, _): &Self::Walker) -> Vec3 {
        character.feet()
    }

    fn leave(&mut self, (_, objects): Self::Walker) {
        self.arena.remove(objects);
    }
}
