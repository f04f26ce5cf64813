//! Ethereal and hidden bodies.

use threshold_world::{Object, ObjectId, State, UnknownBody, World};

use super::{Body, Events};
use crate::context::MoveContext;
use crate::mover::Mover;
use crate::sweep::{SweepScratch, Sweeper};

impl Body {
    /// Makes the body ethereal or solid. While a mover overlaps it, it stays ethereal and retries
    /// in each quantum. Returns whether it is in the requested state.
    ///
    /// Retail: `CPhysicsObj::set_ethereal`.
    pub fn set_ethereal(
        &mut self,
        context: &mut MoveContext<'_>,
        ethereal: bool,
        now: f64,
    ) -> Result<bool, UnknownBody> {
        let (sweeper, scratch) = context.sweeper();
        let object = sweeper.world.body(self.id).ok_or(UnknownBody(self.id))?;
        let state = object.state();
        let clear = ethereal || self.is_clear(&sweeper, scratch, object);
        self.becoming_solid = !clear;
        context.world.set_state(self.id, state.with(State::ETHEREAL, ethereal || !clear))?;
        if self.becoming_solid {
            self.wake(now);
        }
        Ok(clear)
    }

    /// Hides or shows the body. A hidden body does not move, touches nothing, and others do not
    /// report it.
    ///
    /// Retail: `CPhysicsObj::set_hidden`.
    pub fn set_hidden(&mut self, world: &mut World, hidden: bool) -> Result<Events, UnknownBody> {
        let state = world.body(self.id).map(Object::state).ok_or(UnknownBody(self.id))?;
        if state.has(State::HIDDEN) == hidden {
            return Ok(Events::new());
        }
        let state = state
            .with(State::HIDDEN, hidden)
            .with(State::REPORT_COLLISIONS, !hidden)
            .with(State::IGNORE_COLLISIONS, hidden);
        world.set_state(self.id, state)?;
        // Objects it still touches when it is shown again are reported once more.
        Ok(self.end_contacts())
    }

    /// Returns whether no mover would overlap it if it were solid.
    pub(super) fn is_clear(
        &self,
        sweeper: &Sweeper<'_>,
        scratch: &mut SweepScratch,
        object: &Object,
    ) -> bool {
        let solid = object.state().with(State::ETHEREAL, false);
        let own = ObjectId::body(self.id);
        let cells = object.cells().iter().filter(|registered| registered.resident);
        !cells.flat_map(|registered| sweeper.world.objects_in(registered.cell)).any(|other| {
            other.id() != own
                && sweeper.overlaps_as(
                    scratch,
                    &Mover::from_object(other),
                    other.position(),
                    object,
                    solid,
                )
        })
    }
}
