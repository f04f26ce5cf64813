//! A physics tree with its position and scale.

use threshold_geom::PhysicsTree;
use threshold_land::Space;

/// A physics tree at its position in a landblock.
#[derive(Clone, Copy, Debug)]
pub struct Solid<'w> {
    /// The tree, in its own space.
    pub tree: &'w PhysicsTree,
    /// Its position.
    pub space: &'w Space,
    /// Its scale. Retail: the z of the part's scale.
    pub scale: f32,
}
