//! The trees of the worked examples: a floor, and a wall that stands on it.
//!
//! ```text
//!            z            x = 2
//!   T1       |   empty          T2       |   empty   # wall
//!            |                           |           #
//!   ---------+--------- floor   ---------+-----------#####
//!             solid                       solid      solid
//! ```

use threshold_land::vector::Vec3;
use threshold_land::{Plane, Sphere};

use super::{PhysicsNode, PhysicsTree};
use crate::polygon::{PolygonSet, Sides};

pub(super) const FLOOR: u32 = 0;
pub(super) const WALL: u32 = 1;
pub(super) const GROUND: Plane = Plane { normal: Vec3::Z, d: 0.0 };

pub(super) fn polygons() -> PolygonSet {
    let mut set = PolygonSet::new();
    set.push(level(0.0), Sides::Single);
    let wall = [[2.0, -4.0, 0.0], [2.0, -4.0, 3.0], [2.0, 4.0, 3.0], [2.0, 4.0, 0.0]];
    set.push(wall.map(Vec3::from), Sides::Single);
    set
}

/// A floor of eight by eight metres around the origin.
pub(super) fn level(z: f32) -> [Vec3; 4] {
    [[-4.0, -4.0, z], [4.0, -4.0, z], [4.0, 4.0, z], [-4.0, 4.0, z]].map(Vec3::from)
}

pub(super) fn leaf(solid: bool, polygons: &[u32]) -> PhysicsNode {
    PhysicsNode::Leaf { solid, sphere: Sphere::new(Vec3::ZERO, 8.0), polygons: polygons.into() }
}

pub(super) fn split(
    plane: Plane,
    positive: impl Into<Option<u32>>,
    negative: impl Into<Option<u32>>,
) -> PhysicsNode {
    let sphere = Sphere::new(Vec3::ZERO, 12.0);
    PhysicsNode::Split { plane, sphere, positive: positive.into(), negative: negative.into() }
}

/// The floor alone.
pub(super) fn t1() -> PhysicsTree {
    let nodes = [split(GROUND, 1, 2), leaf(false, &[]), leaf(true, &[FLOOR])];
    PhysicsTree::build(polygons(), &nodes, 0).unwrap()
}

/// The floor and the wall.
pub(super) fn t2() -> PhysicsTree {
    let nodes = [
        split(GROUND, 1, 2),
        split(Plane { normal: Vec3::NEG_X, d: 2.0 }, 3, 4),
        leaf(true, &[FLOOR]),
        leaf(false, &[]),
        leaf(true, &[WALL]),
    ];
    PhysicsTree::build(polygons(), &nodes, 0).unwrap()
}

/// A mover's sphere.
pub(super) fn ball(centre: [f32; 3]) -> Sphere {
    Sphere::new(centre.into(), 0.48)
}
