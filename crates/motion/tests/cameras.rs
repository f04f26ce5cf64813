//! Random cameras in sample worlds and made worlds: never behind a surface, and as near as possible to the surface that
//! stopped them.
//!
//! A hundred thousand sweeps from rooms and as many from outdoors. Each is checked sub-step by sub-step against every
//! surface of the world, found without the engine's trees and lists. Made worlds get five thousand sweeps a seed, and fifty
//! thousand with `THRESHOLD_SOAK` set.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_forge::Forge;
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BlockId, CellId, Position, adjust_to_outside};
use threshold_motion::{
    Insert, Mover, Outcome, Pivot, StandResult, SweepEvent, SweepProbe, SweepScratch, Sweeper,
    VIEWER_RADIUS,
};
use threshold_testkit::{
    MOVER, Random, WALKER_STATE,
    forged::{self, ForgedWorld},
    load_all, sample_builder,
    surfaces::{Owner, SurfaceFace, Surfaces},
};
use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, PieceId, Room, World};

const MIDDLE: BlockId = BlockId(0xA9B4);
/// Height of the head above the feet.
const HEAD: Vec3 = Vec3::new(0.0, 0.0, 1.5);
/// Sweeps in each scene.
const SWEEPS: usize = 50_000;
/// Sweeps that start at the same head.
const SWEEPS_PER_HEAD: usize = 10;

/// Positions of a camera after each sub-step, and how the last sub-step ended.
#[derive(Default)]
struct CameraTrace {
    positions: Vec<Position>,
    last: Option<Insert>,
}

impl SweepProbe for CameraTrace {
    fn on_event(&mut self, event: SweepEvent<'_>) {
        if let SweepEvent::SubStepEnded { answer, at, .. } = event {
            self.positions.push(*at);
            self.last = Some(answer);
        }
    }
}

/// Numbers of cameras by the way they ended.
#[derive(Debug, Default)]
struct EndCounts {
    /// Reached the end of the sweep.
    free: usize,
    /// Touching the surface that stopped them.
    touching: usize,
    /// One sub-step before that surface.
    short: usize,
    /// At the edge of the resident cells.
    held: usize,
}

/// Picks a random position to stand at.
type PositionPicker = fn(&World, &mut Random) -> Option<Position>;

struct Scene {
    /// Number of cameras.
    sweeps: usize,
    world: World,
    surfaces: Surfaces,
    random: Random,
    heads: Vec<Position>,
}

impl Scene {
    /// Creates the cameras of a sample world: at the heads of standing movers.
    fn new(name: &str, origin: u32, pick: PositionPicker) -> Self {
        let builder = sample_builder(name);
        Self::empty(&builder, origin).with_heads(&builder, pick)
    }

    /// Creates the cameras of a made world.
    fn made(made: &ForgedWorld, origin: u32, pick: PositionPicker) -> Self {
        let (builder, random) = (made.builder(), Random(made.seed));
        let soak = std::env::var_os("THRESHOLD_SOAK").is_some();
        let sweeps = if soak { SWEEPS } else { SWEEPS / 10 };
        Self { sweeps, random, ..Self::empty(&builder, origin) }.with_heads(&builder, pick)
    }

    /// Adds heads of movers that can stand at picked positions.
    fn with_heads(mut self, builder: &Builder, pick: PositionPicker) -> Self {
        let mover = standing_mover(builder);
        while self.heads.len() < self.sweeps / SWEEPS_PER_HEAD {
            let picked = pick(&self.world, &mut self.random);
            self.heads.extend(picked.and_then(|at| self.head_over(&mover, &at)));
        }
        self
    }

    fn empty(builder: &Builder, origin: u32) -> Self {
        let world = load_all(builder);
        let surfaces = Surfaces::of(&world, CellId(origin));
        Self { sweeps: SWEEPS, world, surfaces, random: Random(7), heads: Vec::new() }
    }

