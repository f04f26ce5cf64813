//! Placement queries: where a mover has room. They change nothing.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use std::collections::BTreeSet;
use threshold_testkit::{
    Random, WALKER, Walk,
    layouts::{A, B, dungeon, plain, row},
    sample_builder,
};

use threshold_forge::{ObjectSpec, Plan, RoomSpec, Shape};
use threshold_geom::{Bounds, Polygon};
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BlockId, CellId, Position, Rotation, Sphere};
use threshold_motion::probe::Ending;
use threshold_motion::{
    Insert, MoveContext, Mover, Outcome, Refusal, Scatter, Search, StandResult, SweepEvent,
    SweepProbe, SweepScratch, Sweeper,
};
use threshold_world::{BodySpec, Builder, Cell, CellArray, CellSearch, PieceId, World};

const LAND: CellId = CellId(0xA9B4_0001);
const ACROSS: CellId = CellId(0xA9B3_0038);
/// A type of terrain that is water.
const DEEP_WATER: i32 = 18;

/// Level ground with an upright cylinder in the middle of its first cell.
fn yard(radius: f32, height: f32) -> Walk {
    let mut forge = plain(&[0xA9B4]);
    let model = forge.object(ObjectSpec::Cylinder { radius, height });
    let mut walk = Walk::from_source(forge.finish().unwrap());
    walk.add_creature(3, model.0, (LAND.0, [12.0, 12.0, 0.0]));
    walk
}

/// Scatters a mover around a pillar of 6 m. Returns how many numbers were drawn, too.
fn scatter(scatter: Scatter, drawn: &[f32]) -> (Outcome, usize) {
    let walk = yard(3.0, 3.0);
    let mover = Mover::from_spec(&walk.spec(LAND.0, [0.0; 3]));
    let (mut count, at) = (0, Position::new(LAND, Vec3::new(12.0, 12.0, 0.5)));
    let next = || {
        count += 1;
        drawn[(count - 1) % drawn.len()]
    };
    let sweeper = Sweeper::new(&walk.world);
    let outcome = sweeper.scatter(&mut SweepScratch::new(), &mut (), &mover, &at, &scatter, next);
    (outcome, count)
}

#[test]
fn scattering_takes_the_first_position_with_room() {
    let reach = Vec2::new(10.0, 5.0);
    let here = Scatter { tries: 4, reach, centre_first: false, search: Search::Here };
    let drawn = [0.0, 0.1, -0.2, 0.2, 0.5, -1.0, 0.9, 0.9];
    let (outcome, count) = scatter(here, &drawn);
    assert_eq!((outcome.refused, count), (None, 6), "the third");
    let off = outcome.position.frame.origin - Vec3::new(17.0, 7.0, 0.005);
    assert!(off.length() < 1e-4, "{off}");
    let (again, _) = scatter(here, &drawn);
    assert_eq!((outcome.position, outcome.stance), (again.position, again.stance));
    // Too few tries, or no try.
    let (outcome, count) = scatter(Scatter { tries: 2, ..here }, &drawn);
    assert_eq!((outcome.refused, count), (Some(Refusal::NoRoom), 4));
    let (outcome, count) = scatter(Scatter { tries: 0, ..here }, &drawn);
    assert_eq!((outcome.refused, count), (Some(Refusal::NoTries), 0));
    // The centre does not count as a try.
    let middle = Scatter { centre_first: true, ..here };
    assert_eq!(scatter(middle, &drawn).1, 6);
    let (outcome, count) = scatter(Scatter { tries: 0, ..middle }, &drawn);
    assert_eq!((outcome.refused, count), (Some(Refusal::NoRoom), 0));
    // A search around it succeeds at once, and nothing is drawn.
    let (outcome, count) = scatter(Scatter { search: Search::Around, ..middle }, &drawn);
    assert_eq!((outcome.refused, count), (None, 0));
}

