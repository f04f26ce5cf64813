//! Which object is in which cell, independent of the order of loading.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test fails on unexpected values"
)]

use std::collections::BTreeMap;
use threshold_testkit::{Random, sample_builder, sample_world};

use threshold_dat::RecordId;
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Position, Rotation};
use threshold_world::{
    BodyId, BodySpec, Builder, CellArray, CellSearch, ObjectId, ObjectKind, PieceId, State,
    UnknownBody, World,
};

/// The objects of every cell that has any, as text.
fn lists(world: &World) -> BTreeMap<CellId, Vec<String>> {
    let lands = world.lands().flat_map(|land| (1..=64).map(|low| land.block().cell(low)));
    let blocks = (0..=u16::MAX).map(BlockId);
    let rooms = blocks.flat_map(|block| world.rooms(block).map(|room| room.id()));
    let cells = lands.chain(rooms);
    let names = |cell| world.objects_in(cell).map(|object| object.id().to_string()).collect();
    cells
        .map(|cell| (cell, names(cell)))
        .filter(|(_, names): &(_, Vec<_>)| !names.is_empty())
        .collect()
}

/// The cells that each object reports.
fn cells(world: &World) -> Vec<String> {
    world.objects().map(|object| format!("{} {:?}", object.id(), object.cells())).collect()
}

fn adopt(world: &mut World, builder: &Builder, piece: PieceId) {
    world.adopt(builder.build(piece).unwrap().unwrap().piece);
}

#[track_caller]
fn check_cells(world: &World, object: ObjectId, want: &[u32]) {
    let object = world.object(object).unwrap();
    let got: Vec<CellId> = object.cells().iter().map(|registered| registered.cell).collect();
    assert_eq!(got, want.iter().map(|id| CellId(*id)).collect::<Vec<_>>(), "{}", object.id());
}

/// The object of a landblock nearest to a point.
fn near(world: &World, block: u16, x: f32, y: f32) -> ObjectId {
    let away = |at: Vec3| (at.truncate() - threshold_land::vector::Vec2::new(x, y)).length();
    let of_block = world.objects().filter(|object| object.position().cell.block().0 == block);
    let nearest = of_block
        .min_by(|a, b| away(a.position().frame.origin).total_cmp(&away(b.position().frame.origin)));
    nearest.unwrap().id()
}

#[test]
fn objects_on_a_landblock_border_are_in_the_cells_of_both() {
    let world = sample_world("holt");
    // A pillar and a barrel by their cylinders, in the order of the neighbour rule.
    check_cells(&world, near(&world, 0xA9B4, 0.3, 60.0), &[0xA9B4_0003, 0xA8B4_003B]);
    check_cells(&world, near(&world, 0xA9B3, 150.0, 191.8), &[0xA9B3_0038, 0xA9B4_0031]);
    // A crate by the box of its part, south to north.
    check_cells(&world, near(&world, 0xA9B3, 165.0, 191.7), &[0xA9B3_0038, 0xA9B4_0031]);
}

#[test]
fn static_objects_are_static_and_know_whether_they_have_a_physics_tree() {
    let world = sample_world("holt");
    let state = |object: ObjectId| world.object(object).unwrap().state();
    assert_eq!(state(near(&world, 0xA9B4, 0.3, 60.0)), State::STATIC);
    let with_tree = State::STATIC.with(State::HAS_PHYSICS_TREE, true);
    assert_eq!(state(near(&world, 0xA9B3, 165.0, 191.7)), with_tree);
}

#[test]
fn the_order_of_loading_does_not_matter() {
    for name in ["holt", "dungeon"] {
        let whole = sample_world(name);
        let (want, want_cells) = (lists(&whole), cells(&whole));
        assert!(!want.is_empty());
        let builder = sample_builder(name);
        let mut random = Random(1);
        for _ in 0..5 {
            let mut pieces = builder.pieces();
            random.shuffle(&mut pieces);
            let mut world = World::new();
            pieces.iter().for_each(|piece| adopt(&mut world, &builder, *piece));
            // Some pieces are dropped and loaded again.
            for _ in 0..pieces.len() / 2 {
                let piece = pieces[random.below(pieces.len())];
                assert!(world.drop_piece(piece));
                if random.below(2) == 0 {
                    let other = pieces[random.below(pieces.len())];
                    world.drop_piece(other);
                    adopt(&mut world, &builder, other);
                }
                adopt(&mut world, &builder, piece);
            }
            assert_eq!(lists(&world), want);
            assert_eq!(cells(&world), want_cells);
        }
    }
}

