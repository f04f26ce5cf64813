//! Contents of the built-in world.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails on unexpected values")]

mod built;

use std::collections::{BTreeMap, BTreeSet};

use threshold_dat::{FileKind, LandBlock, Records, Source};
use threshold_forge::{MadeWorld, NamedPlace, SEED, builtin, height, places};
use threshold_geom::{Winding, outline_contains_2d, plane_of};
use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{BlockId, CELL_LENGTH, CellId, cell_index};

use built::Cell;

/// The landblock of the dungeon.
const MOUNTAIN: BlockId = BlockId(0xACB4);

fn world() -> MadeWorld {
    builtin(SEED).unwrap()
}

/// Rooms by the landblock they are in.
fn in_block(cells: &[Cell], block: BlockId) -> impl Iterator<Item = &Cell> {
    cells.iter().filter(move |cell| cell.id.block() == block)
}

/// The rooms that a room leads to.
fn neighbours(cell: &Cell) -> Vec<CellId> {
    let inner = cell.record.portals.iter().filter(|portal| portal.other_cell != 0xFFFF);
    inner.map(|portal| cell.id.block().cell(portal.other_cell)).collect()
}

/// How high the ground of a landblock is.
fn ground(records: &mut Records<'_>, block: BlockId, at: Vec2) -> f32 {
    let land: LandBlock = records.get(block.as_cell().into()).unwrap().unwrap();
    let index = cell_index(at).unwrap();
    let corner = |dx: usize, dy: usize| {
        let (x, y) = ((index >> 3) + dx, (index & 7) + dy);
        let [east, north] = [x, y].map(|corner| f32::from(u8::try_from(corner).unwrap()));
        (Vec2::new(east, north) * CELL_LENGTH).extend(height(land.heights[x * 9 + y]))
    };
    let corners = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
    let cut = block.cell(u16::try_from(index).unwrap() + 1).lcoord().unwrap().cut();
    let triangles = cut.triangles(corners);
    let under = triangles.iter().find(|t| outline_contains_2d(&t[..], at, Winding::Positive));
    plane_of(under.unwrap()).unwrap().height(at.x, at.y).unwrap()
}

/// Calls `check` with every corner of every exit and window for seven seeds: its height over the floor and over the ground outside, and
/// its location.
fn ways_out(mut check: impl FnMut([f32; 2], String)) {
    for seed in [0, 1, 2, 3, 4, 5, u64::MAX] {
        let world = builtin(seed).unwrap();
        let mut records = Records::new(&world);
        for cell in built::cells(&world) {
            let floor = cell.record.position.to_global(cell.bounds().0).z;
            let portals = cell.record.portals.iter().enumerate();
            for (index, _) in portals.filter(|(_, portal)| portal.other_cell == 0xFFFF) {
                for corner in cell.portal_in_block(index) {
                    let ground = ground(&mut records, cell.id.block(), corner.truncate());
                    let place = format!("seed {seed}, {} at {corner}", cell.id);
                    check([corner.z - floor, corner.z - ground], place);
                }
            }
        }
    }
}

/// Openings that start higher over the floor are windows.
const SILL: f32 = 0.3;

#[test]
fn no_door_hangs_over_the_ground_or_lies_below_it() {
    ways_out(|[floor, ground], place| {
        assert!(floor >= SILL || (0.0..0.5).contains(&ground), "{place}: {ground}");
    });
}

/// Regression: the window of a house on a slope was half underground.
#[test]
fn no_window_lies_below_the_ground() {
    ways_out(|[floor, ground], place| {
        assert!(floor <= SILL || ground > 0.3, "{place}: {ground}");
    });
}

/// Regression: the gallery of the great hall and the stairs behind the gatehouse reached out of the ground.
#[test]
fn the_dungeon_lies_under_the_mountain() {
    let world = world();
    let mut records = Records::new(&world);
    // The gatehouse itself, and the stairs behind it, which end in a wall.
    for cell in built::cells(&world).iter().filter(|cell| cell.id.block() == MOUNTAIN).skip(2) {
        for vertex in cell.structure.vertices.iter() {
            let at = cell.record.position.to_global(vertex.position);
            let over = at.z - ground(&mut records, MOUNTAIN, at.truncate());
            assert!(over < 0.0, "{} reaches {over} m out of the ground at {at}", cell.id);
        }
    }
}

