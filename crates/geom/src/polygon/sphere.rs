//! Tests of a sphere against a polygon: overlap and support.

use threshold_land::vector::Vec3;
use threshold_land::{EPSILON, Sphere};

use super::Polygon;
use crate::constants::SMALL_WALKABLE_BAND;

/// The relation of a sphere to a polygon.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SphereTouch {
    /// Clear of the plane.
    Apart,
    /// Across the plane beside the polygon. Holds the centre dropped onto the plane, which retail
    /// writes although nothing is touched.
    Beside(Vec3),
    /// Overlapping. Holds the centre dropped onto the plane.
    Touching(Vec3),
}

impl SphereTouch {
    /// Returns whether they overlap.
    pub fn touches(self) -> bool {
        matches!(self, Self::Touching(_))
    }

    /// Returns the centre dropped onto the plane, where retail writes it.
    pub fn contact(self) -> Option<Vec3> {
        match self {
            Self::Apart => None,
            Self::Beside(contact) | Self::Touching(contact) => Some(contact),
        }
    }
}

/// The relation of a moving sphere to a polygon: while leaving a polygon it can overlap without a
/// hit.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FacingTouch {
    /// The relation at its position.
    pub touch: SphereTouch,
    /// Whether it moves against the normal; along the plane does not count.
    pub faces: bool,
}

impl FacingTouch {
    /// Returns whether the sphere hits the polygon: it overlaps and moves against the normal.
    pub fn hit(self) -> bool {
        self.touch.touches() && self.faces
    }
}

