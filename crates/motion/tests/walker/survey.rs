//! Going everywhere: from each place that was reached to all places around it and through all openings beside it, until nothing
//! new is found. What comes of it is a map of places and of the ways between them, each of which has been walked.

use std::collections::{BTreeMap, BTreeSet};

use threshold_land::glam::{Vec2, Vec3};
use threshold_land::{CellId, Position, adjust_to_outside};

use super::opening::{Lane, Lanes};
use super::{Stood, Walked, Walker};

/// How far places are apart, in metres: in rooms, outdoors round doors, and elsewhere on the land.
const INDOORS: f32 = 0.6;
const AT_DOORS: f32 = 1.5;
const OUTDOORS: f32 = 6.0;
/// How far from a door that is, in metres.
const ROUND_DOORS: f32 = 9.0;
/// How near an opening one tries to get through it, in metres.
const REACH: f32 = 2.0;
/// How much higher or lower that may be, in metres.
const HEAD: f32 = 2.0;
/// How far it leaps, in metres.
const LEAP: f32 = 1.4;
/// How much places over one another differ in height, in metres: who stands on a table does not stand beside it.
const STOREY: f32 = 0.6;

/// A place that was reached on foot.
pub(crate) struct Place {
    pub(crate) stood: Stood,
    pub(crate) ways: Vec<Way>,
}

/// A way to another place that has been walked.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) to: usize,
    pub(crate) over: Over,
}

/// How one gets there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Over {
    /// Straight on.
    Straight(Position),
    /// Through an opening, by its number.
    Lane(usize),
    /// With a leap, as one gets down from a table: no walk leads over an edge.
    Leap(Position),
}

/// What makes two places one: the cell, how fine the grid is there, the square, the storey.
type Key = (CellId, u8, [i32; 2], i32);

/// What was found by going everywhere.
pub(crate) struct Survey {
    pub(crate) walker: Walker,
    pub(crate) lanes: Lanes,
    pub(crate) places: Vec<Place>,
    by_key: BTreeMap<Key, usize>,
    /// Openings that have been passed, by their numbers.
    pub(crate) passed: BTreeSet<usize>,
}

impl Survey {
    /// Goes everywhere from where somebody stands.
    pub(crate) fn of(walker: Walker) -> Self {
        let lanes = Lanes::of(walker.world());
        let (places, by_key, passed) = (Vec::new(), BTreeMap::new(), BTreeSet::new());
        let mut survey = Self { walker, lanes, places, by_key, passed };
        survey.here();
        survey.go_everywhere(0);
        survey
    }

    /// From all places of this number and above, and all that are found from there.
    pub(crate) fn go_everywhere(&mut self, mut next: usize) {
        while next < self.places.len() {
            self.look_around(next, false);
            next += 1;
        }
    }

    /// The place of the map at which it stands.
    pub(crate) fn place_here(&self) -> Option<usize> {
        self.by_key.get(&self.key(&self.walker.at())).copied()
    }

    /// Tries all ways from a place: to those around it and through openings near it; if `all`, also to known ones and with
    /// leaps.
    pub(crate) fn look_around(&mut self, from: usize, all: bool) {
        let at = self.places[from].stood.at;
        for aim in self.around(&at) {
            if all || self.predicted(&at, &aim).is_none_or(|key| !self.by_key.contains_key(&key)) {
                self.try_way(from, Over::Straight(aim));
            }
        }
        for leap in self.leaps(&at).into_iter().filter(|_| all) {
            self.try_way(from, leap);
        }
        for number in self.lanes.out_of(at.cell).to_vec() {
            let lane = *self.lanes.get(number);
            let near = at.offset_to(&lane.before);
            let reaches = near.truncate().length() < REACH && near.z.abs() < HEAD;
            if reaches && (all || !self.passed.contains(&number)) {
                self.try_way(from, Over::Lane(number));
            }
        }
    }

    /// The middles of the squares around a place, in the frame of its landblock.
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

    /// Leaps to all sides.
    pub(crate) fn leaps(&self, at: &Position) -> Vec<Over> {
        let leap = |aim: Position| {
            let mut edge = *at;
            edge.frame.origin += at.offset_to(&aim).with_z(0.0).normalize_or_zero() * LEAP;
            Over::Leap(edge)
        };
        self.around(at).into_iter().map(leap).collect()
    }

