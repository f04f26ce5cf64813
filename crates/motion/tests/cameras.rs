//! Random cameras in the sample worlds and in made ones: never behind a surface, and as near to what stopped them as they can
//! be.
//!
//! A hundred thousand sweeps from rooms and as many from outdoors, each followed sub-step by sub-step past every
//! surface of the world, which are found without the engine's trees and lists. In made worlds five thousand a seed, and with
//! `THRESHOLD_SOAK` set fifty thousand.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_forge::Forge;
use threshold_land::glam::{Vec2, Vec3};
use threshold_land::{BlockId, CellId, Position, adjust_to_outside};
use threshold_motion::{
    Insert, Mover, Outcome, Pivot, StandResult, SweepEvent, SweepProbe, SweepScratch, Sweeper,
    VIEWER_RADIUS,
};
use threshold_testkit::{
    MOVER, Random, WALKER_STATE,
    forged::{self, ForgedWorld},
    load_all, sample_builder,
    surfaces::{Face, Owner, Surfaces},
};
use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, PieceId, Room, World};

const MIDDLE: BlockId = BlockId(0xA9B4);
/// How far above the feet a head is.
const HEAD: Vec3 = Vec3::new(0.0, 0.0, 1.5);
/// Sweeps in each scene, and how many begin at one head.
const SWEEPS: usize = 50_000;
const FROM_EACH: usize = 10;

/// Every place that a camera came to, and how its last sub-step ended.
#[derive(Default)]
struct Path {
    places: Vec<Position>,
    last: Option<Insert>,
}

impl SweepProbe for Path {
    fn on_event(&mut self, event: SweepEvent<'_>) {
        if let SweepEvent::SubStepEnded { answer, at, .. } = event {
            self.places.push(*at);
            self.last = Some(answer);
        }
    }
}

/// How many cameras ended in which way.
#[derive(Debug, Default)]
struct Ends {
    free: usize,
    /// At what stopped them.
    touching: usize,
    /// At the last sub-step before it.
    short: usize,
    /// Where the world ends.
    held: usize,
}

/// Proposes where to stand.
type Pick = fn(&World, &mut Random) -> Option<Position>;

struct Scene {
    /// How many cameras there are.
    sweeps: usize,
    world: World,
    surfaces: Surfaces,
    random: Random,
    heads: Vec<Position>,
}

impl Scene {
    /// Heads of those who stand somewhere in a sample.
    fn new(name: &str, origin: u32, pick: Pick) -> Self {
        let builder = sample_builder(name);
        Self::empty(&builder, origin).stand(&builder, pick)
    }

    /// The same in a made world.
    fn made(made: &ForgedWorld, origin: u32, pick: Pick) -> Self {
        let (builder, random) = (made.builder(), Random(made.seed));
        let soak = std::env::var_os("THRESHOLD_SOAK").is_some();
        let sweeps = if soak { SWEEPS } else { SWEEPS / 10 };
        Self { sweeps, random, ..Self::empty(&builder, origin) }.stand(&builder, pick)
    }

    /// Lets many stand where `pick` proposes.
    fn stand(mut self, builder: &Builder, pick: Pick) -> Self {
        let mover = standing(builder);
        while self.heads.len() < self.sweeps / FROM_EACH {
            let proposed = pick(&self.world, &mut self.random);
            self.heads.extend(proposed.and_then(|at| self.head_over(&mover, &at)));
        }
        self
    }

    fn empty(builder: &Builder, origin: u32) -> Self {
        let world = load_all(builder);
        let surfaces = Surfaces::of(&world, CellId(origin));
        Self { sweeps: SWEEPS, world, surfaces, random: Random(7), heads: Vec::new() }
    }

