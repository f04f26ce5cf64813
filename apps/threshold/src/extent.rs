//! The option `--blocks`, and positions outdoors.

use anyhow::Context;
use threshold_land::{Place, Position};
use threshold_map::extent::MAX_BLOCKS;

/// Reads columns and rows of landblocks, one number or two.
pub(crate) fn blocks(text: &str) -> Result<(u8, u8), String> {
    let number = |text: &str| text.parse().ok().filter(|n| (1..=MAX_BLOCKS).contains(n));
    let (columns, rows) = text.split_once(['x', 'X']).unwrap_or((text, text));
    let both = number(columns).zip(number(rows));
    both.ok_or_else(|| format!("write 3 or 3x4, from 1 to {MAX_BLOCKS} landblocks a side"))
}

/// Returns an outdoor position in the frame of its own landblock.
pub(crate) fn outdoors(position: &Position, place: &Place) -> anyhow::Result<Position> {
    position.normalised().with_context(|| format!("{place}: not a place on the map"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn landblocks_are_one_number_or_two() {
        assert_eq!(blocks("3"), Ok((3, 3)));
        assert_eq!(blocks("3x4"), Ok((3, 4)));
        for bad in ["0", "33", "3x", "x", "", "-1", "3x4x5"] {
            assert!(blocks(bad).is_err(), "{bad}");
        }
    }
}
