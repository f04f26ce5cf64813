//! Shapes cast along a line, and volumes at rest, against polygons, spheres and cylinders.
//!
//! Nothing here is on the retail path: in f64, so that a ray does not slip between two polygons.

mod moving;
mod oriented_box;
mod sector;
mod still;

use threshold_land::Sphere;
use threshold_land::vector::DVec3;

pub use moving::{CastContact, MovingSphere};
pub use oriented_box::OrientedBox;
pub use sector::Sector;
pub use still::{nearest_on_cylinder, nearest_on_polygon, nearest_on_sphere};

use crate::cylinder::Cylinder;
use crate::polygon::Polygon;

/// Rounds of a search for a common point of two convex shapes. More find it where they touch less.
const MAX_ROUNDS: usize = 1000;

/// A step of that search, in metres, after which it does not come closer.
const STANDSTILL: f64 = 1e-9;

/// Convex shapes closer than this count as touching where no exact test exists, in metres: the
/// search for a common point comes near it and seldom reaches it.
pub const TOUCHING_GAP: f64 = 1e-3;

/// The corners of a polygon in f64, each with the one after it.
fn sides<'a>(polygon: &Polygon<'a>) -> impl Iterator<Item = (DVec3, DVec3)> + use<'a> {
    let corners = polygon.vertices;
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| (a.as_dvec3(), b.as_dvec3()))
}

/// Returns whether a point is over or under a polygon, or beside it by at most `margin`. Linear in
/// the corners.
pub fn is_over_polygon(polygon: &Polygon<'_>, p: DVec3, margin: f64) -> bool {
    let normal = polygon.plane.normal.as_dvec3();
    sides(polygon).all(|(a, b)| {
        let inward = normal.cross(b - a);
        let depth = inward.dot(p - a);
        depth >= 0.0 || depth * depth <= margin * margin * inward.length_squared()
    })
}

/// Returns the signed distance of a point from the plane of a polygon.
fn height(polygon: &Polygon<'_>, p: DVec3) -> f64 {
    polygon.plane.normal.as_dvec3().dot(p) + f64::from(polygon.plane.d)
}

/// Returns the point of a segment nearest to a point.
fn nearest_on_segment(a: DVec3, b: DVec3, p: DVec3) -> DVec3 {
    let along = b - a;
    let length = along.length_squared();
    let part = if length > 0.0 { along.dot(p - a) / length } else { 0.0 };
    a + along * part.clamp(0.0, 1.0)
}

/// Searches a common point of two convex shapes, each given by its nearest point to a point.
///
/// Alternating projections with momentum (Nesterov's), which shapes that touch at a corner need: each
/// round begins a little beyond the last point, as long as that leads closer.
fn have_common_point(
    start: DVec3,
    first: impl Fn(DVec3) -> DVec3,
    second: impl Fn(DVec3) -> DVec3,
    gap: f64,
) -> bool {
    let (mut at, mut ahead, mut momentum) = (start, start, 0.0);
    let mut last = f64::INFINITY;
    for _ in 0..MAX_ROUNDS {
        let on_first = first(ahead);
        let next = second(on_first);
        let apart = next.distance_squared(on_first);
        if apart <= gap * gap {
            return true;
        }
        let step = next - at;
        if step.length_squared() < STANDSTILL * STANDSTILL && momentum == 0.0 {
            return false;
        }
        momentum = if apart > last { 0.0 } else { momentum + 1.0 };
        ahead = next + step * (momentum / (momentum + 3.0));
        (at, last) = (next, apart);
    }
    false
}

/// The centre and radius of a sphere in f64.
fn widened(sphere: &Sphere) -> (DVec3, f64) {
    (sphere.centre.as_dvec3(), f64::from(sphere.radius))
}

/// The middle of the bottom, the radius and the height of a cylinder in f64.
fn widened_cylinder(cylinder: &Cylinder) -> (DVec3, f64, f64) {
    (cylinder.low.as_dvec3(), f64::from(cylinder.radius), f64::from(cylinder.height))
}
