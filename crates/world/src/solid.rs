//! What movers bump into: a physics tree with its position.

use threshold_geom::PhysicsTree;
use threshold_land::Space;

/// A physics tree at its place in a landblock.
#[derive(Clone, Copy, Debug)]
pub struct Solid<'w> {
    /// Its shape, in its own space.
    pub tree: &'w PhysicsTree,
    /// Its place.
    pub space: &'w Space,
    /// Its scale. Retail: the z of the part's scale.
    pub scale: f32,
}
