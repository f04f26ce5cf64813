//! A body that walks in a world.

use threshold_dat::{RecordId, Source};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Plane, Position, block_offset_between};
use threshold_motion::{
    Body, Events, Outcome, Rules, Stance, SweepProbe, SweepScratch, Sweeper, commit,
};
use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, State, World};

use crate::worlds::{load_all, sample_builder};

/// The setup of a mover in every sample world: two spheres of 0.48 m, steps 0.6 m up and 1.5 m down.
pub const MOVER: RecordId = RecordId(0x0200_0001);
/// The state of a walking creature: gravity, edge slides, collision reports.
pub const WALKER_STATE: State = State(0x0040_0408);
/// Distance of the mover's feet below its origin, in metres.
pub const FEET: f32 = 0.005;
/// The id of the body of a [`Walk`].
pub const WALKER: BodyId = BodyId(u32::MAX);

/// A world, and a body that walks in it.
#[derive(Debug)]
pub struct Walk {
    /// The world.
    pub world: World,
    /// Builder of its pieces.
    pub builder: Builder,
    /// The rules of every sweep.
    pub rules: Rules,
    /// The body that walks.
    pub body: Body,
    /// Events of the last commit.
    pub events: Events,
    /// SweepScratch of every sweep.
    pub scratch: SweepScratch,
}

impl Walk {
    /// Loads all of a world.
    pub fn new(builder: Builder) -> Self {
        let world = load_all(&builder);
        Self::in_world(world, builder)
    }

    /// Walks in a world as it is, perhaps with pieces that are not resident.
    pub fn in_world(world: World, builder: Builder) -> Self {
        Self {
            world,
            builder,
            rules: Rules::default(),
            body: Body::new(WALKER),
            events: Events::new(),
            scratch: SweepScratch::new(),
        }
    }

    /// Loads all of a sample world, `holt` or `dungeon`.
    pub fn sample(name: &str) -> Self {
        Self::new(sample_builder(name))
    }

    /// Loads all of a world from its records.
    pub fn from_source(source: impl Source + 'static) -> Self {
        Self::new(Builder::new(source))
    }

    /// Sets a rule, given as `name=value`.
    pub fn with_rule(mut self, rule: &str) -> Self {
        self.rules.set_text(rule).unwrap();
        self
    }

    /// Returns the spec of the usual mover at a place.
    pub fn spec(&self, cell: u32, at: [f32; 3]) -> BodySpec {
        BodySpec {
            body: WALKER,
            setup: self.builder.setup(MOVER).unwrap(),
            position: Position::new(CellId(cell), at.into()),
            scale: 1.0,
            state: WALKER_STATE,
            kind: ObjectKind::Creature,
        }
    }

    /// Inserts the body in the air, without a check for room.
    pub fn put(&mut self, spec: BodySpec) -> &mut Self {
        self.body = Body::new(spec.body);
        self.world.insert(spec);
        self
    }

    /// Inserts the usual mover in the air.
    pub fn put_in_air(&mut self, cell: u32, at: [f32; 3]) -> &mut Self {
        self.put(self.spec(cell, at))
    }

    /// Inserts the usual mover on level ground, [`FEET`] below its origin.
    pub fn put_on_ground(&mut self, cell: u32, at: [f32; 3]) -> &mut Self {
        self.put_in_air(cell, at);
        let ground = Plane { normal: Vec3::Z, d: FEET - at[2] };
        self.body.stance = Stance::on(ground, CellId(cell));
        self
    }

    /// Inserts another body: a creature of that setup, without state flags, that does not walk.
    pub fn add_creature(&mut self, number: u32, model: u32, place: (u32, [f32; 3])) -> BodyId {
        let setup = self.builder.setup(RecordId(model)).unwrap();
        let (body, state) = (BodyId(number), State::default());
        self.world.insert(BodySpec { body, setup, state, ..self.spec(place.0, place.1) });
        body
    }

    /// Returns the position of the body.
    pub fn position(&self) -> Position {
        *self.world.body(self.body.id).unwrap().position()
    }

    /// Returns the origin of the body in its landblock.
    pub fn at(&self) -> Vec3 {
        self.position().frame.origin
    }

    /// Returns the cell of the body.
    pub fn cell(&self) -> CellId {
        self.position().cell
    }

    /// Returns the centre of the first sphere, in the landblock of the body.
    pub fn centre(&self) -> Vec3 {
        let object = self.world.body(self.body.id).unwrap();
        let foot = object.setup().spheres[0].centre * object.scale();
        object.position().frame.to_global(foot)
    }

    /// Returns whether a cell contains the centre of the first sphere.
    pub fn is_in(&self, cell: CellId) -> bool {
        let there = self.centre() - block_offset_between(self.cell(), cell);
        self.world.cell(cell).is_some_and(|cell| cell.contains(there))
    }

    /// Sweeps the body and commits nothing.
    pub fn sweep(&mut self, probe: &mut impl SweepProbe, by: [f32; 3]) -> Outcome {
        let from = self.position();
        let mut to = from;
        to.frame.origin += Vec3::from(by);
        let mover = self.body.mover(&self.world).unwrap();
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        sweeper.sweep(&mut self.scratch, probe, &mover, &from, &to)
    }

    /// Sweeps the body and commits the outcome.
    pub fn step(&mut self, by: [f32; 3]) -> Outcome {
        self.step_with(&mut (), by)
    }

    /// Sweeps the body with a probe and commits the outcome.
    pub fn step_with(&mut self, probe: &mut impl SweepProbe, by: [f32; 3]) -> Outcome {
        let outcome = self.sweep(probe, by);
        self.events = commit(&mut self.world, &mut self.body, &outcome).unwrap();
        outcome
    }

    /// Takes the same step `count` times.
    pub fn steps(&mut self, count: usize, by: [f32; 3]) -> &mut Self {
        for _ in 0..count {
            let _ = self.step(by);
        }
        self
    }
}

/// Returns the cells of an outcome, in order.
pub fn outcome_cells(outcome: &Outcome) -> Vec<CellId> {
    outcome.cells.iter().map(|entry| entry.cell).collect()
}

/// Checks the position of a body, to a tenth of a millimetre.
#[track_caller]
pub fn check_at(walk: &Walk, cell: u32, at: [f32; 3]) {
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
