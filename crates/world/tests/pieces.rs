//! Odd records: buildings and objects out of place, parts and shapes that cannot be used.

#![allow(clippy::unwrap_used, reason = "a test fails on unexpected values")]

use threshold_dat::{
    GfxObj, LandBlockInfo, RecordId, RecordSet, Restriction, Restrictions, SetupRecord, Stab,
};
use threshold_forge::{Face, Forge, ObjectSpec, Opening, Plan, RoomSpec, samples};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Position, Sphere};
use threshold_testkit::{edit_record, edit_room, world_from};
use threshold_world::{
    BodyId, BodySpec, Builder, CellArray, CellSearch, ObjectKind, PieceId, State, World,
};

const TOWN: BlockId = BlockId(0xA9B4);
const INFO: RecordId = RecordId(0xA9B4_FFFE);

/// Builds and adopts one piece, and returns its faults.
fn adopt(world: &mut World, builder: &Builder, piece: PieceId) -> Vec<String> {
    let built = builder.build(piece).unwrap().unwrap();
    world.adopt(built.piece);
    built.faults.iter().map(ToString::to_string).collect()
}

fn town(records: RecordSet) -> (World, Vec<String>) {
    let mut world = World::new();
    let faults = adopt(&mut world, &Builder::new(records), PieceId::Land(TOWN));
    (world, faults)
}

#[test]
fn the_first_of_two_buildings_in_a_land_cell_is_kept() {
    let mut records = samples::house_on_a_hill().unwrap().into_records();
    edit_record(&mut records, INFO, |info: &mut LandBlockInfo| {
        let mut second = info.buildings[0].clone();
        second.portals.clear();
        info.buildings.push(second);
    });
    let (world, faults) = town(records);
    let land = world.land(TOWN).unwrap();
    assert_eq!(land.buildings().len(), 1);
    assert!(!land.buildings()[0].portals.is_empty());
    let want = "landblock A9B4: building 1 stands in land cell 0xA9B4001C, which has one already";
    assert_eq!(faults, [want]);
}

#[test]
fn objects_and_buildings_outside_their_landblock_are_left_out() {
    let mut records = samples::house_on_a_hill().unwrap().into_records();
    let model = RecordId(0x0200_0001);
    edit_record(&mut records, INFO, |info: &mut LandBlockInfo| {
        let places = [[10.0, 10.0, 0.0], [-1.0, 10.0, 0.0], [10.0, 192.0, 0.0]];
        info.objects = places.map(|at| Stab { model, frame: Frame::at(at.into()) }).to_vec();
        info.objects.push(Stab { model, frame: Frame::at(Vec3::new(9.0, 9.0, f32::INFINITY)) });
        info.buildings[0].frame.origin.x = 200.0;
    });
    let (world, faults) = town(records);
    assert_eq!(world.objects().count(), 1);
    assert_eq!(faults.len(), 4, "{faults:?}");
    assert!(faults[0].contains("building 0 (0x0100"), "{faults:?}");
    assert!(faults[1].ends_with("object 1 (0x02000001) is outside its landblock"));
    assert_eq!(world.land(TOWN).unwrap().buildings().len(), 0);
}

#[test]
fn a_building_portal_without_a_matching_portal_leads_into_no_room() {
    let door = |world: &World| {
        let at = Vec3::new(84.0, 77.8, 61.0);
        let position = Position::new(CellId(0xA9B4_001C), at);
        let mut array = CellArray::new();
        let sphere = [Sphere::new(at, 0.48)];
        let _ = CellSearch::new(world).spheres(&position, &sphere, &mut array);
        array.len()
    };
    let mut records = samples::house_on_a_hill().unwrap().into_records();
    assert_eq!(door(&world_from(records.clone())), 2);
    edit_record(&mut records, INFO, |info: &mut LandBlockInfo| {
        info.buildings[0].portals.iter_mut().for_each(|portal| portal.other_portal = u16::MAX);
    });
    assert_eq!(door(&world_from(records)), 1);
}

#[test]
fn restrictions_of_cells_are_read() {
    let mut records = samples::house_on_a_hill().unwrap().into_records();
    let (land, room) = (CellId(0xA9B4_001C), CellId(0xA9B4_0100));
    let (guard, other) = (RecordId(0x7000_0001), RecordId(0x7000_0002));
    edit_record(&mut records, INFO, |info: &mut LandBlockInfo| {
        let entries = vec![Restriction { cell: land, object: guard }];
        info.restrictions = Some(Restrictions { buckets: 8, entries });
    });
    edit_room(&mut records, room, |record| record.restriction = Some(other));
    let world = world_from(records);
    assert_eq!(world.land_cell(land).unwrap().restriction(), Some(guard));
    assert_eq!(world.land_cell(CellId(0xA9B4_001D)).unwrap().restriction(), None);
    assert_eq!(world.room(room).unwrap().restriction(), Some(other));
    assert_eq!(world.room(CellId(0xA9B4_0101)).unwrap().restriction(), None);
}

