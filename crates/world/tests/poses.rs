//! Bodies with parts that change their poses, and bodies that turn in place.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test fails on unexpected values"
)]

use threshold_dat::{Placement, RecordId, Records, SetupRecord};
use threshold_forge::{Face, Forge, MOVER, ObjectSpec, Opening, Plan, RoomSpec, Shape};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Position, Rotation, Sphere};
use threshold_testkit::Random;
use threshold_world::{
    BodyId, BodySpec, Builder, Object, ObjectId, ObjectKind, PieceId, PoseError, Registration,
    State, UnknownBody, World,
};

const A: CellId = CellId(0x0102_0100);
const B: CellId = CellId(0x0102_0101);
const DOOR: BodyId = BodyId(1);
const SETUP: RecordId = RecordId(0x0200_FFF0);
/// The part that turns; part 0 is the post at the hinge.
const LEAF: usize = 1;
const SHUT: Frame = Frame::IDENTITY;

/// The pose of the leaf at a compass heading. Shut it points east, at 90 degrees south.
fn open(degrees: f32) -> Frame {
    Frame { rotation: Rotation::from_heading(degrees), ..SHUT }
}

/// Two rooms of 4 x 4 x 3 m in a row to the east, wholly open to each other, the ground of their
/// landblock, and a door with a leaf of 1.7 m in this default pose.
fn builder(leaf_at_rest: Frame) -> Builder {
    let mut forge = Forge::new();
    let post = forge.object(ObjectSpec::cuboid([0.1, 0.1, 2.0]));
    let leaf = Shape::cuboid([0.0, -0.05, 0.0], [1.7, 0.05, 2.0]);
    let leaf = forge.object(ObjectSpec::Solid(leaf));
    let mut plan = Plan::new();
    let cuboid = |x: f32| RoomSpec::cuboid([x, 0.0, 0.0], [x + 4.0, 4.0, 3.0]);
    let rooms = [0.0, 4.0].map(|x| plan.room(cuboid(x)));
    plan.join(rooms[0], rooms[1], Opening::whole(Face::EAST));
    forge.block(BlockId(0x0102)).dungeon(Frame::IDENTITY, plan);
    let mut records = forge.finish().unwrap().into_records();
    let mut setup: SetupRecord = Records::new(&records).get(MOVER).unwrap().unwrap();
    (setup.id, setup.parts) = (SETUP, vec![post, leaf]);
    let frames = [Frame::IDENTITY, leaf_at_rest].into();
    setup.placements = vec![Placement { key: 0, frames, hooks: [].into() }];
    records.put(SETUP, &setup).unwrap();
    Builder::new(records)
}

fn adopt(world: &mut World, builder: &Builder, piece: PieceId) {
    world.adopt(builder.build(piece).unwrap().unwrap().piece);
}

fn rooms(builder: &Builder, cells: &[CellId]) -> World {
    let mut world = World::new();
    cells.iter().for_each(|cell| adopt(&mut world, builder, PieceId::Room(*cell)));
    world
}

/// A door with its hinge in the western room, 1 m before the eastern one.
fn door(builder: &Builder) -> BodySpec {
    BodySpec {
        body: DOOR,
        setup: builder.setup(SETUP).unwrap(),
        position: Position::new(A, Vec3::new(3.0, 2.0, 0.0)),
        scale: 1.0,
        state: State::default(),
        kind: ObjectKind::Thing,
    }
}

/// Both rooms, and the door, shut.
fn doorway() -> World {
    let builder = builder(SHUT);
    let mut world = rooms(&builder, &[A, B]);
    world.insert(door(&builder));
    world
}

fn body(world: &World) -> &Object {
    world.body(DOOR).unwrap()
}

fn cells(world: &World) -> Vec<CellId> {
    body(world).cells().iter().map(|registered| registered.cell).collect()
}

/// The cells with the door in their object lists.
fn listed(world: &World) -> Vec<CellId> {
    let lists = |cell: &CellId| world.objects_in(*cell).any(|o| o.id() == ObjectId::body(DOOR));
    [A, B].into_iter().filter(lists).collect()
}

/// Returns whether a sphere in the landblock of `cell` touches the collision shapes of an object.
fn touches(object: &Object, cell: CellId, sphere: Sphere) -> bool {
    object.solids().any(|solid| {
        let centre = solid.space.to_local_from(cell, sphere.centre) / solid.scale;
        let local = Sphere::new(centre, sphere.radius / solid.scale.abs());
        solid.tree.sphere_intersects_solid(&local, true)
    })
}

