//! Lines of sight: what can be seen from where.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use std::collections::BTreeSet;
use threshold_testkit::{
    Random, Walk,
    layouts::{A, B, dungeon, hut, plain, row},
};

use threshold_forge::{Face, ObjectSpec, Opening, Plan, RoomSpec};
use threshold_geom::Bounds;
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Position, Sphere};
use threshold_motion::{
    Door, Hinge, MoveContext, Mover, MoverShape, Refusal, SIGHT_RADIUS, Search, Sight,
    SightExclusions, SweepScratch, Sweeper,
};
use threshold_world::{BodyId, BodySpec, Builder, ObjectId, ObjectKind, PieceId, State, World};

const LAND: CellId = CellId(0xA9B4_0001);
const OTHER: BodyId = BodyId(3);
const THING: ObjectId = ObjectId::body(OTHER);

fn at(cell: CellId, x: f32, y: f32, z: f32) -> Position {
    Position::new(cell, Vec3::new(x, y, z))
}

fn look(world: &World, from: &Position, to: &Position, exclusions: SightExclusions) -> Sight {
    Sweeper::new(world).line_of_sight(&mut SweepScratch::new(), from, to, exclusions)
}

/// Returns whether nothing blocks sight between two positions. Checks both directions.
#[track_caller]
fn is_clear(world: &World, [from, to]: [&Position; 2]) -> bool {
    let there = look(world, from, to, SightExclusions::default());
    let back = look(world, to, from, SightExclusions::default());
    assert_eq!(there.is_clear(), back.is_clear(), "{from:?} {to:?}: {there:?}, {back:?}");
    there.is_clear()
}

#[test]
fn a_wall_hides_what_is_behind_it() {
    let wall = (0, [2.0, 0.0, 0.0], [2.2, 3.0, 3.0]);
    let walk = Walk::from_source(row(&[4.0, 4.0], &[wall]));
    let [west, east] = [at(A, 1.0, 1.0, 1.5), at(A, 3.0, 1.0, 1.5)];
    assert!(!is_clear(&walk.world, [&west, &east]));
    let Sight::Blocked { at: stopped, normal } =
        look(&walk.world, &west, &east, SightExclusions::default())
    else {
        panic!("it is clear")
    };
    assert_eq!(normal, Vec3::NEG_X);
    // The line ends touching the wall.
    let x = stopped.frame.origin.x;
    assert!((x - (2.0 - SIGHT_RADIUS)).abs() < 0.01, "{x}");
    // Past the wall, and into the next room.
    assert!(is_clear(&walk.world, [&at(A, 1.0, 3.5, 1.5), &at(B, 7.0, 3.5, 1.5)]));
    assert!(is_clear(&walk.world, [&east, &at(B, 7.0, 3.0, 2.5)]));
    assert!(!is_clear(&walk.world, [&west, &at(B, 7.0, 1.0, 1.5)]));
}

/// Two rooms with a doorway of 1.8 m in the wall between them, at x = 4 from y = 1.1 to 2.9 and 2.3 m high.
fn doorway() -> Walk {
    let mut plan = Plan::new();
    let rooms = [0.0, 4.0].map(|x| plan.room(RoomSpec::cuboid([x, 0.0, 0.0], [x + 4.0, 4.0, 3.0])));
    plan.join(rooms[0], rooms[1], Opening::door(Face::EAST));
    Walk::from_source(dungeon(plan))
}

/// Puts a body into a world.
fn put(walk: &mut Walk, body: BodyId, object: ObjectSpec, kind: ObjectKind, position: Position) {
    let mut forge = plain(&[]);
    let model = forge.object(object);
    let setup = Builder::new(forge.finish().unwrap()).setup(model).unwrap();
    let (scale, state) = (1.0, State::default());
    walk.world.insert(BodySpec { body, setup, position, scale, state, kind });
}

#[test]
fn the_next_room_is_seen_through_the_doorway_only() {
    let walk = doorway();
    for ([y, z], clear) in [
        ([2.0, 1.5], true),
        ([3.5, 1.5], true),  // 15 cm beside the jamb
        ([3.7, 1.5], false), // 5 cm: less than the radius of the line
        ([3.9, 1.5], false),
        ([0.2, 1.5], false),
        ([2.0, 2.7], true), // 20 cm under the lintel
        ([3.9, 2.9], false),
    ] {
        let (near, far) = (at(A, 2.0, 2.0, 1.5), at(B, 6.0, y, z));
        assert_eq!(is_clear(&walk.world, [&near, &far]), clear, "{far:?}");
    }
}

