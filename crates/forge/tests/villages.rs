//! Random villages and deep dungeons match their parameters.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test fails on unexpected values"
)]

mod built;

use threshold_forge::{ForgeError, MadeWorld, samples};

type Make = fn(usize, u64) -> Result<MadeWorld, ForgeError>;

const KINDS: [(&str, Make); 2] = [("village", samples::village), ("deep", samples::deep)];

#[track_caller]
fn check(name: &str, make: Make, rooms: usize, seed: u64) -> MadeWorld {
    let world = make(rooms, seed).unwrap_or_else(|error| panic!("{name} {rooms} {seed}: {error}"));
    assert_eq!(built::cells(&world).len(), rooms, "{name}, seed {seed}");
    world
}

/// Number of seeds: few, or many in a soak run.
fn seeds(few: u64) -> std::ops::Range<u64> {
    0..if std::env::var_os("THRESHOLD_SOAK").is_some() { few * 20 } else { few }
}

#[test]
fn villages_and_dungeons_have_the_requested_number_of_rooms() {
    for (name, make) in KINDS {
        for rooms in [1, 2, 3, 4, 5, 7, 10, 33, 100] {
            for seed in seeds(10) {
                check(name, make, rooms, seed);
            }
        }
        check(name, make, 500, 1);
        check(name, make, 2000, 2);
    }
}

#[test]
fn equal_seeds_make_equal_worlds() {
    for (name, make) in KINDS {
        assert!(make(60, 5).unwrap() == make(60, 5).unwrap(), "{name}");
        assert!(make(60, 5).unwrap() != make(60, 6).unwrap(), "{name}");
    }
}

#[test]
fn every_room_is_connected() {
    for (name, make) in KINDS {
        for seed in seeds(8) {
            let cells = built::cells(&check(name, make, 120, seed));
            let mut pending: Vec<usize> = match name {
                "deep" => vec![0],
                _ => (0..cells.len()).filter(|index| has_exit(&cells[*index])).collect(),
            };
            let mut reached = vec![false; cells.len()];
            while let Some(index) = pending.pop() {
                if std::mem::replace(&mut reached[index], true) {
                    continue;
                }
                let record = &cells[index].record;
                let neighbours =
                    record.portals.iter().filter_map(|portal| record.neighbour(portal));
                pending.extend(
                    neighbours.map(|id| cells.iter().position(|cell| cell.id == id).unwrap()),
                );
            }
            let lost = reached.iter().position(|reached| !reached);
            assert_eq!(lost.map(|index| cells[index].id), None, "{name} of seed {seed}");
        }
    }
}

/// Returns whether a door of it leads outdoors: windows start above the floor.
fn has_exit(cell: &built::Cell) -> bool {
    let floor = cell.bounds().0.z;
    (0..cell.record.portals.len()).any(|index| {
        let low = cell.portal(index).iter().map(|corner| corner.z).fold(f32::INFINITY, f32::min);
        cell.record.portals[index].other_cell == 0xFFFF && low < floor + 0.01
    })
}
