//! Random dungeons.

use std::collections::{BTreeMap, BTreeSet};

use threshold_land::Frame;
use threshold_land::vector::Vec3;

use crate::tool::opening::{Face, Opening};
use crate::tool::plan::{Plan, RoomKey};
use crate::tool::random::Random;
use crate::tool::room::RoomSpec;
use crate::tool::shape::Shape;

/// Distance between the centres of adjacent chambers, in metres.
const PITCH: f32 = 14.0;
/// Vertical distance between the floors of chambers, in metres.
const STOREY: f32 = 8.0;
/// Levels above and below the first.
const LEVELS: i32 = 2;
/// Half the width of a corridor or shaft, in metres.
const HALF_CORRIDOR: f32 = 0.9;
/// Height of a corridor, in metres.
const CORRIDOR_HEIGHT: f32 = 2.6;
/// Length of a dead end, in metres.
const DEAD_END: f32 = 2.0;

/// A spot on the grid of chambers: east, north, up.
type Spot = [i32; 3];

#[derive(Clone, Copy)]
struct Chamber {
    key: RoomKey,
    half: [f32; 2],
    height: f32,
}

/// A dungeon that grows from one chamber.
pub(super) struct DungeonBuilder {
    random: Random,
    plan: Plan,
    chambers: BTreeMap<Spot, Chamber>,
    spots: Vec<Spot>,
    /// Gaps between neighbours that are in use, by the western, southern or lower spot and the axis.
    used: BTreeSet<(Spot, usize)>,
}

/// A connection from a chamber to the next spot.
#[derive(Clone, Copy)]
struct Step {
    /// The western, southern or lower spot.
    low: Spot,
    high: Spot,
    /// 0 east, 1 north, 2 up.
    axis: usize,
}

/// Makes a dungeon with exactly this number of rooms, corridors and shafts included.
pub(super) fn plan(rooms: usize, seed: u64) -> Plan {
    let mut builder = DungeonBuilder {
        random: Random(seed),
        plan: Plan::new(),
        chambers: BTreeMap::new(),
        spots: Vec::new(),
        used: BTreeSet::new(),
    };
    if rooms > 0 {
        builder.chamber([0, 0, 0]);
    }
    while builder.plan.len() < rooms {
        builder.grow(rooms - builder.plan.len());
    }
    builder.plan
}

impl DungeonBuilder {
    /// Adds a corridor from a chamber to its neighbour, and the neighbour if it does not exist yet.
    fn grow(&mut self, left: usize) {
        let index = self.random.below(self.spots.len());
        let from = self.spots[index];
        let axis = self.random.pick(&[0, 0, 1, 1, 2]);
        let ahead = self.random.pick(&[true, false]);
        let mut to = from;
        to[axis] += if ahead { 1 } else { -1 };
        let (low, high) = if ahead { (from, to) } else { (to, from) };
        if to[2].abs() > LEVELS || !self.used.insert((low, axis)) {
            return;
        }
        let step = Step { low, high, axis };
        match self.chambers.contains_key(&to) {
            true => self.passage(step),
            false if left >= 2 => {
                self.chamber(to);
                self.passage(step);
            }
            false => self.dead_end(from, axis, ahead),
        }
    }

    fn chamber(&mut self, spot: Spot) {
        let half = [0, 1].map(|_| self.random.pick(&[3.0, 3.5, 4.0, 4.5]));
        let height = self.random.pick(&[3.0, 3.5, 4.0]);
        let shape = match self.random.below(3) {
            0 => cut_corners(half, height),
            _ => Shape::cuboid([-half[0], -half[1], 0.0], [half[0], half[1], height]),
        };
        let mut room = RoomSpec::shaped(shape).at(Frame::at(middle(spot)));
        if self.random.below(4) == 0 {
            for (x, y) in [(-2.0, -2.0), (2.0, 2.0)] {
                let low = Vec3::new(x - 0.25, y - 0.25, 0.0);
                room = room.block(Shape::cuboid(low, low + Vec3::new(0.5, 0.5, height)));
            }
        }
        let key = self.plan.room(room);
        self.chambers.insert(spot, Chamber { key, half, height });
        self.spots.push(spot);
    }

