//! Positions: a cell, and a frame local to its landblock.

use crate::vector::Vec3;

use crate::constants::{BLOCK_LENGTH, COMPASS_UNIT};
use crate::frame::Frame;
use crate::id::{CellId, CellKind};
use crate::outside::{adjust_to_outside, block_offset_between};

/// A cell, and a frame relative to that cell's landblock.
///
/// Coordinates are metres from the landblock's
/// south-west corner and may leave `0..192`.
///
/// Derived equality compares floats; [`near`](Self::near) is retail's equality.
///
/// Retail: `Position`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Position {
    /// The cell.
    pub cell: CellId,
    /// Origin and rotation, local to the landblock of [`cell`](Self::cell).
    pub frame: Frame,
}

impl Position {
    /// Makes a position at `origin` in the landblock of `cell`, facing north. From an array:
    /// `Position::from((cell, [x, y, z]))`.
    pub const fn new(cell: CellId, origin: Vec3) -> Self {
        Self { cell, frame: Frame::at(origin) }
    }

    /// Converts a local point of `from` to the frame of this position's landblock.
    ///
    /// Retail: `Position::localtoglobal(from, p)`.
    pub fn to_global_from(&self, from: &Self, point: Vec3) -> Vec3 {
        from.frame.to_global(point) + block_offset_between(self.cell, from.cell)
    }

    /// Converts a local point of `from` to this position's local space.
    ///
    /// Retail: `Position::localtolocal(from, p)`.
    pub fn to_local_from(&self, from: &Self, point: Vec3) -> Vec3 {
        self.frame.to_local(self.to_global_from(from, point))
    }

    /// Returns the vector from this origin to the other's, across landblocks.
    ///
    /// Retail: `Position::get_offset`.
    pub fn offset_to(&self, other: &Self) -> Vec3 {
        block_offset_between(self.cell, other.cell) + other.frame.origin - self.frame.origin
    }

    /// Whether both have the same cell, and frames within [`crate::EPSILON`].
    ///
    /// Retail: `Position::operator==`.
    pub fn near(&self, other: &Self) -> bool {
        self.cell == other.cell && self.frame.near(&other.frame)
    }

    /// Returns the land cell under this position, indoors or out; `None` off the map.
    ///
    /// Retail: `Position::get_outside_cell_id`.
    pub fn outside_cell(&self) -> Option<CellId> {
        adjust_to_outside(self.cell, self.frame.origin).map(|(cell, _)| cell)
    }

    /// Returns the canonical form of the position: a rotation of unit length and, outdoors or for the
    /// landblock itself, the land cell under the origin with coordinates in `0..192`. Indoors the
    /// cell stays, since a point does not determine it.
    ///
    /// `None` for a refused cell, a point off the map or not finite, and a rotation that cannot be
    /// normalised.
    pub fn normalised(&self) -> Option<Self> {
        let rotation = self.frame.rotation.normalised()?;
        if !self.frame.origin.is_finite() {
            return None;
        }
        let (cell, origin) = match self.cell.kind()? {
            CellKind::Land | CellKind::Block => adjust_to_outside(self.cell, self.frame.origin)?,
            CellKind::Env => (self.cell.is_valid().then_some(self.cell)?, self.frame.origin),
        };
        Some(Self { cell, frame: Frame { origin, rotation } })
    }

    /// Returns the metres from the map's south-west corner, east and north, for display.
    ///
    /// In double precision: single precision cannot hold millimetres at the far edge.
    pub(crate) fn map_metres(cell: CellId, at: Vec3) -> (f64, f64) {
        let axis =
            |block: u8, local: f32| f64::from(block) * f64::from(BLOCK_LENGTH) + f64::from(local);
        (axis(cell.block().x(), at.x), axis(cell.block().y(), at.y))
    }
}

/// A cell and a point in the frame of its landblock; the point may be an array.
impl<P: Into<Vec3>> From<(CellId, P)> for Position {
    fn from((cell, at): (CellId, P)) -> Self {
        Self::new(cell, at.into())
    }
}

const _: () = assert!(COMPASS_UNIT == 10.0 * 24.0, "a tenth of a compass unit is one land cell");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rotation::Rotation;

    fn south() -> Position {
        let rotation = Rotation::new(0.0, 0.0, 0.0, 1.0);
        let frame = Frame { origin: Vec3::new(150.0, 190.0, 2.0), rotation };
        Position { cell: CellId(0xA9B3_0100), frame }
    }

    fn north() -> Position {
        Position::new(CellId(0xA9B4_0031), Vec3::new(150.0, 10.0, 2.0))
    }

    #[test]
    fn worked_examples_across_a_landblock_border() {
        assert_eq!(north().offset_to(&south()), Vec3::new(0.0, -12.0, 0.0));
        let global = north().to_global_from(&south(), Vec3::new(1.0, 2.0, 0.0));
        assert!((global - Vec3::new(149.0, -4.0, 2.0)).length() < 1e-4, "{global}");
        let local = south().to_local_from(&north(), Vec3::new(0.0, 0.0, 0.48));
        assert!((local - Vec3::new(0.0, -12.0, 0.48)).length() < 1e-4, "{local}");
    }

    #[test]
    fn the_land_cell_under_a_room_is_known() {
        let room = Position::new(CellId(0xA9B4_0164), Vec3::new(84.5, 131.2, 40.0));
        assert_eq!(room.outside_cell(), Some(CellId(0xA9B4_001E)));
        let nowhere = Position::new(CellId(0x0000_0001), Vec3::new(-1.0, 5.0, 0.0));
        assert_eq!(nowhere.outside_cell(), None);
    }

    #[test]
    fn normalising_changes_the_cell_outdoors_and_keeps_it_indoors() {
        let over = Position::new(CellId(0xA9B4_0031), Vec3::new(150.0, -1.0, 94.0));
        let want = Position::new(CellId(0xA9B3_0038), Vec3::new(150.0, 191.0, 94.0));
        assert_eq!(over.normalised(), Some(want));
        let block = Position::new(CellId(0xA9B4_FFFF), Vec3::new(150.0, 1.0, 94.0));
        let want = Position::new(CellId(0xA9B4_0031), Vec3::new(150.0, 1.0, 94.0));
        assert_eq!(block.normalised(), Some(want), "a landblock is never a cell");
        let back = Position::new(CellId(0xFF00_0001), Vec3::new(-0.5, 12.0, 0.0));
        let want = Position::new(CellId(0xFE00_0039), Vec3::new(191.5, 12.0, 0.0));
        assert_eq!(back.normalised(), Some(want), "only the sum must lie on the map");
        let room = Position::new(CellId(0x0102_0100), Vec3::new(60.0, -70.0, 0.0));
        assert_eq!(room.normalised(), Some(room));
    }

    #[test]
    fn meaningless_positions_cannot_be_normalised() {
        let mut turned = north();
        turned.frame.rotation = Rotation::new(0.0, 0.0, 0.0, 0.0);
        assert_eq!(turned.normalised(), None);
        let nowhere =
            [(0xA9B4_0041, 1.0), (0xA9B4_0100, f32::NAN), (0x0000_0001, -1.0), (0xFF00_0100, 1.0)];
        for (cell, x) in nowhere {
            let nowhere = Position::new(CellId(cell), Vec3::new(x, 0.0, 0.0));
            assert_eq!(nowhere.normalised(), None, "{nowhere:?}");
        }
    }
}
