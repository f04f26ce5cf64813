//! Reasons why a realm refuses a call.

use std::fmt;
use std::ops::RangeInclusive;

use threshold_dat::RecordId;
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Position};
use threshold_motion::{JumpRefusal, Refusal};
use threshold_view::ViewerError;
use threshold_world::{BodyId, Problem};

/// Reason why a realm refuses a call. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RealmError {
    /// A coordinate, heading, speed, size or time is not finite.
    #[error("cannot use {what} {value}: not a finite number")]
    NotFinite {
        /// What the number is.
        what: &'static str,
        /// The value, in text.
        value: String,
    },
    /// A number is too small or too large.
    #[error("cannot use {what} {value}: not from {} to {}", range.start(), range.end())]
    OutOfRange {
        /// What the number is.
        what: &'static str,
        /// The value.
        value: f64,
        /// The allowed range.
        range: RangeInclusive<f64>,
    },
    /// The time lies before the last tick.
    #[error("cannot go back in time: the last tick was at {now} s, this one is at {to} s")]
    Backwards {
        /// The time of the last tick.
        now: f64,
        /// The requested time.
        to: f64,
    },
    /// No body of the realm has this id: it never entered, or it has left.
    #[error("there is no {0} in the realm")]
    UnknownBody(BodyId),
    /// The body is a door, and doors cannot do this.
    #[error("{0} is a door, and doors only open and close")]
    IsDoor(BodyId),
    /// The door exists, but its piece of the world is not loaded.
    #[error("{0} is a door whose piece of the world is not loaded")]
    DoorNotLoaded(BodyId),
    /// The body is not a door.
    #[error("{0} is not a door")]
    NotADoor(BodyId),
    /// The setup or model of a body cannot be used.
    #[error("cannot load setup {setup}: {problem}")]
    Setup {
        /// The setup or model.
        setup: RecordId,
        /// What is wrong with it.
        problem: Problem,
    },
    /// The scale of a body is not a positive number.
    #[error("cannot use scale {0}: not a positive number")]
    Scale(f32),
    /// There is no room at the place or near it.
    #[error("cannot place a body at {at}: {why}")]
    Refused {
        /// The requested position.
        at: Position,
        /// The reason.
        why: Refusal,
    },
    /// No loaded cell contains the position.
    #[error("cannot place a body at {0}: no cell is there")]
    Nowhere(Position),
    /// The cell is not loaded, or the source has no such cell.
    #[error("cannot use {0}: the cell is not loaded")]
    NotLoaded(CellId),
    /// The source has no such cell, or its record cannot be used.
    #[error("cannot use {0}: the world has no such cell, or it cannot be read")]
    NoSuchCell(CellId),
    /// The point is not in the room.
    #[error("cannot place a body at {at}: the point is not in room {room}")]
    OutsideRoom {
        /// The room.
        room: CellId,
        /// The point, in the frame of the room's landblock.
        at: Vec3,
    },
    /// The point lies below the ground; what is there is in a room, if anywhere.
    #[error(
        "cannot place a body at {at}: it is below the ground, which is at {ground}; name the room if it is in one"
    )]
    BelowGround {
        /// The requested position.
        at: Position,
        /// Height of the ground, in metres.
        ground: f32,
    },
    /// The whole landblock is sea, where no body can stand.
    #[error("cannot place a body in landblock {0}: the whole landblock is sea")]
    Sea(BlockId),
    /// The only ground at the place is too steep to stand on.
    #[error("cannot stand at {0}: the ground is too steep")]
    TooSteep(Position),
    /// There is room at the place, but no ground within a step below.
    #[error("cannot stand at {0}: there is no ground below")]
    NoGround(Position),
    /// The body is in no cell until the cell it was in is loaded again.
    #[error("{0} is lost: it is in no loaded cell")]
    Lost(BodyId),
    /// The body cannot jump now.
    #[error("cannot jump: {0}")]
    Jump(#[from] JumpRefusal),
    /// No place near a point takes the body.
    #[error("found no place within {reach} m of {near}: {refusals}")]
    NoSpot {
        /// The point.
        near: Position,
        /// The largest distance tried, in metres.
        reach: f32,
        /// Why each place was refused.
        refusals: SpotRefusals,
    },
    /// The viewer has no direction, or a number is not finite.
    #[error("cannot look: {0}")]
    Viewer(#[from] ViewerError),
}

/// How many of the places near a point were refused, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpotRefusals {
    /// Hidden from the point.
    pub hidden: u32,
    /// In a wall, or in another object.
    pub no_room: u32,
    /// Without walkable ground within reach.
    pub no_ground: u32,
    /// In land that is not loaded.
    pub not_loaded: u32,
}

impl fmt::Display for SpotRefusals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { hidden, no_room, no_ground, not_loaded } = *self;
        let total = hidden + no_room + no_ground + not_loaded;
        write!(f, "of {total} places tried")?;
        let counts = [
            (hidden, "are hidden by a wall or object"),
            (no_room, "have no room for its size"),
            (no_ground, "have no walkable ground"),
            (not_loaded, "are not loaded"),
        ];
        for (count, reason) in counts.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, ", {count} {reason}")?;
        }
        Ok(())
    }
}
