//! Planes.

use crate::vector::Vec3;

use crate::constants::EPSILON;
use crate::position::Position;

/// A plane: the points with `normal · p + d = 0`. The normal points to the front.
///
/// The normal should be of unit length; nothing enforces it.
///
/// Retail: `Plane`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Plane {
    /// The normal, towards the front.
    pub normal: Vec3,
    /// Distance of the origin, positive when it lies in front.
    pub d: f32,
}

/// The side of a plane on which a point lies. Retail: `Sidedness`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// In front.
    Positive,
    /// Behind.
    Negative,
    /// Within the tolerance.
    InPlane,
}

/// The side of a plane on which a box lies. Retail: `Sidedness`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxSide {
    /// All of it in front.
    Positive,
    /// All of it behind.
    Negative,
    /// On both sides, or touching.
    Crossing,
}

/// Where a ray meets a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayTime {
    /// Multiples of the ray's direction from its origin; negative behind it.
    pub time: f32,
    /// Whether the plane is met at or after the origin.
    pub ahead: bool,
}

impl Plane {
    /// Makes the plane through `point`. Retail: `Plane::Plane(N, point)`.
    pub fn through(normal: Vec3, point: Vec3) -> Self {
        Self { normal, d: -normal.dot(point) }
    }

    /// Returns the signed distance of a point, positive in front.
    #[inline]
    pub fn distance(&self, point: Vec3) -> f32 {
        self.normal.dot(point) + self.d
    }

    /// Returns the side of a point; up to `tolerance` away, it is in the plane.
    ///
    /// Retail: `Plane::which_side`.
    pub fn side(&self, point: Vec3, tolerance: f32) -> Side {
        let distance = self.distance(point);
        if distance > tolerance {
            Side::Positive
        } else if distance < -tolerance {
            Side::Negative
        } else {
            Side::InPlane
        }
    }

    /// Returns `v` with the z that makes it parallel to the plane; unchanged when the plane is vertical.
    ///
    /// Retail: `Plane::snap_to_plane`.
    pub fn snap(&self, v: Vec3) -> Vec3 {
        if self.normal.z.abs() <= EPSILON {
            return v;
        }
        let z = -(v.x * self.normal.x + v.y * self.normal.y) / self.normal.z;
        Vec3::new(v.x, v.y, z)
    }

    /// Returns the z of the plane at a point; `None` when the plane is vertical.
    ///
    /// Retail: `Plane::set_height`.
    pub fn height(&self, x: f32, y: f32) -> Option<f32> {
        if self.normal.z.abs() <= EPSILON {
            return None;
        }
        Some(-((y * self.normal.y + x * self.normal.x + self.d) / self.normal.z))
    }

    /// Intersects a ray with the plane; `None` when they are parallel.
    ///
    /// Retail: `Plane::compute_time_of_intersection`, which writes the time even when the
    /// plane lies behind the ray.
    pub fn ray_time(&self, origin: Vec3, direction: Vec3) -> Option<RayTime> {
        let approach = self.normal.dot(direction);
        if approach.abs() < EPSILON {
            return None;
        }
        let time = self.distance(origin) * (-1.0 / approach);
        Some(RayTime { time, ahead: time >= 0.0 })
    }

    /// Returns the side of an axis-aligned box. Retail: `Plane::intersect_box`.
    pub fn box_side(&self, min: Vec3, max: Vec3) -> BoxSide {
        let first = self.side(min, EPSILON);
        let whole = match first {
            Side::Positive => BoxSide::Positive,
            Side::Negative => BoxSide::Negative,
            Side::InPlane => return BoxSide::Crossing,
        };
        let others = (1..8_u8).map(|corner| {
            let pick = |bit: u8, low: f32, high: f32| if corner & bit == 0 { low } else { high };
            Vec3::new(pick(1, min.x, max.x), pick(2, min.y, max.y), pick(4, min.z, max.z))
        });
        for corner in others {
            if self.side(corner, EPSILON) != first {
                return BoxSide::Crossing;
            }
        }
        whole
    }

