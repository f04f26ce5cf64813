//! Which cells the boxes of an object's parts touch.

#![allow(clippy::unwrap_used, reason = "a test fails on unexpected values")]

use threshold_dat::RecordId;
use threshold_forge::{Face, Forge, Opening, Plan, RoomSpec, samples};
use threshold_geom::Bounds;
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Rotation, Sphere};
use threshold_testkit::{sample_world, world_from};
use threshold_world::{Builder, CellArray, CellSearch, Model, PieceId, PlacedPart, World};

/// A box around its own centre, without polygons.
fn model(size: [f32; 3]) -> Model {
    let half = Vec3::from(size) * 0.5;
    Model {
        id: RecordId(0x0100_FFFF),
        bounds: Bounds { min: -half, max: half },
        physics: None,
        sphere: Some(Sphere::new(Vec3::ZERO, half.length())),
        always_2d: false,
    }
}

fn list(world: &World, from: u32, parts: &[PlacedPart]) -> Vec<u32> {
    let mut array = CellArray::new();
    CellSearch::new(world).parts(CellId(from), parts, &mut array);
    array.ids().map(|cell| cell.0).collect()
}

fn at(x: f32, y: f32, z: f32) -> Frame {
    Frame::at(Vec3::new(x, y, z))
}

#[test]
fn a_long_box_is_in_every_land_cell_under_it_from_west_to_east() {
    let world = sample_world("holt");
    let beam = PlacedPart::new(at(96.5, 96.2, 50.0), &model([50.0, 1.0, 1.0]));
    let column = |x: u32| [0xA9B4_0001 + 8 * x + 3, 0xA9B4_0001 + 8 * x + 4];
    let own = 0xA9B4_0025;
    let mut want = vec![own];
    want.extend((2..=5).flat_map(column).filter(|cell| *cell != own));
    assert_eq!(list(&world, own, &[beam]), want);
    // Turned by a right angle it extends north and south instead.
    let turned = Frame { rotation: Rotation::from_heading(90.0), ..at(96.5, 96.2, 50.0) };
    let cells = list(&world, own, &[PlacedPart::new(turned, &model([50.0, 1.0, 1.0]))]);
    assert!(cells.contains(&0xA9B4_0023) && !cells.contains(&0xA9B4_0015), "{cells:X?}");
}

#[test]
fn boxes_reach_into_neighbouring_landblocks() {
    let world = sample_world("holt");
    let corner = PlacedPart::new(at(0.5, 0.5, 40.0), &model([2.0, 2.0, 2.0]));
    let mut cells = list(&world, 0xA9B4_0001, &[corner]);
    cells.sort_unstable();
    assert_eq!(cells, [0xA8B3_0040, 0xA8B4_0039, 0xA9B3_0008, 0xA9B4_0001]);
}

#[test]
fn a_part_beyond_the_border_is_searched_in_the_frame_of_its_own_landblock() {
    let world = sample_world("holt");
    // The object is in A9B4, its part a few metres to the west of it, in A8B4.
    let part = PlacedPart::new(at(-5.0, 60.0, 40.0), &model([2.0, 2.0, 2.0]));
    assert_eq!(list(&world, 0xA9B4_0003, &[part]), [0xA9B4_0003, 0xA8B4_003B]);
}

#[test]
fn the_range_of_one_part_is_used_around_the_next_part_too() {
    let world = sample_world("holt");
    let small = model([1.0, 1.0, 1.0]);
    let parts = [at(84.0, 84.0, 50.0), at(132.0, 84.0, 50.0)].map(|at| PlacedPart::new(at, &small));
    // The land cell of each part gets the range from itself to all parts seen before.
    let cells = list(&world, 0xA9B4_001C, &parts);
    assert_eq!(cells, [0xA9B4_001C, 0xA9B4_0024, 0xA9B4_002C, 0xA9B4_0034, 0xA9B4_003C]);
}

#[test]
fn a_model_that_faces_the_viewer_is_searched_by_its_sphere() {
    let world = sample_world("holt");
    let mut card = model([1.0, 1.0, 1.0]);
    card.sphere = Some(Sphere::new(Vec3::ZERO, 20.0));
    let flat = PlacedPart::new(at(84.0, 84.0, 50.0), &card);
    assert_eq!(list(&world, 0xA9B4_001C, &[flat]).len(), 1);
    card.always_2d = true;
    let turning = PlacedPart::new(at(84.0, 84.0, 50.0), &card);
    assert_eq!(list(&world, 0xA9B4_001C, &[turning]).len(), 9);
}

