//! Bodies that wander at random through the sample, built-in and random worlds: all numbers are finite, no body is below the
//! ground, outside the walls or lost without a reason, and every run is the same to the bit, with and without shortcuts.
//!
//! A million steps in the samples and a quarter of that in made worlds; with `THRESHOLD_SOAK` set, ten times as many in each.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use std::cell::Cell;
use std::collections::BTreeSet;
use threshold_testkit::{
    FEET, MOVER, Random, WALKER_STATE,
    forged::{self, ForgedWorld},
    load_all, sample_builder,
};

use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BlockId, CellId, Position, Sphere};
use threshold_motion::{Body, Insert, Outcome, Shortcuts, Stance, SweepScratch, Sweeper, commit};
use threshold_world::{
    BodyId, BodySpec, Builder, CellArray, CellSearch, Object, ObjectKind, Portal, Room, World,
};

/// Number of bodies.
const CROWD: u32 = 25;

fn soak() -> bool {
    std::env::var_os("THRESHOLD_SOAK").is_some()
}

/// Returns a number of steps, ten times as many in a soak.
fn scaled(steps: usize) -> usize {
    if soak() { 10 * steps } else { steps }
}

/// Steps in each of the two samples, in the built-in world with each seed, and in each random world.
const SAMPLE_STEPS: usize = 500_000;
const BUILTIN_STEPS: usize = 40_000;
const RANDOM_STEPS: usize = 20_000;

/// A body that wanders.
struct Wanderer {
    body: Body,
    scale: f32,
    heading: Vec2,
    /// Ticks left to rise.
    rises: usize,
    /// Kept from step to step, with its caches.
    scratch: SweepScratch,
}

struct WanderingCrowd {
    world: World,
    builder: Builder,
    random: Random,
    wanderers: Vec<Wanderer>,
    /// For sweeps without shortcuts.
    plain: SweepScratch,
    sweeps: u64,
    /// Positions at which bodies start.
    starts: Vec<Position>,
    checksum: u64,
    /// Number of bodies that walked off the map.
    lost: usize,
    /// Number of steps after which a body was registered in the cells of a step that was only tried.
    tried: Cell<usize>,
    /// Every cell that a body was in.
    visited: BTreeSet<CellId>,
}

impl WanderingCrowd {
    fn new(builder: Builder, starts: impl FnOnce(&World) -> Vec<Position>, seed: u64) -> Self {
        let world = load_all(&builder);
        let starts = starts(&world);
        let mut crowd = Self {
            world,
            builder,
            random: Random(seed),
            wanderers: Vec::new(),
            plain: SweepScratch::with_shortcuts(Shortcuts::NONE),
            sweeps: 0,
            starts,
            checksum: 0xCBF2_9CE4_8422_2325,
            lost: 0,
            tried: Cell::new(0),
            visited: BTreeSet::new(),
        };
        for number in 0..CROWD {
            let scale = 0.5 + number as f32 / (CROWD - 1) as f32;
            let body = Body::new(BodyId(number));
            let scratch = SweepScratch::new();
            let wanderer = Wanderer { body, scale, heading: Vec2::X, rises: 0, scratch };
            crowd.wanderers.push(wanderer);
            crowd.begin(number as usize);
        }
        crowd
    }

    /// Starts a body at a random position and lowers it until it stands.
    fn begin(&mut self, index: usize) {
        loop {
            let position = self.starts[self.random.below(self.starts.len())];
            let setup = self.builder.setup(MOVER).unwrap();
            let Wanderer { body, scale, .. } = &mut self.wanderers[index];
            let (number, scale) = (body.id, *scale);
            *body = Body::new(number);
            let kind = ObjectKind::Creature;
            let spec = BodySpec { body: number, setup, position, scale, state: WALKER_STATE, kind };
            self.world.insert(spec);
            let landing = (0..10)
                .map(|_| self.sweep(index, Vec3::new(0.0, 0.0, -0.1)))
                .find(|outcome| outcome.stance.on_walkable || outcome.cell.is_none());
            if landing.is_some_and(|o| o.stationary_fall == 0 && o.cell.is_some()) {
                return;
            }
        }
    }

