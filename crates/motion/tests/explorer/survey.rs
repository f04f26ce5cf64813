//! Survey of a world: walks from each reached place to all places around it and through all lanes beside it, until nothing new
//! is found. The result is a map of places and the links between them, each of which was walked.

use std::collections::{BTreeMap, BTreeSet};

use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{CellId, Position, adjust_to_outside};

use super::lane::{Lane, Lanes};
use super::{Explorer, StandingState, WalkResult};

/// Pitch of the grid of places, in metres: in rooms, around doors, and elsewhere on the land.
const PITCH_INDOORS: f32 = 0.6;
const PITCH_AT_DOORS: f32 = 1.5;
const PITCH_OUTDOORS: f32 = 6.0;
/// Radius around a door with the pitch of doors, in metres.
const DOOR_RADIUS: f32 = 9.0;
/// Greatest distance from the start of a lane at which it is tried, in metres.
const MAX_LANE_DISTANCE: f32 = 2.0;
/// Greatest difference in height from the start of a lane, in metres.
const MAX_LANE_HEIGHT: f32 = 2.0;
/// Length of a leap, in metres.
const LEAP_LENGTH: f32 = 1.4;
/// Difference in height of places above one another, in metres: on a table is another place than beside it.
const STOREY: f32 = 0.6;

/// A place that was reached on foot.
pub(crate) struct Place {
    pub(crate) state: StandingState,
    pub(crate) links: Vec<Link>,
}

/// A link to another place that was walked.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) to: usize,
    pub(crate) kind: LinkKind,
}

/// Kind of a link.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LinkKind {
    /// A straight walk.
    Straight(Position),
    /// A lane, by its number.
    Lane(usize),
    /// A leap, as down from a table: no walk leads over an edge.
    Leap(Position),
}

/// Identifies a place: its cell, the level of the grid, the square, and the storey.
type PlaceKey = (CellId, u8, [i32; 2], i32);

/// Map of all places that were reached.
pub(crate) struct Survey {
    pub(crate) explorer: Explorer,
    pub(crate) lanes: Lanes,
    pub(crate) places: Vec<Place>,
    by_key: BTreeMap<PlaceKey, usize>,
    /// Lanes that were passed, by their numbers.
    pub(crate) passed: BTreeSet<usize>,
}

impl Survey {
    /// Surveys the world from where the explorer stands.
    pub(crate) fn of(explorer: Explorer) -> Self {
        let lanes = Lanes::of(explorer.world());
        let (places, by_key, passed) = (Vec::new(), BTreeMap::new(), BTreeSet::new());
        let mut survey = Self { explorer, lanes, places, by_key, passed };
        survey.find_or_add_place();
        survey.explore_all(0);
        survey
    }

    /// Explores from all places of a number and above, and from all that are found on the way.
    pub(crate) fn explore_all(&mut self, mut next: usize) {
        while next < self.places.len() {
            self.explore_from(next, false);
            next += 1;
        }
    }

    /// Returns the known place at which the explorer stands.
    pub(crate) fn place_here(&self) -> Option<usize> {
        self.by_key.get(&self.key(&self.explorer.at())).copied()
    }

    /// Tries links from a place: to the places around it and through the lanes near it; if `all`, also to known places and with
    /// leaps.
    pub(crate) fn explore_from(&mut self, from: usize, all: bool) {
        let at = self.places[from].state.at;
        for aim in self.around(&at) {
            if all || self.predicted(&at, &aim).is_none_or(|key| !self.by_key.contains_key(&key)) {
                self.try_link(from, LinkKind::Straight(aim));
            }
        }
        for leap in self.leaps(&at).into_iter().filter(|_| all) {
            self.try_link(from, leap);
        }
        for number in self.lanes.out_of(at.cell).to_vec() {
            let lane = *self.lanes.get(number);
            let near = at.offset_to(&lane.before);
            let reaches =
                near.truncate().length() < MAX_LANE_DISTANCE && near.z.abs() < MAX_LANE_HEIGHT;
            if reaches && (all || !self.passed.contains(&number)) {
                self.try_link(from, LinkKind::Lane(number));
            }
        }
    }

