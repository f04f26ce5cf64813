//! Time of a portal walk, and the share of the world that it leaves to draw: sample worlds, made dungeons and towns, and open
//! grids.
//!
//! One thread. The mean is by the CPU time of the thread; the distribution is by the clock, each view at its fastest of all
//! rounds, so that a busy machine shows as little as possible. Views follow each other in the order of their eyes, and no
//! view is repeated in a row. Brute force draws every resident room whose box is in the frustum. Rooms and triangles are
//! means of a view; a room that shows in two regions is drawn twice. `result` is a hash of all results of a row: it changes
//! when a bit of one of them changes.
//!
//! `cargo bench --package threshold-view --bench look [-- ROUNDS] [PART OF A NAME]`

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a benchmark prints, and stops at what it does not expect"
)]

mod brute;
mod measure;
mod scene;

use threshold_forge::{MadeWorld, samples};
use threshold_land::BlockId;

use self::measure::SceneMeasurement;
use self::scene::Scene;

/// Landblocks of the sample worlds, and one in the middle of the made town.
const HOLT: BlockId = BlockId(0xA9B4);
const DUNGEON: BlockId = BlockId(0x0102);
const MIDDLE: BlockId = BlockId(0xAAB5);

/// Arguments after `--`.
struct Wish {
    rounds: usize,
    name: Option<String>,
}

/// Names of scenes, and functions that make them.
type Table = Vec<(String, Box<dyn Fn() -> Scene>)>;

fn main() {
    // Cargo adds `--bench`.
    let words = || std::env::args().skip(1).filter(|word| !word.starts_with('-'));
    let wish = Wish {
        rounds: words().find_map(|word| word.parse().ok()).unwrap_or(5),
        name: words().find(|word| word.parse::<usize>().is_err()),
    };
    let mut rows = Vec::new();
    for (name, make) in scenes() {
        if wish.name.as_ref().is_none_or(|part| name.contains(part)) {
            let measurement = SceneMeasurement::of(&make(), wish.rounds);
            rows.push((name, measurement));
        }
    }
    measure::print(&rows);
}

fn scenes() -> Table {
    let mut table: Table = vec![
        (
            "dungeon of 82 rooms".into(),
            Box::new(|| Scene::sample("dungeon").in_rooms(DUNGEON, 12, 4)),
        ),
        (
            "town, in the streets".into(),
            Box::new(|| Scene::sample("holt").in_streets(HOLT, 500, 8)),
        ),
        ("town, in the houses".into(), Box::new(|| Scene::sample("holt").in_rooms(HOLT, 8, 4))),
        (
            "576 houses, in the streets".into(),
            Box::new(|| Scene::of(samples::town(3, 3).unwrap()).in_streets(MIDDLE, 300, 8)),
        ),
    ];
    let mut add = |name: String, make: Box<dyn Fn() -> MadeWorld>, directions: usize| {
        let make = move || Scene::of(make()).in_rooms(samples::DEPTHS, 1, directions);
        table.push((name, Box::new(make)));
    };
    for (size, seed) in [([32, 32, 1], 1), ([32, 32, 1], 2), ([16, 16, 4], 3), ([10, 10, 10], 4)] {
        let [east, north, up] = size;
        let name = format!("halls {east} x {north} x {up}, {seed}");
        add(name, Box::new(move || samples::halls(size, seed).unwrap()), 4);
    }
    for seed in [5, 6] {
        let name = format!("corridors, 1000 rooms, {seed}");
        add(name, Box::new(move || samples::dungeon(1000, seed).unwrap()), 4);
    }
    for size in [[32, 32, 1], [10, 10, 10]] {
        let [east, north, up] = size;
        let name = format!("open grid {east} x {north} x {up}");
        add(name, Box::new(move || samples::grid(size).unwrap()), 1);
    }
    table
}