    /// Creates cameras in the air over random terrain whose heights differ by up to `relief` metres.
    fn rugged(relief: usize) -> Self {
        let mut random = Random(7);
        let mut forge = Forge::new();
        forge.block(MIDDLE).heights(|_, _| i32::try_from(random.below(relief / 2 + 1)).unwrap());
        let mut scene = Self::empty(&Builder::new(forge.finish().unwrap()), 0xA9B4_0001);
        while scene.heads.len() < SWEEPS / SWEEPS_PER_HEAD {
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

    /// Returns the head of a mover that can stand at a position, if a camera fits in it.
    fn head_over(&self, mover: &Mover, at: &Position) -> Option<Position> {
        let sweeper = Sweeper::new(&self.world);
        let standing = sweeper.can_stand(&mut SweepScratch::new(), mover, at);
        let StandResult::Stands { at: feet, .. } = standing else { return None };
        let mut head = feet;
        head.frame.origin += HEAD;
        let inside = self.world.cell(head.cell)?.contains(head.frame.origin);
        let room = self
            .surfaces
            .nearest_distance(self.surfaces.to_common_frame(&head), blocks_camera(&head));
        (inside && at.cell.is_indoor() == head.cell.is_indoor() && room >= VIEWER_RADIUS)
            .then_some(head)
    }

    fn run(&mut self) -> EndCounts {
        let mut ends = EndCounts::default();
        let mut scratch = SweepScratch::new();
        for number in 0..self.sweeps {
            let from = self.heads[number / SWEEPS_PER_HEAD];
            let mut along = || self.random.between(-1.0, 1.0) as f32;
            let direction = Vec3::new(along(), along(), along() * 0.6).normalize();
            let movement = direction * self.random.between(0.2, 8.0) as f32;
            self.check_sweep(&mut scratch, from, movement, &mut ends);
        }
        ends
    }

    /// Sweeps a camera and checks its sub-steps and its end.
    fn check_sweep(
        &self,
        scratch: &mut SweepScratch,
        from: Position,
        movement: Vec3,
        ends: &mut EndCounts,
    ) {
        let mut trace = CameraTrace::default();
        let mut to = from;
        to.frame.origin += movement;
        let sweeper = Sweeper::new(&self.world);
        let camera = Mover::viewer(VIEWER_RADIUS);
        let outcome = sweeper.sweep_camera(scratch, &mut trace, &camera, &from, &to);
        let context = || {
            let positions = &trace.positions;
            format!("from {from:?} by {movement}: {positions:?}, {outcome:?}")
        };
        assert!(outcome.is_ok() && outcome.cell == Some(outcome.position.cell), "{}", context());
        let cell = self.world.cell(outcome.position.cell).unwrap();
        assert!(cell.contains(outcome.position.frame.origin), "not in its cell: {}", context());
        self.check_sub_steps(&from, &trace.positions, context);
        self.check_line(&from, movement, &outcome, context);
        self.check_end(&trace, &outcome, ends, context);
        self.check_view(scratch, &from, movement, &outcome);
    }

    /// Checks that no sub-step crosses a surface or is longer than a radius.
    fn check_sub_steps(
        &self,
        from: &Position,
        positions: &[Position],
        context: impl Fn() -> String,
    ) {
        let mut last = *from;
        for position in positions {
            let [a, b] = [&last, position].map(|at| self.surfaces.to_common_frame(at));
            assert!((b - a).length() < VIEWER_RADIUS + 1e-3, "sub-step too long: {}", context());
            let blocks = blocks_camera(position);
            let near = self.surfaces.faces_near((a + b) * 0.5).filter(|face| blocks(face));
            for face in near {
                assert!(!face.is_crossed(a, b), "through {face:?}: {}", context());
            }
            last = *position;
        }
    }

    /// Checks that the camera is on its line, and at the end of it if nothing stopped it.
    fn check_line(
        &self,
        from: &Position,
        movement: Vec3,
        o: &Outcome,
        context: impl Fn() -> String,
    ) {
        let moved = from.offset_to(&o.position);
        let along = moved.dot(movement.normalize());
        assert!(
            (moved - movement.normalize() * along).length() < 1e-3,
            "off its line: {}",
            context()
        );
        // A camera that starts at the ground is put back by a hair.
        assert!(along > -1e-3, "backwards: {}", context());
        assert!(o.hit.is_some() || (moved - movement).length() < 1e-3, "short: {}", context());
    }

    /// Checks that the camera touches the surface that stopped it, or is a sub-step short of it.
    fn check_end(
        &self,
        trace: &CameraTrace,
        o: &Outcome,
        ends: &mut EndCounts,
        context: impl Fn() -> String,
    ) {
        let apart = || {
            // From indoors the ground counts only where it is really crossed.
            let eye = self.surfaces.to_common_frame(&o.position);
            self.surfaces.nearest_distance(eye, |_| true) - VIEWER_RADIUS
        };
        match (o.hit, trace.last) {
            (None, _) => ends.free += 1,
            (Some(_), Some(Insert::Ok)) => {
                ends.touching += 1;
                assert!(apart() < 0.01, "{} m from anything: {}", apart(), context());
            }
            _ if o.held_at_edge => ends.held += 1,
            _ => {
                ends.short += 1;
                assert!(apart() < VIEWER_RADIUS + 0.01, "{} m short: {}", apart(), context());
            }
        }
    }

    /// Checks that the camera of a player with this head ends at the same position.
    fn check_view(
        &self,
        scratch: &mut SweepScratch,
        head: &Position,
        movement: Vec3,
        outcome: &Outcome,
    ) {
        let mut player = *head;
        player.frame.origin -= HEAD;
        let rounded_head = player.frame.to_global(HEAD);
        if rounded_head != head.frame.origin {
            return; // Rounding gives another head.
        }
        let pivot = Pivot::above(player, BodyId(1), HEAD.z);
        let view = Sweeper::new(&self.world).view(scratch, &pivot, movement);
        assert!(!view.failed);
        assert_eq!((view.eye, view.stopped), (outcome.position, outcome.hit));
    }
}

/// Returns whether a face blocks a camera: the ground and the shells of buildings do only outdoors.
fn blocks_camera(at: &Position) -> impl Fn(&SurfaceFace) -> bool + use<> {
    let outdoors = at.cell.is_outdoor();
    move |face: &SurfaceFace| outdoors || !matches!(face.owner, Owner::Ground | Owner::Shell)
}

/// Returns the mover that stands under each head.
fn standing_mover(builder: &Builder) -> Mover {
    Mover::from_spec(&BodySpec {
        body: BodyId(1),
        setup: builder.setup(MOVER).unwrap(),
        position: Position::new(CellId(0), Vec3::ZERO),
        scale: 1.0,
        state: WALKER_STATE,
        kind: ObjectKind::Creature,
    })
}

/// Picks a point on the floor of a random room.
fn pick_on_floor(world: &World, random: &mut Random) -> Option<Position> {
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

/// Picks a point on the land of the sample.
fn pick_on_sample_land(world: &World, random: &mut Random) -> Option<Position> {
    let blocks = [0xA9B3, 0xA9B4, 0xA9B5, 0xAAB4, 0xA8B3, 0xAAB3].map(BlockId);
    pick_on_land(world, blocks[random.below(blocks.len())], random)
}

/// Picks a point in the streets of a made world, too far from its edge for a camera to reach it.
fn pick_in_streets(world: &World, random: &mut Random) -> Option<Position> {
    let blocks: Vec<BlockId> = world.blocks_with_buildings().map(|land| land.block()).collect();
    let at = pick_on_land(world, blocks[random.below(blocks.len())], random)?;
    let is_resident = |direction: Vec3| {
        let there = adjust_to_outside(at.cell, at.frame.origin + direction * 9.0);
        there.is_some_and(|(cell, _)| world.is_resident(cell))
    };
    [Vec3::X, Vec3::Y, Vec3::NEG_X, Vec3::NEG_Y].into_iter().all(is_resident).then_some(at)
}

fn pick_on_land(world: &World, block: BlockId, random: &mut Random) -> Option<Position> {
    let mut side = || random.between(0.0, 192.0) as f32;
    let at = Vec2::new(side(), side());
    let height = world.land(block).unwrap().terrain().height(at)?;
    Some(Position::new(block.cell(1), at.extend(height + 0.1)))
}

#[test]
fn cameras_in_the_dungeon_keep_to_its_rooms() {
    let ends = Scene::new("dungeon", 0x0102_0001, pick_on_floor).run();
    assert_eq!(ends.held, 0, "no room has a hole");
    assert!(ends.short < SWEEPS / 50, "{ends:?}");
    assert!(ends.free > SWEEPS / 10 && ends.touching > SWEEPS / 10, "{ends:?}");
}

#[test]
fn cameras_in_houses_keep_to_walls_doors_and_ground() {
    let ends = Scene::new("holt", 0xA9B4_0001, pick_on_floor).run();
    assert_eq!(ends.held, 0, "all that can be reached is resident");
    assert!(ends.short < SWEEPS / 50, "{ends:?}");
    assert!(ends.free > SWEEPS / 10 && ends.touching > SWEEPS / 10, "{ends:?}");
}

#[test]
fn cameras_outdoors_move_and_keep_above_the_ground() {
    let mut scene = Scene::new("holt", 0xA9B4_0001, pick_on_sample_land);
    let ends = scene.run();
    assert!(ends.short < SWEEPS / 50, "{ends:?}");
    assert!(ends.free > SWEEPS / 2 && ends.touching > SWEEPS / 10, "{ends:?}");
}

#[track_caller]
fn check_made(made: &ForgedWorld, origin: u32, pick: PositionPicker, held: usize) {
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
        check_made(made, 0xA9B4_0001, pick_on_floor, 0);
        check_made(made, 0xA9B4_0001, pick_in_streets, 0);
    }
}

#[test]
fn cameras_in_random_worlds_keep_to_walls_doors_and_ground() {
    for made in forged::villages() {
        // Some houses stand at the edge of the map.
        check_made(&made, 0xA9B4_0001, pick_on_floor, SWEEPS / 100);
        check_made(&made, 0xA9B4_0001, pick_in_streets, 0);
    }
    for made in forged::deep_dungeons() {
        check_made(&made, 0x0102_0001, pick_on_floor, 0);
    }
}

/// The planes of cliffs and ridges go on beyond their triangles.
#[test]
fn cameras_over_rugged_land_go_through_no_ridge_and_stop_at_no_plane() {
    for relief in [10, 40, 200, 400] {
        let ends = Scene::rugged(relief).run();
        assert!(ends.free > SWEEPS / 10 && ends.touching > SWEEPS / 50, "{relief}: {ends:?}");
    }
}

/// The camera starts near the plane of a cliff face, and far from the face itself.
#[test]
fn a_camera_beside_a_cliff_moves() {
    let scene = Scene::empty(&sample_builder("holt"), 0xA9B4_0001);
    let from = Position::new(CellId(0xAAB4_002F), Vec3::new(120.43143, 153.78911, 68.43655));
    let mut ends = EndCounts::default();
    let movement = Vec3::new(-1.3318691, -0.46798655, -0.8713037);
    scene.check_sweep(&mut SweepScratch::new(), from, movement, &mut ends);
    let to = Position::new(from.cell, from.frame.origin + movement);
    let camera = Mover::viewer(VIEWER_RADIUS);
    let sweeper = Sweeper::new(&scene.world);
    let outcome = sweeper.sweep_camera(&mut SweepScratch::new(), &mut (), &camera, &from, &to);
    assert!(from.offset_to(&outcome.position).length() > 0.2, "{outcome:?}");
}
