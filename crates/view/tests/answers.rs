//! Missing rooms, refused rooms, and landscape regions are values of the result.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod catalogue;
mod graph;
mod rays;

use graph::{Graph, across, cell};
use rays::{NO_MARGIN, Rays};
use threshold_dat::RecordSet;
use threshold_forge::samples::TOWN;
use threshold_forge::{Face, Forge, Opening, Plan, RoomSpec};
use threshold_land::vector::{DVec2, Vec3};
use threshold_land::{CellId, CellKind, Frame};
use threshold_testkit::{
    Random, edit_room, random_viewer_in, rules_with_stab_lists, rules_without_stab_lists,
    sample_source, sample_world, town_cells, viewer_at, world_from,
};
use threshold_view::{
    EntryPortal, PortalWalk, RegionContent, Seal, ViewScratch, Viewer, VisibleSet,
};
use threshold_world::{Builder, PieceId, World};

/// Three rooms in a row with doors at x = 4 and 8, and an exit at x = 12.
fn row() -> Graph {
    let mut graph = Graph::new();
    let rooms = [0.0, 4.0, 8.0].map(|x| graph.room([x, 0.0, 0.0], [x + 4.0, 4.0, 3.0]));
    graph.join(rooms[0], rooms[1], across(0, 4.0, [1.0, 0.0], [3.0, 2.3]));
    graph.join(rooms[1], rooms[2], across(0, 8.0, [1.0, 0.0], [3.0, 2.3]));
    graph.exit(rooms[2], across(0, 12.0, [1.0, 0.0], [3.0, 2.3]));
    graph
}

/// In the first room, looking along the row.
fn along() -> Viewer {
    viewer_at(cell(0), [1.0, 2.0, 1.5], [12.0, 2.0, 1.5])
}

fn cells(seen: &VisibleSet) -> Vec<CellId> {
    seen.cells().map(|cell| cell.id()).collect()
}

fn via(room: usize, portal: u16) -> Option<EntryPortal> {
    Some(EntryPortal { cell: cell(room), portal, region: 0, outdoors: false })
}

/// The row with only some of its rooms resident.
fn resident(rooms: &[usize]) -> World {
    let builder = Builder::new(row().records());
    let mut world = World::new();
    for room in rooms {
        world.adopt(builder.build(PieceId::Room(cell(*room))).unwrap().unwrap().piece);
    }
    world
}

#[test]
fn a_neighbour_that_is_not_resident_is_missing_in_the_region_of_its_portal() {
    let mut scratch = ViewScratch::new();
    for (rooms, missing) in [(&[0][..], 1), (&[0, 1], 2), (&[0, 2], 1)] {
        let world = resident(rooms);
        for rules in [rules_with_stab_lists(), rules_without_stab_lists()] {
            let seen = PortalWalk { world: &world, rules }.run(&mut scratch, &mut (), &along());
            let regions: Vec<_> = seen.not_resident().collect();
            let [region] = regions[..] else { panic!("{} regions", regions.len()) };
            assert_eq!(region.content(), RegionContent::NotResident(cell(missing)));
            assert_eq!(region.entry(), via(missing - 1, u16::from(missing == 2)));
            assert!(region.contains(DVec2::ZERO) && region.coverage() < 0.5);
            assert_eq!((cells(seen).len(), seen.landscape().len()), (missing, 0));
        }
    }
    let world = resident(&[0, 1, 2]);
    let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &along());
    assert_eq!((cells(seen).len(), seen.not_resident().len(), seen.landscape().len()), (3, 0, 1));
}

#[test]
fn a_viewer_in_a_room_that_is_not_resident_sees_only_that_room() {
    let (world, mut scratch) = (resident(&[1, 2]), ViewScratch::new());
    let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &along());
    let regions: Vec<_> =
        seen.not_resident().map(|region| (region.content(), region.coverage())).collect();
    assert_eq!(regions, [(RegionContent::NotResident(cell(0)), 1.0)]);
    assert_eq!((seen.cells().len(), seen.landscape().len(), seen.root()), (0, 0, cell(0)));
    // The same holds for ids that are no cell.
    for id in [0x0102_0000, 0x0102_FFFF, 0x0102_FFFE, 0x0000_0000] {
        let viewer = viewer_at(CellId(id), [1.0, 2.0, 1.5], [12.0, 2.0, 1.5]);
        let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
        assert_eq!(
            (seen.cells().len(), seen.landscape().len(), seen.not_resident().len()),
            (0, 0, 1)
        );
    }
}

