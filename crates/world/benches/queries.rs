//! Queries that sweeps make all the time, on the sample world.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a benchmark fails on unexpected values"
)]

use std::hint::black_box;
use threshold_testkit::sample_world;

use criterion::{Criterion, criterion_group, criterion_main};
use threshold_geom::PolygonHit;
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{CellId, Position, Sphere};
use threshold_world::{CellArray, CellSearch};

/// The inn's vestibule, 0x0164, between street and main room.
const VESTIBULE: CellId = CellId(0xA9B4_0164);
/// The inn's main room, with 82 physics polygons.
const MAIN_ROOM: CellId = CellId(0xA9B4_0157);

fn shapes(c: &mut Criterion) {
    let world = sample_world("holt");
    let room = world.room(VESTIBULE).unwrap();
    let at = Vec3::new(115.0, 60.0, 41.0);
    assert!(room.contains(at));
    c.bench_function("point in a room", |b| b.iter(|| room.contains(black_box(at))));
    let sphere = Sphere::new(at, 0.48);
    c.bench_function("sphere against a room's walls", |b| {
        b.iter(|| room.sphere_inside(black_box(&sphere)));
    });
    let land = world.land_cell(CellId(0xA9B4_0031)).unwrap();
    let on_street = Vec2::new(150.0, 7.0);
    c.bench_function("height of the ground", |b| {
        b.iter(|| {
            let at = black_box(on_street);
            land.ground(at).and_then(|ground| ground.plane.height(at.x, at.y))
        });
    });
    let main = world.room(MAIN_ROOM).unwrap();
    let tree = &main.structure().physics;
    for (name, at) in [("free", [108.0, 60.0, 41.0]), ("on the floor", [108.0, 60.0, 40.6])] {
        let local = Sphere::new(main.to_local(at.into()), 0.48);
        let movement = Vec3::new(0.05, 0.0, -0.05);
        c.bench_function(&format!("sphere against a physics tree, {name}"), |b| {
            b.iter(|| {
                let mut struck = PolygonHit::default();
                tree.sphere_intersects_poly(black_box(&local), movement, &mut struck)
            });
        });
    }
}

fn searches(c: &mut Criterion) {
    let world = sample_world("holt");
    let search = CellSearch::new(&world);
    let mut array = CellArray::new();
    let mover = |at: Vec3| [0.475, 1.35].map(|z| Sphere::new(at + Vec3::Z * z, 0.48));
    let cases = [
        ("in the middle of a street", 0xA9B4_0031, [150.0, 4.0, 40.0]),
        ("in a room", MAIN_ROOM.0, [108.0, 60.0, 40.2]),
        ("in a doorway between rooms", VESTIBULE.0, [114.0, 60.0, 40.2]),
        ("in a doorway to the street", 0xA9B4_0170, [156.0, 8.0, 40.155]),
        ("before that door", 0xA9B4_0031, [156.0, 7.8, 40.0]),
    ];
    for (name, cell, at) in cases {
        let position = Position::new(CellId(cell), at.into());
        let spheres = mover(at.into());
        let _ = search.spheres(&position, &spheres, &mut array);
        let ids: Vec<String> = array.ids().map(|id| id.to_string()).collect();
        println!("{name}: {}", ids.join(" "));
        c.bench_function(&format!("cells of a mover {name}"), |b| {
            b.iter(|| search.spheres(black_box(&position), black_box(&spheres), &mut array));
        });
    }
}

criterion_group!(benches, shapes, searches);
criterion_main!(benches);
