//! A mover driven by rapier's character controller.

use rapier3d::control::{CharacterAutostep, CharacterLength, KinematicCharacterController};
use rapier3d::prelude::{Pose, SharedShape, Vector};
use threshold_geom::FLOOR_Z;
use threshold_land::vector::Vec3;
use threshold_motion::MoverShape;

use crate::arena::{Arena, vector};

/// A capsule around the two spheres of a mover, or a ball if it has one sphere, with its settings.
#[derive(Clone)]
pub(crate) struct Character {
    controller: KinematicCharacterController,
    shape: SharedShape,
    /// Centre of the lower sphere.
    pose: Pose,
    /// Offset from the mover's feet to that centre, with the gap that rapier keeps below it.
    middle: Vec3,
}

/// Whether the character steps onto obstacles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Autostep {
    /// As high as the mover steps.
    On,
    /// Never, rapier's default: stepping is expensive.
    Off,
}

/// Seconds per move; used only for moving platforms.
const TICK: f32 = 1.0 / 30.0;

/// Gap to all obstacles as a part of the character's height: rapier's default.
const GAP: f32 = 0.01;

impl Character {
    /// Creates a mover of this shape with its feet at a point.
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

    /// Moves its feet to a point.
    pub(crate) fn put(&mut self, feet: Vec3) {
        self.pose.translation = vector(feet + self.middle);
    }

    /// Tries one move, in metres, and goes to its end.
    pub(crate) fn advance(&mut self, arena: &Arena, by: Vec3) {
        let Self { controller, shape, pose, .. } = self;
        let by = vector(by);
        let moved = controller.move_shape(TICK, &arena.queries(), &**shape, pose, by, |_| {});
        pose.translation += moved.translation;
    }

    /// Returns the position of its feet, as for a mover.
    pub(crate) fn feet(&self) -> Vec3 {
        Vec3::from_array(self.pose.translation.to_array()) - self.middle
    }
}

/// Returns the settings closest to the mover's behaviour; the others are rapier's defaults.
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