    /// Cameras in the air over land that goes up and down as it likes, so many metres from corner to corner.
    fn rugged(high: usize) -> Self {
        let mut random = Random(7);
        let mut forge = Forge::new();
        forge.block(MIDDLE).heights(|_, _| i32::try_from(random.below(high / 2 + 1)).unwrap());
        let mut scene = Self::empty(&Builder::new(forge.finish().unwrap()), 0xA9B4_0001);
        while scene.heads.len() < SWEEPS / FROM_EACH {
            let mut side = || scene.random.between(10.0, 182.0) as f32;
            let at = Vec2::new(side(), side());
            let ground = scene.world.land(MIDDLE).unwrap().terrain().height(at).unwrap();
            let above = ground + scene.random.between(0.3, 4.0) as f32;
            let head = Position::new(MIDDLE.cell(1), at.extend(above)).normalised().unwrap();
            let room =
                scene.surfaces.nearest_distance(scene.surfaces.to_common_frame(&head), |_| true);
            if room >= VIEWER_RADIUS {
                scene.heads.push(head);
            }
        }
        scene
    }

    /// The head of who can stand there, if there is room for a camera in it.
    fn head_over(&self, mover: &Mover, at: &Position) -> Option<Position> {
        let sweeper = Sweeper::new(&self.world);
        let standing = sweeper.can_stand(&mut SweepScratch::new(), mover, at);
        let StandResult::Stands { at: feet, .. } = standing else { return None };
        let mut head = feet;
        head.frame.origin += HEAD;
        let inside = self.world.cell(head.cell)?.contains(head.frame.origin);
        let room =
            self.surfaces.nearest_distance(self.surfaces.to_common_frame(&head), counts_for(&head));
        (inside && at.cell.is_indoor() == head.cell.is_indoor() && room >= VIEWER_RADIUS)
            .then_some(head)
    }

    fn run(&mut self) -> Ends {
        let mut ends = Ends::default();
        let mut scratch = SweepScratch::new();
        for number in 0..self.sweeps {
            let from = self.heads[number / FROM_EACH];
            let mut along = || self.random.between(-1.0, 1.0) as f32;
            let direction = Vec3::new(along(), along(), along() * 0.6).normalize();
            let way = direction * self.random.between(0.2, 8.0) as f32;
            self.follow(&mut scratch, from, way, &mut ends);
        }
        ends
    }

    fn follow(&self, scratch: &mut SweepScratch, from: Position, way: Vec3, ends: &mut Ends) {
        let mut path = Path::default();
        let mut to = from;
        to.frame.origin += way;
        let sweeper = Sweeper::new(&self.world);
        let camera = Mover::viewer(VIEWER_RADIUS);
        let outcome = sweeper.sweep_camera(scratch, &mut path, &camera, &from, &to);
        let tell = || format!("from {from:?} by {way}: {path:?}, {outcome:?}", path = path.places);
        assert!(outcome.is_ok() && outcome.cell == Some(outcome.position.cell), "{}", tell());
        let cell = self.world.cell(outcome.position.cell).unwrap();
        assert!(cell.contains(outcome.position.frame.origin), "not in its cell: {}", tell());
        self.check_path(&from, &path.places, tell);
        self.check_line(&from, way, &outcome, tell);
        self.check_end(&path, &outcome, ends, tell);
        self.check_view(scratch, &from, way, &outcome);
    }

    /// No sub-step goes through a surface, or farther than it should.
    fn check_path(&self, from: &Position, places: &[Position], tell: impl Fn() -> String) {
        let mut last = *from;
        for place in places {
            let [a, b] = [&last, place].map(|at| self.surfaces.to_common_frame(at));
            assert!((b - a).length() < VIEWER_RADIUS + 1e-3, "a leap: {}", tell());
            let counts = counts_for(place);
            let near = self.surfaces.faces_near((a + b) * 0.5).filter(|face| counts(face));
            for face in near {
                assert!(!face.is_crossed(a, b), "through {face:?}: {}", tell());
            }
            last = *place;
        }
    }

    /// It is on its way, and all the way if nothing stopped it.
    fn check_line(&self, from: &Position, way: Vec3, o: &Outcome, tell: impl Fn() -> String) {
        let actual_velocity = from.offset_to(&o.position);
        let along = actual_velocity.dot(way.normalize());
        assert!(
            (actual_velocity - way.normalize() * along).length() < 1e-3,
            "beside its way: {}",
            tell()
        );
        // What begins at the ground is put back by a hair.
        assert!(along > -1e-3, "backwards: {}", tell());
        assert!(o.hit.is_some() || (actual_velocity - way).length() < 1e-3, "short: {}", tell());
    }

