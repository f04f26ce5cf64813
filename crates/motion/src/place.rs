//! Placement: finding room for a mover.

use std::fmt;

use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{CellId, Position, adjust_to_outside};
use threshold_world::{Cell, Object, RoomSearch, State, Water, World};

use crate::mover::{Mover, Stance};
use crate::outcome::{Outcome, Refusal};
use crate::probe::SweepProbe;
use crate::sweep::{SweepScratch, Sweeper, refused_outcome};
use crate::transition::Transition;

/// Maximum displacement in metres for a position to count as the requested one.
const SAME_PLACE_TOLERANCE: f32 = 0.05;

/// Where a placement searches for room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// Only at the requested position. Retail: Placement.
    Here,
    /// There, then on rings up to four metres around it. Retail: Placement and Slide.
    #[default]
    Around,
}

/// A random placement. Retail: Scatter and RandomScatter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scatter {
    /// Maximum number of random positions tried.
    pub tries: u32,
    /// Maximum distance from the centre, east and north, in metres.
    pub reach: Vec2,
    /// Whether the centre itself is tried first.
    pub centre_first: bool,
    /// Search at each of the positions.
    pub search: Search,
}

/// Whether a mover can stand at a position, and if not why.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum StandResult {
    /// It can stand.
    Stands {
        /// Position and cell: on the ground, and out of any walls it overlapped.
        at: Position,
        /// Contact plane.
        stance: Stance,
    },
    /// There is room, but no ground below.
    NoGround,
    /// There is room, but the ground is too steep.
    TooSteep,
    /// No resident cell contains the position.
    NoCell,
    /// The whole landblock is sea, which only missiles and cameras enter.
    Sea,
    /// There is no room.
    NoRoom(Refusal),
}

impl StandResult {
    /// Returns whether the mover can stand.
    pub fn is_ok(&self) -> bool {
        matches!(self, Self::Stands { .. })
    }
}

impl fmt::Display for StandResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stands { at, .. } => write!(f, "it stands at {at}"),
            Self::NoGround => f.write_str("no ground below"),
            Self::TooSteep => f.write_str("the ground is too steep"),
            Self::NoCell => f.write_str("no cell is there"),
            Self::Sea => f.write_str("the whole landblock is sea"),
            Self::NoRoom(refusal) => refusal.fmt(f),
        }
    }
}

