//! Ids of the pieces in which the world is loaded.

use std::fmt;

use threshold_land::{BlockId, CellId, CellKind};

/// The id of a piece of the world, which is loaded and dropped as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PieceId {
    /// The ground of a landblock, with its buildings, objects and scenery.
    Land(BlockId),
    /// A room of a building or a dungeon, with its objects.
    Room(CellId),
}

impl PieceId {
    /// Returns the piece that a cell is part of.
    pub fn from_cell(cell: CellId) -> Self {
        if cell.is_outdoor() { Self::Land(cell.block()) } else { Self::Room(cell) }
    }

    /// Returns its landblock.
    pub fn block(self) -> BlockId {
        match self {
            Self::Land(block) => block,
            Self::Room(cell) => cell.block(),
        }
    }

    /// Returns whether the id is that of a place on the map.
    pub fn is_on_map(self) -> bool {
        match self {
            Self::Land(block) => block.in_bounds(),
            Self::Room(cell) => cell.kind() == Some(CellKind::Env) && cell.is_valid(),
        }
    }
}

impl fmt::Display for PieceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Land(block) => write!(f, "landblock {block}"),
            Self::Room(cell) => write!(f, "room {cell}"),
        }
    }
}
