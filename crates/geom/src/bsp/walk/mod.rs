//! Walks over a physics tree: what a sphere hits, and whether it is in solid space.
//!
//! Each visit starts with two tests: the node's sphere may rule out the node, and the cut one of
//! its sides. The positive side is walked before the negative one.

mod ground;
mod placement;

pub use ground::WalkableQuery;
pub use placement::SolidPoly;

use threshold_land::vector::Vec3;
use threshold_land::{EPSILON, Sphere};

use super::physics::{Child, Leaf, PhysicsTree, Split};
use crate::polygon::Polygon;

/// The polygon that a moving sphere hit. A miss never clears it.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct PolygonHit {
    /// The polygon that was hit, or the last one that was overlapped while leaving it.
    pub polygon: Option<u32>,
    /// The sphere's centre on the last plane that it reached. For probes; no query reads it.
    pub contact: Option<Vec3>,
}

/// The sides of a cut that a sphere is on.
enum Span {
    Front,
    Behind,
    /// Both; holds the distance of its centre.
    Across(f32),
}

impl PhysicsTree {
    /// Returns whether a moving sphere hits a polygon: the first one that it overlaps while moving
    /// against its normal. `struck` receives the polygon.
    ///
    /// `false` with a polygon in `struck` is an overlap that the sphere is about to leave; `struck`
    /// keeps its earlier content if nothing overlaps.
    ///
    /// Retail: `BSPNODE::sphere_intersects_poly`.
    pub fn sphere_intersects_poly(
        &self,
        sphere: &Sphere,
        movement: Vec3,
        struck: &mut PolygonHit,
    ) -> bool {
        self.any_leaf(self.root, sphere, &mut |leaf| self.runs_into(leaf, sphere, movement, struck))
    }

    /// Returns whether a sphere overlaps a polygon or, with `centre_check`, has its centre in solid
    /// space.
    ///
    /// Retail: `BSPNODE::sphere_intersects_solid`.
    pub fn sphere_intersects_solid(&self, sphere: &Sphere, centre_check: bool) -> bool {
        self.solid(self.root, sphere, centre_check)
    }

    /// Returns whether a point is in a leaf with polygons. A point on a cut counts as behind it.
    ///
    /// Cost: one path down the tree. Not used by collision. Retail:
    /// `BSPNODE::point_intersects_solid`.
    pub fn point_intersects_solid(&self, p: Vec3) -> bool {
        let mut at = self.root;
        while let Child::Split(index) = at {
            let split = self.split(index);
            at = if split.plane.distance(p) > 0.0 { split.positive } else { split.negative };
        }
        matches!(at, Child::Leaf(_))
    }

    /// Calls `visit` for the polygons of all leaves with spheres that pass `is_near`, below nodes
    /// that do. A polygon that several leaves list is visited several times.
    ///
    /// For queries other than retail's: the nodes are chosen by their spheres alone, so that no
    /// polygon is missed that a sphere would find. Cost: the nodes with spheres that pass.
    pub fn visit_near<'t>(
        &'t self,
        is_near: &mut impl FnMut(&Sphere) -> bool,
        visit: &mut impl FnMut(u32, Polygon<'t>),
    ) {
        self.visit_below(self.root, is_near, visit);
    }

    fn visit_below<'t>(
        &'t self,
        mut at: Child,
        is_near: &mut impl FnMut(&Sphere) -> bool,
        visit: &mut impl FnMut(u32, Polygon<'t>),
    ) {
        while let Child::Split(index) = at {
            let split = self.split(index);
            if !is_near(&split.sphere) {
                return;
            }
            self.visit_below(split.positive, is_near, visit);
            at = split.negative;
        }
        let Child::Leaf(index) = at else { return };
        let leaf = self.leaf(index);
        if is_near(&leaf.sphere) {
            for listed in &self.lists[leaf.start..leaf.end] {
                visit(listed.polygon, self.polygons.get(listed.polygon));
            }
        }
    }

    /// Returns whether a leaf that a sphere reaches passes `holds`; stops at the first.
    fn any_leaf(
        &self,
        mut at: Child,
        sphere: &Sphere,
        holds: &mut impl FnMut(&Leaf) -> bool,
    ) -> bool {
        loop {
            let split = match at {
                Child::Empty => return false,
                Child::Leaf(index) => {
                    let leaf = self.leaf(index);
                    return leaf.sphere.intersects(sphere) && holds(leaf);
                }
                Child::Split(index) => self.split(index),
            };
            if !split.sphere.intersects(sphere) {
                return false;
            }
            at = match split.span(sphere.centre, sphere.radius - EPSILON) {
                Span::Front => split.positive,
                Span::Behind => split.negative,
                Span::Across(_) => {
                    if self.any_leaf(split.positive, sphere, holds) {
                        return true;
                    }
                    split.negative
                }
            };
        }
    }

