//! Physics trees of the worked examples.

use threshold_geom::{PhysicsNode, PhysicsTree, PolygonSet, Sides};
use threshold_land::vector::Vec3;
use threshold_land::{Plane, Sphere};

use super::fixture::FEET;

const FLOOR: u32 = 0;
const WALL: u32 = 1;
/// A mover whose head leans forward.
pub(super) const LEANING: &[Sphere] = &[FEET, Sphere::new(Vec3::new(0.4, 0.0, 1.35), 0.48)];

/// A floor, and a wall at x = 2 that stands on it.
fn polygons() -> PolygonSet {
    let mut set = PolygonSet::new();
    let floor = [[-4.0, -4.0, 0.0], [4.0, -4.0, 0.0], [4.0, 4.0, 0.0], [-4.0, 4.0, 0.0]];
    let wall = [[2.0, -4.0, 0.0], [2.0, -4.0, 3.0], [2.0, 4.0, 3.0], [2.0, 4.0, 0.0]];
    for corners in [floor, wall] {
        set.push(corners.map(Vec3::from), Sides::Single);
    }
    set
}

fn leaf(solid: bool, polygons: &[u32], reach: f32) -> PhysicsNode {
    PhysicsNode::Leaf { solid, sphere: Sphere::new(Vec3::ZERO, reach), polygons: polygons.into() }
}

fn split(normal: Vec3, d: f32, [positive, negative]: [u32; 2], reach: f32) -> PhysicsNode {
    let (plane, sphere) = (Plane { normal, d }, Sphere::new(Vec3::ZERO, reach));
    PhysicsNode::Split { plane, sphere, positive: Some(positive), negative: Some(negative) }
}

/// A floor, in a tree with this bounding radius.
pub(super) fn floor_within(reach: f32) -> PhysicsTree {
    let nodes =
        [split(Vec3::Z, 0.0, [1, 2], reach), leaf(false, &[], reach), leaf(true, &[FLOOR], reach)];
    PhysicsTree::build(polygons(), &nodes, 0).unwrap()
}

/// A floor.
pub(super) fn t1() -> PhysicsTree {
    floor_within(12.0)
}

/// A floor, and a wall that stands on it.
pub(super) fn t2() -> PhysicsTree {
    let nodes = [
        split(Vec3::Z, 0.0, [1, 2], 12.0),
        split(Vec3::NEG_X, 2.0, [3, 4], 12.0),
        leaf(true, &[FLOOR], 8.0),
        leaf(false, &[], 8.0),
        leaf(true, &[WALL], 8.0),
    ];
    PhysicsTree::build(polygons(), &nodes, 0).unwrap()
}