#[test]
fn a_refusal_does_not_depend_on_earlier_searches() {
    // A room with a rock in it, and a room far away.
    let mut plan = Plan::new();
    let rock = Shape::cuboid([2.0; 3], [6.0; 3]);
    plan.room(RoomSpec::cuboid([0.0; 3], [8.0; 3]).block(rock));
    plan.room(RoomSpec::cuboid([50.0, 0.0, 0.0], [56.0, 6.0, 3.0]));
    let walk = Walk::from_source(dungeon(plan));
    let mover = Mover::from_spec(&walk.spec(A.0, [0.0; 3]));
    let (sweeper, mut scratch) = (Sweeper::new(&walk.world), SweepScratch::new());
    let place = |scratch: &mut SweepScratch, cell, at: [f32; 3]| {
        let at = Position::new(cell, at.into());
        sweeper.place(scratch, &mut (), &mover, &at, Search::Here)
    };
    assert!(place(&mut scratch, B, [53.0, 3.0, 0.5]).is_ok());
    let in_rock = [4.0; 3];
    let [used, fresh] = [&mut scratch, &mut SweepScratch::new()].map(|s| place(s, A, in_rock));
    assert_eq!((used.refused, used.sub_steps), (Some(Refusal::NoRoom), 0));
    assert_eq!((used.cells, used.missed), (fresh.cells, fresh.missed));
}

#[test]
fn can_stand_returns_the_position_or_the_reason() {
    let mut walk = yard(0.6, 1.0);
    let stands = |walk: &Walk, cell: CellId, at: [f32; 3]| {
        let mover = Mover::from_spec(&walk.spec(cell.0, at));
        Sweeper::new(&walk.world).can_stand(
            &mut SweepScratch::new(),
            &mover,
            &Position::new(cell, at.into()),
        )
    };
    let standing = stands(&walk, LAND, [5.0, 5.0, 1.0]);
    let StandResult::Stands { at, stance } = standing else { panic!("{standing:?}") };
    assert!(at.frame.origin.distance(Vec3::new(5.0, 5.0, 0.005)) < 1e-4 && stance.on_walkable);
    assert!(standing.is_ok() && walk.world.body(WALKER).is_none());
    let taken = stands(&walk, LAND, [12.0, 12.0, 0.3]);
    assert_eq!((taken, taken.is_ok()), (StandResult::NoRoom(Refusal::NoRoom), false));
    assert_eq!(stands(&walk, LAND, [5.0, 5.0, 1.6]), StandResult::NoGround);
    assert_eq!(stands(&walk, ACROSS, [150.0, 12.0, 1.0]), StandResult::NoCell);
    assert_eq!(stands(&walk, LAND, [f32::NAN; 3]), StandResult::NoRoom(Refusal::NotFinite));
    walk = Walk::from_source(row(&[4.0], &[]));
    assert_eq!(stands(&walk, A, [0.3, 2.0, 0.5]), StandResult::NoRoom(Refusal::MovedAway));
    let mut plan = Plan::new();
    plan.room(RoomSpec::cuboid([0.0; 3], [4.0, 4.0, 9.0]));
    walk = Walk::from_source(dungeon(plan));
    assert_eq!(stands(&walk, A, [2.0, 2.0, 4.0]), StandResult::NoGround);
    let mut forge = plain(&[]);
    // A face of 60 degrees.
    forge.block(LAND.block()).heights(|x, _| 21 * x.min(1));
    walk = Walk::from_source(forge.finish().unwrap());
    assert_eq!(stands(&walk, LAND, [12.0, 12.0, 21.5]), StandResult::TooSteep);
}

#[test]
fn can_stand_says_that_a_landblock_is_sea_and_not_that_it_has_no_room() {
    let mut forge = plain(&[0xA9B3]);
    forge.block(LAND.block()).terrain(|_, _| DEEP_WATER);
    let walk = Walk::from_source(forge.finish().unwrap());
    let check = |cell: CellId, at: [f32; 3], want: StandResult, words: &str| {
        let mover = Mover::from_spec(&walk.spec(cell.0, at));
        let at = Position::new(cell, at.into());
        let found = Sweeper::new(&walk.world).can_stand(&mut SweepScratch::new(), &mover, &at);
        assert_eq!((found, found.to_string().as_str()), (want, words), "{at}");
    };
    check(LAND, [12.0, 12.0, 0.0], StandResult::Sea, "the whole landblock is sea");
    // The same point, named from the landblock in the south.
    check(ACROSS, [12.0, 204.0, 0.0], StandResult::Sea, "the whole landblock is sea");
    let not_finite = StandResult::NoRoom(Refusal::NotFinite);
    check(LAND, [12.0, 12.0, f32::NAN], not_finite, "a position or size is not finite");
}

