//! Builds BSP trees from walls, solids and drawing polygons.

pub(crate) mod cell;
pub(crate) mod drawing;
pub(crate) mod physics;
pub(crate) mod solid;
pub(crate) mod wall;

use threshold_land::Sphere;
use threshold_land::vector::Vec3;

/// Returns a sphere around the points: at the middle of their box, never too small.
pub(crate) fn enclosing(points: impl Iterator<Item = Vec3> + Clone) -> Option<Sphere> {
    let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (low, high) = points.clone().fold(start, |(low, high), p| (low.min(p), high.max(p)));
    if low.x > high.x {
        return None;
    }
    let centre = (low + high) / 2.0;
    let radius = points.map(|point| point.distance(centre)).fold(0.0, f32::max);
    // Enlarged by slightly more than the error of single precision.
    Some(Sphere::new(centre, radius * (1.0 + 4.0 * f32::EPSILON)))
}
