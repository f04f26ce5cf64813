//! Crowds in the built-in world and in random worlds: the same for any number of threads.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

mod threads;

use threads::run;
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Rotation};
use threshold_motion::Event;
use threshold_testkit::{
    CrowdScene,
    doorway::doorways,
    forged::{self, ForgedWorld},
};
use threshold_world::BodyId;

fn ticks() -> u32 {
    if std::env::var_os("THRESHOLD_SOAK").is_some() { 900 } else { 90 }
}

/// Returns a crowd of creatures beside every doorway where one has room, each facing it.
fn doorway_crowd(made: &ForgedWorld) -> CrowdScene {
    let mut scene = CrowdScene::new(made.builder());
    let doors =
        doorways(&scene.world).into_iter().filter(|door| !door.lies_flat && !door.is_walled);
    for (number, door) in (0..).zip(doors.collect::<Vec<_>>()) {
        let mut position = Position::new(door.room, door.sill - door.outward * 0.9 + Vec3::Z * 0.2);
        let heading = libm::atan2f(door.outward.x, door.outward.y).to_degrees();
        position.frame.rotation = Rotation::from_heading(heading);
        if let Some(body) = scene.enter(number, position) {
            scene.join(body);
        }
    }
    scene
}

/// Returns the changes from cell to cell.
fn cell_changes(events: &[(BodyId, Event)]) -> Vec<[CellId; 2]> {
    let change = |(_, event): &(BodyId, Event)| match event {
        Event::CellChanged { from: Some(from), to: Some(to) } => Some([*from, *to]),
        _ => None,
    };
    events.iter().filter_map(change).collect()
}

/// Returns the size of the crowd, and its changes from cell to cell.
#[track_caller]
fn check(made: &ForgedWorld) -> (usize, Vec<[CellId; 2]>) {
    let want = run(doorway_crowd(made), 1, ticks());
    for threads in [2, 3, 16] {
        assert_eq!(
            run(doorway_crowd(made), threads, ticks()),
            want,
            "{}: {threads} threads",
            made.name
        );
    }
    // Only a body that runs off the map is lost.
    let from_a_room =
        |(_, event): &(_, Event)| matches!(event, Event::Lost { from } if from.is_indoor());
    assert!(!want.1.iter().any(from_a_room), "{}", made.name);
    (doorway_crowd(made).crowd.len(), cell_changes(&want.1))
}

#[test]
fn a_crowd_in_the_built_in_world_is_the_same_for_any_number_of_threads() {
    for made in forged::builtins() {
        let (count, changes) = check(made);
        assert!(count > 380 && changes.len() > 400, "{}: {count}, {}", made.name, changes.len());
        let leaves = |[from, to]: &[CellId; 2]| from.is_indoor() && to.is_outdoor();
        assert!(changes.iter().any(leaves), "{}", made.name);
    }
}

#[test]
fn a_crowd_in_a_random_world_is_the_same_for_any_number_of_threads() {
    for made in forged::villages().iter().chain(&forged::deep_dungeons()) {
        let (count, changes) = check(made);
        assert!(count > 20 && changes.len() > 30, "{}: {count}, {}", made.name, changes.len());
    }
}
