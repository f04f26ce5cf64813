//! How a sweep becomes fact.

use smallvec::SmallVec;
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position, Rotation, vector};
use threshold_world::{BodyId, Object, ObjectId, State, UnknownBody, World};

use super::Body;
use crate::mover::{Stance, Stationary};
use crate::outcome::{Outcome, Refusal};

/// What became different with a commit. Whoever asks is told, whether its own state says [`State::REPORT_COLLISIONS`] or
/// not; of others that say [`State::IGNORE_COLLISIONS`] nothing is said.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// The body is in another cell, in a cell again, or in none. `None` means no cell: outside the world, or lost.
    ///
    /// Every change is reported, however it came about: a move, [`Body::enter`], [`Body::set_position`], [`Body::teleport`],
    /// [`Body::come_back`], [`Body::leave`], a cell that was dropped. A listener that starts from `None` and keeps the last `to`
    /// therefore always knows the body's cell ([`Object::cell`]); streaming, rendering and audio need no other signal.
    ///
    /// Retail: `CPhysicsObj::change_cell`, `enter_cell` and `leave_cell`.
    CellChanged {
        /// The cell it was in.
        from: Option<CellId>,
        /// The cell it is in; never the same as `from`.
        to: Option<CellId>,
    },
    /// It came to stand on walkable ground. Retail: `HitGround`.
    Landed {
        /// How fast it went into the ground, in metres a second.
        speed: f32,
    },
    /// It no longer stands on walkable ground. Retail: `LeaveGround`.
    LeftGround,
    /// It ran into an object, or in the air into walls or ground; as in retail nothing is said of walls that who walks is stopped
    /// by (the crate `threshold-why` tells of them). Said once, until it has let go of it.
    Collided(Obstacle),
    /// It touched an object that let it pass. Said once, until it has left it.
    Passed(ObjectId),
    /// It no longer touches an object that it ran into or passed; what is solid must be left alone for a second.
    /// Retail: `report_collision_end`.
    Parted(ObjectId),
    /// No resident cell contains the body: it is in none until it is put somewhere. Reported once, when the body becomes lost,
    /// right after the [`CellChanged`](Self::CellChanged) to `None` (which a body that enters lost does not have).
    /// Retail: the lost cell.
    Lost {
        /// The cell of its position before: the one it was in, or, where it entered lost, the one it was to enter.
        from: CellId,
    },
}

/// What a body ran into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obstacle {
    /// Walls, ground, or what never moves.
    Environment,
    /// An object.
    Object(ObjectId),
}

/// What became different with a commit, in order. That of a usual move is kept in place.
pub type Events = SmallVec<[Event; 8]>;

/// Makes a sweep fact: moves the body, puts it into the lists of the cells it touches, and says what became
/// different. A sweep that was refused changes nothing, except that a body it has stopped is stopped, and
/// that what kept it from being put somewhere is met.
///
/// Edits lists and the body, and looks for nothing: the sweep has found the cells. (What has a physics tree finds its own.)
/// The outcome must be that of a sweep of this body. The world may have changed since: a body whose cell has gone is lost.
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
    let settled = body.settle(world, &PriorState::of(object), outcome, &mut events);
    settled.apply(world, body.id, state)?;
    Ok(events)
}

/// A body's object as it was before the commit.
#[derive(Clone, Copy, Debug)]
pub(super) struct PriorState<'o> {
    pub(super) object: &'o Object,
    pub(super) state: State,
    /// The cell that listeners know it to be in.
    pub(super) cell: Option<CellId>,
    /// Whether its loss was reported already.
    pub(super) is_lost: bool,
}

impl<'o> PriorState<'o> {
    /// As the world has it.
    pub(super) fn of(object: &'o Object) -> Self {
        let (state, cell, is_lost) = (object.state(), object.cell(), object.is_lost());
        Self { object, state, cell, is_lost }
    }
}

/// Reports a change of cell, if it is one.
pub(super) fn report_cell(from: Option<CellId>, to: Option<CellId>, events: &mut Events) {
    if from != to {
        events.push(Event::CellChanged { from, to });
    }
}

/// Reports that a body whose position is in this cell has become lost.
pub(crate) fn report_loss(known: Option<CellId>, at: CellId, events: &mut Events) {
    report_cell(known, None, events);
    events.push(Event::Lost { from: at });
}

/// What a body's commit leaves to be done to the world: edits of it, nothing to reckon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorldChange<'o> {
    pub(crate) shift: PlaceChange<'o>,
    pub(crate) state: State,
}

/// What becomes of the place of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PlaceChange<'o> {
    /// It stays where it is, turned so.
    Turn(Rotation),
    /// It is where its sweep has ended, in the cells of the sweep.
    Swept(&'o Outcome),
    /// It is there and in no cell.
    Lost(Position),
}

