//! The sample worlds match their descriptions.

#![allow(clippy::unwrap_used, reason = "a test fails on unexpected values")]

mod built;

use threshold_dat::{FileKind, LandBlock, RecordKind, Records, Source};
use threshold_forge::{Forge, MadeWorld, samples};
use threshold_land::BlockId;
use threshold_land::vector::Vec3;

fn rooms(world: &MadeWorld) -> usize {
    let ids = world.ids(FileKind::Cell).into_iter();
    ids.filter(|id| RecordKind::from_id(FileKind::Cell, *id) == RecordKind::EnvCell).count()
}

#[test]
fn a_dungeon_has_the_requested_number_of_rooms() {
    for count in [0, 1, 2, 3, 10, 77] {
        for seed in 0..12 {
            assert_eq!(rooms(&samples::dungeon(count, seed).unwrap()), count, "seed {seed}");
        }
    }
    assert_ne!(samples::dungeon(20, 1).unwrap(), samples::dungeon(20, 2).unwrap());
}

#[test]
fn a_dungeon_is_connected_with_loops_and_levels() {
    let cells = built::cells(&samples::dungeon(120, 4).unwrap());
    let joins: usize = cells.iter().map(|cell| cell.record.portals.len()).sum::<usize>() / 2;
    assert!(joins >= cells.len() + 3, "{joins} joins between {} rooms: loops", cells.len());
    let mut levels: Vec<f32> =
        cells.iter().map(|cell| libm::floorf(cell.record.position.origin.z / 8.0)).collect();
    levels.sort_unstable_by(f32::total_cmp);
    levels.dedup();
    assert!(levels.len() >= 3, "{levels:?}");
    let mut reached = vec![cells[0].id];
    let mut next = 0;
    while let Some(id) = reached.get(next).copied() {
        let cell = cells.iter().find(|cell| cell.id == id).unwrap();
        for neighbour in cell.record.portals.iter().filter_map(|p| cell.record.neighbour(p)) {
            if !reached.contains(&neighbour) {
                reached.push(neighbour);
            }
        }
        next += 1;
    }
    assert_eq!(reached.len(), cells.len());
}

#[test]
fn the_house_stands_on_level_ground() {
    let world = samples::house_on_a_hill().unwrap();
    let ground: LandBlock =
        Records::new(&world).get(samples::TOWN.as_cell().into()).unwrap().unwrap();
    // The same ground again, to query heights between its corners.
    let mut forge = Forge::new();
    let block = forge.block(samples::TOWN);
    let index = |v: i32| usize::try_from(v).unwrap();
    block.heights(|x, y| i32::from(ground.heights[index(x) * 9 + index(y)]));
    for cell in built::cells(&world) {
        let (low, high) = cell.bounds();
        for corner in [low, high, Vec3::new(low.x, high.y, low.z), Vec3::new(high.x, low.y, low.z)]
        {
            let at = cell.record.position.to_global(corner.with_z(low.z));
            let over = at.z - block.ground(at.truncate()).unwrap();
            assert!((over - 0.15).abs() < 1e-4, "{}: {over} over the ground", cell.id);
        }
    }
}

#[test]
fn doors_of_border_houses_are_at_the_border() {
    let world = samples::border_houses().unwrap();
    let cells = built::cells(&world);
    let doors: Vec<(BlockId, Vec3)> = cells
        .iter()
        .filter(|cell| cell.id.low() % 3 == 0x100 % 3) // the halls
        .map(|cell| {
            let exit = (0..cell.record.portals.len())
                .find(|index| cell.record.portals[*index].other_cell == 0xFFFF)
                .unwrap();
            let outline = cell.portal_in_block(exit);
            (cell.id.block(), outline.iter().sum::<Vec3>() / outline.len() as f32)
        })
        .collect();
    let near = |(block, at): &(BlockId, Vec3), want: u16, x: f32, y: f32| {
        *block == BlockId(want) && (at.x - x).abs() < 1e-3 && (at.y - y).abs() < 1e-3
    };
    assert!(near(&doors[0], 0xA9B3, 156.0, 191.7), "{doors:?}");
    assert!(near(&doors[1], 0xA9B3, 191.8, 108.0), "{doors:?}");
    assert!(near(&doors[2], 0xA9B4, 60.0, 0.2), "{doors:?}");
}

#[test]
fn halls_have_one_or_two_doors_in_every_wall() {
    let size = [5_usize, 4, 3];
    let cells = built::cells(&samples::halls(size, 7).unwrap());
    assert_eq!(cells.len(), 60);
    assert_ne!(samples::halls(size, 7).unwrap(), samples::halls(size, 8).unwrap());
    assert_eq!(samples::halls(size, 7).unwrap(), samples::halls(size, 7).unwrap());
    let (mut single, mut double, mut hatches) = (0, 0, 0);
    for (number, cell) in cells.iter().enumerate() {
        let (x, y) = (number % size[0], number / size[0] % size[1]);
        let doors = |other: usize| {
            let leads = |id| Some(id) == cells.get(other).map(|other| other.id);
            let portals = cell.record.portals.iter();
            portals
                .filter_map(|portal| cell.record.neighbour(portal))
                .filter(|id| leads(*id))
                .count()
        };
        let east = (x + 1 < size[0]).then(|| doors(number + 1));
        let north = (y + 1 < size[1]).then(|| doors(number + size[0]));
        for doors in [east, north].into_iter().flatten() {
            assert!((1..=2).contains(&doors), "{}: {doors} doors", cell.id);
            if doors == 1 { single += 1 } else { double += 1 }
        }
        hatches += doors(number + size[0] * size[1]);
    }
    assert!(single > 20 && double > 20 && hatches > 4, "{single} {double} {hatches}");
}

#[test]
fn a_grid_is_open_on_all_sides_and_lists_everything() {
    let cells = built::cells(&samples::grid([10, 10, 10]).unwrap());
    assert_eq!(cells.len(), 1000);
    for cell in &cells {
        assert_eq!(cell.record.visible.len(), 999, "{}", cell.id);
        assert!((3..=6).contains(&cell.record.portals.len()), "{}", cell.id);
    }
    let inner = cells.iter().filter(|cell| cell.record.portals.len() == 6).count();
    assert_eq!(inner, 512);
}

#[test]
fn a_town_has_a_house_in_every_land_cell() {
    let world = samples::town(2, 1).unwrap();
    assert_eq!(rooms(&world), 2 * 64 * 3);
    for id in [0xA9B4, 0xAAB4] {
        let info: Option<threshold_dat::LandBlockInfo> =
            Records::new(&world).get(BlockId(id).cell(0xFFFE).into()).unwrap();
        assert_eq!(info.unwrap().buildings.len(), 64);
    }
}
