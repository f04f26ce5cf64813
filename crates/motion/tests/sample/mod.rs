//! Sample worlds, wholly resident, and a body that walks in them.

#![allow(dead_code, reason = "each test uses its part")]

pub(crate) mod clock;
pub(crate) mod doorway;
pub(crate) mod made;
pub(crate) mod route;
pub(crate) mod scene;
pub(crate) mod surfaces;
#[path = "../../../world/tests/sample/mod.rs"]
mod worlds;

use threshold_dat::{RecordId, Source};
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Plane, Position};
use threshold_motion::probe::Ending;
use threshold_motion::{
    Body, Events, Insert, Outcome, Rules, Stance, SweepEvent, SweepProbe, SweepScratch, Sweeper,
    commit,
};
use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, State, World};

#[allow(unused_imports, reason = "each test uses its part")]
pub(crate) use worlds::{builder, everything, forged, random, records, rewrite};

/// The mover that every sample world has: two spheres of 0.48 m, steps 0.6 m up and 1.5 m down.
pub(crate) const MOVER: RecordId = RecordId(0x0200_0001);
/// A walker: gravity, edge slides, told of collisions.
pub(crate) const WALKER: State = State(0x0040_0408);
/// How far the mover's feet reach below its origin, in metres.
pub(crate) const FEET: f32 = 0.005;
/// The number of the body that walks.
pub(crate) const WALKING: BodyId = BodyId(u32::MAX);

/// A world, and a body that walks in it.
pub(crate) struct Walk {
    pub(crate) world: World,
    pub(crate) builder: Builder,
    pub(crate) rules: Rules,
    pub(crate) body: Body,
    /// What the last commit said.
    pub(crate) events: Events,
    pub(crate) scratch: SweepScratch,
}

impl Walk {
    /// In a world of which everything is resident.
    pub(crate) fn new(builder: Builder) -> Self {
        let world = everything(&builder);
        Self::within(world, builder)
    }

    /// In a world of which perhaps not everything is resident.
    pub(crate) fn within(world: World, builder: Builder) -> Self {
        Self {
            world,
            builder,
            rules: Rules::default(),
            body: Body::new(WALKING),
            events: Events::new(),
            scratch: SweepScratch::new(),
        }
    }

    /// In `holt` or `dungeon`.
    pub(crate) fn sample(name: &str) -> Self {
        Self::new(builder(name))
    }

    /// In a made world.
    pub(crate) fn made(source: impl Source + 'static) -> Self {
        Self::new(Builder::new(source))
    }

    /// By other rules, each given as `name=value`.
    pub(crate) fn by(mut self, rule: &str) -> Self {
        self.rules.set_text(rule).unwrap();
        self
    }

    /// The usual mover at a place, as something to be changed and put there.
    pub(crate) fn spec(&self, cell: u32, at: [f32; 3]) -> BodySpec {
        BodySpec {
            body: WALKING,
            setup: self.builder.setup(MOVER).unwrap(),
            position: Position::new(CellId(cell), at.into()),
            scale: 1.0,
            state: WALKER,
            kind: ObjectKind::Creature,
        }
    }

    /// Puts the body there in the air, as it is, without looking whether there is room.
    pub(crate) fn put(&mut self, spec: BodySpec) -> &mut Self {
        self.body = Body::new(spec.body);
        self.world.insert(spec);
        self
    }

    /// The usual mover in the air.
    pub(crate) fn hang(&mut self, cell: u32, at: [f32; 3]) -> &mut Self {
        self.put(self.spec(cell, at))
    }

    /// The usual mover on level ground: its feet reach 5 mm below its origin.
    pub(crate) fn stand(&mut self, cell: u32, at: [f32; 3]) -> &mut Self {
        self.hang(cell, at);
        let ground = Plane { normal: Vec3::Z, d: FEET - at[2] };
        self.body.stance = Stance::on(ground, CellId(cell));
        self
    }

    /// Another body: a creature of that setup, with no state, that does not walk.
    pub(crate) fn furnish(&mut self, number: u32, model: u32, place: (u32, [f32; 3])) -> BodyId {
        let setup = self.builder.setup(RecordId(model)).unwrap();
        let (body, state) = (BodyId(number), State::default());
        self.world.insert(BodySpec { body, setup, state, ..self.spec(place.0, place.1) });
        body
    }

    pub(crate) fn position(&self) -> Position {
        *self.world.body(self.body.id).unwrap().position()
    }

    pub(crate) fn at(&self) -> Vec3 {
        self.position().frame.origin
    }

