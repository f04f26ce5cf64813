//! Random worlds: every world that is not refused is correct.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a test fails on unexpected values"
)]

mod built;

use built::{Chance, leaf_at};
use threshold_dat::{BspNode, BspTree};
use threshold_forge::{
    Face, Forge, ForgeErrorKind, MadeWorld, Opening, Plan, RoomKey, RoomSpec, Shape, samples,
};
use threshold_geom::{Polygon, Sides};
use threshold_land::vector::Vec3;
use threshold_land::{Frame, Rotation};

/// Returns a position on a coarse grid, so that faces coincide often.
fn step(chance: &mut Chance, most: f32) -> f32 {
    (chance.unit() * most * 4.0).floor() / 4.0
}

#[test]
fn random_piles_of_blocks() {
    for seed in 0..150 {
        let mut chance = Chance(seed);
        let mut room = RoomSpec::cuboid([0.0; 3], [6.0, 5.0, 3.0]);
        let mut blocks = Vec::new();
        for _ in 0..1 + seed % 9 {
            let low =
                Vec3::new(step(&mut chance, 5.0), step(&mut chance, 4.0), step(&mut chance, 2.0));
            let size = Vec3::new(
                step(&mut chance, 2.0) + 0.25,
                step(&mut chance, 2.0) + 0.25,
                step(&mut chance, 1.5) + 0.25,
            );
            let high = (low + size).min(Vec3::new(6.0, 5.0, 3.0));
            room = room.block(Shape::cuboid(low, high));
            blocks.push((low, high));
        }
        let mut plan = Plan::new();
        plan.room(room);
        let world = built::finish(plan);
        let cell = &built::cells(&world)[0];
        for _ in 0..1000 {
            let at = chance.point(Vec3::splat(0.01), Vec3::new(5.99, 4.99, 2.99));
            let depth = |(low, high): &(Vec3, Vec3)| {
                (at - *low).min_element().min((*high - at).min_element())
            };
            let deepest = blocks.iter().map(depth).fold(f32::NEG_INFINITY, f32::max);
            if deepest.abs() > 1e-3 {
                let (solid, polygons) = leaf_at(&cell.structure.physics_tree, at);
                let want = deepest > 0.0;
                assert_eq!((solid, polygons > 0), (want, want), "seed {seed}: {at}");
            }
        }
    }
}

#[test]
fn random_prisms_in_a_turned_room() {
    for seed in 0..60 {
        let mut chance = Chance(seed);
        let frame = turned(&mut chance);
        let mut room = RoomSpec::shaped(Shape::regular(8, 5.0, 0.0, 4.0)).at(frame);
        let mut blocks = Vec::new();
        for _ in 0..5 {
            let (x, y) = (chance.between(-3.0, 3.0), chance.between(-3.0, 3.0));
            let turn = chance.between(0.0, 6.0);
            let corner = |index: u8| {
                let angle = turn + f32::from(index) * std::f32::consts::TAU / 5.0;
                [x + libm::cosf(angle), y + libm::sinf(angle)]
            };
            let low = chance.between(0.0, 2.0);
            let block = Shape::prism((0..5).map(corner), low, low + chance.between(0.2, 2.0));
            room = room.block(block.clone());
            blocks.push(block);
        }
        let mut plan = Plan::new();
        plan.room(room);
        let world = built::finish(plan);
        let cell = &built::cells(&world)[0];
        for _ in 0..1000 {
            let at = chance.point(Vec3::new(-3.5, -3.5, 0.01), Vec3::new(3.5, 3.5, 3.99));
            let distance = |block: &Shape| outside(block, at);
            let nearest = blocks.iter().map(distance).fold(f32::INFINITY, f32::min);
            if nearest.abs() > 1e-3 {
                let (solid, polygons) = leaf_at(&cell.structure.physics_tree, at);
                let want = nearest < 0.0;
                assert_eq!((solid, polygons > 0), (want, want), "seed {seed}: {at}");
            }
        }
    }
}

/// Returns the distance of a point outside a convex shape.
fn outside(shape: &Shape, at: Vec3) -> f32 {
    let corners: Vec<Vec3> = shape.faces().iter().flatten().copied().collect();
    let middle = corners.iter().sum::<Vec3>() / corners.len() as f32;
    let distance = |face: &Vec<Vec3>| {
        let plane = threshold_geom::plane_of(face).unwrap();
        -plane.distance(at) * plane.distance(middle).signum()
    };
    shape.faces().iter().map(distance).fold(f32::NEG_INFINITY, f32::max)
}

