//! What is wrong with a world that cannot be made, and where.

use std::fmt;

use threshold_dat::{EncodeError, RecordId};
use threshold_land::{BlockId, CellId};

use crate::tool::opening::Face;

/// A world that cannot be made: the place, and what is wrong there.
#[derive(Clone, PartialEq, thiserror::Error)]
#[error("{place}{kind}")]
pub struct ForgeError {
    /// Where.
    pub place: Box<Site>,
    /// What.
    pub kind: ForgeErrorKind,
}

/// In words too: that is what a program shows whose `main` gives the error.
impl fmt::Debug for ForgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Where in a world: as much of it as is known.
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
    /// The object among those of the plan; without a plan among those of the landblock outdoors, and without
    /// a landblock among those that were made. In the order they were added.
    pub object: Option<usize>,
}

/// A building or a dungeon of a landblock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanSite {
    /// By its number among all plans of the landblock.
    Building(usize),
    /// By its number among all plans of the landblock.
    Dungeon(usize),
}

/// A room of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoomSite {
    /// Its number, in the order rooms were added.
    pub number: usize,
    /// Its name, if it has one.
    pub name: Option<String>,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ForgeErrorKind {
    /// A number that is NaN or infinite.
    #[error("a number in {0} is not finite")]
    NotFinite(&'static str),
    /// A frame whose rotation is not of unit length.
    #[error("the rotation of {0} is not of unit length")]
    BadRotation(&'static str),
    /// A place so far away that its numbers say little about it.
    #[error("{0} reaches more than 10 km from the origin")]
    TooFar(&'static str),
    /// A shape that is not convex.
    #[error("{0} is not convex")]
    NotConvex(&'static str),
    /// A shape beyond all measure.
    #[error("{0} is too large; 20 km is the most")]
    TooLarge(&'static str),
    /// A shape with next to nothing between two of its faces.
    #[error("{0} is thinner than 1 mm")]
    TooThin(&'static str),
    /// Two corners of a face in the same place.
    #[error("{0} has a doubled corner")]
    DoubledCorner(&'static str),
    /// A face with its corners in a line, or with fewer than three.
    #[error("a face of {0} has no area")]
    FaceWithoutArea(&'static str),
    /// A shape with a hole between its faces.
    #[error("the faces of {0} do not close it")]
    NotClosed(&'static str),
    /// A block that stands out of its room.
    #[error("a block reaches {0:.3} m out of the room")]
    BlockOutsideRoom(f32),
    /// A block flush with an opening: with the wall open there, nothing would be before its face.
    #[error("block {0} of the room stands in the opening")]
    BlockInOpening(usize),
    /// Blocks that take up all of their room.
    #[error("the blocks leave no free space in the room")]
    RoomFull,
    /// A room that was not added to this plan.
    #[error("there is no such room in this plan")]
    NoSuchRoom,
    /// A wall that the room does not have.
    #[error("the room has no {0}")]
    NoSuchFace(Face),
    /// An opening that is not a flat convex polygon.
    #[error("the opening is not a flat convex polygon")]
    OpeningNotConvex,
    /// An opening that is hardly there.
    #[error("{what} of the opening is {metres:.4} m; 0.01 m is the least")]
    OpeningTooSmall {
        /// Which measure.
        what: &'static str,
        /// How much it is.
        metres: f32,
    },
    /// An opening off every wall.
    #[error("the opening lies in no wall; the nearest is {0:.3} m away")]
    OpeningOffWall(f32),
    /// An opening that sticks out of its wall.
    #[error("the opening reaches {0:.3} m beyond the edge of its wall")]
    OpeningOutsideWall(f32),
    /// Two openings of one wall in the same place.
    #[error("the opening overlaps opening {other} by {depth:.3} m")]
    OpeningsOverlap {
        /// The other one.
        other: usize,
        /// By how much.
        depth: f32,
    },
    /// Two rooms whose walls do not meet where they are joined.
    #[error("the rooms do not meet in this opening: {0}")]
    JoinMismatch(Box<ForgeErrorKind>),
    /// A room joined to itself.
    #[error("a room cannot be joined to itself")]
    JoinedToItself,
    /// Two rooms in the same place.
    #[error("the rooms overlap by {0:.3} m")]
    RoomsOverlap(f32),
    /// A door or window of a dungeon.
    #[error("a dungeon has no way outdoors")]
    ExitOfDungeon,
    /// A door or window that another room stands in front of.
    #[error("the opening leads outdoors, but rooms or solids stand before {0} of it in a hundred")]
    ExitBlocked(u8),
    /// A building whose origin is not in its landblock.
    #[error("the origin of the building is not inside the landblock")]
    BuildingOutsideBlock,
    /// A room of a building beyond the land cell of its origin: only that cell knows of the building, so that
    /// walls beyond it would not be felt and doors not be found.
    #[error("the room reaches {by:.3} m out of land cell {cell}, which the building belongs to")]
    LeavesLandCell {
        /// Which cell.
        cell: CellId,
        /// How far.
        by: f32,
    },
    /// A second building in a land cell.
    #[error("land cell {cell} already has building {other}")]
    LandCellTaken {
        /// Which cell.
        cell: CellId,
        /// The plan that stands there.
        other: usize,
    },
    /// An object that was not made.
    #[error("there is no object {0}")]
    UnknownObject(RecordId),
    /// An object that is not where it was put.
    #[error("the origin of the object is {0:.3} m outside the room")]
    ObjectOutsideRoom(f32),
    /// An object outdoors whose origin is not in its landblock.
    #[error("the origin of the object is not inside the landblock")]
    ObjectOutsideBlock,
    /// A landblock that is not on the map.
    #[error("the map ends at FEFE")]
    BlockOffMap,
    /// More rooms than a landblock has numbers for.
    #[error("{0} rooms; a landblock has room for 65,278")]
    TooManyRooms(usize),
    /// More openings than a room can list.
    #[error("{0} openings; a room can have 255")]
    TooManyOpenings(usize),
    /// Solids that cut each other into more faces than any tree over them could hold.
    #[error("the solids cut each other into more than {0} faces")]
    SurfaceTooFine(usize),
    /// No ids left for a kind of record.
    #[error("more {0} than there are ids for")]
    TooMany(&'static str),
    /// A value at a corner of land cells that cannot be stored.
    #[error("{what} {value} at corner ({x}, {y}); 0 to {most} expected")]
    OutOfRange {
        /// Which value.
        what: &'static str,
        /// What it is.
        value: i32,
        /// The largest that can be stored.
        most: i32,
        /// Corners to the east.
        x: usize,
        /// Corners to the north.
        y: usize,
    },
    /// A corner that two landblocks share, at two heights.
    #[error(
        "height {height} at corner ({}, {}), but {other_height} at the same corner ({}, {}) of landblock {other}",
        corner.0, corner.1, other_corner.0, other_corner.1
    )]
    BordersDiffer {
        /// What it is here.
        height: i32,
        /// Which corner of this landblock, to the east and to the north.
        corner: (usize, usize),
        /// The other landblock.
        other: BlockId,
        /// What it is there.
        other_height: i32,
        /// Which corner of the other landblock.
        other_corner: (usize, usize),
    },
    /// An object without size.
    #[error("the size of {0} is not positive")]
    NoSize(&'static str),
    /// A record that cannot be written.
    #[error("{0}")]
    Encode(EncodeError),
}

impl ForgeErrorKind {
    /// With a place that is still to be found out.
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
    /// The known parts from the outside in, ended by a colon; nothing when nothing is known.
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