#[test]
fn the_road_leads_onto_the_bridge() {
    const BANKS: [f32; 2] = [21.5, 74.5];
    let world = world();
    let mut records = Records::new(&world);
    let bridge = Vec3::new(96.0, 48.0, 40.0);
    let info = built::infos(&world)
        .into_iter()
        .find(|info| info.objects.iter().any(|object| object.frame.origin.distance(bridge) < 1e-3));
    assert_eq!(info.unwrap().block, BlockId(0xA9B5));
    for (x, y) in [93.6, 96.0, 98.4].into_iter().flat_map(|x| BANKS.map(|y| (x, y))) {
        let step = bridge.z + 0.3 - ground(&mut records, BlockId(0xA9B5), Vec2::new(x, y));
        assert!((0.2..0.5).contains(&step), "a step of {step} at {x}, {y}");
    }
}

#[test]
fn thirty_landblocks_and_one_with_the_dungeon() {
    let world = world();
    let blocks: BTreeSet<BlockId> =
        world.ids(FileKind::Cell).into_iter().map(|id| id.cell().block()).collect();
    let square = (0xA6..=0xAB).flat_map(|x| (0xB2..=0xB6).map(move |y| BlockId::new(x, y)));
    assert_eq!(blocks, square.chain([MOUNTAIN]).collect());
    let cells = built::cells(&world);
    assert!(in_block(&cells, MOUNTAIN).count() > 100);
}

#[test]
fn the_lake_has_a_landblock_of_nothing_but_water_and_shallows() {
    let world = world();
    let mut records = Records::new(&world);
    let mut count = |block: u16| {
        let id = BlockId(block).as_cell().into();
        let land: LandBlock = records.get(id).unwrap().unwrap();
        land.terrain.iter().filter(|word| (16..=20).contains(&word.terrain_type())).count()
    };
    assert_eq!(count(0xA7B4), 81);
    assert!((1..81).contains(&count(0xA8B4)));
    assert!((1..81).contains(&count(0xA9B5)), "the river under the bridge");
}

#[test]
fn neither_water_nor_sand_climbs_a_cliff() {
    let world = world();
    let mut records = Records::new(&world);
    for block in (0xA6..=0xAB_u16).flat_map(|x| (0xB2..=0xB6).map(move |y| x << 8 | y)) {
        let land: LandBlock = records.get(BlockId(block).as_cell().into()).unwrap().unwrap();
        let corner = |x: usize, y: usize| {
            (land.terrain[9 * x + y].terrain_type(), height(land.heights[9 * x + y]))
        };
        for (x, y) in (0..9).flat_map(|x| (0..9).map(move |y| (x, y))) {
            let (kind, here) = corner(x, y);
            assert!(kind != 10 || here <= 42.0, "{block:X} {x} {y}: sand at {here} m");
            if !(16..=20).contains(&kind) {
                continue;
            }
            for (i, j) in (x.max(1) - 1..=x.min(7) + 1)
                .flat_map(|i| (y.max(1) - 1..=y.min(7) + 1).map(move |j| (i, j)))
            {
                let rise = corner(i, j).1 - here;
                assert!(rise <= 2.0, "{block:X} {i} {j}: {rise} m above water beside it");
            }
        }
    }
}

#[test]
fn eight_kinds_of_buildings_can_be_entered() {
    let world = world();
    let buildings: Vec<_> =
        built::infos(&world).into_iter().flat_map(|info| info.buildings).collect();
    let kinds: BTreeSet<_> = buildings.iter().map(|building| building.model).collect();
    assert!(kinds.len() >= 8, "{kinds:?}");
    assert!(buildings.iter().all(|building| !building.portals.is_empty()));
}