    /// Sweeps and commits. Checks that the sweep is the same without shortcuts, and at times with a probe.
    fn sweep(&mut self, index: usize, by: Vec3) -> Outcome {
        let Wanderer { body, scratch, .. } = &mut self.wanderers[index];
        let from = *self.world.body(body.id).unwrap().position();
        let mut to = from;
        to.frame.origin += by;
        let mover = body.mover(&self.world).unwrap();
        let sweeper = Sweeper::new(&self.world);
        let outcome = sweeper.sweep(scratch, &mut (), &mover, &from, &to);
        self.sweeps += 1;
        let again = if self.sweeps.is_multiple_of(8) {
            let mut events: Vec<(CellId, Insert)> = Vec::new();
            sweeper.sweep(&mut self.plain, &mut events, &mover, &from, &to)
        } else {
            sweeper.sweep(&mut self.plain, &mut (), &mover, &from, &to)
        };
        assert!(outcome.is_identical(&again), "{from:?} by {by}: {outcome:?} and {again:?}");
        commit(&mut self.world, body, &outcome).unwrap();
        outcome
    }

    /// Returns the next movement of a body.
    fn next_movement(&mut self, index: usize) -> Vec3 {
        let (random, wanderer) = (&mut self.random, &mut self.wanderers[index]);
        let mut part = |low: f64, high: f64| random.between(low, high) as f32;
        if part(0.0, 30.0) < 1.0 || wanderer.heading == Vec2::ZERO {
            wanderer.heading = Vec2::new(part(-1.0, 1.0), part(-1.0, 1.0)).normalize_or_zero();
        }
        let pace = part(0.05, 1.2);
        let aside = Vec2::new(part(-0.3, 0.3), part(-0.3, 0.3));
        let level = (wanderer.heading + aside) * pace;
        if part(0.0, 150.0) < 1.0 {
            // Drops its contact plane, to fall or to leap.
            wanderer.body.stance = Stance::default();
            wanderer.rises = random.below(6);
        }
        let rise = if wanderer.rises > 0 {
            wanderer.rises -= 1;
            0.3
        } else if wanderer.body.stance.contact {
            0.0
        } else {
            -random.between(0.05, 0.6) as f32
        };
        (level * if rise == 0.0 { 1.0 } else { 0.3 }).extend(rise)
    }