/// Tries of a search: their number, and where it started after walls had pushed the mover.
#[derive(Default)]
struct SearchTrace {
    middle: Option<Position>,
    count: usize,
    /// Walls or the ground pushed the mover.
    pushed: bool,
}

impl SweepProbe for SearchTrace {
    fn on_event(&mut self, event: SweepEvent<'_>) {
        match event {
            SweepEvent::StageEnded(Ending::Cell(_, answer)) => {
                self.pushed |= self.count == 0 && answer == Insert::Adjusted;
            }
            SweepEvent::SubStepEnded { at, .. } => {
                // A failed try leaves the mover where it was.
                self.middle.get_or_insert(*at);
                self.count += 1;
            }
            _ => {}
        }
    }
}

/// Random positions in rooms and walls, and on, over and under the ground.
struct RandomPositions {
    rooms: Vec<(CellId, Bounds)>,
    lands: Vec<BlockId>,
    random: Random,
}

impl RandomPositions {
    fn new(world: &World) -> Self {
        let blocks: BTreeSet<BlockId> = world.resident().map(|piece| piece.block()).collect();
        let bounds = |room: &threshold_world::Room| {
            let polygons = room.structure().drawing.iter();
            let corners = polygons.flat_map(|polygon| polygon.vertices.to_vec());
            (room.id(), Bounds::from_points(corners.map(|corner| room.to_block(corner))).unwrap())
        };
        let rooms = blocks.iter().flat_map(|block| world.rooms(*block)).map(bounds).collect();
        let lands = world.lands().map(|land| land.block()).collect();
        Self { rooms, lands, random: Random(11) }
    }

    fn part(&mut self, low: f32, high: f32) -> f32 {
        self.random.between(low.into(), high.into()) as f32
    }

    fn next(&mut self, world: &World) -> Position {
        let mut position = if self.lands.is_empty() || self.random.below(10) < 7 {
            let (cell, Bounds { min, max }) = self.rooms[self.random.below(self.rooms.len())];
            let at = [0, 1, 2].map(|axis| self.part(min[axis] - 0.5, max[axis] + 0.5));
            Position::new(cell, at.into())
        } else {
            let block = self.lands[self.random.below(self.lands.len())];
            let at = Vec2::new(self.part(0.0, 191.9), self.part(0.0, 191.9));
            let ground = world.land(block).unwrap().terrain().height(at).unwrap();
            let at = at.extend(ground + self.part(-3.0, 4.0));
            Position::new(block.cell(1), at).normalised().unwrap()
        };
        position.frame.rotation = Rotation::from_heading(self.part(0.0, 360.0));
        position
    }
}

/// Returns the distance of a point from a polygon.
fn distance(polygon: &Polygon<'_>, point: Vec3) -> f32 {
    let (normal, corners) = (polygon.plane.normal, polygon.vertices);
    let height = normal.dot(point) + polygon.plane.d;
    let edges = || corners.iter().zip(corners.iter().cycle().skip(1));
    let inside = |(a, b): (&Vec3, &Vec3)| normal.cross(*b - *a).dot(point - *a) >= 0.0;
    if edges().all(inside) {
        return height.abs();
    }
    let to_edge = |(a, b): (&Vec3, &Vec3)| {
        let way = *b - *a;
        let part = ((point - *a).dot(way) / way.length_squared()).clamp(0.0, 1.0);
        (*a + way * part - point).length()
    };
    edges().map(to_edge).fold(f32::INFINITY, f32::min)
}

/// Checks, without any tree, that spheres touch no wall of a room and no ground of a land cell.
#[track_caller]
fn check_free(world: &World, cell: CellId, at: &Position, spheres: &[Sphere]) {
    let there = |s: &Sphere| s.centre - threshold_land::block_offset_between(at.cell, cell);
    match world.cell(cell).unwrap() {
        Cell::Room(room) => {
            let polygons = room.structure().physics.polygons();
            for (sphere, polygon) in
                spheres.iter().flat_map(|s| polygons.iter().map(move |polygon| (s, polygon)))
            {
                let away = distance(&polygon, room.to_local(there(sphere)));
                assert!(away > sphere.radius - 1e-3, "{at:?} is {away} m from a wall of {cell}");
            }
        }
        Cell::Land(land) => {
            let low = there(&spheres[0]) - Vec3::Z * spheres[0].radius;
            let Some(ground) = land.ground(low.truncate()) else { return };
            let under = -ground.plane.distance(low) - land.water_depth(low.truncate());
            assert!(under < 1e-3, "{at:?} is {under} m under the ground of {cell}");
        }
    }
}