#[test]
fn a_dropped_piece_leaves_nothing_behind() {
    let builder = sample_builder("holt");
    let mut world = sample_world("holt");
    let half: Vec<PieceId> =
        builder.pieces().into_iter().filter(|p| p.block().0 == 0xA9B4).collect();
    half.iter().for_each(|piece| assert!(world.drop_piece(*piece)));
    let mut fresh = World::new();
    for piece in builder.pieces() {
        if !half.contains(&piece) {
            adopt(&mut fresh, &builder, piece);
        }
    }
    assert_eq!(lists(&world), lists(&fresh));
    assert_eq!(cells(&world), cells(&fresh));
    assert!(!world.drop_piece(half[0]), "it was dropped already");
}

/// A door leaf, 1.7 m wide, with a physics tree.
fn door(builder: &Builder, number: u32, position: Position) -> BodySpec {
    BodySpec {
        body: BodyId(number),
        setup: builder.setup(RecordId(0x0200_0021)).unwrap(),
        position,
        scale: 1.0,
        state: State::default(),
        kind: ObjectKind::None,
    }
}

#[test]
fn a_door_in_a_doorway_is_in_the_room_and_on_the_land() {
    let builder = sample_builder("holt");
    let mut world = sample_world("holt");
    // The sill of the cottage lies at y = 8; the vestibule is 0x0170.
    let outdoors = Position::new(CellId(0xA9B4_0031), Vec3::new(156.0, 8.0, 40.15));
    let indoors = Position { cell: CellId(0xA9B4_0170), ..outdoors };
    for (number, position) in [(1, outdoors), (2, indoors)] {
        world.insert(door(&builder, number, position));
        let object = world.body(BodyId(number)).unwrap();
        let cells: Vec<CellId> = object.cells().iter().map(|registered| registered.cell).collect();
        assert_eq!(cells[0], position.cell, "its own cell is first");
        assert!(cells.contains(&outdoors.cell) && cells.contains(&indoors.cell), "{cells:?}");
        assert!(object.is_completely_visible());
    }
    for cell in [outdoors.cell, indoors.cell] {
        let bodies: Vec<BodyId> = world.objects_in(cell).filter_map(|o| o.id().as_body()).collect();
        assert_eq!(bodies, [1, 2].map(BodyId), "by number, not by order of insertion");
    }
    // Far from the wall it is in one cell.
    let away = Position::new(CellId(0xA9B4_0031), Vec3::new(156.0, 3.0, 40.0));
    world.move_body(BodyId(1), away).unwrap();
    check_cells(&world, ObjectId::body(BodyId(1)), &[0xA9B4_0031]);
    world.remove(BodyId(2)).unwrap();
    assert_eq!(world.objects_in(indoors.cell).filter_map(|o| o.id().as_body()).count(), 0);
    assert_eq!(world.move_body(BodyId(2), away), Err(UnknownBody(BodyId(2))));
}

#[test]
fn a_swept_mover_is_in_the_cells_of_its_sweep() {
    let builder = sample_builder("holt");
    let mut world = sample_world("holt");
    let position = Position::new(CellId(0xA9B4_0170), Vec3::new(156.0, 8.2, 40.155));
    let setup = builder.setup(RecordId(0x0200_0001)).unwrap();
    let state = State(0x0040_0408);
    let (scale, kind) = (1.0, ObjectKind::Creature);
    let (body, id) = (BodyId(9), ObjectId::body(BodyId(9)));
    world.insert(BodySpec { body, setup: setup.clone(), position, scale, state, kind });
    let spheres: Vec<_> = setup
        .spheres
        .iter()
        .map(|s| threshold_land::Sphere::new(position.frame.to_global(s.centre), s.radius))
        .collect();
    let mut swept = CellArray::new();
    let found = CellSearch::new(&world).spheres(&position, &spheres, &mut swept);
    assert_eq!((found.cell, found.hits_interior), (Some(position.cell), true));
    let want: Vec<u32> = swept.ids().map(|cell| cell.0).collect();
    assert_eq!(want, [0xA9B4_0170, 0xA9B4_0031]);
    world.move_swept(body, position, swept.entries(), swept.missed()).unwrap();
    check_cells(&world, id, &want);
    // A door has a physics tree and finds its own cells.
    world.insert(door(&builder, 8, position));
    world.move_swept(BodyId(8), position, &[], &[]).unwrap();
    assert!(!world.body(BodyId(8)).unwrap().cells().is_empty());
    assert!(world.move_swept(BodyId(7), position, swept.entries(), swept.missed()).is_err());
}

