//! Somebody who goes through a world on foot, by itself: a body with gravity that is turned, walks and leaps, a thirtieth of a
//! second at a time. It is put into the world once; wherever it goes on from, it has stood before.

#![allow(dead_code, reason = "each test uses its part")]

pub(crate) mod ground;
pub(crate) mod home;
pub(crate) mod missing;
pub(crate) mod opening;
pub(crate) mod survey;

use std::collections::BTreeSet;
use threshold_testkit::{
    WALKER, Walk,
    clock::{TICK, tick},
};

use threshold_dat::Source;
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position, Rotation};
use threshold_motion::{Body, Event, Gait, Jump, MoveContext, Search};
use threshold_world::{Builder, World};

/// How near is there, in metres.
const NEAR: f32 = 0.05;
/// How fast it runs: outdoors as an able runner does, indoors as anybody.
const RUN_OUTDOORS: f32 = 2.5;
const RUN_INDOORS: f32 = 1.0;
/// After so many quanta without getting nearer it gives up.
const PATIENCE: usize = 4;
/// Who falls for longer, in quanta, falls for ever.
const FALL: usize = 600;
/// How far it may drop on its way, in metres; farther down it is somewhere else. What it steps down in retail.
const DROP: f32 = 1.5;

/// Somebody on foot.
pub(crate) struct Walker {
    pub(crate) walk: Walk,
    /// Every cell that a sweep of it was committed to.
    pub(crate) seen: BTreeSet<CellId>,
    /// Changes from one cell to another that no portal joins.
    pub(crate) strayed: Vec<(CellId, CellId)>,
    /// Quanta, each of which is one sweep.
    pub(crate) sweeps: usize,
}

/// Where it has stood, and how: it can go on from there.
#[derive(Clone)]
pub(crate) struct Stood {
    pub(crate) at: Position,
    body: Body,
}

/// How a walk ended.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walked {
    /// It is there.
    Arrived,
    /// Something is in its way.
    Stopped,
    /// It has fallen down, and stands there.
    Fell,
    /// It does not stand any more.
    Lost,
}

impl Walker {
    /// On the ground of a world of which everything is resident, somewhere near a place.
    pub(crate) fn new(source: impl Source + 'static, start: Position) -> Self {
        // The world ends where it is not loaded: nobody is lost there, as in the program.
        let mut walk = Walk::new(Builder::new(source)).with_rule("unloaded=blocked");
        let spec = walk.spec(start.cell.0, start.frame.origin.to_array());
        let mut body = Body { gait: Some(Gait::stand()), ..Body::new(WALKER) };
        let Walk { world, rules, scratch, .. } = &mut walk;
        let (placed, _) =
            body.enter(&mut MoveContext::new(world, *rules, scratch), spec, Search::Around, 0.0);
        assert!(placed.is_ok() && body.stance.on_walkable, "nobody can stand there: {placed:?}");
        walk.body = body;
        let seen = [walk.cell()].into();
        Self { walk, seen, strayed: Vec::new(), sweeps: 0 }
    }

    pub(crate) fn world(&self) -> &World {
        &self.walk.world
    }

    pub(crate) fn at(&self) -> Position {
        self.walk.position()
    }

    pub(crate) fn stood(&self) -> Stood {
        Stood { at: self.at(), body: self.walk.body.clone() }
    }

    /// Goes on from where it has stood.
    pub(crate) fn resume(&mut self, stood: &Stood) {
        self.walk.body = stood.body.clone();
        self.walk.world.move_body(WALKER, stood.at).unwrap();
    }

    fn stands(&self) -> bool {
        self.walk.body.stance.on_walkable
    }

    /// How far it gets in a quantum, in metres.
    fn stride(&self) -> f32 {
        self.run().velocity().y * TICK
    }

    fn run(&self) -> Gait {
        let outdoors = self.walk.cell().is_outdoor();
        Gait::run(if outdoors { RUN_OUTDOORS } else { RUN_INDOORS })
    }

