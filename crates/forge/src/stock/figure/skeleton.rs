//! The skeleton: turns a pose into a frame for every part.

use threshold_land::vector::Vec3;
use threshold_land::{Frame, Rotation};

use super::pose::{Arm, Foot, Pose};

/// The parts, in the order of the setup. Limbs come left, then right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Pelvis,
    Chest,
    Head,
    UpperArm,
    Forearm,
    Hand,
    Thigh,
    Shin,
    Foot,
}

/// Number of parts.
pub(crate) const COUNT: usize = 15;

/// The body part of each part of the setup.
pub(crate) const PARTS: [Part; COUNT] = {
    use Part::{Chest, Foot, Forearm, Hand, Head, Pelvis, Shin, Thigh, UpperArm};
    [
        Pelvis, Chest, Head, UpperArm, Forearm, Hand, UpperArm, Forearm, Hand, Thigh, Shin, Foot,
        Thigh, Shin, Foot,
    ]
};

/// Positions of the joints on the parts that carry them, in metres; those of limbs on the right.
pub(crate) const WAIST: Vec3 = Vec3::new(0.0, 0.0, 0.1);
pub(crate) const NECK: Vec3 = Vec3::new(0.0, 0.0, 0.47);
pub(crate) const SHOULDER: Vec3 = Vec3::new(0.2, 0.0, 0.4);
pub(crate) const ELBOW: Vec3 = Vec3::new(0.0, 0.0, -0.285);
pub(crate) const WRIST: Vec3 = Vec3::new(0.0, 0.0, -0.25);
pub(crate) const HIP: Vec3 = Vec3::new(0.095, 0.0, 0.0);
pub(crate) const KNEE: Vec3 = Vec3::new(0.0, 0.0, -0.425);
pub(crate) const ANKLE: Vec3 = Vec3::new(0.0, 0.0, -0.41);
/// Height of the ankle over the sole.
pub(crate) const SOLE: f32 = 0.09;

/// Maximum length of a leg: it is never quite straight.
const MAX_LEG_LENGTH: f32 = -(KNEE.z + ANKLE.z) - 0.002;

/// Returns the rotation by a vector, in radians.
pub(crate) fn turn(by: Vec3) -> Rotation {
    Rotation::from_scaled_axis(by).unwrap_or(Rotation::IDENTITY)
}

/// Returns the frame of a part that hangs from another at a joint.
fn hung(on: &Frame, joint: Vec3, rotation: Rotation) -> Frame {
    on.combine(&Frame { origin: joint, rotation })
}

/// Returns the same position on the left or on the right.
fn on_side(joint: Vec3, side: f32) -> Vec3 {
    Vec3::new(joint.x * side, joint.y, joint.z)
}

/// Returns a frame for every part, in the object's space.
pub(crate) fn frames(pose: &Pose) -> [Frame; COUNT] {
    let pelvis = Frame { origin: pose.pelvis, rotation: turn(pose.hips) };
    let chest = hung(&pelvis, WAIST, turn(pose.chest));
    let head = hung(&chest, NECK, turn(pose.head));
    let [a, b, c] = arm(&chest, &pose.arms[0], -1.0);
    let [d, e, f] = arm(&chest, &pose.arms[1], 1.0);
    let [g, h, i] = leg(&pelvis, &pose.feet[0], -1.0);
    let [j, k, l] = leg(&pelvis, &pose.feet[1], 1.0);
    [pelvis, chest, head, a, b, c, d, e, f, g, h, i, j, k, l]
}

fn arm(chest: &Frame, arm: &Arm, side: f32) -> [Frame; 3] {
    let out = turn(Vec3::Y * (-arm.spread * side));
    let upper = hung(chest, on_side(SHOULDER, side), out.product(turn(Vec3::X * arm.swing)));
    let lower = hung(&upper, ELBOW, turn(Vec3::X * arm.bend));
    // A relaxed hand is slightly bent.
    let hand = hung(&lower, WRIST, turn(Vec3::X * 0.12));
    [upper, lower, hand]
}

/// Returns a leg with its ankle at the target, as far as it can reach.
fn leg(pelvis: &Frame, foot: &Foot, side: f32) -> [Frame; 3] {
    let hip = pelvis.to_global(on_side(HIP, side));
    let yaw = turn(Vec3::Z * foot.yaw);
    let offset = yaw.rows().to_local(foot.ankle - hip);
    let down = libm::hypotf(offset.x, offset.z);
    let length = libm::hypotf(offset.y, down).clamp(0.1, MAX_LEG_LENGTH);
    let (thigh, shin) = (-KNEE.z, -ANKLE.z);
    // Law of cosines: three sides of a triangle are known.
    let corner = |near: f32, other: f32, far: f32| {
        let cosine = (near * near + other * other - far * far) / (2.0 * near * other);
        libm::acosf(cosine.clamp(-1.0, 1.0))
    };
    let swing = libm::atan2f(offset.y, down) + corner(thigh, length, shin);
    let bend = std::f32::consts::PI - corner(thigh, shin, length);
    let aside = turn(Vec3::Y * libm::atan2f(-offset.x, -offset.z));
    let rotation = yaw.product(aside).product(turn(Vec3::X * swing));
    let thigh = Frame { origin: hip, rotation };
    let shin = hung(&thigh, KNEE, turn(Vec3::X * -bend));
    let rotation = yaw.product(turn(Vec3::X * foot.pitch));
    [thigh, shin, Frame { origin: shin.to_global(ANKLE), rotation }]
}