    /// Adds a corridor or shaft between two chambers.
    fn passage(&mut self, step: Step) {
        let (below, above) = (self.chambers[&step.low], self.chambers[&step.high]);
        let (start, end) = (middle(step.low), middle(step.high));
        if step.axis == 2 {
            let (low, high) = (start.z + below.height, end.z);
            let shaft = self.square(start, low, high);
            self.plan.join(shaft, below.key, Opening::whole(Face::Floor));
            self.plan.join(shaft, above.key, Opening::whole(Face::Ceiling));
            return;
        }
        let from = start[step.axis] + below.half[step.axis];
        let to = end[step.axis] - above.half[step.axis];
        let corridor = self.corridor(start, step.axis, from, to);
        let (back, front) = ends(step.axis);
        self.plan.join(corridor, below.key, Opening::whole(back));
        self.plan.join(corridor, above.key, Opening::whole(front));
    }

    fn dead_end(&mut self, spot: Spot, axis: usize, ahead: bool) {
        let (at, chamber) = (middle(spot), self.chambers[&spot]);
        if axis == 2 {
            let (low, high, face) = match ahead {
                true => (at.z + chamber.height, at.z + chamber.height + DEAD_END, Face::Floor),
                false => (at.z - DEAD_END, at.z, Face::Ceiling),
            };
            let shaft = self.square(at, low, high);
            self.plan.join(shaft, chamber.key, Opening::whole(face));
            return;
        }
        let half = chamber.half[axis];
        let (back, front) = ends(axis);
        let (from, to, face) = match ahead {
            true => (at[axis] + half, at[axis] + half + DEAD_END, back),
            false => (at[axis] - half - DEAD_END, at[axis] - half, front),
        };
        let corridor = self.corridor(at, axis, from, to);
        self.plan.join(corridor, chamber.key, Opening::whole(face));
    }

    /// Adds a level corridor along an axis, slightly off the chamber's centre.
    fn corridor(&mut self, at: Vec3, axis: usize, from: f32, to: f32) -> RoomKey {
        let mut centre = at;
        centre[axis] = (from + to) / 2.0;
        centre[1 - axis] += self.random.pick(&[-1.0, 0.0, 1.0]);
        let mut half = Vec3::new(HALF_CORRIDOR, HALF_CORRIDOR, 0.0);
        half[axis] = (to - from) / 2.0;
        let shape = Shape::cuboid(-half, half + Vec3::Z * CORRIDOR_HEIGHT);
        self.plan.room(RoomSpec::shaped(shape).at(Frame::at(centre)))
    }

    /// Adds a shaft through the centres of chambers.
    fn square(&mut self, at: Vec3, low: f32, high: f32) -> RoomKey {
        let half = Vec3::new(HALF_CORRIDOR, HALF_CORRIDOR, 0.0);
        let shape = Shape::cuboid(-half, half + Vec3::Z * (high - low));
        self.plan.room(RoomSpec::shaped(shape).at(Frame::at(Vec3::new(at.x, at.y, low))))
    }
}

/// Returns the faces at the low and at the high end of a corridor.
fn ends(axis: usize) -> (Face, Face) {
    if axis == 0 { (Face::WEST, Face::EAST) } else { (Face::SOUTH, Face::NORTH) }
}

fn middle(spot: Spot) -> Vec3 {
    // A few thousand at the most: exact.
    #[allow(clippy::cast_precision_loss, reason = "small numbers")]
    let [x, y, z] = spot.map(|v| v as f32);
    Vec3::new(x * PITCH, y * PITCH, z * STOREY)
}

/// Returns a box with chamfered vertical edges.
fn cut_corners([x, y]: [f32; 2], height: f32) -> Shape {
    let floor = [
        [1.0 - x, -y],
        [x - 1.0, -y],
        [x, 1.0 - y],
        [x, y - 1.0],
        [x - 1.0, y],
        [1.0 - x, y],
        [-x, y - 1.0],
        [-x, 1.0 - y],
    ];
    Shape::prism(floor, 0.0, height)
}
