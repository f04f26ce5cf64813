//! The search for cells, on rooms made for it: worked examples, and the rules one by one.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test fails on unexpected values"
)]

use threshold_dat::RecordSet;
use threshold_forge::{Face, Forge, Opening, Plan, RoomSpec};
use threshold_geom::{Bounds, Cylinder};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Frame, Position, Sphere};
use threshold_testkit::{edit_room, sample_world, world_from};
use threshold_world::{
    Builder, CellArray, CellRules, CellSearch, CellSearchResult, ListedCell, ListingCause, PieceId,
    RoomOffset, RoomSearch, World,
};

const BLOCK: BlockId = BlockId(0x0102);
const A: CellId = CellId(0x0102_0100);
const B: CellId = CellId(0x0102_0101);
const C: CellId = CellId(0x0102_0102);

/// Rooms of 4 x 4 x 3 m in a row to the east, each open to the next over its whole wall.
fn row(rooms: usize) -> RecordSet {
    let mut plan = Plan::new();
    let keys: Vec<_> = (0..rooms)
        .map(|i| {
            let x = 4.0 * i as f32;
            plan.room(RoomSpec::cuboid([x, 0.0, 0.0], [x + 4.0, 4.0, 3.0]))
        })
        .collect();
    for pair in keys.windows(2) {
        plan.join(pair[0], pair[1], Opening::whole(Face::EAST));
    }
    let mut forge = Forge::new();
    forge.block(BLOCK).dungeon(Frame::IDENTITY, plan);
    forge.finish().unwrap().into_records()
}

fn search(
    world: &World,
    from: CellId,
    at: [f32; 3],
    radius: f32,
) -> (Vec<CellId>, CellSearchResult) {
    let mut array = CellArray::new();
    let sphere = Sphere::new(at.into(), radius);
    let position = Position::new(from, at.into());
    let found = CellSearch::new(world).spheres(&position, &[sphere], &mut array);
    (array.ids().collect(), found)
}

#[test]
fn worked_example_of_two_rooms() {
    let world = world_from(row(2));
    let check = |from: CellId, x: f32, list: &[CellId], pick: CellId| {
        let (ids, found) = search(&world, from, [x, 2.0, 1.0], 0.48);
        assert_eq!(ids, list, "from {from} at {x}");
        assert_eq!(
            found,
            CellSearchResult { cell: Some(pick), hits_interior: true },
            "from {from} at {x}"
        );
    };
    check(A, 2.0, &[A], A);
    check(A, 3.51, &[A], A);
    check(A, 3.5101, &[A, B], A);
    check(A, 4.0, &[A, B], A);
    check(A, 4.000_19, &[A, B], A);
    check(A, 4.0003, &[A, B], B);
    check(B, 4.4901, &[B], B);
    check(B, 4.4899, &[B, A], B);
    check(B, 3.9999, &[B, A], B);
    check(B, 3.9997, &[B, A], A);
    // Beyond both, the list still begins with where one comes from, and nothing is picked.
    let (ids, found) = search(&world, A, [-1.0, 2.0, 1.0], 0.48);
    assert_eq!((ids, found.cell), (vec![A], None));
}

#[test]
fn worked_example_of_boxes_against_a_room() {
    let world = world_from(row(2));
    let room = world.room(B).unwrap();
    let reaches = |x: f32| {
        let (min, max) = (Vec3::new(x - 1.0, 1.0, 1.0), Vec3::new(x, 2.0, 2.0));
        let (min, max) = (room.to_local(min), room.to_local(max));
        room.box_intersects(&Bounds { min, max })
    };
    assert!(!reaches(3.9) && reaches(3.9999) && reaches(4.1));
}

#[test]
fn three_rooms_that_all_contain_the_centre_leave_one_where_one_is() {
    let mut records = row(3);
    for (cell, shift) in [(B, 4.0), (C, 8.0)] {
        edit_room(&mut records, cell, |room| room.position.origin.x -= shift);
    }
    let world = world_from(records);
    let at = Vec3::new(2.0, 2.0, 1.0);
    assert!([A, B, C].iter().all(|cell| world.room(*cell).unwrap().contains(at)));
    for from in [A, B, C] {
        let (ids, found) = search(&world, from, at.to_array(), 0.48);
        assert_eq!(ids[0], from);
        assert_eq!(ids.len(), 3, "{ids:?}");
        assert_eq!(found.cell, Some(from));
    }
}

