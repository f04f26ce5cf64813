//! Cell trees: the chain of planes that bounds a room.

use threshold_dat::{BspLeaf, BspNode, BspSplit, BspTag, BspTree};
use threshold_land::Plane;

use crate::tool::solid::Convex;
use crate::tool::solid::outline::opposite;

/// Returns the inward planes of a room: floor, ceiling, then the walls in order.
pub(crate) fn inward_planes(space: &Convex) -> Vec<Plane> {
    let mut sides: Vec<(usize, Plane)> =
        space.sides.iter().map(|side| opposite(&side.plane)).enumerate().collect();
    let rank = |plane: &Plane| match plane.normal.z {
        z if z > 0.999 => 0,
        z if z < -0.999 => 1,
        _ => 2,
    };
    sides.sort_by_key(|(index, plane)| (rank(plane), *index));
    sides.into_iter().map(|(_, plane)| plane).collect()
}

/// Returns a chain of nodes with positive children, ended by a leaf.
pub(crate) fn tree(space: &Convex) -> BspTree {
    let mut tree = BspTree::default();
    let leaf = BspLeaf { index: 0, solid: 0, sphere: None, polygons: &[] };
    let mut below = tree.push(BspNode::Leaf(leaf));
    for plane in inward_planes(space).into_iter().rev() {
        below = tree.push(BspNode::Split(BspSplit {
            tag: BspTag::split(true, false, false),
            plane,
            positive: Some(below),
            negative: None,
            sphere: None,
            polygons: &[],
            portals: &[],
        }));
    }
    tree.set_root(below);
    tree
}
