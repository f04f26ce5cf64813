//! Damaged worlds and odd bodies: every query ends, with finite numbers or a refusal.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_dat::{FileKind, RecordSet, Source};
use threshold_forge::MOVER;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};
use threshold_query::{
    BoxOverlap, Cone, Hit, Launch, NearestObjects, QueryFilter, QueryScratch, Ray, SceneQuery,
    SphereOverlap,
};
use threshold_testkit::damage::mutate;
use threshold_testkit::{Random, layouts, load_all};
use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, State, World};

/// Number of damaged worlds.
fn variants() -> usize {
    if std::env::var_os("THRESHOLD_SOAK").is_some() { 100_000 } else { 2_000 }
}

/// Loads what can be loaded.
fn load(records: RecordSet) -> World {
    let builder = Builder::new(records);
    let mut world = World::new();
    for piece in builder.pieces() {
        if let Ok(Some(built)) = builder.build(piece) {
            world.adopt(built.piece);
        }
    }
    world
}

#[track_caller]
fn check_finite(hits: &[Hit]) {
    for hit in hits {
        let finite = hit.distance.is_finite() && hit.normal.is_finite();
        assert!(finite && hit.position.frame.origin.is_finite(), "{hit:?}");
    }
}

fn ask_everything(
    world: &World,
    at: Position,
    direction: Vec3,
    scratch: &mut QueryScratch,
    hits: &mut Vec<Hit>,
) {
    let (scene, size) = (SceneQuery::new(world), direction.length());
    for both_sides in [false, true] {
        let filter = QueryFilter { both_sides, forbidden: State(0), ..QueryFilter::default() };
        let ray = Ray::new(at, direction, 60.0);
        let _ = scene.ray_all(scratch, &ray, &filter, hits);
        check_finite(hits);
        let _ = scene.sphere_cast_all(scratch, &ray.with_radius(size), &filter, hits);
        check_finite(hits);
        let _ = scene.sphere_overlaps(scratch, &SphereOverlap { at, radius: size }, &filter, hits);
        check_finite(hits);
        let _ =
            scene.box_overlaps(scratch, &BoxOverlap { at, half: direction.abs() }, &filter, hits);
        check_finite(hits);
        let _ =
            scene.nearest(scratch, &NearestObjects { at, radius: 9.0, count: 9 }, &filter, hits);
        check_finite(hits);
        let cone = Cone { from: at, direction, length: 9.0, half_angle: 40.0 };
        let _ = scene.cone(scratch, &cone, &filter, hits);
        check_finite(hits);
        let launch = Launch { time: 1.0, ..Launch::new(at, direction * 8.0) };
        let _ = scene.arc_all(scratch, &launch, &filter, hits);
        check_finite(hits);
    }
}

#[test]
fn queries_in_damaged_worlds_end_with_finite_numbers() {
    let (sound, [land, hall, closet]) = layouts::hut();
    let names = [FileKind::Cell, FileKind::Portal].map(|file| (file, sound.ids(file)));
    let names: Vec<_> = names
        .into_iter()
        .flat_map(|(file, ids)| ids.into_iter().map(move |id| (file, id)))
        .collect();
    let (mut scratch, mut hits, mut found) = (QueryScratch::new(), Vec::new(), 0);
    for number in 0..variants() {
        let mut random = Random(number as u64);
        let (file, id) = names[number % names.len()];
        let bytes = sound.read(file, id, &mut Vec::new()).unwrap().unwrap().to_vec();
        let mut records = sound.clone();
        records.put_bytes(file, id, mutate(&bytes, &mut random));
        let world = load(records);
        let mut part = |reach: f64| random.between(-reach, reach) as f32;
        for cell in [land, hall, closet] {
            let at = Vec3::new(84.0 + part(4.0), 84.0 + part(4.0), 1.6 + part(1.5));
            let direction = Vec3::new(part(2.0), part(2.0), part(1.0));
            ask_everything(&world, Position::new(cell, at), direction, &mut scratch, &mut hits);
            found += hits.len();
        }
    }
    assert!(found > variants(), "{found}");
}

#[test]
fn odd_bodies_and_places_give_finite_numbers() {
    let builder = Builder::new(layouts::hut().0);
    let mut world = load_all(&builder);
    let land = CellId(0xA9B4_001C);
    let odd = [0.0, -1.0, 1e-30, 1e6, f32::NAN, f32::INFINITY];
    for (number, scale) in (0..).zip(odd) {
        let (body, setup) = (BodyId(number), builder.setup(MOVER).unwrap());
        let position = Position::new(land, Vec3::new(84.0, 90.0, 0.0));
        let (state, kind) = (State(0), ObjectKind::Creature);
        world.insert(BodySpec { body, setup, position, scale, state, kind });
    }
    let (mut scratch, mut hits) = (QueryScratch::new(), Vec::new());
    let places =
        [84.0, 0.0, -0.0, 1e-30, 191.999_99, 1e5, -1e5, 1e30, f32::MAX, f32::NAN, f32::INFINITY];
    for x in places {
        for cell in [land, CellId(0xA9B4_0100), CellId(0xFEFE_0040), CellId(0x0000_0001)] {
            for direction in
                [Vec3::Y, Vec3::new(1e-30, 1.0, 0.0), Vec3::new(3e38, -3e38, 3e38), Vec3::ZERO]
            {
                let at = Position::new(cell, Vec3::new(x, 85.0, 1.0));
                ask_everything(&world, at, direction, &mut scratch, &mut hits);
            }
        }
    }
}
