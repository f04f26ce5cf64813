//! Graphs that no sound world has: nothing is missed (V1), nothing is shown without a reason (V2), and every walk ends
//! (V8).

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

use graph::Graph;
use proof::{Hits, Regions, Scene};
use threshold_land::vector::Vec3;
use threshold_testkit::{Random, rules_with_stab_lists, rules_without_stab_lists, soak_factor};
use threshold_view::{Lens, ViewScratch, Viewer};

/// Returns a random viewer in a room, sometimes in the plane of a wall.
fn viewer(graph: &Graph, room: usize, random: &mut Random) -> Viewer {
    let (low, high) = (graph.rooms[room].low, graph.rooms[room].high);
    let mut eye = low;
    for axis in 0..3 {
        eye[axis] += random.between(0.01, 0.99) as f32 * (high - low)[axis];
    }
    if random.below(4) == 0 {
        let axis = random.below(3);
        eye[axis] = [low, high][random.below(2)][axis];
    }
    let mut to = || random.between(-1.0, 1.0) as f32;
    let to = Vec3::new(to(), to(), to() * 0.4);
    let lens = Lens { fov: [60.0, 110.0][random.below(2)], ..Lens::default() };
    Viewer::looking_at(graph::cell(room), eye, eye + to, lens).unwrap()
}

#[track_caller]
fn check(graph: &Graph, eyes: usize, rays: usize) -> (Hits, Regions) {
    let (mut random, mut scratch) = (Random(5), ViewScratch::new());
    let world = graph.world();
    let (mut hits, mut regions) = (Hits::default(), Regions::default());
    for number in 0..graph.rooms.len() * eyes * soak_factor() {
        let viewer = viewer(graph, number % graph.rooms.len(), &mut random);
        for rules in [rules_with_stab_lists(), rules_without_stab_lists()] {
            let scene = Scene { world: &world, rules, viewer };
            hits += scene.never_misses(&mut scratch, rays, &mut random);
            regions += scene.rarely_too_much(&mut scratch);
        }
    }
    (hits, regions)
}

#[test]
fn nothing_is_missed_and_nothing_extra_shown_in_any_graph() {
    for (name, graph) in catalogue::all() {
        println!("{name}");
        let eyes = if graph.rooms.len() > 50 { 2 } else { 20 };
        let (hits, regions) = check(&graph, eyes, 100);
        assert!(hits.reached > hits.rays && hits.refused == 0, "{hits:?}");
        assert!(regions.near * 10 < regions.all, "{regions:?}");
        assert!(regions.merged == 0 || name == "many slits", "{regions:?}");
    }
}

/// Free-standing portals in any direction, so that a ray passes several of one room.
#[test]
fn nothing_is_missed_in_random_graphs() {
    let mut random = Random(21);
    let (mut hits, mut regions) = (Hits::default(), Regions::default());
    for number in 0..500 {
        let graph = catalogue::by_chance(6, 6 + number % 60, &mut random);
        let (h, r) = check(&graph, 2, 40);
        hits += h;
        regions += r;
    }
    assert!(hits.reached * 10 > hits.rays * 11 && hits.small * 100_000 < hits.rays, "{hits:?}");
    assert!(regions.near * 20 < regions.all && regions.thin * 500 < regions.all, "{regions:?}");
}
