//! The nearest points of shapes.

use threshold_land::Sphere;
use threshold_land::vector::DVec3;

use super::{height, is_over_polygon, nearest_on_segment, sides, widened, widened_cylinder};
use crate::cylinder::Cylinder;
use crate::polygon::Polygon;

/// Returns the point of a polygon nearest to a point. Linear in the corners.
///
/// [`Polygon::nearest_point`] is the same in f32.
pub fn nearest_on_polygon(polygon: &Polygon<'_>, p: DVec3) -> DVec3 {
    let foot = p - polygon.plane.normal.as_dvec3() * height(polygon, p);
    if is_over_polygon(polygon, foot, 0.0) {
        return foot;
    }
    let ends = sides(polygon).map(|(a, b)| nearest_on_segment(a, b, p));
    let apart = |end: &DVec3| end.distance_squared(p);
    ends.min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap_or(foot)
}

/// Returns the point of a ball nearest to a point; the point itself if it is inside.
pub fn nearest_on_sphere(sphere: &Sphere, p: DVec3) -> DVec3 {
    let (centre, radius) = widened(sphere);
    let (off, radius) = (p - centre, radius.abs());
    let length = off.length();
    if length <= radius { p } else { centre + off * (radius / length) }
}

/// Returns the point of a solid cylinder nearest to a point; the point itself if it is inside.
pub fn nearest_on_cylinder(cylinder: &Cylinder, p: DVec3) -> DVec3 {
    let (low, radius, height) = widened_cylinder(cylinder);
    let (off, radius) = (p - low, radius.abs());
    let flat = (off.x * off.x + off.y * off.y).sqrt();
    let part = if flat > radius { radius / flat } else { 1.0 };
    let z = off.z.clamp(height.min(0.0), height.max(0.0));
    low + DVec3::new(off.x * part, off.y * part, z)
}

#[cfg(test)]
mod tests {
    use threshold_land::vector::Vec3;

    use super::*;
    use crate::polygon::Sides;

    const CORNERS: [Vec3; 4] =
        [Vec3::ZERO, Vec3::new(2.0, 0.0, 0.0), Vec3::new(2.0, 2.0, 0.0), Vec3::new(0.0, 2.0, 0.0)];

    #[track_caller]
    fn check(got: DVec3, want: [f64; 3]) {
        assert!(got.distance(want.into()) < 1e-12, "{got} instead of {want:?}");
    }

    #[test]
    fn nearest_points_are_on_the_shape() {
        let polygon = Polygon::new(&CORNERS, Sides::Single).unwrap();
        check(nearest_on_polygon(&polygon, DVec3::new(1.0, 0.5, -3.0)), [1.0, 0.5, 0.0]);
        check(nearest_on_polygon(&polygon, DVec3::new(3.0, 1.0, 1.0)), [2.0, 1.0, 0.0]);
        check(nearest_on_polygon(&polygon, DVec3::new(-1.0, -1.0, 1.0)), [0.0, 0.0, 0.0]);
        let ball = Sphere::new(Vec3::X, 1.0);
        check(nearest_on_sphere(&ball, DVec3::new(5.0, 0.0, 0.0)), [2.0, 0.0, 0.0]);
        check(nearest_on_sphere(&ball, DVec3::new(1.5, 0.0, 0.0)), [1.5, 0.0, 0.0]);
        let pillar = Cylinder { low: Vec3::ZERO, radius: 1.0, height: 2.0 };
        check(nearest_on_cylinder(&pillar, DVec3::new(3.0, 0.0, 5.0)), [1.0, 0.0, 2.0]);
        check(nearest_on_cylinder(&pillar, DVec3::new(0.5, 0.0, -1.0)), [0.5, 0.0, 0.0]);
        check(nearest_on_cylinder(&pillar, DVec3::new(0.5, 0.2, 1.0)), [0.5, 0.2, 1.0]);
    }
}
