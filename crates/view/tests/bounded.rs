//! V8: every walk ends within its budget, has finite numbers in its result, and reports a budget that was used up.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod catalogue;
mod graph;
mod proof;
mod rays;

use graph::{Graph, across};
use proof::{Scene, check_sound};
use threshold_forge::samples;
use threshold_land::vector::Vec3;
use threshold_testkit::{
    Random, random_viewer_in, room_ids, rules_with_stab_lists, rules_without_stab_lists,
    soak_factor, viewer_at, world_from,
};
use threshold_view::{Lens, PortalLog, PortalWalk, ViewScratch, Viewer};
use threshold_world::World;

/// Walks from random viewers, checks every result and casts a few rays. Returns the greatest number of visible cells.
#[track_caller]
fn check(world: &World, eyes: usize) -> usize {
    let (mut random, mut scratch) = (Random(8), ViewScratch::new());
    let rooms = room_ids(world);
    let mut most = 0;
    for _ in 0..eyes * soak_factor() {
        let cell = rooms[random.below(rooms.len())];
        let viewer = random_viewer_in(world, cell, &mut random);
        for rules in [rules_with_stab_lists(), rules_without_stab_lists()] {
            let scene = Scene { world, rules, viewer };
            scene.never_misses(&mut scratch, 50, &mut random);
            most = most.max(scratch.visible().cells().len());
        }
    }
    most
}

#[test]
fn a_thousand_cells_with_open_walls_end_within_the_budget() {
    assert!(check(&catalogue::grid([10, 10, 10]).world(), 30) > 500);
    assert!(check(&catalogue::grid([32, 32, 1]).world(), 30) > 400);
    assert!(check(&catalogue::grid([1000, 1, 1]).world(), 30) > 100);
}

#[test]
fn a_thousand_random_rooms_end_within_the_budget() {
    for seed in [1, 2] {
        assert!(check(&world_from(samples::dungeon(1000, seed).unwrap()), 100) > 8);
    }
}

/// Eyes in corners and in planes of walls, with extreme lenses.
#[test]
fn no_lens_and_no_eye_makes_numbers_that_are_not_finite() {
    let mut scratch = ViewScratch::new();
    let lenses = [
        Lens { fov: 179.0, aspect: 100.0, near: 0.0 },
        Lens { fov: 0.1, aspect: 0.01, near: 1000.0 },
        Lens { fov: 178.0, aspect: 1.0, near: 5.0 },
        Lens::default(),
    ];
    for (name, graph) in catalogue::all() {
        let world = graph.world();
        for (number, room) in graph.rooms.iter().enumerate().take(12) {
            let middle = (room.low + room.high) / 2.0;
            for (lens, eye) in lenses.iter().flat_map(|lens| {
                [room.low, room.high, middle, middle.with_x(room.high.x)].map(|eye| (lens, eye))
            }) {
                for to in
                    [Vec3::X, -Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_Z, Vec3::new(1.0, 1e-6, 0.0)]
                {
                    let viewer = Viewer::looking_at(graph::cell(number), eye, eye + to, *lens);
                    let viewer = viewer.unwrap();
                    println!("{name} {viewer:?}");
                    for rules in [rules_with_stab_lists(), rules_without_stab_lists()] {
                        let walk = PortalWalk { world: &world, rules };
                        check_sound(walk.run(&mut scratch, &mut (), &viewer));
                    }
                }
            }
        }
    }
}

/// A room with sixteen windows at different distances. The same long row of rooms shows through each of them, one after the
/// other: every window makes the walk visit the whole row again.
fn laborious(windows: usize, floors: usize) -> Graph {
    let mut graph = Graph::new();
    let room = graph.room([0.0, -40.0, -60.0], [60.0, 40.0, 2.0]);
    let passages: Vec<usize> =
        (0..windows).map(|_| graph.room([0.0, -40.0, -60.0], [60.0, 40.0, 2.0])).collect();
    let landing = graph.room([0.0, -40.0, -60.0], [60.0, 40.0, 2.0]);
    for (number, passage) in passages.into_iter().enumerate() {
        let x = 4.0 + number as f32;
        // Side by side on the screen.
        let (from, to) = ((number as f32 / 16.0 - 0.5) * x, (number as f32 / 16.0 - 0.45) * x);
        let (low, high) = (-0.045 * x, -0.025 * x);
        graph.join(room, passage, across(0, x, [from, low], [to, high]));
        graph.join(passage, landing, across(0, x + 0.1, [from, low], [to, high]));
    }
    let mut above = landing;
    for number in 0..floors {
        let below = graph.room([0.0, -40.0, -60.0], [60.0, 40.0, 2.0]);
        let hatch =
            graph::turned(&across(2, -1.0 - number as f32 * 0.002, [0.5, -30.0], [60.0, 30.0]));
        graph.join(above, below, hatch);
        above = below;
    }
    graph
}

#[test]
fn a_budget_that_is_used_up_is_reported() {
    let graph = laborious(16, 120);
    let world = graph.world();
    let viewer = viewer_at(graph::cell(0), [0.1, 0.0, 0.0], [1.0, 0.0, -0.03]);
    let (mut scratch, mut reasons) = (ViewScratch::new(), PortalLog::default());
    let seen = PortalWalk::new(&world).run(&mut scratch, &mut reasons, &viewer);
    check_sound(seen);
    assert!(seen.budget_hit() && !reasons.unvisited_rooms().is_empty(), "{:?}", seen.stats());
    assert_eq!(seen.stats().visits, 8 * graph.rooms.len());
    for cell in reasons.unvisited_rooms() {
        assert!(seen.cell(*cell).is_some(), "{cell} was seen and not looked through");
    }
    // Half the number of windows stays within the budget.
    let world = laborious(6, 120).world();
    let mut reasons = PortalLog::default();
    let seen = PortalWalk::new(&world).run(&mut scratch, &mut reasons, &viewer);
    assert!(!seen.budget_hit() && reasons.unvisited_rooms().is_empty(), "{:?}", seen.stats());
    assert!(seen.stats().visits > 5 * 120, "{:?}", seen.stats());
}

