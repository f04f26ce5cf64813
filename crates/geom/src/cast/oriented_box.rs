//! A box with any rotation.

use threshold_land::Sphere;
use threshold_land::vector::DVec3;

use super::{TOUCHING_GAP, have_common_point, nearest_on_cylinder, sides, widened};
use crate::cylinder::Cylinder;
use crate::polygon::Polygon;

/// A box with any rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBox {
    /// Its centre.
    pub centre: DVec3,
    /// Its axes, of unit length and perpendicular to each other.
    pub axes: [DVec3; 3],
    /// Half its length along each axis.
    pub half: DVec3,
}

impl OrientedBox {
    /// Converts a point to its axes, from its centre.
    fn to_local(self, p: DVec3) -> DVec3 {
        let off = p - self.centre;
        DVec3::new(self.axes[0].dot(off), self.axes[1].dot(off), self.axes[2].dot(off))
    }

    /// Returns its point nearest to a point; the point itself if it is inside.
    pub fn nearest(&self, p: DVec3) -> DVec3 {
        let local = self.to_local(p);
        let there = local.clamp(-self.half, self.half);
        if there == local {
            return p;
        }
        let [x, y, z] = self.axes;
        self.centre + x * there.x + y * there.y + z * there.z
    }

    /// Returns whether it touches a ball.
    pub fn touches_sphere(&self, sphere: &Sphere) -> bool {
        let (centre, radius) = widened(sphere);
        self.nearest(centre).distance_squared(centre) <= radius * radius
    }

    /// Returns whether it touches a solid cylinder, or comes closer than [`TOUCHING_GAP`].
    pub fn touches_cylinder(&self, cylinder: &Cylinder) -> bool {
        let in_box = |p| self.nearest(p);
        let in_cylinder = |p| nearest_on_cylinder(cylinder, p);
        have_common_point(self.centre, in_cylinder, in_box, TOUCHING_GAP)
    }

    /// Returns whether it touches a polygon, from either side. By separating axes; the square of
    /// the corners.
    pub fn touches_polygon(&self, polygon: &Polygon<'_>) -> bool {
        let corners = || polygon.vertices.iter().map(|corner| self.to_local(corner.as_dvec3()));
        let is_apart = |axis: DVec3| {
            let reach = self.half.dot(axis.abs());
            let heights = corners().map(|corner| axis.dot(corner));
            let none = (f64::INFINITY, f64::NEG_INFINITY);
            let (low, high) = heights.fold(none, |(low, high), at| (low.min(at), high.max(at)));
            low > reach || high < -reach
        };
        let units = [DVec3::X, DVec3::Y, DVec3::Z];
        if units.into_iter().any(is_apart) {
            return false;
        }
        let normal = polygon.plane.normal.as_dvec3();
        if is_apart(DVec3::new(
            self.axes[0].dot(normal),
            self.axes[1].dot(normal),
            self.axes[2].dot(normal),
        )) {
            return false;
        }
        let edges = sides(polygon).map(|(a, b)| self.to_local(b) - self.to_local(a));
        !edges.flat_map(|edge| units.map(|unit| unit.cross(edge))).any(is_apart)
    }
}

#[cfg(test)]
mod tests {
    use threshold_land::vector::Vec3;

    use super::*;
    use crate::polygon::Sides;

    const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

    /// A cube of two metres around the origin, turned by 45 degrees about z.
    fn turned() -> OrientedBox {
        let axes = [DVec3::new(HALF, HALF, 0.0), DVec3::new(-HALF, HALF, 0.0), DVec3::Z];
        OrientedBox { centre: DVec3::ZERO, axes, half: DVec3::ONE }
    }

    #[test]
    fn a_turned_box_reaches_to_its_corner() {
        let ball = |x: f32| Sphere::new(Vec3::X * x, 0.1);
        assert!(turned().touches_sphere(&ball(1.5)));
        assert!(!turned().touches_sphere(&ball(1.52)));
        let pillar = |x: f32| Cylinder { low: Vec3::new(x, 0.0, -3.0), radius: 0.1, height: 9.0 };
        assert!(turned().touches_cylinder(&pillar(1.51)));
        assert!(!turned().touches_cylinder(&pillar(1.53)));
        let above = Cylinder { low: Vec3::Z * 1.01, radius: 5.0, height: 1.0 };
        assert!(!turned().touches_cylinder(&above));
    }

    #[track_caller]
    fn check(corners: [[f32; 3]; 3], want: bool) {
        let corners = corners.map(Vec3::from);
        let polygon = Polygon::new(&corners, Sides::Single).unwrap();
        assert_eq!(turned().touches_polygon(&polygon), want, "{corners:?}");
    }

    #[test]
    fn polygons_across_beside_and_around_a_box() {
        check([[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]], true); // cuts through
        check([[-9.0, -9.0, 1.1], [9.0, -9.0, 1.1], [0.0, 9.0, 1.1]], false); // above
        check([[-0.1, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.2]], true); // inside
        // Past the corner, where only the product of two edges separates.
        check([[1.5, -1.0, -1.0], [1.5, 1.0, -1.0], [1.5, 0.0, 1.0]], false);
        check([[1.4, -1.0, -1.0], [1.4, 1.0, -1.0], [1.4, 0.0, 1.0]], true);
        check([[1.1, 1.1, -1.0], [1.1, 1.1, 1.0], [2.0, 2.0, 0.0]], false);
    }
}