    fn fold(&mut self, position: &Position) {
        let Vec3 { x, y, z } = position.frame.origin;
        for bits in [position.cell.0, x.to_bits(), y.to_bits(), z.to_bits()] {
            self.checksum = (self.checksum ^ u64::from(bits)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    fn object(&self, index: usize) -> &Object {
        self.world.body(self.wanderers[index].body.id).unwrap()
    }

    fn centre(&self, index: usize) -> Vec3 {
        let object = self.object(index);
        let foot = object.setup().spheres[0].centre * object.scale();
        object.position().frame.to_global(foot)
    }

    /// Returns the cells that a body touches at a position, raised by a height at natural size.
    fn touched(&self, index: usize, position: &Position, higher: f32) -> BTreeSet<CellId> {
        let object = self.object(index);
        let placed = |s: &Sphere| {
            let centre = position.frame.to_global((s.centre + Vec3::Z * higher) * object.scale());
            Sphere::new(centre, s.radius * object.scale())
        };
        let spheres: Vec<Sphere> = object.setup().spheres.iter().map(placed).collect();
        let mut array = CellArray::new();
        let _ = CellSearch::new(&self.world).spheres(position, &spheres, &mut array);
        array.ids().collect()
    }

    /// Moves the bodies in turn. `check` tests each step that ended in a cell, and `explains` returns whether the loss of a body
    /// has a known reason.
    fn wander(
        &mut self,
        steps: usize,
        check: fn(&Self, usize, &Outcome),
        explains: fn(&World, &Stance, &Outcome) -> bool,
    ) {
        for step in 0..steps {
            let index = step % self.wanderers.len();
            let movement = self.next_movement(index);
            let before = *self.object(index).position();
            let stance = self.wanderers[index].body.stance;
            let outcome = self.sweep(index, movement);
            let position = outcome.position;
            assert!(position.frame.origin.is_finite(), "step {step}: {before:?} by {movement}");
            self.fold(&position);
            if outcome.cell.is_some() {
                self.visited.insert(position.cell);
                check(self, index, &outcome);
                continue;
            }
            let scale = self.wanderers[index].scale;
            assert!(
                explains(&self.world, &stance, &outcome),
                "step {step}: lost from {before:?} by {movement}, scale {scale}: {outcome:?}"
            );
            self.lost += 1;
            self.begin(index);
        }
    }
}

/// Returns starts a step into the room from every upright portal between rooms.
fn beside_portals(world: &World) -> Vec<Position> {
    let blocks: BTreeSet<BlockId> = world.resident().map(|piece| piece.block()).collect();
    let rooms = blocks.into_iter().flat_map(|block| world.rooms(block));
    let portals = rooms.flat_map(|room| room.portals().iter().map(move |portal| (room, portal)));
    let start = |(room, portal): (&Room, &Portal)| {
        let corners = room.portal_polygon(portal).vertices;
        let middle = corners.iter().sum::<Vec3>() / corners.len() as f32;
        let low = corners.iter().map(|v| room.to_block(*v).z).fold(f32::INFINITY, f32::min);
        let beside = [0.9, -0.9].map(|off| room.to_block(middle + portal.plane.normal * off));
        let within = |at: &Vec3| room.contains(at.with_z(low + 0.8));
        let at = beside.into_iter().find(within).filter(|_| portal.other.is_some())?;
        Some(Position::new(room.id(), at.with_z(low + 0.3)))
    };
    portals.filter_map(start).collect()
}

/// Returns starts in the middle of land cells without a building, half a metre up, and indoors.
fn everywhere(world: &World, blocks: &[BlockId]) -> Vec<Position> {
    let mut starts = beside_portals(world);
    for block in blocks.iter().copied() {
        let land = world.land(block).unwrap();
        for index in 0..64 {
            let cell = land.cell(index).unwrap();
            let middle = cell.position().frame.origin;
            let height = land.terrain().height(middle.truncate()).unwrap();
            if cell.building().is_none() {
                starts.push(Position::new(cell.id(), middle.with_z(height + 0.5)));
            }
        }
    }
    starts
}

/// Checks that a body is in its room, and registered in the cells that it touches.
fn check_room(crowd: &WanderingCrowd, index: usize, outcome: &Outcome) {
    let cell = crowd.world.cell(outcome.position.cell).unwrap();
    assert!(cell.contains(crowd.centre(index)), "{outcome:?}");
    check_cells(crowd, index, outcome);
}

/// Checks that a body is not under the ground by more than the depth of the water; indoors as `check_room`.
fn check_ground(crowd: &WanderingCrowd, index: usize, outcome: &Outcome) {
    let cell = outcome.position.cell;
    let Some(land) = crowd.world.land_cell(cell) else { return check_room(crowd, index, outcome) };
    let low = outcome.position.frame.origin - Vec3::Z * FEET * crowd.wanderers[index].scale;
    let at = low.truncate();
    let Some(ground) = land.ground(at) else { panic!("not over its cell: {outcome:?}") };
    let under = -ground.plane.distance(low);
    assert!(under < land.water_depth(at) + 0.01, "{under} m under the ground: {outcome:?}");
    check_cells(crowd, index, outcome);
}

/// Checks that a body is registered in the cells that it touches. Retail oddity: these may be the cells of a step up or down
/// that was tried and undone.
fn check_cells(crowd: &WanderingCrowd, index: usize, outcome: &Outcome) {
    if outcome.refused.is_some() {
        return;
    }
    let object = crowd.object(index);
    let sorted = |cells: &mut dyn Iterator<Item = CellId>| cells.collect::<BTreeSet<_>>();
    let listed = sorted(&mut outcome.cells.iter().map(|entry| entry.cell));
    let registered = sorted(&mut object.cells().iter().map(|registered| registered.cell));
    assert_eq!(registered, listed);
    let touched = crowd.touched(index, &outcome.position, 0.0);
    if listed != touched {
        let (up, down) = (object.setup().step_up, object.setup().step_down);
        let heights = (0..=200).map(|part| up - (up + down) * part as f32 / 200.0);
        let mut tried = heights.map(|higher| crowd.touched(index, &outcome.position, higher));
        assert!(tried.any(|tried| tried == listed), "{listed:?} {touched:?}: {outcome:?}");
        crowd.tried.set(crowd.tried.get() + 1);
    }
}

/// Explains losses beyond the edge of the resident cells.
fn is_off_the_map(world: &World, _: &Stance, outcome: &Outcome) -> bool {
    !world.is_resident(outcome.position.cell)
}

/// Explains losses through the floor as well, from the side of another body's head: a body that touches a surface too steep to
/// stand on and moves away is let down onto its plane, however far that is. It happens once in ten million steps in rooms.
fn is_let_down(world: &World, stance: &Stance, outcome: &Outcome) -> bool {
    let touches = stance.contact && !stance.on_walkable && stance.plane.normal.z < 0.2;
    // A body that ends right on the border is reported in the last cell of the map, with the next one not resident.
    touches || !outcome.missed.is_empty() || is_off_the_map(world, stance, outcome)
}

fn dungeon() -> WanderingCrowd {
    let mut crowd = WanderingCrowd::new(sample_builder("dungeon"), beside_portals, 5);
    crowd.wander(scaled(SAMPLE_STEPS), check_room, |_, _, _| false);
    crowd
}

fn town() -> WanderingCrowd {
    let blocks = [0xA9B3, 0xA9B4, 0xA9B5, 0xAAB4, 0xA8B3, 0xAAB3].map(BlockId);
    let mut crowd =
        WanderingCrowd::new(sample_builder("holt"), |world| everywhere(world, &blocks), 6);
    crowd.wander(scaled(SAMPLE_STEPS), check_ground, is_off_the_map);
    crowd
}

/// Maximum height of a start, in metres: the mountains round the built-in world are 100 m high and more.
const VALLEY: f32 = 90.0;

/// Lets a crowd wander in a made world with land. As many bodies start indoors as in the streets.
fn country(forged: &ForgedWorld, steps: usize) -> WanderingCrowd {
    let starts = |world: &World| {
        let blocks: Vec<BlockId> = world.blocks_with_buildings().map(|land| land.block()).collect();
        let (mut starts, indoors) = (everywhere(world, &blocks), beside_portals(world));
        starts.retain(|start| start.frame.origin.z < VALLEY);
        starts.extend(indoors.iter().cycle().take(starts.len().saturating_sub(2 * indoors.len())));
        starts
    };
    let mut crowd = WanderingCrowd::new(forged.builder(), starts, forged.seed);
    crowd.wander(scaled(steps), check_ground, is_let_down);
    crowd
}

fn own_world() -> WanderingCrowd {
    country(&forged::builtins()[0], BUILTIN_STEPS)
}

/// Runs a crowd twice and compares; without a soak, also with a known checksum.
#[track_caller]
fn check_twice(run: fn() -> WanderingCrowd, known: u64) -> WanderingCrowd {
    let (first, second) = (run(), run());
    assert_eq!(first.checksum, second.checksum);
    if !soak() {
        assert_eq!(first.checksum, known, "{:#018X}", first.checksum);
    }
    first
}

#[test]
fn no_body_gets_out_of_the_sealed_dungeon() {
    let crowd = check_twice(dungeon, 0x7462_BBB0_2F71_79E0);
    assert_eq!((crowd.lost, crowd.tried.get()), (0, 0));
    assert!(crowd.visited.len() >= 70, "{} of 82 rooms", crowd.visited.len());
}

#[test]
fn no_body_in_the_town_gets_under_the_ground() {
    let crowd = check_twice(town, 0xD1B5_0FCE_9BA0_DDC8);
    let indoors = crowd.visited.iter().filter(|cell| cell.is_indoor()).count();
    assert!(crowd.visited.len() - indoors >= 200, "{} land cells", crowd.visited.len() - indoors);
    assert!(indoors >= 25 && crowd.tried.get() == 0, "{indoors} rooms, {:?}", crowd.tried);
    assert!(crowd.lost < scaled(SAMPLE_STEPS) / 1000, "{} walked off the map", crowd.lost);
}

#[track_caller]
fn check_country(name: &str, crowd: &WanderingCrowd, rooms: usize, lost: usize) {
    let indoors = crowd.visited.iter().filter(|cell| cell.is_indoor()).count();
    let outdoors = crowd.visited.len() - indoors;
    assert!(indoors >= rooms && outdoors >= 60, "{name}: {indoors} rooms, {outdoors} land cells");
    assert!(crowd.lost <= lost, "{name}: {} walked off the map", crowd.lost);
    let tried = crowd.tried.get();
    assert!(tried <= scaled(2), "{name}: {tried} registered where they only tried to step");
}

#[test]
fn no_body_gets_out_of_the_built_in_world() {
    // Mountains surround the world: few leaping bodies come to its edge.
    let edge = scaled(BUILTIN_STEPS) / 20_000;
    let crowd = check_twice(own_world, 0xF58F_DFEC_72BE_E6E1);
    check_country("built-in 1", &crowd, 40, edge);
    for forged in &forged::builtins()[1..] {
        check_country(&forged.name, &country(forged, BUILTIN_STEPS), 40, edge);
    }
}

#[test]
fn no_body_in_a_random_village_gets_under_the_ground() {
    for village in forged::villages() {
        check_country(
            &village.name,
            &country(&village, RANDOM_STEPS),
            12,
            scaled(RANDOM_STEPS) / 100,
        );
    }
}

#[test]
fn no_body_gets_out_of_a_random_deep_dungeon() {
    for deep in forged::deep_dungeons() {
        let mut crowd = WanderingCrowd::new(deep.builder(), beside_portals, deep.seed);
        crowd.wander(scaled(RANDOM_STEPS), check_room, |_, _, _| false);
        assert!(crowd.visited.len() >= 40, "{}: {} of 60 rooms", deep.name, crowd.visited.len());
    }
}
