//! Errors of worlds that cannot be made.

use std::fmt;

use threshold_dat::{EncodeError, RecordId};
use threshold_land::{BlockId, CellId};

use crate::tool::opening::Face;

/// An error of a world that cannot be made: its location and its kind.
#[derive(Clone, PartialEq, thiserror::Error)]
#[error("{place}{kind}")]
pub struct ForgeError {
    /// The location.
    pub place: Box<Site>,
    /// The kind.
    pub kind: ForgeErrorKind,
}

/// Prints the message, because a `main` that returns the error shows its `Debug` form.
impl fmt::Debug for ForgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Location in a world, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// The landblock.
    pub block: Option<BlockId>,
    /// The plan among those of the landblock, in the order they were added.
    pub plan: Option<PlanSite>,
    /// The room.
    pub room: Option<RoomSite>,
    /// A second plan of the landblock, if the second room belongs to another one.
    pub other_plan: Option<PlanSite>,
    /// A second room.
    pub other_room: Option<RoomSite>,
    /// The opening among those of the plan, in the order they were added.
    pub opening: Option<usize>,
    /// The object: its index within the plan; without a plan, within the landblock; without a landblock,
    /// among all objects of the forge.
    pub object: Option<usize>,
}

/// A building or a dungeon of a landblock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanSite {
    /// Its index among all plans of the landblock.
    Building(usize),
    /// Its index among all plans of the landblock.
    Dungeon(usize),
}

/// A room of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoomSite {
    /// Its index, in the order rooms were added.
    pub number: usize,
    /// Its name, if it has one.
    pub name: Option<String>,
}

