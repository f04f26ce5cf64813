//! Tests of the reference: rays whose paths are known.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod graph;
mod rays;

use graph::{Graph, across};
use rays::{MARGIN, Rays};
use threshold_forge::samples;
use threshold_forge::{Face, Forge, Opening, Plan, RoomSpec};
use threshold_land::vector::{DVec2, Vec3};
use threshold_land::{CellId, Frame};
use threshold_testkit::{viewer_at, world_from};
use threshold_view::Viewer;
use threshold_world::World;

/// Checks the places that the ray in the middle of the screen reaches: rooms by the low word of the id, 0 for the
/// landscape, each with the low word of the room and the number of the portal it was entered through.
#[track_caller]
fn check(
    world: &World,
    eye: (u32, [f32; 3]),
    look: [f32; 3],
    want: &[(u32, Option<(u32, usize)>)],
) {
    let viewer = viewer_at(CellId(eye.0), eye.1, look);
    let reached = Rays::new(world, &viewer, MARGIN).cast(DVec2::ZERO);
    let low = |cell: CellId| u32::from(cell.low());
    let reached = reached.iter().map(|it| {
        (it.cell.map_or(0, low), it.through.map(|through| (low(through.cell), through.portal)))
    });
    assert_eq!(reached.collect::<Vec<_>>(), want, "from {eye:?} to {look:?}");
}

#[test]
fn a_ray_in_two_rooms() {
    let world = world_from(samples::two_rooms().unwrap());
    let (west, east) = ((0x0102_0100, [1.0, 2.0, 1.5]), (0x0102_0101, [7.0, 2.0, 1.5]));
    let (there, back) = (Some((0x0100, 0)), Some((0x0101, 0)));
    check(&world, west, [8.0, 2.0, 1.5], &[(0x0100, None), (0x0101, there)]);
    check(&world, west, [0.0, 2.0, 1.5], &[(0x0100, None)]);
    check(&world, west, [1.0, 8.0, 1.5], &[(0x0100, None)]);
    check(&world, east, [0.0, 2.0, 1.5], &[(0x0101, None), (0x0100, back)]);
    // The portal is 4 m wide and 3 m high: rays just inside and just outside of its corner.
    check(&world, west, [4.0, 3.999, 2.999], &[(0x0100, None), (0x0101, there)]);
    check(&world, west, [4.0, 4.001, 2.999], &[(0x0100, None)]);
    check(&world, west, [4.0, 3.999, 3.001], &[(0x0100, None)]);
    // From behind it there is no way through.
    check(&world, (0x0102_0100, [5.0, 2.0, 1.5]), [8.0, 2.0, 1.5], &[(0x0100, None)]);
}

#[test]
fn a_ray_through_a_house_and_out() {
    let world = world_from(samples::house_on_a_hill().unwrap());
    let z = 61.5;
    // From the kitchen through the hall and the door in the south.
    let kitchen = (0xA9B4_0101, [84.0, 86.0, z]);
    let ways = [(0x0101, None), (0x0100, Some((0x0101, 0))), (0, Some((0x0100, 0)))];
    check(&world, kitchen, [84.0, 70.0, z], &ways);
    // And in by the door, up to the kitchen, from the hill.
    let hill = (0xA9B4_001C, [84.0, 70.0, z]);
    let ways = [(0, None), (0x0100, Some((0x0100, 0))), (0x0101, Some((0x0100, 1)))];
    check(&world, hill, [84.0, 86.0, z], &ways);
    // In by the window in the east, and nowhere else.
    let east = (0xA9B4_0024, [100.0, 86.0, z]);
    check(&world, east, [84.0, 86.0, z], &[(0, None), (0x0101, Some((0x0101, 2)))]);
    check(&world, hill, [120.0, 70.0, z], &[(0, None)]);
}

/// Houses of one room with doors in the south and the north, in a row.
fn street(houses: usize) -> World {
    let mut forge = Forge::new();
    let block = forge.block(samples::TOWN);
    for number in 0..houses {
        let mut plan = Plan::new();
        let room = plan.room(RoomSpec::cuboid([-3.0, -3.0, 0.0], [3.0, 3.0, 3.0]));
        plan.exit(room, Opening::door(Face::SOUTH)).exit(room, Opening::door(Face::NORTH));
        block.building(Frame::at(Vec3::new(84.0, 12.0 + 24.0 * number as f32, 0.1)), plan);
    }
    world_from(forge.finish().unwrap())
}

/// A ray enters every door that it meets, walls or not, and passes three houses in a row.
#[test]
fn a_ray_through_houses_one_behind_the_other() {
    let (world, start) = (street(3), (0xA9B4_0100, [84.0, 12.0, 1.6]));
    let (first, second) = ((0x0101, Some((0x0101, 0))), (0, Some((0x0101, 1))));
    let (third, fourth) = ((0x0102, Some((0x0102, 0))), (0, Some((0x0102, 1))));
    let ways =
        [(0x0100, None), (0, Some((0x0100, 1))), first, second, third, fourth, third, fourth];
    check(&world, start, [84.0, 60.0, 1.6], &ways);
    check(&world, start, [100.0, 60.0, 1.6], &[(0x0100, None)]);
    // To the south there is no house.
    check(&world, start, [84.0, 0.0, 1.6], &[(0x0100, None), (0, Some((0x0100, 0)))]);
}

/// Portals that coincide, and one that leads into its own room, do not stop a ray.
#[test]
fn a_ray_ends_among_mirrors() {
    let mut graph = Graph::new();
    let room = graph.room([0.0, 0.0, 0.0], [4.0, 4.0, 3.0]);
    let other = graph.room([4.0, 0.0, 0.0], [8.0, 4.0, 3.0]);
    let door = across(0, 4.0, [1.0, 0.0], [3.0, 2.3]);
    graph.join(room, room, door.clone()).join(room, other, door);
    let world = graph.world();
    let itself = Some((0x0100, 0));
    let there = Some((0x0100, 2));
    let ways = [(0x0100, None), (0x0100, itself), (0x0101, there)];
    check(&world, (0x0102_0100, [1.0, 2.0, 1.0]), [8.0, 2.0, 1.0], &ways);
}

/// Checks the solid angle left around a ray on a screen of 90 degrees: all of it, or that of a portal.
#[test]
fn the_solid_angle_that_portals_leave_is_measured() {
    let world = world_from(samples::two_rooms().unwrap());
    let lens = threshold_view::Lens { fov: 90.0, aspect: 1.0, ..Default::default() };
    // The distance of the portal is half its width.
    let eye = Vec3::new(2.0, 2.0, 1.5);
    let viewer = Viewer::looking_at(CellId(0x0102_0100), eye, eye + Vec3::X, lens).unwrap();
    let rays = Rays::new(&world, &viewer, MARGIN);
    let reached = rays.cast(DVec2::ZERO);
    let sixth = 4.0 * std::f64::consts::PI / 6.0;
    let left = rays.room_left(DVec2::ZERO, &reached, 0);
    assert!((left - sixth).abs() < 1e-9, "a face of a cube: {left}");
    // 4 m by 3 m at 2 m.
    let left = rays.room_left(DVec2::ZERO, &reached, 1);
    let (a, b, d) = (2.0_f64, 1.5_f64, 2.0_f64);
    let want = 4.0 * libm::asin(a * b / ((a * a + d * d) * (b * b + d * d)).sqrt());
    assert!((left - want).abs() < 1e-6, "{left} instead of {want}");
}
