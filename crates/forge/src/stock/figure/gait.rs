//! Standing, walking and running: a foot stays where it was put down while the body moves on.

use std::f32::consts::{PI, TAU};

use threshold_land::vector::Vec3;

use super::pose::{Arm, Foot, LeftRight, Pose, ease, mix};
use super::skeleton::{SOLE, turn};
use crate::tool::model::FEET;

/// Height of an ankle over the origin while the foot is on the ground.
const ON_GROUND: f32 = SOLE - FEET;
/// Points on which the foot rolls when it is put down and when it leaves the ground, relative to the ankle.
const HEEL: Vec3 = Vec3::new(0.0, -0.07, -SOLE);
const TOES: Vec3 = Vec3::new(0.0, 0.17, -SOLE);

/// A motion that repeats, left and right in turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gait {
    /// Length in frames of 1/30 s: an even number.
    pub(crate) frames: u32,
    /// Part of the time that a foot is on the ground.
    pub(crate) duty: f32,
    /// Speed of the body, in metres per second.
    pub(crate) velocity: Vec3,
    /// Turn rate to the left, in radians per second.
    pub(crate) turn: f32,
    /// Position of the right ankle in the middle of its time on the ground: to the right, and ahead.
    pub(crate) under: [f32; 2],
    /// Lift of a foot, in metres.
    pub(crate) lift: f32,
    /// Upward angle of the toes when the foot is put down and when it leaves the ground, in radians.
    pub(crate) roll: [f32; 2],
    /// Height of the pelvis, and its rise while a foot is in the middle of its time on the ground.
    pub(crate) pelvis: [f32; 2],
    /// Forward lean, in radians.
    pub(crate) lean: f32,
    /// Swing of pelvis and arms, in radians.
    pub(crate) swing: [f32; 2],
    /// Bend of the elbows, in radians.
    pub(crate) bend: f32,
}

/// Retail: `WalkForward`.
pub(crate) const WALK: Gait = Gait {
    frames: 20,
    duty: 0.42,
    velocity: Vec3::new(0.0, 3.12, 0.0),
    turn: 0.0,
    under: [0.085, -0.05],
    lift: 0.1,
    roll: [0.28, -0.75],
    pelvis: [0.84, 0.018],
    lean: 0.1,
    swing: [0.14, 0.55],
    bend: 0.6,
};

/// Retail: `RunForward`.
pub(crate) const RUN: Gait = Gait {
    frames: 20,
    duty: 0.32,
    velocity: Vec3::new(0.0, 4.0, 0.0),
    under: [0.07, -0.12],
    lift: 0.2,
    roll: [0.2, -0.85],
    pelvis: [0.835, -0.03],
    lean: 0.24,
    swing: [0.2, 0.8],
    bend: 1.45,
    ..WALK
};

/// Retail: `SideStepRight`.
pub(crate) const SIDE_STEP: Gait = Gait {
    frames: 16,
    duty: 0.55,
    velocity: Vec3::new(1.25, 0.0, 0.0),
    under: [0.17, 0.0],
    lift: 0.07,
    roll: [0.0; 2],
    pelvis: [0.875, 0.008],
    lean: 0.04,
    swing: [0.0, 0.1],
    bend: 0.5,
    ..WALK
};

/// Retail: `TurnRight`.
pub(crate) const TURN: Gait = Gait {
    frames: 20,
    duty: 0.6,
    velocity: Vec3::ZERO,
    turn: -1.5,
    under: [0.12, 0.0],
    lift: 0.06,
    pelvis: [0.9, 0.004],
    lean: 0.02,
    ..SIDE_STEP
};

