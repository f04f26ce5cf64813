//! V7: the same viewer has the same visible set, byte for byte, whatever was visible before, in whatever order pieces were
//! loaded, and with any probe.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod catalogue;
mod graph;

use threshold_dat::Source;
use threshold_forge::samples;
use threshold_land::CellId;
use threshold_testkit::{
    Random, forged, lookout_cells, random_viewer_in, room_ids, sample_source, sample_world,
    soak_factor, town_cells, world_from,
};
use threshold_view::{PortalLog, PortalWalk, ViewEvent, ViewScratch, Viewer};
use threshold_world::{Builder, Piece, World};

/// A result with every bit of it: the debug text distinguishes what equality does not.
fn bits(world: &World, scratch: &mut ViewScratch, viewer: &Viewer) -> String {
    let seen = PortalWalk::new(world).run(scratch, &mut (), viewer);
    format!("{seen:?}")
}

fn viewers(world: &World, eyes: usize) -> Vec<Viewer> {
    let cells: Vec<CellId> = room_ids(world).into_iter().chain(town_cells(world)).collect();
    viewers_in(world, &cells.repeat(eyes), Random(13))
}

fn viewers_in(world: &World, cells: &[CellId], mut random: Random) -> Vec<Viewer> {
    cells.iter().map(|cell| random_viewer_in(world, *cell, &mut random)).collect()
}

/// Worlds whose pieces were loaded in different orders.
fn worlds(builder: Builder, orders: usize) -> Vec<World> {
    let build = |piece| builder.build(piece).unwrap().unwrap().piece;
    let mut pieces: Vec<Piece> = builder.pieces().into_iter().map(build).collect();
    let mut random = Random(14);
    let mut worlds = Vec::new();
    for _ in 0..orders {
        let mut world = World::new();
        pieces.iter().for_each(|piece| world.adopt(piece.clone()));
        worlds.push(world);
        random.shuffle(&mut pieces);
    }
    worlds
}

/// Walks twice with one scratch, with a fresh one, with one that was used for other viewers, and in worlds loaded in other
/// orders.
fn check(source: impl Source + 'static, eyes: usize) {
    let worlds = worlds(Builder::new(source), 3);
    check_from(&worlds, &viewers(&worlds[0], eyes));
}

fn check_from(worlds: &[World], viewers: &[Viewer]) {
    let mut used: Vec<ViewScratch> = worlds.iter().map(|_| ViewScratch::new()).collect();
    for viewer in viewers {
        let want = bits(&worlds[0], &mut ViewScratch::new(), viewer);
        for (world, scratch) in worlds.iter().zip(&mut used) {
            assert_eq!(bits(world, scratch, viewer), want);
            assert_eq!(bits(world, scratch, viewer), want, "and again");
        }
    }
    // Backwards, so that another viewer came before.
    for viewer in viewers.iter().rev() {
        let want = bits(&worlds[1], &mut ViewScratch::new(), viewer);
        assert_eq!(bits(&worlds[2], &mut used[0], viewer), want);
    }
}

#[test]
fn the_town_looks_the_same_every_time() {
    check(sample_source("holt"), soak_factor());
}

#[test]
fn the_dungeon_looks_the_same_every_time() {
    check(sample_source("dungeon"), 3 * soak_factor());
}

#[test]
fn houses_at_borders_look_the_same_every_time() {
    check(samples::border_houses().unwrap(), soak_factor());
}

#[test]
fn made_worlds_look_the_same_every_time() {
    let (villages, deeps) = (forged::villages(), forged::deep_dungeons());
    for made in forged::builtins().iter().chain(&villages).chain(&deeps) {
        let worlds = worlds(made.builder(), 3);
        let cells = lookout_cells(&worlds[0]);
        check_from(&worlds, &viewers_in(&worlds[0], &cells, Random(made.seed)));
    }
}

#[test]
fn walls_of_slits_and_open_grids_look_the_same_every_time() {
    check(catalogue::slits(10, 8).records(), 20);
    check(catalogue::grid([5, 4, 3]).records(), 2);
}

/// One scratch for two worlds with rooms of the same ids.
#[test]
fn results_of_another_world_are_forgotten() {
    let (dungeon, chance) = (sample_world("dungeon"), world_from(samples::dungeon(60, 5).unwrap()));
    let mut used = ViewScratch::new();
    let pairs = viewers(&dungeon, 2).into_iter().zip(viewers(&chance, 3));
    for (here, there) in pairs {
        for (world, viewer) in [(&dungeon, here), (&chance, there)] {
            assert_eq!(
                bits(world, &mut used, &viewer),
                bits(world, &mut ViewScratch::new(), &viewer)
            );
        }
    }
}

#[test]
fn the_result_does_not_depend_on_the_probe() {
    let (world, mut scratch) = (sample_world("holt"), ViewScratch::new());
    for viewer in viewers(&world, 1) {
        let want = bits(&world, &mut scratch, &viewer);
        let (mut told, mut reasons) = (Vec::<ViewEvent>::new(), PortalLog::default());
        let walk = PortalWalk::new(&world);
        assert_eq!(format!("{:?}", walk.run(&mut scratch, &mut told, &viewer)), want);
        assert_eq!(format!("{:?}", walk.run(&mut scratch, &mut reasons, &viewer)), want);
        let visits = told.iter().filter(|told| matches!(told, ViewEvent::CellVisited(_))).count();
        assert_eq!(visits, scratch.visible().stats().visits, "every visit is told");
    }
}
