//! Towns of buildings that are open on all sides.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

use threshold_forge::{Face, Forge, Opening, Plan, RoomSpec, samples};
use threshold_land::vector::Vec3;
use threshold_land::{CELL_LENGTH, CellId, Frame};
use threshold_testkit::{viewer_at, world_from};
use threshold_view::{PortalWalk, ViewScratch, VisibleSet};
use threshold_world::World;

/// A pavilion in each land cell, with a wide door in each of its four walls.
fn pavilions() -> World {
    let mut forge = Forge::new();
    let block = forge.block(samples::TOWN);
    block.heights(|_, _| 20);
    for (column, row) in (0..8_u8).flat_map(|x| (0..8_u8).map(move |y| (x, y))) {
        let mut plan = Plan::new();
        let room = plan.room(RoomSpec::cuboid([-5.0, -5.0, 0.0], [5.0, 5.0, 3.0]));
        for face in [Face::SOUTH, Face::EAST, Face::NORTH, Face::WEST] {
            plan.exit(room, Opening::door(face).size(8.0, 2.8));
        }
        let middle = |number: u8| (f32::from(number) + 0.5) * CELL_LENGTH;
        block.building(Frame::at(Vec3::new(middle(column), middle(row), 40.15)), plan);
    }
    world_from(forge.finish().unwrap())
}

#[track_caller]
fn check(world: &World, cell: u32, eye: [f32; 3], look: [f32; 3], least: usize) {
    let viewer = viewer_at(CellId(cell), eye, look);
    let mut scratch = ViewScratch::new();
    let seen: &VisibleSet = PortalWalk::new(world).run(&mut scratch, &mut (), &viewer);
    let stats = seen.stats();
    let (rooms, outside) = (seen.cells().len(), seen.landscape().len());
    assert!(rooms >= least && outside > rooms, "{rooms} rooms, {outside} regions outdoors");
    // Each portal on the screen for each region of the viewer's own cell, and then the four of each room.
    assert!(stats.portals <= 8 * stats.building_portals + 64, "{stats:?}");
}

#[test]
fn a_town_of_open_buildings_costs_its_portals_and_not_their_square() {
    let world = pavilions();
    check(&world, 0xA9B4_0001, [2.0, 2.0, 41.8], [200.0, 190.0, 41.5], 64);
    // From the pavilion in the corner, through two of its doors; the post between them hides a few buildings.
    check(&world, 0xA9B4_0100, [9.0, 9.0, 41.8], [200.0, 190.0, 41.5], 50);
}