#[test]
fn rooms_on_no_stab_list_are_refused_once_and_visible_without_lists() {
    let mut graph = row();
    // A second portal into the last room, visible above the door.
    graph.join(1, 2, across(0, 8.0, [1.0, 2.5], [3.0, 2.9]));
    graph.sees(0, &[1]);
    let (world, mut scratch) = (graph.world(), ViewScratch::new());
    let viewer = viewer_at(cell(0), [3.0, 2.0, 1.5], [12.0, 2.0, 1.6]);
    let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
    assert_eq!((cells(seen), seen.unlisted()), ([0, 1].map(cell).to_vec(), &[cell(2)][..]));
    assert_eq!(seen.landscape().len(), 0);
    let off = PortalWalk { world: &world, rules: rules_without_stab_lists() };
    let seen = off.run(&mut scratch, &mut (), &viewer);
    assert_eq!((cells(seen), seen.unlisted()), ([0, 1, 2].map(cell).to_vec(), &[][..]));
    // The stab list of the root counts, not that of the room on the way.
    graph.sees(0, &[1, 2]).sees(1, &[]);
    let world = graph.world();
    let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
    assert_eq!((cells(seen).len(), seen.unlisted()), (3, &[][..]));
}

#[test]
fn an_exit_portal_is_sealed_once_however_often_it_is_visible() {
    let world = catalogue::slits(10, 8).world();
    let mut scratch = ViewScratch::new();
    let viewer = viewer_at(cell(2), [8.2, 4.0, 1.5], [16.0, 4.0, 1.5]);
    let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
    let through: Vec<EntryPortal> = seen.landscape().flat_map(|region| region.entries()).collect();
    assert!(through.len() > 1, "seen through several slits");
    // The slits come first in the portal list of the last room.
    let exit = Seal { cell: cell(3), portal: 80 };
    assert!(through.iter().all(|via| (via.cell, via.portal) == (exit.cell, exit.portal)));
    assert_eq!(seen.seals(), [exit]);
}

/// Checks in how many regions the landscape shows: a hall has portals into another room, and that room has an exit from 0
/// to 0.1 of the screen. Each portal has a distance, and two ends on the screen.
#[track_caller]
fn check_landscapes(openings: &[(f32, [f32; 2])], want: usize) {
    let mut graph = Graph::new();
    let [hall, other] = [0, 1].map(|_| graph.room([0.0, -8.0, -4.0], [20.0, 8.0, 4.0]));
    let hole = |x: f32, [from, to]: [f32; 2]| across(0, x, [from * x, -0.1 * x], [to * x, 0.1 * x]);
    for (x, places) in openings {
        graph.join(hall, other, hole(*x, *places));
    }
    graph.exit(other, hole(15.0, [0.0, 0.1]));
    let (world, mut scratch) = (graph.world(), ViewScratch::new());
    let viewer = viewer_at(cell(0), [0.0; 3], [10.0, 0.0, 0.0]);
    let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
    assert_eq!(seen.cell(cell(1)).unwrap().regions().len(), openings.len());
    assert_eq!((seen.landscape().len(), seen.seals().len()), (want, 1), "{openings:?}");
}

#[test]
fn the_landscape_shows_once_where_two_regions_show_the_same_part_of_an_exit() {
    check_landscapes(&[(10.0, [-0.4, 0.2]), (4.0, [-0.1, 0.5])], 1);
    // The last region shows what the first one shows, but not what the one between shows.
    check_landscapes(&[(10.0, [-0.4, 0.05]), (8.0, [0.05, 0.4]), (4.0, [-0.5, 0.02])], 2);
}

/// Doors to the left and to the right at the same distance.
#[test]
fn of_two_rooms_at_the_same_distance_the_one_found_first_comes_first() {
    for order in [[1, 2], [2, 1]] {
        let mut graph = Graph::new();
        graph.room([0.0, 0.0, 0.0], [4.0, 4.0, 3.0]);
        let sides = [[0.0, 2.0], [2.0, 4.0]].map(|[from, to]| {
            (graph.room([4.0, from, 0.0], [8.0, to, 3.0]), [from + 0.5, to - 0.5])
        });
        for (room, [from, to]) in order.map(|room| sides[room - 1]) {
            graph.join(0, room, across(0, 4.0, [from, 0.0], [to, 2.5]));
        }
        let (world, mut scratch) = (graph.world(), ViewScratch::new());
        let viewer = viewer_at(cell(0), [1.0, 2.0, 1.5], [8.0, 2.0, 1.5]);
        let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
        let distances: Vec<f32> = seen.cells().skip(1).map(|cell| cell.distance()).collect();
        assert_eq!(distances[0], distances[1]);
        assert_eq!(cells(seen), [0, order[0], order[1]].map(cell));
    }
}

