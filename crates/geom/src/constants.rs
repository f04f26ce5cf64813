//! Numbers of collision, each with its retail name and reason.

use threshold_land::vector::Vec3;

/// A falling mover lands on a surface if the z of its normal is greater than this: the cosine of 85
/// degrees, so on anything but a wall.
///
/// Retail: `LANDING_Z`.
pub const LANDING_Z: f32 = 0.087_155_7;

/// Smallest z of the normal of a walkable surface, about the cosine of 48.4 degrees. Its bits are
/// `0x3F2A0751`.
///
/// Retail: `FLOOR_Z`, `get_walkable_z`.
pub const FLOOR_Z: f32 = 0.664_174_14;

/// Added to the radius of a sphere that is tested against a cell, in metres: a mover in a doorway
/// belongs to both rooms before it touches the second.
///
/// Retail: a literal in `BSPNODE::sphere_intersects_cell_bsp`.
pub const CELL_MARGIN: f32 = 0.01;

/// Part of the squared radius by which [`check_small_walkable`] may pass the polygon: half the
/// radius.
///
/// Retail: a literal in `CPolygon::check_small_walkable`.
///
/// [`check_small_walkable`]: crate::Polygon::check_small_walkable
pub(crate) const SMALL_WALKABLE_BAND: f32 = 0.25;

/// Lower bound of the interpolation of a step down onto a polygon, as a part of the step. The bound
/// itself is allowed.
///
/// Retail: a literal in `CPolygon::adjust_sphere_to_plane`.
pub const POLYGON_INTERPOLATION_FLOOR: f32 = -0.5;

/// The same for terrain, spheres and cylinders, which are stricter.
///
/// Retail: a literal in `CSphere::step_sphere_down` and its like.
pub const SHAPE_INTERPOLATION_FLOOR: f32 = -0.1;

/// Greatest number of nodes from the root of a tree to a leaf. Walks recurse, so this bounds the
/// use of the stack; retail's deepest trees are far below.
pub const MAX_TREE_DEPTH: usize = 2000;

/// Returns whether a surface with this unit normal is walkable; [`FLOOR_Z`] itself is.
///
/// Retail: `CPhysicsObj::is_valid_walkable`.
pub fn is_valid_walkable(normal: Vec3) -> bool {
    normal.z >= FLOOR_Z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floor_z_has_the_bits_of_retail() {
        assert_eq!(FLOOR_Z.to_bits(), 0x3F2A_0751);
    }

    #[test]
    fn the_steepest_floor_is_walkable() {
        let walkable = |z| is_valid_walkable(Vec3::new(0.0, 0.0, z));
        assert!(walkable(1.0));
        assert!(walkable(FLOOR_Z));
        assert!(!walkable(FLOOR_Z.next_down()));
        assert!(!walkable(-1.0));
    }
}
