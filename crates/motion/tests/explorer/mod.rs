//! An explorer that goes through a world on foot: a body with gravity that turns, walks and leaps, a thirtieth of a second at a
//! time. It enters the world once, and resumes only from where it stood before.

#![allow(dead_code, reason = "each test uses its part")]

pub(crate) mod ground;
pub(crate) mod home;
pub(crate) mod lane;
pub(crate) mod missing;
pub(crate) mod survey;

use std::collections::BTreeSet;
use threshold_testkit::{
    WALKER, Walk,
    clock::{TICK, tick},
};

use threshold_dat::Source;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Rotation};
use threshold_motion::{Body, Event, Gait, Jump, MoveContext, Search};
use threshold_world::{Builder, World};

/// Distance at which a position counts as reached, in metres.
const ARRIVAL_DISTANCE: f32 = 0.05;
/// Run rates: outdoors that of a skilled runner, indoors that of a character without skill.
const RUN_OUTDOORS: f32 = 2.5;
const RUN_INDOORS: f32 = 1.0;
/// Quanta without getting nearer after which the explorer gives up.
const MAX_IDLE_QUANTA: usize = 4;
/// Quanta of a fall after which the explorer counts as lost.
const MAX_FALL_QUANTA: usize = 600;
/// Greatest drop during a walk, in metres; after a longer one the explorer is at another place. The step down of retail.
const MAX_DROP: f32 = 1.5;

/// A body on foot.
pub(crate) struct Explorer {
    pub(crate) walk: Walk,
    /// Every cell that it was in.
    pub(crate) visited: BTreeSet<CellId>,
    /// Changes from one cell to another that no portal joins.
    pub(crate) strayed: Vec<(CellId, CellId)>,
    /// Number of quanta, each of which is one sweep.
    pub(crate) sweeps: usize,
}

/// Position and body of a standing explorer, from which it can resume.
#[derive(Clone)]
pub(crate) struct StandingState {
    pub(crate) at: Position,
    body: Body,
}

/// How a walk ended.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WalkResult {
    /// It is at its aim.
    Arrived,
    /// An obstacle stopped it.
    Stopped,
    /// It fell, and stands below.
    Fell,
    /// It no longer stands.
    Lost,
}

impl Explorer {
    /// Puts an explorer on the ground near a position, in a world with everything resident.
    pub(crate) fn new(source: impl Source + 'static, start: Position) -> Self {
        // Blocked at the edge of the world, as in the program, so that the explorer is not lost there.
        let mut walk = Walk::new(Builder::new(source)).with_rule("unloaded=blocked");
        let spec = walk.spec(start.cell.0, start.frame.origin.to_array());
        let mut body = Body { gait: Some(Gait::stand()), ..Body::new(WALKER) };
        let Walk { world, rules, scratch, .. } = &mut walk;
        let (placed, _) =
            body.enter(&mut MoveContext::new(world, *rules, scratch), spec, Search::Around, 0.0);
        assert!(placed.is_ok() && body.stance.on_walkable, "no room at the start: {placed:?}");
        walk.body = body;
        let visited = [walk.cell()].into();
        Self { walk, visited, strayed: Vec::new(), sweeps: 0 }
    }

    pub(crate) fn world(&self) -> &World {
        &self.walk.world
    }

    pub(crate) fn at(&self) -> Position {
        self.walk.position()
    }

    pub(crate) fn standing_state(&self) -> StandingState {
        StandingState { at: self.at(), body: self.walk.body.clone() }
    }

    /// Goes on from a state in which it stood.
    pub(crate) fn resume(&mut self, state: &StandingState) {
        self.walk.body = state.body.clone();
        self.walk.world.move_body(WALKER, state.at).unwrap();
    }

    fn stands(&self) -> bool {
        self.walk.body.stance.on_walkable
    }

    /// Returns the distance that it runs in a quantum, in metres.
    fn stride(&self) -> f32 {
        self.run().velocity().y * TICK
    }