#[test]
fn walls_of_slits_are_merged_into_sixteen_regions() {
    let world = catalogue::slits(10, 8).world();
    let viewer = viewer_at(graph::cell(0), [0.5, 4.0, 1.5], [8.0, 4.0, 1.5]);
    let mut scratch = ViewScratch::new();
    let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
    check_sound(seen);
    let second = seen.cell(graph::cell(1)).unwrap();
    assert_eq!(second.regions().len(), 16);
    let openings: usize = second.regions().map(|region| region.entries().count()).sum();
    assert!(openings > 16, "{openings}");
    assert!(seen.stats().merges >= openings - 16, "{:?}", seen.stats());
    // Every portal on the screen is an entry of one region, once.
    let mut all: Vec<u16> =
        second.regions().flat_map(|region| region.entries()).map(|via| via.portal).collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), openings);
    for (number, portal) in world.room(graph::cell(0)).unwrap().portals().iter().enumerate() {
        let corners = world.room(graph::cell(0)).unwrap().portal_polygon(portal).vertices;
        let middle = corners.iter().sum::<Vec3>() / corners.len() as f32;
        let on_screen = viewer.project(middle.as_dvec3()).filter(|at| at.abs().max_element() < 1.0);
        let Some(at) = on_screen else { continue };
        let shows = second.regions().any(|region| {
            region.contains(at) && region.entries().any(|via| usize::from(via.portal) == number)
        });
        assert!(shows, "slit {number} at {at}");
    }
}

/// A room with windows at different distances, side by side on the screen, all into one hall. Behind each window is a
/// closet of the hall, and an exit; both show in that window whole.
fn windows_one_after_the_other(count: usize) -> Graph {
    let mut graph = Graph::new();
    let [room, hall] = [0, 1].map(|_| graph.room([0.0, -40.0, -40.0], [60.0, 40.0, 40.0]));
    for number in 0..count {
        let [passage, closet] = [0, 1].map(|_| graph.room([0.0, -40.0, -40.0], [60.0, 40.0, 40.0]));
        let left = number as f32 * 0.05 - 0.45;
        let window = |x: f32, rim: f32| {
            let (from, to) = ([left + rim, rim - 0.02], [left + 0.04 - rim, 0.02 - rim]);
            across(0, x, from.map(|at| at * x), to.map(|at| at * x))
        };
        let x = 4.0 + number as f32;
        graph.join(room, passage, window(x, 0.0)).join(passage, hall, window(x + 0.1, 0.0));
        graph.join(hall, closet, window(x + 0.2, 0.01)).exit(hall, window(x + 0.3, 0.01));
    }
    graph
}

/// The hall is visited once for each window. With the seventeenth window two of its regions are merged, and what showed in
/// one of them shows in the merged region.
#[test]
fn what_shows_through_a_merged_region_is_listed_after_it() {
    let mut scratch = ViewScratch::new();
    let viewer = viewer_at(graph::cell(0), [0.0; 3], [1.0, 0.0, 0.0]);
    for (count, merged) in [(16, 0), (17, 1), (18, 2)] {
        let graph = windows_one_after_the_other(count);
        let world = graph.world();
        let scene = Scene { world: &world, rules: rules_with_stab_lists(), viewer };
        scene.never_misses(&mut scratch, 2000, &mut Random(9));
        let seen = scratch.visible();
        assert_eq!((seen.cells().len(), seen.stats().merges), (graph.rooms.len(), merged));
        assert_eq!(seen.landscape().len(), count);
        for closet in (0..count).map(|number| graph::cell(3 + 2 * number)) {
            assert_eq!(seen.cell(closet).unwrap().regions().len(), 1, "{closet}");
        }
    }
}

/// A round window is limited to sixteen sides and still shows everything.
#[test]
fn a_region_of_too_many_sides_grows_a_little() {
    let world = catalogue::round().world();
    let viewer = viewer_at(graph::cell(0), [0.5, 2.0, 2.0], [8.0, 2.0, 2.0]);
    let mut scratch = ViewScratch::new();
    let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
    check_sound(seen);
    let room = world.room(graph::cell(0)).unwrap();
    let corners = room.portal_polygon(&room.portals()[0]).vertices;
    let corners = corners.iter().map(|at| viewer.project(room.to_block(*at).as_dvec3()).unwrap());
    let corners: Vec<_> = corners.collect();
    let next = corners.iter().cycle().skip(1);
    let share = corners.iter().zip(next).map(|(a, b)| a.perp_dot(*b)).sum::<f64>().abs() / 8.0;
    let region = seen.cell(graph::cell(1)).unwrap().regions().next().unwrap();
    assert_eq!(region.corners().len(), 16);
    assert!(corners.iter().all(|at| region.planes().iter().all(|p| p.dot(at.extend(1.0)) > -1e-9)));
    assert!(
        region.coverage() > share && region.coverage() < 1.03 * share,
        "{} {share}",
        region.coverage()
    );
}
