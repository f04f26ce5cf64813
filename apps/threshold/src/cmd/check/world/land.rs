//! The check of the ground: neighbouring landblocks must agree about the edge they share.

use threshold_dat::{LandBlock, Records};
use threshold_land::glam::Vec3;
use threshold_land::{BlockId, CELL_LENGTH, CellId};
use threshold_world::{HeightTable, SIDE_VERTICES};

use super::Site;

/// An edge that a landblock shares with the next one.
struct Edge {
    what: &'static str,
    neighbour: BlockId,
    /// Corner `i` of the edge, as columns and rows here and there.
    corner: fn(usize) -> [(usize, usize); 2],
}

const LAST: usize = SIDE_VERTICES - 1;

impl Site<'_> {
    /// Looks east and north; the neighbours in the west and south look here.
    pub(super) fn check_ground(&mut self, records: &mut Records<'_>) {
        let Some(heights) = &self.check.heights else { return };
        let Ok(Some(own)) = records.get::<LandBlock>(self.block.as_cell().into()) else { return };
        let (x, y) = (self.block.x(), self.block.y());
        let east = x.checked_add(1).map(|x| Edge {
            what: "east",
            neighbour: BlockId::new(x, y),
            corner: |i| [(LAST, i), (0, i)],
        });
        let north = y.checked_add(1).map(|y| Edge {
            what: "north",
            neighbour: BlockId::new(x, y),
            corner: |i| [(i, LAST), (i, 0)],
        });
        for edge in [east, north].into_iter().flatten() {
            let Ok(Some(next)) = records.get::<LandBlock>(edge.neighbour.as_cell().into()) else {
                continue;
            };
            if let Some((at, message)) = edge.difference(&own, &next, heights) {
                self.found.note(self.block.as_cell(), at, message);
            }
        }
    }
}

impl Edge {
    /// Where the heights first differ, and how.
    fn difference(
        &self,
        own: &LandBlock,
        next: &LandBlock,
        table: &HeightTable,
    ) -> Option<((CellId, Vec3), String)> {
        let height = |block: &LandBlock, (x, y): (usize, usize)| {
            LandBlock::vertex(x, y).map(|vertex| table.height(block.heights[vertex]))
        };
        let mut differences = (0..SIDE_VERTICES).filter_map(|i| {
            let [here, there] = (self.corner)(i);
            let (here_z, there_z) = (height(own, here)?, height(next, there)?);
            (here_z.to_bits() != there_z.to_bits()).then_some((here, here_z, there_z))
        });
        let ((x, y), here, there) = differences.next()?;
        let metres = |line: usize| line as f32 * CELL_LENGTH;
        let low = 1 + 8 * x.min(LAST - 1) + y.min(LAST - 1);
        let cell = own.block.cell(u16::try_from(low).unwrap_or(1));
        let message = format!(
            "the edge in the {} is {here} m high here and {there} m in {}; {} more corners differ",
            self.what,
            self.neighbour,
            differences.count()
        );
        Some(((cell, Vec3::new(metres(x), metres(y), here)), message))
    }
}
