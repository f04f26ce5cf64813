//! Entering, moving within, and leaving the world.

use threshold_land::Position;
use threshold_world::{BodySpec, Object, UnknownBody, World};

use super::commit::{PriorState, report_cell};
use super::{Body, Event, Events, commit};
use crate::context::MoveContext;
use crate::mover::{Mover, Stance};
use crate::outcome::Outcome;
use crate::place::Search;

impl Body {
    /// Enters the world at or near a position. Without room it stays outside and the outcome says
    /// why. Where no cell is resident it enters lost.
    ///
    /// It takes the id of `spec`, replaces an earlier body of that id, and its clock starts now.
    /// The events begin with the cell that the earlier body leaves, if there is one, and the cell
    /// that this one enters.
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

    /// Places the body at or near another position. Without room it stays where it is and the
    /// outcome says why. Its earlier stance is ignored, its velocity stays. Where no cell is
    /// resident it becomes lost. A sleeping body wakes.
    ///
    /// A refusal with collision events is retail's `Collided`, one without its `NoValidPosition`.
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

    /// Like [`set_position`](Self::set_position), after ending all its contacts. Retail:
    /// `teleport_hook`, then `SetPosition`.
    pub fn teleport(
        &mut self,
        context: &mut MoveContext<'_>,
        at: &Position,
        now: f64,
    ) -> Result<(Outcome, Events), UnknownBody> {
        let mut events = self.end_contacts();
        let (outcome, more) = self.set_position(context, at, Search::Around, now)?;
        events.extend(more);
        Ok((outcome, events))
    }

    /// Places a lost body again once its cell is resident; `None` until then, and for a body that
    /// is not lost. If that cell does not contain it, it stays lost, which is not reported again.
    ///
    /// Retail: `SetPosition` with 0x1001, when the cell of a lost object loads. Retail destroyed an
    /// object after 25 seconds; here that is left to the owner of the bodies.
    pub fn recover(
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

    /// Leaves the world: ends all contacts, and sleeps. Returns its object.
    ///
    /// Retail: `CPhysicsObj::leave_world`.
    pub fn leave(&mut self, world: &mut World) -> Result<(Object, Events), UnknownBody> {
        let mut events = self.end_contacts();
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

    pub(super) fn end_contacts(&mut self) -> Events {
        let mut events = Events::new();
        self.collisions.end_all(|object| events.push(Event::Parted(object)));
        events
    }

    /// Clears the flags of the stance; plane and normal stay.
    fn forget_ground(&mut self) {
        let Stance { plane, plane_cell, sliding_normal, .. } = self.stance;
        self.stance = Stance { plane, plane_cell, sliding_normal, ..Stance::default() };
    }
}