#[test]
fn a_box_as_large_as_the_map_reaches_at_most_two_landblocks_around() {
    let world = sample_world("holt");
    let huge = PlacedPart::new(at(84.0, 84.0, 50.0), &model([1e9, 1e9, 1.0]));
    let land = list(&world, 0xA9B4_001C, &[huge]).into_iter().filter(|id| CellId(*id).is_outdoor());
    assert_eq!(land.count(), 33 * 33);
    let mut broken = model([1.0, 1.0, 1.0]);
    broken.bounds.max.x = f32::INFINITY;
    let broken = PlacedPart::new(at(84.0, 84.0, 50.0), &broken);
    assert_eq!(list(&world, 0xA9B4_001C, &[broken]), [0xA9B4_001C]);
    let nowhere = PlacedPart::new(at(f32::NAN, 84.0, 50.0), &model([1.0, 1.0, 1.0]));
    assert_eq!(list(&world, 0xA9B4_001C, &[nowhere]), [0xA9B4_001C]);
}

/// Rooms of 4 x 4 x 3 m in a row to the east, from 0x0100 on, with whole walls open.
fn row(resident: usize) -> World {
    let mut plan = Plan::new();
    let cuboid = |x: f32| RoomSpec::cuboid([x, 0.0, 0.0], [x + 4.0, 4.0, 3.0]);
    let rooms = [0.0, 4.0, 8.0].map(|x| plan.room(cuboid(x)));
    plan.join(rooms[0], rooms[1], Opening::whole(Face::EAST));
    plan.join(rooms[1], rooms[2], Opening::whole(Face::EAST));
    let mut forge = Forge::new();
    let cells = forge.block(BlockId(0x0102)).dungeon(Frame::IDENTITY, plan);
    let builder = Builder::new(forge.finish().unwrap());
    let mut world = World::new();
    for room in rooms.into_iter().take(resident) {
        let piece = builder.build(PieceId::Room(cells.of(room))).unwrap().unwrap().piece;
        world.adopt(piece);
    }
    world
}

const A: u32 = 0x0102_0100;

#[test]
fn boxes_go_through_portals_as_far_as_they_reach() {
    let world = row(3);
    let check = |x: f32, length: f32, want: &[u32]| {
        let part = PlacedPart::new(at(x, 2.0, 1.0), &model([length, 1.0, 1.0]));
        assert_eq!(list(&world, A, &[part]), want, "{length} m round {x}");
    };
    check(2.0, 3.0, &[A]);
    check(2.0, 3.99, &[A]);
    check(2.0, 4.01, &[A, A + 1]);
    check(4.0, 7.0, &[A, A + 1]);
    check(4.0, 9.0, &[A, A + 1, A + 2]);
    // From the middle room, portals are tested in the order of the record.
    let part = PlacedPart::new(at(6.0, 2.0, 1.0), &model([6.0, 1.0, 1.0]));
    assert_eq!(list(&world, A + 1, &[part]), [A + 1, A, A + 2]);
}

#[test]
fn a_room_that_is_not_resident_is_listed_if_a_box_reaches_its_portal() {
    let world = row(1);
    let part = |length: f32| PlacedPart::new(at(2.0, 2.0, 1.0), &model([length, 1.0, 1.0]));
    let mut array = CellArray::new();
    let search = CellSearch::new(&world);
    for (length, count) in [(3.0, 1), (5.0, 2)] {
        search.parts(CellId(A), &[part(length)], &mut array);
        assert_eq!(array.len(), count);
        assert_eq!(array.missed(), [CellId(A + 1)], "looked up in either case");
    }
    assert!(!array.entries()[1].resident);
}

#[test]
fn a_part_without_a_sphere_goes_through_no_portal() {
    let world = row(3);
    let mut without = model([9.0, 1.0, 1.0]);
    without.sphere = None;
    let part = PlacedPart::new(at(4.0, 2.0, 1.0), &without);
    assert_eq!(list(&world, A, &[part]), [A]);
}

#[test]
fn boxes_reach_in_and_out_through_the_portals_of_a_building() {
    let builder = Builder::new(samples::house_on_a_hill().unwrap());
    let mut world = World::new();
    for piece in builder.pieces() {
        world.adopt(builder.build(piece).unwrap().unwrap().piece);
    }
    // The door of the hall, 0x0100, is in the south, at y = 78.
    let (land, hall) = (0xA9B4_001C, 0xA9B4_0100);
    let part = |y: f32| PlacedPart::new(at(84.0, y, 61.2), &model([1.0, 1.0, 1.0]));
    assert_eq!(list(&world, land, &[part(76.0)]), [land]);
    assert_eq!(list(&world, land, &[part(77.8)]), [land, hall]);
    assert_eq!(list(&world, hall, &[part(78.2)]), [hall, land]);
    assert_eq!(list(&world, hall, &[part(80.0)]), [hall]);
    // A box outside at the closed wall does not touch the hall, though the plane of the door is
    // near.
    let beside = PlacedPart::new(at(78.0, 82.0, 61.2), &model([3.0, 1.0, 1.0]));
    assert_eq!(list(&world, land, &[beside]), [land]);
}