#[test]
fn a_closed_door_hides_the_next_room_and_an_open_one_does_not() {
    let mut walk = doorway();
    let leaf = ObjectSpec::cuboid([0.1, 1.8, 2.3]);
    put(&mut walk, OTHER, leaf, ObjectKind::Thing, at(A, 4.0, 2.0, 0.0));
    let hinges = [Hinge { part: 0, swing: 90.0 }];
    let mut door = Door::new(&walk.world, OTHER, &hinges, 1.0).unwrap();
    let ends = [at(A, 2.0, 1.8, 1.5), at(B, 6.0, 2.2, 1.5)];
    let is_visible = |world: &World| is_clear(world, [&ends[0], &ends[1]]);
    let Walk { world, rules, scratch, .. } = &mut walk;
    assert!(!is_visible(world));
    door.open(&mut MoveContext::new(world, *rules, scratch)).unwrap();
    assert!(is_visible(world), "at once");
    let _ = door.update(&mut MoveContext::new(world, *rules, scratch), 1.0).unwrap();
    assert!(is_visible(world), "wherever its leaf is");
    door.close();
    let _ = door.update(&mut MoveContext::new(world, *rules, scratch), 1.0).unwrap();
    assert!(!is_visible(world));
}

#[test]
fn the_street_is_seen_from_inside_and_the_inside_from_the_street() {
    let (records, [land, hall, closet]) = hut();
    let walk = Walk::from_source(records);
    let street = at(land, 92.0, 84.0, 1.6);
    assert!(is_clear(&walk.world, [&at(hall, 84.0, 84.0, 1.6), &street]));
    assert!(is_clear(&walk.world, [&at(closet, 81.0, 84.0, 1.6), &street]));
    // From behind the house, and over it.
    let behind = at(land, 76.0, 84.0, 1.6);
    assert!(!is_clear(&walk.world, [&behind, &street]));
    assert!(!is_clear(&walk.world, [&behind, &at(hall, 84.0, 84.0, 1.6)]));
    assert!(is_clear(&walk.world, [&at(land, 76.0, 84.0, 9.0), &at(land, 92.0, 84.0, 9.0)]));
}

/// Level ground and a ridge 20 m high at x = 96.
fn ridge() -> Walk {
    let mut forge = plain(&[0xA9B3]);
    forge.block(BlockId(0xA9B3)).heights(|x, _| if x == 4 { 10 } else { 0 });
    forge.block(BlockId(0xA9B4)).heights(|x, _| if x == 4 { 10 } else { 0 });
    Walk::from_source(forge.finish().unwrap())
}

#[test]
fn a_hill_hides_what_is_behind_it() {
    let walk = ridge();
    let [west, east] = [CellId(0xA9B4_0014), CellId(0xA9B4_002C)];
    let ends = |z: f32| [at(west, 60.0, 84.0, z), at(east, 130.0, 84.0, z)];
    for (z, clear) in [(1.6, false), (10.0, false), (19.0, false), (20.5, true), (40.0, true)] {
        let [from, to] = ends(z);
        assert_eq!(is_clear(&walk.world, [&from, &to]), clear, "{z}");
    }
    let [from, to] = ends(10.0);
    let Sight::Blocked { at: stopped, normal } =
        look(&walk.world, &from, &to, SightExclusions::default())
    else {
        panic!("it is clear")
    };
    // The slope rises to 10 m at x = 84.
    let x = stopped.frame.origin.x;
    assert!(normal.x < 0.0 && normal.z > 0.5 && (83.0..84.0).contains(&x), "{stopped:?}");
}

#[test]
fn a_landblock_border_does_not_block_sight() {
    let walk = ridge();
    let [north, south] = [CellId(0xA9B4_0031), CellId(0xA9B3_0038)];
    let [from, to] = [at(north, 150.0, 5.0, 1.6), at(south, 152.0, 187.0, 1.6)];
    assert!(is_clear(&walk.world, [&from, &to]));
    // The same place, in the frame of the other landblock.
    let same = at(north, 152.0, -5.0, 1.6);
    assert!(look(&walk.world, &from, &same, SightExclusions::default()).is_clear());
    // Along it, and through the ridge.
    let [from, to] =
        [at(CellId(0xA9B4_0011), 60.0, 5.0, 1.6), at(CellId(0xA9B3_0030), 130.0, 187.0, 1.6)];
    assert!(!is_clear(&walk.world, [&from, &to]));
}

