//! V9: looking out of one house, across the street, and into another.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod proof;
mod rays;

use proof::{Scene, chain, points_in};
use rays::{NO_MARGIN, Rays};
use threshold_dat::{EnvCell, RecordSet, Records};
use threshold_forge::samples::TOWN;
use threshold_forge::{Face, Forge, Opening, Plan, RoomSpec};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Frame};
use threshold_testkit::{
    Random, forged, random_point_in, room_ids, rules_with_stab_lists, viewer_at, world_from,
};
use threshold_view::{Region, ViewScratch, Viewer, VisibleSet};
use threshold_world::World;

/// What is in a wall of a house.
#[derive(Clone, Copy, Debug)]
enum Wall {
    Closed,
    Door,
    Window,
}

use Wall::{Closed, Door, Window};

/// Houses of one room 6 m wide, one every 24 m to the north from (84, 12), each with its south and north wall.
fn street(houses: &[[Wall; 2]]) -> World {
    world_from(records(houses))
}

fn records(houses: &[[Wall; 2]]) -> RecordSet {
    let mut forge = Forge::new();
    let block = forge.block(TOWN);
    for (number, walls) in houses.iter().enumerate() {
        let mut plan = Plan::new();
        let room = plan.room(RoomSpec::cuboid([-3.0, -3.0, 0.0], [3.0, 3.0, 3.0]));
        for (wall, face) in walls.iter().zip([Face::SOUTH, Face::NORTH]) {
            match wall {
                Closed => {}
                Door => _ = plan.exit(room, Opening::door(face)),
                Window => _ = plan.window(room, Opening::pane(face)),
            }
        }
        block.building(Frame::at(Vec3::new(84.0, 12.0 + 24.0 * number as f32, 0.1)), plan);
    }
    forge.finish().unwrap().into_records()
}

fn house(number: u16) -> CellId {
    TOWN.cell(0x0100 + number)
}

/// In the first house, looking north.
fn in_the_first() -> Viewer {
    viewer_at(house(0), [84.0, 11.0, 1.6], [84.0, 40.0, 1.6])
}

/// Returns the entry portals on the way to a region, the last first.
fn ways(seen: &VisibleSet, region: Region<'_>) -> Vec<(CellId, u16, bool)> {
    let vias = chain(seen, region).into_iter().filter_map(|region| region.entry());
    vias.map(|via| (via.cell, via.portal, via.outdoors)).collect()
}

/// Checks that the second house shows in the first through both doors and through no other portal.
#[track_caller]
fn check_across([first, second]: [[Wall; 2]; 2]) {
    let world = street(&[first, second]);
    let mut scratch = ViewScratch::new();
    let scene = Scene { world: &world, rules: rules_with_stab_lists(), viewer: in_the_first() };
    scene.never_misses(&mut scratch, 2000, &mut Random(1));
    scene.rarely_too_much(&mut scratch);
    let seen = scratch.visible();
    let ids: Vec<CellId> = seen.cells().map(|cell| cell.id()).collect();
    assert_eq!(ids, [house(0), house(1)]);
    let regions: Vec<Region<'_>> = seen.cell(house(1)).unwrap().regions().collect();
    let [region] = regions[..] else { panic!("{} regions", regions.len()) };
    assert_eq!(ways(seen, region), [(house(1), 0, true), (house(0), 0, false)]);
    // In the region, a ray goes through both.
    let rays = Rays::new(&world, &scene.viewer, NO_MARGIN);
    for at in points_in(&region) {
        let cells: Vec<_> = rays.cast(at).iter().map(|reached| reached.cell).collect();
        assert_eq!(cells, [Some(house(0)), None, Some(house(1))], "{at}");
    }
}

#[test]
fn from_one_house_into_another_through_door_or_window() {
    for [near, far] in [[Door, Door], [Window, Door], [Door, Window], [Window, Window]] {
        check_across([[Closed, near], [far, Closed]]);
    }
}

