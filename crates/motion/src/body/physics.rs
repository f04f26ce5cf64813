//! What becomes of a body's speed: friction, gravity, and the way it goes in a quantum.

use threshold_land::glam::Vec3;
use threshold_land::{EPSILON, Frame, Rotation};
use threshold_world::State;

use super::{Body, clamped};
use crate::constants::{
    LEAVING_SPEED, SLED_FAST, SLED_FRICTION, SLED_SLOPE, SLED_SLOW, SMALL_SPEED, TERMINAL_SPEED,
};

impl Motion {
    /// Whether it is made of numbers.
    pub(super) fn is_usable(&self) -> bool {
        let Self { frame, velocity, .. } = self;
        frame.is_valid() && frame.origin.is_finite() && velocity.is_finite()
    }
}

/// Where a quantum would take a body, and how fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Motion {
    pub(super) frame: Frame,
    pub(super) velocity: Vec3,
    pub(super) awake: bool,
}

impl Body {
    /// Where it would be after a quantum if nothing were in its way.
    ///
    /// Retail: `CPhysicsObj::UpdatePositionInternal`.
    pub(super) fn motion(&self, frame: &Frame, scale: f32, state: State, dt: f32) -> Motion {
        let mut motion = Motion { frame: *frame, velocity: self.velocity, awake: self.awake };
        if state.has(State::HIDDEN) {
            return motion;
        }
        if let Some(gait) = &self.gait {
            let way =
                if self.stance.on_walkable { gait.velocity() * dt * scale } else { Vec3::ZERO };
            if way != Vec3::ZERO || gait.turn != 0.0 {
                motion.frame = frame.combine(&Frame { origin: way, rotation: gait.turned(dt) });
            }
        }
        self.integrate(&mut motion, state, dt);
        motion
    }

    /// Retail: `CPhysicsObj::UpdatePhysicsInternal`.
    fn integrate(&self, motion: &mut Motion, state: State, dt: f32) {
        let acceleration = self.acceleration(state);
        let mut squared = motion.velocity.length_squared();
        if squared <= 0.0 {
            motion.awake &= !self.falls_asleep();
        } else {
            if squared > TERMINAL_SPEED * TERMINAL_SPEED {
                motion.velocity = clamped(motion.velocity);
                squared = TERMINAL_SPEED * TERMINAL_SPEED;
            }
            motion.velocity = self.rubbed(motion.velocity, squared, state, dt);
            // Retail oddity: by the speed before friction, and in the air, too.
            if squared - SMALL_SPEED * SMALL_SPEED < EPSILON {
                motion.velocity = Vec3::ZERO;
            }
            motion.frame.origin += acceleration * (0.5 * dt * dt) + motion.velocity * dt;
        }
        motion.velocity += acceleration * dt;
        if let Some(turn) = Rotation::from_scaled_axis(self.spin * dt) {
            let rotation = turn.product(motion.frame.rotation);
            motion.frame.rotation = rotation.normalised().unwrap_or(rotation);
        }
    }

    /// What does not walk, stands, and does not move sleeps; unless it waits to be solid again.
    pub(super) fn falls_asleep(&self) -> bool {
        self.gait.is_none() && self.stance.on_walkable && !self.becoming_solid
    }

    /// What the ground leaves of a velocity. Retail: `CPhysicsObj::calc_friction`.
    fn rubbed(&self, velocity: Vec3, squared: f32, state: State, dt: f32) -> Vec3 {
        if !self.stance.on_walkable {
            return velocity;
        }
        let normal = self.stance.plane.normal;
        let away = velocity.dot(normal);
        if away >= LEAVING_SPEED {
            return velocity;
        }
        let mut friction = self.friction;
        if state.has(State::SLEDDING) {
            if squared < SLED_SLOW * SLED_SLOW {
                friction = 1.0;
            } else if squared >= SLED_FAST * SLED_FAST && normal.z < SLED_SLOPE {
                friction = SLED_FRICTION;
            }
        }
        (velocity - normal * away) * libm::powf(1.0 - friction.clamp(0.0, 1.0), dt)
    }
}
