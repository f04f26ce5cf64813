use threshold_conformance::Runner;
use threshold_forge::samples;
use threshold_land::vector::Vec2;
use threshold_land::{BlockId, Frame, Rotation, cell_index};
use threshold_world::{BodyId, BodySpec, Builder, ObjectKind, PieceId};

use super::*;
use crate::course::Course;

/// Returns the height of the highest upward surface of a mesh at a point.
fn height(triangles: &[Triangle], at: Vec2) -> Option<f32> {
    let heights = triangles.iter().filter_map(|[a, b, c]| {
        let normal = (*b - *a).cross(*c - *a);
        let edges = [(a, b), (b, c), (c, a)];
        let inside =
            |(p, q): &(&Vec3, &Vec3)| (**q - **p).truncate().perp_dot(at - p.truncate()) >= -1e-3;
        (normal.z > 0.0 && edges.iter().all(inside))
            .then(|| a.z - (normal.x * (at.x - a.x) + normal.y * (at.y - a.y)) / normal.z)
    });
    heights.max_by(f32::total_cmp)
}

#[test]
fn the_ground_is_as_high_as_the_terrain_says_in_every_landblock() {
    let course = Course::open("holt").unwrap();
    let (world, origin) = (course.runner.world(), course.origin);
    for land in world.lands() {
        let Solid::Mesh(ground) = origin.ground(land) else { panic!("the ground is a mesh") };
        assert_eq!(ground.len(), 128);
        for step in 0..400 {
            let (x, y) = (step / 20, step % 20);
            let at = Vec2::new(x as f32 * 9.7 + 0.3, y as f32 * 9.7 + 0.4);
            let terrain = land.terrain();
            let want =
                terrain.ground(cell_index(at).unwrap(), at).unwrap().plane.height(at.x, at.y);
            let cell = land.block().cell(1);
            let there = origin.place(&Position::new(cell, at.extend(0.0)));
            let got = height(&ground, there.truncate());
            let apart = got.zip(want).map(|(got, want)| (got - want).abs());
            assert!(apart.is_some_and(|apart| apart < 0.01), "{cell} {at}: {got:?}, not {want:?}");
        }
    }
}

#[test]
fn a_room_is_seen_from_within() {
    let runner = Runner::new(samples::two_rooms().unwrap());
    let world = runner.world();
    let origin = Origin::of(world).unwrap();
    let west = world.room(CellId(0x0102_0100)).unwrap();
    let Solid::Mesh(walls) = origin.mesh(&west.structure().physics, west.space(), 1.0) else {
        panic!("walls are a mesh")
    };
    // The open wall in the east has no polygon.
    let within = origin.place(&Position::new(west.id(), Vec3::new(2.0, 2.0, 1.0)));
    for [a, b, c] in &walls {
        assert!((*b - *a).cross(*c - *a).dot(within - *a) > 0.0, "{a} {b} {c}");
    }
    let area: f32 = walls.iter().map(|[a, b, c]| (*b - *a).cross(*c - *a).length() * 0.5).sum();
    let want: f32 = west
        .structure()
        .physics
        .polygons()
        .iter()
        .map(|polygon| {
            let corners = polygon.vertices;
            let fans = corners
                .windows(2)
                .skip(1)
                .map(|pair| (pair[0] - corners[0]).cross(pair[1] - corners[0]).length());
            fans.sum::<f32>() * 0.5
        })
        .sum();
    assert!(area > 1.0 && (area - want).abs() < 0.01, "{area}, not {want}");
}

/// Returns the solids of an object with this setup, at 10, 20, 40 in its landblock.
fn solids_of(setup: u32, scale: f32, state: State) -> (Vec<Solid>, Vec3) {
    let course = Course::open("holt").unwrap();
    let builder =
        Builder::new(threshold_dat::DatFolder::open(&crate::course::data("holt")).unwrap());
    let block = BlockId(0xA9B4);
    let mut world = World::new();
    world.adopt(builder.build(PieceId::Land(block)).unwrap().unwrap().piece);
    let frame =
        Frame { origin: Vec3::new(10.0, 20.0, 40.0), rotation: Rotation::from_heading(90.0) };
    let position = Position { cell: block.cell(1), frame };
    let setup = builder.setup(threshold_dat::RecordId(setup)).unwrap();
    let kind = ObjectKind::None;
    world.insert(BodySpec { body: BodyId(0), setup, position, scale, state, kind });
    let solids = course.origin.object(world.body(BodyId(0)).unwrap());
    (solids, course.origin.place(&position))
}

#[test]
fn an_object_without_a_tree_is_its_spheres_at_its_size() {
    let (solids, at) = solids_of(0x0200_0001, 2.0, State::default());
    let ball = |height: f32| Solid::Ball(Sphere::new(at + Vec3::Z * height, 0.96));
    assert_eq!(solids, [ball(0.95), ball(2.7)]);
    for passed in [State::ETHEREAL, State::MISSILE] {
        assert_eq!(solids_of(0x0200_0001, 2.0, passed).0, [], "{passed:?}");
    }
}
