//! Rectangles of landblocks.

use threshold_land::{BlockId, MAP_BLOCKS};
use threshold_world::Land;

/// Greatest number of landblocks along a side of a map or an export; larger files open nowhere.
pub const MAX_BLOCKS: u8 = 32;

/// Returns the south-western landblock, columns and rows of a rectangle around a landblock.
///
/// The rectangle is moved where the map ends. With an even number, the larger half lies in the south and west.
pub fn blocks_around(block: BlockId, columns: u8, rows: u8) -> (BlockId, u8, u8) {
    let max = u8::try_from(MAP_BLOCKS).unwrap_or(u8::MAX);
    let (columns, rows) = (columns.clamp(1, max), rows.clamp(1, max));
    let first = |middle: u8, count: u8| middle.saturating_sub(count / 2).min(max - count);
    (BlockId::new(first(block.x(), columns), first(block.y(), rows)), columns, rows)
}

/// Returns the south-western landblock, columns and rows of the smallest rectangle with all `blocks`.
pub(crate) fn bounding_blocks(
    blocks: impl Iterator<Item = BlockId> + Clone,
) -> Option<(BlockId, u8, u8)> {
    let (x, y) = (blocks.clone().map(BlockId::x), blocks.map(BlockId::y));
    let (min_x, min_y) = (x.clone().min()?, y.clone().min()?);
    let (max_x, max_y) = (x.max()?, y.max()?);
    // The map has 255 landblocks each way.
    let count = |min: u8, max: u8| (max - min).saturating_add(1);
    Some((BlockId::new(min_x, min_y), count(min_x, max_x), count(min_y, max_y)))
}

/// Returns whether a landblock has more than the flat ground above a dungeon.
pub fn is_landscape(land: &Land) -> bool {
    !(land.terrain().is_flat_zero() && land.buildings().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounding_rectangle_has_all_landblocks() {
        let bounding = |blocks: &[u16]| bounding_blocks(blocks.iter().map(|id| BlockId(*id)));
        assert_eq!(bounding(&[0xA9B4]), Some((BlockId(0xA9B4), 1, 1)));
        assert_eq!(bounding(&[0xA9B4, 0xA7B6, 0xA8B5]), Some((BlockId(0xA7B4), 3, 3)));
        assert_eq!(bounding(&[]), None);
    }

    #[track_caller]
    fn check(block: u16, columns: u8, rows: u8, want: (u16, u8, u8)) {
        let (corner, columns, rows) = blocks_around(BlockId(block), columns, rows);
        assert_eq!((corner, columns, rows), (BlockId(want.0), want.1, want.2));
    }

    #[test]
    fn a_rectangle_lies_around_its_landblock_and_on_the_map() {
        check(0xA9B4, 1, 1, (0xA9B4, 1, 1));
        check(0xA9B4, 3, 4, (0xA8B2, 3, 4));
        check(0x0000, 3, 3, (0x0000, 3, 3));
        check(0xFEFE, 3, 3, (0xFCFC, 3, 3));
        check(0x8080, 255, 255, (0x0000, 255, 255));
    }
}
