//! Cost of single queries: on a cell, on a polygon, and on a furnished room.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a benchmark fails on unexpected values"
)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use threshold_geom::{
    Bounds, CellTree, FLOOR_Z, PhysicsNode, PhysicsTree, Polygon, PolygonHit, PolygonSet, Sides,
    SolidPoly, WalkableQuery,
};
use threshold_land::vector::Vec3;
use threshold_land::{Plane, Sphere};

const ROOM: Bounds = Bounds { min: Vec3::ZERO, max: Vec3::new(10.0, 10.0, 4.0) };
const RADIUS: f32 = 0.48;
const STEP: Vec3 = Vec3::new(0.06, 0.02, -0.1);

/// The six sides of a box; those of a room face inwards, those of furniture outwards.
fn sides(bounds: Bounds, inwards: bool) -> [[Vec3; 4]; 6] {
    let c = bounds.corners();
    let quads =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    quads.map(|mut quad| {
        if inwards {
            quad.reverse();
        }
        quad.map(|corner| c[corner])
    })
}

/// A room with a dozen crates and tables in it: 78 polygons.
fn furniture() -> PolygonSet {
    let mut polygons = PolygonSet::new();
    for side in sides(ROOM, true) {
        polygons.push(side, Sides::Single);
    }
    for i in 0..12_u8 {
        let (column, row) = (f32::from(i % 4), f32::from(i / 4));
        let min = Vec3::new(0.8 + column * 2.4, 1.2 + row * 3.0, 0.0);
        let size = Vec3::new(0.7 + row * 0.2, 1.1, 0.5 + column * 0.3);
        for side in sides(Bounds { min, max: min + size }, false) {
            polygons.push(side, Sides::Single);
        }
    }
    polygons
}

/// Cuts at the median of the polygons' centres, across the longest side of their box.
struct Builder {
    polygons: PolygonSet,
    nodes: Vec<PhysicsNode>,
}

impl Builder {
    fn tree(polygons: PolygonSet) -> PhysicsTree {
        let all = (0..polygons.len() as u32).collect();
        let mut builder = Self { polygons, nodes: Vec::new() };
        let root = builder.grow(all, 0);
        PhysicsTree::build(builder.polygons, &builder.nodes, root).unwrap()
    }

    fn grow(&mut self, members: Vec<u32>, depth: usize) -> u32 {
        let sphere = self.around(&members);
        let node = if members.len() <= 4 || depth == 8 {
            PhysicsNode::Leaf { solid: false, sphere, polygons: members }
        } else {
            let plane = self.cut(&members);
            let side = |sign: f32| {
                let reaches = |&i: &u32| {
                    let vertices = self.polygons.get(i).vertices;
                    vertices.iter().any(|&v| plane.distance(v) * sign > -0.001)
                };
                members.iter().copied().filter(reaches).collect()
            };
            let (front, back) = (side(1.0), side(-1.0));
            let positive = Some(self.grow(front, depth + 1));
            let negative = Some(self.grow(back, depth + 1));
            PhysicsNode::Split { plane, sphere, positive, negative }
        };
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn cut(&self, members: &[u32]) -> Plane {
        let middle = |i: u32| {
            let vertices = self.polygons.get(i).vertices;
            vertices.iter().sum::<Vec3>() / vertices.len() as f32
        };
        let size = Bounds::from_points(members.iter().map(|&i| middle(i)))
            .map_or(Vec3::X, |b| b.max - b.min);
        let axis = [Vec3::X, Vec3::Y, Vec3::Z]
            .into_iter()
            .max_by(|a, b| a.dot(size).total_cmp(&b.dot(size)))
            .unwrap();
        let mut along: Vec<f32> = members.iter().map(|&i| middle(i).dot(axis)).collect();
        along.sort_by(f32::total_cmp);
        Plane { normal: axis, d: -along[along.len() / 2] }
    }

    fn around(&self, members: &[u32]) -> Sphere {
        let points = || members.iter().flat_map(|&i| self.polygons.get(i).vertices).copied();
        let Some(bounds) = Bounds::from_points(points()) else {
            return Sphere::new(Vec3::ZERO, 0.0);
        };
        let centre = (bounds.min + bounds.max) / 2.0;
        let radius = points().map(|p| (p - centre).length()).fold(0.0, f32::max);
        Sphere::new(centre, radius + 0.001)
    }
}

/// Positions of a mover's lower sphere all over the floor of the room, half of them slightly in the
/// floor.
fn places() -> Vec<Sphere> {
    let place = |i: u16| {
        let along = |prime: u16| f32::from(i * prime % 256) / 256.0 * 9.6 + 0.2;
        let z = if i.is_multiple_of(2) { 0.42 } else { 0.9 };
        Sphere::new(Vec3::new(along(37), along(101), z), RADIUS)
    };
    (0..256).map(place).collect()
}

fn one_at_a_time<T>(
    c: &mut Criterion,
    name: &str,
    places: &[Sphere],
    mut ask: impl FnMut(&Sphere) -> T,
) {
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(1));
    let mut next = places.iter().cycle();
    group.bench_function("one", |b| b.iter(|| black_box(ask(black_box(next.next().unwrap())))));
    group.finish();
}

fn cells(c: &mut Criterion) {
    let planes = sides(ROOM, true).map(|side| threshold_geom::plane_of(&side).unwrap());
    let cell = CellTree::new(planes);
    let places = places();
    one_at_a_time(c, "point in a cell of 6 planes", &places, |s| cell.contains(s.centre));
    one_at_a_time(c, "sphere in a cell of 6 planes", &places, |s| cell.sphere_inside(s));
    one_at_a_time(c, "box in a cell of 6 planes", &places, |s| {
        let reach = Vec3::splat(s.radius);
        cell.box_intersects(&Bounds { min: s.centre - reach, max: s.centre + reach })
    });
}

fn polygons(c: &mut Criterion) {
    let floor = sides(ROOM, true)[4];
    let floor = Polygon::new(&floor, Sides::Single).unwrap();
    let places = places();
    one_at_a_time(c, "sphere against a polygon", &places, |s| floor.hits_sphere(s));
}

fn room(c: &mut Criterion) {
    let tree = Builder::tree(furniture());
    let places = places();
    let hits = places
        .iter()
        .filter(|s| tree.sphere_intersects_poly(s, STEP, &mut PolygonHit::default()))
        .count();
    assert!((100..200).contains(&hits), "half of the places touch something: {hits} do");

    one_at_a_time(c, "room: sphere_intersects_poly", &places, |s| {
        tree.sphere_intersects_poly(s, STEP, &mut PolygonHit::default())
    });
    one_at_a_time(c, "room: sphere_intersects_solid", &places, |s| {
        tree.sphere_intersects_solid(s, true)
    });
    one_at_a_time(c, "room: sphere_intersects_solid_poly", &places, |s| {
        tree.sphere_intersects_solid_poly(s, RADIUS, true, &mut SolidPoly::default())
    });
    let walk = WalkableQuery { movement: STEP, up: Vec3::Z, allowance: FLOOR_Z };
    one_at_a_time(c, "room: find_walkable", &places, |s| {
        tree.find_walkable(&mut s.clone(), &walk, &mut 1.0)
    });
    one_at_a_time(c, "room: hits_walkable", &places, |s| tree.hits_walkable(s, Vec3::Z, FLOOR_Z));
}

criterion_group!(benches, cells, polygons, room);
criterion_main!(benches);
