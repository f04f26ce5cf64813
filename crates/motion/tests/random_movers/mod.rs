//! Movers of nine kinds that move at random through every test world.

#![allow(dead_code, reason = "each test uses its part")]

use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Position, Sphere};
use threshold_motion::{
    Flags, Mover, MoverShape, Outcome, Rules, Search, Stance, StandResult, SweepScratch, Sweeper,
};
use threshold_testkit::{
    Random,
    forged::{self, ForgedWorld},
    load_all, sample_builder,
};
use threshold_world::{Cell, PieceId, Room, State, World};

/// A kind of mover.
pub(crate) struct MoverKind {
    pub(crate) name: &'static str,
    pub(crate) mover: Mover,
}

fn ball(radius: f32) -> MoverShape {
    MoverShape::new(&[Sphere::new(Vec3::Z * radius, radius)], radius, radius)
}

/// The usual mover, at a scale.
fn person(scale: f32) -> MoverShape {
    let spheres = [0.475, 1.35].map(|z| Sphere::new(Vec3::Z * z * scale, 0.48 * scale));
    MoverShape::new(&spheres, 0.6 * scale, 1.5 * scale)
}

/// Returns movers that walk, fall or fly, and that pass or are passed by others.
pub(crate) fn mover_kinds() -> [MoverKind; 9] {
    let kind = |name, mover| MoverKind { name, mover };
    let with = |shape, state| Mover { state, ..Mover::new(shape) };
    let missile = State::MISSILE.with(State::GRAVITY, true);
    let passing = Mover { flags: Flags::IGNORE_CREATURES, ..Mover::new(person(1.0)) };
    [
        kind("person", Mover::new(person(1.0))),
        kind("child", Mover::new(person(0.35))),
        kind("giant", Mover::new(person(1.3))),
        kind("walks off edges", with(person(1.0), State::GRAVITY)),
        kind("ghost", with(person(1.0), State::GRAVITY.with(State::ETHEREAL, true))),
        kind("arrow", with(ball(0.1), missile)),
        kind("rat", Mover::new(ball(0.12))),
        kind("drifter", with(person(0.6), State::default())),
        kind("passes creatures", passing),
    ]
}

/// A world with the cells in which movers start.
pub(crate) struct TestWorld {
    pub(crate) name: String,
    pub(crate) world: World,
    rooms: Vec<CellId>,
    pub(crate) lands: Vec<BlockId>,
}

impl TestWorld {
    fn new(name: String, world: World) -> Self {
        let room = |piece| if let PieceId::Room(room) = piece { Some(room) } else { None };
        let rooms = world.resident().filter_map(room).collect();
        // Mountains and sea would take most of the starts.
        let lands = world.blocks_with_buildings().map(|land| land.block()).collect();
        Self { name, world, rooms, lands }
    }

    /// Returns a random point in a room, or a little above land with buildings.
    fn random_point(&self, random: &mut Random) -> Position {
        if self.lands.is_empty() || !self.rooms.is_empty() && random.below(4) > 0 {
            let room = self.room(self.rooms[random.below(self.rooms.len())]);
            return Position::new(room.id(), point_in(room, random));
        }
        let land = self.world.land(self.lands[random.below(self.lands.len())]).unwrap();
        let cell = land.cell(random.below(64)).unwrap();
        let half = |random: &mut Random| random.between(-11.9, 11.9) as f32;
        let at = cell.position().frame.origin + Vec3::new(half(random), half(random), 0.0);
        let height = land.terrain().height(at.truncate()).unwrap();
        Position::new(cell.id(), at.with_z(height + random.between(0.0, 3.0) as f32))
    }

    fn room(&self, id: CellId) -> &Room {
        let Some(Cell::Room(room)) = self.world.cell(id) else { panic!("no room {id}") };
        room
    }
}