    /// It touches what stopped it, or is a sub-step short of that.
    fn check_end(&self, path: &Path, o: &Outcome, ends: &mut Ends, tell: impl Fn() -> String) {
        let apart = || {
            // From indoors the ground is met only where it is really crossed.
            let eye = self.surfaces.to_common_frame(&o.position);
            self.surfaces.nearest_distance(eye, |_| true) - VIEWER_RADIUS
        };
        match (o.hit, path.last) {
            (None, _) => ends.free += 1,
            (Some(_), Some(Insert::Ok)) => {
                ends.touching += 1;
                assert!(apart() < 0.01, "{} m from anything: {}", apart(), tell());
            }
            _ if o.held_at_edge => ends.held += 1,
            _ => {
                ends.short += 1;
                assert!(apart() < VIEWER_RADIUS + 0.01, "{} m short: {}", apart(), tell());
            }
        }
    }

    /// The camera of whoever has its head there sees from the same place.
    fn check_view(
        &self,
        scratch: &mut SweepScratch,
        head: &Position,
        way: Vec3,
        outcome: &Outcome,
    ) {
        let mut player = *head;
        player.frame.origin -= HEAD;
        let begins = player.frame.to_global(HEAD);
        if begins != head.frame.origin {
            return; // Not to the bit.
        }
        let pivot = Pivot::above(player, BodyId(1), HEAD.z);
        let view = Sweeper::new(&self.world).view(scratch, &pivot, way);
        assert!(!view.failed);
        assert_eq!((view.eye, view.stopped), (outcome.position, outcome.hit));
    }
}

/// Which faces keep a camera out: the ground and the shells of buildings only outdoors.
fn counts_for(at: &Position) -> impl Fn(&Face) -> bool + use<> {
    let outdoors = at.cell.is_outdoor();
    move |face: &Face| outdoors || !matches!(face.owner, Owner::Ground | Owner::Shell)
}

/// Who stands.
fn standing(builder: &Builder) -> Mover {
    Mover::from_spec(&BodySpec {
        body: BodyId(1),
        setup: builder.setup(MOVER).unwrap(),
        position: Position::new(CellId(0), Vec3::ZERO),
        scale: 1.0,
        state: WALKER_STATE,
        kind: ObjectKind::Creature,
    })
}

/// Somewhere on a floor.
fn in_rooms(world: &World, random: &mut Random) -> Option<Position> {
    let rooms = world.resident().filter_map(|piece| match piece {
        PieceId::Room(cell) => world.room(cell),
        PieceId::Land(_) => None,
    });
    let rooms: Vec<&Room> = rooms.collect();
    let room = rooms[random.below(rooms.len())];
    let polygons = room.structure().physics.polygons();
    let polygon = polygons.get(random.below(polygons.len().max(1)) as u32);
    if polygon.plane.normal.z < 0.7 {
        return None;
    }
    let corners = polygon.vertices;
    let third = corners[2 + random.below(corners.len() - 2)];
    let (s, t) = (random.between(0.0, 1.0) as f32, random.between(0.0, 1.0) as f32);
    let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
    let at = corners[0] + (corners[1] - corners[0]) * s + (third - corners[0]) * t;
    Some(Position::new(room.id(), room.to_block(at) + Vec3::Z * 0.1))
}

/// Somewhere on the land of the sample.
fn outdoors(world: &World, random: &mut Random) -> Option<Position> {
    let blocks = [0xA9B3, 0xA9B4, 0xA9B5, 0xAAB4, 0xA8B3, 0xAAB3].map(BlockId);
    on_land(world, blocks[random.below(blocks.len())], random)
}

/// Somewhere in the streets of a made world, so far from its edge that no camera comes there.
fn in_streets(world: &World, random: &mut Random) -> Option<Position> {
    let towns: Vec<BlockId> = world.blocks_with_buildings().map(|land| land.block()).collect();
    let at = on_land(world, towns[random.below(towns.len())], random)?;
    let goes_on = |way: Vec3| {
        let there = adjust_to_outside(at.cell, at.frame.origin + way * 9.0);
        there.is_some_and(|(cell, _)| world.is_resident(cell))
    };
    [Vec3::X, Vec3::Y, Vec3::NEG_X, Vec3::NEG_Y].into_iter().all(goes_on).then_some(at)
}

