//! Replay of the journal's trace.

use threshold_conformance::trace::TraceReader;
use threshold_conformance::{Runner, compare};
use threshold_forge::{SEED, builtin};
use threshold_land::CellId;

use super::{AHEAD, Play, before_a_door, step_back_and_open, walk_against_the_closed_door};
use crate::Intent;

#[test]
fn the_trace_of_the_last_minute_replays_with_the_same_outcome() {
    let mut play = Play::at("inn door", 60.0);
    play.frames(&AHEAD, 4.0);
    for (heading, seconds) in [(90.0, 1.5), (200.0, 2.0), (300.0, 1.0), (10.0, 2.5)] {
        play.session.camera.heading = heading;
        play.frames(&Intent { run: true, ..AHEAD }, seconds);
    }
    play.frames(&Intent { jump: true, ..AHEAD }, 0.6);
    play.frames(&AHEAD, 2.0);
    let steps = replay(&play);
    assert!(steps > 300, "{steps} steps");
}

/// Replays the trace of the last minute in the whole world. Returns the number of moves.
#[track_caller]
fn replay(play: &Play) -> usize {
    let mut trace = Vec::new();
    let rules = play.session.rules;
    let courses = play.session.journal.write(&mut trace, "builtin", &rules).unwrap();
    let mut reader = TraceReader::new();
    let mut read_courses = Vec::new();
    for line in trace.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        read_courses.extend(reader.line(line).unwrap());
    }
    assert_eq!(read_courses.len(), courses);
    let mut runner = Runner::empty(builtin(SEED).unwrap(), rules);
    for piece in runner.pieces() {
        runner.load(piece);
    }
    for course in &read_courses {
        let record = runner.run(&course.scenario).unwrap();
        let (kind, recorded) = (course.scenario.kind(), &course.record.steps);
        let difference = compare::first_difference(kind, &record.steps, recorded);
        assert!(difference.is_none(), "{}: {difference:?}", course.scenario.id);
    }
    read_courses.iter().map(|course| course.record.steps.len()).sum()
}

/// The oldest moves are dropped, sometimes in the middle of a slide or a fall.
#[test]
fn a_session_longer_than_a_minute_is_replayed_from_the_oldest_kept_move() {
    let mut play = Play::at("inn door", 60.0);
    for round in 0..14_u16 {
        play.session.camera.heading = f32::from(round) * 77.0;
        play.frames(&Intent { run: round % 2 == 0, ..AHEAD }, 4.0);
        play.frames(&Intent { jump: true, ..AHEAD }, 0.4);
        play.frames(&AHEAD, 1.3);
        if round > 9 {
            let steps = replay(&play);
            assert!(steps > 900, "{steps} steps in round {round}");
        }
    }
}

#[test]
fn moves_stopped_by_land_that_was_not_loaded_are_left_out_of_a_replay() {
    // In the corner of a landblock without loaded neighbours.
    let mut play = Play::at("0xA9B40001", 60.0);
    play.session.set_landscape_radius(0);
    play.frames(&Intent::default(), 3.0);
    for heading in [270.0, 200.0, 90.0] {
        play.session.camera.heading = heading;
        play.frames(&AHEAD, 6.0);
        assert_eq!(play.cell().block(), CellId(0xA9B4_0001).block());
    }
    assert!(replay(&play) > 100);
}

#[test]
fn moves_near_a_door_that_was_used_are_left_out_of_a_replay() {
    let mut play = before_a_door();
    let inside = walk_against_the_closed_door(&mut play);
    step_back_and_open(&mut play, inside);
    play.frames(&AHEAD, 6.0);
    assert!(play.cell().is_outdoor());
    assert!(replay(&play) > 30, "moves far from the door are kept");
}

#[test]
fn moves_older_than_a_minute_are_dropped_while_the_player_stands() {
    let mut play = Play::at("inn door", 60.0);
    play.frames(&AHEAD, 3.0);
    assert!(replay(&play) > 50 && play.session.journal.transits().count() > 0);
    play.frames(&Intent::default(), 61.0);
    assert_eq!((replay(&play), play.session.journal.transits().count()), (0, 0));
}

#[test]
fn the_explanation_of_a_stop_stays_after_the_door_has_opened() {
    let mut play = before_a_door();
    let inside = walk_against_the_closed_door(&mut play);
    let explanation = play.session.explain_last_stop();
    assert!(explanation.join(" ").contains("the door"), "{explanation:?}");
    step_back_and_open(&mut play, inside);
    play.frames(&Intent::default(), 1.5);
    assert_eq!(play.session.explain_last_stop(), explanation);
}
