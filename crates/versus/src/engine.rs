//! Engines that walk: this one, and rapier.

use rapier3d::prelude::ColliderHandle;
use threshold_conformance::{Runner, Walker};
use threshold_land::Position;
use threshold_land::glam::Vec3;

use crate::arena::Arena;
use crate::character::{Autostep, Character};
use crate::course::Way;
use crate::scene::Origin;

/// Something that can take all walks of a world.
pub(crate) trait Engine {
    /// Somebody on the way.
    type Walker;

    /// Puts the mover of a way to its start, and the objects of the way where they stand.
    fn enter(&mut self, way: &Way) -> anyhow::Result<Self::Walker>;

    /// Takes one move, in metres.
    fn advance(&mut self, walker: &mut Self::Walker, by: Vec3) -> anyhow::Result<()>;

    /// Where it is.
    fn feet(&self, walker: &Self::Walker) -> Vec3;

    /// Takes the mover and the objects away.
    fn leave(&mut self, walker: Self::Walker);
}

/// This engine.
pub(crate) struct Threshold {
    pub(crate) runner: Runner,
    pub(crate) origin: Origin,
}

impl Engine for Threshold {
    type Walker = (Walker, Position);

    fn enter(&mut self, way: &Way) -> anyhow::Result<Self::Walker> {
        Ok((self.runner.enter(&way.walk)?, way.walk.start.position()))
    }

    fn advance(&mut self, (walker, at): &mut Self::Walker, by: Vec3) -> anyhow::Result<()> {
        let (outcome, _) = walker.advance(&mut self.runner, by)?;
        // A move that is refused changes nothing.
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

    fn enter(&mut self, way: &Way) -> anyhow::Result<Self::Walker> {
        let start = self.origin.place(&way.walk.start.position());
        let objects = self.arena.put(&way.objects)?;
        Ok((Character::new(&way.shape, start, self.autostep), objects))
    }

    fn advance(&mut self, (character, _): &mut Self::Walker, by: Vec3) -> anyhow::Result<()> {
        character.advance(&self.arena, by);
        Ok(())
    }

    fn feet(&self, (character, _): &Self::Walker) -> Vec3 {
        character.feet()
    }

    fn leave(&mut self, (_, objects): Self::Walker) {
        self.arena.take_out(objects);
    }
}
