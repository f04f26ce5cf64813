//! Precomputed boxes of free space in a physics tree.
//!
//! Most queries of a sweep test a sphere in the open, and getting the answer "nothing" takes a walk
//! past every wall of the room. A few boxes that are known to be free answer most of them at once.

use threshold_land::vector::Vec3;
use threshold_land::{EPSILON, Sphere};

use super::physics::{Child, PhysicsTree};
use crate::bounds::Bounds;
use crate::polygon::Polygon;

/// Boxes without anything solid in them, the largest first.
#[derive(Clone, Debug, Default)]
pub(super) struct FreeSpace {
    boxes: Vec<Bounds>,
}

/// Greatest number of boxes; more cost every query more than they save.
const BOXES: usize = 3;

/// Smallest edge of a box, in metres; a smaller box holds no mover.
const MIN_EDGE: f32 = 0.9;

/// Greatest size of a tree, in metres: up to it, rounding decides nothing ...
const MAX_EDGE: f32 = 256.0;

/// ... as long as the sphere is farther from the sides of a box than this. Less than [`EPSILON`],
/// so that a sphere resting on the bottom of a box is inside it.
const MARGIN: f32 = EPSILON / 2.0;

/// Number of points along each axis from which a box is grown.
const SEEDS: [usize; 3] = [4, 4, 3];

impl FreeSpace {
    /// Grows boxes from a grid of points and keeps the best.
    pub(super) fn of(tree: &PhysicsTree) -> Self {
        let polygons = tree.lists.iter().map(|listed| tree.polygon(listed.polygon));
        let obstacles: Vec<Bounds> = polygons.filter_map(|polygon| bounds(&polygon)).collect();
        let whole = obstacles.iter().copied().reduce(|a, b| a.union(&b));
        let mut found = Self::default();
        let Some(whole) = whole.filter(is_usable) else { return found };
        let grown = seeds(&whole).filter_map(|seed| Some((seed, grow(whole, &obstacles, seed)?)));
        let mut grown: Vec<(Vec3, Bounds)> = grown.collect();
        grown.sort_by(|(_, a), (_, b)| usable_volume(b).total_cmp(&usable_volume(a)));
        for (seed, free) in grown {
            // A point inside a better box would grow a box no better than that one.
            let new = !found.boxes.iter().any(|better| better.contains(seed));
            if new && found.boxes.len() < BOXES && tree.is_free(tree.root, &free) {
                found.boxes.push(free);
            }
        }
        found.boxes.shrink_to_fit();
        found
    }

    /// Returns whether a sphere is entirely in free space, so that every query finds nothing.
    #[inline]
    pub(super) fn contains(&self, sphere: &Sphere) -> bool {
        // A polygon farther away than this is not touched.
        let reach = sphere.radius - EPSILON + MARGIN;
        self.boxes.iter().any(|free| {
            let (below, above) = (sphere.centre - free.min, free.max - sphere.centre);
            below.x > reach
                && below.y > reach
                && below.z > reach
                && above.x > reach
                && above.y > reach
                && above.z > reach
        })
    }

    pub(super) fn heap_size(&self) -> usize {
        self.boxes.capacity() * size_of::<Bounds>()
    }
}

/// Returns the box around a polygon and around its corners dropped onto its plane: a bent polygon
/// leaves its plane, and spheres are tested against the plane.
fn bounds(polygon: &Polygon<'_>) -> Option<Bounds> {
    let Polygon { vertices, plane, .. } = polygon;
    let dropped = vertices.iter().map(|&v| v - plane.normal * plane.distance(v));
    Bounds::from_points(vertices.iter().copied().chain(dropped))
}

fn is_usable(whole: &Bounds) -> bool {
    // A polygon with NaN in a corner has no plane, and no leaf lists it.
    let size = whole.max - whole.min;
    size.min_element() >= MIN_EDGE && whole.min.abs().max(whole.max.abs()).max_element() <= MAX_EDGE
}

fn seeds(whole: &Bounds) -> impl Iterator<Item = Vec3> {
    let place = |axis: usize, number: usize| {
        let part = (number as f32 + 0.5) / SEEDS[axis] as f32;
        whole.min[axis] + (whole.max[axis] - whole.min[axis]) * part
    };
    let each = (0..SEEDS[0]).flat_map(|x| (0..SEEDS[1]).map(move |y| (x, y)));
    let each = each.flat_map(|(x, y)| (0..SEEDS[2]).map(move |z| (x, y, z)));
    each.map(move |(x, y, z)| Vec3::new(place(0, x), place(1, y), place(2, z)))
}

/// Volume available to the centre of a mover.
fn usable_volume(free: &Bounds) -> f32 {
    let room = (free.max - free.min - Vec3::splat(MIN_EDGE)).max(Vec3::splat(0.01));
    room.x * room.y * room.z
}