#[track_caller]
fn check_solid(world: &World, at: [f32; 3], want: bool) {
    let sphere = Sphere::new(at.into(), 0.02);
    assert_eq!(touches(body(world), A, sphere), want, "at {at:?}");
}

fn is_near(world: &World, cell: CellId, sphere: Sphere) -> bool {
    let mut nearby = world.objects_near(cell);
    std::iter::from_fn(|| nearby.next(|_| true, &sphere))
        .any(|object| object.id() == ObjectId::body(DOOR))
}

const EAST: [f32; 3] = [4.2, 2.0, 1.0];
const SOUTH: [f32; 3] = [3.0, 0.8, 1.0];

#[test]
fn a_leaf_blocks_where_it_is_and_not_where_it_was() {
    let mut world = doorway();
    check_solid(&world, EAST, true);
    check_solid(&world, SOUTH, false);
    world.pose_part(DOOR, LEAF, open(90.0)).unwrap();
    check_solid(&world, EAST, false);
    check_solid(&world, SOUTH, true);
    assert_eq!(body(&world).part_pose(LEAF), Some(open(90.0)));
    assert_eq!(body(&world).part_pose(0), Some(Frame::IDENTITY), "the post stays");
    assert_eq!(body(&world).part_position(LEAF).unwrap().frame.heading().round(), 90.0);
    world.pose_part(DOOR, LEAF, SHUT).unwrap();
    check_solid(&world, EAST, true);
    check_solid(&world, SOUTH, false);
}

#[test]
fn a_leaf_keeps_its_pose_when_the_body_moves() {
    let mut world = doorway();
    world.pose_part(DOOR, LEAF, open(90.0)).unwrap();
    world.move_body(DOOR, Position::new(A, Vec3::new(2.0, 2.0, 0.0))).unwrap();
    check_solid(&world, [2.0, 0.8, 1.0], true);
    check_solid(&world, [3.2, 2.0, 1.0], false);
}

/// The registration and part positions of the door.
fn registration(world: &World) -> (Vec<Registration>, Vec<CellId>, Vec<Option<Position>>) {
    let parts = (0..3).map(|part| body(world).part_position(part)).collect();
    (body(world).cells().to_vec(), listed(world), parts)
}

#[test]
fn a_posed_body_is_in_the_cells_of_a_body_with_that_default_pose() {
    let mut posed = doorway();
    let mut seen = [0; 3];
    for step in 0..36 {
        let pose = Frame { origin: Vec3::X * 0.1, ..open(10.0 * step as f32) };
        posed.pose_part(DOOR, LEAF, pose).unwrap();
        let builder = builder(pose);
        let mut made = rooms(&builder, &[A, B]);
        made.insert(door(&builder));
        assert_eq!(registration(&posed), registration(&made), "{step}");
        seen[cells(&posed).len()] += 1;
    }
    assert!(seen[1] > 8 && seen[2] > 8, "{seen:?}");
}

#[test]
fn a_leaf_that_turns_away_leaves_the_object_lists() {
    let mut world = doorway();
    assert_eq!((cells(&world), listed(&world)), (vec![A, B], vec![A, B]));
    world.pose_part(DOOR, LEAF, open(90.0)).unwrap();
    assert_eq!((cells(&world), listed(&world)), (vec![A], vec![A]));
    world.pose_part(DOOR, LEAF, SHUT).unwrap();
    assert_eq!((cells(&world), listed(&world)), (vec![A, B], vec![A, B]));
}

#[test]
fn setting_the_same_pose_again_searches_nothing() {
    let mut world = doorway();
    let before = world.registration_counters();
    world.pose_part(DOOR, LEAF, SHUT).unwrap();
    assert_eq!(world.registration_counters(), before);
    world.pose_part(DOOR, LEAF, open(1.0)).unwrap();
    assert_ne!(world.registration_counters(), before);
}

