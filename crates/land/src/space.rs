//! Local spaces: positions with their rotation matrix.

use crate::vector::Vec3;

use crate::id::CellId;
use crate::outside::block_offset_between;
use crate::plane::Plane;
use crate::position::Position;
use crate::rotation::RotationMatrix;

/// A [`Position`] with its rotation matrix, for rooms and parts of objects: they are queried often and rotated seldom.
///
/// Every result has the same bits as that of the position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Space {
    /// The cell, which names the landblock.
    pub cell: CellId,
    /// The origin in the frame of that landblock, in metres.
    pub origin: Vec3,
    /// The rotation matrix.
    pub rows: RotationMatrix,
}

impl Space {
    /// Makes the local space of a position.
    pub fn new(position: &Position) -> Self {
        let Position { cell, frame } = *position;
        Self { cell, origin: frame.origin, rows: frame.rotation.rows() }
    }

    /// Converts a point of its landblock to local coordinates.
    #[inline]
    pub fn to_local(&self, point: Vec3) -> Vec3 {
        self.rows.to_local(point - self.origin)
    }

    /// Converts a local point to the frame of its landblock.
    #[inline]
    pub fn to_block(&self, point: Vec3) -> Vec3 {
        self.origin + self.rows.to_global(point)
    }

    /// Converts a point of the landblock of `cell` to local coordinates.
    #[inline]
    pub fn to_local_from(&self, cell: CellId, point: Vec3) -> Vec3 {
        self.to_local(point + block_offset_between(self.cell, cell))
    }

    /// Converts a local point to the frame of the landblock of `cell`.
    #[inline]
    pub fn to_block_of(&self, cell: CellId, point: Vec3) -> Vec3 {
        self.to_block(point) + block_offset_between(cell, self.cell)
    }

    /// Converts a local plane to the frame of the landblock of `cell`. Retail: `Plane::localtoglobal`.
    #[inline]
    pub fn plane_in(&self, cell: CellId, plane: &Plane) -> Plane {
        let point = self.to_block_of(cell, -plane.d * plane.normal);
        Plane::through(self.rows.to_global(plane.normal), point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Frame;
    use crate::rotation::Rotation;

    #[test]
    fn a_space_gives_the_same_bits_as_its_position() {
        let rotation = Rotation::new(0.6, 0.0, 0.48, 0.64);
        let origin = Vec3::new(187.3, 3.7, 42.1);
        let there = Position { cell: CellId(0xA9B3_0100), frame: Frame { origin, rotation } };
        let here = Position::new(CellId(0xA9B4_0031), Vec3::new(150.0, 0.3, 41.0));
        let (space, point) = (Space::new(&there), Vec3::new(0.1, -2.3, 0.48));
        let global = here.frame.to_global(point);
        assert_eq!(space.to_local_from(here.cell, global), there.to_local_from(&here, point));
        assert_eq!(space.to_block_of(here.cell, point), here.to_global_from(&there, point));
        assert_eq!(space.to_local(origin), there.frame.to_local(origin));
        assert_eq!(space.to_block(point), there.frame.to_global(point));
        let plane = Plane { normal: Vec3::new(0.6, 0.0, 0.8), d: -3.1 };
        assert_eq!(space.plane_in(here.cell, &plane), plane.to_global(&here, &there));
    }
}
