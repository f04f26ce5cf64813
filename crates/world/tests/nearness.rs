//! Searches and objects that are skipped because they cannot matter.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test fails on unexpected values"
)]

use threshold_geom::{Cylinder, spheres_collide};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, EPSILON, Position, Space, Sphere};
use threshold_testkit::{Random, sample_world};
use threshold_world::{Cell, CellArray, CellSearch, Object, World};

fn vector(random: &mut Random, reach: f64) -> Vec3 {
    let mut axis = || random.between(-reach, reach) as f32;
    Vec3::new(axis(), axis(), axis())
}

/// Cells of a world, and a point in each of them.
fn places(world: &World, random: &mut Random, count: usize) -> Vec<(CellId, Vec3)> {
    let mut cells: Vec<CellId> = Vec::new();
    for land in world.lands() {
        cells.extend((1..=64).map(|low| land.block().cell(low)));
    }
    let blocks = [0xA9B4, 0xA9B3, 0xA9B5, 0x0102].map(threshold_land::BlockId);
    cells.extend(blocks.iter().flat_map(|block| world.rooms(*block)).map(|room| room.id()));
    let place = |random: &mut Random| {
        let cell = cells[random.below(cells.len())];
        let at = match world.cell(cell).unwrap() {
            Cell::Room(room) => {
                let corner = room.structure().drawing.iter().next().unwrap().vertices[0];
                room.to_block(corner) + vector(random, 4.0)
            }
            Cell::Land(land) => {
                let middle = land.position().frame.origin + vector(random, 14.0);
                let ground = land.land().terrain().height(middle.truncate()).unwrap_or(0.0);
                middle.with_z(ground + random.between(-0.5, 2.0) as f32)
            }
        };
        (cell, at)
    };
    (0..count).map(|_| place(random)).collect()
}

fn mover(random: &mut Random, at: Vec3) -> [Sphere; 2] {
    let radius = random.between(0.1, 1.2) as f32;
    let head = at + Vec3::new(0.0, 0.0, 2.0 * radius);
    [Sphere::new(at, radius), Sphere::new(head, radius * random.between(0.5, 1.5) as f32)]
}

/// Moves spheres by less than the valid radius of a search, and searches again.
fn check_slack(name: &str, count: usize) -> usize {
    let (world, mut random) = (sample_world(name), Random(11));
    let search = CellSearch::new(&world);
    let (mut array, mut again, mut held) = (CellArray::new(), CellArray::new(), 0);
    for (cell, at) in places(&world, &mut random, count) {
        let spheres = mover(&mut random, at);
        let position = Position::new(cell, at);
        let found = search.spheres(&position, &spheres, &mut array);
        let slack = array.valid_radius();
        held += usize::from(slack > 0.0);
        for _ in 0..4 {
            let moved = spheres.map(|sphere| {
                let way = vector(&mut random, 1.0).normalize_or_zero();
                let by = way * (slack.min(30.0) * random.between(0.9, 0.9999) as f32);
                Sphere::new(sphere.centre + by, sphere.radius)
            });
            let other = search.spheres(&Position::new(cell, moved[0].centre), &moved, &mut again);
            let about = format!("{cell} {spheres:?} by {slack} to {moved:?}");
            assert_eq!(other, found, "{about}");
            assert_eq!(again.entries(), array.entries(), "{about}");
        }
    }
    held
}

#[test]
fn a_search_finds_the_same_cells_within_its_valid_radius() {
    assert!(check_slack("holt", 20_000) > 15_000);
    assert!(check_slack("dungeon", 20_000) > 15_000);
}

/// Returns whether any of the spheres touches the collision shapes of an object.
fn touches(object: &Object, cell: CellId, spheres: &[Sphere; 2]) -> bool {
    let (setup, scale) = (object.setup(), object.scale());
    let space = Space::new(object.position());
    let place = |point: Vec3| space.to_block_of(cell, point * scale);
    // Retail uses the first sphere's radius for both.
    let radius = spheres[0].radius;
    if setup.has_physics_tree {
        return object.solids().any(|solid| {
            spheres.iter().any(|sphere| {
                let centre = solid.space.to_local_from(cell, sphere.centre) / solid.scale;
                let local = Sphere::new(centre, sphere.radius / solid.scale);
                solid.tree.sphere_intersects_solid(&local, true)
            })
        });
    }
    let cylinder = |c: &Cylinder| {
        let low = place(c.low);
        let shape = Cylinder { low, radius: c.radius * scale, height: c.height * scale };
        let sum = shape.radius - EPSILON + radius;
        spheres.iter().any(|s| shape.collides_with_sphere(s.radius, s.centre - low, sum))
    };
    let ball = |b: &Sphere| {
        let (centre, sum) = (place(b.centre), b.radius * scale + radius - EPSILON);
        spheres.iter().any(|s| spheres_collide(s.centre - centre, sum))
    };
    match setup.cylinders.is_empty() {
        false => setup.cylinders.iter().any(cylinder),
        true => setup.spheres.iter().any(ball),
    }
}

#[test]
fn an_object_that_is_touched_is_never_skipped() {
    let (world, mut random) = (sample_world("holt"), Random(5));
    let (mut near, mut far, mut touched) = (0, 0, 0);
    let cells = world.objects().flat_map(|object| object.cells().iter().map(|at| at.cell));
    for cell in cells {
        let objects: Vec<&Object> = world.objects_in(cell).collect();
        for _ in 0..600 {
            let object = objects[random.below(objects.len())];
            let offset = threshold_land::block_offset_between(cell, object.position().cell);
            let at = object.position().frame.origin + offset + vector(&mut random, 3.0);
            let spheres = mover(&mut random, at);
            let middle = (spheres[0].centre + spheres[1].centre) * 0.5;
            let widest = spheres[0].radius.max(spheres[1].radius) * std::f32::consts::SQRT_2;
            let reach = (spheres[1].centre - middle).length() + widest;
            let (mut nearby, round) = (world.objects_near(cell), Sphere::new(middle, reach));
            let named: Vec<_> =
                std::iter::from_fn(|| nearby.next(|_| true, &round)).map(Object::id).collect();
            let mut nearby = world.objects_near(cell);
            let last_first = std::iter::from_fn(|| nearby.next_back(|_| true, &round));
            assert!(last_first.map(Object::id).eq(named.iter().rev().copied()));
            for object in &objects {
                let is_near = named.contains(&object.id());
                near += usize::from(is_near);
                far += usize::from(!is_near);
                let meets = touches(object, cell, &spheres);
                touched += usize::from(meets);
                assert!(is_near || !meets, "{} {cell} {spheres:?}", object.id());
            }
        }
    }
    assert!(near > 20_000 && far > 40_000 && touched > 3_000, "{near} {far} {touched}");
}
