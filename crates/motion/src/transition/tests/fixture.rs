//! What the worked examples share.

use std::sync::{Arc, LazyLock};

use threshold_dat::{self as dat, RecordSet, Records, RegionDesc};
use threshold_forge::{Forge, MOVER, ObjectSpec, Plan, RoomSpec};
use threshold_geom::{Cylinder, FLOOR_Z, LANDING_Z};
use threshold_land::glam::Vec3;
use threshold_land::{BlockId, CellId, Frame, Plane, Position, Sphere};
use threshold_world::{Builder, REGION, Setup, World};

use super::super::Transition;
use super::super::collision_info::ContactPlane;
use super::super::sweep_path::{InsertType, SweepPosition};
use crate::flags::Flags;
use crate::mover::{Mover, MoverShape};
use crate::outcome::Insert;
use crate::sweep::{SweepScratch, Sweeper};

/// The landblock of the examples.
pub(super) const BLOCK: BlockId = BlockId(0xA9B4);
/// Its first land cell.
pub(super) const FIELD: CellId = CellId(0xA9B4_0001);
/// The room of [`void`].
pub(super) const VOID: CellId = CellId(0xA9B4_0100);

/// Single precision, to the digits that the examples print.
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

/// One room of a kilometre around the origin: whatever happens in its middle meets nothing of it.
pub(super) fn void() -> &'static World {
    static WORLD: LazyLock<World> = LazyLock::new(new_void);
    &WORLD
}

/// One of one's own, to put bodies into.
pub(super) fn new_void() -> World {
    let mut plan = Plan::new();
    plan.room(RoomSpec::cuboid([-500.0; 3], [500.0; 3]));
    let mut forge = Forge::new();
    forge.block(BLOCK).dungeon(Frame::IDENTITY, plan);
    whole(forge.finish().unwrap().into_records())
}

/// A landblock whose corners are so high, in metres.
pub(super) fn land(height: impl Fn(usize, usize) -> f32) -> World {
    land_of(height, |_, _| 0)
}

/// The same, with kinds of ground.
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

/// Landblocks that are level at 0.
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

/// What has these shapes and no other, and steps 0.6 m up and 1.5 m down.
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

/// A box with a physics tree that stands on its origin.
pub(super) fn platform(size: [f32; 3]) -> Arc<Setup> {
    let mut forge = Forge::new();
    let id = forge.object(ObjectSpec::cuboid(size));
    Builder::new(forge.finish().unwrap()).setup(id).unwrap()
}

/// How a mover is, and what it is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct TestSetup {
    pub(super) spheres: &'static [Sphere],
    pub(super) step_up: f32,
    pub(super) flags: Flags,
    /// What it stands on.
    pub(super) ground: Option<Plane>,
    /// What it last stood on.
    pub(super) last: Option<Plane>,
    /// It looks for ground so far below.
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

/// It stands on the plane z = 0.
pub(super) const STANDING: TestSetup = TestSetup {
    flags: Flags::CONTACT,
    ground: Some(level(0.0)),
    last: Some(level(0.0)),
    ..AIRBORNE
};

/// Everything that a transition borrows.
pub(super) struct Fixture<'w> {
    pub(super) sweeper: Sweeper<'w>,
    pub(super) mover: Mover,
    how: TestSetup,
    scratch: SweepScratch,
    probe: (),
}

impl<'w> Fixture<'w> {
    pub(super) fn new(world: &'w World, how: TestSetup) -> Self {
        let mover = Mover::new(MoverShape::new(how.spheres, how.step_up, 1.5));
        let (sweeper, scratch) = (Sweeper::new(world), SweepScratch::new());
        Self { sweeper, mover, how, scratch, probe: () }
    }

    /// A transition that was at `from` and tries `to`. In a cell that is not resident the void stands in.
    pub(super) fn begin(&mut self, from: Position, to: Position) -> Transition<'_, ()> {
        let (world, how) = (self.sweeper.world, self.how);
        let cell = |id: CellId| world.cell(id).or_else(|| world.cell(VOID));
        let mut t = Transition::new(
            &self.sweeper,
            (&mut self.scratch, &mut self.probe),
            &self.mover,
            (&from, &to),
            cell(from.cell).unwrap(),
        );
        t.path.set_check(SweepPosition::new(&self.mover.shape, to, cell(to.cell)));
        t.flags = t.flags | how.flags;
        let floor = |plane| ContactPlane { valid: true, plane, cell: CellId(0), water: false };
        t.contact.plane = how.ground.map_or(t.contact.plane, floor);
        t.contact.last_plane = how.last.map_or(t.contact.last_plane, floor);
        let step = &mut t.path.step;
        (step.seeking_landing, step.checking_walkable) =
            (how.seeking_landing, how.checking_walkable);
        (step.down, step.amount) = (how.down.is_some(), how.down.unwrap_or(0.0));
        step.allowance = if how.seeking_landing { LANDING_Z } else { FLOOR_Z };
        if how.placement {
            t.path.insert = InsertType::Placement;
        }
        t
    }
}