/// A hut on flat ground: a hall with a door to the east and a closet in the west.
fn hut() -> (RecordSet, [CellId; 2], Vec3) {
    let mut plan = Plan::new();
    let hall = plan.room(RoomSpec::cuboid([-2.0, -2.0, 0.1], [2.0, 2.0, 3.1]));
    let closet = plan.room(RoomSpec::cuboid([-4.0, -2.0, 0.1], [-2.0, 2.0, 3.1]));
    plan.exit(hall, Opening::whole(Face::EAST));
    plan.join(hall, closet, Opening::whole(Face::WEST));
    let mut forge = Forge::new();
    let block = forge.block(BlockId(0xA9B4));
    let middle = Vec3::new(84.0, 84.0, 0.0);
    let cells = block.building(Frame::at(middle), plan);
    let rooms = [hall, closet].map(|room| cells.of(room));
    (forge.finish().unwrap().into_records(), rooms, middle)
}

#[test]
fn the_land_joins_where_a_sphere_is_at_the_plane_of_an_exit() {
    let (records, [hall, _], middle) = hut();
    let world = world_from(records);
    let land = CellId(0xA9B4_001C);
    let list = |x: f32| search(&world, hall, [middle.x + 2.0 + x, middle.y, 1.0], 0.48).0;
    assert_eq!(list(-0.4803), [hall]);
    assert_eq!(list(-0.4801), [hall, land], "the reach is the radius and 0.2 mm");
    assert_eq!(list(0.4801), [hall, land]);
    assert_eq!(list(0.4803), [hall]);
}

#[test]
fn a_room_wins_against_the_land_wherever_one_comes_from() {
    let (records, [hall, _], middle) = hut();
    let world = world_from(records);
    let land = CellId(0xA9B4_001C);
    let at = [middle.x + 1.7, middle.y, 1.0];
    assert!(world.land_cell(land).unwrap().contains(at.into()));
    let (ids, found) = search(&world, land, at, 0.48);
    assert_eq!(ids, [land, hall]);
    assert_eq!(found, CellSearchResult { cell: Some(hall), hits_interior: true });
    let (ids, found) = search(&world, hall, at, 0.48);
    assert_eq!(ids, [hall, land]);
    assert_eq!(found.cell, Some(hall));
    // Outside, a sphere that reaches in counts as meeting an interior; one that does not, does not.
    let outside = |x: f32| search(&world, land, [middle.x + 2.0 + x, middle.y, 1.0], 0.48).1;
    assert_eq!(outside(0.4), CellSearchResult { cell: Some(land), hits_interior: true });
    assert_eq!(outside(0.6), CellSearchResult { cell: Some(land), hits_interior: false });
}

#[test]
fn cells_not_visible_from_the_first_are_pruned_only_on_request() {
    let (mut records, [hall, closet], middle) = hut();
    // The hall lists neither itself nor the closet as visible.
    edit_room(&mut records, hall, |room| room.visible = vec![0x01FF]);
    let at = Vec3::new(middle.x, middle.y, 1.0);
    let position = Position::new(hall, at);
    let sphere = [Sphere::new(at, 3.0)];
    let world = world_from(records.clone());
    let search = CellSearch::new(&world);
    let mut array = CellArray::new();
    let _ = search.spheres(&position, &sphere, &mut array);
    let land = CellId(0xA9B4_001C);
    assert_eq!(array.ids().collect::<Vec<_>>(), [hall, closet, land]);
    array.do_not_load = true;
    let found = search.spheres(&position, &sphere, &mut array);
    assert_eq!(array.ids().collect::<Vec<_>>(), [hall], "the first cell stays");
    assert_eq!(found.cell, Some(hall), "the pick comes before the prune");
    edit_room(&mut records, hall, |room| room.visible = vec![closet.low()]);
    let world = world_from(records);
    let _ = CellSearch::new(&world).spheres(&position, &sphere, &mut array);
    assert_eq!(array.ids().collect::<Vec<_>>(), [hall, closet]);
    // A list that starts outdoors is never pruned.
    let outdoors = Position::new(land, at);
    let _ = CellSearch::new(&world).spheres(&outdoors, &sphere, &mut array);
    assert_eq!(array.len(), 3);
}

