//! Unit quaternions, in the order of operations that retail uses.

use crate::vector::Vec3;

use crate::constants::{EPSILON, ROTATION_TOLERANCE};
use crate::vector;

/// A rotation as a unit quaternion, in the order of the files: w first.
///
/// The length is not enforced: a rotation from a file keeps its bits.
/// [`is_valid`](Self::is_valid) says whether retail would load it,
/// [`normalised`](Self::normalised) scales it to unit length. `q` and `-q` are different values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation {
    /// The scalar part.
    pub w: f32,
    /// The vector part, x.
    pub x: f32,
    /// The vector part, y.
    pub y: f32,
    /// The vector part, z.
    pub z: f32,
}

/// A rotation matrix by rows: row `i` is the local axis `i` in the parent space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationMatrix(pub [Vec3; 3]);

impl Rotation {
    /// The rotation that changes nothing.
    pub const IDENTITY: Self = Self::new(1.0, 0.0, 0.0, 0.0);

    /// Makes a rotation of its four components, scalar first.
    pub const fn new(w: f32, x: f32, y: f32, z: f32) -> Self {
        Self { w, x, y, z }
    }

    /// Returns the rotation to a compass heading in degrees: 0 faces north, 90 east.
    pub fn from_heading(degrees: f32) -> Self {
        let half = f64::from(degrees).to_radians() * -0.5;
        Self::from_f64([libm::cos(half), 0.0, 0.0, libm::sin(half)])
    }

    /// Returns the rotation about `axis` by its length in radians. `None` if that is shorter than [`EPSILON`].
    ///
    /// Retail: `Frame::grotate`.
    pub fn from_scaled_axis(axis: Vec3) -> Option<Self> {
        let angle = axis.length();
        if angle.is_nan() || angle < EPSILON {
            return None;
        }
        let half = f64::from(angle) * 0.5;
        let part = libm::sin(half) / f64::from(angle);
        let [x, y, z] = axis.to_array().map(|v| f64::from(v) * part);
        Some(Self::from_f64([libm::cos(half), x, y, z]))
    }

    /// Returns the upright rotation that faces along a direction: its heading, then its tilt. `None` for a zero
    /// vector.
    ///
    /// Retail: `Frame::set_vector_heading`.
    pub fn facing(direction: Vec3) -> Option<Self> {
        let Vec3 { x, y, z } = vector::normalise(direction)?;
        let level = (x * x + y * y).sqrt();
        // Straight up or down has no heading; north is used.
        let yaw = if level < EPSILON { 0.0 } else { -libm::atan2f(x, y) };
        let turn = Self::from_scaled_axis(Vec3::Z * yaw).unwrap_or(Self::IDENTITY);
        let tilt =
            Self::from_scaled_axis(Vec3::X * libm::atan2f(z, level)).unwrap_or(Self::IDENTITY);
        Some(turn.product(tilt))
    }

    /// Returns the four components, scalar first.
    pub const fn to_array(self) -> [f32; 4] {
        [self.w, self.x, self.y, self.z]
    }

    /// Returns the sum of the products of the components.
    pub fn dot(self, other: Self) -> f32 {
        self.w * other.w + self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// Whether retail loads it: no NaN, and the squared length within 0.001 of 1.
    ///
    /// Retail: the rotation half of `Frame::IsValid`.
    pub fn is_valid(self) -> bool {
        (self.dot(self) - 1.0).abs() <= ROTATION_TOLERANCE
    }

    /// Returns the rotation at unit length; `None` for zero, infinity and NaN.
    ///
    /// Retail: the normalisation in `Frame::set_rotate`.
    pub fn normalised(self) -> Option<Self> {
        let length = self.dot(self).sqrt();
        let usable = length.is_finite() && length > 0.0;
        usable
            .then(|| Self::new(self.w / length, self.x / length, self.y / length, self.z / length))
    }

    /// Returns the Hamilton product: first `other`, then `self`.
    pub fn product(self, other: Self) -> Self {
        let (a, b) = (self, other);
        Self {
            w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
            x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        }
    }

    /// Whether all four components agree to within [`EPSILON`].
    pub fn near(self, other: Self) -> bool {
        let (a, b) = (self.to_array(), other.to_array());
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < EPSILON)
    }

    /// Rotates a vector from local axes to those of the parent space.
    ///
    /// Builds the whole matrix; for several vectors, call [`rows`](Self::rows) once.
    #[inline]
    pub fn rotate(self, v: Vec3) -> Vec3 {
        self.rows().to_global(v)
    }

    /// Returns the rotation matrix. Retail: `Frame::cache`, which files never store.
    #[inline]
    pub fn rows(self) -> RotationMatrix {
        let Self { w, x, y, z } = self;
        RotationMatrix([
            Vec3::new(
                1.0 - 2.0 * y * y - 2.0 * z * z,
                2.0 * x * y + 2.0 * w * z,
                2.0 * x * z - 2.0 * w * y,
            ),
            Vec3::new(
                2.0 * x * y - 2.0 * w * z,
                1.0 - 2.0 * x * x - 2.0 * z * z,
                2.0 * y * z + 2.0 * w * x,
            ),
            Vec3::new(
                2.0 * x * z + 2.0 * w * y,
                2.0 * y * z - 2.0 * w * x,
                1.0 - 2.0 * x * x - 2.0 * y * y,
            ),
        ])
    }

