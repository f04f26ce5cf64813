//! Movers in the world, with the objects of their scenario.

use threshold_land::Position;
use threshold_land::vector::Vec3;
use threshold_motion::{Body, Events, MoveContext, Outcome, Stance, Sweeper};
use threshold_world::{BodyId, BodySpec, ObjectKind, PlayerStatus, UnknownBody};

use super::answer::answer;
use super::{NotRun, Runner};
use crate::record::Step;
use crate::scenario::{MoverSpec, ScenarioObject, SimJob, Start, WalkJob};

/// Objects are numbered from 0; the mover comes after all of them.
pub(super) const MOVER: BodyId = BodyId(u32::MAX);

/// A mover in the world of a [`Runner`], with the objects of its scenario. Take it out again with
/// [`leave`](Self::leave).
#[derive(Debug)]
#[must_use = "it stays in the world until it leaves"]
pub struct ScenarioMover {
    pub(super) body: Body,
    objects: Objects,
}

/// The objects of a scenario in the world, by their number.
#[derive(Debug)]
#[must_use = "they stay in the world until they are taken out"]
pub(super) struct Objects(u32);

impl Runner {
    /// Puts the mover and the objects of a walk into the world.
    pub fn enter(&mut self, walk: &WalkJob) -> Result<ScenarioMover, NotRun> {
        self.start(&walk.mover, &walk.start, &walk.objects)
    }

    /// Puts the mover and the objects of a fall into the world and sets the velocity of the mover.
    pub fn throw(&mut self, sim: &SimJob) -> Result<ScenarioMover, NotRun> {
        let mut mover = self.start(&sim.mover, &sim.start, &sim.objects)?;
        mover.body.set_velocity(sim.velocity, 0.0);
        Ok(mover)
    }

    fn start(
        &mut self,
        mover: &MoverSpec,
        start: &Start,
        objects: &[ScenarioObject],
    ) -> Result<ScenarioMover, NotRun> {
        self.require(start.cell)?;
        let mover = self.mover(mover, start.position())?;
        let objects = self.put(objects)?;
        self.world.insert(mover);
        let mut body = Body::new(MOVER);
        if start.contact {
            body.stance = Stance::standing();
        }
        Ok(ScenarioMover { body, objects })
    }

    /// Puts the objects of a scenario into the world; all of them or none.
    pub(super) fn put(&mut self, objects: &[ScenarioObject]) -> Result<Objects, NotRun> {
        let specs = objects.iter().zip(0..).map(|(object, number)| {
            let (position, scale, state) = (object.position(), object.scale, object.state);
            let (setup, kind) = (self.setup(object.setup)?, ObjectKind::None);
            Ok(BodySpec { body: BodyId(number), setup, position, scale, state, kind })
        });
        let specs: Vec<BodySpec> = specs.collect::<Result<_, NotRun>>()?;
        let mut count = 0;
        for spec in specs {
            self.world.insert(spec);
            count += 1;
        }
        Ok(Objects(count))
    }

    /// Removes the objects from the world.
    pub(super) fn take_out(&mut self, Objects(count): Objects) {
        for body in (0..count).map(BodyId) {
            // Present: nothing else removes them.
            let _ = self.world.remove(body);
        }
    }

    /// Returns the spec of a mover at a position.
    pub(super) fn mover(&self, mover: &MoverSpec, position: Position) -> Result<BodySpec, NotRun> {
        let (scale, state) = (mover.scale, mover.state);
        let kind = match mover.player {
            true => ObjectKind::Player(PlayerStatus::Peaceful),
            false => ObjectKind::None,
        };
        let setup = self.setup(mover.setup)?;
        Ok(BodySpec { body: MOVER, setup, position, scale, state, kind })
    }
}

impl ScenarioMover {
    /// Takes the mover and the objects out of the world.
    pub fn leave(self, runner: &mut Runner) {
        runner.take_out(self.objects);
        // Present, too.
        let _ = runner.world.remove(MOVER);
    }

    /// Sweeps one move, in metres, and commits its outcome.
    pub fn advance(
        &mut self,
        runner: &mut Runner,
        by: Vec3,
    ) -> Result<(Outcome, Events), UnknownBody> {
        self.body.move_by(
            &mut MoveContext::new(&mut runner.world, runner.rules, &mut runner.scratch),
            by,
        )
    }

    /// Moves it by one quantum, in seconds; returns the outcome of its sweep, if there was one.
    pub fn update(&mut self, runner: &mut Runner, dt: f32) -> Result<Option<Outcome>, UnknownBody> {
        let sweeper = Sweeper { world: &runner.world, rules: runner.rules };
        let quantum = self.body.resolve(&sweeper, &mut runner.scratch, &mut (), dt)?;
        let Some(quantum) = quantum else { return Ok(None) };
        self.body.commit(&mut runner.world, &quantum)?;
        Ok(quantum.outcome)
    }

    /// Returns its velocity in metres a second.
    pub fn velocity(&self) -> Vec3 {
        self.body.velocity
    }

    /// Returns the mover as a step, after a sweep or without one.
    pub(super) fn answer(
        &self,
        runner: &Runner,
        sweep: Option<&Outcome>,
    ) -> Result<Step, UnknownBody> {
        let object = runner.world.body(MOVER).ok_or(UnknownBody(MOVER))?;
        Ok(answer(object.position(), &self.body.stance, sweep))
    }
}
