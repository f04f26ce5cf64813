//! The walk through the built-in world, moment by moment.

use threshold_forge::{MOVER, SEED, TourLeg, builtin, tour};
use threshold_land::glam::Vec3;
use threshold_world::{Builder, World};

use super::{Frame, Happening, Route, Stroll};

fn stroll(legs: Vec<TourLeg>) -> Stroll {
    let builder = Builder::new(builtin(SEED).unwrap());
    let mut world = World::new();
    for piece in builder.pieces() {
        world.adopt(builder.build(piece).unwrap().unwrap().piece);
    }
    Stroll::new(world, builder.setup(MOVER).unwrap(), Route::new(legs))
}

fn frames(stroll: &mut Stroll) -> Vec<Frame> {
    let mut frames = Vec::new();
    while let Some(frame) = stroll.frame().unwrap() {
        frames.push(frame);
    }
    frames
}

/// Whether the walker was put where it is between two moments.
fn is_cut(frame: &Frame) -> bool {
    frame.happened.iter().any(|happening| matches!(happening, Happening::Begun(_)))
}

#[test]
fn the_camera_is_always_in_the_cell_that_it_says_and_near_the_walker() {
    let mut stroll = stroll(tour(SEED));
    let frames = frames(&mut stroll);
    let world = stroll.world();
    for frame in &frames {
        let Frame { time, body, eye, look, .. } = frame;
        assert!(world.cell(eye.cell).unwrap().contains(eye.frame.origin), "{time}: {eye:?}");
        let head = body.offset_to(eye) - Vec3::Z * 1.65;
        assert!(head.length() < 4.3, "{time}: {head} from the head");
        assert!((look.distance(eye.frame.origin) - 10.0).abs() < 1e-3, "{time}: {look}");
    }
}

#[test]
fn the_walker_never_jumps_and_turns_smoothly() {
    let frames = frames(&mut stroll(tour(SEED)));
    for pair in frames.windows(2).filter(|pair| !is_cut(&pair[1])) {
        let [before, after] = pair else { continue };
        let way = before.body.offset_to(&after.body);
        let level = way.truncate().length();
        assert!(level < 10.0 / 30.0 + 0.01, "{}: {level} m in a tick", after.time);
        // Down a step it is put, or falls.
        assert!(way.z.abs() < 0.61, "{}: {} m up", after.time, way.z);
        let [from, to] = [before, after].map(|frame| frame.body.frame.rotation);
        let cosine = from.dot(to).abs();
        assert!(cosine > 0.997, "{}: turned by {cosine}", after.time);
    }
    assert!(frames.len() > 5_000);
}

#[test]
fn at_a_station_the_walker_stands_and_sees_what_the_place_is_for() {
    let mut stops = 0;
    for frame in frames(&mut stroll(tour(SEED))) {
        for happening in &frame.happened {
            let Happening::Reached(place) = happening else { continue };
            stops += 1;
            let off = place.position.offset_to(&frame.body);
            assert!(off.length() < 0.1, "{}: {off} beside it", place.name);
            assert_eq!(frame.body.cell, place.position.cell, "{}", place.name);
            assert_eq!(frame.gait.velocity(), Vec3::ZERO, "{}", place.name);
            let ahead = (frame.look - frame.eye.frame.origin).normalize();
            let facing = place.position.frame.rotation.rotate(Vec3::Y);
            assert!(ahead.dot(facing) > 0.99, "{}: looks {ahead}", place.name);
            let out = frame.body.offset_to(&frame.eye) - Vec3::Z * 1.65;
            assert!(out.length() < 0.1, "{}: the camera is {out} off", place.name);
        }
    }
    assert_eq!(stops, 16);
}

/// Where in the walk it stops at a place.
fn stop_at(legs: &[TourLeg], name: &str) -> usize {
    let is_it = |leg: &TourLeg| matches!(leg, TourLeg::Stop(place) if place.name == name);
    legs.iter().position(is_it).unwrap()
}

/// What stops a walk.
#[track_caller]
fn check_stuck(legs: Vec<TourLeg>, parts: &[&str]) {
    let mut stroll = stroll(legs);
    let stuck = loop {
        match stroll.frame() {
            Ok(Some(_)) => {}
            Ok(None) => panic!("nothing stopped it"),
            Err(stuck) => break stuck.to_string(),
        }
    };
    for part in parts {
        assert!(stuck.contains(part), "{part}: {stuck}");
    }
}

#[test]
fn a_walk_into_a_wall_names_the_waypoint_and_what_is_in_the_way() {
    let mut legs = tour(SEED);
    // From the taproom to the head of the stairs, through the wall.
    let foot = stop_at(&legs, "inn stairs");
    legs.drain(foot - 1..=foot);
    check_stuck(legs, &["stopped short of waypoint 12 (inn, ", "0xA9B40106", "wall", "polygon"]);
}

#[test]
fn who_is_right_below_a_place_has_not_reached_it() {
    let mut legs = tour(SEED);
    // Through the taproom to below the window; the door below stands open right there, so 3 m beside it.
    let (foot, window) = (stop_at(&legs, "inn stairs"), stop_at(&legs, "upper room window"));
    let TourLeg::Stop(place) = &mut legs[window] else { panic!("a stop") };
    place.position.frame.origin.x += 3.0;
    legs.drain(foot - 1..window);
    check_stuck(legs, &["short of the upper room window", "0xA9B40106: that is in 0xA9B4010C"]);
}
