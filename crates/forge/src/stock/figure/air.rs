//! Leaving the ground, falling and landing.

use std::f32::consts::TAU;

use threshold_land::vector::Vec3;

use super::gait::standing;
use super::pose::{Arm, Foot, Pose, ease};

/// The falling pose, with limbs that flutter from 0 to 1.
pub(crate) fn falling(time: f32) -> Pose {
    let wave = |at: f32| libm::sinf((time + at) * TAU);
    let arm = |at: f32| Arm {
        swing: 0.5 + 0.1 * wave(at),
        spread: 0.85 + 0.08 * wave(at + 0.2),
        bend: 0.7,
    };
    let foot = |side: f32, ahead: f32, up: f32| Foot {
        ankle: Vec3::new(0.12 * side, ahead + 0.025 * wave(ahead), up),
        pitch: -0.5,
        yaw: -0.1 * side,
    };
    Pose {
        pelvis: Vec3::new(0.0, 0.0, 0.94),
        hips: Vec3::X * -0.12,
        chest: Vec3::new(-0.1, 0.02 * wave(0.3), 0.0),
        head: Vec3::X * 0.05,
        arms: [arm(0.0), arm(0.5)],
        feet: [foot(-1.0, 0.14, 0.3), foot(1.0, -0.16, 0.2)],
    }
}

/// The pose when pushing off: legs and arms stretched.
fn stretched() -> Pose {
    let ready = standing(0.0);
    let arm = Arm { swing: 1.5, spread: 0.3, bend: 0.5 };
    let foot = |foot: Foot| Foot {
        ankle: foot.ankle + Vec3::new(-foot.ankle.x * 0.2, -0.06, 0.09),
        pitch: -0.6,
        ..foot
    };
    Pose {
        pelvis: Vec3::new(0.0, 0.02, 0.98),
        chest: Vec3::X * 0.06,
        arms: [arm; 2],
        feet: ready.feet.map(foot),
        ..ready
    }
}

/// The pose after landing: knees and hips bent.
fn crouched() -> Pose {
    let ready = standing(0.0);
    let arm = Arm { swing: 0.35, spread: 0.6, bend: 0.8 };
    Pose {
        pelvis: Vec3::new(0.0, -0.12, 0.66),
        hips: Vec3::X * -0.35,
        chest: Vec3::X * -0.3,
        head: Vec3::X * 0.4,
        arms: [arm; 2],
        ..ready
    }
}

/// From standing to falling.
pub(crate) fn take_off(time: f32) -> Pose {
    through([standing(0.0), stretched(), falling(0.0)], 0.45, time)
}

/// From falling to standing.
pub(crate) fn landing(time: f32) -> Pose {
    through([falling(0.0), crouched(), standing(0.0)], 0.3, time)
}

/// Goes from one pose to another through a third, which is reached at a time.
fn through([from, by, to]: [Pose; 3], at: f32, time: f32) -> Pose {
    if time < at {
        from.blend(&by, ease(time / at))
    } else {
        by.blend(&to, ease((time - at) / (1.0 - at)))
    }
}
