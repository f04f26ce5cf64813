//! Records with numbers out of range are refused with a precise message, and no others are.

#![allow(clippy::unwrap_used, reason = "a test fails on unexpected values")]

use threshold_dat::{
    BspNode, BspSplit, BspTree, CellStructure, EnvCell, Environment, GfxObj, LandBlockInfo,
    RecordId, RecordSet, Records, Scene, SceneObject, SetupRecord, Stab, Vertex, VertexArray,
};
use threshold_forge::{Forge, MadeWorld, ObjectSpec, SceneryKind, samples};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Plane, Sphere};
use threshold_testkit::{edit_record, forged, load_all, sample_builder};
use threshold_world::{
    Builder, MAX_COORDINATE, NORMAL_TOLERANCE, Piece, PieceId, Structure, World,
};

const TOWN: BlockId = BlockId(0xA9B4);
const INFO: RecordId = RecordId(0xA9B4_FFFE);
const A: CellId = CellId(0x0102_0100);
const B: CellId = CellId(0x0102_0101);
const BAD: [f32; 4] = [1e20, -1e20, f32::NAN, f32::INFINITY];

fn dungeon() -> RecordSet {
    samples::two_rooms().unwrap().into_records()
}

/// The environment of a room.
fn environment(records: &RecordSet, cell: CellId) -> RecordId {
    let room: EnvCell = Records::new(records).get(cell.into()).unwrap().unwrap();
    room.environment_id()
}

/// Returns the fault of a room, or `None` if it is built whole.
fn refusal(records: &RecordSet, cell: CellId) -> Option<String> {
    match Builder::new(records.clone()).build(PieceId::Room(cell)) {
        Ok(built) => {
            assert!(built.unwrap().faults.is_empty());
            None
        }
        Err(fault) => Some(fault.to_string()),
    }
}

/// Changes the structure of room A and checks that it is refused with a message that contains
/// `words`.
#[track_caller]
fn check_structure(change: impl Fn(&mut CellStructure), words: &str) {
    let mut records = dungeon();
    let id = environment(&records, A);
    let room: EnvCell = Records::new(&records).get(A.into()).unwrap().unwrap();
    assert_eq!(refusal(&records, A), None);
    edit_record(&mut records, id, |record: &mut Environment| {
        let number = u32::from(room.structure);
        change(record.structures.iter_mut().find(|one| one.id == number).unwrap());
    });
    let said = refusal(&records, A).unwrap();
    assert!(said.contains(&format!("client_portal.dat, record {id}: ")), "{said}");
    assert!(said.contains(words), "{said}");
    assert_eq!(refusal(&records, B), None, "the other room is unaffected");
}