#[test]
fn a_neighbour_that_is_not_resident_is_listed_but_not_searched() {
    let builder = Builder::new(row(2));
    let mut world = World::new();
    world.adopt(builder.build(PieceId::Room(A)).unwrap().unwrap().piece);
    let search = CellSearch::new(&world);
    let mut array = CellArray::new();
    let mut at = |x: f32| {
        let at = Vec3::new(x, 2.0, 1.0);
        let found = search.spheres(&Position::new(A, at), &[Sphere::new(at, 0.48)], &mut array);
        (array.entries().to_vec(), array.missed().to_vec(), found.cell)
    };
    let own = ListedCell { cell: A, resident: true };
    let absent = ListedCell { cell: B, resident: false };
    assert_eq!(at(3.0), (vec![own], vec![B], Some(A)), "not searched, and not near");
    assert_eq!(at(3.5197), (vec![own], vec![B], Some(A)));
    assert_eq!(at(3.5199), (vec![own, absent], vec![B], Some(A)));
    assert_eq!(at(5.0), (vec![own, absent], vec![B], None), "nothing says that the centre is in B");
}

/// The same portal faces into one of its rooms and out of the other.
#[test]
fn a_neighbour_that_is_not_resident_is_listed_on_either_side_of_its_portal() {
    let builder = Builder::new(row(2));
    for (own, absent, near, far) in [(A, B, 3.5199, 3.5197), (B, A, 4.4801, 4.4803)] {
        let mut world = World::new();
        world.adopt(builder.build(PieceId::Room(own)).unwrap().unwrap().piece);
        assert_eq!(search(&world, own, [far, 2.0, 1.0], 0.48).0, [own]);
        assert_eq!(search(&world, own, [near, 2.0, 1.0], 0.48).0, [own, absent]);
    }
}

#[test]
fn a_search_from_a_cell_that_is_not_resident_finds_no_room() {
    let world = World::new();
    let (ids, found) = search(&world, A, [1.0, 1.0, 1.0], 0.48);
    assert_eq!((ids, found), (vec![A], CellSearchResult { cell: None, hits_interior: true }));
    let (ids, found) = search(&world, CellId(0xA9B4_0001), [0.2, 0.2, 0.0], 0.48);
    assert_eq!(ids.len(), 4, "land cells are listed, resident or not");
    assert_eq!(found, CellSearchResult::default());
}

#[test]
fn counters_tell_found_nothing_from_did_not_look() {
    let (there, away) = (world_from(row(2)), World::new());
    let counters = |world: &World| {
        let mut array = CellArray::new();
        let at = Vec3::new(2.0, 2.0, 1.0);
        let position = Position::new(A, at);
        let _ = CellSearch::new(world).spheres(&position, &[Sphere::new(at, 0.48)], &mut array);
        array.counters
    };
    let looked = counters(&there);
    assert_eq!((looked.searches, looked.candidates, looked.not_resident), (1, 1, 0));
    assert_eq!((looked.sphere_tests, looked.containment_tests), (1, 1));
    let blind = counters(&away);
    assert_eq!((blind.searches, blind.not_resident), (1, 1));
    assert_eq!((blind.sphere_tests, blind.containment_tests), (0, 0));
}

/// A door on the border between two landblocks, from the neighbour's frame (C7).
#[test]
fn a_room_of_the_next_landblock_is_found_across_the_border() {
    let world = sample_world("holt");
    let at = Vec3::new(156.7, -1.3, 41.0);
    let position = Position::new(CellId(0xA9B4_0031), at);
    let sphere = [Sphere::new(at, 0.3)];
    let mut array = CellArray::new();
    let mut search = CellSearch::new(&world);
    let found = search.spheres(&position, &sphere, &mut array);
    let (land, room) = (CellId(0xA9B3_0038), CellId(0xA9B3_0100));
    assert_eq!(array.ids().collect::<Vec<_>>(), [land, room]);
    assert_eq!(found, CellSearchResult { cell: Some(room), hits_interior: true });
    let mut rules = CellRules::default();
    rules.room_offset = RoomOffset::Missing;
    search.rules = rules;
    let found = search.spheres(&position, &sphere, &mut array);
    assert_eq!(array.ids().collect::<Vec<_>>(), [land]);
    assert_eq!(found, CellSearchResult { cell: Some(land), hits_interior: false });
    // In the frame of its own landblock both rules give the same result.
    let at = at + Vec3::new(0.0, 192.0, 0.0);
    let position = Position::new(land, at);
    for rules in [rules, CellRules::default()] {
        search.rules = rules;
        let found = search.spheres(&position, &[Sphere::new(at, 0.3)], &mut array);
        assert_eq!((array.len(), found.cell), (2, Some(room)));
    }
}

