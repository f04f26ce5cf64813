//! Bodies: objects with velocity and clock, and the commit of their sweeps.

mod collisions;
mod commit;
mod enter;
mod ethereal;
mod jump;
mod physics;
mod quanta;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_motion;
mod update;

use threshold_land::vector::Vec3;
use threshold_land::{Rotation, vector};
use threshold_world::{BodyId, Object, ObjectId, State, UnknownBody, World};

pub use self::collisions::CollisionRecords;
pub use self::commit::{Event, Events, Obstacle, commit};
pub(crate) use self::commit::{PlaceChange, WorldChange, report_loss};
pub use self::jump::{Jump, JumpRefusal, jump_speed};
pub use self::quanta::{Gate, Quanta};
pub use self::update::{Quantum, UpdateReport};
use crate::constants::{
    DEFAULT_ELASTICITY, DEFAULT_FRICTION, GRAVITY, MAX_ELASTICITY, TERMINAL_SPEED,
};
use crate::context::MoveContext;
use crate::gait::Gait;
use crate::mover::{Mover, Stance};
use crate::outcome::Outcome;

/// A body: the state of a moving object that the world does not hold. Retail: the moving half of
/// `CPhysicsObj`.
///
/// The world holds its position, shape, state and kind; the body holds its velocity, stance and
/// clock.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its id in the world.
    pub id: BodyId,
    /// Velocity in metres per second. [`set_velocity`](Self::set_velocity) also wakes the body.
    pub velocity: Vec3,
    /// Angular velocity in radians per second: the rotation axis in the landblock's frame, scaled
    /// by the speed. Retail: `omega`.
    pub spin: Vec3,
    /// Contact plane and sliding normal.
    pub stance: Stance,
    /// How it walks. A body without gait falls asleep once it rests. Retail: the movement manager.
    pub gait: Option<Gait>,
    /// Target of a missile.
    pub target: Option<ObjectId>,
    /// Part of the speed into a surface that is reflected, 0 to [`MAX_ELASTICITY`].
    pub elasticity: f32,
    /// Part of the speed along the ground that is lost per second, 0 to 1.
    pub friction: f32,
    /// Actual velocity in the last quantum, in metres per second. Retail: `cached_velocity`.
    pub actual_velocity: Vec3,
    /// It is colliding with walls or ground, and that was reported. Retail:
    /// `colliding_with_environment`.
    pub colliding_with_environment: bool,
    /// Whether updates move it. Retail: `ACTIVE`.
    pub awake: bool,
    /// It becomes solid as soon as no mover overlaps it. Retail: `CHECK_ETHEREAL`.
    pub becoming_solid: bool,
    /// Time up to which it was moved, in seconds. Retail: `update_time`.
    pub clock: f64,
    /// Objects it is touching and that were reported.
    pub collisions: CollisionRecords,
}

impl Body {
    /// A body at rest in the air, at time 0.
    pub fn new(id: BodyId) -> Self {
        Self {
            id,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            stance: Stance::default(),
            gait: None,
            target: None,
            elasticity: DEFAULT_ELASTICITY,
            friction: DEFAULT_FRICTION,
            actual_velocity: Vec3::ZERO,
            colliding_with_environment: false,
            awake: true,
            becoming_solid: false,
            clock: 0.0,
            collisions: CollisionRecords::default(),
        }
    }

    /// Returns the body as a mover; `None` if it is not in the world.
    pub fn mover(&self, world: &World) -> Option<Mover> {
        world.body(self.id).map(|object| self.mover_of(object))
    }

    fn mover_of(&self, object: &Object) -> Mover {
        Mover {
            stance: self.stance,
            velocity: self.velocity,
            target: self.target,
            ..Mover::from_object(object)
        }
    }

    /// Sets the velocity, in metres per second and limited to [`TERMINAL_SPEED`], and wakes the
    /// body at this time. A velocity that is not finite is ignored.
    ///
    /// Retail: `CPhysicsObj::set_velocity`.
    pub fn set_velocity(&mut self, velocity: Vec3, now: f64) {
        // A negligible change is ignored (O20).
        if velocity.is_finite() && !vector::near(velocity, self.velocity) {
            self.velocity = clamp_speed(velocity);
        }
        self.wake(now);
    }

    /// Sets the velocity in the body's own axes: x to the right, y forward. Retail:
    /// `CPhysicsObj::set_local_velocity`.
    pub fn set_local_velocity(&mut self, velocity: Vec3, rotation: Rotation, now: f64) {
        self.set_velocity(rotation.rotate(velocity), now);
    }

    /// Wakes the body: updates move it from now on. Static bodies are never updated, awake or not.
    /// A time that is not finite wakes it without setting the clock. Retail:
    /// `CPhysicsObj::set_active`.
    pub fn wake(&mut self, now: f64) {
        if !std::mem::replace(&mut self.awake, true) {
            self.set_clock(now);
        }
    }

    /// A clock that is not finite would stop all later updates.
    fn set_clock(&mut self, now: f64) {
        if now.is_finite() {
            self.clock = now;
        }
    }

    /// Sets the elasticity, limited to what retail allows. NaN is ignored.
    pub fn set_elasticity(&mut self, elasticity: f32) {
        if !elasticity.is_nan() {
            self.elasticity = elasticity.clamp(0.0, MAX_ELASTICITY);
        }
    }

    /// Returns the acceleration: zero while it rests on walkable ground, unless it is on a sled.
    /// Retail: `CPhysicsObj::calc_acceleration`.
    pub fn acceleration(&self, state: State) -> Vec3 {
        if self.rests(state) || !state.has(State::GRAVITY) {
            return Vec3::ZERO;
        }
        Vec3::new(0.0, 0.0, GRAVITY)
    }

    /// Returns whether it rests on walkable ground.
    fn rests(&self, state: State) -> bool {
        self.stance.contact && self.stance.on_walkable && !state.has(State::SLEDDING)
    }

    /// Sweeps the body by an offset, in metres, and commits the outcome. To move many bodies, sweep
    /// them in parallel and commit them one by one.
    pub fn move_by(
        &mut self,
        context: &mut MoveContext<'_>,
        offset: Vec3,
    ) -> Result<(Outcome, Events), UnknownBody> {
        let (sweeper, scratch) = context.sweeper();
        let object = sweeper.world.body(self.id).ok_or(UnknownBody(self.id))?;
        let from = *object.position();
        let mut to = from;
        to.frame.origin += offset;
        let outcome = sweeper.sweep(scratch, &mut (), &self.mover_of(object), &from, &to);
        let events = commit(context.world, self, &outcome)?;
        Ok((outcome, events))
    }
}

/// Limits a velocity to [`TERMINAL_SPEED`].
fn clamp_speed(velocity: Vec3) -> Vec3 {
    let squared = velocity.length_squared();
    if squared > TERMINAL_SPEED * TERMINAL_SPEED {
        return velocity * (TERMINAL_SPEED / squared.sqrt());
    }
    velocity
}