fn shapes() -> [ObjectSpec; 3] {
    let (radius, height) = (0.5, 2.0);
    let [cylinder, ball] =
        [ObjectSpec::Cylinder { radius, height }, ObjectSpec::Ball { radius: 0.8 }];
    [ObjectSpec::cuboid([1.0, 1.0, 2.0]), cylinder, ball]
}

/// Returns level ground with an object, and positions on either side of it.
fn between(object: ObjectSpec, kind: ObjectKind) -> (Walk, [Position; 2]) {
    let mut walk = Walk::from_source(plain(&[0xA9B4]).finish().unwrap());
    put(&mut walk, OTHER, object, kind, at(LAND, 12.0, 12.0, 0.0));
    (walk, [at(LAND, 8.0, 12.0, 1.2), at(LAND, 16.0, 12.0, 1.2)])
}

#[test]
fn objects_block_sight_and_creatures_do_not() {
    for object in shapes() {
        for (kind, state, clear) in [
            (ObjectKind::Thing, State::default(), false),
            (ObjectKind::None, State::default(), false),
            (ObjectKind::None, State::STATIC, false),
            (ObjectKind::Creature, State::default(), true),
            (ObjectKind::Thing, State::MISSILE, true),
            (ObjectKind::Thing, State::ETHEREAL, true),
        ] {
            let (mut walk, [from, to]) = between(object.clone(), kind);
            walk.world.set_state(OTHER, state).unwrap();
            assert_eq!(is_clear(&walk.world, [&from, &to]), clear, "{object:?} {kind:?} {state:?}");
        }
    }
}

const fn looking_at(object: ObjectId) -> SightExclusions {
    SightExclusions { viewer: None, target: Some(object) }
}

#[test]
fn viewer_and_target_do_not_block_sight() {
    for object in shapes() {
        let (mut walk, [from, to]) = between(object.clone(), ObjectKind::Thing);
        let inside = at(LAND, 12.0, 12.0, 1.2);
        assert!(!look(&walk.world, &from, &inside, SightExclusions::default()).is_clear());
        assert!(look(&walk.world, &from, &inside, looking_at(THING)).is_clear());
        let from_it = SightExclusions { viewer: Some(OTHER), target: None };
        assert!(look(&walk.world, &inside, &to, from_it).is_clear());
        // It hides another object behind it.
        let far = BodyId(4);
        put(&mut walk, far, object, ObjectKind::Thing, at(LAND, 16.0, 12.0, 0.0));
        assert!(!look(&walk.world, &from, &to, looking_at(ObjectId::body(far))).is_clear());
        walk.world.remove(OTHER).unwrap();
        assert!(look(&walk.world, &from, &to, looking_at(ObjectId::body(far))).is_clear());
    }
}

/// A board of 2 cm, and an object 1 cm behind it: for either order of the objects, and wherever sub-steps end.
#[test]
fn an_object_right_behind_a_board_is_hidden_by_it() {
    for [target, board] in [[3, 4], [4, 3]].map(|pair| pair.map(BodyId)) {
        let mut walk = Walk::from_source(plain(&[0xA9B4]).finish().unwrap());
        let upright = ObjectSpec::cuboid([0.02, 3.0, 3.0]);
        put(&mut walk, board, upright, ObjectKind::Thing, at(LAND, 12.0, 12.0, 0.0));
        let [object, ..] = shapes();
        put(&mut walk, target, object, ObjectKind::Thing, at(LAND, 12.52, 12.0, 0.0));
        for step in 0..20 {
            let from = at(LAND, 8.0 + 0.005 * step as f32, 12.0, 1.2);
            let to = at(LAND, 12.5, 12.0, 1.2);
            let sight = look(&walk.world, &from, &to, looking_at(ObjectId::body(target)));
            assert!(!sight.is_clear(), "{target} behind {board}, from {from:?}");
        }
    }
}

