//! Looking allocates nothing once the scratch has grown: in rooms, in the street, in the built-in world, and where regions are
//! merged.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod catalogue;
mod graph;
mod sample;

use peak_alloc::PeakAlloc;
use sample::random::Random;
use threshold_land::CellId;
use threshold_view::{PortalWalk, ViewScratch, Viewer};
use threshold_world::World;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Looks from every cell, some times.
fn viewers(world: &World, cells: &[CellId], eyes: usize) -> Vec<Viewer> {
    let mut random = Random(3);
    let cells = cells.iter().cycle().take(cells.len() * eyes);
    cells.map(|cell| sample::viewer_in(world, *cell, &mut random)).collect()
}

/// Looks from all eyes; the second time nothing may be allocated.
#[track_caller]
fn check(world: &World, viewers: &[Viewer]) -> usize {
    check_grown(world, viewers, 1)
}

/// Looks from all eyes until the scratch has grown, so many times; then nothing may be allocated.
#[track_caller]
fn check_grown(world: &World, viewers: &[Viewer], times: usize) -> usize {
    let mut scratch = ViewScratch::new();
    let mut look = || {
        let mut merged = 0;
        for viewer in viewers {
            for rules in [sample::by_lists(), sample::without_lists()] {
                let seen = PortalWalk { world, rules }.run(&mut scratch, &mut (), viewer);
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

/// Without the test harness, whose own thread allocates when it likes.
fn main() {
    let dungeon = sample::world("dungeon");
    check(&dungeon, &viewers(&dungeon, &sample::rooms(&dungeon), 4));
    let town = sample::world("holt");
    check(&town, &viewers(&town, &sample::rooms(&town), 4));
    check(&town, &viewers(&town, &sample::town_cells(&town), 2));
    let made = sample::forged::builtins()[0].world();
    // What is known of a landblock is forgotten for another's sake, and a small table grows once it is a large landblock's.
    check_grown(&made, &viewers(&made, &sample::lookouts(&made), 1), 3);
    let slits = catalogue::slits(8, 6).world();
    let viewer = sample::viewer(graph::cell(0), [0.5, 4.0, 1.5], [8.0, 4.0, 1.5]);
    assert!(check(&slits, &[viewer]) > 0, "regions were merged");
}
