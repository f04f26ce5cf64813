//! Look-up of the cells of a walk without hashing: by landblock and number. Stamps void the entries of earlier walks.

use threshold_land::{BlockId, CellId};

use crate::walk::Slot;

/// The low word of the first room of a landblock.
const FIRST_ROOM: u16 = 0x0100;

/// Index of the table of a landblock.
pub(crate) type Table = usize;

#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    blocks: Vec<BlockTable>,
    /// Number of views so far.
    view: u64,
    /// Number of walks so far, of all views.
    walk: u64,
}

#[derive(Clone, Debug)]
struct BlockTable {
    block: BlockId,
    /// The last view that used the table.
    view: u64,
    /// By the low word of the id, from 0x0100 on.
    cells: Vec<CellStamp>,
}

/// Stamps and slot of a cell.
#[derive(Clone, Copy, Debug, Default)]
struct CellStamp {
    /// The view that the slot belongs to.
    view: u64,
    /// The last walk that may enter it.
    walk: u64,
    slot: u32,
}

impl Tables {
    pub(crate) fn begin_view(&mut self) {
        self.view += 1;
    }

    pub(crate) fn begin_walk(&mut self) -> u64 {
        self.walk += 1;
        self.walk
    }

    /// Returns the table of a landblock: its own, one that this view does not use yet, or a new one.
    pub(crate) fn find(&mut self, block: BlockId) -> Table {
        let own = self.blocks.iter().position(|table| table.block == block);
        let unused = || self.blocks.iter().position(|table| table.view != self.view);
        let index = own.or_else(unused).unwrap_or(self.blocks.len());
        if index == self.blocks.len() {
            self.blocks.push(BlockTable { block, view: 0, cells: Vec::new() });
        }
        let table = &mut self.blocks[index];
        // Stamps of the landblock that had the table before are of earlier views and walks, so they are void.
        (table.block, table.view) = (block, self.view);
        index
    }

    fn stamp(&mut self, table: Table, cell: CellId) -> Option<&mut CellStamp> {
        let index = usize::from(cell.low().checked_sub(FIRST_ROOM)?);
        let cells = &mut self.blocks[table].cells;
        if cells.len() <= index {
            cells.resize(index + 1, CellStamp::default());
        }
        Some(&mut cells[index])
    }

    /// Marks the cells that a walk may enter, and returns the number of rooms among them, each counted once.
    pub(crate) fn mark<'a>(
        &mut self,
        table: Table,
        cells: impl Iterator<Item = &'a CellId>,
        walk: u64,
    ) -> usize {
        let known = &mut self.blocks[table].cells;
        let mut count = 0;
        for cell in cells {
            let Some(index) = cell.low().checked_sub(FIRST_ROOM).map(usize::from) else { continue };
            if known.len() <= index {
                known.resize(index + 1, CellStamp::default());
            }
            count += usize::from(std::mem::replace(&mut known[index].walk, walk) != walk);
        }
        count
    }

    pub(crate) fn is_marked(&self, table: Table, cell: CellId, walk: u64) -> bool {
        let index = cell.low().checked_sub(FIRST_ROOM).map(usize::from);
        let known = index.and_then(|index| self.blocks[table].cells.get(index));
        known.is_some_and(|known| known.walk == walk)
    }

    /// Returns the slot of a room, a new one if it has none in this view.
    pub(crate) fn slot(&mut self, table: Table, cell: CellId, slots: &mut Vec<Slot>) -> u32 {
        let view = self.view;
        #[allow(clippy::cast_possible_truncation, reason = "there are not that many rooms")]
        let next = slots.len() as u32;
        // Only rooms have a slot, and every room fits the table.
        let Some(known) = self.stamp(table, cell) else { return next };
        if known.view != view {
            (known.view, known.slot) = (view, next);
            slots.push(Slot::new(cell));
        }
        known.slot
    }
}
