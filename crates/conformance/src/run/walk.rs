//! Walks.

use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::{Body, Events, Outcome, Scratch, Stance};
use threshold_world::{BodyId, BodySpec, NoSuchBody, Object, ObjectKind, PlayerStatus};

use super::{NotRun, Runner};
use crate::record::Step;
use crate::scenario::{Mover, Start, Walk};

/// A mover in the world of a [`Runner`], with the objects of its scenario. Take it out again with
/// [`leave`](Self::leave).
#[derive(Debug)]
#[must_use = "it stays in the world until it leaves"]
pub struct Walker {
    body: Body,
    objects: u32,
}

/// Objects are numbered from 0 on, and the mover comes after all of them.
const MOVER: BodyId = BodyId(u32::MAX);

pub(super) fn walk(runner: &mut Runner, walk: &Walk) -> Result<Vec<Step>, NotRun> {
    let mut walker = runner.enter(walk)?;
    let mut scratch = std::mem::take(&mut runner.scratch);
    let steps = walk.moves.iter().map(|by| walker.step(runner, &mut scratch, *by));
    let steps: Result<Vec<Step>, NoSuchBody> = steps.collect();
    runner.scratch = scratch;
    walker.leave(runner);
    Ok(steps?)
}

impl Runner {
    /// Puts the mover and the objects of a walk into the world.
    pub fn enter(&mut self, walk: &Walk) -> Result<Walker, NotRun> {
        self.require(walk.start.cell)?;
        let mover = self.mover(&walk.mover, &walk.start)?;
        let objects = walk.objects.iter().zip(0..);
        let objects: Vec<BodySpec> = objects
            .map(|(object, number)| {
                let (position, scale, state) = (object.position(), object.scale, object.state);
                let (setup, kind) = (self.setup(object.setup)?, ObjectKind::None);
                Ok(BodySpec { body: BodyId(number), setup, position, scale, state, kind })
            })
            .collect::<Result<_, NotRun>>()?;
        objects.into_iter().chain([mover]).for_each(|body| self.world.insert(body));
        let mut body = Body::new(MOVER);
        if walk.start.contact {
            body.stance = Stance::standing();
        }
        let objects = u32::try_from(walk.objects.len()).unwrap_or(u32::MAX);
        Ok(Walker { body, objects })
    }

    fn mover(&self, mover: &Mover, start: &Start) -> Result<BodySpec, NotRun> {
        let (position, scale, state) = (start.position(), mover.scale, mover.state);
        let kind = match mover.player {
            true => ObjectKind::Player(PlayerStatus::Peaceful),
            false => ObjectKind::None,
        };
        let setup = self.setup(mover.setup)?;
        Ok(BodySpec { body: MOVER, setup, position, scale, state, kind })
    }
}

impl Walker {
    /// Takes the mover and the objects out of the world.
    pub fn leave(self, runner: &mut Runner) {
        for body in (0..self.objects).map(BodyId).chain([MOVER]) {
            // They are there: nobody else takes them out.
            let _ = runner.world.remove(body);
        }
    }

    /// Tries one move, and makes fact of where it ends.
    pub fn advance(
        &mut self,
        runner: &mut Runner,
        scratch: &mut Scratch,
        by: Vec3,
    ) -> Result<(Outcome, Events), NoSuchBody> {
        self.body.move_by(&mut runner.world, runner.rules, scratch, by)
    }

    fn step(
        &mut self,
        runner: &mut Runner,
        scratch: &mut Scratch,
        by: Vec3,
    ) -> Result<Step, NoSuchBody> {
        let (outcome, _) = self.advance(runner, scratch, by)?;
        let at = *runner.world.body(self.body.id).map(Object::position).ok_or(NoSuchBody(MOVER))?;
        Ok(self.answer(&outcome, &at))
    }

    fn answer(&self, outcome: &Outcome, at: &Position) -> Step {
        let stance = &self.body.stance;
        let cells: Vec<CellId> = outcome.cells.iter().map(|entry| entry.cell).collect();
        Step {
            ok: outcome.is_ok().into(),
            cell: at.cell.into(),
            pos: at.frame.origin.into(),
            contact: stance.contact.into(),
            walkable: stance.on_walkable.into(),
            plane: stance.contact.then_some(stance.plane).into(),
            plane_cell: stance.contact.then_some(stance.plane_cell).into(),
            slide: stance.sliding.then_some(stance.sliding_normal).into(),
            hit: outcome.hit.into(),
            env: outcome.environment.into(),
            cells: cells.into(),
            ..Step::default()
        }
    }
}
