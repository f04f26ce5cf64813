//! Random dungeons that can be walked completely.

mod chamber;
mod footprint;
mod slope;

use std::collections::{BTreeMap, BTreeSet};

use threshold_land::vector::{IVec3, Vec2};

use self::chamber::{Chamber, NICHE};
use self::footprint::{Edge, Footprint, corridor};
use self::slope::Slope;
use crate::tool::opening::{Face, Opening};
use crate::tool::plan::{Plan, RoomKey};
use crate::tool::random::Random;
use crate::tool::room::RoomSpec;

/// Distance between the centres of adjacent chambers, in metres.
const PITCH: f32 = 22.0;
/// Vertical distance between the floors of levels, in metres.
const STOREY: f32 = 5.0;
/// Levels above and below the first.
const LEVELS: i32 = 2;
/// Random chambers tried for one spot.
const TRIES: usize = 6;
/// Failed connections in a row before another dungeon is tried: with all walls in use or facing elsewhere it cannot grow.
const PATIENCE: usize = 5000;

/// Makes a dungeon with exactly this number of rooms of all kinds.
pub(super) fn plan(rooms: usize, seed: u64) -> Plan {
    let mut random = Random(seed);
    loop {
        if let Some(plan) = GrowingDungeon::grown(rooms, Random(random.next())) {
            return plan;
        }
    }
}

/// A room that is not part of the dungeon yet, and its footprint.
#[derive(Clone)]
struct Draft {
    room: RoomSpec,
    space: Footprint,
}

/// A dungeon that grows from one chamber.
struct GrowingDungeon {
    random: Random,
    plan: Plan,
    chambers: Vec<Chamber>,
    /// The chamber at each spot of the grid.
    at: BTreeMap<[i32; 3], usize>,
    /// Neighbours that are connected, the lower spot first.
    joined: BTreeSet<([i32; 3], [i32; 3])>,
    taken: Vec<Footprint>,
}

/// One end of a connection: a wall of a chamber.
#[derive(Clone, Copy)]
struct ConnectionEnd {
    chamber: usize,
    wall: usize,
    edge: Edge,
}

impl GrowingDungeon {
    /// `None` when it cannot grow any more.
    fn grown(rooms: usize, random: Random) -> Option<Plan> {
        let mut deep = Self {
            random,
            plan: Plan::new(),
            chambers: Vec::new(),
            at: BTreeMap::new(),
            joined: BTreeSet::new(),
            taken: Vec::new(),
        };
        if rooms > 0 {
            let (chamber, draft) = Chamber::by_chance(&mut deep.random, IVec3::ZERO);
            deep.chambers.push(chamber);
            deep.found(0, Some(&draft));
        }
        let mut failures = 0;
        while deep.plan.len() < rooms {
            let before = deep.plan.len();
            deep.grow(rooms - before);
            failures = if deep.plan.len() == before { failures + 1 } else { 0 };
            if failures > PATIENCE {
                return None;
            }
        }
        Some(deep.plan)
    }

    /// Tries to add a connection, or a niche, with at most `left` rooms.
    fn grow(&mut self, left: usize) {
        let from = self.random.below(self.chambers.len());
        if left == 1 || self.random.below(8) == 0 {
            return self.niche(from);
        }
        let spot = self.chambers[from].spot;
        let ahead = self.random.pick(&[IVec3::X, IVec3::Y, IVec3::NEG_X, IVec3::NEG_Y]);
        let up = self.random.pick(&[0, 0, 0, 1, -1]);
        let to = spot + ahead + IVec3::Z * up;
        let pair = [spot, to].map(|spot| spot.to_array());
        let pair = (pair[0].min(pair[1]), pair[0].max(pair[1]));
        let there = self.at.get(&to.to_array()).copied();
        // A slope has a corridor at either end.
        let needed = if up == 0 { 1 } else { 3 } + usize::from(there.is_none());
        if left < needed || to.z.abs() > LEVELS || self.joined.contains(&pair) {
            return;
        }
        let is_joined = match there {
            Some(other) => self.join(from, other, None),
            None => (0..TRIES).any(|_| {
                let (chamber, draft) = Chamber::by_chance(&mut self.random, to);
                if !self.is_free(&[&draft]) {
                    return false;
                }
                let number = self.chambers.len();
                self.chambers.push(chamber);
                let is_joined = self.join(from, number, Some(&draft));
                if !is_joined {
                    self.chambers.pop();
                }
                is_joined
            }),
        };
        if is_joined {
            self.joined.insert(pair);
        }
    }

    fn is_free(&self, drafts: &[&Draft]) -> bool {
        let clear = |draft: &&Draft| self.taken.iter().all(|other| !other.meets(&draft.space));
        drafts.iter().all(clear)
    }