/// Grows a box around a point that no obstacle reaches into: each obstacle cuts off the smallest
/// part.
fn grow(whole: Bounds, obstacles: &[Bounds], seed: Vec3) -> Option<Bounds> {
    let mut free = whole;
    for obstacle in obstacles {
        let apart = obstacle.max.cmple(free.min).any() || obstacle.min.cmpge(free.max).any();
        if apart {
            continue;
        }
        let mut best: Option<Bounds> = None;
        for axis in 0..3 {
            let mut cuts = [free, free];
            cuts[0].max[axis] = obstacle.min[axis];
            cuts[1].min[axis] = obstacle.max[axis];
            let keeps = |cut: &Bounds| cut.min[axis] < seed[axis] && seed[axis] < cut.max[axis];
            for cut in cuts.into_iter().filter(keeps) {
                if best.is_none_or(|best| usable_volume(&cut) > usable_volume(&best)) {
                    best = Some(cut);
                }
            }
        }
        free = best?;
    }
    ((free.max - free.min).min_element() >= MIN_EDGE).then_some(free)
}

impl PhysicsTree {
    /// Returns whether a sphere is entirely in a box that was found free when the tree was built.
    /// No polygon touches it then, and it is in no solid space, so that a caller may skip
    /// [`sphere_intersects_poly`](Self::sphere_intersects_poly),
    /// [`sphere_intersects_solid`](Self::sphere_intersects_solid),
    /// [`hits_walkable`](Self::hits_walkable) and [`find_walkable`](Self::find_walkable). `false`
    /// says nothing about the sphere.
    ///
    /// Cost: at most three boxes; a walk of the tree costs far more.
    #[inline]
    pub fn is_in_free_box(&self, sphere: &Sphere) -> bool {
        self.free.contains(sphere)
    }

    /// Returns whether no solid leaf reaches into a box.
    fn is_free(&self, at: Child, free: &Bounds) -> bool {
        match at {
            Child::Empty => true,
            Child::Leaf(index) => !self.leaves[index as usize].solid,
            Child::Split(index) => {
                let split = &self.splits[index as usize];
                let distances = free.corners().map(|corner| split.plane.distance(corner));
                // A side that lies in the cut reaches to neither side of it. Negated, so that with
                // NaN both sides count.
                let front = !distances.iter().all(|distance| *distance <= MARGIN);
                let behind = !distances.iter().all(|distance| *distance >= -MARGIN);
                (!front || self.is_free(split.positive, free))
                    && (!behind || self.is_free(split.negative, free))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::PolygonHit;
    use super::super::fixtures::{GROUND, ball, leaf, level, split, t1, t2};
    use super::super::walk::WalkableQuery;
    use super::*;
    use crate::polygon::{PolygonSet, Sides};

    #[test]
    fn the_open_side_of_a_wall_is_one_free_box() {
        let free = &t2().free.boxes;
        let room = Bounds { min: Vec3::new(-4.0, -4.0, 0.0), max: Vec3::new(2.0, 4.0, 3.0) };
        assert_eq!(free.first(), Some(&room), "{free:?}");
        assert!(t1().free.boxes.is_empty(), "a floor alone has no height");
    }

    #[test]
    fn a_sphere_on_the_floor_is_free_and_one_that_touches_is_not() {
        let contains = |z: f32| t2().free.contains(&ball([0.0, 0.0, z]));
        assert!(contains(1.5) && contains(0.48) && contains(0.48 - 0.000_05));
        assert!(!contains(0.48 - EPSILON) && !contains(-1.0) && !contains(2.6));
    }

    #[test]
    fn a_bent_floor_is_as_high_as_its_plane() {
        let mut polygons = PolygonSet::new();
        let [a, b, c, mut d] = level(0.0);
        d.z -= 0.4;
        polygons.push([a, b, c, d], Sides::Single);
        polygons.push(
            [[4.0, -4.0, 0.0], [4.0, 4.0, 0.0], [4.0, 4.0, 3.0]].map(Vec3::from),
            Sides::Single,
        );
        let tree = PhysicsTree::build(polygons, &[split(GROUND, 1, None), leaf(false, &[0, 1])], 0);
        let tree = tree.unwrap();
        let top = bounds(&tree.polygon(0)).unwrap().max.z;
        assert!(top > 0.05, "{top}");
        assert!(tree.free.boxes.iter().all(|free| free.min.z >= top), "{:?}", tree.free);
    }

    /// Every query about a free sphere gets the same result as without the boxes.
    #[test]
    fn a_free_sphere_touches_nothing_in_the_full_walk() {
        let tree = t2();
        let places = (0..40_000).map(|n| {
            let axis = |step: i32, count: i32, from: f32, to: f32| {
                from + (to - from) * (n / step % count) as f32 / count as f32
            };
            [axis(1, 40, -4.5, 3.0), axis(40, 40, -4.5, 4.5), axis(1600, 25, -1.0, 3.5)]
        });
        let free: Vec<_> = places.map(ball).filter(|sphere| tree.is_in_free_box(sphere)).collect();
        assert!(free.len() > 5_000, "{}", free.len());
        let walk = WalkableQuery { movement: Vec3::NEG_Z, up: Vec3::Z, allowance: 0.0 };
        for mut sphere in free {
            let mut struck = PolygonHit::default();
            assert!(!tree.sphere_intersects_poly(&sphere, Vec3::NEG_Z, &mut struck));
            assert_eq!(struck.polygon, None, "{sphere:?}");
            assert!(!tree.sphere_intersects_solid(&sphere, true), "{sphere:?}");
            assert!(!tree.hits_walkable(&sphere, Vec3::Z, 0.0), "{sphere:?}");
            assert_eq!(tree.find_walkable(&mut sphere, &walk, &mut 1.0), None, "{sphere:?}");
        }
    }
}