#[test]
fn a_centre_on_a_24_metre_line_is_in_the_later_of_two_land_cells() {
    let world = sample_world("holt");
    let (ids, found) = search(&world, CellId(0xA9B4_0039), [168.0, 180.0, 40.0], 0.48);
    assert_eq!(ids.len(), 2);
    assert_eq!(found.cell, Some(ids[1]), "a look-up by position would give {}", ids[0]);
}

#[test]
fn without_spheres_the_cells_of_the_origin_are_listed_and_none_is_picked() {
    let world = sample_world("holt");
    let mut array = CellArray::new();
    let position = Position::new(CellId(0xA9B4_0031), Vec3::new(150.0, -1.0, 0.0));
    let found = CellSearch::new(&world).spheres(&position, &[], &mut array);
    assert_eq!(array.ids().collect::<Vec<_>>(), [CellId(0xA9B3_0038)]);
    assert_eq!(found, CellSearchResult::default());
}

#[test]
fn only_the_lower_ends_of_the_first_ten_cylinders_count() {
    let world = sample_world("holt");
    let mut array = CellArray::new();
    let position = Position::new(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 0.0));
    let near = Cylinder { low: Vec3::ZERO, radius: 0.5, height: 4.0 };
    let far = Cylinder { low: Vec3::new(11.8, 0.0, 0.0), ..near };
    let mut shapes = vec![near; 10];
    shapes.push(far);
    CellSearch::new(&world).cylinders(&position, &shapes, &mut array);
    assert_eq!(array.len(), 1, "the eleventh is not searched");
    shapes[9] = far;
    CellSearch::new(&world).cylinders(&position, &shapes, &mut array);
    assert_eq!(array.ids().collect::<Vec<_>>(), [0xA9B4_0001, 0xA9B4_0009].map(CellId));
}

#[test]
fn a_sphere_off_the_map_ends_the_list_of_land_cells() {
    let world = World::new();
    let mut array = CellArray::new();
    let here = Sphere::new(Vec3::new(12.0, 12.0, 0.0), 0.5);
    let off = Sphere::new(Vec3::new(-12.0, 12.0, 0.0), 0.5);
    let beside = Sphere::new(Vec3::new(36.0, 12.0, 0.0), 0.5);
    let position = Position::new(CellId(0x0000_0001), here.centre);
    let mut list = |spheres: &[Sphere]| {
        CellSearch::new(&world).touched(&position, spheres, &mut array);
        array.len()
    };
    assert_eq!(list(&[here, beside]), 2);
    assert_eq!(list(&[here, off, beside]), 1);
}

#[test]
fn a_point_is_found_in_visible_or_neighbouring_rooms() {
    let mut records = row(3);
    edit_room(&mut records, A, |room| room.visible = vec![0x0102]);
    let world = world_from(records);
    let find = |x: f32, among| world.find_visible_child_cell(A, Vec3::new(x, 2.0, 1.0), among);
    assert_eq!(find(2.0, RoomSearch::Visible), Some(A));
    assert_eq!(find(6.0, RoomSearch::Visible), None, "behind a portal, but not on the stab list");
    assert_eq!(find(6.0, RoomSearch::Neighbours), Some(B));
    assert_eq!(find(10.0, RoomSearch::Visible), Some(C));
    assert_eq!(find(10.0, RoomSearch::Neighbours), None);
}

/// Worked example: a first cell S that sees T, and the array S, land, T, U.
#[test]
fn the_last_entry_replaces_a_pruned_one_and_is_tested_next() {
    let (mut records, [hall, closet], middle) = hut();
    let mut array = CellArray::new();
    array.do_not_load = true;
    let at = Vec3::new(middle.x, middle.y, 1.0);
    // T is a land cell, which no stab list really contains; only the id counts here.
    edit_room(&mut records, hall, |room| room.visible = vec![0x001C]);
    let world = world_from(records);
    let _ = CellSearch::new(&world).spheres(
        &Position::new(hall, at),
        &[Sphere::new(at, 3.0)],
        &mut array,
    );
    assert!(!array.contains(closet));
    assert_eq!(array.ids().collect::<Vec<_>>(), [hall, CellId(0xA9B4_001C)]);
}