/// A dungeon of two rooms with an object in the first one.
fn furnished(object: ObjectSpec, at: [f32; 3]) -> (RecordSet, RecordId) {
    let mut forge = Forge::new();
    let model = forge.object(object);
    let mut plan = Plan::new();
    let cuboid = |x: f32| RoomSpec::cuboid([x, 0.0, 0.0], [x + 4.0, 4.0, 3.0]);
    let rooms = [0.0, 4.0].map(|x| plan.room(cuboid(x)));
    plan.join(rooms[0], rooms[1], Opening::whole(Face::EAST));
    plan.put(rooms[0], model, Frame::at(at.into()));
    forge.block(BlockId(0x0102)).dungeon(Frame::IDENTITY, plan);
    (forge.finish().unwrap().into_records(), model)
}

const A: CellId = CellId(0x0102_0100);
const B: CellId = CellId(0x0102_0101);

fn listed(world: &World) -> Vec<CellId> {
    world.objects().next().unwrap().cells().iter().map(|registered| registered.cell).collect()
}

#[test]
fn a_static_cylinder_is_only_in_rooms_visible_from_its_own() {
    let (mut records, _) =
        furnished(ObjectSpec::Cylinder { radius: 0.5, height: 2.0 }, [3.9, 2.0, 0.0]);
    assert_eq!(listed(&world_from(records.clone())), [A, B]);
    edit_room(&mut records, A, |room| room.visible.clear());
    assert_eq!(listed(&world_from(records)), [A]);
}

#[test]
fn a_static_box_is_also_in_rooms_not_visible_from_its_own() {
    let (mut records, _) = furnished(ObjectSpec::cuboid([1.0, 1.0, 1.0]), [3.9, 2.0, 0.0]);
    edit_room(&mut records, A, |room| room.visible.clear());
    assert_eq!(listed(&world_from(records)), [A, B]);
}

#[test]
fn a_part_that_cannot_be_used_keeps_its_index() {
    let (mut records, model) = furnished(ObjectSpec::cuboid([1.0, 1.0, 1.0]), [2.0, 2.0, 0.0]);
    let (broken, setup) = (RecordId(0x0100_FFF0), RecordId(0x0200_FFF0));
    let mut record: SetupRecord =
        threshold_dat::Records::new(&records).get(threshold_forge::MOVER).unwrap().unwrap();
    record.id = setup;
    record.parts = vec![broken, model];
    record.placements.clear();
    record.scales = None;
    record.parents = None;
    records.put(setup, &record).unwrap();
    edit_room(&mut records, A, |room| room.statics[0].model = setup);
    let mut world = World::new();
    let faults = adopt(&mut world, &Builder::new(records), PieceId::Room(A));
    assert_eq!(faults, ["room 0x01020100: model 0x0100FFF0 is not there"]);
    let object = world.objects().next().unwrap();
    let parts = &object.setup().parts;
    assert!(parts[0].model.physics.is_none() && parts[1].model.physics.is_some());
    assert!(object.state().has(State::HAS_PHYSICS_TREE));
}

#[test]
fn shapes_with_nan_are_left_out() {
    let (mut records, setup) =
        furnished(ObjectSpec::Cylinder { radius: 0.5, height: 2.0 }, [2.0, 2.0, 0.0]);
    edit_record(&mut records, setup, |record: &mut SetupRecord| {
        record.cylinders[0].radius = f32::NAN
    });
    edit_room(&mut records, A, |room| {
        let nowhere = Frame::at(Vec3::new(f32::INFINITY, 0.0, 0.0));
        room.statics.push(Stab { model: setup, frame: nowhere });
    });
    let mut world = World::new();
    let faults = adopt(&mut world, &Builder::new(records), PieceId::Room(A));
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].ends_with("cylinder 0: radius NaN is not between 0 and 16384"), "{faults:?}");
    assert!(faults[1].contains("object 1"), "{faults:?}");
    assert_eq!(world.objects().count(), 1);
}

#[test]
fn the_fault_of_a_shared_model_is_reported_once() {
    let mut records = samples::house_on_a_hill().unwrap().into_records();
    edit_record(&mut records, INFO, |info: &mut LandBlockInfo| {
        let model = RecordId(0x0200_EEEE);
        info.objects = vec![Stab { model, frame: Frame::at(Vec3::new(9.0, 9.0, 0.0)) }; 100];
    });
    let (_, faults) = town(records);
    assert_eq!(faults, ["landblock A9B4: setup 0x0200EEEE is not there"]);
}