    /// Walks straight on to a place until it is there, or gets no nearer.
    pub(crate) fn go(&mut self, to: &Position) -> Walked {
        let (mut nearest, mut idle) = (f32::INFINITY, 0);
        loop {
            let way = self.way(to);
            let left = way.length();
            if left < NEAR {
                return self.halt(Walked::Arrived);
            }
            idle = if left < nearest - 0.2 * self.stride() { 0 } else { idle + 1 };
            nearest = nearest.min(left);
            if idle > PATIENCE {
                return self.halt(Walked::Stopped);
            }
            let height = self.walk.at().z;
            self.stride_along(way);
            if !self.stands() && !self.land() {
                return Walked::Lost;
            }
            if self.walk.at().z < height - DROP {
                return self.halt(Walked::Fell);
            }
        }
    }

    /// The level way to a place.
    pub(crate) fn way(&self, to: &Position) -> Vec3 {
        self.at().offset_to(to).with_z(0.0)
    }

    /// A quantum ahead, no farther than the way is long.
    fn stride_along(&mut self, way: Vec3) {
        let part = (way.length() / self.stride()).min(1.0);
        let run = self.run();
        self.walk.body.gait = Some(Gait { forward: run.forward * part, ..run });
        self.face(way);
        self.quantum();
    }

    fn face(&mut self, way: Vec3) {
        if let Some(rotation) = Rotation::facing(way) {
            self.walk.world.turn(WALKER, rotation).unwrap();
        }
    }

    fn quantum(&mut self) {
        self.sweeps += 1;
        for event in tick(&mut self.walk) {
            if let Event::CellChanged { from: Some(from), to: Some(to) } = event {
                self.seen.insert(to);
                if !is_joined(&self.walk.world, from, to) {
                    self.strayed.push((from, to));
                }
            }
        }
    }

    /// Falls until it stands. Returns whether it does.
    fn land(&mut self) -> bool {
        for _ in 0..FALL {
            if self.stands() {
                return true;
            }
            self.quantum();
        }
        false
    }

    /// Stands still, and lets what is left of its speed run out.
    fn halt(&mut self, walked: Walked) -> Walked {
        self.walk.body.gait = Some(Gait::stand());
        for _ in 0..FALL {
            if self.stands() && self.walk.body.velocity == Vec3::ZERO {
                return walked;
            }
            self.quantum();
        }
        Walked::Lost
    }

    /// Leaps off the edge it stands at so that it comes down at a place below, as far as it can.
    pub(crate) fn leap(&mut self, to: &Position) -> Walked {
        let way = self.way(to);
        self.face(way);
        let jump = Jump::default();
        // When its feet are down again where they were.
        let seconds = 2.0 * jump.speed() / -threshold_motion::GRAVITY;
        let run = self.run();
        let forward = (way.length() / seconds / run.velocity().y).min(1.0) * run.forward;
        self.walk.body.gait = Some(Gait { forward, ..run });
        let now = self.walk.body.clock;
        if self.walk.body.jump(&self.walk.world, &jump, now).is_err() {
            return self.halt(Walked::Stopped);
        }
        // It leaves the ground with the next quantum.
        self.quantum();
        if self.land() { self.halt(Walked::Fell) } else { Walked::Lost }
    }
}

/// Whether a portal joins two cells, or both to one whose corner is cut in a stride; land cells need none.
fn is_joined(world: &World, from: CellId, to: CellId) -> bool {
    let around = |cell: CellId| {
        let portals = world.room(cell).map(|room| room.portals());
        portals.unwrap_or_default().iter().map(|portal| portal.other)
    };
    match (from.is_indoor(), to.is_indoor()) {
        (true, true) => around(from).any(|next| {
            next == Some(to) || around(to).any(|other| other.is_some() && other == next)
        }),
        (true, false) => around(from).any(|next| next.is_none()),
        (false, true) => around(to).any(|next| next.is_none()),
        (false, false) => true,
    }
}
