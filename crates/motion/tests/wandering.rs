//! Crowds that wander at random through the sample worlds: nothing that is not a number, nobody below the ground or
//! outside the walls, nobody lost without a reason, and the same walk every time, to the bit.
//!
//! A million steps in all; with `THRESHOLD_SOAK` set, ten million.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod sample;

use std::collections::BTreeSet;

use sample::random::Random;
use sample::{FEET, MOVER, WALKER};
use threshold_land::glam::{Vec2, Vec3};
use threshold_land::{BlockId, CellId, Position, Sphere};
use threshold_motion::{Body, Insert, Outcome, Scratch, Stance, Sweeper, commit};
use threshold_world::{
    BodyId, BodySpec, Builder, CellArray, CellSearch, Object, ObjectKind, Portal, Room, World,
};

/// How many wander at once.
const CROWD: u32 = 25;

fn soak() -> bool {
    std::env::var_os("THRESHOLD_SOAK").is_some()
}

/// Steps in each of the two worlds.
fn steps() -> usize {
    if soak() { 5_000_000 } else { 500_000 }
}

/// Somebody who wanders.
struct Wanderer {
    body: Body,
    scale: f32,
    heading: Vec2,
    /// Ticks to go upwards.
    rises: usize,
    /// Its own, so that it finds what it has left there.
    scratch: Scratch,
}

struct Crowd {
    world: World,
    builder: Builder,
    random: Random,
    wanderers: Vec<Wanderer>,
    /// Where somebody may begin.
    starts: Vec<Position>,
    checksum: u64,
    /// How often somebody walked off the map.
    lost: usize,
    /// Every cell that somebody was in.
    seen: BTreeSet<CellId>,
}

impl Crowd {
    fn new(name: &str, starts: fn(&World) -> Vec<Position>, seed: u64) -> Self {
        let builder = sample::builder(name);
        let world = sample::everything(&builder);
        let starts = starts(&world);
        let mut crowd = Self {
            world,
            builder,
            random: Random(seed),
            wanderers: Vec::new(),
            starts,
            checksum: 0xCBF2_9CE4_8422_2325,
            lost: 0,
            seen: BTreeSet::new(),
        };
        for number in 0..CROWD {
            let scale = 0.5 + number as f32 / (CROWD - 1) as f32;
            let body = Body::new(BodyId(number));
            let scratch = Scratch::new();
            let wanderer = Wanderer { body, scale, heading: Vec2::X, rises: 0, scratch };
            crowd.wanderers.push(wanderer);
            crowd.begin(number as usize);
        }
        crowd
    }

    /// Lets somebody down somewhere, until it stands.
    fn begin(&mut self, index: usize) {
        loop {
            let position = self.starts[self.random.below(self.starts.len())];
            let setup = self.builder.setup(MOVER).unwrap();
            let Wanderer { body, scale, .. } = &mut self.wanderers[index];
            let (number, scale) = (body.id, *scale);
            *body = Body::new(number);
            let kind = ObjectKind::Creature;
            let spec = BodySpec { body: number, setup, position, scale, state: WALKER, kind };
            self.world.insert(spec);
            let landing = (0..10)
                .map(|_| self.sweep(index, Vec3::new(0.0, 0.0, -0.1)))
                .find(|outcome| outcome.stance.on_walkable || outcome.cell.is_none());
            if landing.is_some_and(|o| o.stationary_fall == 0 && o.cell.is_some()) {
                return;
            }
        }
    }

    /// A sweep and its commit. With a new scratch it would be the same.
    fn sweep(&mut self, index: usize, by: Vec3) -> Outcome {
        let Wanderer { body, scratch, .. } = &mut self.wanderers[index];
        let from = *self.world.body(body.id).unwrap().position();
        let mut to = from;
        to.frame.origin += by;
        let mover = body.mover(&self.world).unwrap();
        let sweeper = Sweeper::new(&self.world);
        let outcome = sweeper.sweep(scratch, &mut (), &mover, &from, &to);
        // Nothing is known to this one, and it is watched, so that nothing is passed by.
        let mut seen: Vec<(CellId, Insert)> = Vec::new();
        let again = sweeper.sweep(&mut Scratch::new(), &mut seen, &mover, &from, &to);
        assert_eq!(said(&outcome), said(&again), "{from:?} by {by}");
        commit(&mut self.world, body, &outcome).unwrap();
        outcome
    }