fn turned(chance: &mut Chance) -> Frame {
    let q = [0; 4].map(|_| chance.between(-1.0, 1.0));
    let rotation = Rotation::new(q[0], q[1], q[2], q[3]).normalised().unwrap();
    Frame { origin: chance.point(Vec3::splat(-80.0), Vec3::splat(80.0)), rotation }
}

#[test]
fn random_openings() {
    let faces = [Face::SOUTH, Face::EAST, Face::NORTH, Face::WEST, Face::Floor, Face::Ceiling];
    let mut made = 0;
    for seed in 0..300 {
        let mut chance = Chance(seed);
        let mut plan = Plan::new();
        let hall = plan.room(RoomSpec::cuboid([0.0; 3], [8.0, 6.0, 4.0]));
        let mut openings = Vec::new();
        for _ in 0..1 + seed % 5 {
            let face = faces[(chance.unit() * 6.0) as usize];
            let at = [step(&mut chance, 6.0), step(&mut chance, 3.0)];
            let size = [step(&mut chance, 3.0) + 0.5, step(&mut chance, 2.0) + 0.5];
            openings.push(Opening::rectangle(face, at, size));
        }
        for opening in openings {
            plan.exit(hall, opening);
        }
        let mut forge = Forge::new();
        forge.block(samples::TOWN).building(Frame::at(Vec3::new(60.0, 60.0, 10.0)), plan);
        let world = match forge.finish() {
            Ok(world) => world,
            Err(error) => {
                let fits = matches!(
                    error.kind,
                    ForgeErrorKind::OpeningOutsideWall(_) | ForgeErrorKind::OpeningsOverlap { .. }
                );
                assert!(fits, "seed {seed}: {error}");
                continue;
            }
        };
        made += 1;
        check_walls(seed, &world, &mut chance);
        check_shell(seed, &world, &mut chance);
    }
    assert!(made > 60, "{made}");
}

fn check_walls(seed: u64, world: &MadeWorld, chance: &mut Chance) {
    let cell = &built::cells(world)[0];
    let holes: Vec<Vec<Vec3>> = (0..cell.record.portals.len()).map(|i| cell.portal(i)).collect();
    for plane in cell.inside.planes() {
        for _ in 0..200 {
            let inside = chance.point(Vec3::splat(0.05), Vec3::new(7.95, 5.95, 3.95));
            let on_wall = inside - plane.normal * plane.distance(inside);
            let at = on_wall - plane.normal * chance.between(0.002, 1.0);
            let open = holes.iter().any(|hole| {
                let hole = Polygon::new(hole, Sides::Single).unwrap();
                hole.plane.distance(on_wall).abs() < 1e-3 && hole.contains(on_wall)
            });
            let (solid, polygons) = leaf_at(&cell.structure.physics_tree, at);
            assert_eq!((solid, polygons > 0), (!open, !open), "seed {seed}: {at}");
        }
    }
}

/// Inside the rooms the shell is solid, and the tree has no solid leaf without polygons.
fn check_shell(seed: u64, world: &MadeWorld, chance: &mut Chance) {
    let building = &built::infos(world)[0].buildings[0];
    let shell = built::model(world, building.model);
    let tree = &shell.physics.as_ref().unwrap().tree;
    check_leaves(seed, tree);
    for _ in 0..300 {
        let at = chance.point(Vec3::splat(0.01), Vec3::new(7.99, 5.99, 3.99));
        assert!(leaf_at(tree, at).0, "seed {seed}: {at}");
        let out = at + Vec3::new(20.0, 0.0, 0.0);
        assert!(!leaf_at(tree, out).0, "seed {seed}: {out}");
    }
}

fn check_leaves(seed: u64, tree: &BspTree) {
    for node in tree.iter() {
        if let BspNode::Leaf(leaf) = node {
            assert_eq!(leaf.solid != 0, !leaf.polygons.is_empty(), "seed {seed}");
        }
    }
}

