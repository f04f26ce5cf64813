//! Where there is room.

use threshold_land::glam::{Vec2, Vec3};
use threshold_land::{CellId, Position, adjust_to_outside};
use threshold_world::{Cell, Object, RoomSearch, State, World};

use crate::mover::{Mover, Stance};
use crate::outcome::{Outcome, Refusal};
use crate::probe::SweepProbe;
use crate::sweep::{SweepScratch, Sweeper, refused};
use crate::transition::Transition;

/// How far a place may be pushed for it to be the one that was asked for, in metres.
const SAME_PLACE_TOLERANCE: f32 = 0.05;

/// Where room is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// Here and nowhere else. Retail: Placement.
    Here,
    /// Here, or else on rings up to four metres round it. Retail: Placement and Slide.
    #[default]
    Around,
}

/// Places drawn by chance. Retail: Scatter and RandomScatter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scatter {
    /// How many are tried.
    pub tries: u32,
    /// How far they are from the middle at most, east and north, in metres.
    pub reach: Vec2,
    /// Whether the middle itself is tried first.
    pub middle_first: bool,
    /// Where room is looked for at each of them.
    pub search: Search,
}

/// Whether somebody can stand somewhere, and if not why.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum StandResult {
    /// It stands.
    Stands {
        /// Where, with its cell: on the ground, and out of the walls it touched.
        at: Position,
        /// On what.
        stance: Stance,
    },
    /// There is room, but nothing to stand on.
    NoGround,
    /// There is room, but the ground is too steep.
    TooSteep,
    /// There is no resident cell.
    NoCell,
    /// There is no room.
    NoRoom(Refusal),
}

impl StandResult {
    /// Whether it stands.
    pub fn is_ok(&self) -> bool {
        matches!(self, Self::Stands { .. })
    }
}

impl Sweeper<'_> {
    /// Where a mover would be if it were put at a place: out of the walls it touches there, where nothing is in
    /// its way, on the ground if there is any below. How it stood and moved before plays no part.
    ///
    /// Refused where there is no room: if only here was looked, [`hit`](Outcome::hit),
    /// [`environment`](Outcome::environment) and [`objects`](Outcome::objects) then say what was in the way; of places on
    /// rings nothing is kept, as in retail. Where no cell is resident it is
    /// accepted and without a cell, as in retail: its commit loses it.
    ///
    /// Retail: `CPhysicsObj::SetPositionInternal` with a `SetPositionStruct`, and `CheckPositionInternal`.
    pub fn place<P: SweepProbe>(
        &self,
        scratch: &mut SweepScratch,
        probe: &mut P,
        mover: &Mover,
        at: &Position,
        search: Search,
    ) -> Outcome {
        scratch.begin(self.world, &self.rules);
        let usable = at.frame.origin.is_finite() && at.frame.rotation.is_valid();
        if !usable || !mover.shape.is_usable() {
            return refused(mover, at, Refusal::NotFinite);
        }
        let found = adjust_position(self.world, at, mover.shape.spheres()[0].centre);
        let found = found.and_then(|at| Some((at, self.world.cell(at.cell)?)));
        let Some((at, cell)) = found else {
            let nowhere = at.normalised().unwrap_or(*at);
            return Outcome { refused: None, ..refused(mover, &nowhere, Refusal::NoCell) };
        };
        self.place_in(scratch, probe, mover, (&at, cell), search)
    }

    fn place_in<P: SweepProbe>(
        &self,
        scratch: &mut SweepScratch,
        probe: &mut P,
        mover: &Mover,
        (at, cell): (&Position, Cell<'_>),
        search: Search,
    ) -> Outcome {
        let mut transition = Transition::placing(self, (scratch, probe), mover, at, cell);
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

    /// Puts a mover at a place drawn by chance. `random` gives numbers from -1 to 1.
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
        let mut outcome = refused(mover, at, Refusal::NoTries);
        if scatter.middle_first {
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

    /// Whether a mover can stand at a place: there is room for it, and ground right below that it can walk on (within the
    /// height it steps down; for a mover of one sphere that is smaller than that, within half its radius).
    pub fn can_stand(
        &self,
        scratch: &mut SweepScratch,
        mover: &Mover,
        at: &Position,
    ) -> StandResult {
        let outcome = self.place(scratch, &mut (), mover, at, Search::Here);
        match (outcome.refused, outcome.cell) {
            (Some(refusal), _) => StandResult::NoRoom(refusal),
            (None, None) => StandResult::NoCell,
            _ if outcome.stance.on_walkable => {
                StandResult::Stands { at: outcome.position, stance: outcome.stance }
            }
            _ if outcome.stance.contact => StandResult::TooSteep,
            _ => StandResult::NoGround,
        }
    }

    /// Whether a mover at a position overlaps an object that is in its way. What never moves overlaps nothing.
    ///
    /// Retail: `CPhysicsObj::check_collision`.
    pub fn overlaps(
        &self,
        scratch: &mut SweepScratch,
        mover: &Mover,
        at: &Position,
        object: &Object,
    ) -> bool {
        self.overlaps_as(scratch, mover, at, (object, object.state()))
    }

    /// The same as if the object had this state.
    pub(crate) fn overlaps_as(
        &self,
        scratch: &mut SweepScratch,
        mover: &Mover,
        at: &Position,
        (object, state): (&Object, State),
    ) -> bool {
        scratch.begin(self.world, &self.rules);
        let fixed = mover.state.has(State::STATIC);
        let Some(cell) = self.world.cell(at.cell).filter(|_| !fixed) else { return false };
        let mut nobody = ();
        Transition::new(self, (scratch, &mut nobody), mover, (at, at), cell).overlaps(object, state)
    }
}

/// Retail oddity: however far to the west or south counts as the same place.
fn is_same(asked: &Position, found: &Position) -> bool {
    let off = found.frame.origin - asked.frame.origin;
    off.x < SAME_PLACE_TOLERANCE && off.y < SAME_PLACE_TOLERANCE && asked.cell == found.cell
}

/// The position with the cell that really contains a point of what stands there: outdoors the land cell below, indoors
/// the room, or one that it sees, or the land in front of its door. `None` where none of them is resident.
///
/// Retail: `CPhysicsObj::AdjustPosition`.
pub fn adjust_position(world: &World, at: &Position, point: Vec3) -> Option<Position> {
    let outside = || {
        let (cell, origin) = adjust_to_outside(at.cell, at.frame.origin)?;
        Some(moved(at, cell, origin)).filter(|at| world.is_resident(at.cell))
    };
    if !at.cell.is_valid() {
        return None;
    }
    if at.cell.is_outdoor() {
        return outside();
    }
    let room = world.room(at.cell)?;
    let point = at.frame.to_global(point);
    match world.find_visible_child_cell(at.cell, point, RoomSearch::Visible) {
        Some(child) => Some(moved(at, child, at.frame.origin)),
        None if room.seen_outside() => outside(),
        None => None,
    }
}

fn moved(at: &Position, cell: CellId, origin: Vec3) -> Position {
    let mut at = Position { cell, ..*at };
    at.frame.origin = origin;
    at
}