fn change_splits(tree: &mut BspTree, change: impl Fn(&mut BspSplit<'_>)) {
    let mut changed = BspTree::default();
    for node in tree.iter() {
        match node {
            BspNode::Split(mut split) => {
                change(&mut split);
                changed.push(BspNode::Split(split));
            }
            leaf @ BspNode::Leaf(_) => {
                changed.push(leaf);
            }
        }
    }
    changed.set_root(tree.root());
    *tree = changed;
}

fn move_vertex(vertices: &mut VertexArray, number: usize, to: Vec3) {
    let mut moved = VertexArray::default();
    for (index, vertex) in vertices.iter().enumerate() {
        let position = if index == number { to } else { vertex.position };
        moved.push(Vertex { position, ..vertex }).unwrap();
    }
    *vertices = moved;
}

#[test]
fn a_room_with_a_vertex_out_of_range_is_refused() {
    for bad in BAD {
        let change = |structure: &mut CellStructure| {
            move_vertex(&mut structure.vertices, 0, Vec3::new(bad, 0.0, 0.0));
        };
        check_structure(change, "vertex 0: coordinate ");
    }
}

#[test]
fn a_room_with_a_plane_off_unit_length_is_refused() {
    for bad in BAD.into_iter().chain([0.5, 2.0, 0.0]) {
        let normal = Vec3::new(0.0, 0.0, bad);
        let change = |structure: &mut CellStructure| {
            change_splits(&mut structure.cell_tree, |split| split.plane.normal = normal);
        };
        check_structure(change, "plane of the cell tree 0: length of the normal ");
        let change = |structure: &mut CellStructure| {
            change_splits(&mut structure.physics_tree, |split| split.plane.normal = normal);
        };
        check_structure(change, "physics tree node ");
    }
}

#[test]
fn a_room_with_a_plane_out_of_range_is_refused() {
    for bad in BAD {
        let change = |structure: &mut CellStructure| {
            change_splits(&mut structure.cell_tree, |split| split.plane.d = bad);
        };
        check_structure(change, "distance from zero ");
    }
}

#[test]
fn a_room_with_a_tree_sphere_out_of_range_is_refused() {
    for bad in BAD.into_iter().chain([-1.0]) {
        let sphere = Some(Sphere::new(Vec3::ZERO, bad));
        let change = |structure: &mut CellStructure| {
            change_splits(&mut structure.physics_tree, |split| split.sphere = sphere);
        };
        check_structure(change, "radius ");
    }
}

#[test]
fn a_room_with_an_origin_out_of_range_is_refused() {
    for bad in [1e20, -1e5, f32::INFINITY] {
        let mut records = dungeon();
        edit_record(&mut records, A, |room: &mut EnvCell| room.position.origin.y = bad);
        let said = refusal(&records, A).unwrap();
        assert!(
            said.contains("client_cell_1.dat, record 0x01020100: frame 0: coordinate"),
            "{said}"
        );
    }
}

#[test]
fn normals_rounded_by_a_file_are_accepted() {
    let mut records = dungeon();
    let id = environment(&records, A);
    edit_record(&mut records, id, |record: &mut Environment| {
        for structure in &mut record.structures {
            for tree in [&mut structure.cell_tree, &mut structure.physics_tree] {
                change_splits(tree, |split| split.plane.normal *= 1.001);
            }
        }
    });
    assert_eq!(refusal(&records, A), None);
}

/// A landblock with two objects of one model each; the first model is changed.
fn yard(change: impl Fn(&mut RecordSet, RecordId)) -> (World, Vec<String>) {
    let mut forge = Forge::new();
    let models = [0.8, 0.9].map(|size| forge.object(ObjectSpec::cuboid([size; 3])));
    let block = forge.block(TOWN);
    for (model, x) in models.into_iter().zip([10.0, 20.0]) {
        block.put(model, Frame::at(Vec3::new(x, 10.0, 0.0)));
    }
    let mut records = forge.finish().unwrap().into_records();
    let model = match models[0].0 >> 24 {
        0x01 => models[0],
        _ => Records::new(&records).get::<SetupRecord>(models[0]).unwrap().unwrap().parts[0],
    };
    change(&mut records, model);
    let built = Builder::new(records).build(PieceId::Land(TOWN)).unwrap().unwrap();
    let mut world = World::new();
    world.adopt(built.piece);
    (world, built.faults.iter().map(ToString::to_string).collect())
}

#[test]
fn an_object_with_a_wrong_model_does_not_affect_others() {
    for bad in BAD {
        let (world, faults) = yard(|records, model| {
            edit_record(records, model, |record: &mut GfxObj| {
                move_vertex(&mut record.vertices, 0, Vec3::splat(bad));
            });
        });
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].contains("vertex 0: coordinate"), "{faults:?}");
        let solid = |object: &threshold_world::Object| object.solids().count();
        assert_eq!(world.objects().map(solid).sum::<usize>(), 1);
    }
}

#[test]
fn a_model_with_drawn_polygons_out_of_range_is_refused() {
    let (_, faults) = yard(|records, model| {
        edit_record(records, model, |record: &mut GfxObj| {
            record.physics = None;
            move_vertex(&mut record.vertices, 0, Vec3::splat(1e20));
        });
    });
    assert!(faults[0].contains("vertex 0: coordinate"), "{faults:?}");
}

#[test]
fn a_vertex_that_no_polygon_uses_may_be_anywhere() {
    let (world, faults) = yard(|records, model| {
        edit_record(records, model, |record: &mut GfxObj| {
            let spare = Vertex { id: 9999, position: Vec3::splat(1e20), normal: Vec3::Z, uvs: &[] };
            record.vertices.push(spare).unwrap();
        });
    });
    assert!(faults.is_empty(), "{faults:?}");
    let bounds = world.objects().map(|object| object.setup().parts[0].model.bounds);
    assert!(bounds.into_iter().all(|bounds| bounds.max.max_element() < 1.0));
}

/// Changes the mover's setup and returns its fault.
fn setup(change: impl Fn(&mut SetupRecord)) -> String {
    let mut records = dungeon();
    edit_record(&mut records, threshold_forge::MOVER, change);
    Builder::new(records).setup(threshold_forge::MOVER).unwrap_err().to_string()
}

#[test]
fn sizes_of_a_setup_out_of_range_are_reported() {
    for bad in BAD {
        let said = setup(|record| record.spheres[0].radius = bad);
        assert!(said.contains("record 0x02000001: sphere 0: radius "), "{said}");
        assert!(setup(|record| record.spheres[1].centre.z = bad).contains("sphere 1: coordinate "));
        assert!(setup(|record| record.step_up = bad).contains("step up 0: length "));
        assert!(setup(|record| record.step_down = bad).contains("step down 0: length "));
        assert!(setup(|record| record.height = bad).contains("height 0: length "));
        assert!(setup(|record| record.sorting_sphere.radius = bad).contains("sorting sphere 0: "));
    }
    assert!(setup(|record| record.spheres[0].radius = -0.4).contains("sphere 0: radius "));
}

