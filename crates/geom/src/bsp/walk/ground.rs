//! Walks that look for ground.

use threshold_land::vector::Vec3;
use threshold_land::{EPSILON, Sphere};

use super::Span;
use crate::bsp::physics::{Child, Leaf, PhysicsTree};

/// The arguments of [`PhysicsTree::find_walkable`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkableQuery {
    /// The last movement of the sphere; it is backed out along it.
    pub movement: Vec3,
    /// Up, in the space of the tree.
    pub up: Vec3,
    /// A polygon is walkable if the cosine between its normal and `up` is greater.
    pub allowance: f32,
}

/// The state of a walk.
struct Progress<'a> {
    sphere: &'a mut Sphere,
    interpolation: &'a mut f32,
    found: Option<u32>,
}

impl PhysicsTree {
    /// Backs a sphere out of every walkable polygon that it overlaps. Returns the last polygon that
    /// moved it, if any.
    ///
    /// Each polygon starts from the sphere and `interpolation` that the previous one left, so the
    /// order is part of the result. See
    /// [`adjust_sphere_to_plane`](crate::Polygon::adjust_sphere_to_plane).
    ///
    /// Retail: `BSPNODE::find_walkable`.
    pub fn find_walkable(
        &self,
        sphere: &mut Sphere,
        walk: &WalkableQuery,
        interpolation: &mut f32,
    ) -> Option<u32> {
        let mut progress = Progress { sphere, interpolation, found: None };
        self.walkable(self.root, walk, &mut progress);
        progress.found
    }

    /// Returns whether a sphere overlaps a walkable polygon under its centre, or within half the
    /// radius of it.
    ///
    /// Retail: `BSPNODE::hits_walkable`.
    pub fn hits_walkable(&self, sphere: &Sphere, up: Vec3, allowance: f32) -> bool {
        self.any_leaf(self.root, sphere, &mut |leaf| {
            self.reached(leaf, sphere).any(|(_, polygon)| {
                polygon.walkable_hits_sphere(sphere, up, allowance)
                    && polygon.check_small_walkable(sphere, up)
            })
        })
    }

    fn walkable(&self, mut at: Child, walk: &WalkableQuery, progress: &mut Progress<'_>) {
        loop {
            let split = match at {
                Child::Empty => return,
                Child::Leaf(index) => {
                    let leaf = self.leaf(index);
                    if leaf.sphere.intersects(progress.sphere) {
                        self.leaf_walkable(leaf, walk, progress);
                    }
                    return;
                }
                Child::Split(index) => self.split(index),
            };
            // Read again at every node: an earlier node may have moved the sphere.
            if !split.sphere.intersects(progress.sphere) {
                return;
            }
            let reach = progress.sphere.radius - EPSILON;
            at = match split.span(progress.sphere.centre, reach) {
                Span::Front => split.positive,
                Span::Behind => split.negative,
                Span::Across(_) => {
                    self.walkable(split.positive, walk, progress);
                    split.negative
                }
            };
        }
    }

