//! Moving a body through time.

use threshold_land::vector::Vec3;
use threshold_land::{Frame, Position, Rotation, vector};
use threshold_world::{Object, State, UnknownBody, World};

use super::commit::{PlaceChange, PriorState, WorldChange, report_loss};
use super::physics::Motion;
use super::{Body, Events, Quanta};
use crate::constants::MAX_STEP_TIME;
use crate::context::MoveContext;
use crate::mover::Mover;
use crate::outcome::Outcome;
use crate::probe::SweepProbe;
use crate::sweep::{SweepScratch, Sweeper};

/// Result of one quantum of a body, computed but not committed.
#[must_use = "nothing has changed until it is committed"]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Quantum {
    /// Duration in seconds.
    pub dt: f32,
    /// Velocity after the quantum, before any collision.
    pub velocity: Vec3,
    /// Target of the sweep, in the frame of its landblock.
    pub target: Vec3,
    /// Outcome of its sweep; `None` if it does not move.
    pub outcome: Option<Outcome>,
    awake: bool,
    rotation: Rotation,
    /// It becomes solid.
    solid: bool,
}

/// Result of an update.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct UpdateReport {
    /// Number of quanta.
    pub quanta: u32,
    /// Events, in order.
    pub events: Events,
}

impl Body {
    /// Advances the body to this time, in seconds, in as many quanta as retail would. More than two
    /// seconds at once are skipped. A sleeping, lost, static or frozen body is not moved; wake a
    /// frozen one after it thaws. A body whose cell was dropped is lost.
    ///
    /// Retail: `CPhysicsObj::update_object`. A client also puts bodies to sleep that are more than
    /// 96 m from its player.
    pub fn update(
        &mut self,
        context: &mut MoveContext<'_>,
        now: f64,
    ) -> Result<UpdateReport, UnknownBody> {
        self.update_with(context, now, |_, _, _| {})
    }

    /// Like [`update`](Self::update), and calls `on_quantum` before each quantum is committed, with
    /// world and body as they still are. For recordings.
    pub fn update_with(
        &mut self,
        context: &mut MoveContext<'_>,
        now: f64,
        mut on_quantum: impl FnMut(&World, &Self, &Quantum),
    ) -> Result<UpdateReport, UnknownBody> {
        let world = &*context.world;
        let object = world.body(self.id).ok_or(UnknownBody(self.id))?;
        let (mut quanta, lost_at) = self.begin_update(world, object, now);
        let mut updated = UpdateReport::default();
        if let Some(at) = lost_at {
            context.world.lose(self.id, at)?;
            report_loss(Some(at.cell), at.cell, &mut updated.events);
        }
        while let Some(dt) = self.next_quantum(&mut quanta) {
            let (sweeper, scratch) = context.sweeper();
            let quantum = self.resolve(&sweeper, scratch, &mut (), dt)?;
            if let Some(quantum) = quantum {
                on_quantum(context.world, self, &quantum);
                updated.events.extend(self.commit(context.world, &quantum)?);
            }
            updated.quanta += 1;
        }
        self.end_update(&quanta, now);
        Ok(updated)
    }

    /// Returns the quanta of an update, and its position if it is to become lost because its cell
    /// was dropped. Retail: `leave_visibility`.
    pub(crate) fn begin_update(
        &mut self,
        world: &World,
        object: &Object,
        now: f64,
    ) -> (Quanta, Option<Position>) {
        let (at, can_move) = (*object.position(), can_move(world, object));
        self.awake &= can_move;
        let lost_at = !can_move && !object.is_lost() && !world.is_resident(at.cell);
        (Quanta::of(now - self.clock), lost_at.then_some(at))
    }

    /// Returns the next quantum of an update, in seconds, unless the body fell asleep.
    pub(crate) fn next_quantum(&self, quanta: &mut Quanta) -> Option<f32> {
        #[allow(clippy::cast_possible_truncation, reason = "rounded to single precision")]
        quanta.next().filter(|_| self.awake).map(|dt| dt as f32)
    }

    /// Ends an update: the rest of the time is left for the next one.
    pub(crate) fn end_update(&mut self, quanta: &Quanta, now: f64) {
        self.set_clock(if self.awake { now - quanta.remaining() } else { now });
    }

    /// Moves the body by one quantum of up to [`MAX_STEP_TIME`] seconds. A longer one does nothing.
    ///
    /// Retail: `CPhysicsObj::UpdateObjectInternal`.
    pub fn step(&mut self, context: &mut MoveContext<'_>, dt: f32) -> Result<Events, UnknownBody> {
        let (sweeper, scratch) = context.sweeper();
        match self.resolve(&sweeper, scratch, &mut (), dt)? {
            Some(quantum) => self.commit(context.world, &quantum),
            None => Ok(Events::new()),
        }
    }

