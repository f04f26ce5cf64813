//! Outcomes of sweeps and placements.

use smallvec::SmallVec;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Frame, Position, Rotation};
use threshold_world::{ListedCell, ObjectId};

use crate::mover::Stance;

/// Result of one attempt to occupy a position.
///
/// Retail: `TransitionState`, whose `Invalid` cannot be reached.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insert {
    /// The position is free.
    Ok,
    /// The position is taken, and there is no way around.
    Collided,
    /// The mover was moved out of an overlap; try again from there.
    Adjusted,
    /// The mover was moved along a surface; its contact plane is no longer known.
    Slid,
}

/// Cells that a mover touches, in order. Enough for a usual sweep without allocation.
pub type TouchedCells = SmallVec<[ListedCell; 12]>;

/// Objects that a mover touched. Enough for a usual sweep without allocation.
pub type TouchedObjects = SmallVec<[TouchedObject; 4]>;

/// Cells that are not resident and may contain the mover. Enough for a usual sweep without
/// allocation.
pub type NonResidentCells = SmallVec<[CellId; 4]>;

/// An object that a mover touched. Retail: an entry of `COLLISIONINFO::collide_object`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TouchedObject {
    /// The object.
    pub object: ObjectId,
    /// Whether it blocked the mover; otherwise the mover passed through it.
    pub blocking: bool,
}

/// Why a sweep did not take place, or a placement failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The start cell is not resident, or the mover is lost.
    NoCell,
    /// The move needs more than [`MAX_SUB_STEPS`](crate::MAX_SUB_STEPS) sub-steps or, where that
    /// limit does not hold, more than [`MAX_UNCAPPED_SUB_STEPS`](crate::MAX_UNCAPPED_SUB_STEPS).
    TooFar,
    /// Contact plane and sliding normal leave nothing of the move: a mover that keeps walking
    /// against a wall gets this refusal from the second sweep on. Rule `sliding_normal` decides
    /// whether the wall must still be there.
    NothingLeft,
    /// Start, end or shape contain a number that is not finite, a rotation is not of unit length,
    /// or a radius is negative.
    NotFinite,
    /// The end position or a surface there would not be finite: an obstacle is too large, too small
    /// or too far away to compute with. Retail has no such test and moves the mover there.
    EndNotFinite,
    /// There is no room at the position or, if rings were searched, around it. Retail:
    /// `NoValidPosition`, or `Collided` where the obstacles are reported.
    NoRoom,
    /// There is room, but only more than 5 cm away or in another cell. Retail: the same.
    MovedAway,
    /// The scatter allowed no tries. Retail: `GeneralFailure`.
    NoTries,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoCell => "it is in no resident cell",
            Self::TooFar => "the move is too long",
            Self::NothingLeft => "nothing is left of the move along the obstacle",
            Self::NotFinite => "a position or size is not finite",
            Self::EndNotFinite => "the end position is not finite",
            Self::NoRoom => "there is no room",
            Self::MovedAway => "there is room only more than 5 cm away or in another cell",
            Self::NoTries => "the scatter allows no tries",
        })
    }
}

/// Result of a sweep or placement. It borrows nothing, so the world may change before the commit.
///
/// Retail: what is left in a `CTransition`.
#[must_use]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// Why nothing moved; `None` if the sweep took place, blocked or not.
    pub refused: Option<Refusal>,
    /// Position of the mover. Retail: `curr_pos`.
    pub position: Position,
    /// Its cell; `None` if it is lost: no resident cell contains it. Retail: `curr_cell`.
    pub cell: Option<CellId>,
    /// Contact plane and sliding normal.
    pub stance: Stance,
    /// Normal of the surface it ran into; zero for a surface without direction. Retail:
    /// `collision_normal`.
    pub hit: Option<Vec3>,
    /// It hit walls or ground while in the air. Retail: `collided_with_environment`.
    pub hit_environment: bool,
    /// Its velocity is to be zeroed. Retail: `OBJECTINFO::stop_velocity`.
    pub velocity_stopped: bool,
    /// How many sweeps in a row it has fallen without moving, including this one, up to 3. Retail:
    /// `frames_stationary_fall`.
    pub stationary_fall: u8,
    /// The objects it touched.
    pub objects: TouchedObjects,
    /// Cells it touches at its position, in order.
    pub cells: TouchedCells,
    /// Cells that the last search looked up and that are not resident.
    pub missed: NonResidentCells,
    /// It was stopped where the resident cells end (rules `unloaded` and `interior_exit`).
    pub held_at_edge: bool,
    /// Number of sub-steps taken.
    pub sub_steps: u32,
}

impl Outcome {
    /// Returns whether the sweep took place, blocked or not.
    pub fn is_ok(&self) -> bool {
        self.refused.is_none()
    }

    /// Returns whether all fields are the same to the last bit: 0 and -0 differ, NaN equals itself.
    pub fn is_identical(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }

    /// All fields, numbers as bits. Every field is named, so that a new one is not forgotten.
    fn bits(&self) -> impl PartialEq + '_ {
        let Self {
            refused,
            position,
            cell,
            stance,
            hit,
            hit_environment,
            velocity_stopped,
            stationary_fall,
            objects,
            cells,
            missed,
            held_at_edge,
            sub_steps,
        } = self;
        let Stance {
            contact,
            on_walkable,
            plane,
            plane_cell,
            water,
            sliding,
            sliding_normal,
            stationary,
        } = stance;
        let Rotation { w, x, y, z } = position.frame.rotation;
        let vector = |v: Vec3| v.to_array().map(f32::to_bits);
        let place = (position.cell, vector(position.frame.origin), [w, x, y, z].map(f32::to_bits));
        let plane = (contact, on_walkable, vector(plane.normal), plane.d.to_bits(), plane_cell);
        let stance = (plane, water, sliding, vector(*sliding_normal), stationary);
        let met =
            (hit.map(vector), hit_environment, velocity_stopped, stationary_fall, held_at_edge);
        ((refused, place, cell, stance, met), (objects, cells, missed, sub_steps))
    }

    /// Returns whether all numbers are finite, and the position close enough for distances to be
    /// finite.
    pub(crate) fn is_finite(&self) -> bool {
        let Position { frame: Frame { origin, rotation }, .. } = &self.position;
        origin.length_squared().is_finite()
            && rotation.dot(*rotation).is_finite()
            && self.stance.is_finite()
            && self.hit.is_none_or(|normal| normal.is_finite())
    }
}