#[test]
fn an_inserted_body_is_in_the_cells_of_its_placement_search() {
    let builder = sample_builder("holt");
    let mut world = sample_world("holt");
    let position = Position::new(CellId(0xA9B4_0170), Vec3::new(156.0, 12.0, 40.155));
    let setup = builder.setup(RecordId(0x0200_0001)).unwrap();
    let (body, id) = (BodyId(9), ObjectId::body(BodyId(9)));
    let (scale, state, kind) = (1.0, State(0x0040_0408), ObjectKind::Creature);
    let spec = BodySpec { body, setup, position, scale, state, kind };
    world.insert(spec.clone());
    let own: Vec<u32> = world.body(body).unwrap().cells().iter().map(|at| at.cell.0).collect();
    // Cells that it would not find itself, in an order of their own; one is not resident.
    let want = [0xA9B4_0031, 0xA9B4_0170, 0xA9B4_0EEE];
    assert_ne!(own, want);
    let mut found = CellArray::new();
    want.map(CellId).into_iter().for_each(|cell| found.add(cell, world.is_resident(cell)));
    let searches = world.registration_counters().searches;
    world.insert_at(spec.clone(), found.entries(), &[CellId(0xA9B4_0EEE)]);
    check_cells(&world, id, &want);
    assert_eq!(world.registration_counters().searches, searches, "nothing is searched");
    let lists = lists(&world);
    let has =
        |cell: &u32| lists.get(&CellId(*cell)).is_some_and(|names| names.contains(&id.to_string()));
    assert!(want[..2].iter().all(has));
    assert!(own.iter().all(|cell| want.contains(cell) || !has(cell)), "it left those it was in");
    // A sweep to the same cells changes nothing, once no cell is missing.
    found.clear();
    found.add(CellId(0xA9B4_0031), true);
    for _ in 0..2 {
        world.move_swept(body, position, found.entries(), &[]).unwrap();
        check_cells(&world, id, &[0xA9B4_0031]);
    }
    // Without cells it finds its own.
    world.insert_at(spec, &[], &[]);
    check_cells(&world, id, &own);
}

#[test]
fn an_inserted_body_with_a_physics_tree_finds_its_own_cells() {
    let builder = sample_builder("holt");
    let (mut world, mut other) = (sample_world("holt"), sample_world("holt"));
    let position = Position::new(CellId(0xA9B4_0170), Vec3::new(156.0, 8.0, 40.15));
    let mut found = CellArray::new();
    found.add(position.cell, true);
    world.insert_at(door(&builder, 1, position), found.entries(), &[]);
    other.insert(door(&builder, 1, position));
    assert_eq!((lists(&world), cells(&world)), (lists(&other), cells(&other)));
    assert!(world.body(BodyId(1)).unwrap().cells().len() > 1);
}

#[test]
fn a_lost_body_with_a_physics_tree_is_found_again_by_its_sweep() {
    let builder = sample_builder("holt");
    let mut world = sample_world("holt");
    let position = Position::new(CellId(0xA9B4_0170), Vec3::new(156.0, 8.0, 40.15));
    world.insert(door(&builder, 1, position));
    let before = (lists(&world), cells(&world));
    world.lose(BodyId(1), position).unwrap();
    assert!(world.body(BodyId(1)).unwrap().cells().is_empty());
    world.move_swept(BodyId(1), position, &[], &[]).unwrap();
    assert_eq!((lists(&world), cells(&world)), before);
}

