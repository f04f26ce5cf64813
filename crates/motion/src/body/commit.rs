//! Commit: applies an outcome to world and body.

use smallvec::SmallVec;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Rotation, vector};
use threshold_world::{BodyId, Object, ObjectId, State, UnknownBody, World};

use super::Body;
use crate::mover::{Stance, Stationary};
use crate::outcome::{Outcome, Refusal};

/// A change that a commit reports. The body's own [`State::REPORT_COLLISIONS`] is not needed;
/// objects with [`State::IGNORE_COLLISIONS`] are not reported.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// The cell of the body changed. `None` means no cell: outside the world, or lost.
    ///
    /// Every change is reported, regardless of its cause: a move, [`Body::enter`],
    /// [`Body::set_position`], [`Body::teleport`], [`Body::recover`], [`Body::leave`], a dropped
    /// cell. A listener that starts from `None` and keeps the last `to` therefore always knows the
    /// body's cell ([`Object::cell`]); streaming, rendering and audio need no other signal.
    ///
    /// Retail: `CPhysicsObj::change_cell`, `enter_cell` and `leave_cell`.
    CellChanged {
        /// The previous cell.
        from: Option<CellId>,
        /// The new cell; never the same as `from`.
        to: Option<CellId>,
    },
    /// It landed on walkable ground. Retail: `HitGround`.
    Landed {
        /// Speed into the ground, in metres per second.
        speed: f32,
    },
    /// It left walkable ground. Retail: `LeaveGround`.
    LeftGround,
    /// It collided with an object or, in the air, with walls or ground. As in retail, walls that
    /// stop a walking body are not reported (the crate `threshold-why` explains them). Reported
    /// once until the contact ends.
    Collided(Obstacle),
    /// It passed through an object. Reported once until the contact ends.
    Passed(ObjectId),
    /// Contact with an object has ended: at once for an object it passed through, after a second
    /// without contact for a solid one. Retail: `report_collision_end`.
    Parted(ObjectId),
    /// No resident cell contains the body any more; it stays lost until it is placed again.
    /// Reported once, right after the [`CellChanged`](Self::CellChanged) to `None`, which is
    /// missing for a body that enters lost. Retail: the lost cell.
    Lost {
        /// Cell of its last position; for a body that enters lost, the requested cell.
        from: CellId,
    },
}

/// What a body collided with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obstacle {
    /// Walls, ground, or a static object.
    Environment,
    /// An object.
    Object(ObjectId),
}

/// Events of a commit, in order. Enough for a usual move without allocation.
pub type Events = SmallVec<[Event; 8]>;

/// Applies an outcome: moves the body, registers it in the cells it touches, and returns the
/// changes. A refused sweep changes nothing, except that a stopped body loses its velocity, and the
/// obstacles of a failed placement are reported.
///
/// Edits lists and searches nothing, since the sweep has found the cells; a body with a physics
/// tree finds its own. The outcome must be that of a sweep of this body. The world may have changed
/// since: a body whose cell was dropped is lost.
///
/// Retail: `CPhysicsObj::SetPositionInternal` and `handle_all_collisions`.
pub fn commit(
    world: &mut World,
    body: &mut Body,
    outcome: &Outcome,
) -> Result<Events, UnknownBody> {
    let object = world.body(body.id).ok_or(UnknownBody(body.id))?;
    let state = object.state();
    let mut events = Events::new();
    let change = body.settle(world, &PriorState::of(object), outcome, &mut events);
    change.apply(world, body.id, state)?;
    Ok(events)
}

/// A body's object before the commit.
#[derive(Clone, Copy, Debug)]
pub(super) struct PriorState<'o> {
    pub(super) object: &'o Object,
    pub(super) state: State,
    /// The last cell that was reported.
    pub(super) cell: Option<CellId>,
    /// Whether its loss was already reported.
    pub(super) is_lost: bool,
}