    /// Interpolates from `self` (`t` = 0) to `to` (`t` = 1) along the shorter arc.
    ///
    /// In double precision, as in retail.
    /// Retail: `Frame::interpolate_rotation`.
    pub fn interpolate(self, to: Self, t: f32) -> Self {
        let from = self.to_array().map(f64::from);
        let mut to = to.to_array().map(f64::from);
        let t = f64::from(t);
        let mut cosine = (0..4).map(|i| from[i] * to[i]).sum::<f64>();
        if cosine < 0.0 {
            cosine = -cosine;
            to = to.map(|v| -v);
        }
        let (near, far) = interpolation_weights(cosine, t);
        let mixed = Self::from_f64([0, 1, 2, 3].map(|i| near * from[i] + far * to[i]));
        mixed.normalised().unwrap_or(self)
    }

    #[allow(clippy::cast_possible_truncation, reason = "rounding to single precision is meant")]
    fn from_f64([w, x, y, z]: [f64; 4]) -> Self {
        Self::new(w as f32, x as f32, y as f32, z as f32)
    }
}

/// Weights of the two ends of an arc, by the cosine of the angle between them.
fn interpolation_weights(cosine: f64, t: f64) -> (f64, f64) {
    let straight = (1.0 - t, t);
    if 1.0 - cosine <= f64::from(EPSILON) {
        return straight;
    }
    let angle = libm::acos(cosine);
    let sine = libm::sin(angle);
    let arc = (libm::sin((1.0 - t) * angle) / sine, libm::sin(t * angle) / sine);
    let unit = 0.0..=1.0;
    if unit.contains(&arc.0) && unit.contains(&arc.1) { arc } else { straight }
}

impl RotationMatrix {
    /// Converts a local direction to the parent space. Retail: `Frame::localtoglobalvec`.
    #[inline]
    pub fn to_global(&self, v: Vec3) -> Vec3 {
        v.x * self.0[0] + v.y * self.0[1] + v.z * self.0[2]
    }

    /// Converts a direction of the parent space to local axes. Retail: `Frame::globaltolocalvec`.
    #[inline]
    pub fn to_local(&self, v: Vec3) -> Vec3 {
        Vec3::new(v.dot(self.0[0]), v.dot(self.0[1]), v.dot(self.0[2]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;
    const QUARTER_TURN: Rotation = Rotation::new(HALF, 0.0, 0.0, HALF);

    #[test]
    fn rows_of_sixty_degrees_about_x() {
        let sixty = Rotation::new(0.866_025_4, 0.5, 0.0, 0.0);
        let up = sixty.rows().to_global(Vec3::Z);
        assert!((up - Vec3::new(0.0, -0.866_025, 0.5)).length() < 1e-5, "{up}");
        let back = sixty.rows().to_local(Vec3::Z);
        assert!((back - Vec3::new(0.0, 0.866_025, 0.5)).length() < 1e-5, "{back}");
    }

    #[test]
    fn a_turn_about_an_axis_is_as_long_as_the_axis() {
        let quarter = Rotation::from_scaled_axis(Vec3::Z * std::f32::consts::FRAC_PI_2).unwrap();
        assert!(quarter.near(QUARTER_TURN), "{quarter:?}");
        assert!(quarter.near(Rotation::from_heading(-90.0)));
        assert_eq!(Rotation::from_scaled_axis(Vec3::X * 0.000_19), None);
        assert_eq!(Rotation::from_scaled_axis(Vec3::NAN), None);
    }

    #[test]
    fn facing_a_direction_points_the_local_y_axis_along_it() {
        let along = [
            [0.0, 2.0, 0.0],
            [3.0, 0.0, 0.0],
            [-1.0, -1.0, 0.0],
            [0.3, -0.4, 0.5],
            [0.0, 0.0, -1.0],
        ];
        for direction in along.map(Vec3::from) {
            let rows = Rotation::facing(direction).unwrap().rows();
            let ahead = rows.to_global(Vec3::Y);
            assert!((ahead - direction.normalize()).length() < 1e-5, "{direction}: {ahead}");
            assert!(rows.to_global(Vec3::X).z.abs() < 1e-6, "{direction}: upright");
        }
        assert_eq!(Rotation::facing(Vec3::ZERO), None);
    }

    #[track_caller]
    fn check_interpolation(to: Rotation, t: f32, want: [f32; 4]) {
        let got = Rotation::IDENTITY.interpolate(to, t).to_array();
        let near = got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(near, "{got:?} instead of {want:?}");
    }

    #[test]
    fn interpolation_takes_the_shorter_arc() {
        check_interpolation(QUARTER_TURN, 0.25, [0.980_785, 0.0, 0.0, 0.195_090]);
        let Rotation { w, x, y, z } = QUARTER_TURN;
        check_interpolation(Rotation::new(-w, -x, -y, -z), 0.5, [0.923_880, 0.0, 0.0, 0.382_683]);
        let one_degree = Rotation::from_heading(-1.0);
        check_interpolation(one_degree, 0.5, [0.999_990, 0.0, 0.0, 0.004_363]);
    }

    #[test]
    fn validity_is_about_the_squared_length() {
        assert!(Rotation::IDENTITY.is_valid());
        assert!(Rotation::new(1.0004, 0.0, 0.0, 0.0).is_valid());
        assert!(!Rotation::new(1.001, 0.0, 0.0, 0.0).is_valid());
        assert!(!Rotation::new(0.0, 0.0, 0.0, 0.0).is_valid());
        assert!(!Rotation::new(f32::NAN, 0.0, 0.0, 0.0).is_valid());
    }

    #[test]
    fn zero_infinity_and_nan_cannot_be_normalised() {
        assert_eq!(Rotation::new(0.0, 0.0, 0.0, 0.0).normalised(), None);
        assert_eq!(Rotation::new(f32::MAX, f32::MAX, 0.0, 0.0).normalised(), None);
        assert_eq!(Rotation::new(f32::NAN, 0.0, 0.0, 0.0).normalised(), None);
        assert_eq!(Rotation::new(2.0, 0.0, 0.0, 0.0).normalised(), Some(Rotation::IDENTITY));
    }
}
