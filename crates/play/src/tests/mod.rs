//! A session played frame by frame.

mod doors;
mod recovery;
mod replay;
mod tour;
mod travel;
mod views;

use std::sync::Arc;

use threshold_dat::Source;
use threshold_forge::{SEED, builtin};
use threshold_land::CellId;
use threshold_land::glam::Vec3;
use threshold_motion::WALK_SPEED;

use crate::{
    CameraMode, CellTransit, DoorAction, Intent, PlaceNames, Session, SessionOptions, read_place,
};

impl Session {
    /// Sets out for a place by its typed name.
    pub(super) fn travel_by_name(&mut self, text: &str) -> Result<(), String> {
        let (place, label) = read_place(text, &self.names)?;
        self.travel_to(place, label);
        Ok(())
    }
}

/// Starts a session in a source, with the names of the built-in world.
pub(super) fn start_session(source: &Arc<dyn Source>, start: &str) -> Session {
    let options = SessionOptions {
        world_name: "builtin".to_owned(),
        names: PlaceNames::of_builtin(SEED),
        start: Some(start),
        landscape_radius: 5,
    };
    Session::new(source, options, |_| ()).unwrap()
}

/// A session that is played frame by frame.
pub(super) struct Play {
    pub(super) session: Session,
    pub(super) now: f64,
    /// Frames a second.
    pub(super) rate: f64,
    pub(super) transits: Vec<CellTransit>,
}

impl Play {
    /// Starts in the built-in world at a place, and waits until everything around is loaded.
    pub(super) fn at(place: &str, rate: f64) -> Self {
        let source: Arc<dyn Source> = Arc::new(builtin(SEED).unwrap());
        let session = start_session(&source, place);
        let mut play = Self { session, now: 0.0, rate, transits: Vec::new() };
        play.settle();
        play
    }

    /// Plays on until no journey and no piece is pending.
    pub(super) fn settle(&mut self) {
        loop {
            self.frame(&Intent::default());
            if self.session.journey_label().is_none() && self.session.stream.pending_count() == 0 {
                return self.frames(&Intent::default(), 0.5);
            }
            std::thread::yield_now();
        }
    }

    pub(super) fn frame(&mut self, intent: &Intent) {
        self.now += 1.0 / self.rate;
        let intent = Intent { heading: self.session.camera.heading, ..*intent };
        let happened = self.session.advance(self.now, &intent);
        self.transits.extend(happened.transits);
        #[allow(clippy::cast_possible_truncation, reason = "a part of a second")]
        let _ = self.session.update_camera(&intent, (1.0 / self.rate) as f32);
    }

    /// Plays on for some seconds.
    pub(super) fn frames(&mut self, intent: &Intent, seconds: f64) {
        let end = self.now + seconds;
        while self.now < end {
            self.frame(intent);
        }
    }

    /// Walks straight towards a point in the frame of the landblock, until near it or until the time is over.
    pub(super) fn walk_to(&mut self, to: [f32; 2], seconds: f64) {
        let end = self.now + seconds;
        while self.now < end {
            let at = self.session.position().unwrap();
            let way = Vec3::new(to[0], to[1], 0.0) - at.frame.origin.with_z(0.0);
            if way.length() < 0.15 {
                return;
            }
            self.session.camera.heading = libm::atan2f(way.x, way.y).to_degrees().rem_euclid(360.0);
            self.frame(&AHEAD);
        }
    }

    pub(super) fn cell(&self) -> CellId {
        self.session.position().unwrap().cell
    }
}

pub(super) const AHEAD: Intent =
    Intent { ahead: 1.0, aside: 0.0, up: 0.0, run: false, jump: false, heading: 0.0 };

/// At any number of frames a second.
#[test]
fn a_steady_walk_is_shown_in_steady_steps() {
    for rate in [144.0, 60.0, 75.0, 240.0] {
        let mut play = Play::at("village square", rate);
        play.frames(&AHEAD, 1.0);
        let mut before = play.session.shown_position();
        let mut steps = Vec::new();
        for _ in 0..400 {
            play.frame(&AHEAD);
            let shown = play.session.shown_position();
            steps.push(before.offset_to(&shown).length());
            before = shown;
        }
        #[allow(clippy::cast_possible_truncation, reason = "a few centimetres")]
        let meant = (f64::from(WALK_SPEED) / rate) as f32;
        for step in steps {
            assert!((step / meant - 1.0).abs() < 0.05, "{step} m instead of {meant} at {rate}");
        }
    }
}

