//! V1: nothing that a ray reaches is missing. 10^6 rays in the samples and half as many in made worlds; with
//! `THRESHOLD_SOAK` set, ten times as many, and in more worlds.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod proof;
mod rays;

use proof::{Hits, Regions, Scene};
use threshold_forge::samples;
use threshold_land::CellId;
use threshold_testkit::{
    Random, every_third_room,
    forged::{self, ForgedWorld},
    lookout_cells, random_viewer_in, room_ids, rules_with_stab_lists, rules_without_stab_lists,
    sample_world, soak_factor, town_cells, viewers_at_portals, world_from,
};
use threshold_view::ViewScratch;
use threshold_world::World;

/// Casts rays from random viewers in each cell, with the stab lists and without them.
#[track_caller]
fn check(world: &World, cells: &[CellId], eyes: usize, rays: usize) -> Hits {
    check_by(Random(11), world, &cells.repeat(eyes * soak_factor()), rays)
}

/// The same from one random viewer in each cell.
#[track_caller]
fn check_by(mut random: Random, world: &World, cells: &[CellId], rays: usize) -> Hits {
    let (mut scratch, mut hits) = (ViewScratch::new(), Hits::default());
    for cell in cells {
        let viewer = random_viewer_in(world, *cell, &mut random);
        for rules in [rules_with_stab_lists(), rules_without_stab_lists()] {
            let scene = Scene { world, rules, viewer };
            hits += scene.never_misses(&mut scratch, rays, &mut random);
        }
    }
    // Where rooms do not overlap, a ray reaches a room through one portal. The region of another portal contains that ray
    // only if the eye is so near to that portal that its region is the whole screen.
    assert!(
        (hits.reached - hits.same - hits.small - hits.refused) * 1000 <= hits.reached,
        "{hits:?}"
    );
    assert!(hits.reached > hits.rays && hits.small * 1000 < hits.reached, "{hits:?}");
    hits
}

/// The same with complete stab lists.
#[track_caller]
fn check_complete(world: &World, cells: &[CellId], eyes: usize, rays: usize) -> Hits {
    let hits = check(world, cells, eyes, rays);
    assert_eq!(hits.refused, 0, "{hits:?}");
    hits
}

/// A few stab lists lack a room: that of 0x0130 lacks 0x0107, which shows through eight doors in a row.
#[test]
fn nothing_is_missed_from_the_rooms_of_the_dungeon() {
    let world = sample_world("dungeon");
    let hits = check(&world, &room_ids(&world), 18, 100);
    assert!(hits.rays >= 290_000 && hits.refused < 100 * soak_factor(), "{hits:?}");
}

#[test]
fn nothing_is_missed_from_the_rooms_of_the_town() {
    let world = sample_world("holt");
    let hits = check_complete(&world, &room_ids(&world), 12, 100);
    assert!(hits.rays >= 300_000, "{hits:?}");
}

#[test]
fn nothing_is_missed_from_the_streets_of_the_town() {
    let world = sample_world("holt");
    let hits = check_complete(&world, &town_cells(&world), 8, 100);
    assert!(hits.rays >= 300_000, "{hits:?}");
}

#[test]
fn nothing_is_missed_among_houses_at_borders() {
    let world = world_from(samples::border_houses().unwrap());
    check_complete(&world, &room_ids(&world), 20, 60);
    check_complete(&world, &town_cells(&world), 2, 60);
}

#[test]
fn nothing_is_missed_in_random_dungeons() {
    for seed in 0..4 {
        let world = world_from(samples::dungeon(60, seed).unwrap());
        check_complete(&world, &room_ids(&world), 2, 60);
    }
}

/// The stab lists of made worlds are complete, and no walk in them uses up its budget.
#[track_caller]
fn check_made(made: &ForgedWorld, rays: usize) {
    let world = made.world();
    let hits = check_by(Random(made.seed), &world, &lookout_cells(&world), rays);
    assert_eq!(hits.refused, 0, "{}: {hits:?}", made.name);
}

#[test]
fn nothing_is_missed_in_the_built_in_world() {
    forged::builtins().iter().for_each(|made| check_made(made, 120));
}

#[test]
fn nothing_is_missed_in_random_villages_and_deep_dungeons() {
    forged::villages()
        .iter()
        .chain(&forged::deep_dungeons())
        .for_each(|made| check_made(made, 120));
}

/// A portal at the eye is passed whole: whatever a ray reaches is still visible, and everything else that shows has that
/// reason.
#[track_caller]
fn check_openings(world: &World, mut random: Random, rooms: &[CellId]) -> Hits {
    let mut scratch = ViewScratch::new();
    let (mut hits, mut regions) = (Hits::default(), Regions::default());
    for cell in rooms {
        for viewer in viewers_at_portals(world, world.room(*cell).unwrap(), &mut random) {
            let scene = Scene { world, rules: rules_without_stab_lists(), viewer };
            hits += scene.never_misses(&mut scratch, 40, &mut random);
            regions += scene.rarely_too_much(&mut scratch);
        }
    }
    assert!(hits.reached * 5 > hits.rays * 6, "{hits:?}");
    assert!(regions.near > 30 && regions.near * 4 < regions.all, "{regions:?}");
    hits
}

#[test]
fn nothing_is_missed_at_a_portal() {
    for name in ["dungeon", "holt"] {
        let world = sample_world(name);
        let rooms = room_ids(&world).repeat(soak_factor());
        let hits = check_openings(&world, Random(17), &rooms);
        assert!(hits.rays > 40_000, "{hits:?}");
    }
}

#[test]
fn nothing_is_missed_at_a_portal_of_a_made_world() {
    let (villages, deeps) = (forged::villages(), forged::deep_dungeons());
    for made in forged::builtins().iter().chain(&villages).chain(&deeps) {
        let world = made.world();
        check_openings(&world, Random(made.seed), &every_third_room(&world, made.seed));
    }
}
