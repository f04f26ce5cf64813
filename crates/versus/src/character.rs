//! Somebody who walks by rapier's character controller.

use rapier3d::control::{CharacterAutostep, CharacterLength, KinematicCharacterController};
use rapier3d::prelude::{Pose, SharedShape, Vector};
use threshold_geom::FLOOR_Z;
use threshold_land::glam::Vec3;
use threshold_motion::MoverShape;

use crate::arena::{Arena, vector};

/// A capsule round the two spheres of a mover, or a ball where it has one, and how it walks.
#[derive(Clone)]
pub(crate) struct Character {
    controller: KinematicCharacterController,
    shape: SharedShape,
    /// Where the middle of its lower sphere is.
    pose: Pose,
    /// From the feet of the mover to there, with the gap that rapier keeps below it.
    middle: Vec3,
}

/// Whether what is in the way is stepped onto.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Autostep {
    /// As high as the mover steps.
    On,
    /// Never, which is rapier's default: it costs much.
    Off,
}

/// Seconds a move; only platforms that move ask for it.
const TICK: f32 = 1.0 / 30.0;

/// The part of its height that a character keeps away from everything: rapier's default.
const GAP: f32 = 0.01;

impl Character {
    /// A mover of this shape with its feet at a place.
    pub(crate) fn new(mover: &MoverShape, feet: Vec3, autostep: Autostep) -> Self {
        let spheres = mover.spheres();
        let radius = spheres.iter().fold(0.0_f32, |most, sphere| most.max(sphere.radius));
        let low = spheres.first().map(|sphere| sphere.centre).unwrap_or_default();
        let rise = spheres.last().map(|sphere| sphere.centre).unwrap_or_default() - low;
        let shape = match rise == Vec3::ZERO {
            true => SharedShape::ball(radius),
            false => SharedShape::capsule(Vector::ZERO, vector(rise), radius),
        };
        let gap = GAP * (rise.z + 2.0 * radius);
        let middle = low + Vec3::Z * gap;
        let pose = Pose::from_translation(vector(feet + middle));
        Self { controller: controller(mover, gap, autostep), shape, pose, middle }
    }

    /// Puts its feet at a place.
    pub(crate) fn put(&mut self, feet: Vec3) {
        self.pose.translation = vector(feet + self.middle);
    }

    /// Tries one move, in metres, and goes where it ends.
    pub(crate) fn advance(&mut self, arena: &Arena, by: Vec3) {
        let Self { controller, shape, pose, .. } = self;
        let by = vector(by);
        let moved = controller.move_shape(TICK, &arena.queries(), &**shape, pose, by, |_| {});
        pose.translation += moved.translation;
    }

    /// Where its feet are, as those of a mover would be.
    pub(crate) fn feet(&self) -> Vec3 {
        Vec3::from_array(self.pose.translation.to_array()) - self.middle
    }
}

/// The settings that come closest to how the mover walks; the others are rapier's defaults.
fn controller(mover: &MoverShape, gap: f32, autostep: Autostep) -> KinematicCharacterController {
    let slope = libm::acosf(FLOOR_Z);
    let stepping = CharacterAutostep {
        max_height: CharacterLength::Absolute(mover.step_up),
        ..CharacterAutostep::default()
    };
    KinematicCharacterController {
        up: Vector::Z,
        offset: CharacterLength::Absolute(gap),
        slide: true,
        autostep: (autostep == Autostep::On).then_some(stepping),
        max_slope_climb_angle: slope,
        min_slope_slide_angle: slope,
        snap_to_ground: Some(CharacterLength::Absolute(mover.step_down)),
        ..KinematicCharacterController::default()
    }
}

#[cfg(test)]
mod tests;