#[test]
fn an_inserted_body_is_registered_again_when_a_missing_cell_is_loaded() {
    let builder = sample_builder("holt");
    let mut world = World::new();
    adopt(&mut world, &builder, PieceId::Land(BlockId(0xA9B4)));
    let position = Position::new(CellId(0xA9B4_0031), Vec3::new(156.0, 7.8, 40.155));
    let (setup, room) = (builder.setup(RecordId(0x0200_0001)).unwrap(), CellId(0xA9B4_0170));
    let (scale, state, kind) = (1.0, State(0x0040_0408), ObjectKind::Creature);
    let mut found = CellArray::new();
    found.add(position.cell, true);
    let spec = BodySpec { body: BodyId(9), setup, position, scale, state, kind };
    world.insert_at(spec, found.entries(), &[room]);
    check_cells(&world, ObjectId::body(BodyId(9)), &[position.cell.0]);
    adopt(&mut world, &builder, PieceId::Room(room));
    check_cells(&world, ObjectId::body(BodyId(9)), &[position.cell.0, room.0]);
}

#[test]
fn an_object_is_registered_again_when_its_missing_cells_are_loaded() {
    let builder = sample_builder("holt");
    let mut world = World::new();
    adopt(&mut world, &builder, PieceId::Land(BlockId(0xA9B4)));
    let place = Position::new(CellId(0xA9B4_0031), Vec3::new(156.0, 8.0, 40.15));
    let turned = Frame { rotation: Rotation::from_heading(180.0), ..place.frame };
    world.insert(door(&builder, 1, Position { frame: turned, ..place }));
    check_cells(&world, ObjectId::body(BodyId(1)), &[0xA9B4_0031]);
    adopt(&mut world, &builder, PieceId::Room(CellId(0xA9B4_0170)));
    let door = world.body(BodyId(1)).unwrap();
    assert!(door.cells().iter().any(|registered| registered.cell.0 == 0xA9B4_0170));
    // The pillar on the western border touches a landblock that is not resident.
    let pillar = near(&world, 0xA9B4, 0.3, 60.0);
    assert!(!world.object(pillar).unwrap().is_completely_visible());
    adopt(&mut world, &builder, PieceId::Land(BlockId(0xA8B4)));
    assert!(world.object(pillar).unwrap().is_completely_visible());
}

#[test]
fn stays_listed_is_true_only_if_no_object_list_changes() {
    let (west, east) = (CellId(0x0102_0100), CellId(0x0102_0101));
    let builder = Builder::new(threshold_forge::samples::two_rooms().unwrap());
    let mut world = World::new();
    builder.pieces().into_iter().for_each(|piece| adopt(&mut world, &builder, piece));
    let (id, at) = (BodyId(1), |x| Position::new(west, Vec3::new(x, 2.0, 0.0)));
    let setup = builder.setup(RecordId(0x0200_0001)).unwrap();
    let (scale, state) = (1.0, State::GRAVITY);
    world.insert(BodySpec {
        body: id,
        setup,
        position: at(1.0),
        scale,
        state,
        kind: ObjectKind::Creature,
    });
    let here = [threshold_world::ListedCell { cell: west, resident: true }];
    let stays = |world: &World, x, missed: &[CellId]| {
        world.body(id).unwrap().stays_listed(&at(x), &here, missed)
    };
    assert!(!stays(&world, 1.0, &[]), "its cells were found by its own shapes");
    world.move_swept(id, at(1.0), &here, &[]).unwrap();
    assert!(stays(&world, 1.0, &[]) && stays(&world, 2.9, &[]));
    assert!(!stays(&world, 3.1, &[]), "too far");
    assert!(!stays(&world, 1.0, &[east]), "one cell was missing");
    // Its listed bounds are updated here, and later moves are measured from here.
    world.move_swept(id, at(3.5), &here, &[]).unwrap();
    assert!(stays(&world, 3.5, &[]) && !stays(&world, 1.0, &[]));
    // A missing cell that is loaded is searched.
    assert!(world.drop_piece(PieceId::Room(east)));
    world.move_swept(id, at(3.7), &here, &[]).unwrap();
    world.move_swept(id, at(3.8), &here, &[east]).unwrap();
    adopt(&mut world, &builder, PieceId::Room(east));
    check_cells(&world, ObjectId::body(id), &[west.0, east.0]);
}