fn on_land(world: &World, block: BlockId, random: &mut Random) -> Option<Position> {
    let mut side = || random.between(0.0, 192.0) as f32;
    let at = Vec2::new(side(), side());
    let height = world.land(block).unwrap().terrain().height(at)?;
    Some(Position::new(block.cell(1), at.extend(height + 0.1)))
}

#[test]
fn cameras_in_the_dungeon_keep_to_its_rooms() {
    let ends = Scene::new("dungeon", 0x0102_0001, in_rooms).run();
    assert_eq!(ends.held, 0, "no room has a hole");
    assert!(ends.short < SWEEPS / 50, "{ends:?}");
    assert!(ends.free > SWEEPS / 10 && ends.touching > SWEEPS / 10, "{ends:?}");
}

#[test]
fn cameras_in_houses_keep_to_walls_doors_and_ground() {
    let ends = Scene::new("holt", 0xA9B4_0001, in_rooms).run();
    assert_eq!(ends.held, 0, "all that can be reached is resident");
    assert!(ends.short < SWEEPS / 50, "{ends:?}");
    assert!(ends.free > SWEEPS / 10 && ends.touching > SWEEPS / 10, "{ends:?}");
}

#[test]
fn cameras_outdoors_move_and_keep_above_the_ground() {
    let mut scene = Scene::new("holt", 0xA9B4_0001, outdoors);
    let ends = scene.run();
    assert!(ends.short < SWEEPS / 50, "{ends:?}");
    assert!(ends.free > SWEEPS / 2 && ends.touching > SWEEPS / 10, "{ends:?}");
}

#[track_caller]
fn check_made(made: &ForgedWorld, origin: u32, pick: Pick, held: usize) {
    let mut scene = Scene::made(made, origin, pick);
    let ends = scene.run();
    assert!(ends.held <= held, "{}: {ends:?}", made.name);
    assert!(ends.short < scene.sweeps / 50, "{}: {ends:?}", made.name);
    let enough = scene.sweeps / 10;
    assert!(ends.free > enough && ends.touching > enough, "{}: {ends:?}", made.name);
}

#[test]
fn cameras_in_the_built_in_world_keep_to_walls_doors_and_ground() {
    for made in forged::builtins() {
        check_made(made, 0xA9B4_0001, in_rooms, 0);
        check_made(made, 0xA9B4_0001, in_streets, 0);
    }
}

#[test]
fn cameras_in_worlds_by_chance_keep_to_walls_doors_and_ground() {
    for made in forged::villages() {
        // Some houses stand at the edge of the map.
        check_made(&made, 0xA9B4_0001, in_rooms, SWEEPS / 100);
        check_made(&made, 0xA9B4_0001, in_streets, 0);
    }
    for made in forged::deep_dungeons() {
        check_made(&made, 0x0102_0001, in_rooms, 0);
    }
}

/// Cliffs and ridges, where planes are met that no ground is on.
#[test]
fn cameras_over_rugged_land_go_through_no_ridge_and_stop_at_no_plane() {
    for high in [10, 40, 200, 400] {
        let ends = Scene::rugged(high).run();
        assert!(ends.free > SWEEPS / 10 && ends.touching > SWEEPS / 50, "{high}: {ends:?}");
    }
}

/// It begins beside a cliff, near the plane of its face and nowhere near the face.
#[test]
fn a_camera_beside_a_cliff_moves() {
    let scene = Scene::empty(&sample_builder("holt"), 0xA9B4_0001);
    let from = Position::new(CellId(0xAAB4_002F), Vec3::new(120.43143, 153.78911, 68.43655));
    let mut ends = Ends::default();
    let way = Vec3::new(-1.3318691, -0.46798655, -0.8713037);
    scene.follow(&mut SweepScratch::new(), from, way, &mut ends);
    let to = Position::new(from.cell, from.frame.origin + way);
    let camera = Mover::viewer(VIEWER_RADIUS);
    let sweeper = Sweeper::new(&scene.world);
    let outcome = sweeper.sweep_camera(&mut SweepScratch::new(), &mut (), &camera, &from, &to);
    assert!(from.offset_to(&outcome.position).length() > 0.2, "{outcome:?}");
}