#[test]
fn the_pose_of_a_scaled_body_is_scaled() {
    let builder = builder(SHUT);
    let mut world = rooms(&builder, &[A, B]);
    world.insert(BodySpec { scale: 0.5, ..door(&builder) });
    let pose = Frame { origin: Vec3::new(0.0, -1.0, 0.0), ..open(90.0) };
    world.pose_part(DOOR, LEAF, pose).unwrap();
    let at = body(&world).part_position(LEAF).unwrap().frame.origin;
    assert_eq!((at, body(&world).part_pose(LEAF)), (Vec3::new(3.0, 1.5, 0.0), Some(pose)));
    check_solid(&world, [3.0, 0.7, 0.9], true);
    check_solid(&world, [3.0, 0.6, 0.9], false);
    check_solid(&world, [3.0, 1.6, 0.9], false);
    check_solid(&world, [3.0, 0.7, 1.1], false);
}

#[test]
fn a_body_that_is_inserted_again_has_its_default_poses() {
    let mut world = doorway();
    let fresh = registration(&world);
    world.pose_part(DOOR, LEAF, open(90.0)).unwrap();
    let taken = world.remove(DOOR).unwrap();
    assert_eq!(taken.part_pose(LEAF), Some(open(90.0)));
    assert!(listed(&world).is_empty());
    let again = door(&builder(SHUT));
    world.insert(again.clone());
    assert_eq!(registration(&world), fresh);
    world.pose_part(DOOR, LEAF, open(90.0)).unwrap();
    world.insert(again);
    assert_eq!(registration(&world), fresh, "replaced by itself");
}

#[test]
fn an_invalid_pose_is_an_error_and_changes_nothing() {
    let mut world = doorway();
    let before = registration(&world);
    let mut check = |number: u32, part: usize, pose: Frame, want: PoseError, text: &str| {
        let error = world.pose_part(BodyId(number), part, pose).unwrap_err();
        assert_eq!((error, error.to_string().as_str()), (want, text));
    };
    let unknown = PoseError::UnknownBody(UnknownBody(BodyId(7)));
    check(7, LEAF, SHUT, unknown, "there is no body 0x00000007");
    let none = PoseError::NoSuchPart { body: DOOR, part: 2, parts: 2 };
    check(1, 2, open(1.0), none, "body 0x00000001 has no part 2, only 2 from 0");
    let bad = PoseError::NotValid { body: DOOR, part: LEAF };
    let rotation = Rotation::new(2.0, 0.0, 0.0, 0.0);
    let nowhere = [f32::NAN, f32::INFINITY].map(|x| Frame::at(Vec3::new(x, 0.0, 0.0)));
    for pose in [Frame { rotation, ..SHUT }, nowhere[0], nowhere[1]] {
        check(1, LEAF, pose, bad, "the frame for part 1 of body 0x00000001 is not valid");
    }
    assert_eq!(registration(&world), before);
    assert_eq!(body(&world).part_pose(2), None);
    assert_eq!(world.turn(BodyId(7), Rotation::IDENTITY), Err(UnknownBody(BodyId(7))));
}

#[test]
fn a_leaf_at_the_largest_number_is_never_skipped() {
    let mut world = doorway();
    world.pose_part(DOOR, LEAF, Frame::at(Vec3::splat(f32::MAX))).unwrap();
    assert_eq!(cells(&world), [A]);
    assert!(is_near(&world, A, Sphere::new(Vec3::ZERO, 0.1)));
}

#[test]
fn a_leaf_that_reaches_farther_updates_its_bounds_in_the_same_cells() {
    let builder = builder(SHUT);
    let mut world = World::new();
    adopt(&mut world, &builder, PieceId::Land(BlockId(0x0102)));
    let (cell, foot) = (CellId(0x0102_0001), Vec3::new(12.0, 12.0, 0.0));
    world.insert(BodySpec { position: Position::new(cell, foot), ..door(&builder) });
    let above = Sphere::new(foot + Vec3::new(1.0, 0.0, 10.0), 0.1);
    assert!(!is_near(&world, cell, above));
    // The cells stay the same, so only the greater reach makes the list change.
    let before = cells(&world);
    world.pose_part(DOOR, LEAF, Frame::at(Vec3::Z * 9.0)).unwrap();
    assert_eq!(cells(&world), before);
    assert!(touches(body(&world), cell, above));
    assert!(is_near(&world, cell, above));
    world.pose_part(DOOR, LEAF, SHUT).unwrap();
    assert!(!is_near(&world, cell, above), "the bounds are no larger than needed");
}

