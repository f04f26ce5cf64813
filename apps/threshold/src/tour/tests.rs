//! Tests of the walk through the built-in world, frame by frame.

use threshold_forge::{MOVER, SEED, TourLeg, builtin, tour};
use threshold_land::vector::Vec3;
use threshold_world::{Builder, World};

use super::{Route, TourEvent, TourFrame, TourWalk};

fn walk(legs: Vec<TourLeg>) -> TourWalk {
    let builder = Builder::new(builtin(SEED).unwrap());
    let mut world = World::new();
    for piece in builder.pieces() {
        world.adopt(builder.build(piece).unwrap().unwrap().piece);
    }
    TourWalk::new(world, builder.setup(MOVER).unwrap(), Route::new(legs))
}

fn frames(walk: &mut TourWalk) -> Vec<TourFrame> {
    let mut frames = Vec::new();
    while let Some(frame) = walk.next_frame().unwrap() {
        frames.push(frame);
    }
    frames
}

/// Returns whether the walker was placed anew in a frame.
fn is_cut(frame: &TourFrame) -> bool {
    frame.events.iter().any(|event| matches!(event, TourEvent::Begun(_)))
}

#[test]
fn the_camera_is_always_in_its_cell_and_near_the_walker() {
    let mut walk = walk(tour(SEED));
    let frames = frames(&mut walk);
    let world = walk.world();
    for frame in &frames {
        let TourFrame { time, body, eye, look, .. } = frame;
        assert!(world.cell(eye.cell).unwrap().contains(eye.frame.origin), "{time}: {eye:?}");
        let head = body.offset_to(eye) - Vec3::Z * 1.65;
        assert!(head.length() < 4.3, "{time}: {head} from the head");
        assert!((look.distance(eye.frame.origin) - 10.0).abs() < 1e-3, "{time}: {look}");
    }
}

#[test]
fn the_walker_never_jumps_and_turns_smoothly() {
    let frames = frames(&mut walk(tour(SEED)));
    for pair in frames.windows(2).filter(|pair| !is_cut(&pair[1])) {
        let [before, after] = pair else { continue };
        let offset = before.body.offset_to(&after.body);
        let level = offset.truncate().length();
        assert!(level < 10.0 / 30.0 + 0.01, "{}: {level} m in a tick", after.time);
        // A step down lowers the walker by up to its step height, or it falls.
        assert!(offset.z.abs() < 0.61, "{}: {} m up", after.time, offset.z);
        let [from, to] = [before, after].map(|frame| frame.body.frame.rotation);
        let cosine = from.dot(to).abs();
        assert!(cosine > 0.997, "{}: turned by {cosine}", after.time);
    }
    assert!(frames.len() > 5_000);
}

#[test]
fn at_a_station_the_walker_stands_still_with_the_heading_of_the_place() {
    let mut stops = 0;
    for frame in frames(&mut walk(tour(SEED))) {
        for event in &frame.events {
            let TourEvent::Reached(place) = event else { continue };
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

/// Returns the index of the leg that stops at a place.
fn stop_at(legs: &[TourLeg], name: &str) -> usize {
    let is_it = |leg: &TourLeg| matches!(leg, TourLeg::Stop(place) if place.name == name);
    legs.iter().position(is_it).unwrap()
}

/// Runs a walk that must be blocked, with an error that contains these parts.
#[track_caller]
fn check_blocked(legs: Vec<TourLeg>, parts: &[&str]) {
    let mut walk = walk(legs);
    let blocked = loop {
        match walk.next_frame() {
            Ok(Some(_)) => {}
            Ok(None) => panic!("nothing blocked the walk"),
            Err(blocked) => break blocked.to_string(),
        }
    };
    for part in parts {
        assert!(blocked.contains(part), "{part}: {blocked}");
    }
}

#[test]
fn a_walk_into_a_wall_names_the_waypoint_and_the_obstacle() {
    let mut legs = tour(SEED);
    // From the taproom to the head of the stairs, through the wall.
    let foot = stop_at(&legs, "inn stairs");
    legs.drain(foot - 1..=foot);
    check_blocked(legs, &["stopped short of waypoint 12 (inn, ", "0xA9B40106", "wall", "polygon"]);
}

#[test]
fn a_station_is_not_reached_from_the_room_below_it() {
    let mut legs = tour(SEED);
    // Through the taproom to below the window. An open door is right below, so the station is moved by 3 m.
    let (foot, window) = (stop_at(&legs, "inn stairs"), stop_at(&legs, "upper room window"));
    let TourLeg::Stop(place) = &mut legs[window] else { panic!("a stop") };
    place.position.frame.origin.x += 3.0;
    legs.drain(foot - 1..window);
    check_blocked(
        legs,
        &["short of the upper room window", "0xA9B40106: the station is in 0xA9B4010C"],
    );
}