#[test]
fn a_part_reaches_no_farther_than_its_sphere() {
    let mut long = model([9.0, 1.0, 1.0]);
    long.sphere = Some(Sphere::new(Vec3::ZERO, 0.1));
    let part = PlacedPart::new(at(2.0, 2.0, 1.0), &long);
    assert_eq!(list(&row(3), A, &[part]), [A], "the box crosses the portal, the sphere does not");
    // It does not reach in from outside either.
    let world = world_from(samples::house_on_a_hill().unwrap().into_records());
    let mut deep = model([1.0, 7.9, 1.0]);
    deep.sphere = Some(Sphere::new(Vec3::ZERO, 0.1));
    let part = PlacedPart::new(at(84.0, 76.0, 61.2), &deep);
    assert_eq!(list(&world, 0xA9B4_001C, &[part]), [0xA9B4_001C]);
}

#[test]
fn a_part_reaches_no_farther_than_its_box() {
    let mut round = model([1.0, 1.0, 1.0]);
    round.sphere = Some(Sphere::new(Vec3::ZERO, 5.0));
    let part = PlacedPart::new(at(2.0, 2.0, 1.0), &round);
    assert_eq!(list(&row(1), A, &[part]), [A], "the sphere reaches the portal, the box does not");
}

#[test]
fn parts_go_into_a_building_of_the_next_landblock() {
    let world = sample_world("holt");
    // The door of the cottage at the border, with its sill at y = 190.8 of the southern landblock.
    let part = PlacedPart::new(at(156.0, -1.2, 41.0), &model([1.0, 1.0, 1.0]));
    let cells = list(&world, 0xA9B4_0031, &[part]);
    assert!(cells.contains(&0xA9B3_0038) && cells.contains(&0xA9B3_0100), "{cells:X?}");
}

#[test]
fn rooms_behind_a_portal_come_before_the_next_portal() {
    let mut plan = Plan::new();
    let hall = plan.room(RoomSpec::cuboid([-4.0, -2.0, 0.1], [0.0, 2.0, 3.1]));
    let shed = plan.room(RoomSpec::cuboid([0.0, -2.0, 0.1], [4.0, 2.0, 3.1]));
    let den = plan.room(RoomSpec::cuboid([-4.0, 2.0, 0.1], [0.0, 6.0, 3.1]));
    plan.exit(hall, Opening::door(Face::SOUTH)).exit(shed, Opening::door(Face::SOUTH));
    plan.join(hall, den, Opening::door(Face::NORTH));
    let mut forge = Forge::new();
    let cells = forge.block(BlockId(0xA9B4)).building(at(84.0, 84.0, 0.0), plan);
    let world = world_from(forge.finish().unwrap().into_records());
    let part = PlacedPart::new(at(84.0, 84.0, 1.0), &model([7.0, 11.0, 1.0]));
    let want = [hall, den, shed].map(|room| cells.of(room).0);
    assert_eq!(list(&world, 0xA9B4_001C, &[part])[1..], want);
}

#[test]
fn an_object_with_thousands_of_parts_is_listed() {
    let world = sample_world("holt");
    let small = model([30.0, 30.0, 1.0]);
    let part = |i: usize| {
        let step = (i % 64) as f32;
        PlacedPart::new(at(3.0 * step, 3.0 * (i / 64) as f32, 50.0), &small)
    };
    let parts: Vec<PlacedPart> = (0..4096).map(part).collect();
    let cells = list(&world, 0xA9B4_0001, &parts);
    assert!(cells.len() > 64 && cells.len() <= threshold_world::MAX_LISTED_CELLS);
}

#[test]
fn tests_that_are_skipped_are_not_counted() {
    let world = row(1);
    let mut array = CellArray::new();
    let part = PlacedPart::new(at(3.9, 2.0, 1.0), &model([1.0, 1.0, 1.0]));
    CellSearch::new(&world).parts(CellId(A), &[part], &mut array);
    assert_eq!((array.counters.plane_tests, array.counters.volume_tests), (1, 0));
}