impl WorldChange<'_> {
    /// Does it. `state` is what the body had.
    pub(super) fn apply(
        &self,
        world: &mut World,
        body: BodyId,
        state: State,
    ) -> Result<(), UnknownBody> {
        match self.shift {
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

/// A missile that has hit something is one no longer.
fn without_missile_flags(state: State) -> State {
    if state.has(State::MISSILE) { state.with(MISSILE_FLAGS, false) } else { state }
}

/// What a missile is no longer once it has hit something.
pub(super) const MISSILE_FLAGS: State =
    State::MISSILE.with(State::ALIGN_PATH, true).with(State::PATH_CLIPPED, true);

impl Body {
    /// The body's half of a commit: what it becomes, told by what its sweep met in the world as it is. The object is its
    /// own.
    pub(super) fn settle<'o>(
        &mut self,
        world: &World,
        before: &PriorState<'_>,
        outcome: &'o Outcome,
        events: &mut Events,
    ) -> WorldChange<'o> {
        let there = |cell: &CellId| outcome.is_ok() && world.is_resident(*cell);
        let Some(cell) = outcome.cell.filter(there) else {
            return self.settle_without_cell(world, before, outcome, events);
        };
        let PriorState { object, state, .. } = *before;
        report_cell(before.cell, Some(cell), events);
        let stood = std::mem::replace(&mut self.stance, outcome.stance);
        let falls = -self.velocity.dot(outcome.stance.plane.normal);
        self.stop(outcome);
        self.stand(state, &stood);
        match (stood.on_walkable, self.stance.on_walkable) {
            (false, true) => events.push(Event::Landed { speed: falls.max(0.0) }),
            (true, false) => {
                events.push(Event::LeftGround);
                self.leave_ground(object, outcome.position.frame.rotation);
            }
            _ => {}
        }
        let state = self.collide(outcome, &stood, (world, state), events);
        WorldChange { shift: PlaceChange::Swept(outcome), state }
    }

    /// The same for a sweep that was refused, or that ended in no cell that is there.
    fn settle_without_cell(
        &mut self,
        world: &World,
        before: &PriorState<'_>,
        outcome: &Outcome,
        events: &mut Events,
    ) -> WorldChange<'static> {
        let PriorState { object, mut state, .. } = *before;
        let from = object.position();
        self.stop(outcome);
        match outcome.refused {
            None => {
                self.awake = false;
                if !before.is_lost {
                    report_loss(before.cell, from.cell, events);
                }
                return WorldChange { shift: PlaceChange::Lost(outcome.position), state };
            }
            Some(Refusal::NoRoom | Refusal::MovedAway) => {
                // What was in the way is met, as if the body came out of the air.
                self.stance.stationary = Stationary::default();
                state = self.collide(outcome, &Stance::default(), (world, state), events);
            }
            Some(_) => {}
        }
        WorldChange { shift: PlaceChange::Turn(from.frame.rotation), state }
    }

    fn stop(&mut self, outcome: &Outcome) {
        if outcome.velocity_stopped {
            self.velocity = Vec3::ZERO;
        }
    }

    /// Ground stops what spins. Retail: the two calls of `calc_acceleration` in a commit; at the first the body still
    /// walks as it did.
    fn stand(&mut self, state: State, before: &Stance) {
        let walks = before.on_walkable || self.stance.on_walkable;
        if self.stance.contact && walks && !state.has(State::SLEDDING) {
            self.spin = Vec3::ZERO;
        }
    }

    /// Who walks off an edge flies on as fast as it walked. Retail: `CMotionInterp::LeaveGround`.
    pub(super) fn leave_ground(&mut self, object: &Object, rotation: Rotation) {
        let Some(gait) = self.gait else { return };
        let velocity = gait.jump_velocity();
        if super::jump::leaps(object) && !vector::is_zero(velocity) {
            self.set_local_velocity(velocity, rotation, self.clock);
        }
    }

    /// Notes what was run into, and bounces. Returns the state that is left.
    ///
    /// Retail: `CPhysicsObj::handle_all_collisions`.
    pub(super) fn collide(
        &mut self,
        outcome: &Outcome,
        before: &Stance,
        (world, mut state): (&World, State),
        events: &mut Events,
    ) -> State {
        for touched in &outcome.objects {
            let other = world.object(touched.object).map_or(State::default(), Object::state);
            let environment = other.has(State::REPORT_AS_ENVIRONMENT);
            if other.has(State::IGNORE_COLLISIONS) && !environment {
                continue;
            }
            let ethereal = other.has(State::ETHEREAL);
            if !self.collisions.note(touched.object, self.clock, ethereal) {
                continue;
            }
            if environment {
                state = self.meet_environment(state, events);
                continue;
            }
            events.push(match touched.blocking {
                true => Event::Collided(Obstacle::Object(touched.object)),
                false => Event::Passed(touched.object),
            });
            state = without_missile_flags(state);
        }
        self.collisions.end(self.clock, |object| events.push(Event::Parted(object)));
        let came_down = !before.on_walkable && self.stance.on_walkable;
        if self.colliding_with_environment {
            self.colliding_with_environment = outcome.hit_environment;
        } else if outcome.hit_environment || came_down {
            state = self.meet_environment(state, events);
        }
        self.bounce(outcome, before, state);
        state
    }

    /// Says once that it runs into walls or ground. Retail: `report_environment_collision`.
    fn meet_environment(&mut self, state: State, events: &mut Events) -> State {
        if std::mem::replace(&mut self.colliding_with_environment, true) {
            return state;
        }
        events.push(Event::Collided(Obstacle::Environment));
        without_missile_flags(state)
    }

    pub(super) fn bounce(&mut self, outcome: &Outcome, before: &Stance, state: State) {
        let walks = before.on_walkable && self.stance.on_walkable && !state.has(State::SLEDDING);
        if outcome.stationary_fall > 1 {
            self.velocity = Vec3::ZERO;
        } else if let Some(normal) = outcome.hit.filter(|_| !walks) {
            let into = self.velocity.dot(normal);
            if state.has(State::INELASTIC) {
                self.velocity = Vec3::ZERO;
            } else if into < 0.0 {
                let bounced = self.velocity + normal * (-into * (self.elasticity + 1.0));
                // The elasticity is the caller's, and may be anything.
                self.velocity = if bounced.is_finite() { bounced } else { Vec3::ZERO };
            }
        }
    }
}
