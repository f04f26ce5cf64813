//! A portal walk and its draw list allocate nothing once their buffers have grown: in rooms, in the street, in the built-in
//! world, and where regions are merged.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod catalogue;
mod graph;

use peak_alloc::PeakAlloc;
use threshold_land::CellId;
use threshold_testkit::{
    Random, forged, lookout_cells, random_viewer_in, room_ids, rules_with_stab_lists,
    rules_without_stab_lists, sample_world, town_cells, viewer_at,
};
use threshold_view::{DrawList, DrawSettings, PortalWalk, ViewScratch, Viewer};
use threshold_world::World;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Returns a number of random viewers in each cell.
fn viewers(world: &World, cells: &[CellId], eyes: usize) -> Vec<Viewer> {
    let mut random = Random(3);
    let cells = cells.iter().cycle().take(cells.len() * eyes);
    cells.map(|cell| random_viewer_in(world, *cell, &mut random)).collect()
}

/// Walks from all viewers twice; the second time nothing may be allocated.
#[track_caller]
fn check(world: &World, viewers: &[Viewer]) -> usize {
    check_grown(world, viewers, 1)
}

/// Walks from all viewers this number of times; then nothing may be allocated.
#[track_caller]
fn check_grown(world: &World, viewers: &[Viewer], times: usize) -> usize {
    let (mut scratch, mut list) = (ViewScratch::new(), DrawList::new());
    let mut look = || {
        let mut merged = 0;
        for viewer in viewers {
            for rules in [rules_with_stab_lists(), rules_without_stab_lists()] {
                let seen = PortalWalk { world, rules }.run(&mut scratch, &mut (), viewer);
                list.build(world, viewer, seen, &DrawSettings::new(viewer, [200, 100]));
                merged += seen.stats().merges;
            }
        }
        merged
    };
    let first = (0..times).map(|_| look()).last().unwrap();
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let again = look();
    assert_eq!((MEMORY.peak_usage(), MEMORY.current_usage()), (before, before));
    assert_eq!(first, again);
    again
}

/// Runs without the test harness, because its thread allocates at any time.
fn main() {
    let dungeon = sample_world("dungeon");
    check(&dungeon, &viewers(&dungeon, &room_ids(&dungeon), 4));
    let town = sample_world("holt");
    check(&town, &viewers(&town, &room_ids(&town), 4));
    check(&town, &viewers(&town, &town_cells(&town), 2));
    let made = forged::builtins()[0].world();
    // Tables are reused for other landblocks, and a small one grows when it is reused for a large landblock.
    check_grown(&made, &viewers(&made, &lookout_cells(&made), 1), 3);
    let slits = catalogue::slits(8, 6).world();
    let viewer = viewer_at(graph::cell(0), [0.5, 4.0, 1.5], [8.0, 4.0, 1.5]);
    assert!(check(&slits, &[viewer]) > 0, "regions were merged");
}
