//! Explanations that were wrong once.

use super::{Step, check, joined};

/// What a summary must say, and what it must not.
const TRUE: [(Step, &[&str], &[&str]); 15] = [
    (
        Step("holt-viewer", "holt-camera-0005", "0"),
        &["It entered room 0xA9B4012E in sub-step 6 of 15", "leaving the camera at"],
        &["Passed over"],
    ),
    (
        Step("dungeon-random-walk", "dungeon-random-walk-0106", "5"),
        &["Turned aside by the surface hit in an earlier move, facing west (normal -1 0 0)"],
        &["makes the difference"],
    ),
    (
        Step("dungeon-sills", "dungeon-sill-0006", "20"),
        &["Nothing was in the way; following the ground makes the difference."],
        &[],
    ),
    (
        Step("dungeon-place", "dungeon-place-0002", "0"),
        &["It is not placed: it would be in no cell, and lost.", "0x01020112 by 0.458 m"],
        &["It is placed there", "It stands"],
    ),
    (
        Step("dungeon-random-sim", "dungeon-random-sim-0040", "3"),
        &[
            "It stays at",
            "It stands on assumed ground, after three falls without movement",
            "a mover that is taken back keeps its cell",
        ],
        &["all the way", "the same ground as before", "not let out"],
    ),
    (
        Step("dungeon-random-walk", "dungeon-random-walk-0051", "3"),
        &["Nothing was in the way."],
        &["Turned aside", "Stopped by", "0.117 m outside. It"],
    ),
    (
        Step("dungeon-random-walk", "dungeon-random-walk-0197", "32"),
        &["Turned aside by the surface hit in an earlier move, facing east (normal 1 0 0)"],
        &["aside by a floor", "by the back"],
    ),
    (
        Step("holt-portals", "holt-portal-0010", "28"),
        &["counts as a wall facing east (normal 1 0 0)", "polygon 0 of room 0xA9B4015F"],
        &["-0.303 m"],
    ),
    (
        Step("dungeon-place", "dungeon-place-0000", "10"),
        &["the place is tried twice", "It was in polygon 1 of room 0x0102014C first."],
        &[],
    ),
    (
        Step("holt-objects", "holt-object-0024", "28"),
        &["met at 104.17 99.176 40.48;", "is 0.028 m behind it"],
        &["-0.028 m"],
    ),
    (
        Step("dungeon-random-sim", "dungeon-random-sim-0002", "0"),
        &[
            "cylinder 0 of body 0x00000000, which pushes it down (normal 0 0 -1), met by the upper sphere",
        ],
        &["met at", "0.329"],
    ),
    (
        Step("dungeon-stairs", "dungeon-stairs-up-0005", "9"),
        &["It stands on the ground it was placed on; the plane is not known yet."],
        &["nowhere", "too steep", "not let out"],
    ),
    (
        Step("dungeon-stairs", "dungeon-stairs-down-0005", "0"),
        &["nothing flat enough to stand on"],
        &["no ground below"],
    ),
    (
        Step("dungeon-random-walk", "dungeon-random-walk-0023", "5"),
        &["within 0 m below: this mover takes no step down"],
        &[],
    ),
    (
        Step("holt-stairs", "holt-stairs-up-0007", "1"),
        &["Stepped up by 0.282 m onto polygon 35", "after running into a wall: polygon 34"],
        &["onto a wall"],
    ),
];

#[test]
fn answers_say_what_is_so_and_nothing_else() {
    for (step, wanted, unwanted) in TRUE {
        check(step, wanted);
        let text = step.text(&[]);
        let short = joined(text.split("Rules that decided").next().unwrap());
        let found = unwanted.iter().find(|unwanted| short.contains(**unwanted));
        assert_eq!(found, None, "{step:?}: {short}");
    }
}

#[test]
fn the_ground_search_is_the_same_in_summary_and_sub_steps() {
    let text = joined(&Step("dungeon-ledges", "dungeon-shaft-edge-0000", "22").text(&[]));
    let (short, long) = text.split_once("Sub-steps").unwrap();
    assert!(short.contains("there is ground to stand on, but no room on it"), "{short}");
    assert!(
        long.contains("there is ground, but the solid space of room 0x0102010B leaves no room"),
        "{long}"
    );
    assert!(!long.contains("no ground"), "{long}");
}
