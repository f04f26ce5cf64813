//! What a sweep says.

use smallvec::SmallVec;
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Frame, Position};
use threshold_world::{ListedCell, ObjectId};

use crate::mover::Stance;

/// How one attempt to occupy a place ended.
///
/// Retail: `TransitionState`, whose `Invalid` cannot be reached.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insert {
    /// The place is free.
    Ok,
    /// The place is taken and there is no way around.
    Collided,
    /// The mover was moved out; try again from where it is.
    Adjusted,
    /// The mover was moved along a surface; the ground it stood on is no longer known.
    Slid,
}

/// The cells that a mover touches, in order. Those of a usual move are kept in place.
pub type TouchedCells = SmallVec<[ListedCell; 12]>;

/// The objects that a mover touched. Those of a usual move are kept in place.
pub type TouchedObjects = SmallVec<[TouchedObject; 4]>;

/// TouchedCells that are not resident and might matter. Those of a usual move are kept in place.
pub type NonResidentCells = SmallVec<[CellId; 4]>;

/// An object that a mover touched. Retail: an entry of `COLLISIONINFO::collide_object`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TouchedObject {
    /// The object.
    pub object: ObjectId,
    /// Whether it was in the way; what is passed through is only noticed.
    pub in_the_way: bool,
}

/// Why a sweep moved nothing, or nothing was put where it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The cell it starts from is not resident, or the mover is lost.
    NoCell,
    /// It would take more than [`MAX_SUB_STEPS`](crate::MAX_SUB_STEPS) sub-steps; where these do not hold, more than
    /// [`MAX_UNCAPPED_SUB_STEPS`](crate::MAX_UNCAPPED_SUB_STEPS).
    TooFar,
    /// Nothing is left of it along the ground and what was run into before: who walks on against a wall gets this
    /// answer from the second time on. Rule `sliding_normal` says whether the wall must still be there for it.
    NothingLeft,
    /// Where it begins or ends, or the mover's shape, is not made of numbers, a rotation is not of unit length, or a radius is
    /// negative.
    NotFinite,
    /// It would end at a place or on a surface that is not finite: something in its way is too large, too small or too
    /// far away to reckon with. Retail has no such test, and moves the mover there.
    EndNotFinite,
    /// There is no room where it should be put, nor round it if that was asked for. Retail: `NoValidPosition` and,
    /// where what is in the way is reported, `Collided`.
    NoRoom,
    /// It would fit, but not here: pushed aside by more than 5 cm, or into another cell. Retail: the same.
    MovedAway,
    /// No place was to be tried. Retail: `GeneralFailure`.
    NoTries,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoCell => "it is in no resident cell",
            Self::TooFar => "it is too far",
            Self::NothingLeft => "nothing is left of the move along what is in the way",
            Self::NotFinite => "a place or a size is not a number",
            Self::EndNotFinite => "its end is not a finite place",
            Self::NoRoom => "there is no room",
            Self::MovedAway => "there is room only beside it",
            Self::NoTries => "no place was to be tried",
        })
    }
}

/// What a sweep says. It owns what it says: the world may change before it is committed.
///
/// Retail: what is left in a `CTransition`.
#[must_use]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// Why nothing moved; `None` where the sweep took place, blocked or not.
    pub refused: Option<Refusal>,
    /// Where the mover is. Retail: `curr_pos`.
    pub position: Position,
    /// Its cell; `None` where no resident cell contains it: it is lost. Retail: `curr_cell`.
    pub cell: Option<CellId>,
    /// What it stands on and slides along.
    pub stance: Stance,
    /// The normal of what it ran into; zero where that has none. Retail: `collision_normal`.
    pub hit: Option<Vec3>,
    /// It ran into walls or ground in the air. Retail: `collided_with_environment`.
    pub environment: bool,
    /// It has been brought to rest on the way. Retail: `OBJECTINFO::stop_velocity`.
    pub velocity_stopped: bool,
    /// For how many sweeps it has been falling without moving, this one included, up to 3. Retail:
    /// `frames_stationary_fall`.
    pub stationary_fall: u8,
    /// The objects it touched.
    pub objects: TouchedObjects,
    /// The cells it touches where it is, in order.
    pub cells: TouchedCells,
    /// TouchedCells that the last search asked for and that are not resident.
    pub missed: NonResidentCells,
    /// It was held where the resident cells end (rules `unloaded` and `interior_exit`).
    pub held_at_edge: bool,
    /// Sub-steps taken.
    pub sub_steps: u32,
}

impl Outcome {
    /// Whether the sweep took place; a blocked one did.
    pub fn is_ok(&self) -> bool {
        self.refused.is_none()
    }

    /// Whether every number of it is finite, and its place not so far away that a distance would not be.
    pub(crate) fn is_finite(&self) -> bool {
        let Position { frame: Frame { origin, rotation }, .. } = &self.position;
        origin.length_squared().is_finite()
            && rotation.dot(*rotation).is_finite()
            && self.stance.is_finite()
            && self.hit.is_none_or(|normal| normal.is_finite())
    }
}
