//! The grid of land cells that spans the whole map.

use crate::constants::{BLOCK_CELLS, MAP_CELLS};
use crate::id::{BlockId, CellId};

/// Coordinates of a land cell in the grid of the whole map, `0..2040` on each axis.
///
/// A value of this type is always on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lcoord {
    x: u16,
    y: u16,
}

impl Lcoord {
    /// Makes a coordinate; `None` off the map. Retail: `LandDefs::in_bounds`.
    pub fn new(x: i32, y: i32) -> Option<Self> {
        let inside = |v: i32| (0..MAP_CELLS).contains(&v).then(|| u16::try_from(v).ok()).flatten();
        Some(Self { x: inside(x)?, y: inside(y)? })
    }

    /// Returns the number of cells from the west edge of the map.
    pub fn x(self) -> i32 {
        i32::from(self.x)
    }

    /// Returns the number of cells from the south edge of the map.
    pub fn y(self) -> i32 {
        i32::from(self.y)
    }

    /// Returns the id of the land cell. Retail: `LandDefs::lcoord_to_gid`.
    pub fn cell(self) -> CellId {
        let low = (self.y & 7) + (self.x & 7) * 8 + 1;
        self.block().cell(low)
    }

    /// Returns the landblock of the land cell.
    pub fn block(self) -> BlockId {
        BlockId((self.x >> 3) << 8 | self.y >> 3)
    }

    /// Returns the cell `dx` to the east and `dy` to the north; `None` off the map.
    pub fn step(self, dx: i32, dy: i32) -> Option<Self> {
        Self::new(self.x().checked_add(dx)?, self.y().checked_add(dy)?)
    }
}

const _: () = assert!(BLOCK_CELLS == 8, "Lcoord::cell shifts by three bits");

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(x: i32, y: i32, want: Option<u32>) {
        assert_eq!(Lcoord::new(x, y).map(Lcoord::cell), want.map(CellId), "({x}, {y})");
    }

    #[test]
    fn cells_of_the_worked_examples() {
        check(1358, 1440, Some(0xA9B4_0031));
        check(1358, 1439, Some(0xA9B3_0038));
        check(0, 0, Some(0x0000_0001));
        check(2039, 2039, Some(0xFEFE_0040));
        check(2040, 0, None);
        check(0, 2040, None);
        check(-1, 0, None);
        check(0, -1, None);
        check(i32::MIN, i32::MAX, None);
    }

    #[test]
    fn the_whole_map_round_trips() {
        for x in 0..MAP_CELLS {
            for y in 0..MAP_CELLS {
                let here = Lcoord::new(x, y).unwrap();
                let cell = here.cell();
                assert!(cell.is_valid() && cell.is_outdoor(), "{cell} at ({x}, {y})");
                assert_eq!(cell.lcoord(), Some(here), "{cell} at ({x}, {y})");
                assert_eq!(cell.block(), here.block());
            }
        }
    }

    #[test]
    fn a_step_ends_at_the_map_and_never_overflows() {
        let corner = Lcoord::new(2039, 0).unwrap();
        assert_eq!(corner.step(-1, 1), Lcoord::new(2038, 1));
        assert_eq!(corner.step(1, 0), None);
        assert_eq!(corner.step(i32::MAX, i32::MIN), None);
    }
}
