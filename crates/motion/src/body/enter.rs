//! Into the world, about it, and out of it.

use threshold_land::Position;
use threshold_world::{BodySpec, Object, UnknownBody, World};

use super::commit::{PriorState, report_cell};
use super::{Body, Event, Events, commit};
use crate::context::MoveContext;
use crate::mover::{Mover, Stance};
use crate::outcome::Outcome;
use crate::place::Search;

impl Body {
    /// Comes into the world at a place, or near it; where there is no room it stays outside and the outcome
    /// says why. Where no cell is resident there it is in the world and lost, until it is.
    ///
    /// It takes the number of `spec`, in place of an earlier body of that number, and its time begins now. The events begin with
    /// the cell that the earlier body leaves, if there is one, and the cell that this one enters.
    ///
    /// Retail: `CPhysicsObj::enter_world`.
    pub fn enter(
        &mut self,
        context: &mut MoveContext<'_>,
        spec: BodySpec,
        search: Search,
        now: f64,
    ) -> (Outcome, Events) {
        let mover = Mover { target: self.target, ..Mover::from_spec(&spec) };
        let (sweeper, scratch) = context.sweeper();
        let outcome = sweeper.place(scratch, &mut (), &mover, &spec.position, search);
        let world = &mut *context.world;
        if !outcome.is_ok() {
            return (outcome, Events::new());
        }
        self.id = spec.body;
        self.set_clock(now);
        self.forget_ground();
        let spec = BodySpec { position: outcome.position, ..spec };
        let mut events = Events::new();
        report_cell(world.body(self.id).and_then(Object::cell), None, &mut events);
        world.insert_at(spec, &outcome.cells, &outcome.missed);
        self.awake = true;
        if let Some(object) = world.body(self.id) {
            let before = PriorState { cell: None, is_lost: false, ..PriorState::of(object) };
            let state = before.state;
            let settled = self.settle(world, &before, &outcome, &mut events);
            // The body was inserted above, so it is there.
            let _ = settled.apply(world, self.id, state);
        }
        (outcome, events)
    }

    /// Is put somewhere else, or near it; where there is no room it stays where it is and the outcome says why.
    /// What it stood on plays no part, its velocity stays. Where no cell is resident there it is lost. One that sleeps
    /// wakes up now.
    ///
    /// A refusal of which anything is reported, so that it has collided, is retail's `Collided`; one without is its
    /// `NoValidPosition`.
    ///
    /// Retail: `CPhysicsObj::SetPosition`.
    pub fn set_position(
        &mut self,
        context: &mut MoveContext<'_>,
        at: &Position,
        search: Search,
        now: f64,
    ) -> Result<(Outcome, Events), UnknownBody> {
        let (sweeper, scratch) = context.sweeper();
        let object = sweeper.world.body(self.id).ok_or(UnknownBody(self.id))?;
        let outcome = sweeper.place(scratch, &mut (), &self.mover_of(object), at, search);
        self.wake(now);
        let events = commit(context.world, self, &outcome)?;
        Ok((outcome, events))
    }

    /// The same after letting go of everything it touches. Retail: `teleport_hook`, then `SetPosition`.
    pub fn teleport(
        &mut self,
        context: &mut MoveContext<'_>,
        at: &Position,
        now: f64,
    ) -> Result<(Outcome, Events), UnknownBody> {
        let mut events = self.part_from_all();
        let (outcome, more) = self.set_position(context, at, Search::Around, now)?;
        events.extend(more);
        Ok((outcome, events))
    }

    /// Comes back from nowhere, once its cell is resident; `None` until then, and for a body that is not lost. Where that
    /// cell does not contain it, it stays lost, which is not reported again.
    ///
    /// Retail: `SetPosition` with 0x1001, when the cell of a lost object loads. (What has been lost for 25 seconds it
    /// destroyed; that is for whoever keeps the bodies.)
    pub fn come_back(
        &mut self,
        context: &mut MoveContext<'_>,
        now: f64,
    ) -> Result<Option<(Outcome, Events)>, UnknownBody> {
        let object = context.world.body(self.id).ok_or(UnknownBody(self.id))?;
        let at = *object.position();
        if !object.is_lost() || !context.world.is_resident(at.cell) {
            return Ok(None);
        }
        self.set_position(context, &at, Search::Here, now).map(Some)
    }

    /// Leaves the world: touches nothing, stands on nothing, is in no cell, and sleeps. Its object comes back.
    ///
    /// Retail: `CPhysicsObj::leave_world`.
    pub fn leave(&mut self, world: &mut World) -> Result<(Object, Events), UnknownBody> {
        let mut events = self.part_from_all();
        let object = world.remove(self.id)?;
        report_cell(object.cell(), None, &mut events);
        if self.stance.on_walkable {
            events.push(Event::LeftGround);
            self.leave_ground(&object, object.position().frame.rotation);
        }
        self.forget_ground();
        self.awake = false;
        self.becoming_solid = false;
        Ok((object, events))
    }

    pub(super) fn part_from_all(&mut self) -> Events {
        let mut events = Events::new();
        self.collisions.end_all(|object| events.push(Event::Parted(object)));
        events
    }

    /// The marks go, the plane stays.
    fn forget_ground(&mut self) {
        let Stance { plane, plane_cell, sliding_normal, .. } = self.stance;
        self.stance = Stance { plane, plane_cell, sliding_normal, ..Stance::default() };
    }
}