/// A static object from the record of the landblock can be a target like any other.
#[test]
fn a_static_target_does_not_block_sight() {
    let mut forge = plain(&[0xA9B4]);
    let statue = forge.object(ObjectSpec::cuboid([1.0, 1.0, 2.0]));
    forge.block(LAND.block()).put(statue, Frame::at(Vec3::new(12.0, 12.0, 0.0)));
    let walk = Walk::from_source(forge.finish().unwrap());
    let statue = walk.world.objects_in(LAND).next().unwrap().id();
    let [from, middle] = [at(LAND, 8.0, 12.0, 1.2), at(LAND, 12.0, 12.0, 1.2)];
    assert!(!look(&walk.world, &from, &middle, SightExclusions::default()).is_clear());
    let sight = look(&walk.world, &from, &middle, looking_at(statue));
    assert!(sight.is_clear(), "{sight:?}");
}

/// Touching an ethereal object makes a sweep forget its hit.
#[test]
fn a_wall_blocks_sight_even_behind_an_ethereal_object() {
    for object in shapes() {
        let mut walk =
            Walk::from_source(row(&[4.0, 4.0], &[(0, [3.0, 0.0, 0.0], [3.2, 4.0, 3.0])]));
        put(&mut walk, OTHER, object.clone(), ObjectKind::Thing, at(A, 2.8, 3.0, 0.0));
        walk.world.set_state(OTHER, State::ETHEREAL).unwrap();
        let (from, to) = (at(A, 1.0, 3.0, 1.0), at(A, 7.0, 3.0, 1.0));
        let sight = look(&walk.world, &from, &to, SightExclusions::default());
        assert!(matches!(sight, Sight::Blocked { .. }), "{object:?}: {sight:?}");
    }
}

#[test]
fn sight_without_an_answer_is_unknown() {
    let builder = Builder::new(plain(&[0xA9B4, 0xA9B3, 0xA9B5]).finish().unwrap());
    let mut world = World::new();
    world.adopt(builder.build(PieceId::Land(LAND.block())).unwrap().unwrap().piece);
    let here = at(LAND, 12.0, 12.0, 1.6);
    let unknown =
        |from: &Position, to: &Position| match look(&world, from, to, SightExclusions::default()) {
            Sight::Unknown(refusal) => Some(refusal),
            _ => None,
        };
    assert_eq!(unknown(&at(CellId(0xA9B5_0001), 12.0, 12.0, 1.6), &here), Some(Refusal::NoCell));
    assert_eq!(unknown(&at(CellId(0xA9B4_0100), 12.0, 12.0, 1.6), &here), Some(Refusal::NoCell));
    assert_eq!(unknown(&here, &at(LAND, f32::NAN, 12.0, 1.6)), Some(Refusal::NotFinite));
    assert_eq!(unknown(&here, &at(LAND, 12.0, 12.0, 500.0)), Some(Refusal::TooFar));
    assert_eq!(unknown(&here, &at(LAND, 12.0, 12.0, 400.0)), None);
    // The target is in a cell that is not resident.
    assert_eq!(unknown(&here, &at(LAND, 12.0, -12.0, 1.6)), Some(Refusal::NoCell));
    assert!(look(&world, &here, &here, SightExclusions::default()).is_clear());
}

/// Random positions for an eye, with nothing within 12 cm.
struct EyePositions<'w> {
    sweeper: Sweeper<'w>,
    scratch: SweepScratch,
    rooms: Vec<(CellId, Bounds)>,
    random: Random,
}

impl<'w> EyePositions<'w> {
    fn new(world: &'w World) -> Self {
        let blocks: BTreeSet<BlockId> = world.resident().map(|piece| piece.block()).collect();
        let bounds = |room: &threshold_world::Room| {
            let polygons = room.structure().drawing.iter();
            let corners = polygons.flat_map(|polygon| polygon.vertices.to_vec());
            (room.id(), Bounds::from_points(corners.map(|corner| room.to_block(corner))).unwrap())
        };
        let rooms = blocks.iter().flat_map(|block| world.rooms(*block)).map(bounds).collect();
        Self {
            sweeper: Sweeper::new(world),
            scratch: SweepScratch::new(),
            rooms,
            random: Random(5),
        }
    }

    /// Returns the position in its cell, if it is free.
    fn free_position(&mut self, cell: CellId, at: Vec3) -> Option<Position> {
        let shape = MoverShape::new(&[Sphere::new(Vec3::ZERO, 0.12)], 0.0, 0.0);
        // A missile is placed without a search for ground.
        let eye = Mover { state: State::MISSILE, ..Mover::new(shape) };
        let at = Position::new(cell, at);
        let outcome = self.sweeper.place(&mut self.scratch, &mut (), &eye, &at, Search::Here);
        let free = outcome.is_ok() && outcome.cell.is_some();
        (free && at.offset_to(&outcome.position) == Vec3::ZERO).then_some(outcome.position)
    }