    fn leaf_walkable(&self, leaf: &Leaf, walk: &WalkableQuery, progress: &mut Progress<'_>) {
        // Retail oddity: it does not stop at the first floor. A later one starts from the
        // interpolation of an earlier one, so the order of the list shows in the result.
        for listed in &self.lists[leaf.start..leaf.end] {
            let steepness = walk.up.dot(listed.plane.normal);
            if steepness <= walk.allowance || !listed.is_reached(progress.sphere) {
                continue;
            }
            let polygon = self.polygon(listed.polygon);
            if polygon.walkable_hits_sphere(progress.sphere, walk.up, walk.allowance)
                && polygon.adjust_sphere_to_plane(
                    progress.sphere,
                    walk.movement,
                    progress.interpolation,
                )
            {
                progress.found = Some(listed.polygon);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fixtures::{FLOOR, ball, leaf, level, split, t1, t2};
    use threshold_land::Plane;

    use super::*;
    use crate::bsp::PhysicsNode;
    use crate::constants::FLOOR_Z;
    use crate::polygon::{PolygonSet, Sides};

    const STEP: WalkableQuery =
        WalkableQuery { movement: Vec3::new(0.0, 0.0, -0.4), up: Vec3::Z, allowance: FLOOR_Z };

    /// `want` is the polygon, and the resulting centre and interpolation.
    #[track_caller]
    fn check(
        tree: &PhysicsTree,
        walk: WalkableQuery,
        centre: [f32; 3],
        want: Option<(u32, [f32; 3], f32)>,
    ) {
        let (mut sphere, mut interpolation) = (ball(centre), 1.0);
        let got = tree.find_walkable(&mut sphere, &walk, &mut interpolation);
        assert_eq!(got, want.map(|(polygon, ..)| polygon), "{centre:?}");
        let (_, want, left) = want.unwrap_or((0, centre, 1.0));
        let apart = (sphere.centre - Vec3::from(want)).abs().max_element();
        assert!(apart < 1e-5 && (interpolation - left).abs() < 1e-5, "{sphere:?} {interpolation}");
    }

    #[test]
    fn a_step_down_ends_on_the_floor() {
        check(&t1(), STEP, [0.0, 0.0, 0.2], Some((FLOOR, [0.0, 0.0, 0.48], 0.3)));
        check(&t1(), STEP, [0.0, 0.0, 0.6], None);
        check(&t1(), STEP, [4.3, 0.0, 0.2], Some((FLOOR, [4.3, 0.0, 0.48], 0.3)));
        check(&t1(), STEP, [0.0, 0.0, -0.1], Some((FLOOR, [0.0, 0.0, 0.48], -0.45)));
        check(&t1(), STEP, [0.0, 0.0, -0.3], None); // farther back than half a step
        check(&t1(), WalkableQuery { allowance: 1.0, ..STEP }, [0.0, 0.0, 0.2], None);
        // The wall is too steep to move the sphere.
        check(&t2(), STEP, [1.7, 0.0, 0.2], Some((FLOOR, [1.7, 0.0, 0.48], 0.3)));
    }

    const LOW: u32 = 0;
    const HIGH: u32 = 1;

    /// Two floors 0.2 m apart that one step reaches.
    #[track_caller]
    fn check_two_floors(nodes: &[PhysicsNode], interpolation: f32) {
        let mut polygons = PolygonSet::new();
        polygons.push(level(0.0), Sides::Single);
        polygons.push(level(0.2), Sides::Single);
        let tree = PhysicsTree::build(polygons, nodes, 0).unwrap();
        let walk = WalkableQuery { movement: Vec3::new(0.0, 0.0, -0.6), ..STEP };
        check(&tree, walk, [0.0, 0.0, 0.3], Some((HIGH, [0.0, 0.0, 0.68], interpolation)));
    }

    #[test]
    fn the_order_of_floors_shows_in_the_interpolation() {
        check_two_floors(&[leaf(true, &[LOW, HIGH])], 0.466_667);
        check_two_floors(&[leaf(true, &[HIGH, LOW])], 0.366_667);
    }

    #[test]
    fn the_positive_side_of_a_cut_comes_first_and_the_negative_always_follows() {
        let between = |normal: Vec3| Plane { normal, d: -0.1 * normal.z };
        let [low, high] = [LOW, HIGH].map(|floor| leaf(true, &[floor]));
        let rising = [split(between(Vec3::NEG_Z), 1, 2), low.clone(), high.clone()];
        check_two_floors(&rising, 0.466_667);
        let falling = [split(between(Vec3::Z), 1, 2), high, low];
        check_two_floors(&falling, 0.366_667);
    }

    #[test]
    fn ground_is_under_the_centre_or_within_half_the_radius() {
        for (centre, want) in [
            ([0.0, 0.0, 0.3], true),
            ([4.1, 0.0, 0.3], true),
            ([4.3, 0.0, 0.3], false),
            ([0.0, 0.0, 0.6], false),
        ] {
            assert_eq!(t1().hits_walkable(&ball(centre), Vec3::Z, FLOOR_Z), want, "{centre:?}");
        }
        assert!(!t1().hits_walkable(&ball([0.0, 0.0, 0.3]), Vec3::Z, 1.0));
    }
}
