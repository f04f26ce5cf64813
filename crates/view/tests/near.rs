//! The near-portal rule: which portals are passed whole.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod graph;
mod rays;

use graph::{Graph, across, cell};
use rays::{NO_MARGIN, Rays};
use threshold_forge::samples::TOWN;
use threshold_forge::{Face, Forge, Opening, Plan, RoomSpec};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Frame};
use threshold_testkit::{
    Random, edit_room, every_third_room, forged, room_ids, rules_without_stab_lists, sample_world,
    soak_factor, viewer_at, viewers_at_portals, world_from,
};
use threshold_view::{Lens, PortalOutcome, PortalWalk, ViewEvent, ViewScratch, Viewer};
use threshold_world::World;

/// Returns the portals of the viewer's own cell that are passed whole; outdoors, those into houses.
fn passed(world: &World, viewer: &Viewer, scratch: &mut ViewScratch) -> Vec<(u32, u16)> {
    let mut told: Vec<ViewEvent> = Vec::new();
    let seen =
        PortalWalk { world, rules: rules_without_stab_lists() }.run(scratch, &mut told, viewer);
    let is_near = |told: &&ViewEvent| matches!(told, ViewEvent::PortalTested(trial) if trial.outcome == PortalOutcome::VisibleWhole);
    // Some are passed whole and show nothing new.
    assert!(seen.stats().whole_portals >= told.iter().filter(is_near).count());
    let root = viewer.cell();
    let mut passed: Vec<(u32, u16)> = told
        .into_iter()
        .filter_map(|told| match told {
            ViewEvent::PortalTested(trial) if trial.outcome == PortalOutcome::VisibleWhole => {
                let is_own =
                    trial.outdoors == root.is_outdoor() && (trial.outdoors || trial.cell == root);
                is_own.then_some((trial.cell.0, trial.portal))
            }
            _ => None,
        })
        .collect();
    passed.sort_unstable();
    passed.dedup();
    passed
}

/// Checks two rooms with a door of 2 m by 2.3 m at x = 4, from an eye at a distance before the door, at `y`, turned by some
/// degrees from the way through.
#[track_caller]
fn check(before: f32, y: f32, turn: f32, want: bool) {
    check_with(Lens::default(), before, y, turn, want);
}

#[track_caller]
fn check_with(lens: Lens, before: f32, y: f32, turn: f32, want: bool) {
    let mut graph = Graph::new();
    let rooms = [
        graph.room([0.0, 0.0, 0.0], [4.0, 6.0, 3.0]),
        graph.room([4.0, 0.0, 0.0], [8.0, 6.0, 3.0]),
    ];
    graph.join(rooms[0], rooms[1], across(0, 4.0, [2.0, 0.0], [4.0, 2.3]));
    let world = graph.world();
    let eye = Vec3::new(4.0 - before, y, 1.5);
    let turn = turn.to_radians();
    let look = eye + Vec3::new(libm::cosf(turn), libm::sinf(turn), 0.0);
    let viewer = Viewer::looking_at(cell(0), eye, look, lens).unwrap();
    let is_passed = !passed(&world, &viewer, &mut ViewScratch::new()).is_empty();
    assert_eq!(is_passed, want, "{before} before, y = {y}, turned {turn}");
}

#[test]
fn a_portal_within_two_centimetres_is_passed_whole_in_any_direction() {
    for turn in [0.0, 90.0, 180.0] {
        check(0.019, 3.0, turn, true);
        check(0.0, 3.0, turn, true);
        check(-0.019, 3.0, turn, true);
        check(-0.021, 3.0, turn, false);
    }
}

/// The enlarged near rectangle is 0.102 m ahead; its corners are 0.105 m to the right and left.
#[test]
fn a_portal_that_the_near_rectangle_reaches_is_passed_whole() {
    check(0.101, 3.0, 0.0, true);
    check(0.103, 3.0, 0.0, false);
    check(0.104, 3.0, 90.0, true);
    check(0.106, 3.0, 90.0, false);
    check(0.14, 3.0, 45.0, true);
    check(0.021, 3.0, 180.0, false);
}

/// Its corners are 0.157 m away.
#[test]
fn a_portal_beside_the_eye_is_not_passed_whole() {
    check(0.05, 1.85, 0.0, true);
    check(0.05, 1.84, 0.0, false);
    check(0.01, 4.15, 180.0, true);
    check(0.01, 4.16, 180.0, false);
    // Two centimetres count, whatever the near plane.
    let lens = Lens { near: 0.001, ..Lens::default() };
    check_with(lens, 0.01, 4.019, 0.0, true);
    check_with(lens, 0.01, 4.021, 0.0, false);
}

