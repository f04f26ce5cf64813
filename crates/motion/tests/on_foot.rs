//! Everything can be reached on foot: an explorer that goes from place to place and through every portal gets into every cell of
//! the built-in world and of random worlds, and home again from everywhere, by sweeps alone.
//!
//! Doors of made worlds stand open; their leaves are as solid as walls, and the explorer goes past them. It does not walk over
//! edges (retail's edge slide): it leaps down shafts and off tables.
//!
//! Three built-in worlds and a few random ones; with `THRESHOLD_SOAK` set, ten times as many.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "a test stops at what it does not expect"
)]

mod explorer;

use std::collections::BTreeSet;
use threshold_testkit::{
    layouts::{A, B, dungeon},
    load_all,
};

use threshold_dat::Source;
use threshold_forge::{Face, Opening, Plan, RoomSpec, SEED, Shape, builtin, samples};
use threshold_land::vector::Vec3;
use threshold_land::{BlockId, CellId, Position};
use threshold_world::{Builder, World};

use explorer::Explorer;
use explorer::ground::{on_the_map, within_reach};
use explorer::home::HomewardRoutes;
use explorer::lane::{Lane, Lanes, rooms};
use explorer::survey::Survey;

/// The south-western landblock of the built-in world, from which its plan counts metres.
const CORNER: BlockId = BlockId(0xA7B2);
/// Its shaft and its well: the explorer falls through them and stands below.
const FALLEN_THROUGH: [CellId; 2] = [CellId(0xACB4_013B), CellId(0xACB4_014D)];

fn seeds(few: u64) -> std::ops::Range<u64> {
    SEED..SEED + if std::env::var_os("THRESHOLD_SOAK").is_some() { few * 10 } else { few }
}

/// Returns the position of a point on the map of the built-in world.
fn map_position(at: [f32; 2], height: f32) -> Position {
    let (cell, there) = on_the_map(CORNER, at);
    Position::new(cell, there.extend(height))
}

/// Returns a start before the first door that leads indoors, or else before the first lane.
fn start(world: &World) -> Position {
    let lanes = Lanes::of(world);
    let outdoors = lanes.all().iter().find(|lane| lane.from.is_outdoor());
    outdoors.or(lanes.all().first()).unwrap().before
}

/// Checks that the explorer reached every room, and that a route leads home from every place.
#[track_caller]
fn check(name: &str, mut survey: Survey) -> Survey {
    let report = survey.report();
    assert!(report.is_empty(), "{name}: {report}");
    let homeward = survey.find_routes_home();
    let traps = survey.traps(&homeward);
    assert!(traps.is_empty(), "{name}: {traps}");
    check_walks_home(name, &mut survey, &homeward);
    assert_eq!(survey.explorer.strayed, [], "{name}: from one cell into another without a portal");
    survey
}

/// Walks home from the place of every room that is farthest from home, in one go.
#[track_caller]
fn check_walks_home(name: &str, survey: &mut Survey, homeward: &HomewardRoutes) {
    for (room, place) in survey.deepest(homeward) {
        if let Err(reason) = survey.walk_home(homeward, place) {
            panic!("{name}: on the way home from {room}: {reason}");
        }
    }
    let fallen_through = survey.never_stood_in();
    for room in fallen_through {
        let drops = |lane: &Lane| lane.from == room && lane.drops;
        assert!(survey.lanes.all().iter().any(drops), "{name}: no mover can stand in {room}");
    }
}

fn check_made(name: &str, source: impl Source + Clone + 'static) {
    let start = start(&load_all(&Builder::new(source.clone())));
    let survey = check(name, Survey::of(Explorer::new(source, start)));
    assert!(!rooms(survey.explorer.world()).is_empty(), "{name}");
}

/// Returns whether the explorer stood within a distance of a position, and at most a metre higher or lower.
fn stood_near(survey: &Survey, at: &Position, metres: f32) -> bool {
    survey.places.iter().any(|place| {
        let off = place.state.at.offset_to(at);
        off.truncate().length() < metres && off.z.abs() < 1.0
    })
}

#[track_caller]
fn check_built_in(seed: u64) {
    let name = format!("built-in world {seed}");
    let explorer = Explorer::new(builtin(seed).unwrap(), map_position([474.0, 468.0], 40.0));
    let survey = check(&name, Survey::of(explorer));
    assert_eq!(survey.never_stood_in(), FALLEN_THROUGH, "{name}");
    let reach = within_reach(survey.explorer.world(), survey.places[0].state.at.cell);
    let missing: Vec<&CellId> = reach.difference(&survey.explorer.visited).collect();
    assert!(missing.is_empty(), "{name}: of {} land cells not {missing:?}", reach.len());
    assert!(reach.len() > 1_100, "{name}: only {} land cells can be walked to", reach.len());
    check_landmarks(&name, &survey);
}