#[test]
fn a_viewer_outdoors_has_the_landscape_on_the_whole_screen() {
    let world = world_from(sample_source("holt"));
    let mut scratch = ViewScratch::new();
    for id in town_cells(&world) {
        assert_eq!(id.kind(), Some(CellKind::Land));
        let mut random = Random(u64::from(id.0));
        let viewer = random_viewer_in(&world, id, &mut random);
        let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
        let first = seen.landscape().next().unwrap();
        assert_eq!(
            (first.entry(), first.coverage(), first.content()),
            (None, 1.0, RegionContent::Landscape)
        );
        // The seals are the portals through which the landscape shows behind houses, and no others.
        let mut sealed: Vec<(CellId, u16)> = seen
            .landscape()
            .filter_map(|region| region.entry())
            .map(|v| (v.cell, v.portal))
            .collect();
        sealed.sort_unstable();
        sealed.dedup();
        let mut seals: Vec<_> = seen.seals().iter().map(|s| (s.cell, s.portal)).collect();
        seals.sort_unstable();
        assert_eq!(seals, sealed);
    }
}

#[test]
fn houses_are_entered_through_the_nearest_door_first() {
    let (world, mut scratch) = (sample_world("holt"), ViewScratch::new());
    let mut random = Random(18);
    for id in town_cells(&world) {
        let viewer = random_viewer_in(&world, id, &mut random);
        let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
        let rays = Rays::new(&world, &viewer, NO_MARGIN);
        let vias = seen.regions().filter_map(|region| region.entry());
        let doors = vias.filter(|via| via.outdoors && via.region == 0);
        let distances = doors.map(|via| rays.hole(via.cell, usize::from(via.portal)).distance());
        let distances: Vec<f64> = distances.collect();
        assert!(distances.is_sorted_by(|a, b| a - 1e-3 < *b), "{distances:?} from {viewer:?}");
        // The distance of a room is that of its nearest door, even if it was found earlier through another house.
        for room in seen.cells() {
            let doors = room.regions().flat_map(|region| region.entries());
            for via in doors.filter(|via| via.outdoors) {
                let door = rays.hole(via.cell, usize::from(via.portal)).distance();
                assert!(f64::from(room.distance()) < door + 1e-3, "{} from {viewer:?}", room.id());
            }
        }
    }
}

/// Rooms with a door in the south, in houses at y = 60.
fn houses(houses: &[(f32, &[f32])]) -> (RecordSet, Vec<CellId>) {
    let mut forge = Forge::new();
    let (block, mut rooms) = (forge.block(TOWN), Vec::new());
    for (x, middles) in houses {
        let mut plan = Plan::new();
        let room = |middle: &f32| {
            let room =
                plan.room(RoomSpec::cuboid([middle - 2.0, -3.0, 0.0], [middle + 2.0, 3.0, 3.0]));
            plan.exit(room, Opening::door(Face::SOUTH));
            room
        };
        let made: Vec<_> = middles.iter().map(room).collect();
        let house = block.building(Frame::at(Vec3::new(*x, 60.0, 0.1)), plan);
        rooms.extend(made.into_iter().map(|room| house.of(room)));
    }
    (forge.finish().unwrap().into_records(), rooms)
}

/// In the street in front of the houses, looking north.
fn in_the_street(x: f32) -> Viewer {
    viewer_at(TOWN.cell(0x22), [x, 40.0, 1.6], [x, 60.0, 1.6])
}

/// Checks the order of the rooms of houses, by number, as visible from the street.
#[track_caller]
fn check_doors(eye: f32, places: &[(f32, &[f32])], want: &[usize]) {
    let (records, rooms) = houses(places);
    let (world, mut scratch) = (world_from(records), ViewScratch::new());
    let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &in_the_street(eye));
    let distances: Vec<f32> = seen.cells().map(|cell| cell.distance()).collect();
    assert_eq!(distances[0], distances[1]);
    let want: Vec<CellId> = want.iter().map(|room| rooms[*room]).collect();
    assert_eq!(cells(seen), want, "{places:?}");
}

#[test]
fn of_doors_at_the_same_distance_the_lower_land_cell_comes_first_and_then_the_order_of_the_file() {
    check_doors(96.0, &[(84.0, &[0.0]), (108.0, &[0.0])], &[0, 1]);
    check_doors(96.0, &[(108.0, &[0.0]), (84.0, &[0.0])], &[1, 0]);
    check_doors(108.0, &[(108.0, &[-3.0, 3.0])], &[0, 1]);
    check_doors(108.0, &[(108.0, &[3.0, -3.0])], &[0, 1]);
}

/// The building names a portal of the room that leads to a room.
#[test]
fn a_door_whose_portal_does_not_lead_outdoors_is_unusable() {
    let (mut records, rooms) = houses(&[(108.0, &[0.0])]);
    edit_room(&mut records, rooms[0], |room| {
        (room.portals[0].flags.0, room.portals[0].other_cell) =
            (room.portals[0].flags.0 & !4, 0x0155);
    });
    let (world, mut scratch) = (world_from(records), ViewScratch::new());
    let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &in_the_street(108.0));
    assert_eq!((seen.cells().len(), seen.not_resident().len(), seen.landscape().len()), (0, 0, 1));
    assert_eq!((seen.stats().building_portals, seen.stats().unusable_building_portals), (0, 1));
}