    fn runs_into(
        &self,
        leaf: &Leaf,
        sphere: &Sphere,
        movement: Vec3,
        struck: &mut PolygonHit,
    ) -> bool {
        for (index, polygon) in self.reached(leaf, sphere) {
            let met = polygon.pos_hits_sphere(sphere, movement);
            struck.contact = met.touch.contact().or(struck.contact);
            // Retail oddity: an overlap stores the polygon even if the sphere is leaving it, and a
            // later miss keeps it. The sweep handles the combination of "false" and a polygon.
            if met.touch.touches() {
                struck.polygon = Some(index);
            }
            if met.hit() {
                return true;
            }
        }
        false
    }

    fn solid(&self, mut at: Child, sphere: &Sphere, mut centre_check: bool) -> bool {
        loop {
            let split = match at {
                Child::Empty => return false,
                Child::Leaf(index) => {
                    let leaf = self.leaf(index);
                    // Retail oddity: solid space decides before the leaf's own sphere is tested.
                    return centre_check && leaf.solid
                        || leaf.sphere.intersects(sphere)
                            && self
                                .reached(leaf, sphere)
                                .any(|(_, p)| p.hits_sphere(sphere).touches());
                }
                Child::Split(index) => self.split(index),
            };
            if !split.sphere.intersects(sphere) {
                return false;
            }
            at = match split.span(sphere.centre, sphere.radius - EPSILON) {
                Span::Front => split.positive,
                Span::Behind => split.negative,
                // The centre is tested only on its own side.
                Span::Across(distance) => {
                    let behind = distance < 0.0;
                    if self.solid(split.positive, sphere, centre_check && !behind) {
                        return true;
                    }
                    centre_check &= behind;
                    split.negative
                }
            };
        }
    }

    #[inline]
    fn split(&self, index: u32) -> &Split {
        &self.splits[index as usize]
    }

    #[inline]
    fn leaf(&self, index: u32) -> &Leaf {
        &self.leaves[index as usize]
    }
}