/// Checks every portal of some rooms against the definition. Returns the numbers of near and of other portals.
fn check_rooms(world: &World, rooms: &[CellId], mut random: Random) -> (usize, usize) {
    let (mut scratch, mut near, mut far) = (ViewScratch::new(), 0, 0);
    for id in rooms {
        for viewer in viewers_at_portals(world, world.room(*id).unwrap(), &mut random) {
            let rays = Rays::new(world, &viewer, NO_MARGIN);
            let root = viewer.cell();
            let (rooms, side) = match root.is_outdoor() {
                true => (room_ids(world), -1.0),
                false => (vec![root], 1.0),
            };
            let mut want = Vec::new();
            for room in rooms {
                for (portal, number) in world.room(room).unwrap().portals().iter().zip(0..) {
                    let is_way = !root.is_outdoor() || portal.other.is_none();
                    let hole = rays.hole(room, usize::from(number));
                    match is_way && hole.is_near(&viewer, 0.1, side) {
                        true => want.push((room.0, number)),
                        false => far += 1,
                    }
                }
            }
            near += want.len();
            assert_eq!(passed(world, &viewer, &mut scratch), want, "{viewer:?}");
        }
    }
    (near, far)
}

#[test]
fn portals_are_passed_whole_exactly_by_the_definition() {
    for name in ["dungeon", "holt"] {
        let world = sample_world(name);
        let rooms = room_ids(&world).repeat(soak_factor());
        let (near, far) = check_rooms(&world, &rooms, Random(19));
        assert!(near > 500 && far > 500, "{name}: {near} {far}");
    }
}

#[test]
fn portals_of_made_worlds_are_passed_whole_exactly_by_the_definition() {
    let (villages, deeps) = (forged::villages(), forged::deep_dungeons());
    for made in forged::builtins().iter().chain(&villages).chain(&deeps) {
        let world = made.world();
        let rooms = every_third_room(&world, made.seed);
        let (near, far) = check_rooms(&world, &rooms, Random(made.seed));
        assert!(near > 100 && far > 50, "{}: {near} {far}", made.name);
    }
}

/// A hut at (84, 12) with a door in the north, at y = 15, and one with a door in `face` at the given origin.
fn huts(door: Face, second: Vec3) -> (World, [CellId; 2]) {
    let mut forge = Forge::new();
    let block = forge.block(TOWN);
    let mut hut = |face: Face, y: f32| {
        let mut plan = Plan::new();
        let room = plan.room(RoomSpec::cuboid([-3.0, -3.0, 0.0], [3.0, 3.0, 3.0]));
        plan.exit(room, Opening::door(face));
        block.building(Frame::at(Vec3::new(84.0, y, 0.1)), plan).of(room)
    };
    let cells = [hut(Face::NORTH, 12.0), hut(door, 36.0)];
    let mut records = forge.finish().unwrap().into_records();
    edit_room(&mut records, cells[1], |room| room.position.origin = second);
    (world_from(records), cells)
}

/// The door of one hut is 2 cm behind the door of the other and half a door aside, so a viewer that looks out of the first
/// is near both.
#[test]
fn a_portal_seen_through_another_is_not_passed_whole() {
    let (world, cells) = huts(Face::SOUTH, Vec3::new(84.9, 18.02, 0.1));
    let mut scratch = ViewScratch::new();
    let viewer = viewer_at(cells[0], [84.0, 14.95, 1.5], [84.0, 20.0, 1.5]);
    let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
    let whole = seen.landscape().next().unwrap();
    let part = seen.cell(cells[1]).unwrap().regions().next().unwrap();
    assert_eq!((whole.coverage(), part.entry().map(|via| via.outdoors)), (1.0, Some(true)));
    assert!(part.coverage() > 0.4 && part.coverage() < 0.6, "{}", part.coverage());
}

/// The door of the second hut stands across that of the first, at x = 84.01, and leads west.
#[test]
fn a_portal_seen_through_another_is_not_passed_from_behind() {
    let (world, cells) = huts(Face::EAST, Vec3::new(81.01, 15.0, 0.1));
    let mut scratch = ViewScratch::new();
    for (x, want) in [(84.0, false), (84.02, true)] {
        let viewer = viewer_at(cells[0], [x, 14.8, 1.5], [84.01, 20.0, 1.5]);
        let seen = PortalWalk::new(&world).run(&mut scratch, &mut (), &viewer);
        assert_eq!(seen.cell(cells[1]).is_some(), want, "from x = {x}");
    }
}
