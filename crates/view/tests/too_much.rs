//! V2: a ray reaches every region through the entry portal of the region.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod proof;
mod rays;

use proof::{Regions, Scene};
use threshold_forge::samples;
use threshold_land::CellId;
use threshold_testkit::{
    Random,
    forged::{self, ForgedWorld},
    lookout_cells, random_viewer_in, room_ids, rules_with_stab_lists, sample_world, soak_factor,
    town_cells, world_from,
};
use threshold_view::ViewScratch;
use threshold_world::World;

#[track_caller]
fn check(world: &World, cells: &[CellId], eyes: usize) -> Regions {
    check_by(Random(12), world, &cells.repeat(eyes * soak_factor()))
}

/// Checks one random viewer in each cell.
#[track_caller]
fn check_by(mut random: Random, world: &World, cells: &[CellId]) -> Regions {
    let (mut scratch, mut regions) = (ViewScratch::new(), Regions::default());
    for cell in cells {
        let viewer = random_viewer_in(world, *cell, &mut random);
        let scene = Scene { world, rules: rules_with_stab_lists(), viewer };
        regions += scene.rarely_too_much(&mut scratch);
    }
    assert!(regions.near * 20 < regions.all, "{regions:?}");
    assert!(regions.thin * 1000 <= regions.all, "{regions:?}");
    regions
}

#[test]
fn a_ray_reaches_every_region_in_the_dungeon() {
    let world = sample_world("dungeon");
    let regions = check(&world, &room_ids(&world), 10);
    assert!(regions.all > 2000 && regions.merged == 0, "{regions:?}");
}

#[test]
fn a_ray_reaches_every_region_in_the_rooms_of_the_town() {
    let world = sample_world("holt");
    let regions = check(&world, &room_ids(&world), 10);
    assert!(regions.all > 2500 && regions.merged == 0, "{regions:?}");
}

#[test]
fn a_ray_reaches_every_region_from_the_streets_of_the_town() {
    let world = sample_world("holt");
    let regions = check(&world, &town_cells(&world), 4);
    assert!(regions.all > 4000 && regions.merged == 0, "{regions:?}");
}

#[test]
fn a_ray_reaches_every_region_among_houses_at_borders() {
    let world = world_from(samples::border_houses().unwrap());
    check(&world, &room_ids(&world), 40);
    check(&world, &town_cells(&world), 4);
}

#[track_caller]
fn check_made(made: &ForgedWorld) {
    let world = made.world();
    let cells = lookout_cells(&world).repeat(2);
    let regions = check_by(Random(made.seed), &world, &cells);
    assert!(regions.all > cells.len() && regions.merged == 0, "{}: {regions:?}", made.name);
}

#[test]
fn a_ray_reaches_every_region_in_the_built_in_world() {
    forged::builtins().iter().for_each(check_made);
}

#[test]
fn a_ray_reaches_every_region_in_random_villages_and_deep_dungeons() {
    forged::villages().iter().chain(&forged::deep_dungeons()).for_each(check_made);
}