    fn add(&mut self, draft: Draft) -> RoomKey {
        self.taken.push(draft.space);
        self.plan.room(draft.room)
    }

    /// Connects two chambers; the second is only drafted if `new` is given. Returns whether there is space.
    fn join(&mut self, from: usize, to: usize, new: Option<&Draft>) -> bool {
        let [start, end] = [from, to].map(|index| self.chambers[index].middle());
        let ahead = (end - start).truncate().normalize_or_zero();
        let ends = [self.end(from, ahead), self.end(to, -ahead)];
        let [Some(one), Some(other)] = ends else { return false };
        let between = (start.truncate() + end.truncate()) / 2.0;
        if (start.z - end.z).abs() < 0.1 {
            let Some(passage) = corridor(one.edge, other.edge, start.z) else { return false };
            if !self.is_free(&[&passage]) || new.is_some_and(|new| new.space.meets(&passage.space))
            {
                return false;
            }
            self.found(to, new);
            let key = self.add(passage);
            self.open(key, [one, other]);
            return true;
        }
        let (low, high) = if start.z < end.z { (one, other) } else { (other, one) };
        let floors = [start.z.min(end.z), start.z.max(end.z)];
        self.climb([low, high], between, floors, to, new)
    }

    /// Adds a slope from a low wall to a high one, and the chamber `to` if `new` is given. Returns whether there is space.
    fn climb(
        &mut self,
        [low, high]: [ConnectionEnd; 2],
        between: Vec2,
        floors: [f32; 2],
        to: usize,
        new: Option<&Draft>,
    ) -> bool {
        let [start, end] = [low, high].map(|end| self.chambers[end.chamber].middle().truncate());
        let slope = Slope { middle: between, ahead: (end - start).normalize_or_zero(), floors };
        let stairs = self.random.pick(&[true, false]);
        let flight = if stairs { slope.steps() } else { slope.ramp() };
        let [foot, head] = slope.ends();
        let before = corridor(low.edge, foot, floors[0]);
        let after = corridor(high.edge, head, floors[1]);
        let (Some(before), Some(after)) = (before, after) else { return false };
        let all = [&before, &flight, &after];
        let meets = |new: &Draft| all.iter().any(|draft| draft.space.meets(&new.space));
        if !self.is_free(&all) || new.is_some_and(meets) {
            return false;
        }
        self.found(to, new);
        let keys = [before, flight, after].map(|draft| self.add(draft));
        self.plan.join(keys[0], keys[1], Opening::whole(Face::Wall(1)));
        self.plan.join(keys[2], keys[1], Opening::whole(Face::Wall(1)));
        for (key, end) in [(keys[0], low), (keys[2], high)] {
            self.plan.join(key, self.chambers[end.chamber].key, Opening::whole(Face::Wall(3)));
            self.chambers[end.chamber].used[end.wall] = true;
        }
        true
    }

    /// Adds a drafted chamber to the dungeon.
    fn found(&mut self, chamber: usize, draft: Option<&Draft>) {
        if let Some(draft) = draft {
            self.at.insert(self.chambers[chamber].spot.to_array(), chamber);
            self.chambers[chamber].key = self.add(draft.clone());
        }
    }

    /// Opens both ends of a corridor: its fourth wall is that of the first end, its second that of the other.
    fn open(&mut self, corridor: RoomKey, ends: [ConnectionEnd; 2]) {
        for (end, face) in ends.into_iter().zip([Face::Wall(3), Face::Wall(1)]) {
            self.plan.join(corridor, self.chambers[end.chamber].key, Opening::whole(face));
            self.chambers[end.chamber].used[end.wall] = true;
        }
    }

    /// Returns the free wall of a chamber that best faces a direction, if one does.
    fn end(&self, chamber: usize, ahead: Vec2) -> Option<ConnectionEnd> {
        let (wall, edge) = self.chambers[chamber].towards(ahead)?;
        Some(ConnectionEnd { chamber, wall, edge })
    }

    /// Adds a small room behind a free wall.
    fn niche(&mut self, chamber: usize) {
        let wall = self.random.below(self.chambers[chamber].used.len());
        let Some(edge) = self.chambers[chamber].door(wall) else { return };
        let far = edge.moved(NICHE).reversed();
        let floor = self.chambers[chamber].middle().z;
        let Some(draft) = corridor(edge, far, floor) else { return };
        if self.is_free(&[&draft]) {
            let key = self.add(draft);
            self.plan.join(key, self.chambers[chamber].key, Opening::whole(Face::Wall(3)));
            self.chambers[chamber].used[wall] = true;
        }
    }
}
