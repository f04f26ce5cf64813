//! The check of the ground: neighbouring landblocks must have the same heights along their edge.

use threshold_dat::{LandBlock, Records};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CELL_LENGTH, Position};
use threshold_world::{HeightTable, SIDE_VERTICES};

use super::BlockCheck;

/// An edge that a landblock shares with the next one.
struct Edge {
    /// Direction of the neighbour.
    direction: &'static str,
    neighbour: BlockId,
    /// Corner `i` of the edge, as columns and rows here and there.
    corner: fn(usize) -> [(usize, usize); 2],
}

const LAST: usize = SIDE_VERTICES - 1;

impl BlockCheck<'_> {
    /// Checks the edges in the east and north; the others are checked with the neighbours there.
    pub(super) fn check_ground(&mut self, records: &mut Records<'_>) {
        let Some(heights) = &self.check.heights else { return };
        let Ok(Some(here)) = records.get::<LandBlock>(self.block.as_cell().into()) else { return };
        let (x, y) = (self.block.x(), self.block.y());
        let east = x.checked_add(1).map(|x| Edge {
            direction: "east",
            neighbour: BlockId::new(x, y),
            corner: |i| [(LAST, i), (0, i)],
        });
        let north = y.checked_add(1).map(|y| Edge {
            direction: "north",
            neighbour: BlockId::new(x, y),
            corner: |i| [(i, LAST), (i, 0)],
        });
        for edge in [east, north].into_iter().flatten() {
            let Ok(Some(next)) = records.get::<LandBlock>(edge.neighbour.as_cell().into()) else {
                continue;
            };
            if let Some((at, message)) = edge.difference(&here, &next, heights) {
                self.findings.note(self.block.as_cell(), at, message);
            }
        }
    }
}

impl Edge {
    /// Returns the first corner where the heights differ, and a description.
    fn difference(
        &self,
        here: &LandBlock,
        next: &LandBlock,
        table: &HeightTable,
    ) -> Option<(Position, String)> {
        let height = |block: &LandBlock, (x, y): (usize, usize)| {
            LandBlock::vertex(x, y).map(|vertex| table.height(block.heights[vertex]))
        };
        let mut differences = (0..SIDE_VERTICES).filter_map(|i| {
            let [own, other] = (self.corner)(i);
            let (own_z, other_z) = (height(here, own)?, height(next, other)?);
            (own_z.to_bits() != other_z.to_bits()).then_some((own, own_z, other_z))
        });
        let ((x, y), own_z, other_z) = differences.next()?;
        let metres = |line: usize| line as f32 * CELL_LENGTH;
        let low = 1 + 8 * x.min(LAST - 1) + y.min(LAST - 1);
        let cell = here.block.cell(u16::try_from(low).unwrap_or(1));
        let message = format!(
            "the edge in the {} is {own_z} m high here and {other_z} m in {}; {} more corners differ",
            self.direction,
            self.neighbour,
            differences.count()
        );
        let at = Position::new(cell, Vec3::new(metres(x), metres(y), own_z));
        Some((at, message))
    }
}
