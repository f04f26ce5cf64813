//! V3: every pixel of an image shows what a ray through that pixel reaches.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod studio;

use std::sync::Arc;
use threshold_testkit::{
    Random, random_viewer_in, room_ids, soak_factor, town_cells, viewers_at_portals,
};

use studio::compare::{self, Subject, Tally};
use studio::slow::Slow;
use studio::{Studio, boxes};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, adjust_to_outside, block_offset_between};
use threshold_view::{Lens, Viewer};
use threshold_world::{Portal, PortalSide, Room, World};

const SIZE: [u32; 2] = [96, 64];
/// Distance in metres by which a swept eye may be behind a portal.
const LAG: f64 = 0.02;

/// Compares one random viewer in each cell.
#[track_caller]
fn check(studio: &mut Studio, name: &str, cells: &[CellId]) -> Tally {
    let slow = Slow::new(&studio.world, &*studio.source);
    let (mut random, mut tally) = (Random(3), Tally::default());
    for (number, cell) in cells.iter().enumerate() {
        let viewer = random_viewer_in(&studio.world, *cell, &mut random);
        let name = &format!("{name} {number}");
        let subject = Subject { name, size: SIZE, lag: compare::SLIVER };
        tally += compare::check(studio, &slow, &viewer, subject);
    }
    println!("{name}: {tally:?}");
    assert!(tally.lags * 50_000 < tally.pixels, "{tally:?}");
    assert!(tally.edges * 500 < tally.pixels && tally.unknown * 3 < tally.pixels, "{tally:?}");
    tally
}

/// Returns every `step`th cell; with `THRESHOLD_SOAK` set, ten times as many.
fn every(cells: Vec<CellId>, step: usize) -> Vec<CellId> {
    let step = (step / soak_factor()).max(1);
    cells.into_iter().step_by(step).collect()
}

#[test]
fn images_of_the_dungeon_show_what_rays_reach() {
    let mut studio = Studio::fixture("dungeon");
    let cells = room_ids(&studio.world);
    let tally = check(&mut studio, "dungeon", &cells);
    assert_eq!(tally.landscape, 0, "{tally:?}");
}

#[test]
fn images_of_the_town_show_what_rays_reach() {
    let mut studio = Studio::fixture("holt");
    let rooms = room_ids(&studio.world);
    let inside = check(&mut studio, "holt inside", &every(rooms, 2));
    assert!(inside.landscape > 1000, "{inside:?}");
    let streets = town_cells(&studio.world);
    let outside = check(&mut studio, "holt streets", &every(streets, 8));
    assert!(outside.landscape < outside.pixels, "some rooms are seen: {outside:?}");
}

#[test]
fn images_of_the_built_in_world_show_what_rays_reach() {
    let mut studio = Studio::builtin(1);
    let rooms = room_ids(&studio.world);
    let inside = check(&mut studio, "built-in inside", &every(rooms, 3));
    assert!(inside.landscape > 1000, "{inside:?}");
    let streets = town_cells(&studio.world);
    let outside = check(&mut studio, "built-in streets", &every(streets, 16));
    assert!(outside.landscape < outside.pixels, "some rooms are seen: {outside:?}");
}

/// Viewers just in front of, in and behind portals. These are passed whole, so that no wall nearer than the near plane
/// leaves a hole. A swept eye may be a little behind its portal, where no ray meets the walls of its cell: the image is
/// then that of an eye within the distance that the cell may lag.
#[test]
fn images_from_portals_show_what_rays_reach() {
    let mut studio = Studio::fixture("holt");
    let slow = Slow::new(&studio.world, &*studio.source);
    let (mut random, mut tally) = (Random(8), Tally::default());
    for cell in every(room_ids(&studio.world), 12) {
        let room = studio.world.room(cell).unwrap();
        let viewers = viewers_at_portals(&studio.world, room, &mut random);
        for (number, viewer) in viewers.iter().enumerate() {
            let name = &format!("opening {number} of {cell}");
            let subject = Subject { name, size: SIZE, lag: LAG };
            tally += compare::check(&mut studio, &slow, viewer, subject);
        }
    }
    println!("openings: {tally:?}");
    assert!(tally.lags * 2000 < tally.pixels && tally.edges * 500 < tally.pixels, "{tally:?}");
}

