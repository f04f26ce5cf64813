//! Time of each kind of query, and of brute force in the same run: `cargo bench -p threshold-query`.
//!
//! Brute force tests a ray against every polygon of the same landblocks, without cells, trees and grids. It does not
//! know walls between cells, so it is no replacement; it shows what the graph saves.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::cast_possible_truncation,
    reason = "a benchmark prints, and fails on unexpected values"
)]

use std::hint::black_box;

use cpu_time::ThreadTime;
use threshold_geom::{MovingSphere, Polygon, Sides};
use threshold_land::vector::{DVec3, Vec3};
use threshold_land::{CellId, Plane, Position, block_offset_between};
use threshold_query::{
    BoxOverlap, Cone, Launch, NearestObjects, QueryFilter, QueryScratch, Ray, SceneQuery,
    SphereOverlap,
};
use threshold_testkit::{
    Random, forged, load_all, random_point_in, room_ids, sample_builder, town_cells,
};
use threshold_world::{Solid, World};

/// Questions in a round.
const QUESTIONS: usize = 2_000;
/// Rounds; the best counts.
const ROUNDS: usize = 9;

/// A polygon in the frame of one landblock.
struct Wall {
    corners: Vec<Vec3>,
    plane: Plane,
}

fn add_solid(walls: &mut Vec<Wall>, origin: CellId, solid: &Solid<'_>) {
    for polygon in solid.tree.polygons().iter() {
        let there = |at: &Vec3| solid.space.to_block_of(origin, *at * solid.scale);
        let corners: Vec<Vec3> = polygon.vertices.iter().map(there).collect();
        if let Some(plane) = threshold_geom::plane_of(&corners) {
            walls.push(Wall { corners, plane });
        }
    }
}

/// All polygons of a world.
fn walls(world: &World, origin: CellId) -> Vec<Wall> {
    let mut walls = Vec::new();
    for cell in room_ids(world) {
        let room = world.room(cell).unwrap();
        let tree = &room.structure().physics;
        add_solid(&mut walls, origin, &Solid { tree, space: room.space(), scale: 1.0 });
    }
    for land in world.lands() {
        let offset = block_offset_between(origin, land.block().as_cell());
        for number in 0..128 {
            let corners = land.terrain().triangle(number).map(|at| at + offset).to_vec();
            let plane = threshold_geom::plane_of(&corners).unwrap();
            walls.push(Wall { corners, plane });
        }
        for shell in land.buildings().iter().filter_map(|building| building.shell()) {
            add_solid(&mut walls, origin, &shell);
        }
    }
    for object in world.objects() {
        object.solids().for_each(|solid| add_solid(&mut walls, origin, &solid));
    }
    walls
}

/// The first polygon that a ray hits, of all.
fn brute_force(walls: &[Wall], ray: &MovingSphere, length: f64) -> f64 {
    let mut first = length;
    for wall in walls {
        let face = Polygon { vertices: &wall.corners, plane: wall.plane, sides: Sides::Single };
        if let Some(hit) = ray.hit_polygon(&face, false) {
            first = first.min(hit.time);
        }
    }
    first
}

/// Returns nanoseconds for one question: the best of the rounds, by the time of this thread.
fn measure(mut ask: impl FnMut(usize)) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = ThreadTime::now();
        (0..QUESTIONS).for_each(&mut ask);
        best = best.min(start.elapsed().as_secs_f64());
    }
    best * 1e9 / QUESTIONS as f64
}

/// Rays from random points in cells.
fn random_rays(world: &World, cells: &[CellId]) -> Vec<Ray> {
    let mut random = Random(7);
    let mut ray = || {
        let cell = cells[random.below(cells.len())];
        let from = Position::new(cell, random_point_in(world, cell, &mut random));
        let mut part = || random.between(-1.0, 1.0) as f32;
        Ray::new(from, [part(), part(), part() * 0.3], 50.0)
    };
    (0..QUESTIONS).map(|_| ray()).collect()
}

fn row(name: &str, what: &str, nanoseconds: f64) {
    println!("| {name} | {what} | {nanoseconds:.0} |");
}