/// The pose of standing at ease; the breath goes from 0 to 1.
pub(crate) fn standing(breath: f32) -> Pose {
    let air = libm::sinf(breath * TAU);
    let arm = Arm { swing: 0.02 + 0.01 * air, spread: 0.12 + 0.012 * air, bend: 0.28 };
    let foot = |side: f32| Foot {
        ankle: Vec3::new(0.115 * side, -0.01, ON_GROUND),
        pitch: 0.0,
        yaw: -0.16 * side,
    };
    Pose {
        pelvis: Vec3::new(0.006 * libm::cosf(breath * TAU), -0.01, 0.912 + 0.004 * air),
        hips: Vec3::X * -0.02,
        chest: Vec3::X * (0.03 + 0.014 * air),
        head: Vec3::X * (-0.01 - 0.01 * air),
        arms: [arm; 2],
        feet: [foot(-1.0), foot(1.0)],
    }
}

impl Gait {
    /// Returns the length in seconds.
    fn seconds(&self) -> f32 {
        #[allow(clippy::cast_precision_loss, reason = "few frames")]
        let frames = self.frames as f32;
        frames / 30.0
    }

    /// Returns the pose at a time from 0 to 1. The left foot comes down at 0, the right one at one half.
    pub(crate) fn pose(&self, time: f32) -> Pose {
        let right = time + 0.5;
        let stride = libm::cosf(right * TAU);
        let rise = libm::cosf((time - self.duty / 2.0) * 2.0 * TAU);
        let [twist, swing] = self.swing;
        let arm = |ahead: f32| Arm {
            swing: ahead * swing - self.lean * 0.5,
            spread: 0.14,
            bend: self.bend * (1.0 + 0.3 * ahead),
        };
        let yaw = twist * stride;
        Pose {
            pelvis: Vec3::new(0.0, 0.0, self.pelvis[0] + self.pelvis[1] * rise),
            hips: Vec3::new(-self.lean * 0.4, 0.0, yaw),
            chest: Vec3::new(-self.lean * 0.6, 0.0, -1.9 * yaw),
            head: Vec3::new(self.lean * 0.8, 0.0, 0.9 * yaw),
            arms: [arm(stride), arm(-stride)],
            feet: self.feet(time),
        }
    }

    fn feet(&self, time: f32) -> LeftRight<Foot> {
        [self.foot(time, -1.0), self.foot(time + 0.5, 1.0)]
    }

    /// Returns the pose of a foot at a time from when it is put down.
    fn foot(&self, time: f32, side: f32) -> Foot {
        let time = time - libm::floorf(time);
        if time < self.duty {
            return self.planted(time / self.duty, side);
        }
        let part = (time - self.duty) / (1.0 - self.duty);
        let (from, to) = (self.planted(1.0, side), self.planted(0.0, side));
        // It leaves the ground and returns with half the speed at which the ground passes.
        let drift = self.velocity * (-0.5 * (1.0 - self.duty) * self.seconds());
        let (rest, past) = (1.0 - part, part * (1.0 - part));
        let along = from.ankle.lerp(to.ankle, ease(part)) + drift * past * (rest - part);
        Foot {
            ankle: along + Vec3::Z * (self.lift * libm::sinf(part * PI)),
            pitch: mix(from.pitch, to.pitch, ease(part)),
            yaw: mix(from.yaw, to.yaw, ease(part)),
        }
    }

    /// Returns the pose of a foot on the ground, from when it is put down to when it leaves: 0 to 1.
    fn planted(&self, part: f32, side: f32) -> Foot {
        let since = (part - 0.5) * self.duty * self.seconds();
        let yaw = -self.turn * since;
        let under = Vec3::new(self.under[0] * side, self.under[1], ON_GROUND);
        let flat = turn(Vec3::Z * yaw).rotate(under - self.velocity * since);
        let pitch = match part {
            // First the toes come down, then the whole foot rests, then the heel rises.
            _ if part < 0.2 => self.roll[0] * (1.0 - part / 0.2),
            _ if part > 0.5 => self.roll[1] * (part - 0.5) * (part - 0.5) * 4.0,
            _ => 0.0,
        };
        let about = if pitch > 0.0 { HEEL } else { TOES };
        let rolled = about - turn(Vec3::X * pitch).rotate(about);
        let rolled = turn(Vec3::Z * yaw).rotate(rolled);
        Foot { ankle: flat + rolled, pitch, yaw }
    }
}
