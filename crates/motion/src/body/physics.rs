//! Integration of velocity: friction, gravity, and the movement of a quantum.

use threshold_land::vector::Vec3;
use threshold_land::{EPSILON, Frame, Rotation};
use threshold_world::State;

use super::{Body, clamp_speed};
use crate::constants::{
    LEAVING_SPEED, SLED_FAST, SLED_FRICTION, SLED_SLOPE, SLED_SLOW, SMALL_SPEED, TERMINAL_SPEED,
};

impl Motion {
    /// Returns whether all numbers are finite.
    pub(super) fn is_finite(&self) -> bool {
        let Self { frame, velocity, .. } = self;
        frame.is_valid() && frame.origin.is_finite() && velocity.is_finite()
    }
}

/// Position and velocity after a quantum, before any collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Motion {
    pub(super) frame: Frame,
    pub(super) velocity: Vec3,
    pub(super) awake: bool,
}

impl Body {
    /// Returns the motion of a quantum without obstacles.
    ///
    /// Retail: `CPhysicsObj::UpdatePositionInternal`.
    pub(super) fn motion(&self, frame: &Frame, scale: f32, state: State, dt: f32) -> Motion {
        let mut motion = Motion { frame: *frame, velocity: self.velocity, awake: self.awake };
        if state.has(State::HIDDEN) {
            return motion;
        }
        if let Some(gait) = &self.gait {
            let offset =
                if self.stance.on_walkable { gait.velocity() * dt * scale } else { Vec3::ZERO };
            if offset != Vec3::ZERO || gait.turn != 0.0 {
                motion.frame = frame.combine(&Frame { origin: offset, rotation: gait.turned(dt) });
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
                motion.velocity = clamp_speed(motion.velocity);
                squared = TERMINAL_SPEED * TERMINAL_SPEED;
            }
            motion.velocity = self.apply_friction(motion.velocity, squared, state, dt);
            // Retail oddity: compares the speed before friction, and in the air too.
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

    /// Returns whether it falls asleep at rest: it has no gait, stands on walkable ground, and does
    /// not wait to become solid.
    pub(super) fn falls_asleep(&self) -> bool {
        self.gait.is_none() && self.stance.on_walkable && !self.becoming_solid
    }

    /// Applies friction to a velocity. Retail: `CPhysicsObj::calc_friction`.
    fn apply_friction(&self, velocity: Vec3, squared: f32, state: State, dt: f32) -> Vec3 {
        if !self.stance.on_walkable {
            return velocity;
        }
        let normal = self.stance.plane.normal;
        let normal_speed = velocity.dot(normal);
        if normal_speed >= LEAVING_SPEED {
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
        (velocity - normal * normal_speed) * libm::powf(1.0 - friction.clamp(0.0, 1.0), dt)
    }
}
