//! Places and worlds without a map.

use threshold_land::{BlockId, CellId, Place};

use crate::text::thousands;

/// The reason why there is no map.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// The place is off the map, or its rotation is not of unit length.
    #[error("{0}: not a place on the map")]
    OffMap(Place),
    /// The landblock is empty, or all of it is damaged.
    #[error("landblock {block} has neither land nor rooms{}", if *.damaged { " that can be used" } else { "" })]
    EmptyBlock {
        /// The landblock.
        block: BlockId,
        /// Whether pieces were left out.
        damaged: bool,
    },
    /// The world has nothing to draw.
    #[error("this world has neither land nor rooms")]
    EmptyWorld,
    /// The world has more landblocks than a map can show.
    #[error("this world has {} landblocks; name a place", thousands(*.0))]
    TooManyBlocks(usize),
    /// The landblocks of the world lie too far apart for one map.
    #[error("the land of this world is {columns} x {rows} landblocks large; name a place")]
    TooLarge {
        /// Landblocks from west to east.
        columns: u8,
        /// Landblocks from south to north.
        rows: u8,
    },
    /// [`MapOptions::blocks`](crate::MapOptions::blocks) was given for a room.
    #[error("{0} is a room, which is drawn as a floor plan")]
    BlocksOfRoom(CellId),
    /// [`MapOptions::level`](crate::MapOptions::level) was given for a landscape.
    #[error("{0} is drawn as a landscape, which has no levels")]
    LevelOfLandscape(String),
    /// The room does not exist, or is damaged.
    #[error("room {room} {}", if *.damaged { "cannot be used" } else { "is not there" })]
    NoRoom {
        /// The room.
        room: CellId,
        /// Whether pieces were left out.
        damaged: bool,
    },
    /// No landblock of the section has land.
    #[error("{0}: there is no land")]
    NoLand(String),
    /// None of the rooms has a shape.
    #[error("{0}: no room can be drawn")]
    NoPlan(String),
}
