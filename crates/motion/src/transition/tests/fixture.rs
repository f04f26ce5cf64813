//! Shared parts of the worked examples.

use std::sync::{Arc, LazyLock};

use threshold_dat::{self as dat, RecordSet, Records, RegionDesc};
use threshold_forge::{Forge, MOVER, ObjectSpec, Plan, RoomSpec};
use threshold_geom::{Cylinder, FLOOR_Z, LANDING_Z};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Plane, Position, Sphere};
use threshold_world::{Builder, REGION, Setup, World};

use super::super::Transition;
use super::super::collision_info::ContactPlane;
use super::super::sweep_path::{InsertType, SweepPosition};
use crate::flags::Flags;
use crate::mover::{Mover, MoverShape};
use crate::outcome::Insert;
use crate::sweep::{SweepScratch, Sweeper};

/// Landblock of the examples.
pub(super) const BLOCK: BlockId = BlockId(0xA9B4);
/// Its first land cell.
pub(super) const FIELD: CellId = CellId(0xA9B4_0001);
/// The room of [`void`].
pub(super) const VOID: CellId = CellId(0xA9B4_0100);

/// Single precision, to the printed digits of the examples.
pub(super) const TOLERANCE: f32 = 1e-5;

pub(super) const FEET: Sphere = Sphere::new(Vec3::new(0.0, 0.0, 0.48), 0.48);
pub(super) const HEAD: Sphere = Sphere::new(Vec3::new(0.0, 0.0, 1.35), 0.48);

/// The plane of level ground.
pub(super) const fn level(z: f32) -> Plane {
    Plane { normal: Vec3::Z, d: -z }
}

pub(super) fn place(cell: CellId, at: [f32; 3]) -> Position {
    Position::new(cell, at.into())
}

pub(super) fn ball(centre: [f32; 3], radius: f32) -> Sphere {
    Sphere::new(centre.into(), radius)
}

pub(super) fn pillar(low: [f32; 3], height: f32, radius: f32) -> Cylinder {
    Cylinder { low: low.into(), radius, height }
}

/// A room of a kilometre around the origin; nothing in its middle touches it.
pub(super) fn void() -> &'static World {
    static WORLD: LazyLock<World> = LazyLock::new(new_void);
    &WORLD
}

/// A new [`void`] to insert bodies into.
pub(super) fn new_void() -> World {
    let mut plan = Plan::new();
    plan.room(RoomSpec::cuboid([-500.0; 3], [500.0; 3]));
    let mut forge = Forge::new();
    forge.block(BLOCK).dungeon(Frame::IDENTITY, plan);
    whole(forge.finish().unwrap().into_records())
}

/// A landblock with these corner heights, in metres.
pub(super) fn land(height: impl Fn(usize, usize) -> f32) -> World {
    land_of(height, |_, _| 0)
}

/// A landblock with these corner heights and terrain kinds.
pub(super) fn land_of(
    height: impl Fn(usize, usize) -> f32,
    kind: impl Fn(i32, i32) -> i32,
) -> World {
    let mut forge = Forge::new();
    // Every corner has a height of its own in the table.
    forge.block(BLOCK).heights(|x, y| 9 * x + y).terrain(kind);
    let mut records = forge.finish().unwrap().into_records();
    let mut region: RegionDesc = Records::new(&records).get(REGION).unwrap().unwrap();
    for (index, metres) in region.heights.iter_mut().enumerate().take(81) {
        *metres = height(index / 9, index % 9);
    }
    records.put(REGION, &region).unwrap();
    whole(records)
}

/// Level landblocks at height 0.
pub(super) fn flat(blocks: &[u16]) -> World {
    let mut forge = Forge::new();
    for block in blocks {
        forge.block(BlockId(*block));
    }
    whole(forge.finish().unwrap().into_records())
}

fn whole(records: RecordSet) -> World {
    let builder = Builder::new(records);
    let mut world = World::new();
    for piece in builder.pieces() {
        world.adopt(builder.build(piece).unwrap().unwrap().piece);
    }
    world
}

/// A setup with these shapes that steps 0.6 m up and 1.5 m down.
pub(super) fn setup(spheres: &[Sphere], cylinders: &[Cylinder]) -> Arc<Setup> {
    let mut records = Forge::new().finish().unwrap().into_records();
    let mut record: dat::SetupRecord = Records::new(&records).get(MOVER).unwrap().unwrap();
    let cylinder =
        |c: &Cylinder| dat::SetupCylinder { low_point: c.low, radius: c.radius, height: c.height };
    record.spheres = spheres.into();
    record.cylinders = cylinders.iter().map(cylinder).collect();
    record.free_heading = false;
    records.put(MOVER, &record).unwrap();
    Builder::new(records).setup(MOVER).unwrap()
}

