//! Frames: an origin and a rotation.

use crate::vector::Vec3;

use crate::rotation::Rotation;
use crate::vector;

/// An origin and a rotation. +X is east, +Y north, +Z up; an object faces its local +Y.
///
/// Derived equality compares bits as floats do; [`near`](Self::near) is retail's equality.
///
/// Retail: `Frame`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Frame {
    /// The local origin in the parent space, in metres.
    pub origin: Vec3,
    /// The rotation of the local axes.
    pub rotation: Rotation,
}

impl Frame {
    /// The parent's origin, without rotation.
    pub const IDENTITY: Self = Self::at(Vec3::ZERO);

    /// Makes a frame at `origin`, without rotation.
    pub const fn at(origin: Vec3) -> Self {
        Self { origin, rotation: Rotation::IDENTITY }
    }

    /// Converts a local point to the parent space. Retail: `Frame::localtoglobal`.
    pub fn to_global(&self, point: Vec3) -> Vec3 {
        self.origin + self.rotation.rotate(point)
    }

    /// Converts a point of the parent space to local coordinates. Retail: `Frame::globaltolocal`.
    pub fn to_local(&self, point: Vec3) -> Vec3 {
        self.rotation.rows().to_local(point - self.origin)
    }

    /// Converts a point of `other`, a frame in the same parent space, to local coordinates.
    ///
    /// Retail: `Frame::localtolocal`.
    pub fn to_local_from(&self, other: &Self, point: Vec3) -> Vec3 {
        self.to_local(other.to_global(point))
    }

    /// Converts `inner`, a frame in the space of `self`, to the parent space. Retail: `Frame::combine`.
    pub fn combine(&self, inner: &Self) -> Self {
        self.combine_scaled(inner, Vec3::ONE)
    }

    /// Like [`combine`](Self::combine), with the inner origin scaled axis by axis first.
    pub fn combine_scaled(&self, inner: &Self, scale: Vec3) -> Self {
        let product = self.rotation.product(inner.rotation);
        Self {
            origin: self.to_global(inner.origin * scale),
            rotation: product.normalised().unwrap_or(product),
        }
    }

    /// Whether retail loads it: no NaN, and a rotation of unit length (within 0.001 of the
    /// squared length). Retail: `Frame::IsValid`.
    pub fn is_valid(&self) -> bool {
        !self.origin.is_nan() && self.rotation.is_valid()
    }

    /// Retail's equality: origin and rotation agree to within [`crate::EPSILON`], strictly.
    ///
    /// Retail: `Frame::is_equal`.
    pub fn near(&self, other: &Self) -> bool {
        vector::near(self.origin, other.origin) && self.rotation.near(other.rotation)
    }

    /// Returns the compass heading in degrees, 0 north, 90 east. Retail: `Frame::get_heading`.
    pub fn heading(&self) -> f32 {
        let forward = self.rotation.rows().0[1];
        let degrees = libm::atan2f(forward.y, forward.x).to_degrees();
        (450.0 - degrees) % 360.0
    }
}

impl Default for Frame {
    fn default() -> Self {
        Self::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;
    const QUARTER_TURN: Rotation = Rotation::new(HALF, 0.0, 0.0, HALF);

    fn example() -> Frame {
        Frame { origin: Vec3::new(10.0, 20.0, 5.0), rotation: QUARTER_TURN }
    }

    #[track_caller]
    fn check(got: Vec3, want: [f32; 3]) {
        assert!((got - Vec3::from(want)).length() < 1e-4, "{got} instead of {want:?}");
    }

    #[test]
    fn worked_examples_of_frames() {
        check(example().to_global(Vec3::new(1.0, 2.0, 3.0)), [8.0, 21.0, 8.0]);
        check(example().to_local(Vec3::new(8.0, 21.0, 8.0)), [1.0, 2.0, 3.0]);
        assert!((example().heading() - 270.0).abs() < 1e-3);
        assert!(example().is_valid());
    }

    #[test]
    fn a_point_of_one_frame_in_another() {
        let other = Frame::at(Vec3::new(7.0, 20.0, 5.0));
        check(example().to_local_from(&other, Vec3::new(1.0, 1.0, 3.0)), [1.0, 2.0, 3.0]);
    }

    #[test]
    fn worked_examples_of_combine() {
        let inner = Frame { origin: Vec3::X, rotation: QUARTER_TURN };
        let outer = example().combine(&inner);
        check(outer.origin, [10.0, 21.0, 5.0]);
        assert!(outer.rotation.near(Rotation::new(0.0, 0.0, 0.0, 1.0)));
        check(example().combine_scaled(&inner, Vec3::splat(2.0)).origin, [10.0, 22.0, 5.0]);
    }

    #[test]
    fn headings_turn_with_the_sun() {
        for degrees in [0.0_f32, 37.0, 90.0, 180.0, 270.0, 359.0] {
            let frame = Frame { rotation: Rotation::from_heading(degrees), ..Frame::IDENTITY };
            assert!((frame.heading() - degrees).abs() < 1e-3, "{degrees}: {}", frame.heading());
        }
    }

    #[test]
    fn a_rotation_and_its_negative_are_different_frames() {
        let Rotation { w, x, y, z } = QUARTER_TURN;
        let negative = Frame { rotation: Rotation::new(-w, -x, -y, -z), ..example() };
        assert!(!example().near(&negative));
        assert!(example().near(&example()));
    }

    #[test]
    fn a_frame_with_nan_in_its_origin_is_not_valid() {
        let mut frame = example();
        frame.origin.z = f32::NAN;
        assert!(!frame.is_valid());
    }
}
