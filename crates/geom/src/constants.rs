//! The numbers of collision, each with its retail name and reason.

use threshold_land::glam::Vec3;

/// How steep a surface may be that a falling mover lands on: the z of its normal must be more.
/// The cosine of 85 degrees, so anything but a wall.
///
/// Retail: `LANDING_Z`.
pub const LANDING_Z: f32 = 0.087_155_7;

/// The smallest z of a normal that can be walked on, about the cosine of 48.4 degrees. Its bits
/// are `0x3F2A0751`.
///
/// Retail: `FLOOR_Z`, `get_walkable_z`.
pub const FLOOR_Z: f32 = 0.664_174_14;

/// How much larger a sphere is made when a cell is asked about it, in metres: a mover in a
/// doorway belongs to both rooms before it touches the second.
///
/// Retail: a literal in `BSPNODE::sphere_intersects_cell_bsp`.
pub const CELL_MARGIN: f32 = 0.01;

/// The part of the squared radius that [`check_small_walkable`] allows beside the polygon: half
/// the radius.
///
/// Retail: a literal in `CPolygon::check_small_walkable`.
///
/// [`check_small_walkable`]: crate::Polygon::check_small_walkable
pub const SMALL_WALKABLE_BAND: f32 = 0.25;

/// How far before its start a step down may end on a polygon, as a part of the step, negated.
/// The value itself is allowed.
///
/// Retail: a literal in `CPolygon::adjust_sphere_to_plane`.
pub const POLYGON_INTERPOLATION_FLOOR: f32 = -0.5;

/// The same for terrain, spheres and cylinders, which are stricter.
///
/// Retail: a literal in `CSphere::step_sphere_down` and its like.
pub const SHAPE_INTERPOLATION_FLOOR: f32 = -0.1;

/// How many nodes a tree may have from its root to its deepest leaf. Walks recurse, so this
/// bounds the stack they take; retail's deepest trees are far below.
pub const MAX_TREE_DEPTH: usize = 2000;

/// Whether a surface with this unit normal can be walked on; [`FLOOR_Z`] itself can.
///
/// Retail: `CPhysicsObj::is_valid_walkable`.
pub fn is_valid_walkable(normal: Vec3) -> bool {
    normal.z >= FLOOR_Z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steepest_floor_has_the_bits_of_retail() {
        assert_eq!(FLOOR_Z.to_bits(), 0x3F2A_0751);
    }

    #[test]
    fn the_steepest_floor_is_still_a_floor() {
        let walkable = |z| is_valid_walkable(Vec3::new(0.0, 0.0, z));
        assert!(walkable(1.0));
        assert!(walkable(FLOOR_Z));
        assert!(!walkable(FLOOR_Z.next_down()));
        assert!(!walkable(-1.0));
    }
}