/// Numbers of placements by result.
#[derive(Debug, Default)]
struct PlacementCounts {
    found: usize,
    /// Found on a ring around the requested position.
    aside: usize,
    refused: usize,
    lost: usize,
    /// Placed there again, the mover ended lower, on the next tread of stairs.
    lower: usize,
    /// Placed there again, the mover did not stand: only the rim of a surface was under it.
    rim: usize,
}

/// Returns all results of a search, for comparison.
fn results(o: &Outcome) -> impl PartialEq + std::fmt::Debug + use<'_> {
    let met = (o.hit, o.hit_environment, &o.objects);
    ((o.refused, o.position, o.cell, o.stance), met, (&o.cells, &o.missed))
}

struct PlacementChecker<'w> {
    sweeper: Sweeper<'w>,
    scratch: SweepScratch,
    array: CellArray,
    counts: PlacementCounts,
}

impl PlacementChecker<'_> {
    fn check(&mut self, mover: &Mover, at: &Position) {
        let mut tries = SearchTrace::default();
        let Self { sweeper, scratch, counts, .. } = self;
        let outcome = sweeper.place(scratch, &mut (), mover, at, Search::Around);
        let watched =
            sweeper.place(&mut SweepScratch::new(), &mut tries, mover, at, Search::Around);
        assert_eq!(results(&outcome), results(&watched), "{at:?}");
        let Some(cell) = outcome.cell else { return counts.lost += 1 };
        if !outcome.is_ok() {
            return counts.refused += 1;
        }
        counts.found += 1;
        let (found, world, spheres) = (outcome.position, sweeper.world, mover.shape.spheres());
        let feet = found.frame.to_global(spheres[0].centre);
        assert!(world.cell(cell).unwrap().contains(feet), "{at:?}: {outcome:?}");
        self.array.clear();
        let placed = |s: &Sphere| Sphere::new(found.frame.to_global(s.centre), s.radius);
        let spheres: Vec<Sphere> = spheres.iter().map(placed).collect();
        let _ = CellSearch::new(world).spheres(&found, &spheres, &mut self.array);
        for entry in self.array.entries().iter().filter(|entry| entry.resident) {
            check_free(world, entry.cell, &found, &spheres);
        }
        if outcome.stance.contact {
            assert_eq!(outcome.cells[..], *self.array.entries(), "{at:?}: {outcome:?}");
        }
        let middle = tries.middle.unwrap();
        let aside = middle.offset_to(&found).truncate().length();
        assert!(aside < 4.001, "{at:?}: {aside} m to {found:?}");
        counts.aside += usize::from(aside > 0.001);
        let pushed = at.offset_to(&middle).truncate().length();
        assert!(tries.pushed || pushed < 0.001 || tries.count == 1, "{at:?}: {pushed} m");
        // On a line between cells, the requested cell and the found one differ.
        let on_line = |v: f32| (v / 24.0 - (v / 24.0).round()).abs() * 24.0 < 0.0003;
        if cell.is_indoor() || !(on_line(feet.x) || on_line(feet.y)) {
            self.check_again(mover, &outcome);
        }
    }

    /// Checks that a found position is found again. Only the treads of stairs move it: down, not aside.
    fn check_again(&mut self, mover: &Mover, first: &Outcome) {
        let Self { sweeper, scratch, counts, .. } = self;
        let again = sweeper.place(scratch, &mut (), mover, &first.position, Search::Here);
        assert!(again.is_ok(), "{first:?}: {again:?}");
        let moved = first.position.offset_to(&again.position);
        assert!(moved.truncate().length() < 1e-3, "{first:?} is moved by {moved}");
        match (first.stance.contact, again.stance.contact) {
            (false, found) => assert!(!found && moved == Vec3::ZERO, "{first:?}: {again:?}"),
            (true, false) => {
                assert_eq!(moved, Vec3::ZERO, "{first:?}: {again:?}");
                counts.rim += 1;
            }
            (true, true) if moved.z.abs() >= 1e-3 => {
                let reach = mover.shape.step_down;
                assert!(moved.z < 0.0 && moved.z > -reach, "{first:?} is moved by {moved}");
                counts.lower += 1;
            }
            (true, true) => {}
        }
    }
}