/// Returns a random point of a room, in the frame of its landblock.
fn point_in(room: &Room, random: &mut Random) -> Vec3 {
    let bounds = room.structure().physics.bounding_sphere();
    let mut part = || random.between(-1.0, 1.0) as f32 * bounds.radius;
    for _ in 0..200 {
        let at = room.to_block(bounds.centre + Vec3::new(part(), part(), part()));
        if room.contains(at) {
            return at;
        }
    }
    room.to_block(bounds.centre)
}

pub(crate) fn test_worlds() -> Vec<TestWorld> {
    let sample = |name: &str| TestWorld::new(name.to_owned(), load_all(&sample_builder(name)));
    let made = |forged: &ForgedWorld| TestWorld::new(forged.name.clone(), forged.world());
    let mut worlds = vec![sample("holt"), sample("dungeon"), made(&forged::builtins()[0])];
    worlds.extend(forged::villages().iter().chain(&forged::deep_dungeons()).map(made));
    worlds
}

/// A mover with its position, and the state of its random movement.
pub(crate) struct RandomMover {
    pub(crate) mover: Mover,
    pub(crate) at: Position,
    heading: f64,
    /// Sweeps left to rise.
    rises: usize,
}

impl RandomMover {
    /// Starts where a person could stand and this mover has room: a random point is often inside a solid, and a mover there may
    /// fall through it.
    pub(crate) fn start(
        (test_world, rules): (&TestWorld, Rules),
        scratch: &mut SweepScratch,
        kind: &MoverKind,
        random: &mut Random,
    ) -> Self {
        let sweeper = Sweeper { world: &test_world.world, rules };
        let heading = random.between(0.0, 360.0);
        let stander = Mover::new(person(1.0));
        for _ in 0..100_000 {
            let at = test_world.random_point(random);
            let stands = sweeper.can_stand(scratch, &stander, &at);
            let StandResult::Stands { at, .. } = stands else { continue };
            let placed = sweeper.place(scratch, &mut (), &kind.mover, &at, Search::Here);
            if placed.is_ok() && placed.cell.is_some() {
                let mover = Mover { stance: placed.stance, ..kind.mover };
                return Self { mover, at: placed.position, heading, rises: 0 };
            }
        }
        panic!("no room for {} in {}", kind.name, test_world.name);
    }

    /// Returns the end of its next sweep.
    pub(crate) fn next(&mut self, random: &mut Random) -> Position {
        if random.below(12) == 0 {
            self.heading = random.between(0.0, 360.0);
        }
        let radius = f64::from(self.mover.shape.spheres()[0].radius);
        let far = match random.below(20) {
            0 => random.between(0.0, 29.0 * radius),
            1..=4 => random.between(0.3, 2.0),
            _ => random.between(0.01, 0.4),
        };
        let heading = (self.heading + random.between(-25.0, 25.0)).to_radians();
        let level = Vec3::new(libm::sin(heading) as f32, libm::cos(heading) as f32, 0.0);
        let mut by = level * far as f32;
        let falls = self.mover.state.has(State::GRAVITY);
        if !falls || self.mover.state.has(State::MISSILE) {
            by.z = random.between(-1.0, 1.0) as f32 * far as f32;
        } else if self.rises > 0 {
            self.rises -= 1;
            by.z = 0.3;
        } else if !self.mover.stance.contact {
            by.z = -random.between(0.02, 0.8) as f32;
        } else if random.below(60) == 0 {
            // Jumps, or drops its contact plane.
            self.mover.stance = Stance::default();
            self.rises = random.below(8);
        }
        let mut to = self.at;
        to.frame.origin += by;
        to
    }

    /// Takes over position and stance from an outcome.
    pub(crate) fn apply(&mut self, outcome: &Outcome, random: &mut Random) {
        self.at = outcome.position;
        self.mover.stance = outcome.stance;
        if !outcome.is_ok() {
            self.heading = random.between(0.0, 360.0);
            self.mover.stance.sliding = false;
        }
    }
}
