//! The tour walked from the lake to the great hall below, and back.

use std::time::Duration;

use threshold_forge::{SEED, TourLeg, tour};
use threshold_land::Position;
use threshold_view::{Lens, PortalWalk, ViewScratch, Viewer};

use super::{AHEAD, Play, heading_of};
use crate::CameraMode;
use crate::Intent;

/// Returning to a cell within this time counts as flicker, in seconds.
const MAX_FLICKER_TIME: f64 = 0.3;
/// Distance at which a place counts as reached, in metres.
const TOLERANCE: f32 = 0.3;
/// Frames without progress after which a walk fails.
const MAX_IDLE_FRAMES: usize = 240;
/// Frames between two checks of the view.
const CHECK_INTERVAL: usize = 10;

/// Returns the places of the tour up to its first cut.
fn places_on_the_tour() -> Vec<Position> {
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

/// A walk with checks of the view on the way.
struct Walk {
    play: Play,
    scratch: ViewScratch,
    frames: usize,
    seen_outside: usize,
}

impl Walk {
    /// Plays a frame, and checks the view every [`CHECK_INTERVAL`] frames.
    fn frame(&mut self, intent: &Intent) {
        self.play.frame(intent);
        self.frames += 1;
        // Time runs faster in this test than pieces are built.
        while self.play.session.stream.pending_count() > 0 {
            std::thread::sleep(Duration::from_millis(1));
            self.play.session.advance(self.play.now, intent);
        }
        if self.frames.is_multiple_of(CHECK_INTERVAL) {
            self.check_view();
        }
    }

    fn check_view(&mut self) {
        let session = &mut self.play.session;
        let intent = Intent { heading: session.camera.heading, ..Intent::default() };
        let viewpoint = session.update_camera(&intent, 0.0).unwrap();
        let (id, eye) = (viewpoint.eye.cell, viewpoint.eye.frame.origin);
        let cell = session.world.cell(id);
        assert!(cell.is_some_and(|cell| cell.contains(eye)), "{:?}", viewpoint.eye);
        let target = (eye + viewpoint.ahead).as_dvec3();
        let viewer = Viewer::looking_at(id, eye.as_dvec3(), target, Lens::default()).unwrap();
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
            let offset = at.offset_to(to).with_z(0.0);
            let left = offset.length();
            if left < TOLERANCE {
                return;
            }
            idle = if left < nearest - 0.01 { 0 } else { idle + 1 };
            nearest = nearest.min(left);
            assert!(
                idle < MAX_IDLE_FRAMES,
                "{left} m left from {at} to {to}: {:?}",
                self.explain()
            );
            self.play.session.camera.heading = heading_of(offset);
            let run = left > 3.0;
            self.frame(&Intent { run, ..AHEAD });
        }
    }

    fn explain(&self) -> Vec<String> {
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
    let places = places_on_the_tour();
    assert!(places.len() > 40);
    places.iter().for_each(|place| walk.go(place));
    assert!(walk.play.cell().is_indoor(), "in the great hall below");
    places.iter().rev().for_each(|place| walk.go(place));
    let transits = &walk.play.transits;
    assert!(transits.len() > 120, "{}", transits.len());
    for (back, out) in transits.iter().skip(1).zip(transits) {
        let is_flicker = back.to == out.from && back.time - out.time < MAX_FLICKER_TIME;
        assert!(!is_flicker, "{mode:?}: {out:?}, then {back:?}");
    }
    assert!(walk.seen_outside * CHECK_INTERVAL < walk.frames, "no land is visible in the dungeon");
}

#[test]
fn the_whole_tour_is_walked_there_and_back_without_flicker() {
    check(CameraMode::Third);
    check(CameraMode::First);
}