/// Rooms that overlap in space: portals decide what shows, not positions.
#[test]
fn images_of_overlapping_rooms_show_what_rays_reach() {
    for (name, boxes) in [
        ("larger inside", boxes::larger_inside()),
        ("one place", boxes::one_place()),
        ("board before an opening", boxes::board_before_an_opening()),
    ] {
        let mut studio = Studio::new(Arc::new(boxes.records()), 1);
        let cells = boxes.cells().repeat(8 * soak_factor());
        let tally = check(&mut studio, name, &cells);
        assert_eq!(tally.landscape, 0, "{tally:?}");
    }
}

/// Returns viewers 7 m outside or 1 m inside of each exit that look at its middle.
fn visitors(world: &World) -> Vec<Viewer> {
    let rooms = room_ids(world).into_iter().map(|cell| world.room(cell).unwrap());
    let exits = rooms.flat_map(|room| room.portals().iter().map(move |portal| (room, portal)));
    let exits = exits.filter(|(_, portal)| portal.other.is_none());
    let look = |(room, portal): (&Room, &Portal)| {
        let corners = room.portal_polygon(portal).vertices;
        let middle = room.to_block(corners.iter().sum::<Vec3>() / corners.len() as f32);
        let normal = room.space().rows.to_global(portal.plane.normal);
        let outward = if portal.side == PortalSide::Front { normal } else { -normal };
        let (far, near) = (middle + outward * 7.0 + Vec3::Z * 0.4, middle - outward);
        let outside = adjust_to_outside(room.id(), far);
        let outside = outside.filter(|(cell, _)| world.is_resident(*cell));
        let inside = room.contains(near).then_some((room.id(), near));
        let outside =
            outside.map(|(cell, eye)| (cell, eye, middle + block_offset_between(cell, room.id())));
        let inside = inside.map(|(cell, eye)| (cell, eye, middle));
        let viewers = outside.into_iter().chain(inside).map(|(cell, eye, look)| {
            Viewer::looking_at(cell, eye, look, Lens { aspect: 1.5, ..Lens::default() }).unwrap()
        });
        viewers.collect::<Vec<_>>()
    };
    exits.flat_map(look).collect()
}

/// Compares one visitor of `step`: some houses show through other houses.
#[track_caller]
fn check_visitors(studio: &mut Studio, name: &str, step: usize) {
    let slow = Slow::new(&studio.world, &*studio.source);
    let step = (step / soak_factor()).max(1);
    let mut tally = Tally::default();
    for (number, viewer) in visitors(&studio.world).iter().enumerate().step_by(step) {
        let name = &format!("{name} door {number}");
        let subject = Subject { name, size: SIZE, lag: compare::SLIVER };
        tally += compare::check(studio, &slow, viewer, subject);
    }
    println!("{name} doors: {tally:?}");
    assert!(tally.lags * 50_000 < tally.pixels, "{tally:?}");
    assert!(tally.edges * 500 < tally.pixels && tally.unknown * 3 < tally.pixels, "{tally:?}");
    assert!(tally.landscape * 20 < tally.pixels * 19, "rooms are seen: {tally:?}");
}

#[test]
fn images_into_houses_of_the_town_and_out_of_them_show_what_rays_reach() {
    check_visitors(&mut Studio::fixture("holt"), "holt", 3);
}

#[test]
fn images_into_houses_of_the_built_in_world_and_out_of_them_show_what_rays_reach() {
    check_visitors(&mut Studio::builtin(1), "built-in", 5);
}