/// The kinds of [`ForgeError`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ForgeErrorKind {
    /// A number that is NaN or infinite.
    #[error("a number in {0} is not finite")]
    NotFinite(&'static str),
    /// A frame with a rotation that is not of unit length.
    #[error("the rotation of {0} is not of unit length")]
    BadRotation(&'static str),
    /// A position too far from the origin for single precision.
    #[error("{0} reaches more than 10 km from the origin")]
    TooFar(&'static str),
    /// A shape that is not convex.
    #[error("{0} is not convex")]
    NotConvex(&'static str),
    /// A shape beyond the largest size.
    #[error("{0} is larger than 20 km")]
    TooLarge(&'static str),
    /// A shape with hardly any space between two of its faces.
    #[error("{0} is thinner than 1 mm")]
    TooThin(&'static str),
    /// Two corners of a face in the same place.
    #[error("{0} has a doubled corner")]
    DoubledCorner(&'static str),
    /// A face with fewer than three corners, or with all corners in a line.
    #[error("a face of {0} has no area")]
    FaceWithoutArea(&'static str),
    /// A shape with a hole between its faces.
    #[error("the faces of {0} do not close it")]
    NotClosed(&'static str),
    /// A block that reaches out of its room.
    #[error("a block reaches {0:.3} m out of the room")]
    BlockOutsideRoom(f32),
    /// A block flush with an opening: the wall is open there, so the block's face would have nothing before it.
    #[error("block {0} of the room stands in the opening")]
    BlockInOpening(usize),
    /// Blocks that fill their room.
    #[error("the blocks leave no free space in the room")]
    RoomFull,
    /// A room that was not added to this plan.
    #[error("the plan does not contain this room")]
    NoSuchRoom,
    /// A wall that the room does not have.
    #[error("the room has no {0}")]
    NoSuchFace(Face),
    /// An opening that is not a flat convex polygon.
    #[error("the opening is not a flat convex polygon")]
    OpeningNotConvex,
    /// An opening too small to use.
    #[error("{what} of the opening is {metres:.4} m; the minimum is 0.01 m")]
    OpeningTooSmall {
        /// The measure: a side or the width.
        what: &'static str,
        /// Its value.
        metres: f32,
    },
    /// An opening outside of every wall.
    #[error("the opening lies in no wall; the nearest is {0:.3} m away")]
    OpeningOffWall(f32),
    /// An opening that reaches beyond its wall.
    #[error("the opening reaches {0:.3} m beyond the edge of its wall")]
    OpeningOutsideWall(f32),
    /// Two openings of one wall that overlap.
    #[error("the opening overlaps opening {other} by {depth:.3} m")]
    OpeningsOverlap {
        /// The other opening.
        other: usize,
        /// Depth of the overlap.
        depth: f32,
    },
    /// Two rooms with walls that do not meet where they are joined.
    #[error("the rooms do not meet in this opening: {0}")]
    JoinMismatch(Box<ForgeErrorKind>),
    /// A room joined to itself.
    #[error("a room cannot be joined to itself")]
    JoinedToItself,
    /// Two rooms that overlap.
    #[error("the rooms overlap by {0:.3} m")]
    RoomsOverlap(f32),
    /// A door or window of a dungeon.
    #[error("a dungeon cannot have exits or windows")]
    ExitOfDungeon,
    /// A door or window blocked by another room.
    #[error("the opening leads outdoors, but rooms or solids block {0} % of it")]
    ExitBlocked(u8),
    /// A building with an origin outside its landblock.
    #[error("the origin of the building is not inside the landblock")]
    BuildingOutsideBlock,
    /// A room of a building that leaves the land cell of its origin: only that cell knows of the building, so
    /// a mover would pass through walls beyond it and miss its doors.
    #[error("the room reaches {by:.3} m out of land cell {cell}, which the building belongs to")]
    LeavesLandCell {
        /// The land cell.
        cell: CellId,
        /// Distance beyond the cell.
        by: f32,
    },
    /// A second building in a land cell.
    #[error("land cell {cell} already has building {other}")]
    LandCellTaken {
        /// The land cell.
        cell: CellId,
        /// The plan that already has the cell.
        other: usize,
    },
    /// An object id that the forge did not create.
    #[error("object {0} was not made by this forge")]
    UnknownObject(RecordId),
    /// An object outside of its room.
    #[error("the origin of the object is {0:.3} m outside the room")]
    ObjectOutsideRoom(f32),
    /// An object outdoors with an origin outside its landblock.
    #[error("the origin of the object is not inside the landblock")]
    ObjectOutsideBlock,
    /// A landblock that is not on the map.
    #[error("the landblock is off the map, which ends at FEFE")]
    BlockOffMap,
    /// More rooms than a landblock can number.
    #[error("{0} rooms; the maximum in a landblock is 65,278")]
    TooManyRooms(usize),
    /// More openings than a room can hold.
    #[error("{0} openings; the maximum in a room is 255")]
    TooManyOpenings(usize),
    /// Solids that cut each other into more faces than a tree can hold.
    #[error("the solids cut each other into more than {0} faces")]
    SurfaceTooFine(usize),
    /// No ids left for a kind of record.
    #[error("too many {0}: no ids are left")]
    TooMany(&'static str),
    /// A value at a land cell corner that cannot be stored.
    #[error("{what} {value} at corner ({x}, {y}); 0 to {max} expected")]
    OutOfRange {
        /// Name of the value.
        what: &'static str,
        /// The value.
        value: i32,
        /// The largest that can be stored.
        max: i32,
        /// Index of the corner to the east.
        x: usize,
        /// Index of the corner to the north.
        y: usize,
    },
    /// A corner with different heights in two landblocks.
    #[error(
        "height {height} at corner ({}, {}), but {other_height} at the same corner ({}, {}) of landblock {other}",
        corner.0, corner.1, other_corner.0, other_corner.1
    )]
    BordersDiffer {
        /// The height in this landblock.
        height: i32,
        /// The corner of this landblock, to the east and to the north.
        corner: (usize, usize),
        /// The other landblock.
        other: BlockId,
        /// The height in the other landblock.
        other_height: i32,
        /// The corner of the other landblock.
        other_corner: (usize, usize),
    },
    /// An object with no extent.
    #[error("the size of {0} is not positive")]
    NoSize(&'static str),
    /// A record that cannot be written.
    #[error("{0}")]
    Encode(EncodeError),
}

impl ForgeErrorKind {
    /// An error without a location yet.
    pub(crate) fn here(self) -> ForgeError {
        ForgeError { place: Box::default(), kind: self }
    }
}

impl From<EncodeError> for ForgeError {
    fn from(error: EncodeError) -> Self {
        ForgeErrorKind::Encode(error).here()
    }
}

impl From<ForgeErrorKind> for ForgeError {
    fn from(kind: ForgeErrorKind) -> Self {
        kind.here()
    }
}

impl ForgeError {
    pub(crate) fn in_block(mut self, block: BlockId) -> Self {
        self.place.block.get_or_insert(block);
        self
    }

    pub(crate) fn in_plan(mut self, plan: PlanSite) -> Self {
        self.place.plan.get_or_insert(plan);
        self
    }

    pub(crate) fn in_room(mut self, room: RoomSite) -> Self {
        self.place.room.get_or_insert(room);
        self
    }

    pub(crate) fn and_plan(mut self, plan: PlanSite) -> Self {
        self.place.other_plan.get_or_insert(plan);
        self
    }

    pub(crate) fn and_room(mut self, room: RoomSite) -> Self {
        self.place.other_room.get_or_insert(room);
        self
    }

    pub(crate) fn in_opening(mut self, opening: usize) -> Self {
        self.place.opening.get_or_insert(opening);
        self
    }

    pub(crate) fn in_object(mut self, object: usize) -> Self {
        self.place.object.get_or_insert(object);
        self
    }
}

impl fmt::Display for PlanSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Building(number) => write!(f, "building {number}"),
            Self::Dungeon(number) => write!(f, "dungeon {number}"),
        }
    }
}

impl fmt::Display for RoomSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "room {} \"{name}\"", self.number),
            None => write!(f, "room {}", self.number),
        }
    }
}

impl fmt::Display for Site {
    /// Prints the known parts from the outside in, with a final colon; prints nothing if none is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.block.map(|block| format!("landblock {block}")));
        parts.extend(self.plan.map(|plan| plan.to_string()));
        let other_plan = self.other_plan.map(|plan| format!("{plan}, ")).unwrap_or_default();
        parts.extend(match (&self.room, &self.other_room) {
            (Some(room), Some(other)) => Some(format!("{room} and {other_plan}{other}")),
            (room, other) => room.as_ref().or(other.as_ref()).map(ToString::to_string),
        });
        parts.extend(self.opening.map(|opening| format!("opening {opening}")));
        parts.extend(self.object.map(|object| format!("object {object}")));
        if parts.is_empty() { Ok(()) } else { write!(f, "{}: ", parts.join(", ")) }
    }
}