impl Sweeper<'_> {
    /// Places a mover: pushes it out of walls, finds room, and looks for ground below. Its earlier
    /// stance and velocity play no part.
    ///
    /// Refused if there is no room. For [`Search::Here`], [`hit`](Outcome::hit),
    /// [`hit_environment`](Outcome::hit_environment) and [`objects`](Outcome::objects) then report
    /// the obstacles; for ring searches they stay empty, as in retail. Where no cell is resident
    /// the placement succeeds without a cell, as in retail, and its commit loses the body.
    ///
    /// Retail: `CPhysicsObj::SetPositionInternal` with a `SetPositionStruct`, and
    /// `CheckPositionInternal`.
    pub fn place<P: SweepProbe>(
        &self,
        scratch: &mut SweepScratch,
        probe: &mut P,
        mover: &Mover,
        at: &Position,
        search: Search,
    ) -> Outcome {
        scratch.begin(self.world, &self.rules);
        let finite = at.frame.origin.is_finite() && at.frame.rotation.is_valid();
        if !finite || !mover.shape.is_usable() {
            return refused_outcome(mover, at, Refusal::NotFinite);
        }
        let found = adjust_position(self.world, at, mover.shape.spheres()[0].centre);
        let found = found.and_then(|at| Some((at, self.world.cell(at.cell)?)));
        let Some((at, cell)) = found else {
            let requested = at.normalised().unwrap_or(*at);
            return Outcome {
                refused: None,
                ..refused_outcome(mover, &requested, Refusal::NoCell)
            };
        };
        self.place_in(scratch, probe, mover, &at, cell, search)
    }

    fn place_in<P: SweepProbe>(
        &self,
        scratch: &mut SweepScratch,
        probe: &mut P,
        mover: &Mover,
        at: &Position,
        cell: Cell<'_>,
        search: Search,
    ) -> Outcome {
        let mut transition = Transition::placing(self, scratch, probe, mover, at, cell);
        let found = transition.place(search == Search::Around);
        let outcome = transition.finish();
        if !outcome.is_ok() {
            return outcome;
        }
        let refusal = match found {
            Err(refusal) => refusal,
            Ok(()) if search == Search::Around || is_same(at, &outcome.position) => return outcome,
            Ok(()) => Refusal::MovedAway,
        };
        let (refused, cell) = (Some(refusal), Some(at.cell));
        Outcome { refused, position: *at, cell, stance: mover.stance, ..outcome }
    }

    /// Places a mover at a random position. `random` returns numbers from -1 to 1.
    ///
    /// Retail: `CPhysicsObj::SetScatterPositionInternal`.
    pub fn scatter<P: SweepProbe>(
        &self,
        scratch: &mut SweepScratch,
        probe: &mut P,
        mover: &Mover,
        at: &Position,
        scatter: &Scatter,
        mut random: impl FnMut() -> f32,
    ) -> Outcome {
        let mut outcome = refused_outcome(mover, at, Refusal::NoTries);
        if scatter.centre_first {
            outcome = self.place(scratch, probe, mover, at, scatter.search);
        }
        for _ in 0..scatter.tries {
            if outcome.is_ok() {
                break;
            }
            let drawn = Vec2::new(random(), random()) * scatter.reach;
            let mut at = *at;
            at.frame.origin += drawn.extend(0.0);
            outcome = self.place(scratch, probe, mover, &at, scatter.search);
        }
        outcome
    }

    /// Returns whether a mover can stand at a position: there is room, and walkable ground within
    /// its step-down height (for a mover of one sphere smaller than that height, within half its
    /// radius).
    pub fn can_stand(
        &self,
        scratch: &mut SweepScratch,
        mover: &Mover,
        at: &Position,
    ) -> StandResult {
        let outcome = self.place(scratch, &mut (), mover, at, Search::Here);
        match (outcome.refused, outcome.cell) {
            (Some(Refusal::NoRoom), _) if self.is_sea(&outcome.position) => StandResult::Sea,
            (Some(refusal), _) => StandResult::NoRoom(refusal),
            (None, None) => StandResult::NoCell,
            _ if outcome.stance.on_walkable => {
                StandResult::Stands { at: outcome.position, stance: outcome.stance }
            }
            _ if outcome.stance.contact => StandResult::TooSteep,
            _ => StandResult::NoGround,
        }
    }

    /// Returns whether a position is outdoors in a landblock that is all water.
    fn is_sea(&self, at: &Position) -> bool {
        let land = self.world.land(at.cell.block()).filter(|_| at.cell.is_outdoor());
        land.is_some_and(|land| land.terrain().block_water() == Water::Entire)
    }

    /// Returns whether a mover at a position overlaps an object that blocks it. A static mover
    /// overlaps nothing.
    ///
    /// Retail: `CPhysicsObj::check_collision`.
    pub fn overlaps(
        &self,
        scratch: &mut SweepScratch,
        mover: &Mover,
        at: &Position,
        object: &Object,
    ) -> bool {
        self.overlaps_as(scratch, mover, at, object, object.state())
    }

    /// Like [`overlaps`](Self::overlaps), with the given state in place of the object's own.
    pub(crate) fn overlaps_as(
        &self,
        scratch: &mut SweepScratch,
        mover: &Mover,
        at: &Position,
        object: &Object,
        state: State,
    ) -> bool {
        scratch.begin(self.world, &self.rules);
        let is_static = mover.state.has(State::STATIC);
        let Some(cell) = self.world.cell(at.cell).filter(|_| !is_static) else { return false };
        Transition::new(self, scratch, &mut (), mover, at, at, cell).overlaps(object, state)
    }
}

/// Retail oddity: any displacement to the west or south counts as the same position.
fn is_same(requested: &Position, found: &Position) -> bool {
    let offset = found.frame.origin - requested.frame.origin;
    offset.x < SAME_PLACE_TOLERANCE
        && offset.y < SAME_PLACE_TOLERANCE
        && requested.cell == found.cell
}

/// Returns the position with the cell that contains `point`, which is given in the object's own
/// frame. Outdoors that is the land cell below; indoors the room itself, a room visible from it, or
/// the land outside its door. `None` if none of them is resident.
///
/// Retail: `CPhysicsObj::AdjustPosition`.
pub fn adjust_position(world: &World, at: &Position, point: impl Into<Vec3>) -> Option<Position> {
    let outside = || {
        let (cell, origin) = adjust_to_outside(at.cell, at.frame.origin)?;
        Some(with_cell(at, cell, origin)).filter(|at| world.is_resident(at.cell))
    };
    if !at.cell.is_valid() {
        return None;
    }
    if at.cell.is_outdoor() {
        return outside();
    }
    let room = world.room(at.cell)?;
    let point = at.frame.to_global(point.into());
    match world.find_visible_child_cell(at.cell, point, RoomSearch::Visible) {
        Some(child) => Some(with_cell(at, child, at.frame.origin)),
        None if room.seen_outside() => outside(),
        None => None,
    }
}

fn with_cell(at: &Position, cell: CellId, origin: Vec3) -> Position {
    let mut at = Position { cell, ..*at };
    at.frame.origin = origin;
    at
}