/// Rooms in a row, each with a random frame, but meeting where they are joined.
#[test]
fn joined_rooms_with_their_own_frames_meet() {
    for seed in 0..80 {
        let mut chance = Chance(seed);
        let world = turned(&mut chance);
        let mut plan = Plan::new();
        let mut rooms = Vec::new();
        for index in 0..4_u8 {
            let x = 5.0 * f32::from(index);
            // The same box in the plan, in a frame turned about it.
            let own = turned(&mut chance);
            let shape = Shape::cuboid([x, 0.0, 0.0], [x + 5.0, 4.0, 3.0]);
            let place = |corner: &Vec3| own.to_local(world.to_global(*corner));
            let faces = shape.faces().iter().map(|face| face.iter().map(place).collect());
            rooms.push(plan.room(RoomSpec::shaped(Shape::from_faces(faces.collect())).at(own)));
        }
        for pair in rooms.windows(2) {
            plan.join(pair[0], pair[1], Opening::whole(Face::EAST));
        }
        let mut forge = Forge::new();
        forge.block(samples::DEPTHS).dungeon(Frame::IDENTITY, plan);
        let made = forge.finish().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let cells = built::cells(&made);
        for (index, cell) in cells.iter().enumerate() {
            assert_eq!(cell.record.visible.len(), 3, "seed {seed}: all in a row");
            let middle = Vec3::new(5.0 * index as f32 + 2.5, 2.0, 1.5);
            let local = cell.record.position.to_local(world.to_global(middle));
            assert!(cell.inside.contains(local), "seed {seed}");
            assert!(!cell.physics.point_intersects_solid(local), "seed {seed}");
        }
    }
}

/// A room of a house on a grid, and its position there.
type Spot = ([i32; 3], RoomKey);

/// A random house of rooms on a grid, joined wherever two walls meet.
fn house(chance: &mut Chance) -> (Plan, Vec<Spot>) {
    let mut plan = Plan::new();
    let mut rooms: Vec<Spot> = Vec::new();
    for index in 0..18 {
        let spot = [index / 6, index / 2 % 3, index % 2];
        if chance.unit() < 0.6 {
            let low = corner(spot);
            rooms.push((spot, plan.room(RoomSpec::cuboid(low, low + Vec3::splat(3.0)))));
        }
    }
    let there = |at: [i32; 3]| rooms.iter().find(|(spot, _)| *spot == at).map(|(_, key)| *key);
    let hole = |face| Opening::rectangle(face, [0.6, 0.0], [1.6, 2.2]);
    for ([x, y, z], key) in &rooms {
        let ways = [
            (Face::EAST, [x + 1, *y, *z]),
            (Face::NORTH, [*x, y + 1, *z]),
            (Face::Ceiling, [*x, *y, z + 1]),
        ];
        for (face, next) in ways {
            match there(next) {
                Some(other) => plan.join(*key, other, hole(face)),
                None if chance.unit() < 0.3 => plan.exit(*key, hole(face)),
                None if chance.unit() < 0.3 => plan.window(*key, hole(face)),
                None => &mut plan,
            };
        }
    }
    (plan, rooms)
}

fn corner(spot: [i32; 3]) -> Vec3 {
    Vec3::from(spot.map(|v| 3.0 * v as f32))
}

#[test]
fn random_houses() {
    for seed in 0..60 {
        let mut chance = Chance(seed);
        let (plan, rooms) = house(&mut chance);
        let mut forge = Forge::new();
        forge.block(samples::TOWN).building(Frame::at(Vec3::new(60.0, 60.0, 10.0)), plan);
        let world = forge.finish().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let building = &built::infos(&world)[0].buildings[0];
        let shell = built::model(&world, building.model);
        let tree = &shell.physics.as_ref().unwrap().tree;
        check_leaves(seed, tree);
        for _ in 0..2000 {
            let at = chance.point(Vec3::new(-1.0, -1.0, -1.0), Vec3::splat(10.0));
            let depth = |(spot, _): &Spot| {
                let low = corner(*spot);
                (at - low).min_element().min((low + Vec3::splat(3.0) - at).min_element())
            };
            let deepest = rooms.iter().map(depth).fold(f32::NEG_INFINITY, f32::max);
            if deepest > 1e-3 {
                assert!(leaf_at(tree, at).0, "seed {seed}: {at}");
            } else if deepest < -1.51 {
                assert!(!leaf_at(tree, at).0, "seed {seed}: {at}");
            }
        }
    }
}
