//! The placement walk: whether a place is taken, and by which polygon.

use threshold_land::{EPSILON, Sphere};

use super::Span;
use crate::bsp::physics::{Child, Leaf, PhysicsTree};

/// The result of a placement test. A miss never clears it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SolidPoly {
    /// Whether the centre is in solid space.
    pub centre_solid: bool,
    /// The first polygon that was overlapped.
    pub polygon: Option<u32>,
}

/// The arguments that stay the same during a walk.
struct Query<'a> {
    sphere: &'a Sphere,
    /// Distance within which a sphere crosses a cut.
    reach: f32,
}

impl PhysicsTree {
    /// Like [`sphere_intersects_solid`](Self::sphere_intersects_solid), and stores what was found.
    /// `radius` replaces the sphere's radius at the cuts, and only there.
    ///
    /// Placement relies on two retail oddities of the result: an overlap with a polygon on the
    /// centre's side of a cut can be `false` with the polygon stored, and a centre in solid space
    /// can be `false` with `centre_solid` set.
    ///
    /// Retail: `BSPNODE::sphere_intersects_solid_poly`.
    pub fn sphere_intersects_solid_poly(
        &self,
        sphere: &Sphere,
        radius: f32,
        centre_check: bool,
        found: &mut SolidPoly,
    ) -> bool {
        let query = Query { sphere, reach: radius - EPSILON };
        self.solid_poly(self.root, &query, centre_check, found)
    }

    fn solid_poly(
        &self,
        at: Child,
        query: &Query<'_>,
        centre_check: bool,
        found: &mut SolidPoly,
    ) -> bool {
        let split = match at {
            Child::Empty => return false,
            Child::Leaf(index) => {
                return self.leaf_solid_poly(self.leaf(index), query, centre_check, found);
            }
            Child::Split(index) => self.split(index),
        };
        if !split.sphere.intersects(query.sphere) {
            return false;
        }
        let (near, far) = match split.span(query.sphere.centre, query.reach) {
            Span::Front => return self.solid_poly(split.positive, query, centre_check, found),
            Span::Behind => return self.solid_poly(split.negative, query, centre_check, found),
            Span::Across(distance) if distance <= 0.0 => (split.negative, split.positive),
            Span::Across(_) => (split.positive, split.negative),
        };
        self.solid_poly(near, query, centre_check, found);
        // Retail oddity: the result of the near side is dropped. A polygon stored there, now or by
        // an earlier call, counts only with the centre in solid space ...
        if found.polygon.is_some() {
            return found.centre_solid;
        }
        // Retail oddity: ... and solid space found there without a polygon is hidden by an empty
        // far side.
        self.solid_poly(far, query, false, found)
    }

    fn leaf_solid_poly(
        &self,
        leaf: &Leaf,
        query: &Query<'_>,
        centre_check: bool,
        found: &mut SolidPoly,
    ) -> bool {
        if centre_check && leaf.solid {
            found.centre_solid = true;
        }
        if !leaf.sphere.intersects(query.sphere) {
            return found.centre_solid;
        }
        let touches = |polygon: &crate::Polygon<'_>| polygon.hits_sphere(query.sphere).touches();
        match self.reached(leaf, query.sphere).find(|(_, polygon)| touches(polygon)) {
            Some((index, _)) => {
                found.polygon = Some(index);
                true
            }
            None => found.centre_solid,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fixtures::{FLOOR, GROUND, WALL, ball, leaf, polygons, split, t1, t2};
    use super::*;

    /// `want` is the result, whether the centre is in solid space, and the polygon.
    #[track_caller]
    fn check(tree: &PhysicsTree, centre: [f32; 3], radius: f32, want: (bool, bool, Option<u32>)) {
        let mut found = SolidPoly::default();
        let got = tree.sphere_intersects_solid_poly(&ball(centre), radius, true, &mut found);
        assert_eq!((got, found.centre_solid, found.polygon), want, "{centre:?} {radius}");
    }

    #[test]
    fn placement_finds_the_polygon_in_the_way() {
        check(&t2(), [0.0, 0.0, 0.3], 0.48, (true, false, Some(FLOOR))); // the far side found it
        check(&t2(), [0.0, 0.0, -0.3], 0.48, (true, true, Some(FLOOR)));
        check(&t2(), [0.0, 0.0, -2.0], 0.48, (true, true, None));
        check(&t2(), [2.2, 0.0, 1.0], 0.48, (true, true, Some(WALL)));
        check(&t2(), [0.0, 0.0, 2.0], 0.48, (false, false, None));
    }

    #[test]
    fn an_overlap_on_the_near_side_with_the_centre_in_the_open_is_false() {
        check(&t2(), [1.8, 0.0, 0.3], 0.48, (false, false, Some(WALL)));
    }

    #[test]
    fn solid_space_on_the_near_side_is_lost_if_the_far_side_is_empty() {
        check(&t1(), [0.0, 0.0, -2.0], 3.84, (false, true, None));
        // A far side with polygons, none of them near, keeps it.
        check(&t2(), [0.0, 0.0, -2.0], 3.84, (true, true, None));
    }

    #[test]
    fn a_polygon_stored_by_an_earlier_call_skips_the_far_side() {
        let mut found = SolidPoly { centre_solid: false, polygon: Some(WALL) };
        let sphere = ball([0.0, 0.0, 0.3]);
        assert!(!t2().sphere_intersects_solid_poly(&sphere, 0.48, true, &mut found));
        assert_eq!(found.polygon, Some(WALL));
    }

    #[test]
    fn the_wider_radius_counts_at_cuts_only() {
        // Wide enough for the cut, but the sphere itself does not reach the floor.
        check(&t1(), [0.0, 0.0, 1.0], 2.0, (false, false, None));
        // Without it the far side is not visited.
        let nodes = [split(GROUND, 1, 2), leaf(false, &[]), leaf(true, &[WALL])];
        let tree = PhysicsTree::build(polygons(), &nodes, 0).unwrap();
        check(&tree, [1.8, 0.0, 1.0], 0.48, (false, false, None));
        check(&tree, [1.8, 0.0, 1.0], 2.0, (true, false, Some(WALL)));
    }

    #[test]
    fn a_centre_on_the_cut_is_nearer_to_the_negative_side() {
        check(&t1(), [0.0, 0.0, 0.0], 0.48, (true, true, Some(FLOOR)));
    }

    #[test]
    fn without_the_check_solid_space_is_ignored() {
        let mut found = SolidPoly::default();
        let sphere = ball([0.0, 0.0, -2.0]);
        assert!(!t2().sphere_intersects_solid_poly(&sphere, 0.48, false, &mut found));
        assert_eq!(found, SolidPoly::default());
    }
}
