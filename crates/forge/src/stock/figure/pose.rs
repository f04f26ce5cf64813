//! Poses of a figure.

use threshold_land::vector::Vec3;

/// The sides of the body: first left, then right.
pub(crate) type LeftRight<T> = [T; 2];

/// The pose of a figure, in the object's space: +Y ahead, +Z up. Rotations are vectors in radians, see
/// [`Rotation::from_scaled_axis`](threshold_land::Rotation::from_scaled_axis).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pose {
    /// The middle between the hips.
    pub(crate) pelvis: Vec3,
    /// Rotation of the pelvis.
    pub(crate) hips: Vec3,
    /// Rotation of the chest against the pelvis.
    pub(crate) chest: Vec3,
    /// Rotation of the head against the chest.
    pub(crate) head: Vec3,
    pub(crate) arms: LeftRight<Arm>,
    pub(crate) feet: LeftRight<Foot>,
}

/// The angles of an arm, in radians: 0 hangs straight down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arm {
    /// Forwards.
    pub(crate) swing: f32,
    /// Away from the body.
    pub(crate) spread: f32,
    /// Bend of the elbow.
    pub(crate) bend: f32,
}

/// Target position of a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Foot {
    pub(crate) ankle: Vec3,
    /// Toes up, in radians.
    pub(crate) pitch: f32,
    /// To the left, in radians.
    pub(crate) yaw: f32,
}

/// Interpolates between two numbers.
pub(crate) fn mix(from: f32, to: f32, t: f32) -> f32 {
    from + (to - from) * t
}

/// Interpolates from 0 to 1, gently at both ends.
pub(crate) fn ease(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

impl Pose {
    /// Interpolates to another pose.
    pub(crate) fn blend(&self, to: &Self, t: f32) -> Self {
        let both = |index: usize| {
            let (a, b) = (self.feet[index], to.feet[index]);
            Foot {
                ankle: a.ankle.lerp(b.ankle, t),
                pitch: mix(a.pitch, b.pitch, t),
                yaw: mix(a.yaw, b.yaw, t),
            }
        };
        let arm = |index: usize| {
            let (a, b) = (self.arms[index], to.arms[index]);
            Arm {
                swing: mix(a.swing, b.swing, t),
                spread: mix(a.spread, b.spread, t),
                bend: mix(a.bend, b.bend, t),
            }
        };
        Self {
            pelvis: self.pelvis.lerp(to.pelvis, t),
            hips: self.hips.lerp(to.hips, t),
            chest: self.chest.lerp(to.chest, t),
            head: self.head.lerp(to.head, t),
            arms: [arm(0), arm(1)],
            feet: [both(0), both(1)],
        }
    }
}