#[test]
fn a_sphere_with_nan_touches_nothing() {
    let world = world_from(row(3));
    for (centre, radius) in [
        (Vec3::new(f32::NAN, 2.0, 1.0), 0.48),
        (Vec3::new(2.0, f32::INFINITY, 1.0), 0.48),
        (Vec3::new(2.0, 2.0, 1.0), f32::NAN),
    ] {
        let (ids, found) = search(&world, A, centre.to_array(), radius);
        assert_eq!((ids, found.cell), (vec![A], None));
    }
    let (ids, found) = search(&world, CellId(0xA9B4_0001), [f32::NAN, 0.0, 0.0], 0.48);
    assert_eq!((ids, found.cell), (vec![], None));
}

/// The reasons of an array, with whether each cell contains the centre.
fn reasons(world: &World, from: CellId, at: [f32; 3]) -> Vec<(CellId, ListingCause, Option<bool>)> {
    let mut array = CellArray::new();
    array.keep_reasons(true);
    let sphere = Sphere::new(at.into(), 0.48);
    let position = Position::new(from, at.into());
    let found = CellSearch::new(world).spheres(&position, &[sphere], &mut array);
    let (plain, again) = search(world, from, at, 0.48);
    assert_eq!((plain, again), (array.ids().collect(), found), "recording reasons changes nothing");
    let with = array.ids().zip(array.reasons());
    with.map(|(cell, reason)| (cell, reason.cause, reason.contains)).collect()
}

#[test]
fn each_listed_room_has_the_cause_that_added_it() {
    let behind = |room| ListingCause::Portal { room, portal: 0, sphere: 0 };
    let two = world_from(row(2));
    let got = reasons(&two, A, [4.1, 2.0, 1.0]);
    assert_eq!(got, [(A, ListingCause::Start, Some(false)), (B, behind(A), Some(true))]);
    let got = reasons(&two, A, [3.9, 2.0, 1.0]);
    assert_eq!(got, [(A, ListingCause::Start, Some(true)), (B, behind(A), None)]);
}

#[test]
fn the_cause_of_a_room_that_is_not_resident_names_its_portal() {
    let mut world = world_from(row(2));
    let _ = world.drop_piece(PieceId::Room(B));
    let got = reasons(&world, A, [3.9, 2.0, 1.0]);
    let missing = ListingCause::Unloaded { room: A, portal: 0 };
    assert_eq!(got, [(A, ListingCause::Start, Some(true)), (B, missing, None)]);
}

#[test]
fn the_causes_of_land_and_building_rooms_name_portal_and_sphere() {
    let builder = Builder::new(threshold_forge::samples::house_on_a_hill().unwrap());
    let mut world = World::new();
    for piece in builder.pieces() {
        builder.build(piece).unwrap().into_iter().for_each(|built| world.adopt(built.piece));
    }
    let land = world.lands().next().unwrap();
    let house = &land.buildings()[0];
    let (block, hall) = (land.block(), house.portals[0].other);
    let room = world.room(hall).unwrap();
    let exit = room.portals().iter().position(|portal| portal.other.is_none()).unwrap();
    let door = room.portal_polygon(&room.portals()[exit]);
    let middle = door.vertices.iter().copied().sum::<Vec3>() / door.vertices.len() as f32;
    let at = room.to_block(middle).to_array();
    let inside = reasons(&world, hall, at);
    assert_eq!(inside[0].1, ListingCause::Start);
    let leads_out = |because: &ListingCause| matches!(because, ListingCause::Exit { room, portal, .. } if *room == hall && *portal == exit);
    assert!(
        inside.iter().any(|(cell, because, _)| cell.block() == block && leads_out(because)),
        "{inside:?}"
    );
    let (ground, _) = threshold_land::adjust_to_outside(hall, at.into()).unwrap();
    let outside = reasons(&world, ground, at);
    assert_eq!(outside[0].1, ListingCause::Reached { sphere: 0 });
    let comes_in = ListingCause::Building { land: house.position.cell, sphere: 0 };
    assert!(
        outside.iter().any(|(cell, because, _)| *cell == hall && *because == comes_in),
        "{outside:?}"
    );
}