/// Places movers of three sizes at twenty thousand random positions of a world.
fn place_everywhere(name: &str) -> PlacementCounts {
    let walk = Walk::sample(name);
    let spec = walk.spec(0, [0.0; 3]);
    let movers = [0.5, 1.0, 1.5].map(|scale| Mover::from_spec(&BodySpec { scale, ..spec.clone() }));
    let mut positions = RandomPositions::new(&walk.world);
    let mut checker = PlacementChecker {
        sweeper: Sweeper::new(&walk.world),
        scratch: SweepScratch::new(),
        array: CellArray::new(),
        counts: PlacementCounts::default(),
    };
    for number in 0..20_000 {
        checker.check(&movers[number % 3], &positions.next(&walk.world));
    }
    checker.counts
}

#[test]
fn a_position_found_in_the_town_is_free() {
    let count = place_everywhere("holt");
    assert!(count.found > 14_000 && count.aside > 800 && count.refused > 1_000, "{count:?}");
    assert!((count.lower + count.rim) * 200 < count.found, "{count:?}");
}

#[test]
fn a_position_found_in_the_dungeon_is_free() {
    let count = place_everywhere("dungeon");
    assert!(count.found > 12_000 && count.aside > 200 && count.lost > 2_000, "{count:?}");
    assert!((count.lower + count.rim) * 200 < count.found, "{count:?}");
}

/// Returns placements in a world whose pieces are loaded in this order.
fn placements_in(builder: &Builder, order: &[threshold_world::PieceId]) -> Vec<Outcome> {
    let mut world = World::new();
    for piece in order {
        world.adopt(builder.build(*piece).unwrap().unwrap().piece);
    }
    let spec = Walk::in_world(World::new(), sample_builder("holt")).spec(0, [0.0; 3]);
    let (mover, sweeper) = (Mover::from_spec(&spec), Sweeper::new(&world));
    let (mut positions, mut scratch) = (RandomPositions::new(&world), SweepScratch::new());
    let mut find =
        || sweeper.place(&mut scratch, &mut (), &mover, &positions.next(&world), Search::Around);
    (0..2_000).map(|_| find()).collect()
}

#[test]
fn found_positions_do_not_depend_on_the_order_of_loading() {
    let builder = sample_builder("holt");
    let mut order = builder.pieces();
    let first = placements_in(&builder, &order);
    for seed in [1, 2] {
        Random(seed).shuffle(&mut order);
        let other = placements_in(&builder, &order);
        assert!(first.iter().zip(&other).all(|(a, b)| results(a) == results(b)));
    }
}

/// A body without spheres enters with a small one at its feet; later its own shapes decide its cells.
#[test]
fn a_body_without_spheres_stays_in_the_cells_of_both_landblocks_when_one_is_reloaded() {
    let mut forge = plain(&[0xA9B3, 0xA9B4]);
    let post = forge.object(ObjectSpec::Cylinder { radius: 0.6, height: 1.0 });
    let mut walk = Walk::from_source(forge.finish().unwrap());
    let spec = walk.spec(0xA9B4_0031, [150.0, 0.05, 0.0]);
    let spec = BodySpec { setup: walk.builder.setup(post).unwrap(), ..spec };
    let Walk { world, rules, scratch, body, builder, .. } = &mut walk;
    let (outcome, _) =
        body.enter(&mut MoveContext::new(world, *rules, scratch), spec, Search::Here, 0.0);
    assert!(outcome.is_ok(), "{outcome:?}");
    let listed = |world: &World| {
        world.objects_in(ACROSS).any(|object| object.id().as_body() == Some(WALKER))
    };
    assert!(listed(world));
    let south = PieceId::Land(BlockId(0xA9B3));
    assert!(world.drop_piece(south));
    world.adopt(builder.build(south).unwrap().unwrap().piece);
    assert!(listed(world));
}