#[track_caller]
fn check_landmarks(name: &str, survey: &Survey) {
    // The middle of the bridge and both of its ends.
    for y in [576.0, 612.0, 648.0] {
        assert!(
            stood_near(survey, &map_position([480.0, y], 40.35), 4.0),
            "{name}: the bridge at {y}"
        );
    }
    let top = |at: [f32; 2], metres: f32| {
        let near = |at: &Position, to: &Position| at.offset_to(to).truncate().length() < metres;
        let places = survey.places.iter().map(|place| place.state.at);
        let heights = places.filter(|there| near(there, &map_position(at, 0.0)));
        heights.map(|there| there.frame.origin.z).fold(0.0, f32::max)
    };
    let (table, lookout) = (top([800.0, 230.0], 30.0), top([516.0, 805.0], 5.0));
    assert!(table > 84.0, "{name}: the table hill is climbed to {table} m");
    assert!(lookout > 68.0, "{name}: the tower is climbed to {lookout} m");
    // Both doors on borders are passed both ways.
    let passed = survey.passed.iter().map(|number| survey.lanes.get(*number));
    let ends = passed.map(|lane| [lane.before, lane.behind].map(|end| end.outside_cell().unwrap()));
    let across: BTreeSet<[CellId; 2]> =
        ends.filter(|[from, to]| from.block() != to.block()).collect();
    assert_eq!(across.len(), 4, "{name}: {across:?}");
}

#[test]
fn every_cell_of_the_built_in_world_is_reached_on_foot_and_left_again() {
    seeds(1).for_each(check_built_in);
}

#[test]
fn every_cell_is_reached_on_foot_on_other_terrain() {
    seeds(2).map(|seed| seed + 1).for_each(check_built_in);
}

#[test]
fn every_room_of_a_random_village_is_reached_on_foot() {
    for seed in seeds(4) {
        check_made(&format!("village {seed}"), samples::village(60, seed).unwrap().into_records());
    }
}

#[test]
fn every_room_of_a_random_deep_dungeon_is_reached_on_foot() {
    for seed in seeds(6) {
        check_made(&format!("dungeon {seed}"), samples::deep(80, seed).unwrap().into_records());
    }
}

/// Returns a survey of two rooms with a doorway between them, and a block in the first.
fn two_rooms(block: Shape) -> Survey {
    let mut plan = Plan::new();
    let west = plan.room(RoomSpec::cuboid([0.0, 0.0, 0.0], [4.0, 4.0, 3.0]).block(block));
    let east = plan.room(RoomSpec::cuboid([4.0, 0.0, 0.0], [8.0, 4.0, 3.0]));
    plan.join(west, east, Opening::door(Face::EAST));
    let start = Position::new(A, Vec3::new(1.0, 2.0, 0.0));
    Survey::of(Explorer::new(dungeon(plan), start))
}

#[test]
fn the_report_names_a_room_behind_a_blocked_door_and_the_obstacle() {
    let mut survey = two_rooms(Shape::cuboid([3.4, 0.6, 0.0], [3.7, 3.4, 1.0]));
    assert_eq!(survey.missing(), [B]);
    let report = survey.report();
    for part in ["0x01020101 was not reached", "from 0x01020100", "wall", "polygon"] {
        assert!(report.contains(part), "{part}: {report}");
    }
    assert_eq!(two_rooms(Shape::cuboid([3.4, 0.6, 0.0], [3.7, 3.4, 0.4])).report(), "");
}

/// Returns a survey of a room with a hole in its floor, from (5, 1) to (7, 3), and a room of a size under it.
fn pit([low, high]: [[f32; 3]; 2]) -> Survey {
    let mut plan = Plan::new();
    let above = plan.room(RoomSpec::cuboid([0.0, 0.0, 0.0], [8.0, 4.0, 3.0]));
    let pit = plan.room(RoomSpec::cuboid(low, high));
    let hole = [[5.0, 1.0, 0.0], [7.0, 1.0, 0.0], [7.0, 3.0, 0.0], [5.0, 3.0, 0.0]];
    plan.join(above, pit, Opening::polygon(hole));
    Survey::of(Explorer::new(dungeon(plan), Position::new(A, Vec3::new(2.0, 2.0, 0.0))))
}

#[test]
fn a_pit_that_no_mover_climbs_out_of_is_found() {
    let mut survey = pit([[5.0, 1.0, -4.0], [7.0, 3.0, 0.0]]);
    assert_eq!(survey.report(), "");
    let homeward = survey.find_routes_home();
    let traps = survey.traps(&homeward);
    assert!(traps.contains("no route leads home from 0x01020101"), "{traps}");
    assert!(!traps.contains("from 0x01020100"), "{traps}");
}

/// The solid over the ceiling of the room below was once as thick as the room above.
#[test]
fn a_wider_room_below_does_not_stop_a_mover() {
    let survey = pit([[4.0, 0.0, -4.0], [8.0, 4.0, 0.0]]);
    assert_eq!(survey.missing(), []);
}