#[test]
fn items_are_found_by_ids_that_are_not_indices() {
    let (mut records, model) = furnished(ObjectSpec::cuboid([1.0, 1.0, 1.0]), [3.9, 2.0, 0.0]);
    let want = listed(&world_from(records.clone()));
    let tree = |records: &RecordSet| {
        let setup = Builder::new(records.clone()).setup(model).unwrap();
        let tree = setup.parts[0].model.physics.as_ref().unwrap().clone();
        tree.sphere_intersects_solid(&Sphere::new(Vec3::new(0.0, 0.0, 0.5), 0.1), true)
    };
    assert!(tree(&records));
    let part: RecordId = match model.0 >> 24 {
        0x01 => model,
        _ => {
            let setup: SetupRecord =
                threshold_dat::Records::new(&records).get(model).unwrap().unwrap();
            setup.parts[0]
        }
    };
    edit_record(&mut records, part, |model: &mut GfxObj| {
        // All ids are shifted by seven, in vertices, polygons and trees.
        let mut vertices = threshold_dat::VertexArray::default();
        for vertex in model.vertices.iter() {
            vertices.push(threshold_dat::Vertex { id: vertex.id + 7, ..vertex }).unwrap();
        }
        let physics = model.physics.as_mut().unwrap();
        let mut polygons = threshold_dat::Polygons::default();
        for polygon in physics.polygons.iter() {
            let ids: Vec<u16> = polygon.vertex_ids.iter().map(|id| id + 7).collect();
            let moved =
                threshold_dat::IndexedPolygon { id: polygon.id + 7, vertex_ids: &ids, ..polygon };
            polygons.push(moved).unwrap();
        }
        let mut tree = threshold_dat::BspTree::default();
        for node in physics.tree.iter() {
            match node {
                threshold_dat::BspNode::Leaf(leaf) => {
                    let ids: Vec<u16> = leaf.polygons.iter().map(|id| id + 7).collect();
                    let moved = threshold_dat::BspLeaf { polygons: &ids, ..leaf };
                    tree.push(threshold_dat::BspNode::Leaf(moved));
                }
                split => {
                    tree.push(split);
                }
            }
        }
        tree.set_root(physics.tree.root());
        physics.polygons = polygons;
        physics.tree = tree;
        model.vertices = vertices;
        model.drawing = None;
    });
    assert!(tree(&records));
    assert_eq!(listed(&world_from(records)), want);
}

#[test]
fn a_particle_emitter_is_only_in_its_own_cell() {
    let (records, setup) = furnished(ObjectSpec::cuboid([1.0, 1.0, 1.0]), [2.0, 2.0, 0.0]);
    let builder = Builder::new(records);
    let mut world = World::new();
    adopt(&mut world, &builder, PieceId::Room(A));
    adopt(&mut world, &builder, PieceId::Room(B));
    let position = Position::new(A, Vec3::new(3.9, 2.0, 0.0));
    let (body, setup, scale) = (BodyId(1), builder.setup(setup).unwrap(), 1.0);
    let (state, kind) = (State::default(), ObjectKind::None);
    world.insert(BodySpec { body, setup, position, scale, state, kind });
    let cells = |world: &World| world.body(body).unwrap().cells().len();
    assert_eq!(cells(&world), 2);
    world.set_state(body, State::PARTICLE_EMITTER).unwrap();
    assert_eq!(cells(&world), 1);
    world.set_state(body, State::default()).unwrap();
    assert_eq!(cells(&world), 2);
    // A body with a physics tree finds its own cells, whatever its sweep found.
    let mut swept = CellArray::new();
    swept.add(A, true);
    world.move_swept(body, position, swept.entries(), swept.missed()).unwrap();
    assert_eq!(cells(&world), 2);
}

#[test]
fn pieces_off_the_map_are_not_built() {
    let builder = Builder::new(samples::two_rooms().unwrap());
    for id in [0x0102_0050, 0x0102_FFFF, 0x0102_FFFE, 0xFF02_0100].map(CellId) {
        assert!(builder.build(PieceId::Room(id)).unwrap().is_none(), "{id}");
    }
    assert!(builder.build(PieceId::Land(BlockId(0xFF00))).unwrap().is_none());
}

#[test]
fn landblocks_with_buildings_are_sorted_by_id_in_any_order_of_loading() {
    let builder = Builder::new(samples::border_houses().unwrap());
    let mut world = World::new();
    let blocks_with_buildings = |world: &World| {
        world.blocks_with_buildings().map(|land| land.block().0).collect::<Vec<_>>()
    };
    for block in [0xAAB4, 0xA9B4, 0xA9B3, 0xAAB3] {
        adopt(&mut world, &builder, PieceId::Land(BlockId(block)));
        adopt(&mut world, &builder, PieceId::Land(BlockId(block)));
    }
    assert_eq!(blocks_with_buildings(&world), [0xA9B3, 0xA9B4]);
    let room = PieceId::Room(CellId(0xA9B3_0100));
    adopt(&mut world, &builder, room);
    assert_eq!([0xA9B3, 0xA9B4, 0x0000].map(|b| world.room_count(BlockId(b))), [1, 0, 0]);
    assert!(world.drop_piece(room) && world.drop_piece(PieceId::Land(BlockId(0xAAB3))));
    assert_eq!(
        (blocks_with_buildings(&world), world.room_count(BlockId(0xA9B3))),
        (vec![0xA9B3, 0xA9B4], 0)
    );
    assert!(world.drop_piece(PieceId::Land(BlockId(0xA9B3))));
    assert_eq!(blocks_with_buildings(&world), [0xA9B4]);
}