    /// How fine the grid is at a place: a number for it, and how wide squares are, in metres.
    fn grid(&self, at: &Position) -> (u8, f32) {
        if at.cell.is_indoor() {
            return (0, INDOORS);
        }
        if self.lanes.is_near(at, ROUND_DOORS) { (1, AT_DOORS) } else { (2, OUTDOORS) }
    }

    /// The key of a place where somebody stands.
    pub(crate) fn key(&self, at: &Position) -> Key {
        let (level, pitch) = self.grid(at);
        let height = at.frame.origin.z - self.ground(at).unwrap_or(0.0);
        (at.cell, level, square(at, pitch), (height / STOREY).round() as i32)
    }

    /// The key that a place somewhere around would have, if it is in the same room or on the land.
    fn predicted(&self, from: &Position, aim: &Position) -> Option<Key> {
        if from.cell.is_indoor() {
            return Some(self.key(aim));
        }
        let (cell, there) = adjust_to_outside(aim.cell, aim.frame.origin)?;
        let over = from.frame.origin.z - self.ground(from)?;
        let there = Position::new(cell, there);
        Some(self.key(&Position::new(cell, there.frame.origin.with_z(self.ground(&there)? + over))))
    }

    /// How high the land is; `None` indoors and where there is none.
    fn ground(&self, at: &Position) -> Option<f32> {
        let land = self.walker.world().land_cell(at.cell)?;
        let Vec3 { x, y, .. } = at.frame.origin;
        let plane = land.ground(Vec2::new(x, y))?.plane;
        Some(-(plane.d + plane.normal.x * x + plane.normal.y * y) / plane.normal.z)
    }

    /// Where it stands, as a place of the map; whether it is a new one.
    fn here(&mut self) -> (usize, bool) {
        let stood = self.walker.stood();
        let key = self.key(&stood.at);
        if let Some(known) = self.by_key.get(&key) {
            return (*known, false);
        }
        let number = self.places.len();
        self.by_key.insert(key, number);
        self.places.push(Place { stood, ways: Vec::new() });
        (number, true)
    }

    /// Walks from a place, and notes where that leads to; to a new place also the way back, if there is one.
    fn try_way(&mut self, from: usize, over: Over) {
        let stood = self.places[from].stood.clone();
        self.walker.resume(&stood);
        if self.follow(over) == Walked::Lost {
            return;
        }
        let (to, is_new) = self.here();
        self.note(from, to, over);
        if is_new && self.walker.go(&stood.at) != Walked::Lost && self.here() == (from, false) {
            self.note(to, from, Over::Straight(stood.at));
        }
    }

    fn note(&mut self, from: usize, to: usize, over: Over) {
        let ways = &mut self.places[from].ways;
        if from != to && ways.iter().all(|way| way.to != to) {
            ways.push(Way { to, over });
        }
    }

    /// Walks a way, or as far along it as it can.
    pub(crate) fn follow(&mut self, over: Over) -> Walked {
        let number = match over {
            Over::Straight(aim) => return self.walker.go(&aim),
            Over::Leap(aim) => return self.walker.leap(&aim),
            Over::Lane(number) => number,
        };
        let lane = *self.lanes.get(number);
        let walked = self.walker.pass(&lane);
        let cell = self.walker.at().cell;
        let is_through = match lane.into {
            Some(into) => cell == into || (lane.drops && self.walker.seen.contains(&into)),
            None => cell.is_outdoor(),
        };
        if is_through {
            self.passed.insert(number);
        }
        walked
    }
}

impl Walker {
    /// Through an opening: up to it, and straight on; into a hole in the floor from its edge.
    fn pass(&mut self, lane: &Lane) -> Walked {
        match self.go(&lane.before) {
            Walked::Stopped if lane.drops => self.leap(&lane.behind),
            Walked::Arrived => self.go(&lane.behind),
            other => other,
        }
    }
}

fn square(at: &Position, pitch: f32) -> [i32; 2] {
    [at.frame.origin.x, at.frame.origin.y].map(|v| (v / pitch).floor() as i32)
}