fn bench(name: &str, world: &World, cells: &[CellId]) {
    let rays = random_rays(world, cells);
    let (scene, filter) = (SceneQuery::new(world), QueryFilter::default());
    let (mut scratch, mut hits) = (QueryScratch::new(), Vec::new());
    let ray = measure(|n| {
        black_box(scene.ray(&mut scratch, &rays[n], &filter).unwrap().hit);
    });
    row(name, "ray of 50 m, first hit", ray);
    let all = measure(|n| {
        black_box(scene.ray_all(&mut scratch, &rays[n], &filter, &mut hits).unwrap().unknown);
    });
    row(name, "ray of 50 m, all hits", all);
    let cast = measure(|n| {
        let cast = rays[n].with_radius(0.5);
        black_box(scene.sphere_cast(&mut scratch, &cast, &filter).unwrap().hit);
    });
    row(name, "sphere cast of 50 m, radius 0.5 m", cast);
    let arc = measure(|n| {
        let velocity = rays[n].direction.normalize_or_zero() * 20.0;
        let launch = Launch::new(rays[n].from, velocity);
        black_box(scene.arc(&mut scratch, &launch, &filter).unwrap().hit);
    });
    row(name, "arc at 20 m/s, to the landing", arc);
    bench_volumes(name, world, &rays);
    let brute = bench_brute_force(name, world, &rays);
    println!("| {name} | brute force against the ray | {:.0} times |", brute / ray);
}

fn bench_volumes(name: &str, world: &World, rays: &[Ray]) {
    let (scene, filter) = (SceneQuery::new(world), QueryFilter::default());
    let (mut scratch, mut hits) = (QueryScratch::new(), Vec::new());
    let sphere = measure(|n| {
        let sphere = SphereOverlap { at: rays[n].from, radius: 1.0 };
        black_box(scene.sphere_overlap(&mut scratch, &sphere, &filter).unwrap().hit);
    });
    row(name, "sphere overlap, radius 1 m", sphere);
    let cube = measure(|n| {
        let shape = BoxOverlap { at: rays[n].from, half: Vec3::ONE };
        black_box(scene.box_overlap(&mut scratch, &shape, &filter).unwrap().hit);
    });
    row(name, "box overlap, 2 m", cube);
    let nearest = measure(|n| {
        let nearest = NearestObjects { at: rays[n].from, radius: 10.0, count: 1 };
        black_box(scene.nearest(&mut scratch, &nearest, &filter, &mut hits).unwrap().unknown);
    });
    row(name, "nearest object within 10 m", nearest);
    let cone = measure(|n| {
        let Ray { from, direction, .. } = rays[n];
        let cone = Cone { from, direction, length: 10.0, half_angle: 30.0 };
        black_box(scene.cone(&mut scratch, &cone, &filter, &mut hits).unwrap().unknown);
    });
    row(name, "cone of 10 m, 30 degrees", cone);
}

fn bench_brute_force(name: &str, world: &World, rays: &[Ray]) -> f64 {
    /// One ray of twenty: brute force is slow.
    const STEP: usize = 20;
    let origin = rays[0].from.cell;
    let walls = walls(world, origin);
    let moving: Vec<MovingSphere> = rays.iter().map(|ray| moving(ray, origin)).collect();
    let brute = measure(|n| {
        if n % STEP == 0 {
            black_box(brute_force(&walls, &moving[n], 50.0));
        }
    });
    let brute = brute * STEP as f64;
    row(name, &format!("brute force over {} polygons", walls.len()), brute);
    brute
}

fn moving(ray: &Ray, origin: CellId) -> MovingSphere {
    let offset = block_offset_between(origin, ray.from.cell);
    let from: DVec3 = (ray.from.frame.origin + offset).as_dvec3();
    let direction = ray.direction.as_dvec3().normalize_or_zero();
    MovingSphere { origin: from, direction, radius: 0.0, margin: 0.0002 }
}

fn main() {
    println!("| where | query | ns |\n|---|---|---|");
    let dungeon = load_all(&sample_builder("dungeon"));
    bench("dungeon of 82 rooms", &dungeon, &room_ids(&dungeon));
    let town = load_all(&sample_builder("holt"));
    bench("town, in the streets", &town, &town_cells(&town));
    bench("town, in houses", &town, &room_ids(&town));
    let built_in = forged::builtins()[0].world();
    bench("built-in world, in the streets", &built_in, &town_cells(&built_in));
}
