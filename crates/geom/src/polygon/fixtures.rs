//! The polygons of the worked examples.

use threshold_land::vector::Vec3;

use super::{Polygon, Sides};

/// Level, four metres a side, facing up.
pub(crate) const SQUARE: [Vec3; 4] = [
    Vec3::new(0.0, 0.0, 0.0),
    Vec3::new(4.0, 0.0, 0.0),
    Vec3::new(4.0, 4.0, 0.0),
    Vec3::new(0.0, 4.0, 0.0),
];

/// Rises eastwards at 45 degrees.
pub(crate) const RAMP: [Vec3; 4] = [
    Vec3::new(0.0, 0.0, 0.0),
    Vec3::new(4.0, 0.0, 4.0),
    Vec3::new(4.0, 4.0, 4.0),
    Vec3::new(0.0, 4.0, 0.0),
];

pub(crate) fn square() -> Polygon<'static> {
    Polygon::new(&SQUARE, Sides::Single).unwrap()
}

pub(crate) fn ramp() -> Polygon<'static> {
    Polygon::new(&RAMP, Sides::Single).unwrap()
}

/// Compares with a tolerance smaller than the precision of the worked examples.
#[track_caller]
pub(crate) fn close(got: Vec3, want: [f32; 3]) {
    assert!((got - Vec3::from(want)).abs().max_element() < 1e-5, "{got} instead of {want:?}");
}
