//! The state of the world depends on what is resident, not on the order of loading.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test fails on unexpected values"
)]

use threshold_dat::{RecordId, RecordSet};
use threshold_forge::{Face, Forge, ObjectSpec, Opening, Plan, RoomSpec, samples};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Position, Sphere};
use threshold_testkit::{Random, edit_room, world_from};
use threshold_world::{
    BodyId, BodySpec, Builder, CellArray, CellSearch, ObjectKind, PieceId, State, World,
};

const A: CellId = CellId(0x0102_0100);
const B: CellId = CellId(0x0102_0101);
const C: CellId = CellId(0x0102_0102);

/// The cells that each object reports.
fn cells(world: &World) -> Vec<String> {
    world.objects().map(|object| format!("{} {:?}", object.id(), object.cells())).collect()
}

/// A world that was loaded once and never changed.
fn fresh(builder: &Builder, pieces: impl Iterator<Item = PieceId>) -> World {
    let mut world = World::new();
    pieces.for_each(|piece| world.adopt(builder.build(piece).unwrap().unwrap().piece));
    world
}

/// Three rooms in a row to the east, open to each other, with an object in the first.
fn row_with(object: ObjectSpec, at: [f32; 3]) -> RecordSet {
    let mut forge = Forge::new();
    let model = forge.object(object);
    let mut plan = Plan::new();
    let cuboid = |x: f32| RoomSpec::cuboid([x, 0.0, 0.0], [x + 4.0, 4.0, 3.0]);
    let rooms = [0.0, 4.0, 8.0].map(|x| plan.room(cuboid(x)));
    plan.join(rooms[0], rooms[1], Opening::whole(Face::EAST));
    plan.join(rooms[1], rooms[2], Opening::whole(Face::EAST));
    plan.put(rooms[0], model, Frame::at(at.into()));
    forge.block(BlockId(0x0102)).dungeon(Frame::IDENTITY, plan);
    forge.finish().unwrap().into_records()
}

fn listed(world: &World) -> Vec<(CellId, bool)> {
    let object = world.objects().next().unwrap();
    object.cells().iter().map(|registered| (registered.cell, registered.resident)).collect()
}

#[test]
fn an_object_depends_on_a_room_that_was_pruned_from_its_cells() {
    let mut records = row_with(ObjectSpec::Cylinder { radius: 6.0, height: 2.0 }, [2.0, 2.0, 0.0]);
    edit_room(&mut records, A, |room| room.visible = vec![C.low()]);
    let builder = Builder::new(records);
    let all = [A, B, C].map(PieceId::Room);
    let mut world = fresh(&builder, all.into_iter());
    assert_eq!(listed(&world), [(A, true), (C, true)]);
    assert!(world.drop_piece(PieceId::Room(B)));
    assert_eq!(listed(&world), [(A, true)]);
}

#[test]
fn an_object_depends_on_a_room_that_was_tested_and_not_touched() {
    let mut records = row_with(ObjectSpec::Cylinder { radius: 0.48, height: 2.0 }, [3.8, 2.0, 0.0]);
    // The second room is far from its portal: while resident it is not touched, otherwise its
    // portal is.
    edit_room(&mut records, B, |room| room.position.origin.y += 10.0);
    let builder = Builder::new(records);
    let all = [A, B, C].map(PieceId::Room);
    let mut world = fresh(&builder, all.into_iter());
    assert_eq!(listed(&world), [(A, true)]);
    assert!(world.drop_piece(PieceId::Room(B)));
    assert_eq!(listed(&world), [(A, true), (B, false)]);
    world.adopt(builder.build(PieceId::Room(B)).unwrap().unwrap().piece);
    assert_eq!(listed(&world), [(A, true)]);
}

/// A dungeon with objects of all shapes, and with stab lists that lack a few rooms.
fn cluttered(seed: u64) -> RecordSet {
    let mut random = Random(seed);
    let mut records = samples::dungeon(25, seed).unwrap().into_records();
    let mut forge = Forge::new();
    let shapes = [
        ObjectSpec::Cylinder { radius: 3.0, height: 1.0 },
        ObjectSpec::Ball { radius: 2.0 },
        ObjectSpec::cuboid([7.0, 1.0, 1.0]),
    ];
    let models: Vec<RecordId> = shapes.into_iter().map(|shape| forge.object(shape)).collect();
    forge.block(BlockId(0x7F7F));
    let other = forge.finish().unwrap().into_records();
    for (id, bytes) in other.records(threshold_dat::FileKind::Portal) {
        if models.contains(&id) || id.0 >> 24 == 0x01 {
            // Numbers that the dungeon does not use.
            let bytes = bytes.to_vec();
            records.put_bytes(threshold_dat::FileKind::Portal, id, bytes);
        }
    }
    for low in 0..25 {
        let cell = CellId(A.0 + low);
        edit_room(&mut records, cell, |room| {
            room.visible.retain(|_| random.below(3) > 0);
            let mut near = |v: f32| v + random.between(-3.0, 3.0) as f32;
            let Vec3 { x, y, z } = room.position.origin;
            let origin = Vec3::new(near(x), near(y), near(z));
            let model = models[random.below(models.len())];
            room.statics = vec![threshold_dat::Stab { model, frame: Frame::at(origin) }];
        });
    }
    records
}

