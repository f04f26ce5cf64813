//! Convex polygons: plane and outline, and queries with a point or a ray.

mod adjust;
#[cfg(test)]
pub(crate) mod fixtures;
mod nearest;
mod set;
mod sphere;

pub use set::PolygonSet;
pub use sphere::{FacingTouch, SphereTouch};

use threshold_land::Plane;
use threshold_land::vector::{Vec2, Vec3};

/// A convex polygon, counter-clockwise seen from the front.
///
/// It borrows its vertices and is cheap to copy; [`PolygonSet`] owns many.
///
/// Retail: `CPolygon`.
#[derive(Clone, Copy, Debug)]
pub struct Polygon<'a> {
    /// The corners in order, at least three.
    pub vertices: &'a [Vec3],
    /// The plane of the corners, as computed by [`plane_of`].
    pub plane: Plane,
    /// The sides from which a ray can hit it. Spheres hit every polygon from both sides.
    pub sides: Sides,
}

/// The sides from which a polygon is visible and can be hit by a ray. Retail:
/// `CPolygon::sides_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sides {
    /// The front only.
    #[default]
    Single,
    /// Both; the back shows the surface of the front.
    Double,
    /// Both, with a surface for each.
    TwoSurfaces,
}

/// The direction in which an outline runs around its inside. Retail: the sides of
/// `point_in_poly2D`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winding {
    /// Counter-clockwise seen from above; used for terrain.
    Positive,
    /// Clockwise seen from above.
    Negative,
}

/// A side of an outline.
pub(crate) struct Edge {
    /// Where it starts.
    pub(crate) from: Vec3,
    /// From its start to its end.
    pub(crate) along: Vec3,
    /// Perpendicular to it with the same length, in the plane, towards the inside.
    pub(crate) inward: Vec3,
}

/// Computes the plane of an outline: the normal of its whole area, at the mean distance of its
/// corners, so that a warped outline lies evenly about it.
///
/// `None` if there are fewer than three corners, if they enclose no area, or if the numbers are too
/// large or too small. Linear in the corners.
///
/// Retail: `CPolygon::make_plane`.
pub fn plane_of(vertices: &[Vec3]) -> Option<Plane> {
    let (&first, rest) = vertices.split_first()?;
    let area: Vec3 =
        rest.iter().zip(rest.get(1..)?).map(|(&a, &b)| (a - first).cross(b - first)).sum();
    // A square that is zero, denormal, infinite or NaN gives no usable direction.
    if !area.length_squared().is_normal() {
        return None;
    }
    let normal = area / area.length();
    let sum: f32 = vertices.iter().map(|&v| normal.dot(v)).sum();
    // An outline has few corners: the conversion is exact.
    let d = -sum / vertices.len() as f32;
    d.is_finite().then_some(Plane { normal, d })
}

/// Returns whether a point is inside an outline seen from above; the edge counts as inside.
///
/// An outline with the other winding contains (almost) nothing, one without corners nothing at all.
/// Linear in the corners. Terrain uses this for its triangles, without a [`Polygon`].
///
/// Retail: `CPolygon::point_in_poly2D`.
pub fn outline_contains_2d(vertices: &[Vec3], p: Vec2, side: Winding) -> bool {
    let Some(mut previous) = vertices.first() else { return false };
    for corner in vertices.iter().rev() {
        let a = previous.y - corner.y;
        let b = corner.x - previous.x;
        let s = -(a * corner.x) - b * corner.y + b * p.y + a * p.x;
        let outside = match side {
            Winding::Positive => s > 0.0,
            Winding::Negative => s < 0.0,
        };
        if outside {
            return false;
        }
        previous = corner;
    }
    true
}

impl<'a> Polygon<'a> {
    /// Creates a polygon, or returns `None` if [`plane_of`] finds no plane. Linear in the corners.
    pub fn new(vertices: &'a [Vec3], sides: Sides) -> Option<Self> {
        Some(Self { vertices, plane: plane_of(vertices)?, sides })
    }