    fn near(&mut self, middle: Vec3, reach: Vec3) -> Vec3 {
        let mut axis = |v: f32| self.random.between(-f64::from(v), v.into()) as f32;
        middle + Vec3::new(axis(reach.x), axis(reach.y), axis(reach.z))
    }

    /// Returns two positions in a room or around it.
    fn pair(&mut self) -> [Position; 2] {
        loop {
            let (cell, Bounds { min, max }) = self.rooms[self.random.below(self.rooms.len())];
            let from = self.near((min + max) / 2.0, (max - min) / 2.0);
            let Some(from) = self.free_position(cell, from) else { continue };
            let to = self.near(from.frame.origin, Vec3::new(8.0, 8.0, 2.0));
            if let Some(to) = self.free_position(from.cell, to) {
                return [from, to];
            }
        }
    }
}

/// Returns the distance of a position from the line between two.
fn off_the_line(from: &Position, to: &Position, at: &Position) -> f32 {
    let (way, there) = (from.offset_to(to), from.offset_to(at));
    let part = (there.dot(way) / way.length_squared()).clamp(0.0, 1.0);
    (there - way * part).length()
}

/// Returns whether a line crosses a wall of a room, not only its edge.
fn crosses(world: &World, from: &Position, to: &Position) -> bool {
    let ends = [from.frame.origin, from.frame.origin + from.offset_to(to)];
    world.rooms(from.cell.block()).any(|room| {
        let [a, b] = ends.map(|end| room.to_local(end));
        room.structure().physics.polygons().iter().any(|wall| {
            let [before, behind] = [a, b].map(|end| wall.plane.distance(end));
            let meets = a + (b - a) * (before / (before - behind));
            let corners = wall.vertices.iter().zip(wall.vertices.iter().cycle().skip(1));
            let within = |(c, d): (&Vec3, &Vec3)| {
                wall.plane.normal.cross(*d - *c).normalize_or_zero().dot(meets - *c) > 1e-3
            };
            (before > 0.0) != (behind > 0.0) && corners.into_iter().all(within)
        })
    })
}

/// Numbers of pairs of positions by result.
#[derive(Debug, Default)]
struct SightCounts {
    clear: usize,
    blocked: usize,
    /// Clear in one direction only.
    one_way: usize,
}

/// Returns whether a line of sight is clear. Checks that the obstacle is on the line.
#[track_caller]
fn check_sight(eyes: &mut EyePositions<'_>, from: &Position, to: &Position) -> bool {
    let world = eyes.sweeper.world;
    let sight = eyes.sweeper.line_of_sight(&mut eyes.scratch, from, to, SightExclusions::default());
    match sight {
        Sight::Clear => assert!(!crosses(world, from, to), "{from:?} {to:?}: through a wall"),
        Sight::Blocked { at, normal } => {
            let off = off_the_line(from, to, &at);
            assert!(off < 1e-3, "{from:?} {to:?}: {at:?} is {off} m off");
            assert!(world.cell(at.cell).unwrap().contains(at.frame.origin), "{at:?}");
            assert!((normal.length() - 1.0).abs() < 1e-3, "{from:?} {to:?}: {normal}");
        }
        _ => panic!("{from:?} {to:?}: {sight:?}"),
    }
    sight.is_clear()
}

fn count_sights(name: &str) -> SightCounts {
    let walk = Walk::sample(name);
    let mut eyes = EyePositions::new(&walk.world);
    let mut count = SightCounts::default();
    for _ in 0..2_000 {
        let [from, to] = eyes.pair();
        match [check_sight(&mut eyes, &from, &to), check_sight(&mut eyes, &to, &from)] {
            [true, true] => count.clear += 1,
            [false, false] => count.blocked += 1,
            _ => count.one_way += 1,
        }
    }
    count
}

/// One line in a thousand grazes an edge at 9 to 10 cm and is clear in one direction only: its sub-steps end elsewhere.
#[test]
fn sight_is_symmetric_except_at_edges() {
    for name in ["holt", "dungeon"] {
        let count = count_sights(name);
        assert!(count.clear > 300 && count.blocked > 300, "{name}: {count:?}");
        assert!(count.one_way <= 10, "{name}: {count:?}");
    }
}
