//! Arbitrary numbers: a world is made or refused, and a made world reads back.

#![allow(clippy::unwrap_used, reason = "a test fails on unexpected values")]

use proptest::prelude::*;
use threshold_dat::{AnyRecord, FileKind, RecordKind};
use threshold_forge::{Face, Forge, ObjectSpec, Opening, Plan, RoomSpec, Shape, samples};
use threshold_land::vector::Vec3;
use threshold_land::{Frame, Rotation};

/// Mostly ordinary lengths, sometimes extreme values.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        12 => (-40_i32..40).prop_map(|v| v as f32 / 4.0),
        4 => -20.0_f32..20.0,
        1 => any::<f32>(),
        1 => prop_oneof![Just(0.0), Just(-0.0), Just(1e-6), Just(1e9), Just(f32::MAX), Just(f32::NAN)],
    ]
}

fn point() -> impl Strategy<Value = Vec3> {
    [number(), number(), number()].prop_map(Vec3::from)
}

fn frame() -> impl Strategy<Value = Frame> {
    let turned = [number(), number(), number(), number()].prop_map(|[w, x, y, z]| {
        let rotation = Rotation::new(w, x, y, z);
        rotation.normalised().unwrap_or(rotation)
    });
    let rotation = prop_oneof![Just(Rotation::IDENTITY), turned];
    (point(), rotation).prop_map(|(origin, rotation)| Frame { origin, rotation })
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        4 => (point(), point()).prop_map(|(low, size)| Shape::cuboid(low, low + size.abs())),
        1 => (point(), point()).prop_map(|(low, high)| Shape::cuboid(low, high)),
        1 => (0_usize..9, number(), number(), number())
            .prop_map(|(corners, radius, low, high)| Shape::regular(corners, radius, low, high)),
        1 => prop::collection::vec(prop::collection::vec(point(), 0..5), 0..6)
            .prop_map(Shape::from_faces),
    ]
}

fn face() -> impl Strategy<Value = Face> {
    prop_oneof![(0_usize..5).prop_map(Face::Wall), Just(Face::Floor), Just(Face::Ceiling)]
}

fn opening() -> impl Strategy<Value = Opening> {
    prop_oneof![
        face().prop_map(Opening::door),
        face().prop_map(Opening::whole),
        (face(), [number(), number()], [number(), number()])
            .prop_map(|(face, at, size)| Opening::rectangle(face, at, size)),
        prop::collection::vec(point(), 0..6).prop_map(Opening::polygon),
    ]
}

#[derive(Clone, Debug)]
struct Sketch {
    rooms: Vec<(Shape, Option<Frame>, Vec<Shape>)>,
    openings: Vec<(usize, usize, Opening)>,
    frame: Frame,
    building: bool,
}

fn sketch() -> impl Strategy<Value = Sketch> {
    let room =
        (shape(), prop::option::weighted(0.2, frame()), prop::collection::vec(shape(), 0..2));
    let rooms = prop::collection::vec(room, 1..4);
    let openings = prop::collection::vec((0_usize..4, 0_usize..5, opening()), 0..4);
    (rooms, openings, frame(), any::<bool>())
        .prop_map(|(rooms, openings, frame, building)| Sketch { rooms, openings, frame, building })
}

fn build(sketch: Sketch) -> Forge {
    let mut plan = Plan::new();
    let mut keys = Vec::new();
    for (shape, frame, blocks) in sketch.rooms {
        let room = RoomSpec::shaped(shape).at(frame.unwrap_or_default());
        keys.push(plan.room(blocks.into_iter().fold(room, RoomSpec::block)));
    }
    for (from, to, opening) in sketch.openings {
        let from = keys[from % keys.len()];
        match keys.get(to) {
            Some(to) => plan.join(from, *to, opening),
            None if to == 3 => plan.window(from, opening),
            None => plan.exit(from, opening),
        };
    }
    let mut forge = Forge::new();
    forge.object(ObjectSpec::Solid(Shape::regular(5, 1.0, 0.0, 1.0)));
    let block = forge.block(samples::TOWN);
    let frame = if sketch.building {
        Frame { origin: sketch.frame.origin + Vec3::new(60.0, 60.0, 0.0), ..sketch.frame }
    } else {
        sketch.frame
    };
    if sketch.building {
        block.building(frame, plan)
    } else {
        block.dungeon(frame, plan)
    };
    forge
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_world_of_any_numbers_is_made_or_refused(sketch in sketch()) {
        if let Ok(world) = build(sketch).finish() {
            for file in [FileKind::Cell, FileKind::Portal] {
                for (id, bytes) in world.records().records(file) {
                    let record = AnyRecord::decode_exact(RecordKind::from_id(file, id), id, bytes);
                    prop_assert!(record.is_ok(), "{id}: {record:?}");
                }
            }
        }
    }
}