    pub(crate) fn cell(&self) -> CellId {
        self.position().cell
    }

    /// The centre of the first sphere, in the landblock of the body.
    pub(crate) fn centre(&self) -> Vec3 {
        let object = self.world.body(self.body.id).unwrap();
        let foot = object.setup().spheres[0].centre * object.scale();
        object.position().frame.to_global(foot)
    }

    /// Whether a cell contains the centre of the first sphere.
    pub(crate) fn is_in(&self, cell: CellId) -> bool {
        let there = self.centre() - threshold_land::block_offset_between(self.cell(), cell);
        self.world.cell(cell).is_some_and(|cell| cell.contains(there))
    }

    /// A sweep that nobody makes fact.
    pub(crate) fn sweep(&mut self, probe: &mut impl SweepProbe, by: [f32; 3]) -> Outcome {
        let from = self.position();
        let mut to = from;
        to.frame.origin += Vec3::from(by);
        let mover = self.body.mover(&self.world).unwrap();
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        sweeper.sweep(&mut self.scratch, probe, &mover, &from, &to)
    }

    /// A sweep, and its commit.
    pub(crate) fn step(&mut self, by: [f32; 3]) -> Outcome {
        self.watch(&mut (), by)
    }

    /// A sweep that is watched, and its commit.
    pub(crate) fn watch(&mut self, probe: &mut impl SweepProbe, by: [f32; 3]) -> Outcome {
        let outcome = self.sweep(probe, by);
        self.events = commit(&mut self.world, &mut self.body, &outcome).unwrap();
        outcome
    }

    /// The same step many times.
    pub(crate) fn steps(&mut self, count: usize, by: [f32; 3]) -> &mut Self {
        for _ in 0..count {
            let _ = self.step(by);
        }
        self
    }
}

/// The cells of an outcome, in order.
pub(crate) fn cells(outcome: &Outcome) -> Vec<CellId> {
    outcome.cells.iter().map(|entry| entry.cell).collect()
}

/// Checks where a body is, to a tenth of a millimetre.
#[track_caller]
pub(crate) fn check_at(walk: &Walk, cell: u32, at: [f32; 3]) {
    let (position, want) = (walk.position(), Vec3::from(at));
    let near = position.frame.origin.distance(want) < 1e-4;
    assert!(
        position.cell == CellId(cell) && near,
        "{} {:?} instead of {} {at:?}",
        position.cell,
        position.frame.origin.to_array(),
        CellId(cell)
    );
}

/// Everything that a sweep tells those who watch it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Seen {
    SubStep,
    Asked(CellId, Insert),
    Listed(Vec<CellId>, Option<CellId>),
    Validated(Insert, Position),
}

#[derive(Debug, Default)]
pub(crate) struct Trace(pub(crate) Vec<Seen>);

impl Trace {
    /// Who was asked, with the answers.
    pub(crate) fn asked(&self) -> Vec<(CellId, Insert)> {
        let asked = |seen: &Seen| match seen {
            Seen::Asked(cell, answer) => Some((*cell, *answer)),
            _ => None,
        };
        self.0.iter().filter_map(asked).collect()
    }

    /// The lists that were made, with what was picked.
    pub(crate) fn lists(&self) -> Vec<(Vec<CellId>, Option<CellId>)> {
        let list = |seen: &Seen| match seen {
            Seen::Listed(cells, picked) => Some((cells.clone(), *picked)),
            _ => None,
        };
        self.0.iter().filter_map(list).collect()
    }

    /// How the sub-steps ended, and where.
    pub(crate) fn validated(&self) -> Vec<(Insert, Position)> {
        let validated = |seen: &Seen| match seen {
            Seen::Validated(answer, at) => Some((*answer, *at)),
            _ => None,
        };
        self.0.iter().filter_map(validated).collect()
    }
}

impl SweepProbe for Trace {
    fn on_event(&mut self, event: SweepEvent<'_>) {
        let seen = match event {
            SweepEvent::SubStepMoved { .. } => Seen::SubStep,
            SweepEvent::StageEnded(Ending::Cell(cell, answer)) => Seen::Asked(cell, answer),
            SweepEvent::CellsListed { cells, picked, .. } => {
                Seen::Listed(cells.iter().map(|entry| entry.cell).collect(), picked)
            }
            SweepEvent::SubStepEnded { answer, at, .. } => Seen::Validated(answer, *at),
            _ => return,
        };
        self.0.push(seen);
    }
}