/// What a transition has come to, as far as obstacles change it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObservedState {
    answer: Insert,
    at: Vec3,
    hit: Option<Vec3>,
    ground: Option<(Plane, bool)>,
    left: f32,
    seeking_landing: bool,
    up_normal: Vec3,
    allowance: f32,
    behind: Option<(bool, Vec3)>,
    environment: bool,
}

/// What an example names; all else must be as it was.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expected {
    /// It was moved so far.
    Moved([f32; 3]),
    /// It ran into something with this normal.
    Hit([f32; 3]),
    /// It stands on this plane, which pushes it up.
    Stands([f32; 3], f32),
    /// It stands on this plane, which does not.
    OnTop([f32; 3], f32),
    /// It does not know any more what it stands on.
    NoGround,
    /// So much is left of the way down.
    Left(f32),
    /// It looks for something to land on, having met this normal.
    Lands([f32; 3]),
    /// A step up was tried over this normal.
    StepUp([f32; 3]),
    /// Steeper is not ground.
    Allowance(f32),
    /// It touches something that it moves away from: whether to step up, and the normal turned round.
    DeferredHit(bool, [f32; 3]),
    /// It ran into ground or walls.
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
            left: step.interpolation,
            seeking_landing: step.seeking_landing,
            up_normal: step.up_normal,
            allowance: step.allowance,
            behind: t.path.deferred_hit.map(|behind| (behind.step_up, behind.normal)),
            environment: contact.hit_environment,
        }
    }

    /// What it should become.
    fn with(mut self, answer: Insert, wants: &[Expected]) -> Self {
        self.answer = answer;
        let plane = |normal: [f32; 3], d| Plane { normal: normal.into(), d };
        for want in wants {
            match *want {
                Expected::Moved(offset) => self.at += Vec3::from(offset),
                Expected::Hit(normal) => self.hit = Some(normal.into()),
                Expected::Stands(normal, d) => self.ground = Some((plane(normal, d), false)),
                Expected::OnTop(normal, d) => self.ground = Some((plane(normal, d), true)),
                Expected::NoGround => self.ground = None,
                Expected::Left(left) => self.left = left,
                Expected::Lands(normal) => {
                    (self.seeking_landing, self.up_normal) = (true, normal.into());
                    (self.left, self.allowance) = (1.0, LANDING_Z);
                }
                Expected::StepUp(normal) => self.up_normal = normal.into(),
                Expected::Allowance(allowance) => self.allowance = allowance,
                Expected::DeferredHit(step_up, normal) => {
                    self.behind = Some((step_up, normal.into()))
                }
                Expected::Environment => self.environment = true,
            }
        }
        self
    }

    /// Everything there is, as numbers.
    fn numbers(&self) -> [f32; 23] {
        let flag = |set: bool| f32::from(u8::from(set));
        let hit = self.hit.unwrap_or_default();
        let (plane, water) = self.ground.unwrap_or((level(0.0), false));
        let (step_up, behind) = self.behind.unwrap_or_default();
        let vectors = [self.at, hit, plane.normal, self.up_normal, behind];
        let rest = [
            flag(self.hit.is_some()),
            flag(self.ground.is_some()) + 2.0 * flag(water),
            plane.d,
            self.left,
            flag(self.seeking_landing),
            self.allowance,
            flag(self.behind.is_some()) + 2.0 * flag(step_up),
            flag(self.environment),
        ];
        let mut all = [0.0; 23];
        let numbers = vectors.iter().flat_map(|v| v.to_array()).chain(rest);
        all.iter_mut().zip(numbers).for_each(|(slot, number)| *slot = number);
        all
    }

    /// Holds what a transition has become to what an example says.
    #[track_caller]
    pub(super) fn check(
        self,
        (t, got): (&Transition<'_, ()>, Insert),
        (answer, wants): (Insert, &[Expected]),
        input: &str,
    ) {
        self.check_within(TOLERANCE, (t, got), (answer, wants), input);
    }

    #[track_caller]
    pub(super) fn check_within(
        self,
        tolerance: f32,
        (t, got): (&Transition<'_, ()>, Insert),
        (answer, wants): (Insert, &[Expected]),
        input: &str,
    ) {
        let (got, want) = (Self::new(t, got), self.with(answer, wants));
        let pairs = got.numbers().into_iter().zip(want.numbers());
        let near = pairs.into_iter().all(|(a, b)| (a - b).abs() <= tolerance);
        assert!(got.answer == want.answer && near, "{input}\n   got {got:?}\ninstead of {want:?}");
    }
}

/// Holds a vector to what an example says.
#[track_caller]
pub(super) fn check_near(got: Vec3, want: [f32; 3], input: &str) {
    check_within(TOLERANCE, got, want, input);
}

#[track_caller]
pub(super) fn check_within(tolerance: f32, got: Vec3, want: [f32; 3], input: &str) {
    let near = (got - Vec3::from(want)).abs().max_element() <= tolerance;
    assert!(near, "{input}: {got} instead of {want:?}");
}
