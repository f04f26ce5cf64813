//! Moving a body through time.

use threshold_land::glam::Vec3;
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

/// What one quantum would make of a body: everything that is reckoned, before anything has changed.
#[must_use = "nothing has changed until it is committed"]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Quantum {
    /// How long it is, in seconds.
    pub dt: f32,
    /// How fast the body is then, before it meets anything.
    pub velocity: Vec3,
    /// Where it would be then if nothing were in its way, in the frame of its landblock.
    pub target: Vec3,
    /// Its sweep, if it went anywhere.
    pub outcome: Option<Outcome>,
    awake: bool,
    rotation: Rotation,
    /// It is solid again.
    solid: bool,
}

/// What an update did.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct UpdateReport {
    /// How many quanta the body was moved by.
    pub quanta: u32,
    /// What became different, in order.
    pub events: Events,
}

impl Body {
    /// Moves it to this time, in seconds, by as many quanta as retail would. A hitch of more than two seconds is
    /// not made up for. What sleeps, is lost, static or frozen is not moved; what was frozen is to be woken after it has thawed.
    /// Whose cell has gone is lost.
    ///
    /// Retail: `CPhysicsObj::update_object`. (A client also puts to sleep what is more than 96 m from its player.)
    pub fn update(
        &mut self,
        context: &mut MoveContext<'_>,
        now: f64,
    ) -> Result<UpdateReport, UnknownBody> {
        self.update_with(context, now, |_, _, _| {})
    }

    /// The same, and tells of every quantum before it is made fact: the world and the body as they are, and what is to become of
    /// it. For those who keep a record of its way.
    pub fn update_with(
        &mut self,
        context: &mut MoveContext<'_>,
        now: f64,
        mut on_quantum: impl FnMut(&World, &Self, &Quantum),
    ) -> Result<UpdateReport, UnknownBody> {
        let world = &*context.world;
        let object = world.body(self.id).ok_or(UnknownBody(self.id))?;
        let (mut quanta, gone) = self.begin_update(world, object, now);
        let mut updated = UpdateReport::default();
        if let Some(at) = gone {
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

    /// How much time there is for it, if it moves at all. Where its cell has gone it is to be lost, where it is.
    /// Retail: `leave_visibility`.
    pub(crate) fn begin_update(
        &mut self,
        world: &World,
        object: &Object,
        now: f64,
    ) -> (Quanta, Option<Position>) {
        let (at, moves) = (*object.position(), moves(world, object));
        self.awake &= moves;
        let gone = !moves && !object.is_lost() && !world.is_resident(at.cell);
        (Quanta::of(now - self.clock), gone.then_some(at))
    }

    /// The next quantum of an update, in seconds, unless it sleeps by now.
    pub(crate) fn next_quantum(&self, quanta: &mut Quanta) -> Option<f32> {
        #[allow(clippy::cast_possible_truncation, reason = "rounded to single precision")]
        quanta.next().filter(|_| self.awake).map(|dt| dt as f32)
    }

    /// What is left of the time waits for the next update.
    pub(crate) fn end_update(&mut self, quanta: &Quanta, now: f64) {
        self.set_clock(if self.awake { now - quanta.left() } else { now });
    }

    /// Moves it by one quantum of up to [`MAX_STEP_TIME`] seconds. A longer one does nothing.
    ///
    /// Retail: `CPhysicsObj::UpdateObjectInternal`.
    pub fn step(&mut self, context: &mut MoveContext<'_>, dt: f32) -> Result<Events, UnknownBody> {
        let (sweeper, scratch) = context.sweeper();
        match self.resolve(&sweeper, scratch, &mut (), dt)? {
            Some(quantum) => self.commit(context.world, &quantum),
            None => Ok(Events::new()),
        }
    }

    /// What a quantum would make of it; `None` where nothing moves it, or not anywhere: what is not made of numbers stays. Time
    /// does not go backwards. Reads the world and changes nothing, so that
    /// many bodies are resolved side by side and [`commit`](Self::commit)ted one after another. A body whose cell has gone is
    /// not moved; [`update`](Self::update) loses it.
    pub fn resolve<P: SweepProbe>(
        &self,
        sweeper: &Sweeper<'_>,
        scratch: &mut SweepScratch,
        probe: &mut P,
        dt: f32,
    ) -> Result<Option<Quantum>, UnknownBody> {
        let object = sweeper.world.body(self.id).ok_or(UnknownBody(self.id))?;
        Ok(self.resolve_object(sweeper, scratch, probe, (object, dt)))
    }

    /// The same for who has found its own object.
    pub(crate) fn resolve_object<P: SweepProbe>(
        &self,
        sweeper: &Sweeper<'_>,
        scratch: &mut SweepScratch,
        probe: &mut P,
        (object, dt): (&Object, f32),
    ) -> Option<Quantum> {
        if !self.awake || dt > MAX_STEP_TIME || !moves(sweeper.world, object) {
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
        if !motion.is_usable() {
            return None;
        }
        let still = vector::near(motion.frame.origin, from.frame.origin);
        let outcome = if object.setup().spheres.is_empty() {
            motion.awake &= !self.falls_asleep();
            None
        } else if still {
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

    /// Makes a quantum fact. It must be one of this body.
    pub fn commit(&mut self, world: &mut World, quantum: &Quantum) -> Result<Events, UnknownBody> {
        let object = world.body(self.id).ok_or(UnknownBody(self.id))?;
        let state = object.state();
        let mut events = Events::new();
        let settled = self.settle_quantum(world, object, quantum, &mut events);
        settled.apply(world, self.id, state)?;
        Ok(events)
    }

    /// The body's half of a quantum: what it becomes in the world as it is.
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
        let Some(outcome) = &quantum.outcome else { return WorldChange { shift: turn, state } };
        let before = PriorState { state, ..PriorState::of(object) };
        let settled = self.settle(world, &before, outcome, events);
        if outcome.is_ok() {
            let actual_velocity = object.position().offset_to(&outcome.position) / quantum.dt;
            // In no time nothing goes anywhere.
            self.actual_velocity =
                if actual_velocity.is_finite() { actual_velocity } else { Vec3::ZERO };
            return settled;
        }
        // Who cannot go anywhere turns all the same.
        WorldChange { shift: turn, ..settled }
    }
}

/// Whether updates move it at all.
fn moves(world: &World, object: &Object) -> bool {
    let state = object.state();
    let held = state.has(State::FROZEN) || state.has(State::STATIC) || object.is_lost();
    !held && world.is_resident(object.position().cell)
}

/// Where it faces on its way: an arrow along it, a sled where it slides to.
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