impl<'o> PriorState<'o> {
    /// Reads the object from the world.
    pub(super) fn of(object: &'o Object) -> Self {
        let (state, cell, is_lost) = (object.state(), object.cell(), object.is_lost());
        Self { object, state, cell, is_lost }
    }
}

/// Reports a change of cell, if there is one.
pub(super) fn report_cell(from: Option<CellId>, to: Option<CellId>, events: &mut Events) {
    if from != to {
        events.push(Event::CellChanged { from, to });
    }
}

/// Reports that a body has become lost; `at` is the cell of its position.
pub(crate) fn report_loss(known: Option<CellId>, at: CellId, events: &mut Events) {
    report_cell(known, None, events);
    events.push(Event::Lost { from: at });
}

/// The edits of the world that a commit still has to apply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorldChange<'o> {
    pub(crate) place: PlaceChange<'o>,
    pub(crate) state: State,
}

/// A change of position.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PlaceChange<'o> {
    /// Stays, with this rotation.
    Turn(Rotation),
    /// Moves to the end of the sweep, in the cells the sweep touched.
    Swept(&'o Outcome),
    /// Is lost at this position.
    Lost(Position),
}

impl WorldChange<'_> {
    /// Applies the edits. `state` is the body's state before.
    pub(super) fn apply(
        &self,
        world: &mut World,
        body: BodyId,
        state: State,
    ) -> Result<(), UnknownBody> {
        match self.place {
            PlaceChange::Turn(rotation) => world.turn(body, rotation)?,
            PlaceChange::Swept(Outcome { position, cells, missed, .. }) => {
                world.move_swept(body, *position, cells, missed)?;
            }
            PlaceChange::Lost(position) => world.lose(body, position)?,
        }
        if self.state != state {
            world.set_state(body, self.state)?;
        }
        Ok(())
    }
}

/// Returns the state of a missile after a hit; other states are unchanged.
fn without_missile_flags(state: State) -> State {
    if state.has(State::MISSILE) { state.with(MISSILE_FLAGS, false) } else { state }
}

/// Flags that a missile loses when it hits something.
pub(super) const MISSILE_FLAGS: State =
    State::MISSILE.with(State::ALIGN_PATH, true).with(State::PATH_CLIPPED, true);

