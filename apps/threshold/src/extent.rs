//! Which landblocks are meant.

use anyhow::Context;
use threshold_land::{BlockId, MAP_BLOCKS, Place, Position};
use threshold_world::Land;

/// The most landblocks along a side: more would make a file that nothing opens.
pub(crate) const MOST_BLOCKS: u8 = 32;

/// So many landblocks: one number or two.
pub(crate) fn blocks(text: &str) -> Result<(u8, u8), String> {
    let number = |text: &str| text.parse().ok().filter(|n| (1..=MOST_BLOCKS).contains(n));
    let (columns, rows) = text.split_once(['x', 'X']).unwrap_or((text, text));
    let both = number(columns).zip(number(rows));
    both.ok_or_else(|| format!("write 3 or 3x4, from 1 to {MOST_BLOCKS} landblocks a side"))
}

/// `columns` x `rows` landblocks round one, moved where the map ends; with an even number the
/// larger half lies in the south and west.
pub(crate) fn round(block: BlockId, columns: u8, rows: u8) -> (BlockId, u8, u8) {
    let most = u8::try_from(MAP_BLOCKS).unwrap_or(u8::MAX);
    let (columns, rows) = (columns.clamp(1, most), rows.clamp(1, most));
    let first = |middle: u8, count: u8| middle.saturating_sub(count / 2).min(most - count);
    (BlockId::new(first(block.x(), columns), first(block.y(), rows)), columns, rows)
}

/// The canonical spelling of an outdoor position: in its own landblock.
pub(crate) fn outdoors(position: &Position, place: &Place) -> anyhow::Result<Position> {
    position.normalised().with_context(|| format!("{place}: not a place on the map"))
}

/// The smallest rectangle round landblocks: the one in its south-western corner, columns and rows.
pub(crate) fn round_all(
    blocks: impl Iterator<Item = BlockId> + Clone,
) -> Option<(BlockId, u8, u8)> {
    let (x, y) = (blocks.clone().map(BlockId::x), blocks.map(BlockId::y));
    let (low_x, low_y) = (x.clone().min()?, y.clone().min()?);
    let (high_x, high_y) = (x.max()?, y.max()?);
    // The map has 255 of them each way.
    let count = |low: u8, high: u8| (high - low).saturating_add(1);
    Some((BlockId::new(low_x, low_y), count(low_x, high_x), count(low_y, high_y)))
}

/// Whether a landblock has more than the flat ground above a dungeon.
pub(crate) fn is_landscape(land: &Land) -> bool {
    !(land.terrain().is_flat_zero() && land.buildings().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_is_drawn_round_all_landblocks() {
        let round = |blocks: &[u16]| round_all(blocks.iter().map(|id| BlockId(*id)));
        assert_eq!(round(&[0xA9B4]), Some((BlockId(0xA9B4), 1, 1)));
        assert_eq!(round(&[0xA9B4, 0xA7B6, 0xA8B5]), Some((BlockId(0xA7B4), 3, 3)));
        assert_eq!(round(&[]), None);
    }

    #[test]
    fn landblocks_a_side_are_one_number_or_two() {
        assert_eq!(blocks("3"), Ok((3, 3)));
        assert_eq!(blocks("3x4"), Ok((3, 4)));
        for bad in ["0", "33", "3x", "x", "", "-1", "3x4x5"] {
            assert!(blocks(bad).is_err(), "{bad}");
        }
    }

    #[track_caller]
    fn check(block: u16, columns: u8, rows: u8, want: (u16, u8, u8)) {
        let (corner, columns, rows) = round(BlockId(block), columns, rows);
        assert_eq!((corner, columns, rows), (BlockId(want.0), want.1, want.2));
    }

    #[test]
    fn a_view_lies_round_its_landblock_and_on_the_map() {
        check(0xA9B4, 1, 1, (0xA9B4, 1, 1));
        check(0xA9B4, 3, 4, (0xA8B2, 3, 4));
        check(0x0000, 3, 3, (0x0000, 3, 3));
        check(0xFEFE, 3, 3, (0xFCFC, 3, 3));
        check(0x8080, 255, 255, (0x0000, 255, 255));
    }
}
