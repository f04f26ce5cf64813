//! What is kept of what was played.

use threshold_conformance::trace::Reader;
use threshold_conformance::{Runner, compare};
use threshold_forge::SEED;
use threshold_land::CellId;

use super::{AHEAD, Play, before_a_door, step_back_and_open, walk_against_the_shut_door};
use crate::play::intent::Intent;
use crate::world::built_in;

/// The last minute, as a trace: run again, it comes to the same.
#[test]
fn what_was_played_is_replayed() {
    let mut play = Play::at("inn door", 60.0);
    play.frames(&AHEAD, 4.0);
    for (heading, seconds) in [(90.0, 1.5), (200.0, 2.0), (300.0, 1.0), (10.0, 2.5)] {
        play.session.camera.heading = heading;
        play.frames(&Intent { run: true, ..AHEAD }, seconds);
    }
    play.frames(&Intent { jump: true, ..AHEAD }, 0.6);
    play.frames(&AHEAD, 2.0);
    let steps = replayed(&play);
    assert!(steps > 300, "{steps} steps");
}

/// Runs the last minute again where everything of the world is resident, and says how many moves that were.
#[track_caller]
fn replayed(play: &Play) -> usize {
    let mut trace = Vec::new();
    let rules = play.session.rules;
    let courses = play.session.journal.write(&mut trace, "builtin", &rules).unwrap();
    let mut reader = Reader::new();
    let mut read = Vec::new();
    for line in trace.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        read.extend(reader.line(line).unwrap());
    }
    assert_eq!(read.len(), courses);
    let mut runner = Runner::empty(built_in(SEED).unwrap(), rules);
    for piece in runner.pieces() {
        runner.load(piece);
    }
    for course in &read {
        let record = runner.run(&course.scenario).unwrap();
        let (kind, told) = (course.scenario.kind(), &course.record.steps);
        let difference = compare::first_difference(kind, &record.steps, told);
        assert!(difference.is_none(), "{}: {difference:?}", course.scenario.id);
    }
    read.iter().map(|course| course.record.steps.len()).sum()
}

/// The beginning is forgotten on the way, now and then in the middle of a slide or a fall.
#[test]
fn what_was_played_for_longer_than_a_minute_is_replayed_from_wherever_it_begins_then() {
    let mut play = Play::at("inn door", 60.0);
    for round in 0..14_u16 {
        play.session.camera.heading = f32::from(round) * 77.0;
        play.frames(&Intent { run: round % 2 == 0, ..AHEAD }, 4.0);
        play.frames(&Intent { jump: true, ..AHEAD }, 0.4);
        play.frames(&AHEAD, 1.3);
        if round > 9 {
            let steps = replayed(&play);
            assert!(steps > 900, "{steps} steps in round {round}");
        }
    }
}

#[test]
fn who_was_held_up_by_land_that_had_not_come_is_not_held_up_in_a_replay() {
    // In the corner of a landblock whose neighbours do not come.
    let mut play = Play::at("0xA9B40001", 60.0);
    play.session.set_far(0);
    play.frames(&Intent::default(), 3.0);
    for heading in [270.0, 200.0, 90.0] {
        play.session.camera.heading = heading;
        play.frames(&AHEAD, 6.0);
        assert_eq!(play.cell().block(), CellId(0xA9B4_0001).block());
    }
    assert!(replayed(&play) > 100);
}

#[test]
fn a_door_that_somebody_worked_is_not_in_the_way_of_a_replay() {
    let mut play = before_a_door();
    let inside = walk_against_the_shut_door(&mut play);
    step_back_and_open(&mut play, inside);
    play.frames(&AHEAD, 6.0);
    assert!(play.cell().is_outdoor());
    assert!(replayed(&play) > 30, "what was far from the door is told");
}

#[test]
fn what_was_longer_than_a_minute_ago_is_forgotten_by_who_stands_still_since() {
    let mut play = Play::at("inn door", 60.0);
    play.frames(&AHEAD, 3.0);
    assert!(replayed(&play) > 50 && play.session.journal.transits().count() > 0);
    play.frames(&Intent::default(), 61.0);
    assert_eq!((replayed(&play), play.session.journal.transits().count()), (0, 0));
}

#[test]
fn what_was_in_the_way_is_told_as_it_was_when_a_door_has_opened_since() {
    let mut play = before_a_door();
    let inside = walk_against_the_shut_door(&mut play);
    let why = play.session.why();
    assert!(why.join(" ").contains("the door"), "{why:?}");
    step_back_and_open(&mut play, inside);
    play.frames(&Intent::default(), 1.5);
    assert_eq!(play.session.why(), why);
}