impl Body {
    /// Applies an outcome to the body and returns the edits of the world. `before` is its own
    /// object.
    pub(super) fn settle<'o>(
        &mut self,
        world: &World,
        before: &PriorState<'_>,
        outcome: &'o Outcome,
        events: &mut Events,
    ) -> WorldChange<'o> {
        let is_resident = |cell: &CellId| outcome.is_ok() && world.is_resident(*cell);
        let Some(cell) = outcome.cell.filter(is_resident) else {
            return self.settle_without_cell(world, before, outcome, events);
        };
        let PriorState { object, state, .. } = *before;
        report_cell(before.cell, Some(cell), events);
        let old_stance = std::mem::replace(&mut self.stance, outcome.stance);
        let impact_speed = -self.velocity.dot(outcome.stance.plane.normal);
        self.apply_stop(outcome);
        self.stop_spin(state, &old_stance);
        match (old_stance.on_walkable, self.stance.on_walkable) {
            (false, true) => events.push(Event::Landed { speed: impact_speed.max(0.0) }),
            (true, false) => {
                events.push(Event::LeftGround);
                self.leave_ground(object, outcome.position.frame.rotation);
            }
            _ => {}
        }
        let state = self.collide(outcome, &old_stance, world, state, events);
        WorldChange { place: PlaceChange::Swept(outcome), state }
    }

    /// Like [`settle`](Self::settle), for a sweep that was refused or ended in no resident cell.
    fn settle_without_cell(
        &mut self,
        world: &World,
        before: &PriorState<'_>,
        outcome: &Outcome,
        events: &mut Events,
    ) -> WorldChange<'static> {
        let PriorState { object, mut state, .. } = *before;
        let from = object.position();
        self.apply_stop(outcome);
        match outcome.refused {
            None => {
                self.awake = false;
                if !before.is_lost {
                    report_loss(before.cell, from.cell, events);
                }
                return WorldChange { place: PlaceChange::Lost(outcome.position), state };
            }
            Some(Refusal::NoRoom | Refusal::MovedAway) => {
                // The obstacles are reported as if the body came out of the air.
                self.stance.stationary = Stationary::default();
                state = self.collide(outcome, &Stance::default(), world, state, events);
            }
            Some(_) => {}
        }
        WorldChange { place: PlaceChange::Turn(from.frame.rotation), state }
    }

    fn apply_stop(&mut self, outcome: &Outcome) {
        if outcome.velocity_stopped {
            self.velocity = Vec3::ZERO;
        }
    }

    /// Stops the spin on the ground. Retail: the two calls of `calc_acceleration` in a commit; the
    /// first still uses the old stance.
    fn stop_spin(&mut self, state: State, before: &Stance) {
        let is_walking = before.on_walkable || self.stance.on_walkable;
        if self.stance.contact && is_walking && !state.has(State::SLEDDING) {
            self.spin = Vec3::ZERO;
        }
    }

    /// Gives a body that walks off an edge its walking velocity. Retail:
    /// `CMotionInterp::LeaveGround`.
    pub(super) fn leave_ground(&mut self, object: &Object, rotation: Rotation) {
        let Some(gait) = self.gait else { return };
        let velocity = gait.jump_velocity();
        if super::jump::can_jump(object) && !vector::is_zero(velocity) {
            self.set_local_velocity(velocity, rotation, self.clock);
        }
    }

    /// Records and reports collisions, and bounces. Returns the new state.
    ///
    /// Retail: `CPhysicsObj::handle_all_collisions`.
    pub(super) fn collide(
        &mut self,
        outcome: &Outcome,
        before: &Stance,
        world: &World,
        mut state: State,
        events: &mut Events,
    ) -> State {
        for touched in &outcome.objects {
            let other = world.object(touched.object).map_or(State::default(), Object::state);
            let environment = other.has(State::REPORT_AS_ENVIRONMENT);
            if other.has(State::IGNORE_COLLISIONS) && !environment {
                continue;
            }
            let ethereal = other.has(State::ETHEREAL);
            if !self.collisions.record(touched.object, self.clock, ethereal) {
                continue;
            }
            if environment {
                state = self.hit_environment(state, events);
                continue;
            }
            events.push(match touched.blocking {
                true => Event::Collided(Obstacle::Object(touched.object)),
                false => Event::Passed(touched.object),
            });
            state = without_missile_flags(state);
        }
        self.collisions.end(self.clock, |object| events.push(Event::Parted(object)));
        let landed = !before.on_walkable && self.stance.on_walkable;
        if self.colliding_with_environment {
            self.colliding_with_environment = outcome.hit_environment;
        } else if outcome.hit_environment || landed {
            state = self.hit_environment(state, events);
        }
        self.bounce(outcome, before, state);
        state
    }

    /// Reports a collision with the environment once. Retail: `report_environment_collision`.
    fn hit_environment(&mut self, state: State, events: &mut Events) -> State {
        if std::mem::replace(&mut self.colliding_with_environment, true) {
            return state;
        }
        events.push(Event::Collided(Obstacle::Environment));
        without_missile_flags(state)
    }

    pub(super) fn bounce(&mut self, outcome: &Outcome, before: &Stance, state: State) {
        let is_walking =
            before.on_walkable && self.stance.on_walkable && !state.has(State::SLEDDING);
        if outcome.stationary_fall > 1 {
            self.velocity = Vec3::ZERO;
        } else if let Some(normal) = outcome.hit.filter(|_| !is_walking) {
            let into = self.velocity.dot(normal);
            if state.has(State::INELASTIC) {
                self.velocity = Vec3::ZERO;
            } else if into < 0.0 {
                let bounced = self.velocity + normal * (-into * (self.elasticity + 1.0));
                // The elasticity is a public field and may have any value.
                self.velocity = if bounced.is_finite() { bounced } else { Vec3::ZERO };
            }
        }
    }
}