    /// Returns the middles of the squares around a position, in the frame of its landblock.
    pub(crate) fn around(&self, at: &Position) -> Vec<Position> {
        let (_, pitch) = self.grid(at);
        let square = square(at, pitch);
        let around = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)];
        let middle = |(x, y): (i32, i32)| {
            let corner = Vec2::new((square[0] + x) as f32, (square[1] + y) as f32);
            let there = (corner + 0.5) * pitch;
            Position::new(at.cell, there.extend(at.frame.origin.z))
        };
        around.into_iter().map(middle).collect()
    }

    /// Returns leaps to all sides.
    pub(crate) fn leaps(&self, at: &Position) -> Vec<LinkKind> {
        let leap = |aim: Position| {
            let mut edge = *at;
            edge.frame.origin += at.offset_to(&aim).with_z(0.0).normalize_or_zero() * LEAP_LENGTH;
            LinkKind::Leap(edge)
        };
        self.around(at).into_iter().map(leap).collect()
    }

    /// Returns the level of the grid at a position, and its pitch in metres.
    fn grid(&self, at: &Position) -> (u8, f32) {
        if at.cell.is_indoor() {
            return (0, PITCH_INDOORS);
        }
        if self.lanes.is_near(at, DOOR_RADIUS) { (1, PITCH_AT_DOORS) } else { (2, PITCH_OUTDOORS) }
    }

    /// Returns the key of a position where the explorer stands.
    pub(crate) fn key(&self, at: &Position) -> PlaceKey {
        let (level, pitch) = self.grid(at);
        let height = at.frame.origin.z - self.ground(at).unwrap_or(0.0);
        (at.cell, level, square(at, pitch), (height / STOREY).round() as i32)
    }

    /// Returns the key that a place nearby would have, if it is in the same room or on the land.
    fn predicted(&self, from: &Position, aim: &Position) -> Option<PlaceKey> {
        if from.cell.is_indoor() {
            return Some(self.key(aim));
        }
        let (cell, there) = adjust_to_outside(aim.cell, aim.frame.origin)?;
        let over = from.frame.origin.z - self.ground(from)?;
        let there = Position::new(cell, there);
        Some(self.key(&Position::new(cell, there.frame.origin.with_z(self.ground(&there)? + over))))
    }

    /// Returns the height of the ground; `None` indoors and where there is no land.
    fn ground(&self, at: &Position) -> Option<f32> {
        let land = self.explorer.world().land_cell(at.cell)?;
        let Vec3 { x, y, .. } = at.frame.origin;
        let plane = land.ground(Vec2::new(x, y))?.plane;
        Some(-(plane.d + plane.normal.x * x + plane.normal.y * y) / plane.normal.z)
    }

    /// Returns the place where the explorer stands, and whether it is new.
    fn find_or_add_place(&mut self) -> (usize, bool) {
        let state = self.explorer.standing_state();
        let key = self.key(&state.at);
        if let Some(known) = self.by_key.get(&key) {
            return (*known, false);
        }
        let number = self.places.len();
        self.by_key.insert(key, number);
        self.places.push(Place { state, links: Vec::new() });
        (number, true)
    }

    /// Walks a link from a place, and notes where it leads; from a new place the way back as well, if there is one.
    fn try_link(&mut self, from: usize, kind: LinkKind) {
        let state = self.places[from].state.clone();
        self.explorer.resume(&state);
        if self.follow(kind) == WalkResult::Lost {
            return;
        }
        let (to, is_new) = self.find_or_add_place();
        self.note(from, to, kind);
        if is_new
            && self.explorer.walk_to(&state.at) != WalkResult::Lost
            && self.find_or_add_place() == (from, false)
        {
            self.note(to, from, LinkKind::Straight(state.at));
        }
    }

    fn note(&mut self, from: usize, to: usize, kind: LinkKind) {
        let links = &mut self.places[from].links;
        if from != to && links.iter().all(|link| link.to != to) {
            links.push(Link { to, kind });
        }
    }

    /// Walks a link as far as possible.
    pub(crate) fn follow(&mut self, kind: LinkKind) -> WalkResult {
        let number = match kind {
            LinkKind::Straight(aim) => return self.explorer.walk_to(&aim),
            LinkKind::Leap(aim) => return self.explorer.leap(&aim),
            LinkKind::Lane(number) => number,
        };
        let lane = *self.lanes.get(number);
        let result = self.explorer.pass(&lane);
        let cell = self.explorer.at().cell;
        let is_through = match lane.into {
            Some(into) => cell == into || (lane.drops && self.explorer.visited.contains(&into)),
            None => cell.is_outdoor(),
        };
        if is_through {
            self.passed.insert(number);
        }
        result
    }
}

impl Explorer {
    /// Walks to the start of a lane and straight through it; leaps into a hole in the floor from its edge.
    fn pass(&mut self, lane: &Lane) -> WalkResult {
        match self.walk_to(&lane.before) {
            WalkResult::Stopped if lane.drops => self.leap(&lane.behind),
            WalkResult::Arrived => self.walk_to(&lane.behind),
            other => other,
        }
    }
}

fn square(at: &Position, pitch: f32) -> [i32; 2] {
    [at.frame.origin.x, at.frame.origin.y].map(|v| (v / pitch).floor() as i32)
}