    /// Computes a quantum; `None` if the body does not move or a number is not finite. Negative
    /// times count as 0. Reads the world and changes nothing, so that many bodies can be resolved
    /// in parallel and [`commit`](Self::commit)ted one by one. A body whose cell was dropped is not
    /// moved; [`update`](Self::update) loses it.
    pub fn resolve<P: SweepProbe>(
        &self,
        sweeper: &Sweeper<'_>,
        scratch: &mut SweepScratch,
        probe: &mut P,
        dt: f32,
    ) -> Result<Option<Quantum>, UnknownBody> {
        let object = sweeper.world.body(self.id).ok_or(UnknownBody(self.id))?;
        Ok(self.resolve_object(sweeper, scratch, probe, object, dt))
    }

    /// Like [`resolve`](Self::resolve), with the body's object already looked up.
    pub(crate) fn resolve_object<P: SweepProbe>(
        &self,
        sweeper: &Sweeper<'_>,
        scratch: &mut SweepScratch,
        probe: &mut P,
        object: &Object,
        dt: f32,
    ) -> Option<Quantum> {
        if !self.awake || dt > MAX_STEP_TIME || !can_move(sweeper.world, object) {
            return None;
        }
        let solid = self.becoming_solid && self.is_clear(sweeper, scratch, object);
        let mut state = object.state();
        if solid {
            state = state.with(State::ETHEREAL, false);
        }
        let from = *object.position();
        let dt = dt.max(0.0);
        let mut motion = self.motion(&from.frame, object.scale(), state, dt);
        if !motion.is_finite() {
            return None;
        }
        let at_rest = vector::near(motion.frame.origin, from.frame.origin);
        let outcome = if object.setup().spheres.is_empty() {
            motion.awake &= !self.falls_asleep();
            None
        } else if at_rest {
            None
        } else {
            motion.frame.rotation = heading(&from.frame, &motion, state);
            let mover = Mover { velocity: motion.velocity, state, ..self.mover_of(object) };
            let to = Position { cell: from.cell, frame: motion.frame };
            Some(sweeper.sweep(scratch, probe, &mover, &from, &to))
        };
        let Motion { frame, velocity, awake } = motion;
        let (target, rotation) = (frame.origin, frame.rotation);
        Some(Quantum { dt, velocity, target, outcome, awake, rotation, solid })
    }

    /// Commits a quantum of this body.
    pub fn commit(&mut self, world: &mut World, quantum: &Quantum) -> Result<Events, UnknownBody> {
        let object = world.body(self.id).ok_or(UnknownBody(self.id))?;
        let state = object.state();
        let mut events = Events::new();
        let change = self.settle_quantum(world, object, quantum, &mut events);
        change.apply(world, self.id, state)?;
        Ok(events)
    }

    /// Applies a quantum to the body and returns the edits of the world.
    pub(crate) fn settle_quantum<'q>(
        &mut self,
        world: &World,
        object: &Object,
        quantum: &'q Quantum,
        events: &mut Events,
    ) -> WorldChange<'q> {
        let mut state = object.state();
        self.velocity = quantum.velocity;
        self.awake = quantum.awake;
        self.clock += f64::from(quantum.dt);
        self.actual_velocity = Vec3::ZERO;
        if quantum.solid {
            self.becoming_solid = false;
            state = state.with(State::ETHEREAL, false);
        }
        let turn = PlaceChange::Turn(quantum.rotation);
        let Some(outcome) = &quantum.outcome else { return WorldChange { place: turn, state } };
        let before = PriorState { state, ..PriorState::of(object) };
        let change = self.settle(world, &before, outcome, events);
        if outcome.is_ok() {
            let actual_velocity = object.position().offset_to(&outcome.position) / quantum.dt;
            // A quantum of no duration has no velocity.
            self.actual_velocity =
                if actual_velocity.is_finite() { actual_velocity } else { Vec3::ZERO };
            return change;
        }
        // A body that cannot move still turns.
        WorldChange { place: turn, ..change }
    }
}

/// Returns whether updates move the object at all.
fn can_move(world: &World, object: &Object) -> bool {
    let state = object.state();
    let fixed = state.has(State::FROZEN) || state.has(State::STATIC) || object.is_lost();
    !fixed && world.is_resident(object.position().cell)
}

/// Returns the rotation for the sweep: an aligned missile faces its movement, a sled its velocity.
fn heading(from: &Frame, motion: &Motion, state: State) -> Rotation {
    let facing = if state.has(State::ALIGN_PATH) {
        Rotation::facing(motion.frame.origin - from.origin)
    } else if state.has(State::SLEDDING) && motion.velocity != Vec3::ZERO {
        let Vec3 { x, y, .. } = motion.velocity;
        Rotation::facing(Vec3::new(x, y, 0.0))
    } else {
        None
    };
    facing.unwrap_or(motion.frame.rotation)
}
