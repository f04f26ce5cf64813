//! Transforms of instances, split so that f32 sums on the device lose no precision.
//!
//! In f32, positions in a landblock are rounded to some hundredths of a millimetre, which is visible right in front of a
//! wall. So each position has two parts: multiples of a step, whose sums are exact, and a remainder.

use threshold_land::Frame;
use threshold_land::vector::{DVec3, Vec2, Vec3};

/// Steps per metre; f32 sums of whole steps are exact over the whole map.
const STEPS_PER_METRE: f64 = 256.0;

/// Units of the remainder per step: it is stored as a normalised 16-bit integer.
const UNITS_PER_STEP: f64 = 32767.0;

/// Three rows of rotation and scale, each followed by the position in whole steps; then the remainders, 16 bits each.
pub(super) type InstanceTransform = [u32; 14];

/// Size of an instance transform in bytes.
pub(super) const INSTANCE_BYTES: u64 = 56;

/// Splits a point into whole steps and remainder.
pub(super) fn split(at: DVec3) -> (Vec3, Vec3) {
    let whole = (at * STEPS_PER_METRE).round() / STEPS_PER_METRE;
    (whole.as_vec3(), (at - whole).as_vec3())
}

/// Converts a frame and a scale.
pub(super) fn instance_transform(frame: &Frame, scale: Vec3) -> InstanceTransform {
    let [x, y, z] = frame.rotation.rows().0;
    let (x, y, z) = (x * scale.x, y * scale.y, z * scale.z);
    let (whole, rest) = split(frame.origin.as_dvec3());
    let row = |x: f32, y: f32, z: f32, at: f32| [x, y, z, at].map(f32::to_bits);
    #[allow(clippy::cast_possible_truncation, reason = "between -1 and 1 of 16 bits")]
    let part = |rest: f32| {
        let units = (f64::from(rest) * STEPS_PER_METRE * UNITS_PER_STEP).round();
        units.clamp(-UNITS_PER_STEP, UNITS_PER_STEP) as i16
    };
    let [a, b, c] = rest.to_array().map(part).map(|part| u32::from(part.cast_unsigned()));
    let mut words = [0; 14];
    words[0..4].copy_from_slice(&row(x.x, y.x, z.x, whole.x));
    words[4..8].copy_from_slice(&row(x.y, y.y, z.y, whole.y));
    words[8..12].copy_from_slice(&row(x.z, y.z, z.z, whole.z));
    words[12..14].copy_from_slice(&[a | b << 16, c]);
    words
}

/// Converts the frame of a billboard that turns to the eye about the vertical axis; `front` is its unit direction.
pub(super) fn billboard_transform(frame: &Frame, scale: Vec3, front: Vec2) -> InstanceTransform {
    let mut words = instance_transform(&Frame { origin: frame.origin, ..Frame::default() }, scale);
    words[0..2].copy_from_slice(&(front * scale.x).to_array().map(f32::to_bits));
    // The last 16 bits are 1.0 for billboards.
    words[13] |= 0x7FFF << 16;
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_land::{CellId, Rotation, block_offset_between};

    /// Transforms a point with the operations of `shader/model.wgsl`.
    fn placed(transform: &InstanceTransform, local: Vec3, offset: (Vec3, Vec3)) -> Vec3 {
        let row = |start: usize| {
            let [x, y, z, at] = [0, 1, 2, 3].map(|place| f32::from_bits(transform[start + place]));
            (Vec3::new(x, y, z), at)
        };
        let rows = [row(0), row(4), row(8)];
        let turned = Vec3::from(rows.map(|(row, _)| row.dot(local)));
        let whole = Vec3::from(rows.map(|(_, at)| at));
        let bits = [transform[12] & 0xFFFF, transform[12] >> 16, transform[13] & 0xFFFF];
        #[allow(clippy::cast_possible_truncation, reason = "16 bits")]
        let rest = bits.map(|bits| f32::from((bits as u16).cast_signed()) / 32767.0 / 256.0);
        (turned + Vec3::from(rest)) + ((whole + offset.0) + offset.1)
    }

    #[test]
    fn points_near_the_eye_are_exact_to_micrometres() {
        let eye = DVec3::new(133.317_261, 97.041_337, 41.604_999);
        for (cell, other) in [(0xA9B4_0106, 0xA9B4_0102), (0xFDFD_0106, 0xFEFD_0101)] {
            let to_block = block_offset_between(CellId(cell), CellId(other)).as_dvec3();
            // A wall 10 cm in front of the eye, in a rotated room.
            let mut frame = Frame::at((eye - to_block + DVec3::new(3.0, 4.0, -1.6)).as_vec3());
            frame.rotation = Rotation::from_heading(90.0);
            let local = Vec3::new(3.9, -3.1, 1.7);
            let turned = frame.rotation.rotate(local).as_dvec3();
            let want = turned + frame.origin.as_dvec3() + to_block - eye;
            let got = placed(&instance_transform(&frame, Vec3::ONE), local, split(to_block - eye));
            assert!(got.as_dvec3().distance(want) < 2e-6, "{got} instead of {want}");
        }
    }

    #[test]
    fn a_point_on_a_landblock_border_is_the_same_from_both_sides() {
        let eye = DVec3::new(133.317_261, 97.041_337, 41.604_999);
        let here = CellId(0xA9B4_0001);
        let border = |cell: u32, x: f32| {
            let (whole, rest) = split(block_offset_between(here, CellId(cell)).as_dvec3() - eye);
            (Vec3::new(x, 72.0, 37.99) + whole) + rest
        };
        assert_eq!(border(0xA9B4_0001, 192.0), border(0xAAB4_0001, 0.0));
        assert_eq!(border(0xC0B4_0001, 192.0), border(0xC1B4_0001, 0.0));
    }
}