/// Builds a changed setup with one solid part. Returns whether it is still solid, and the faults.
fn part(change: impl Fn(&mut SetupRecord)) -> (bool, Vec<String>) {
    let (world, faults) = yard(|records, model| {
        let id = RecordId(0x0200_0F00);
        let mut record: SetupRecord =
            Records::new(records).get(threshold_forge::MOVER).unwrap().unwrap();
        record.id = id;
        record.parts = vec![model];
        record.parents = None;
        record.scales = Some(vec![Vec3::ONE]);
        record.placements.truncate(1);
        for placement in &mut record.placements {
            placement.key = 0;
            placement.frames = [Frame::IDENTITY].into();
        }
        change(&mut record);
        records.put(id, &record).unwrap();
        edit_record(records, INFO, |info: &mut LandBlockInfo| {
            info.objects = vec![Stab { model: id, frame: Frame::at(Vec3::new(9.0, 9.0, 0.0)) }];
        });
    });
    let object = world.objects().next().unwrap();
    (object.solids().count() == 1, faults)
}

#[test]
fn a_part_with_a_scale_or_pose_out_of_range_keeps_its_index_without_a_shape() {
    assert_eq!(part(|_| {}), (true, Vec::new()));
    for bad in BAD.into_iter().chain([0.0, 1e-20]) {
        let (solid, faults) = part(|record| record.scales = Some(vec![Vec3::splat(bad)]));
        assert!(!solid && faults.len() == 1 && faults[0].contains("part 0: "), "{faults:?}");
    }
    for bad in [1e20, f32::INFINITY] {
        let (solid, faults) = part(|record| {
            record.placements.iter_mut().flat_map(|p| p.frames.iter_mut()).for_each(|frame| {
                frame.origin.x = bad;
            });
        });
        assert!(!solid && faults.len() == 1 && faults[0].contains("part 0: "), "{faults:?}");
    }
}

#[test]
fn objects_far_above_or_below_are_left_out() {
    for bad in [1e20, -1e5] {
        let (world, faults) = yard(|records, _| {
            edit_record(records, INFO, |info: &mut LandBlockInfo| {
                info.objects[0].frame.origin.z = bad;
            });
        });
        assert_eq!((world.objects().count(), faults.len()), (1, 1), "{faults:?}");
    }
}

#[test]
fn scenery_with_numbers_out_of_range_is_left_out() {
    let grown = |change: fn(&mut SceneObject)| {
        let mut forge = Forge::new();
        let object = forge.object(ObjectSpec::cuboid([0.5; 3]));
        let growth =
            SceneryKind { object, share: 1.0, spread: [5.0; 2], scale: [1.0; 2], steepest: 0.0 };
        let slot = i32::from(forge.scene(vec![growth]));
        forge.block(TOWN).scenes(|_, _| slot);
        let mut records = forge.finish().unwrap().into_records();
        edit_record(&mut records, RecordId(0x1200_0001), |scene: &mut Scene| {
            change(&mut scene.objects[0]);
        });
        let built = Builder::new(records).build(PieceId::Land(TOWN)).unwrap().unwrap();
        let faults = built.faults.first().map(ToString::to_string);
        let Piece::Land(_) = &built.piece else { return (0, faults) };
        (built.piece.objects().len(), faults)
    };
    assert!(grown(|_| {}).0 > 30);
    let bad: [fn(&mut SceneObject); 4] = [
        |object| object.max_rotation = f32::INFINITY,
        |object| object.max_rotation = 1e20,
        |object| (object.min_scale, object.max_scale) = (1e20, 1e20),
        |object| (object.min_scale, object.max_scale) = (1e-20, 1e-20),
    ];
    for change in bad {
        let (count, fault) = grown(change);
        assert_eq!(count, 0);
        assert!(fault.unwrap().contains("object of the scene 0: "));
    }
}

/// The greatest coordinate of a structure, and the greatest deviation of its normals from unit
/// length.
fn extremes(structure: &Structure) -> (f32, f32) {
    let corners = structure.drawing.iter().flat_map(|polygon| polygon.vertices);
    let reach = corners.map(|corner| corner.abs().max_element()).fold(0.0, f32::max);
    let off = |plane: &Plane| (plane.normal.length() - 1.0).abs();
    (reach, structure.cell_tree.planes().iter().map(off).fold(0.0, f32::max))
}

/// The sample worlds must stay far from the ranges: a refused room would be a hole in the world.
#[test]
fn sample_worlds_are_far_inside_the_ranges() {
    let deep: MadeWorld = samples::deep(60, 7).unwrap();
    let builders = [
        sample_builder("holt"),
        sample_builder("dungeon"),
        forged::builtins()[0].builder(),
        Builder::new(deep),
    ];
    for builder in builders {
        let world = load_all(&builder);
        for piece in world.resident() {
            let PieceId::Room(cell) = piece else { continue };
            let room = world.room(cell).unwrap();
            let (reach, off) = extremes(room.structure());
            let origin = room.position().frame.origin.abs().max_element();
            assert!(reach < MAX_COORDINATE / 8.0, "{} reaches {reach} m", room.id());
            assert!(origin < MAX_COORDINATE / 8.0, "{} is at {origin} m", room.id());
            assert!(off < NORMAL_TOLERANCE / 100.0, "{}: normals are {off} off", room.id());
        }
    }
}