impl Split {
    /// A sphere at exactly its reach is on one side only.
    fn span(&self, centre: Vec3, reach: f32) -> Span {
        let distance = self.plane.distance(centre);
        if distance >= reach {
            Span::Front
        } else if distance <= -reach {
            Span::Behind
        } else {
            Span::Across(distance)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{FLOOR, GROUND, WALL, ball, leaf, polygons, split, t2};
    use super::super::physics::PhysicsNode;
    use super::*;

    const INTO_THE_WALL: Vec3 = Vec3::new(0.3, 0.0, 0.0);
    const DOWN: Vec3 = Vec3::new(0.0, 0.0, -0.1);

    #[track_caller]
    fn check_poly(
        centre: [f32; 3],
        movement: Vec3,
        hit: bool,
        polygon: Option<u32>,
        contact: Option<[f32; 3]>,
    ) {
        let mut struck = PolygonHit::default();
        let got = t2().sphere_intersects_poly(&ball(centre), movement, &mut struck);
        let want = PolygonHit { polygon, contact: contact.map(Vec3::from) };
        assert_eq!((got, struck), (hit, want), "{centre:?} {movement}");
    }

    #[test]
    fn what_a_moving_sphere_runs_into() {
        let at_wall = Some([2.0, 0.0, 0.5]);
        check_poly([1.6, 0.0, 0.5], INTO_THE_WALL, true, Some(WALL), at_wall);
        check_poly([0.0, 0.0, 0.4], DOWN, true, Some(FLOOR), Some([0.0; 3]));
        check_poly([0.0, 0.0, 2.0], DOWN, false, None, None);
    }

    #[test]
    fn the_positive_side_is_tested_first() {
        let both = INTO_THE_WALL + DOWN;
        check_poly([1.6, 0.0, 0.4], both, true, Some(WALL), Some([2.0, 0.0, 0.4]));
    }

    #[test]
    fn a_wall_that_the_sphere_leaves_is_stored_but_not_hit() {
        let at_wall = Some([2.0, 0.0, 0.5]);
        check_poly([1.6, 0.0, 0.5], -INTO_THE_WALL, false, Some(WALL), at_wall);
    }

    #[test]
    fn a_miss_keeps_the_polygon_of_an_earlier_overlap() {
        // In the list the wall comes first; the floor after it is missed.
        let nodes = [leaf(true, &[WALL, FLOOR])];
        let tree = PhysicsTree::build(polygons(), &nodes, 0).unwrap();
        let mut struck = PolygonHit::default();
        assert!(!tree.sphere_intersects_poly(&ball([1.6, 0.0, 1.0]), Vec3::NEG_X, &mut struck));
        assert_eq!(struck.polygon, Some(WALL));
        // The same for two calls, the second with nothing near.
        assert!(!tree.sphere_intersects_poly(&ball([0.0, 0.0, 2.0]), Vec3::NEG_X, &mut struck));
        assert_eq!(struck.polygon, Some(WALL));
        assert_eq!(struck.contact, Some(Vec3::new(2.0, 0.0, 1.0)));
    }

    #[test]
    fn the_contact_is_that_of_the_last_plane_reached_even_beside_its_polygon() {
        let nodes = [leaf(true, &[WALL, FLOOR])];
        let tree = PhysicsTree::build(polygons(), &nodes, 0).unwrap();
        let mut struck = PolygonHit::default();
        let beyond_the_floor = ball([4.6, 0.0, 0.3]);
        assert!(!tree.sphere_intersects_poly(&beyond_the_floor, DOWN, &mut struck));
        assert_eq!(struck, PolygonHit { polygon: None, contact: Some(Vec3::new(4.6, 0.0, 0.0)) });
    }

    #[test]
    fn solid_by_the_centre_or_by_a_polygon() {
        for (centre, with_centre, without) in [
            ([0.0, 0.0, -2.0], true, false),
            ([0.0, 0.0, 0.3], true, true),
            ([3.0, 0.0, 1.0], true, false),
            ([0.0, 0.0, 2.0], false, false),
        ] {
            let solid = |check| t2().sphere_intersects_solid(&ball(centre), check);
            assert_eq!([solid(true), solid(false)], [with_centre, without], "{centre:?}");
        }
    }

    #[test]
    fn the_centre_is_tested_only_on_its_own_side() {
        // Across the cut, with the polygon out of reach: solid space on the other side does not
        // count.
        let below = [split(GROUND, None, 1), leaf(true, &[WALL])];
        let above = [split(GROUND, 1, None), leaf(true, &[WALL])];
        // A tie is on the positive side.
        for (nodes, want) in [(below, [true, false, false]), (above, [false, true, true])] {
            let tree = PhysicsTree::build(polygons(), &nodes, 0).unwrap();
            let solid = |z| tree.sphere_intersects_solid(&ball([-3.0, 0.0, z]), true);
            assert_eq!([-0.1, 0.0, 0.1].map(solid), want);
        }
    }

    #[test]
    fn solid_space_decides_before_the_sphere_of_its_leaf_is_tested() {
        let far = Sphere::new(Vec3::splat(1000.0), 0.1);
        let leaf = |solid| PhysicsNode::Leaf { solid, sphere: far, polygons: vec![FLOOR] };
        for solid in [true, false] {
            let tree = PhysicsTree::build(polygons(), &[leaf(solid)], 0).unwrap();
            assert_eq!(tree.sphere_intersects_solid(&ball([0.0, 0.0, -2.0]), true), solid);
            assert!(!tree.sphere_intersects_solid(&ball([0.0, 0.0, 0.1]), false));
        }
    }

    #[test]
    fn points_on_a_cut_are_behind_it() {
        for (p, want) in [
            ([0.0, 0.0, 1.0], false),
            ([0.0, 0.0, -1.0], true),
            ([3.0, 0.0, 1.0], true),
            ([0.0, 0.0, 0.0], true),
        ] {
            assert_eq!(t2().point_intersects_solid(p.into()), want, "{p:?}");
        }
    }

    #[test]
    fn a_sphere_exactly_at_its_reach_of_a_cut_is_on_one_side() {
        // The floor is on one side: it overlaps at the reach, but is not tested from the other.
        let reach = 0.48 - EPSILON;
        for (sign, nodes) in [
            (1.0, [split(GROUND, None, 1), leaf(false, &[FLOOR])]),
            (-1.0, [split(GROUND, 1, None), leaf(false, &[FLOOR])]),
        ] {
            let tree = PhysicsTree::build(polygons(), &nodes, 0).unwrap();
            let found = |z| tree.sphere_intersects_solid(&ball([0.0, 0.0, z * sign]), false);
            assert!(!found(reach) && found(reach.next_down()) && found(-reach), "{sign}");
        }
    }

    #[test]
    fn an_empty_leaf_finds_nothing_whatever_its_flag() {
        let tree = PhysicsTree::build(polygons(), &[leaf(true, &[])], 0).unwrap();
        assert!(tree.is_empty());
        assert!(!tree.sphere_intersects_solid(&ball([0.0; 3]), true));
        assert!(!tree.point_intersects_solid(Vec3::ZERO));
        assert!(!tree.sphere_intersects_poly(&ball([0.0; 3]), DOWN, &mut PolygonHit::default()));
    }

    #[test]
    fn polygons_are_visited_below_the_spheres_that_pass() {
        let visited = |near: bool| {
            let mut visited = Vec::new();
            t2().visit_near(&mut |_| near, &mut |index, _| visited.push(index));
            visited
        };
        let mut all = visited(true);
        all.sort_unstable();
        assert_eq!(all, [FLOOR, WALL]);
        assert!(visited(false).is_empty());
    }
}
