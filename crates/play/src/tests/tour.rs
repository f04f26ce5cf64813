//! The whole tour on foot, from the lake to the great hall below and back.

use std::time::Duration;

use threshold_forge::{SEED, TourLeg, tour};
use threshold_land::Position;
use threshold_land::glam::Vec3;
use threshold_view::{Lens, PortalWalk, ViewScratch, Viewer};

use super::{AHEAD, Play};
use crate::CameraMode;
use crate::Intent;

/// Coming back to a cell within this time is flicker, in seconds.
const FLICKER: f64 = 0.3;
/// Distance at which a place is reached, in metres.
const NEAR: f32 = 0.3;
/// Frames without coming nearer before a walk fails.
const MAX_IDLE_FRAMES: usize = 240;
/// Frames between two checks of the view.
const CHECK_INTERVAL: usize = 10;

/// Returns the places of the tour up to its first cut.
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

/// A walk, and the view that is checked on the way.
struct Walk {
    play: Play,
    scratch: ViewScratch,
    frames: usize,
    seen_outside: usize,
}

impl Walk {
    /// Plays a frame and checks every tenth view.
    fn frame(&mut self, intent: &Intent) {
        self.play.frame(intent);
        self.frames += 1;
        // Time runs faster here than pieces of the world are built.
        while self.play.session.stream.pending_count() > 0 {
            std::thread::sleep(Duration::from_millis(1));
            self.play.session.advance(self.play.now, intent);
        }
        if self.frames.is_multiple_of(CHECK_INTERVAL) {
            self.look();
        }
    }

    fn look(&mut self) {
        let session = &mut self.play.session;
        let intent = Intent { heading: session.camera.heading, ..Intent::default() };
        let sight = session.update_camera(&intent, 0.0).unwrap();
        let (cell, eye) = (sight.eye.cell, sight.eye.frame.origin);
        let here = session.world.cell(cell);
        assert!(here.is_some_and(|here| here.contains(eye)), "{:?}", sight.eye);
        let at = (eye + sight.ahead).as_dvec3();
        let viewer = Viewer::looking_at(cell, eye.as_dvec3(), at, Lens::default()).unwrap();
        let seen = PortalWalk::new(&session.world).run(&mut self.scratch, &mut (), &viewer);
        assert!(!seen.budget_hit() && seen.not_resident().len() == 0, "{viewer:?}");
        assert!(seen.cells().len() + seen.landscape().len() > 0, "{viewer:?}");
        self.seen_outside += usize::from(seen.landscape().len() > 0);
    }

    /// Walks straight to a place.
    #[track_caller]
    fn go(&mut self, to: &Position) {
        let (mut nearest, mut idle) = (f32::INFINITY, 0);
        loop {
            let at = self.play.session.position().unwrap();
            let way = at.offset_to(to).with_z(0.0);
            let left = way.length();
            if left < NEAR {
                return;
            }
            idle = if left < nearest - 0.01 { 0 } else { idle + 1 };
            nearest = nearest.min(left);
            assert!(idle < MAX_IDLE_FRAMES, "{left} m left from {at} to {to}: {:?}", self.why());
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
        self.play.session.explain_last_stop()
    }
}

#[track_caller]
fn check(mode: CameraMode) {
    let mut walk = Walk {
        play: Play::at("lake shore", 60.0),
        scratch: ViewScratch::new(),
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
    assert!(walk.seen_outside * CHECK_INTERVAL < walk.frames, "no land is seen below");
}

#[test]
fn the_whole_tour_is_walked_there_and_back_without_flicker() {
    check(CameraMode::Third);
    check(CameraMode::First);
}