/// The inn's vestibule is open at both ends: it has only floor, ceiling and two walls. The wall with the inner door belongs to
/// the taproom.
#[test]
fn the_walls_of_a_vestibule_belong_to_the_room_next_door() {
    let cells = built::cells(&world());
    let bare = |cell: &&Cell| {
        let [out, inner] = &cell.record.portals[..] else { return false };
        cell.structure.physics.len() == 4 && out.other_cell == 0xFFFF && inner.other_cell != 0xFFFF
    };
    let vestibule = cells.iter().find(bare).unwrap();
    let taproom = neighbours(vestibule)[0];
    let taproom = cells.iter().find(|cell| cell.id == taproom).unwrap();
    assert!(taproom.structure.physics.len() > 30);
}

#[test]
fn two_doors_open_right_on_the_border_of_a_landblock() {
    let cells = built::cells(&world());
    let mut found = 0;
    for cell in &cells {
        let out = cell.record.portals.iter().enumerate().filter(|(_, p)| p.other_cell == 0xFFFF);
        for (index, _) in out {
            let corners = cell.portal_in_block(index);
            let on = |at: f32| (191.8..192.0).contains(&at);
            let down = corners.iter().any(|at| (at.z - 40.15).abs() < 0.01);
            found += usize::from(
                down && (corners.iter().all(|at| on(at.x)) || corners.iter().all(|at| on(at.y))),
            );
        }
    }
    assert_eq!(found, 2);
}

#[test]
fn levels_of_the_dungeon_overlap_in_plan_and_its_passages_form_loops() {
    let cells = built::cells(&world());
    let dungeon: Vec<&Cell> = in_block(&cells, MOUNTAIN).collect();
    let place = |cell: &Cell| {
        let (low, high) = cell.bounds();
        (cell.record.position.to_global(low), cell.record.position.to_global(high))
    };
    let boxes: Vec<_> = dungeon.iter().map(|cell| place(cell)).collect();
    let over = |(low, _): &(_, threshold_land::vector::Vec3)| {
        let low: &threshold_land::vector::Vec3 = low;
        boxes.iter().any(|(other_low, other_high)| {
            other_high.z < low.z
                && other_low.x < low.x + 1.0
                && other_high.x > low.x + 1.0
                && other_low.y < low.y + 1.0
                && other_high.y > low.y + 1.0
        })
    };
    assert!(boxes.iter().filter(|room| over(room)).count() > 20);
    // More connections than a tree has.
    let ways: BTreeSet<(CellId, CellId)> = dungeon
        .iter()
        .flat_map(|cell| neighbours(cell).into_iter().map(|to| (cell.id.min(to), cell.id.max(to))))
        .collect();
    assert!(ways.len() > dungeon.len() + 5, "{} ways, {} rooms", ways.len(), dungeon.len());
}

#[test]
fn every_room_is_connected_to_an_exit() {
    let cells = built::cells(&world());
    let by_id: BTreeMap<CellId, &Cell> = cells.iter().map(|cell| (cell.id, cell)).collect();
    let is_out = |cell: &&&Cell| cell.record.portals.iter().any(|p| p.other_cell == 0xFFFF);
    let mut open: Vec<CellId> = by_id.values().filter(is_out).map(|cell| cell.id).collect();
    let mut found: BTreeSet<CellId> = open.iter().copied().collect();
    while let Some(id) = open.pop() {
        open.extend(neighbours(by_id[&id]).into_iter().filter(|id| found.insert(*id)));
    }
    assert_eq!(found.len(), cells.len());
}

#[test]
fn the_seed_affects_the_land_but_not_the_houses() {
    let (one, other) = (world(), builtin(SEED + 1).unwrap());
    assert_eq!(one, world());
    assert_ne!(one, other);
    let rooms =
        |world: &MadeWorld| built::cells(world).into_iter().map(|cell| cell.id).collect::<Vec<_>>();
    assert_eq!(rooms(&one), rooms(&other));
}

/// The manual page of the built-in world lists the places with their current cells.
#[test]
fn the_page_lists_every_place_with_its_cell() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/world.md");
    let page = std::fs::read_to_string(page).unwrap();
    let listed = page.split("## Places").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows: Vec<&str> = listed.lines().filter(|line| line.contains("`0x")).collect();
    let row = |place: &NamedPlace| {
        format!("| {} | `{}` | {} |", place.name, place.position.cell, place.about)
    };
    assert_eq!(rows, places(SEED).iter().map(row).collect::<Vec<_>>());
}