/// Looks north along a row of five houses that are open on both sides. Walls hide nothing in a walk outdoors, so every
/// house is entered by its own door in the landscape nearest to the viewer; what shows of it through the houses between
/// lies in that region.
#[track_caller]
fn check_row(viewer: &Viewer, entered: &[u16], first: &[(CellId, u16, bool)]) {
    let world = street(&[[Door, Door]; 5]);
    let mut scratch = ViewScratch::new();
    let scene = Scene { world: &world, rules: rules_with_stab_lists(), viewer: *viewer };
    scene.never_misses(&mut scratch, 2000, &mut Random(2));
    scene.rarely_too_much(&mut scratch);
    let seen = scratch.visible();
    for number in entered {
        let regions: Vec<Region<'_>> = seen.cell(house(*number)).unwrap().regions().collect();
        let [region] = regions[..] else { panic!("{} regions of house {number}", regions.len()) };
        let way = [&[(house(*number), 0, true)], first].concat();
        assert_eq!(ways(seen, region), way);
        // And behind it the landscape, through its other door.
        let behind = [&[(house(*number), 1, false)], &way[..]].concat();
        let views = seen.landscape().filter(|region| ways(seen, *region) == behind).count();
        assert_eq!(views, 1, "the landscape behind house {number}");
        for pair in chain(seen, region).windows(2) {
            assert!(points_in(&pair[0]).iter().all(|at| pair[1].contains(*at)));
        }
    }
    // The landscape in front of them, and no region twice.
    assert_eq!(seen.landscape().len(), 1 + entered.len());
    assert_eq!(seen.stats().walks, entered.len() + usize::from(!viewer.cell().is_outdoor()));
}

#[test]
fn a_row_of_houses_is_visible_from_the_first_of_them() {
    check_row(&in_the_first(), &[1, 2, 3, 4], &[(house(0), 1, false)]);
}

#[test]
fn a_row_of_houses_is_visible_from_the_street() {
    let outdoors = viewer_at(TOWN.cell(0x19), [84.0, 3.0, 1.6], [84.0, 40.0, 1.6]);
    check_row(&outdoors, &[0, 1, 2, 3, 4], &[]);
}

/// Checks whether a house at `y`, with a door in the south 3 m in front, is visible from a house with a door in the north
/// at y = 15. Records may place one house inside the other.
#[track_caller]
fn check_second_at(y: f32, want: bool) {
    let mut records = records(&[[Closed, Door], [Door, Closed]]);
    let mut room: EnvCell = Records::new(&records).get(house(1).into()).unwrap().unwrap();
    room.position.origin.y = y;
    records.put(house(1).into(), &room).unwrap();
    let world = world_from(records);
    let mut scratch = ViewScratch::new();
    let scene = Scene { world: &world, rules: rules_with_stab_lists(), viewer: in_the_first() };
    scene.never_misses(&mut scratch, 2000, &mut Random(3));
    assert_eq!(scratch.visible().landscape().len(), 1);
    assert_eq!(scratch.visible().cell(house(1)).is_some(), want, "at {y}");
}

#[test]
fn what_lies_in_front_of_a_portal_does_not_show_through_it() {
    check_second_at(30.0, true);
    check_second_at(18.1, true);
    check_second_at(17.5, false);
    check_second_at(16.0, false);
}

/// Looks out of every exit of every house. Whatever shows of another house shows through that exit and a portal of the
/// other house, and nothing is missed. Returns the number of regions of other houses.
fn look_out(world: &World, mut random: Random) -> usize {
    let (mut scratch, mut across) = (ViewScratch::new(), 0);
    for room in room_ids(world).into_iter().filter_map(|cell| world.room(cell)) {
        for (portal, number) in room.portals().iter().zip(0..) {
            if portal.other.is_some() {
                continue;
            }
            let corners = room.portal_polygon(portal).vertices;
            let middle = room.to_block(corners.iter().sum::<Vec3>() / corners.len() as f32);
            let eye = random_point_in(world, room.id(), &mut random);
            let viewer = viewer_at(room.id(), eye.to_array(), middle.to_array());
            let scene = Scene { world, rules: rules_with_stab_lists(), viewer };
            scene.never_misses(&mut scratch, 30, &mut random);
            scene.rarely_too_much(&mut scratch);
            let seen = scratch.visible();
            for region in seen.cells().flat_map(|cell| cell.regions()) {
                let way = ways(seen, region);
                let entries = way.iter().filter(|(.., outdoors)| *outdoors).count();
                let Some(entry) = way.iter().position(|(.., outdoors)| *outdoors) else { continue };
                // The portal before it on the way is an exit of the viewer's house.
                let (out, exit, _) = way[entry + 1];
                let exit = &world.room(out).unwrap().portals()[usize::from(exit)];
                assert!(exit.other.is_none() && entries <= 3, "{way:?}");
                across += 1;
            }
            let is_out = |(cell, at, _): &(CellId, u16, bool)| (*cell, *at) == (room.id(), number);
            let views =
                seen.landscape().filter(|region| ways(seen, *region).first().is_some_and(is_out));
            assert_eq!(views.count(), 1, "portal {number} of {} from {eye}", room.id());
        }
    }
    across
}

#[test]
fn from_the_houses_of_made_worlds_into_others() {
    for made in forged::builtins().iter().chain(&forged::villages()) {
        let across = look_out(&made.world(), Random(made.seed));
        assert!(across > 4, "{}: {across}", made.name);
    }
}