    /// Its sides in retail's order: first the one that ends at the first corner.
    pub(crate) fn edges(&self) -> impl Iterator<Item = Edge> + use<'a> {
        let normal = self.plane.normal;
        let mut from = self.vertices.last().copied().unwrap_or_default();
        self.vertices.iter().map(move |&to| {
            let along = to - from;
            let edge = Edge { from, along, inward: normal.cross(along) };
            from = to;
            edge
        })
    }

    /// Returns whether a point is over or under the polygon, at any distance; the edge counts as
    /// inside.
    ///
    /// Linear in the corners. Retail: `CPolygon::point_in_polygon`.
    pub fn contains(&self, p: Vec3) -> bool {
        !self.edges().any(|edge| edge.inward.dot(p - edge.from) < 0.0)
    }

    /// Returns whether a point is inside seen from above; see [`outline_contains_2d`].
    pub fn contains_2d(&self, p: Vec2, side: Winding) -> bool {
        outline_contains_2d(self.vertices, p, side)
    }

    /// Returns when a ray hits, in multiples of its direction; `None` if it misses, the polygon
    /// lies behind, the ray runs along the plane, or it comes from behind a [`Sides::Single`]
    /// polygon.
    ///
    /// For picking; not used by collision. Linear in the corners. Retail:
    /// `CPolygon::polygon_hits_ray`.
    pub fn ray_time(&self, origin: Vec3, direction: Vec3) -> Option<f32> {
        if self.sides == Sides::Single && self.plane.normal.dot(direction) > 0.0 {
            return None;
        }
        let met = self.plane.ray_time(origin, direction)?;
        (met.ahead && self.contains(origin + direction * met.time)).then_some(met.time)
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_1_SQRT_2;

    use super::fixtures::{SQUARE, close, ramp, square};
    use super::*;

    #[track_caller]
    fn check_plane(vertices: &[[f32; 3]], normal: [f32; 3], d: f32) {
        let vertices: Vec<Vec3> = vertices.iter().copied().map(Vec3::from).collect();
        let plane = plane_of(&vertices).unwrap();
        close(plane.normal, normal);
        assert!((plane.d - d).abs() < 1e-5, "{} instead of {d}", plane.d);
    }

    #[test]
    fn planes_of_flat_and_warped_outlines() {
        check_plane(&SQUARE.map(Into::into), [0.0, 0.0, 1.0], 0.0);
        check_plane(
            &[[0.0, 0.0, 0.0], [4.0, 0.0, 1.0], [4.0, 4.0, 1.2], [0.0, 4.0, 0.0]],
            [-0.265_080, -0.024_098, 0.963_925],
            0.048_196,
        );
        close(ramp().plane.normal, [-FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2]);
    }

    #[test]
    fn outlines_without_area_have_no_plane() {
        let [a, b, c, _] = SQUARE;
        for vertices in [
            &[][..],
            &[a],
            &[a, b],
            &[a, a, a],
            &[a, b, b * 2.0],
            &[a, b, Vec3::NAN],
            &[a, b, Vec3::INFINITY],
            &[a, b * 1e30, c * 1e30],
            &[a, b * 1e-15, c * 1e-15],
        ] {
            assert_eq!(plane_of(vertices), None, "{vertices:?}");
            assert!(Polygon::new(vertices, Sides::Double).is_none(), "{vertices:?}");
        }
    }

    #[test]
    fn edges_start_with_the_one_into_the_first_corner_and_have_inward_normals() {
        let got: Vec<_> = square().edges().map(|e| (e.from, e.inward)).collect();
        let want = [
            ([0.0, 4.0, 0.0], [4.0, 0.0, 0.0]),
            ([0.0, 0.0, 0.0], [0.0, 4.0, 0.0]),
            ([4.0, 0.0, 0.0], [-4.0, 0.0, 0.0]),
            ([4.0, 4.0, 0.0], [0.0, -4.0, 0.0]),
        ];
        assert_eq!(got, want.map(|(from, inward)| (Vec3::from(from), Vec3::from(inward))));
    }

    #[test]
    fn a_point_on_the_edge_is_inside_at_any_height() {
        let contains = |p: [f32; 3]| square().contains(p.into());
        assert!(contains([2.0, 2.0, 9.0]));
        assert!(contains([0.0, 2.0, 0.0]));
        assert!(!contains([-0.0001, 2.0, 0.0]));
    }

    #[track_caller]
    fn check_2d(vertices: &[Vec3], side: Winding, p: [f32; 2], want: bool) {
        assert_eq!(outline_contains_2d(vertices, p.into(), side), want, "{side:?} {p:?}");
    }

    #[test]
    fn from_above_the_winding_decides_and_the_edge_is_always_inside() {
        use Winding::{Negative, Positive};
        let mut clockwise = SQUARE;
        clockwise.reverse();
        for (vertices, same, other) in
            [(&SQUARE, Positive, Negative), (&clockwise, Negative, Positive)]
        {
            check_2d(vertices, same, [2.0, 2.0], true);
            check_2d(vertices, same, [0.0, 2.0], true);
            check_2d(vertices, same, [-0.01, 2.0], false);
            check_2d(vertices, other, [2.0, 2.0], false);
        }
        assert!(square().contains_2d(Vec2::new(2.0, 2.0), Positive));
        check_2d(&[], Positive, [0.0, 0.0], false);
    }

    #[track_caller]
    fn check_ray(sides: Sides, from: [f32; 3], direction: Vec3, want: Option<f32>) {
        let polygon = Polygon { sides, ..square() };
        assert_eq!(polygon.ray_time(from.into(), direction), want, "{sides:?} {from:?}");
    }

    #[test]
    fn rays_pass_single_sided_polygons_from_behind() {
        check_ray(Sides::Single, [2.0, 2.0, 5.0], Vec3::NEG_Z, Some(5.0));
        check_ray(Sides::Single, [2.0, 2.0, -5.0], Vec3::Z, None);
        check_ray(Sides::Double, [2.0, 2.0, -5.0], Vec3::Z, Some(5.0));
        check_ray(Sides::TwoSurfaces, [2.0, 2.0, -5.0], Vec3::Z, Some(5.0));
        check_ray(Sides::Single, [5.0, 2.0, 5.0], Vec3::NEG_Z, None);
        check_ray(Sides::Single, [2.0, 2.0, -5.0], Vec3::NEG_Z, None); // behind the ray
        check_ray(Sides::Double, [2.0, 2.0, 5.0], Vec3::X, None); // along the plane
    }
}
