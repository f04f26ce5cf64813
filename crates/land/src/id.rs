//! Block and cell ids.

use std::fmt;

use crate::constants::BLOCK_CELLS;
use crate::lcoord::Lcoord;

/// A landblock: column (west to east) in the high byte, row (south to north) in the low byte.
///
/// Displayed as `A9B4`. Columns and rows run `00..=FE`; `FF` is a
/// legal value that lies outside the map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u16);

impl BlockId {
    /// Returns the landblock in column `x` and row `y`.
    pub const fn new(x: u8, y: u8) -> Self {
        Self(u16::from_be_bytes([x, y]))
    }

    /// Returns the column, counted eastwards.
    pub const fn x(self) -> u8 {
        self.0.to_be_bytes()[0]
    }

    /// Returns the row, counted northwards.
    pub const fn y(self) -> u8 {
        self.0.to_be_bytes()[1]
    }

    /// Whether the landblock lies on the map.
    pub const fn in_bounds(self) -> bool {
        self.x() != 0xFF && self.y() != 0xFF
    }

    /// Returns the cell id with the low word `low`, which is not checked.
    pub const fn cell(self, low: u16) -> CellId {
        CellId((self.0 as u32) << 16 | low as u32)
    }

    /// Returns the id that stands for the landblock as a whole, low word `0xFFFF`.
    pub const fn as_cell(self) -> CellId {
        self.cell(0xFFFF)
    }
}

impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04X}", self.0)
    }
}

impl fmt::Debug for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A cell of the world: landblock in the high word, cell in the low word.
///
/// Displayed as `0xA9B40031`. Every `u32` is a value of this type;
/// [`kind`](Self::kind) and [`is_valid`](Self::is_valid) say what it names.
///
/// Retail: `objcell_id`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub u32);

/// What the low word of a [`CellId`] names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// One of the 64 terrain cells of a landblock, `0x0001..=0x0040`.
    Land,
    /// A room of a building or a dungeon, `0x0100..=0xFFFD`.
    Env,
    /// The landblock itself, `0xFFFF`: valid input for LandDefs, never a cell.
    Block,
}

impl CellId {
    /// Returns the landblock of this cell.
    pub const fn block(self) -> BlockId {
        BlockId((self.0 >> 16) as u16)
    }

    /// Returns the low word.
    #[allow(clippy::cast_possible_truncation, reason = "drops the high word on purpose")]
    pub const fn low(self) -> u16 {
        self.0 as u16
    }

    /// Returns what the low word names; `None` when it is one that retail refuses: `0`, `0x41..=0xFF` and `0xFFFE`.
    pub const fn kind(self) -> Option<CellKind> {
        match self.low() {
            0x0001..=0x0040 => Some(CellKind::Land),
            0x0100..=0xFFFD => Some(CellKind::Env),
            0xFFFF => Some(CellKind::Block),
            _ => None,
        }
    }

    /// Whether the low word is below `0x100`; nothing else decides indoors or outdoors.
    pub const fn is_outdoor(self) -> bool {
        self.low() < 0x100
    }

    /// The opposite of [`is_outdoor`](Self::is_outdoor).
    pub const fn is_indoor(self) -> bool {
        !self.is_outdoor()
    }

    /// Whether the low word is one that retail accepts and the landblock lies on the map.
    ///
    /// Retail: `LandDefs::inbound_valid_cellid`, on both axes.
    pub const fn is_valid(self) -> bool {
        self.kind().is_some() && self.block().in_bounds()
    }

    /// Returns the south-west land cell of this cell's landblock; `None` for id 0 and off the map.
    ///
    /// Retail: `LandDefs::blockid_to_lcoord`.
    pub fn block_lcoord(self) -> Option<Lcoord> {
        if self.0 == 0 {
            return None;
        }
        let (x, y) = self.block_origin();
        Lcoord::new(x, y)
    }

    /// Returns the coordinates of a land cell in the grid of the whole map; `None` for anything but a land cell.
    ///
    /// Retail: `LandDefs::gid_to_lcoord`.
    pub fn lcoord(self) -> Option<Lcoord> {
        if !self.is_valid() || self.is_indoor() {
            return None;
        }
        let (x, y) = self.block_origin();
        let index = i32::from(self.low()) - 1;
        Lcoord::new(x + index / BLOCK_CELLS, y + index % BLOCK_CELLS)
    }

    /// Returns the cell coordinates of the landblock's south-west corner, on the map or not.
    #[inline]
    pub(crate) fn block_origin(self) -> (i32, i32) {
        let block = self.block();
        (i32::from(block.x()) * BLOCK_CELLS, i32::from(block.y()) * BLOCK_CELLS)
    }
}

impl fmt::Display for CellId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08X}", self.0)
    }
}

impl fmt::Debug for CellId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_print_as_people_write_them() {
        assert_eq!(CellId(0xA9B4_0031).to_string(), "0xA9B40031");
        assert_eq!(CellId(0xA9B4_0031).block().to_string(), "A9B4");
        assert_eq!(BlockId::new(0xA9, 0xB4).as_cell(), CellId(0xA9B4_FFFF));
    }

    #[test]
    fn the_low_word_names_the_kind() {
        for low in 0..=0xFFFF_u16 {
            let want = match low {
                1..=0x40 => Some(CellKind::Land),
                0x100..=0xFFFD => Some(CellKind::Env),
                0xFFFF => Some(CellKind::Block),
                _ => None,
            };
            assert_eq!(BlockId(0xA9B4).cell(low).kind(), want, "low word {low:04X}");
        }
    }

    #[test]
    fn both_axes_decide_whether_an_id_is_valid() {
        for id in [0xA9B4_FFFF, 0xA9B4_0100, 0xA9B4_0031, 0xFEFE_0040, 0x0000_0001] {
            assert!(CellId(id).is_valid(), "{:?}", CellId(id));
        }
        for id in [0xA9B4_0041, 0xA9B4_00FF, 0xA9B4_FFFE, 0xFF00_0001, 0x00FF_0001, 0xA9B4_0000] {
            assert!(!CellId(id).is_valid(), "{:?}", CellId(id));
        }
    }

    #[test]
    fn only_land_cells_have_grid_coordinates() {
        let at = |id| CellId(id).lcoord().map(|l| (l.x(), l.y()));
        assert_eq!(at(0xA9B4_0031), Some((1358, 1440)));
        for id in [0xA9B4_0164, 0xA9B4_FFFF, 0xA9B4_0041, 0xFF00_0001, 0] {
            assert_eq!(at(id), None, "{:?}", CellId(id));
        }
    }

    #[test]
    fn block_lcoord_has_no_cell_for_the_null_id_and_the_last_row() {
        let at = |id| CellId(id).block_lcoord().map(|l| (l.x(), l.y()));
        assert_eq!(at(0xA9B4_0031), Some((1352, 1440)));
        assert_eq!(at(0x0000_0001), Some((0, 0)));
        assert_eq!(at(0), None);
        assert_eq!(at(0xFF00_0001), None);
        assert_eq!(at(0x00FF_0001), None);
    }
}
