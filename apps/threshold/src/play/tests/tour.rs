//! The whole way, from the lake to the great hall below and home again, as somebody plays it.

use std::time::Duration;

use threshold_forge::{SEED, TourLeg, tour};
use threshold_land::Position;
use threshold_land::glam::Vec3;
use threshold_view::{Lens, Looker, Scratch, Viewer};

use super::{AHEAD, Play};
use crate::play::camera::Mode;
use crate::play::intent::Intent;

/// Who is back in a cell before so many seconds have gone by flickers.
const FLICKER: f64 = 0.3;
/// So near to a place one is there, in metres.
const NEAR: f32 = 0.3;
/// For so many frames one may get no nearer.
const PATIENCE: usize = 240;
/// What is seen is looked at in one of so many frames.
const SOME: usize = 10;

/// Places to walk past, up to where the tour is cut.
fn way() -> Vec<Position> {
    let mut legs = tour(SEED).into_iter();
    let Some(TourLeg::Start(first)) = legs.next() else { panic!("a tour begins somewhere") };
    let mut places = vec![first.position];
    for leg in legs {
        match leg {
            TourLeg::Waypoint { at, .. } => places.push(at),
            TourLeg::Stop(place) => places.push(place.position),
            _ => break,
        }
    }
    places
}

/// Somebody on the way, and what is looked at as they go.
struct Walk {
    play: Play,
    scratch: Scratch,
    frames: usize,
    seen_outside: usize,
}

impl Walk {
    /// One frame. The eye is in the cell that is looked from, and something is seen.
    fn frame(&mut self, intent: &Intent) {
        self.play.frame(intent);
        self.frames += 1;
        // Time goes faster here than pieces of the world are built.
        while self.play.session.stream.waiting() > 0 {
            std::thread::sleep(Duration::from_millis(1));
            self.play.session.frame(self.play.now, intent);
        }
        if self.frames.is_multiple_of(SOME) {
            self.look();
        }
    }

    fn look(&mut self) {
        let session = &mut self.play.session;
        let intent = Intent { heading: session.camera.heading, ..Intent::default() };
        let sight = session.look(&intent, 0.0).unwrap();
        let (cell, eye) = (sight.eye.cell, sight.eye.frame.origin);
        let here = session.world.cell(cell);
        assert!(here.is_some_and(|here| here.contains(eye)), "{:?}", sight.eye);
        let at = (eye + sight.ahead).as_dvec3();
        let viewer = Viewer::looking_at(cell, eye.as_dvec3(), at, Lens::default()).unwrap();
        let seen = Looker::new(&session.world).look(&mut self.scratch, &mut (), &viewer);
        assert!(!seen.budget_hit() && seen.missing().len() == 0, "{viewer:?}");
        assert!(seen.cells().len() + seen.outside().len() > 0, "{viewer:?}");
        self.seen_outside += usize::from(seen.outside().len() > 0);
    }

    /// Straight on to a place.
    #[track_caller]
    fn go(&mut self, to: &Position) {
        let (mut nearest, mut idle) = (f32::INFINITY, 0);
        loop {
            let at = self.play.session.at().unwrap();
            let way = at.offset_to(to).with_z(0.0);
            let left = way.length();
            if left < NEAR {
                return;
            }
            idle = if left < nearest - 0.01 { 0 } else { idle + 1 };
            nearest = nearest.min(left);
            assert!(idle < PATIENCE, "{left} m left from {at} to {to}: {:?}", self.why());
            self.turn(way);
            let run = left > 3.0;
            self.frame(&Intent { run, ..AHEAD });
        }
    }

    fn turn(&mut self, way: Vec3) {
        let heading = libm::atan2f(way.x, way.y).to_degrees().rem_euclid(360.0);
        self.play.session.camera.heading = heading;
    }

    fn why(&self) -> Vec<String> {
        self.play.session.why()
    }
}

#[track_caller]
fn check(mode: Mode) {
    let mut walk = Walk {
        play: Play::at("lake shore", 60.0),
        scratch: Scratch::new(),
        frames: 0,
        seen_outside: 0,
    };
    walk.play.session.camera.mode = mode;
    let way = way();
    assert!(way.len() > 40);
    way.iter().for_each(|place| walk.go(place));
    assert!(walk.play.cell().is_indoor(), "in the great hall below");
    way.iter().rev().for_each(|place| walk.go(place));
    let transits = &walk.play.transits;
    assert!(transits.len() > 120, "{}", transits.len());
    for (back, out) in transits.iter().skip(1).zip(transits) {
        let is_flicker = back.to == out.from && back.time - out.time < FLICKER;
        assert!(!is_flicker, "{mode:?}: {out:?}, then {back:?}");
    }
    assert!(walk.seen_outside * SOME < walk.frames, "no land is seen below");
}

#[test]
fn the_whole_way_to_the_great_hall_below_and_home_is_walked_without_flicker() {
    check(Mode::Third);
    check(Mode::First);
}