#[test]
fn walking_into_the_inn_enters_each_cell_once_and_the_camera_follows() {
    let mut play = Play::at("inn door", 60.0);
    assert!(play.cell().is_outdoor());
    let start = play.session.position().unwrap().frame.origin;
    for mode in [CameraMode::First, CameraMode::Third] {
        play.session.camera.mode = mode;
        play.transits.clear();
        play.session.camera.heading = play.session.position().unwrap().frame.heading();
        play.frames(&AHEAD, 2.9);
        assert!(play.cell().is_indoor(), "{mode:?}: {}", play.cell());
        let path: Vec<CellId> = play.transits.iter().filter_map(|transit| transit.to).collect();
        let mut once = path.clone();
        once.dedup();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), path.len(), "{mode:?}: no cell twice: {path:?}");
        play.walk_to([start.x, start.y], 6.0);
        assert!(play.cell().is_outdoor(), "{mode:?}");
        // About turn.
        play.session.camera.turn(180.0, 0.0);
        play.frames(&Intent::default(), 0.2);
    }
}

/// Starts in the cottage, facing its front door.
pub(super) fn before_a_door() -> Play {
    let mut play = Play::at("cottage", 60.0);
    let door = play.session.world.objects().find(|object| {
        let far = play.session.position().unwrap().offset_to(object.position()).length();
        far < 2.5 && object.setup().parts.len() == 1 && object.setup().height > 1.9
    });
    let at = play.session.position().unwrap();
    let way = at.offset_to(door.unwrap().position());
    play.session.camera.heading = libm::atan2f(way.x, way.y).to_degrees().rem_euclid(360.0);
    play
}

/// Closes the door in front of the player and walks against it. Returns where the player stood.
#[track_caller]
pub(super) fn walk_against_the_shut_door(play: &mut Play) -> [f32; 2] {
    let inside = play.session.position().unwrap().frame.origin;
    assert_eq!(play.session.use_door(), DoorAction::Closes);
    play.settle();
    play.frames(&Intent::default(), 1.5);
    play.frames(&AHEAD, 2.0);
    [inside.x, inside.y]
}

/// Steps back from the door to a point, and opens it.
#[track_caller]
pub(super) fn step_back_and_open(play: &mut Play, to: [f32; 2]) {
    let heading = play.session.camera.heading;
    play.walk_to(to, 2.0);
    play.session.camera.heading = heading;
    assert_eq!(play.session.use_door(), DoorAction::Opens);
}

#[test]
fn a_door_is_closed_and_opened_again() {
    let mut play = before_a_door();
    let inside = walk_against_the_shut_door(&mut play);
    assert!(play.cell().is_indoor(), "a shut door is in the way");
    let why = play.session.explain_last_stop().join(" ");
    assert!(why.contains("the door"), "{why}");
    step_back_and_open(&mut play, inside);
    play.frames(&Intent::default(), 1.5);
    play.frames(&AHEAD, 2.0);
    assert!(play.cell().is_outdoor(), "an open door is not");
}

#[test]
fn using_a_door_twice_at_once_leaves_it_as_it_was() {
    let mut play = before_a_door();
    let reached = [(); 2].map(|()| play.session.use_door());
    assert_eq!(reached, [DoorAction::Closes, DoorAction::Opens]);
    play.settle();
    play.frames(&Intent::default(), 1.5);
    assert_eq!(play.session.use_door(), DoorAction::Closes, "it stands open");
    play.frames(&Intent::default(), 1.5);
    play.frames(&AHEAD, 2.0);
    assert!(play.cell().is_indoor(), "and is shut now");
}

#[test]
fn using_a_door_where_there_is_none_does_nothing() {
    let mut play = Play::at("village square", 60.0);
    assert_eq!(play.session.use_door(), DoorAction::NoDoor);
}