#[test]
fn a_world_after_many_changes_equals_a_fresh_one() {
    for seed in 1..6 {
        let builder = Builder::new(cluttered(seed));
        let pieces = builder.pieces();
        let mut random = Random(seed);
        let mut world = World::new();
        let mut shared = 0;
        for _ in 0..150 {
            let piece = pieces[random.below(pieces.len())];
            if !world.drop_piece(piece) {
                world.adopt(builder.build(piece).unwrap().unwrap().piece);
            }
            let resident: Vec<PieceId> = world.resident().collect();
            assert_eq!(cells(&world), cells(&fresh(&builder, resident.into_iter())), "{seed}");
            shared += world.objects().filter(|object| object.cells().len() > 1).count();
        }
        assert!(shared > 200, "{shared} objects in more than one cell");
    }
}

/// A mover with spheres of 0.48 m and a much larger sorting sphere.
fn mover(builder: &Builder, position: Position) -> BodySpec {
    let mut setup = (*builder.setup(threshold_forge::MOVER).unwrap()).clone();
    setup.sorting_sphere = Some(Sphere::new(Vec3::ZERO, 4.0));
    let (body, setup, scale) = (BodyId(1), setup.into(), 1.0);
    BodySpec { body, setup, position, scale, state: State::default(), kind: ObjectKind::Creature }
}

fn body_cells(world: &World) -> Vec<CellId> {
    world.body(BodyId(1)).unwrap().cells().iter().map(|registered| registered.cell).collect()
}

#[test]
fn the_cells_of_a_swept_body_do_not_depend_on_when_rooms_are_loaded() {
    let builder = Builder::new(samples::two_rooms().unwrap());
    let build = |cell| builder.build(PieceId::Room(cell)).unwrap().unwrap().piece;
    let sweep = |world: &mut World, x: f32| {
        let position = Position::new(A, Vec3::new(x, 2.0, 0.0));
        world.insert(mover(&builder, position));
        let spheres: Vec<Sphere> = world
            .body(BodyId(1))
            .unwrap()
            .setup()
            .spheres
            .iter()
            .map(|s| Sphere::new(position.frame.to_global(s.centre), s.radius))
            .collect();
        let mut swept = CellArray::new();
        let _ = CellSearch::new(world).spheres(&position, &spheres, &mut swept);
        world.move_swept(BodyId(1), position, swept.entries(), swept.missed()).unwrap();
    };
    for (x, want) in [(2.0, vec![A]), (3.9, vec![A, B])] {
        let mut before = World::new();
        before.adopt(build(A));
        before.adopt(build(B));
        sweep(&mut before, x);
        assert_eq!(body_cells(&before), want);
        let mut after = World::new();
        after.adopt(build(A));
        sweep(&mut after, x);
        after.adopt(build(B));
        assert_eq!(body_cells(&after), want);
        assert!(after.body(BodyId(1)).unwrap().is_completely_visible());
        assert!(before.drop_piece(PieceId::Room(B)));
        before.adopt(build(B));
        assert_eq!(body_cells(&before), want);
        assert_eq!(before.objects_in(B).count(), want.len() - 1);
    }
}

#[test]
fn a_sweep_without_cells_keeps_the_registration_of_a_body() {
    let builder = Builder::new(samples::two_rooms().unwrap());
    let mut world = fresh(&builder, [A, B].map(PieceId::Room).into_iter());
    let position = Position::new(A, Vec3::new(2.0, 2.0, 0.0));
    world.insert(mover(&builder, position));
    let before = body_cells(&world);
    assert_eq!(before, [A, B], "by its sorting sphere");
    world.move_swept(BodyId(1), position, &[], &[]).unwrap();
    assert_eq!(body_cells(&world), before);
}

#[test]
fn bodies_are_lost_while_their_own_cell_is_not_resident() {
    let builder = Builder::new(samples::two_rooms().unwrap());
    let mut world = fresh(&builder, [A, B].map(PieceId::Room).into_iter());
    let position = Position::new(A, Vec3::new(2.0, 2.0, 0.0));
    world.insert(mover(&builder, position));
    assert_eq!(world.lost_bodies().count(), 0);
    assert!(world.drop_piece(PieceId::Room(A)));
    assert_eq!(world.lost_bodies().count(), 1);
    assert_eq!(world.objects_in(B).count(), 0, "what is nowhere touches nothing");
    world.adopt(builder.build(PieceId::Room(A)).unwrap().unwrap().piece);
    assert_eq!(world.lost_bodies().count(), 0);
    assert_eq!(body_cells(&world), [A, B]);
}

#[test]
fn worlds_and_builders_are_send_and_sync() {
    fn check<T: Send + Sync>(_: &T) {}
    let builder = Builder::new(samples::two_rooms().unwrap());
    check(&builder);
    let built = builder.build(PieceId::Room(A)).unwrap().unwrap();
    check(&built.piece);
    let world = world_from(samples::two_rooms().unwrap().into_records());
    check(&world);
    check(&CellSearch::new(&world));
    check(&CellArray::new());
}