#[test]
fn a_leaf_that_is_touched_is_never_skipped() {
    let builder = builder(SHUT);
    let mut world = World::new();
    adopt(&mut world, &builder, PieceId::Land(BlockId(0x0102)));
    let cell = CellId(0x0102_0001);
    let mut random = Random(3);
    let vector = |random: &mut Random, reach: f64| {
        let mut axis = || random.between(-reach, reach) as f32;
        Vec3::new(axis(), axis(), axis())
    };
    let (mut touched, mut far) = (0, 0);
    for _ in 0..40 {
        let scale = random.between(0.3, 2.0) as f32;
        let mut foot = Vec3::new(12.0, 12.0, 0.0);
        world.insert(BodySpec { position: Position::new(cell, foot), scale, ..door(&builder) });
        for _ in 0..40 {
            let heading = Rotation::from_heading(random.between(0.0, 360.0) as f32);
            let origin = vector(&mut random, 5.0);
            match random.below(3) {
                0 => world.turn(DOOR, heading).unwrap(),
                1 => {
                    foot += vector(&mut random, 1.5);
                    let frame = Frame { origin: foot, rotation: heading };
                    world.move_body(DOOR, Position { cell, frame }).unwrap();
                }
                _ => world.pose_part(DOOR, LEAF, Frame { origin, rotation: heading }).unwrap(),
            }
            for spread in [2.0; 20].into_iter().chain([10.0; 5]) {
                let leaf = body(&world).part_position(LEAF).unwrap().frame;
                let at = leaf.to_global(vector(&mut random, spread * f64::from(scale)));
                let sphere = Sphere::new(at, random.between(0.05, 0.5) as f32);
                let (touch, near) =
                    (touches(body(&world), cell, sphere), is_near(&world, cell, sphere));
                touched += usize::from(touch);
                far += usize::from(!near);
                assert!(near || !touch, "{sphere:?} {:?}", body(&world));
            }
        }
    }
    assert!(touched > 2_000 && far > 2_000, "{touched} {far}");
}

#[test]
fn the_cells_of_a_pose_do_not_depend_on_when_rooms_are_loaded() {
    let builder = builder(open(90.0));
    let mut whole = rooms(&builder, &[A, B]);
    whole.insert(door(&builder));
    assert_eq!(cells(&whole), [A]);
    whole.pose_part(DOOR, LEAF, SHUT).unwrap();
    assert_eq!(cells(&whole), [A, B]);
    let want = registration(&whole);
    // The leaf turns towards a room that is not resident yet.
    let mut late = rooms(&builder, &[A]);
    late.insert(door(&builder));
    late.pose_part(DOOR, LEAF, SHUT).unwrap();
    assert_eq!((listed(&late), body(&late).is_completely_visible()), (vec![A], false));
    adopt(&mut late, &builder, PieceId::Room(B));
    assert_eq!(registration(&late), want);
    // Rooms are dropped and loaded again.
    for room in [B, A] {
        assert!(late.drop_piece(PieceId::Room(room)));
        adopt(&mut late, &builder, PieceId::Room(room));
        assert_eq!(registration(&late), want, "{room}");
    }
}

#[test]
fn a_body_that_turns_turns_its_parts_and_keeps_its_registration() {
    let mut world = doorway();
    let (before, counters) = (body(&world).cells().to_vec(), world.registration_counters());
    let south = Rotation::from_heading(90.0);
    world.turn(DOOR, south).unwrap();
    check_solid(&world, EAST, false);
    check_solid(&world, SOUTH, true);
    assert_eq!(body(&world).cells(), before);
    assert_eq!(listed(&world), [A, B]);
    assert_eq!(world.registration_counters(), counters, "nothing is searched");
    let position = *body(&world).position();
    assert_eq!((position.cell, position.frame.rotation), (A, south));
    assert_eq!(position.frame.origin, Vec3::new(3.0, 2.0, 0.0));
    // The turn of the body and that of the leaf add up.
    world.pose_part(DOOR, LEAF, open(-90.0)).unwrap();
    check_solid(&world, EAST, true);
    check_solid(&world, SOUTH, false);
    // When it moves, it is registered with its new heading.
    world.pose_part(DOOR, LEAF, SHUT).unwrap();
    world.move_body(DOOR, position).unwrap();
    assert_eq!(listed(&world), [A]);
}