    fn run(&self) -> Gait {
        let outdoors = self.walk.cell().is_outdoor();
        Gait::run(if outdoors { RUN_OUTDOORS } else { RUN_INDOORS })
    }

    /// Walks straight to a position until it is there, or gets no nearer.
    pub(crate) fn walk_to(&mut self, to: &Position) -> WalkResult {
        let (mut nearest, mut idle) = (f32::INFINITY, 0);
        loop {
            let offset = self.level_offset(to);
            let left = offset.length();
            if left < ARRIVAL_DISTANCE {
                return self.halt(WalkResult::Arrived);
            }
            idle = if left < nearest - 0.2 * self.stride() { 0 } else { idle + 1 };
            nearest = nearest.min(left);
            if idle > MAX_IDLE_QUANTA {
                return self.halt(WalkResult::Stopped);
            }
            let height = self.walk.at().z;
            self.stride_along(offset);
            if !self.stands() && !self.land() {
                return WalkResult::Lost;
            }
            if self.walk.at().z < height - MAX_DROP {
                return self.halt(WalkResult::Fell);
            }
        }
    }

    /// Returns the horizontal offset to a position.
    pub(crate) fn level_offset(&self, to: &Position) -> Vec3 {
        self.at().offset_to(to).with_z(0.0)
    }

    /// Walks along an offset for a quantum, no farther than its length.
    fn stride_along(&mut self, offset: Vec3) {
        let part = (offset.length() / self.stride()).min(1.0);
        let run = self.run();
        self.walk.body.gait = Some(Gait { forward: run.forward * part, ..run });
        self.face(offset);
        self.quantum();
    }

    fn face(&mut self, direction: Vec3) {
        if let Some(rotation) = Rotation::facing(direction) {
            self.walk.world.turn(WALKER, rotation).unwrap();
        }
    }

    fn quantum(&mut self) {
        self.sweeps += 1;
        for event in tick(&mut self.walk) {
            if let Event::CellChanged { from: Some(from), to: Some(to) } = event {
                self.visited.insert(to);
                if !is_joined(&self.walk.world, from, to) {
                    self.strayed.push((from, to));
                }
            }
        }
    }

    /// Falls until it stands. Returns whether it does.
    fn land(&mut self) -> bool {
        for _ in 0..MAX_FALL_QUANTA {
            if self.stands() {
                return true;
            }
            self.quantum();
        }
        false
    }

    /// Stands still until its speed has run out. Returns `result`, or `Lost` if it does not come to rest.
    fn halt(&mut self, result: WalkResult) -> WalkResult {
        self.walk.body.gait = Some(Gait::stand());
        for _ in 0..MAX_FALL_QUANTA {
            if self.stands() && self.walk.body.velocity == Vec3::ZERO {
                return result;
            }
            self.quantum();
        }
        WalkResult::Lost
    }

    /// Leaps towards a position below, from the edge where it stands, as far as it can.
    pub(crate) fn leap(&mut self, to: &Position) -> WalkResult {
        let offset = self.level_offset(to);
        self.face(offset);
        let jump = Jump::default();
        // Time until the feet are at the old height again.
        let seconds = 2.0 * jump.speed() / -threshold_motion::GRAVITY;
        let run = self.run();
        let forward = (offset.length() / seconds / run.velocity().y).min(1.0) * run.forward;
        self.walk.body.gait = Some(Gait { forward, ..run });
        let now = self.walk.body.clock;
        if self.walk.body.jump(&self.walk.world, &jump, now).is_err() {
            return self.halt(WalkResult::Stopped);
        }
        // It leaves the ground with the next quantum.
        self.quantum();
        if self.land() { self.halt(WalkResult::Fell) } else { WalkResult::Lost }
    }
}

/// Returns whether a portal joins two cells, or portals join both to a cell whose corner a stride cuts. Land cells need
/// none.
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