impl Polygon<'_> {
    /// Tests a sphere against the polygon, from either side alike. An exact touch, less
    /// [`EPSILON`], is an overlap.
    ///
    /// Cost: one dot product if the sphere is clear of the plane, otherwise linear in the corners.
    ///
    /// Retail: `CPolygon::polygon_hits_sphere`, `polygon_hits_sphere_slow_but_sure` (two bodies
    /// with the same result) and `hits_sphere`.
    pub fn hits_sphere(&self, sphere: &Sphere) -> SphereTouch {
        let distance = self.plane.distance(sphere.centre);
        let reach = sphere.radius - EPSILON;
        if reach < distance.abs() {
            return SphereTouch::Apart;
        }
        let band = reach * reach - distance * distance;
        let contact = sphere.centre - self.plane.normal * distance;
        if self.within(contact, band) {
            SphereTouch::Touching(contact)
        } else {
            SphereTouch::Beside(contact)
        }
    }

    /// Tests a moving sphere against the polygon, and whether it moves against the normal.
    ///
    /// Cost as [`hits_sphere`](Self::hits_sphere). Retail: `CPolygon::pos_hits_sphere`, which
    /// stores the polygon whenever they overlap and returns [`FacingTouch::hit`].
    pub fn pos_hits_sphere(&self, sphere: &Sphere, movement: Vec3) -> FacingTouch {
        let touch = self.hits_sphere(sphere);
        FacingTouch { touch, faces: movement.dot(self.plane.normal) < 0.0 }
    }

    /// Returns whether a sphere overlaps the polygon and the polygon is less steep than
    /// `allowance`, the cosine between its normal and `up`. The allowance itself is too steep.
    ///
    /// Cost as [`hits_sphere`](Self::hits_sphere). Retail: `CPolygon::walkable_hits_sphere`.
    pub fn walkable_hits_sphere(&self, sphere: &Sphere, up: Vec3, allowance: f32) -> bool {
        up.dot(self.plane.normal) > allowance && self.hits_sphere(sphere).touches()
    }

    /// Returns whether a sphere's centre, dropped along `up`, meets the polygon or comes within the
    /// radius of it. Its height does not count.
    ///
    /// Linear in the corners. Retail: `CPolygon::check_walkable`.
    pub fn check_walkable(&self, sphere: &Sphere, up: Vec3) -> bool {
        self.is_under(sphere.centre, up, sphere.radius * sphere.radius)
    }

    /// Like [`check_walkable`](Self::check_walkable), within half the radius.
    ///
    /// Retail: `CPolygon::check_small_walkable`.
    pub fn check_small_walkable(&self, sphere: &Sphere, up: Vec3) -> bool {
        self.is_under(sphere.centre, up, sphere.radius * sphere.radius * SMALL_WALKABLE_BAND)
    }

    /// Returns the normal of the first edge that a sphere's centre, dropped along `up`, has
    /// crossed: in the plane, of unit length, towards the inside. `None` while the centre is over
    /// the polygon.
    ///
    /// Linear in the corners. Retail: `CPolygon::find_crossed_edge`.
    pub fn find_crossed_edge(&self, sphere: &Sphere, up: Vec3) -> Option<Vec3> {
        let slope = up.dot(self.plane.normal);
        if slope.abs() < EPSILON {
            return None;
        }
        let foot = self.foot(sphere.centre, up, slope);
        let crossed = self.edges().find(|edge| (foot - edge.from).dot(edge.inward) < 0.0)?;
        Some(crossed.inward / crossed.inward.length())
    }

    fn is_under(&self, centre: Vec3, up: Vec3, band: f32) -> bool {
        let slope = up.dot(self.plane.normal);
        slope >= EPSILON && self.within(self.foot(centre, up, slope), band)
    }

    /// Drops a point along `up` onto the plane.
    fn foot(&self, point: Vec3, up: Vec3, slope: f32) -> Vec3 {
        point - up * (self.plane.distance(point) / slope)
    }

    /// Returns whether a point of the plane is inside the outline, or closer to it than the root of
    /// `band`.
    fn within(&self, point: Vec3, band: f32) -> bool {
        let mut outside = false;
        for edge in self.edges() {
            let offset = point - edge.from;
            let depth = offset.dot(edge.inward);
            if depth < 0.0 {
                // Farther from the edge's line than the band: no other edge can be closer.
                if edge.inward.length_squared() * band < depth * depth {
                    return false;
                }
                let along = offset.dot(edge.along);
                if along >= 0.0 && along <= edge.along.length_squared() {
                    return true;
                }
                outside = true;
            }
            if offset.length_squared() <= band {
                return true;
            }
        }
        !outside
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_1_SQRT_2;

    use super::super::Sides;
    use super::super::fixtures::{close, ramp, square};
    use super::SphereTouch::{Apart, Beside, Touching};
    use super::*;
    use crate::constants::FLOOR_Z;

    fn ball(centre: [f32; 3]) -> Sphere {
        Sphere::new(centre.into(), 0.5)
    }

    #[test]
    fn a_sphere_overlaps_from_either_side_at_edges_and_at_corners() {
        let at = |x, y| Vec3::new(x, y, 0.0);
        for (centre, want) in [
            ([2.0, 2.0, 0.4], Touching(at(2.0, 2.0))),
            ([2.0, 2.0, -0.4], Touching(at(2.0, 2.0))),
            ([2.0, 2.0, 0.4999], Apart),
            ([2.0, 2.0, 0.4998], Touching(at(2.0, 2.0))), // a tie counts
            ([4.2, 2.0, 0.3], Touching(at(4.2, 2.0))),
            ([4.45, 2.0, 0.3], Beside(at(4.45, 2.0))),
            ([4.3, 4.3, 0.1], Touching(at(4.3, 4.3))),
            ([4.36, 4.36, 0.1], Beside(at(4.36, 4.36))),
        ] {
            assert_eq!(square().hits_sphere(&ball(centre)), want, "{centre:?}");
        }
    }

    #[test]
    fn a_sphere_hits_a_polygon_from_either_side() {
        for sides in [Sides::Single, Sides::Double, Sides::TwoSurfaces] {
            let polygon = Polygon { sides, ..square() };
            assert!(polygon.hits_sphere(&ball([2.0, 2.0, -0.4])).touches());
        }
    }

    #[test]
    fn the_contact_is_given_although_nothing_is_touched() {
        assert_eq!(Apart.contact(), None);
        assert_eq!(Beside(Vec3::X).contact(), Some(Vec3::X));
        assert_eq!(Touching(Vec3::X).contact(), Some(Vec3::X));
        assert!(Touching(Vec3::X).touches() && !Beside(Vec3::X).touches() && !Apart.touches());
    }

    #[test]
    fn a_polygon_is_hit_only_against_its_normal_but_overlapped_always() {
        for (movement, hit) in [(Vec3::NEG_Z, true), (Vec3::Z, false), (Vec3::X, false)] {
            let met = square().pos_hits_sphere(&ball([2.0, 2.0, 0.4]), movement);
            assert!(met.touch.touches());
            assert_eq!(met.hit(), hit, "{movement}");
        }
        assert!(!square().pos_hits_sphere(&ball([2.0, 2.0, 0.6]), Vec3::NEG_Z).hit());
    }

    #[track_caller]
    fn check_steepness(polygon: Polygon<'_>, centre: [f32; 3], allowance: f32, want: bool) {
        let got = polygon.walkable_hits_sphere(&ball(centre), Vec3::Z, allowance);
        assert_eq!(got, want, "{centre:?} {allowance}");
    }

    #[test]
    fn a_polygon_as_steep_as_the_allowance_is_too_steep() {
        check_steepness(square(), [2.0, 2.0, 0.4], FLOOR_Z, true);
        check_steepness(square(), [2.0, 2.0, 0.6], FLOOR_Z, false);
        check_steepness(ramp(), [2.0, 2.0, 2.3], FLOOR_Z, true);
        check_steepness(ramp(), [2.0, 2.0, 2.3], 0.7072, false);
        check_steepness(square(), [2.0, 2.0, 0.4], 1.0, false);
        check_steepness(square(), [2.0, 2.0, 0.4], 1.0_f32.next_down(), true);
    }

    #[test]
    fn support_counts_within_the_radius_or_half_of_it() {
        for (centre, whole, half) in [
            ([2.0, 2.0, 3.0], true, true),
            ([4.3, 2.0, 0.5], true, false),
            ([4.6, 2.0, 0.5], false, false),
            ([4.3, 4.3, 0.5], true, false), // the corner is in reach
            ([4.4, 4.4, 0.5], false, false),
        ] {
            let sphere = ball(centre);
            assert_eq!(square().check_walkable(&sphere, Vec3::Z), whole, "{centre:?}");
            assert_eq!(square().check_small_walkable(&sphere, Vec3::Z), half, "{centre:?}");
        }
        // An upright or overhanging polygon is never walkable.
        assert!(!square().check_walkable(&ball([2.0, 2.0, 3.0]), Vec3::X));
        assert!(!square().check_walkable(&ball([2.0, 2.0, 3.0]), Vec3::NEG_Z));
    }

    #[test]
    fn the_first_crossed_edge_points_back_inside() {
        for (centre, up, want) in [
            ([2.0, 2.0, 1.0], Vec3::Z, None),
            ([4.3, 2.0, 0.5], Vec3::Z, Some([-1.0, 0.0, 0.0])),
            ([-0.1, -0.1, 1.0], Vec3::Z, Some([1.0, 0.0, 0.0])), // the first of two
            ([5.0, 5.0, 0.0], Vec3::Z, Some([-1.0, 0.0, 0.0])),
            ([4.0, 2.0, 0.5], Vec3::Z, None), // on the edge is not across
            ([4.3, 2.0, 0.5], Vec3::NEG_Z, Some([-1.0, 0.0, 0.0])), // from below as well
            ([4.3, 2.0, 0.5], Vec3::X, None),
        ] {
            let got = square().find_crossed_edge(&ball(centre), up);
            assert_eq!(got, want.map(Vec3::from), "{centre:?} {up}");
        }
        let crossed = ramp().find_crossed_edge(&ball([4.5, 2.0, 5.0]), Vec3::Z).unwrap();
        close(crossed, [-FRAC_1_SQRT_2, 0.0, -FRAC_1_SQRT_2]);
    }

    #[test]
    fn ties_at_edges_and_corners_count() {
        let reach = 0.5 - EPSILON;
        for (offset, touches) in [(reach, true), (reach.next_up(), false)] {
            let beside = square().hits_sphere(&ball([-offset, 2.0, 0.0]));
            assert_eq!(beside.touches(), touches, "edge, {offset}");
            let corner = square().hits_sphere(&ball([-offset, 0.0, 0.0]));
            assert_eq!(corner.touches(), touches, "corner, {offset}");
        }
        // Three, four and five eighths: past both edges, exactly as far as the corner allows.
        let sphere = Sphere::new(Vec3::new(-0.375, -0.5, 1.0), 0.625);
        assert!(square().check_walkable(&sphere, Vec3::Z));
        let smaller = Sphere { radius: sphere.radius.next_down(), ..sphere };
        assert!(!square().check_walkable(&smaller, Vec3::Z));
    }

    #[test]
    fn a_point_sized_sphere_touches_nothing() {
        let sphere = Sphere::new(Vec3::new(2.0, 2.0, 0.0), 0.0);
        assert_eq!(square().hits_sphere(&sphere), Apart);
    }
}
