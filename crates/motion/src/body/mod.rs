//! Bodies: what moves in the world by itself, and how a sweep becomes fact.

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

use threshold_land::glam::Vec3;
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

/// A body: what moves, beside what the world knows of it. Retail: the moving half of `CPhysicsObj`.
///
/// The world has its position, shape, state and kind; the body has its speed, what it stands on, and its time.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its number in the world.
    pub id: BodyId,
    /// In metres a second. [`set_velocity`](Self::set_velocity) also wakes it.
    pub velocity: Vec3,
    /// How it turns by itself: an axis of the landblock, as long as the speed in radians a second. Retail: `omega`.
    pub spin: Vec3,
    /// What it stands on and slides along.
    pub stance: Stance,
    /// How it walks. `None` for what does not walk: it falls asleep once it lies still. Retail: the movement manager.
    pub gait: Option<Gait>,
    /// What it is aimed at, as a missile.
    pub target: Option<ObjectId>,
    /// How much of the speed into a surface comes back, 0 to [`MAX_ELASTICITY`].
    pub elasticity: f32,
    /// How much of the speed along the ground is lost in a second, 0 to 1.
    pub friction: f32,
    /// How fast it really went in the last quantum, in metres a second. Retail: `cached_velocity`.
    pub actual_velocity: Vec3,
    /// It is running into walls or ground, and has been told. Retail: `colliding_with_environment`.
    pub colliding_with_environment: bool,
    /// Whether updates move it. Retail: `ACTIVE`.
    pub awake: bool,
    /// It waits until nobody stands in it to become solid again. Retail: `CHECK_ETHEREAL`.
    pub becoming_solid: bool,
    /// To when it has been moved, in seconds. Retail: `update_time`.
    pub clock: f64,
    /// Whom it is running into, and has been told of.
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

    /// What it is as a mover; `None` where it is not in the world.
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

    /// Gives it another velocity, in metres a second and no faster than [`TERMINAL_SPEED`], and wakes it at this
    /// time. What is not a number is no velocity.
    ///
    /// Retail: `CPhysicsObj::set_velocity`.
    pub fn set_velocity(&mut self, velocity: Vec3, now: f64) {
        // A difference too small to see is none (O20).
        if velocity.is_finite() && !vector::near(velocity, self.velocity) {
            self.velocity = clamped(velocity);
        }
        self.wake(now);
    }

    /// The same in its own axes: x to the right, y ahead. Retail: `CPhysicsObj::set_local_velocity`.
    pub fn set_local_velocity(&mut self, velocity: Vec3, rotation: Rotation, now: f64) {
        self.set_velocity(rotation.rotate(velocity), now);
    }

    /// Updates move it again, from now on. Retail: `CPhysicsObj::set_active`. (What is static is never updated,
    /// whether awake or not.) A time that is no number wakes it, too, and leaves its clock alone.
    pub fn wake(&mut self, now: f64) {
        if !std::mem::replace(&mut self.awake, true) {
            self.set_clock(now);
        }
    }

    /// A clock that is not finite would never be caught up with again.
    fn set_clock(&mut self, now: f64) {
        if now.is_finite() {
            self.clock = now;
        }
    }

    /// Sets how springy it is, within what retail allows. What is no number changes nothing.
    pub fn set_elasticity(&mut self, elasticity: f32) {
        if !elasticity.is_nan() {
            self.elasticity = elasticity.clamp(0.0, MAX_ELASTICITY);
        }
    }

    /// What pulls at it: nothing while it stands, unless it is on a sled. Retail: `CPhysicsObj::calc_acceleration`.
    pub fn acceleration(&self, state: State) -> Vec3 {
        if self.rests(state) || !state.has(State::GRAVITY) {
            return Vec3::ZERO;
        }
        Vec3::new(0.0, 0.0, GRAVITY)
    }

    /// Whether it stands on ground that holds it.
    fn rests(&self, state: State) -> bool {
        self.stance.contact && self.stance.on_walkable && !state.has(State::SLEDDING)
    }

    /// Sweeps by an offset, in metres, and commits where that ends: one move of one body. Whoever moves many
    /// sweeps them side by side and commits them one after another.
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

/// No faster than anything may be.
fn clamped(velocity: Vec3) -> Vec3 {
    let squared = velocity.length_squared();
    if squared > TERMINAL_SPEED * TERMINAL_SPEED {
        return velocity * (TERMINAL_SPEED / squared.sqrt());
    }
    velocity
}