    /// Converts this plane from the space of `from` to the frame of the landblock of `to`.
    ///
    /// Retail: `Plane::localtoglobal`.
    pub fn to_global(&self, to: &Position, from: &Position) -> Self {
        let normal = from.frame.rotation.rotate(self.normal);
        let point = to.to_global_from(from, -self.d * self.normal);
        Self::through(normal, point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Frame;
    use crate::id::CellId;
    use crate::rotation::Rotation;

    const GROUND: Plane = Plane { normal: Vec3::Z, d: 0.0 };

    #[test]
    fn the_tolerance_itself_is_in_the_plane() {
        let side = |z| GROUND.side(Vec3::new(0.0, 0.0, z), EPSILON);
        assert_eq!(side(0.0002), Side::InPlane);
        assert_eq!(side(0.00021), Side::Positive);
        assert_eq!(side(-0.0002), Side::InPlane);
        assert_eq!(side(-0.00021), Side::Negative);
    }

    #[test]
    fn worked_examples_of_planes() {
        let through = Plane::through(Vec3::new(0.0, 0.6, 0.8), Vec3::new(1.0, 2.0, 3.0));
        assert!((through.d + 3.6).abs() < 1e-5);
        let slope = Plane { normal: Vec3::new(0.6, 0.0, 0.8), d: -4.0 };
        assert!((slope.snap(Vec3::new(2.0, 1.0, 9.0)).z + 1.5).abs() < 1e-5);
        assert!((slope.height(1.0, 2.0).unwrap() - 4.25).abs() < 1e-5);
        let upright = Plane { normal: Vec3::X, d: 1.0 };
        assert_eq!(upright.height(1.0, 2.0), None);
        assert_eq!(upright.snap(Vec3::ONE), Vec3::ONE);
    }

    #[test]
    fn a_ray_meets_the_plane_ahead_behind_or_never() {
        let origin = Vec3::new(0.0, 0.0, 5.0);
        let time = |direction| GROUND.ray_time(origin, direction);
        assert_eq!(time(Vec3::new(0.0, 0.0, -2.0)), Some(RayTime { time: 2.5, ahead: true }));
        assert_eq!(time(Vec3::new(0.0, 0.0, 2.0)), Some(RayTime { time: -2.5, ahead: false }));
        assert_eq!(time(Vec3::X), None);
    }

    #[test]
    fn boxes_on_either_side_and_across() {
        let side = |low: f32, high: f32| {
            GROUND.box_side(Vec3::new(-1.0, -1.0, low), Vec3::new(1.0, 1.0, high))
        };
        assert_eq!(side(1.0, 2.0), BoxSide::Positive);
        assert_eq!(side(-2.0, -1.0), BoxSide::Negative);
        assert_eq!(side(-1.0, 1.0), BoxSide::Crossing);
        assert_eq!(side(0.0001, 1.0), BoxSide::Crossing);
    }

    #[test]
    fn a_plane_of_the_next_landblock_in_this_ones_space() {
        let to =
            Position { cell: CellId(0xA9B4_0031), frame: Frame::at(Vec3::new(150.0, 10.0, 2.0)) };
        let from = Position {
            cell: CellId(0xA9B3_0100),
            frame: Frame {
                origin: Vec3::new(150.0, 190.0, 2.0),
                rotation: Rotation::new(0.0, 0.0, 0.0, 1.0),
            },
        };
        let check = |normal: [f32; 3], d: f32, want: [f32; 4]| {
            let got = Plane { normal: normal.into(), d }.to_global(&to, &from);
            let got = [got.normal.x, got.normal.y, got.normal.z, got.d];
            assert!(got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-4), "{got:?} {want:?}");
        };
        check([1.0, 0.0, 0.0], -3.0, [-1.0, 0.0, 0.0, 147.0]);
        check([0.0, 0.6, 0.8], -1.0, [0.0, -0.6, 0.8, -3.8]);
        check([0.0, 0.0, 1.0], -2.0, [0.0, 0.0, 1.0, -4.0]);
    }
}
