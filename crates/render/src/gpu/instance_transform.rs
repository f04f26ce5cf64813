//! Where things stand, in numbers that a device adds up without losing anything.
//!
//! A device reckons in single precision. Positions in a landblock are rounded to some hundredths of a millimetre there, which an eye
//! right before a wall sees. So a position is given in two parts, one in steps that add up exactly, and the rest.

use threshold_land::Frame;
use threshold_land::glam::{DVec3, Vec2, Vec3};

/// Steps in a metre: sums of such numbers are exact over the whole map.
const STEPS: f64 = 256.0;

/// What the rest is counted in, in steps: a signed number of 16 bits is at most one.
const REST: f64 = 32767.0;

/// Rows of a rotation with its scale, and the whole steps behind each; then the rest, in halves of 16 bits.
pub(super) type InstanceTransform = [u32; 14];

/// Bytes of a stance.
pub(super) const INSTANCE_BYTES: u64 = 56;

/// A point in whole steps, and what is left.
pub(super) fn split(at: DVec3) -> (Vec3, Vec3) {
    let whole = (at * STEPS).round() / STEPS;
    (whole.as_vec3(), (at - whole).as_vec3())
}

/// A frame and a scale, as a device takes them.
pub(super) fn stance(frame: &Frame, scale: Vec3) -> InstanceTransform {
    let [x, y, z] = frame.rotation.rows().0;
    let (x, y, z) = (x * scale.x, y * scale.y, z * scale.z);
    let (whole, rest) = split(frame.origin.as_dvec3());
    let row = |x: f32, y: f32, z: f32, at: f32| [x, y, z, at].map(f32::to_bits);
    #[allow(clippy::cast_possible_truncation, reason = "between -1 and 1 of 16 bits")]
    let part = |rest: f32| (f64::from(rest) * STEPS * REST).round().clamp(-REST, REST) as i16;
    let [a, b, c] = rest.to_array().map(part).map(|part| u32::from(part.cast_unsigned()));
    let mut words = [0; 14];
    words[0..4].copy_from_slice(&row(x.x, y.x, z.x, whole.x));
    words[4..8].copy_from_slice(&row(x.y, y.y, z.y, whole.y));
    words[8..12].copy_from_slice(&row(x.z, y.z, z.z, whole.z));
    words[12..14].copy_from_slice(&[a | b << 16, c]);
    words
}

/// The same for what turns to the eye about the upright; `front` is what is turned there, of unit length.
pub(super) fn turning(frame: &Frame, scale: Vec3, front: Vec2) -> InstanceTransform {
    let mut words = stance(&Frame { origin: frame.origin, ..Frame::default() }, scale);
    words[0..2].copy_from_slice(&(front * scale.x).to_array().map(f32::to_bits));
    // 1 in the last of the numbers of 16 bits.
    words[13] |= 0x7FFF << 16;
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_land::{CellId, Rotation, block_offset_between};

    /// Where a device puts a point of a thing: `shader/model.wgsl` in the same steps.
    fn placed(stance: &InstanceTransform, local: Vec3, offset: (Vec3, Vec3)) -> Vec3 {
        let row = |start: usize| {
            let [x, y, z, at] = [0, 1, 2, 3].map(|place| f32::from_bits(stance[start + place]));
            (Vec3::new(x, y, z), at)
        };
        let rows = [row(0), row(4), row(8)];
        let turned = Vec3::from(rows.map(|(row, _)| row.dot(local)));
        let whole = Vec3::from(rows.map(|(_, at)| at));
        let bits = [stance[12] & 0xFFFF, stance[12] >> 16, stance[13] & 0xFFFF];
        #[allow(clippy::cast_possible_truncation, reason = "16 bits")]
        let rest = bits.map(|bits| f32::from((bits as u16).cast_signed()) / 32767.0 / 256.0);
        (turned + Vec3::from(rest)) + ((whole + offset.0) + offset.1)
    }

    #[test]
    fn what_is_before_the_eye_is_exact_to_a_micrometre() {
        let eye = DVec3::new(133.317_261, 97.041_337, 41.604_999);
        for (cell, other) in [(0xA9B4_0106, 0xA9B4_0102), (0xFDFD_0106, 0xFEFD_0101)] {
            let to_block = block_offset_between(CellId(cell), CellId(other)).as_dvec3();
            // A wall a hand's breadth before the eye, in a room that is turned.
            let mut frame = Frame::at((eye - to_block + DVec3::new(3.0, 4.0, -1.6)).as_vec3());
            frame.rotation = Rotation::from_heading(90.0);
            let local = Vec3::new(3.9, -3.1, 1.7);
            let turned = frame.rotation.rotate(local).as_dvec3();
            let want = turned + frame.origin.as_dvec3() + to_block - eye;
            let got = placed(&stance(&frame, Vec3::ONE), local, split(to_block - eye));
            assert!(got.as_dvec3().distance(want) < 2e-6, "{got} instead of {want}");
        }
    }

    #[test]
    fn the_border_of_two_landblocks_is_one_line() {
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