/// A box with a physics tree; its origin is the centre of its base.
pub(super) fn platform(size: [f32; 3]) -> Arc<Setup> {
    let mut forge = Forge::new();
    let id = forge.object(ObjectSpec::cuboid(size));
    Builder::new(forge.finish().unwrap()).setup(id).unwrap()
}

/// State of a mover and its current step.
#[derive(Clone, Copy, Debug)]
pub(super) struct TestSetup {
    pub(super) spheres: &'static [Sphere],
    pub(super) step_up: f32,
    pub(super) flags: Flags,
    /// Contact plane.
    pub(super) ground: Option<Plane>,
    /// Last contact plane.
    pub(super) last: Option<Plane>,
    /// Depth of the ground search.
    pub(super) down: Option<f32>,
    pub(super) seeking_landing: bool,
    pub(super) checking_walkable: bool,
    pub(super) placement: bool,
}

pub(super) const AIRBORNE: TestSetup = TestSetup {
    spheres: &[FEET, HEAD],
    step_up: 0.6,
    flags: Flags::NONE,
    ground: None,
    last: None,
    down: None,
    seeking_landing: false,
    checking_walkable: false,
    placement: false,
};

/// A mover standing on the plane z = 0.
pub(super) const STANDING: TestSetup = TestSetup {
    flags: Flags::CONTACT,
    ground: Some(level(0.0)),
    last: Some(level(0.0)),
    ..AIRBORNE
};

/// The values that a transition borrows.
pub(super) struct Fixture<'w> {
    pub(super) sweeper: Sweeper<'w>,
    pub(super) mover: Mover,
    setup_of_test: TestSetup,
    scratch: SweepScratch,
    probe: (),
}

impl<'w> Fixture<'w> {
    pub(super) fn new(world: &'w World, setup_of_test: TestSetup) -> Self {
        let mover = Mover::new(MoverShape::new(setup_of_test.spheres, setup_of_test.step_up, 1.5));
        let (sweeper, scratch) = (Sweeper::new(world), SweepScratch::new());
        Self { sweeper, mover, setup_of_test, scratch, probe: () }
    }

    /// A transition from `from` that tries `to`. In a cell that is not resident it uses the void.
    pub(super) fn begin(&mut self, from: Position, to: Position) -> Transition<'_, ()> {
        let (world, setup_of_test) = (self.sweeper.world, self.setup_of_test);
        let cell = |id: CellId| world.cell(id).or_else(|| world.cell(VOID));
        let mut t = Transition::new(
            &self.sweeper,
            &mut self.scratch,
            &mut self.probe,
            &self.mover,
            &from,
            &to,
            cell(from.cell).unwrap(),
        );
        t.path.set_check(SweepPosition::new(&self.mover.shape, to, cell(to.cell)));
        t.flags = t.flags | setup_of_test.flags;
        let contact_plane =
            |plane| ContactPlane { valid: true, plane, cell: CellId(0), water: false };
        t.contact.plane = setup_of_test.ground.map_or(t.contact.plane, contact_plane);
        t.contact.last_plane = setup_of_test.last.map_or(t.contact.last_plane, contact_plane);
        let step = &mut t.path.step;
        (step.seeking_landing, step.checking_walkable) =
            (setup_of_test.seeking_landing, setup_of_test.checking_walkable);
        (step.down, step.amount) =
            (setup_of_test.down.is_some(), setup_of_test.down.unwrap_or(0.0));
        step.allowance = if setup_of_test.seeking_landing { LANDING_Z } else { FLOOR_Z };
        if setup_of_test.placement {
            t.path.insert = InsertType::Placement;
        }
        t
    }
}

/// The state of a transition that obstacles can change.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObservedState {
    answer: Insert,
    at: Vec3,
    hit: Option<Vec3>,
    ground: Option<(Plane, bool)>,
    remaining: f32,
    seeking_landing: bool,
    up_normal: Vec3,
    allowance: f32,
    deferred_hit: Option<(bool, Vec3)>,
    hit_environment: bool,
}

/// A change that an example expects; everything else must be unchanged.
#[derive(Clone, Copy, Debug)]
pub(super) enum ExpectedChange {
    /// It was moved by this offset.
    Moved([f32; 3]),
    /// It hit a surface with this normal.
    Hit([f32; 3]),
    /// This contact plane, which pushes it up.
    Stands([f32; 3], f32),
    /// This contact plane, which does not push it up.
    OnTop([f32; 3], f32),
    /// The contact plane was cleared.
    NoGround,
    /// Remaining fraction of the step down.
    Remaining(f32),
    /// It seeks a landing, having hit this normal.
    Lands([f32; 3]),
    /// A step up was tried against this normal.
    StepUp([f32; 3]),
    /// Minimum z of a walkable normal.
    Allowance(f32),
    /// A deferred hit: whether to step up, and the reversed normal.
    DeferredHit(bool, [f32; 3]),
    /// It hit ground or walls.
    Environment,
}

