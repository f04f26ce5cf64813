//! The ranges allowed for the numbers of records.
//!
//! Retail loads any number, and with a plane or vertex at 1e20 m its sweeps do not end. Here a
//! record with such a number is refused when it is loaded, so that queries need no checks. The
//! ranges are far wider than anything in retail's files or in made worlds: too narrow, and real
//! worlds would lose rooms; too wide, and products of three coordinates would overflow single
//! precision (from about 1e12 m).

use std::ops::RangeInclusive;

use threshold_dat::{FileKind, RecordId};
use threshold_land::vector::Vec3;
use threshold_land::{Frame, Plane, Sphere};

use crate::fault::Problem;

/// The greatest distance of a vertex, sphere centre or origin from zero along each axis, in metres.
pub const MAX_COORDINATE: f32 = 8192.0;

/// The greatest radius or height, in metres: a sphere around everything within [`MAX_COORDINATE`].
pub const MAX_RADIUS: f32 = 16384.0;

/// The greatest deviation of a stored plane's normal from unit length. Rounding to single precision
/// causes less than 1e-6, exporters that store few digits cause 1e-3.
pub const NORMAL_TOLERANCE: f32 = 0.01;

/// The greatest scale of a part or scenery object.
pub const MAX_SCALE: f32 = 1000.0;

/// The smallest scale of a collision shape: sweeps divide by it.
pub const MIN_SCALE: f32 = 0.001;

/// The greatest rotation of a scenery object, in degrees; retail's files stay within one turn.
pub const MAX_ROTATION: f32 = 3600.0;

/// The greatest step height, height and radius of a setup, in metres.
pub const MAX_STEP: f32 = 1000.0;

/// A number outside its range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{quantity} {value} is not between {low} and {high}")]
pub struct RangeError {
    /// What the number is.
    pub quantity: &'static str,
    /// The number.
    pub value: f32,
    /// The smallest allowed value.
    pub low: f32,
    /// The greatest allowed value.
    pub high: f32,
}

type RangeResult = Result<(), RangeError>;

/// Checks that a number is in a range; NaN never is.
pub(crate) fn check(quantity: &'static str, value: f32, range: RangeInclusive<f32>) -> RangeResult {
    if range.contains(&value) {
        return Ok(());
    }
    let (low, high) = range.into_inner();
    Err(RangeError { quantity, value, low, high })
}

/// Checks that the magnitude of a number is at most `high`.
pub(crate) fn check_size(quantity: &'static str, value: f32, high: f32) -> RangeResult {
    check(quantity, value, -high..=high)
}

/// Returns whether the coordinates of a point are in range.
pub(crate) fn is_usable_point(point: Vec3) -> bool {
    point.abs().cmple(Vec3::splat(MAX_COORDINATE)).all()
}

/// Checks the coordinates of a point.
pub(crate) fn check_point(point: Vec3) -> RangeResult {
    if is_usable_point(point) {
        return Ok(());
    }
    point.to_array().into_iter().try_for_each(|v| check_size("coordinate", v, MAX_COORDINATE))
}

/// Checks a sphere.
pub(crate) fn check_sphere(sphere: &Sphere) -> RangeResult {
    check_point(sphere.centre)?;
    check("radius", sphere.radius, 0.0..=MAX_RADIUS)
}

/// Checks a stored plane: its normal has unit length, and its distance from zero is at most that of
/// a plane through a valid vertex.
pub(crate) fn check_plane(plane: &Plane) -> RangeResult {
    let range = 1.0 - NORMAL_TOLERANCE..=1.0 + NORMAL_TOLERANCE;
    check("length of the normal", plane.normal.length(), range)?;
    check_size("distance from zero", plane.d, MAX_RADIUS)
}

/// Checks a frame; the reader has checked its rotation already.
pub(crate) fn check_frame(frame: &Frame) -> RangeResult {
    check_point(frame.origin)
}

/// The record and item that contain a checked number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) file: FileKind,
    pub(crate) record: RecordId,
    pub(crate) what: &'static str,
    pub(crate) number: usize,
}

impl Item {
    /// An item of a record of the portal file.
    pub(crate) fn portal(record: RecordId, what: &'static str, number: usize) -> Self {
        Self { file: FileKind::Portal, record, what, number }
    }

    /// Returns the problem of an item with this number.
    pub(crate) fn problem(self, range: RangeError) -> Problem {
        let Self { file, record, what, number } = self;
        Problem::OutOfRange { file, record, what, number, range }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BAD: [f32; 5] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e20, -1e20];

    #[test]
    fn numbers_out_of_range_are_refused() {
        for bad in BAD {
            for axis in 0..3 {
                let mut point = Vec3::new(1.0, -2.0, 3.0);
                assert_eq!(check_point(point), Ok(()));
                point[axis] = bad;
                assert!(check_point(point).is_err(), "{point}");
                assert!(check_sphere(&Sphere::new(point, 1.0)).is_err(), "{point}");
                let mut plane = Plane { normal: Vec3::Z, d: 5.0 };
                assert_eq!(check_plane(&plane), Ok(()));
                plane.normal[axis] = bad;
                assert!(check_plane(&plane).is_err(), "{plane:?}");
            }
            assert!(check_plane(&Plane { normal: Vec3::Z, d: bad }).is_err());
            assert!(check_sphere(&Sphere::new(Vec3::ZERO, bad)).is_err());
        }
        assert!(check_sphere(&Sphere::new(Vec3::ZERO, -1.0)).is_err());
        assert!(check_plane(&Plane { normal: Vec3::ZERO, d: 0.0 }).is_err());
    }

    #[test]
    fn normals_may_deviate_by_the_rounding_of_a_file() {
        for length in [0.9905, 0.999, 1.0, 1.001, 1.0095] {
            assert_eq!(check_plane(&Plane { normal: Vec3::Y * length, d: 0.0 }), Ok(()));
        }
        for length in [0.9, 1.1, 2.0] {
            assert!(check_plane(&Plane { normal: Vec3::Y * length, d: 0.0 }).is_err());
        }
    }

    #[test]
    fn the_message_has_the_number_and_its_range() {
        let error = check_point(Vec3::new(0.0, 1e20, 0.0)).unwrap_err();
        let want = "coordinate 100000000000000000000 is not between -8192 and 8192";
        assert_eq!(error.to_string(), want);
    }
}