    /// What somebody does next.
    fn way(&mut self, index: usize) -> Vec3 {
        let (random, wanderer) = (&mut self.random, &mut self.wanderers[index]);
        let mut part = |low: f64, high: f64| random.between(low, high) as f32;
        if part(0.0, 30.0) < 1.0 || wanderer.heading == Vec2::ZERO {
            wanderer.heading = Vec2::new(part(-1.0, 1.0), part(-1.0, 1.0)).normalize_or_zero();
        }
        let pace = part(0.05, 1.2);
        let aside = Vec2::new(part(-0.3, 0.3), part(-0.3, 0.3));
        let level = (wanderer.heading + aside) * pace;
        if part(0.0, 150.0) < 1.0 {
            // Lets go of the ground: a drop, or a leap.
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

    /// Everybody takes steps in turn. `check` looks at each that ended in a cell, `explains` says whether there is
    /// a reason for one that did not.
    fn wander(
        &mut self,
        check: fn(&Self, usize, &Outcome),
        explains: fn(&World, &Outcome) -> bool,
    ) {
        for step in 0..steps() {
            let index = step % self.wanderers.len();
            let way = self.way(index);
            let before = *self.object(index).position();
            let outcome = self.sweep(index, way);
            let position = outcome.position;
            assert!(position.frame.origin.is_finite(), "step {step}: {before:?} by {way}");
            self.fold(&position);
            if outcome.cell.is_some() {
                self.seen.insert(position.cell);
                check(self, index, &outcome);
                continue;
            }
            let scale = self.wanderers[index].scale;
            assert!(
                explains(&self.world, &outcome),
                "step {step}: lost from {before:?} by {way}, scale {scale}: {outcome:?}"
            );
            self.lost += 1;
            self.begin(index);
        }
    }
}

/// Everything that decides what comes next.
fn said(o: &Outcome) -> impl PartialEq + std::fmt::Debug + use<'_> {
    ((o.refused, o.position, o.cell, o.stance, o.hit), (&o.cells, &o.missed, &o.objects))
}

/// A step into the room from every upright portal between rooms.
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

/// The middles of land cells without a building, half a metre up, and indoors.
fn everywhere(world: &World) -> Vec<Position> {
    let mut starts = beside_portals(world);
    for block in [0xA9B3, 0xA9B4, 0xA9B5, 0xAAB4, 0xA8B3, 0xAAB3].map(BlockId) {
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

/// In the room that it says, and in the lists of exactly the cells that it touches.
fn check_room(crowd: &Crowd, index: usize, outcome: &Outcome) {
    let cell = crowd.world.cell(outcome.position.cell).unwrap();
    assert!(cell.contains(crowd.centre(index)), "{outcome:?}");
    check_cells(crowd, index, outcome);
}

/// Not under the ground by more than the water is deep; indoors as above.
fn check_ground(crowd: &Crowd, index: usize, outcome: &Outcome) {
    let cell = outcome.position.cell;
    let Some(land) = crowd.world.land_cell(cell) else { return check_room(crowd, index, outcome) };
    let low = outcome.position.frame.origin - Vec3::Z * FEET * crowd.wanderers[index].scale;
    let at = low.truncate();
    let Some(ground) = land.ground(at) else { panic!("not over its cell: {outcome:?}") };
    let under = -ground.plane.distance(low);
    assert!(under < land.water_depth(at) + 0.01, "{under} m under the ground: {outcome:?}");
    check_cells(crowd, index, outcome);
}

fn check_cells(crowd: &Crowd, index: usize, outcome: &Outcome) {
    if outcome.refused.is_some() {
        return;
    }
    let (object, position) = (crowd.object(index), &outcome.position);
    let placed = |s: &Sphere| {
        let centre = position.frame.to_global(s.centre * object.scale());
        Sphere::new(centre, s.radius * object.scale())
    };
    let spheres: Vec<Sphere> = object.setup().spheres.iter().map(placed).collect();
    let mut array = CellArray::new();
    let _ = CellSearch::new(&crowd.world).spheres(position, &spheres, &mut array);
    let sorted = |cells: &mut dyn Iterator<Item = CellId>| cells.collect::<BTreeSet<_>>();
    let listed = sorted(&mut outcome.cells.iter().map(|entry| entry.cell));
    assert_eq!(listed, sorted(&mut array.ids()), "{outcome:?}");
    let registered = sorted(&mut object.cells().iter().map(|registered| registered.cell));
    assert_eq!(registered, listed);
}

fn dungeon() -> Crowd {
    let mut crowd = Crowd::new("dungeon", beside_portals, 5);
    crowd.wander(check_room, |_, _| false);
    crowd
}

fn town() -> Crowd {
    let mut crowd = Crowd::new("holt", everywhere, 6);
    // The only way to get lost is over the edge of what is resident.
    crowd.wander(check_ground, |world, outcome| !world.is_resident(outcome.position.cell));
    crowd
}

/// Runs it twice from scratch; in the ordinary run the checksum is also known.
#[track_caller]
fn check_twice(run: fn() -> Crowd, known: u64) -> Crowd {
    let (first, second) = (run(), run());
    assert_eq!(first.checksum, second.checksum);
    if !soak() {
        assert_eq!(first.checksum, known, "{:#018X}", first.checksum);
    }
    first
}

#[test]
fn nobody_gets_out_of_the_sealed_dungeon() {
    let crowd = check_twice(dungeon, 0x7462_BBB0_2F71_79E0);
    assert_eq!(crowd.lost, 0);
    assert!(crowd.seen.len() >= 70, "{} of 82 rooms", crowd.seen.len());
}

#[test]
fn nobody_in_the_town_gets_under_the_ground() {
    let crowd = check_twice(town, 0xD1B5_0FCE_9BA0_DDC8);
    let indoors = crowd.seen.iter().filter(|cell| cell.is_indoor()).count();
    assert!(crowd.seen.len() - indoors >= 200, "{} land cells", crowd.seen.len() - indoors);
    assert!(indoors >= 25, "{indoors} rooms");
    assert!(crowd.lost < steps() / 1000, "{} walked off the map", crowd.lost);
}