impl ObservedState {
    pub(super) fn new(t: &Transition<'_, ()>, answer: Insert) -> Self {
        let (contact, step) = (&t.contact, &t.path.step);
        Self {
            answer,
            at: t.path.check.position.frame.origin,
            hit: contact.hit.valid.then_some(contact.hit.normal),
            ground: contact.plane.valid.then_some((contact.plane.plane, contact.plane.water)),
            remaining: step.interpolation,
            seeking_landing: step.seeking_landing,
            up_normal: step.up_normal,
            allowance: step.allowance,
            deferred_hit: t
                .path
                .deferred_hit
                .map(|deferred_hit| (deferred_hit.step_up, deferred_hit.normal)),
            hit_environment: contact.hit_environment,
        }
    }

    /// Returns the expected state.
    fn with(mut self, answer: Insert, expected: &[ExpectedChange]) -> Self {
        self.answer = answer;
        let plane = |normal: [f32; 3], d| Plane { normal: normal.into(), d };
        for change in expected {
            match *change {
                ExpectedChange::Moved(offset) => self.at += Vec3::from(offset),
                ExpectedChange::Hit(normal) => self.hit = Some(normal.into()),
                ExpectedChange::Stands(normal, d) => self.ground = Some((plane(normal, d), false)),
                ExpectedChange::OnTop(normal, d) => self.ground = Some((plane(normal, d), true)),
                ExpectedChange::NoGround => self.ground = None,
                ExpectedChange::Remaining(remaining) => self.remaining = remaining,
                ExpectedChange::Lands(normal) => {
                    (self.seeking_landing, self.up_normal) = (true, normal.into());
                    (self.remaining, self.allowance) = (1.0, LANDING_Z);
                }
                ExpectedChange::StepUp(normal) => self.up_normal = normal.into(),
                ExpectedChange::Allowance(allowance) => self.allowance = allowance,
                ExpectedChange::DeferredHit(step_up, normal) => {
                    self.deferred_hit = Some((step_up, normal.into()))
                }
                ExpectedChange::Environment => self.hit_environment = true,
            }
        }
        self
    }

    /// Returns all values as numbers.
    fn numbers(&self) -> [f32; 23] {
        let flag = |set: bool| f32::from(u8::from(set));
        let hit = self.hit.unwrap_or_default();
        let (plane, water) = self.ground.unwrap_or((level(0.0), false));
        let (step_up, deferred_hit) = self.deferred_hit.unwrap_or_default();
        let vectors = [self.at, hit, plane.normal, self.up_normal, deferred_hit];
        let rest = [
            flag(self.hit.is_some()),
            flag(self.ground.is_some()) + 2.0 * flag(water),
            plane.d,
            self.remaining,
            flag(self.seeking_landing),
            self.allowance,
            flag(self.deferred_hit.is_some()) + 2.0 * flag(step_up),
            flag(self.hit_environment),
        ];
        let mut all = [0.0; 23];
        let numbers = vectors.iter().flat_map(|v| v.to_array()).chain(rest);
        all.iter_mut().zip(numbers).for_each(|(slot, number)| *slot = number);
        all
    }

    /// Compares a transition with the expectation of an example.
    #[track_caller]
    pub(super) fn check(
        self,
        (t, got): (&Transition<'_, ()>, Insert),
        (answer, expected): (Insert, &[ExpectedChange]),
        input: &str,
    ) {
        self.check_within(TOLERANCE, (t, got), (answer, expected), input);
    }

    #[track_caller]
    pub(super) fn check_within(
        self,
        tolerance: f32,
        (t, got): (&Transition<'_, ()>, Insert),
        (answer, expected): (Insert, &[ExpectedChange]),
        input: &str,
    ) {
        let (got, want) = (Self::new(t, got), self.with(answer, expected));
        let pairs = got.numbers().into_iter().zip(want.numbers());
        let near = pairs.into_iter().all(|(a, b)| (a - b).abs() <= tolerance);
        assert!(got.answer == want.answer && near, "{input}\n   got {got:?}\ninstead of {want:?}");
    }
}

/// Compares a vector with the expectation of an example.
#[track_caller]
pub(super) fn check_near(got: Vec3, want: [f32; 3], input: &str) {
    check_within(TOLERANCE, got, want, input);
}

#[track_caller]
pub(super) fn check_within(tolerance: f32, got: Vec3, want: [f32; 3], input: &str) {
    let near = (got - Vec3::from(want)).abs().max_element() <= tolerance;
    assert!(near, "{input}: {got} instead of {want:?}");
}
