//! The vectors of another crate go in and come out as arrays, bit for bit.

use std::collections::BTreeSet;

use threshold_land::vector::{DVec3, Vec2, Vec3};
use threshold_land::{CellId, Position};
use threshold_view::{Lens, Viewer};
use threshold_visuals::debug_draw::{DebugDraw, DebugRecording};
use threshold_visuals::drawn::MeshInstance;
use threshold_visuals::light::Lamp;
use threshold_world::{Builder, PieceId, World};

/// A vector as every vector crate has it: it converts from and into arrays.
#[derive(Clone, Copy, Debug)]
struct ForeignVector([f32; 3]);

impl From<[f32; 3]> for ForeignVector {
    fn from(array: [f32; 3]) -> Self {
        Self(array)
    }
}

impl From<ForeignVector> for [f32; 3] {
    fn from(vector: ForeignVector) -> Self {
        vector.0
    }
}

fn there_and_back(vector: Vec3) -> Vec3 {
    let foreign = ForeignVector::from(<[f32; 3]>::from(vector));
    Vec3::from(<[f32; 3]>::from(foreign))
}

fn bits(vector: Vec3) -> [u32; 3] {
    vector.to_array().map(f32::to_bits)
}

#[test]
fn every_point_of_a_room_survives_the_way_into_another_vector_type_and_back() {
    let builder = Builder::new(threshold_forge::samples::house_on_a_hill().unwrap());
    let mut world = World::new();
    for piece in builder.pieces() {
        world.adopt(builder.build(piece).unwrap().unwrap().piece);
    }
    let source = &**builder.source();
    let (hall, mut count) = (PieceId::Room(CellId(0xA9B4_0100)), 0);
    for instance in MeshInstance::of_piece(&world, source, hall, &mut BTreeSet::new()) {
        let [x, y, z] = instance.frame.rotation.rows().0;
        let mesh = instance.key.read(source).unwrap();
        let points = mesh.vertices.iter().flat_map(|vertex| [vertex.position, vertex.normal]);
        for point in points.chain([x, y, z, instance.frame.origin, instance.scale]) {
            assert_eq!(bits(there_and_back(point)), bits(point), "{point}");
            count += 1;
        }
        for vertex in &mesh.vertices {
            assert_eq!(Vec2::from(vertex.uv.to_array()), vertex.uv);
        }
    }
    assert!(count > 100, "{count} points");
    let odd = [-0.0, f32::MIN_POSITIVE / 2.0, f32::from_bits(0x7FC0_1234)];
    assert_eq!(bits(there_and_back(Vec3::from(odd))), odd.map(f32::to_bits));
}

#[test]
fn calls_that_take_points_accept_arrays() {
    let (cell, eye, target) = (CellId(0xA9B4_0031), [1.0_f32, 2.0, 3.0], [4.0_f32, 5.0, 3.0]);
    let ours = Viewer::looking_at(cell, Vec3::from(eye), Vec3::from(target), Lens::default());
    let double = [eye, target].map(|point| point.map(f64::from));
    let arrays = Viewer::looking_at(cell, double[0], double[1], Lens::default());
    assert_eq!(ours.unwrap(), arrays.unwrap());
    assert!(ours.unwrap().frustum().contains(double[1]));
    let ahead: [f64; 3] = (DVec3::from(double[1]) - DVec3::from(double[0])).into();
    assert_eq!(ahead, [3.0, 3.0, 0.0]);

    let at = Position::from((cell, eye));
    assert_eq!(at, Position::new(cell, Vec3::from(eye)));
    let mut recording = DebugRecording::default();
    recording.point_at(&at, [1.0; 3]);
    assert_eq!(recording.layers()[0].points[0].at.to_array(), eye);

    let lamp = Lamp { at: at.frame.origin, reach: 1.0, colour: Vec3::ONE, is_outdoors: false };
    assert_eq!(lamp.moved([0.0, 192.0, 0.0]).at.to_array(), [1.0, 194.0, 3.0]);
}