#[test]
fn a_longer_held_jump_is_higher_and_ends_on_the_ground() {
    let mut play = Play::at("village square", 60.0);
    let ground = play.session.position().unwrap().frame.origin.z;
    let heights = [0.1, 1.2].map(|held| {
        play.frames(&Intent { jump: true, ..Intent::default() }, held);
        let mut highest = ground;
        for _ in 0..180 {
            play.frame(&Intent::default());
            highest = highest.max(play.session.position().unwrap().frame.origin.z);
        }
        assert!((play.session.position().unwrap().frame.origin.z - ground).abs() < 0.05);
        highest - ground
    });
    assert!(heights[0] > 0.3 && heights[1] > 2.0 * heights[0], "{heights:?}");
}

#[test]
fn a_held_jump_is_dropped_when_a_flight_begins_or_the_keyboard_is_lost() {
    let mut play = Play::at("village square", 60.0);
    let ground = play.session.position().unwrap().frame.origin.z;
    let held = Intent { jump: true, ..Intent::default() };
    play.frames(&held, 0.5);
    play.session.camera.mode = CameraMode::Flight;
    play.frames(&Intent::default(), 0.3);
    play.session.camera.mode = CameraMode::Third;
    play.frames(&held, 0.5);
    play.session.cancel_jump();
    for _ in 0..60 {
        play.frame(&Intent::default());
        assert!((play.session.position().unwrap().frame.origin.z - ground).abs() < 0.05);
    }
}

#[test]
fn a_flight_passes_doors_and_windows_but_not_walls() {
    let mut play = Play::at("inn vestibule", 60.0);
    play.session.camera.mode = CameraMode::Flight;
    play.session.camera.pitch = 0.0;
    let body = play.session.position().unwrap();
    let mut cells = std::collections::BTreeSet::new();
    for heading in [0.0, 90.0, 180.0, 270.0] {
        play.session.camera.heading = heading;
        for _ in 0..180 {
            play.now += 1.0 / 60.0;
            let fast = Intent { run: true, ..AHEAD };
            play.session.advance(play.now, &fast);
            let sight = play.session.update_camera(&fast, 1.0 / 60.0).unwrap();
            let cell = play.session.world.cell(sight.eye.cell).unwrap();
            assert!(cell.contains(sight.eye.frame.origin), "{:?}", sight.eye);
            cells.insert(sight.eye.cell);
        }
    }
    assert!(cells.len() > 1, "{cells:?}");
    let after = play.session.position().unwrap();
    assert_eq!(after.frame.origin, body.frame.origin, "the body stays where it is");
}

#[test]
fn a_walk_is_shown_in_steady_steps_where_frames_come_now_and_then_and_after_a_hitch() {
    let mut play = Play::at("village square", 60.0);
    play.frames(&AHEAD, 1.0);
    let mut before = play.session.shown_position();
    for frame in 0..400_u32 {
        // Milliseconds; now and then more than a quantum, with a rest that waits for the next frame.
        let wait = if frame % 50 == 49 { 215 } else { 5 + frame * 7 % 19 };
        play.rate = 1000.0 / f64::from(wait);
        play.frame(&AHEAD);
        let shown = play.session.shown_position();
        #[allow(clippy::cast_possible_truncation, reason = "less than a metre")]
        let meant = (f64::from(WALK_SPEED) / play.rate) as f32;
        let step = before.offset_to(&shown).length();
        assert!((step / meant - 1.0).abs() < 0.05, "{step} m instead of {meant} at {frame}");
        before = shown;
    }
}

#[test]
fn without_a_cell_around_the_head_the_camera_stays_where_it_was() {
    let mut play = Play::at("village square", 60.0);
    play.frames(&Intent::default(), 1.0);
    let before = play.session.update_camera(&Intent::default(), 0.0).unwrap();
    let block = play.cell().block();
    play.session.world.drop_piece(threshold_world::PieceId::Land(block));
    let after = play.session.update_camera(&Intent::default(), 0.0).unwrap();
    assert_eq!(after.eye, before.eye);
    assert_eq!(after.is_first_person, before.is_first_person);
}

#[test]
fn a_door_in_the_way_is_called_a_door_and_not_by_a_number() {
    let mut play = before_a_door();
    walk_against_the_shut_door(&mut play);
    let why = play.session.explain_last_stop().join(" ");
    assert!(why.contains("of the door") && !why.to_lowercase().contains("body 0x"), "{why}");
}
