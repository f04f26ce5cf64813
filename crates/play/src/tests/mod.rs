//! Tests of a session, played frame by frame.

mod doors;
mod faults;
mod recovery;
mod replay;
mod tour;
mod travel;
mod views;

use std::sync::Arc;

use threshold_dat::Source;
use threshold_forge::{SEED, builtin};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position};
use threshold_motion::WALK_SPEED;
use threshold_world::Object;

use crate::{
    CameraMode, CellTransit, DoorAction, Intent, PlaceNames, Session, SessionOptions, read_place,
};

impl Session {
    /// Sets out for a place given as text.
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

/// A session and its clock.
pub(super) struct Play {
    pub(super) session: Session,
    pub(super) now: f64,
    /// Frames per second.
    pub(super) rate: f64,
    pub(super) transits: Vec<CellTransit>,
}

impl Play {
    /// Starts in the built-in world at a place, and waits until everything around it is loaded.
    pub(super) fn at(place: &str, rate: f64) -> Self {
        let source: Arc<dyn Source> = Arc::new(builtin(SEED).unwrap());
        Self::in_world(&source, place, rate)
    }

    /// Starts in another world at a place, and waits until everything around it is loaded.
    pub(super) fn in_world(source: &Arc<dyn Source>, place: &str, rate: f64) -> Self {
        let session = start_session(source, place);
        let mut play = Self { session, now: 0.0, rate, transits: Vec::new() };
        play.settle();
        play
    }

    /// Plays until no journey and no piece is pending.
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
        let events = self.session.advance(self.now, &intent);
        self.transits.extend(events.transits);
        #[allow(clippy::cast_possible_truncation, reason = "a part of a second")]
        let _ = self.session.update_camera(&intent, (1.0 / self.rate) as f32);
    }

    /// Plays for some seconds.
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
            let offset = Vec3::new(to[0], to[1], 0.0) - at.frame.origin.with_z(0.0);
            if offset.length() < 0.15 {
                return;
            }
            self.session.camera.heading = heading_of(offset);
            self.frame(&AHEAD);
        }
    }

    pub(super) fn cell(&self) -> CellId {
        self.session.position().unwrap().cell
    }
}

/// Returns the heading of a direction, in degrees to the right of north.
pub(super) fn heading_of(direction: Vec3) -> f32 {
    libm::atan2f(direction.x, direction.y).to_degrees().rem_euclid(360.0)
}

pub(super) const AHEAD: Intent =
    Intent { ahead: 1.0, aside: 0.0, up: 0.0, run: false, jump: false, heading: 0.0 };

#[test]
fn a_steady_walk_is_shown_in_steady_steps_at_any_frame_rate() {
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
        let expected = (f64::from(WALK_SPEED) / rate) as f32;
        for step in steps {
            assert!((step / expected - 1.0).abs() < 0.05, "{step} m, not {expected}, at {rate}");
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

/// Returns the position of the door near the player.
#[track_caller]
pub(super) fn front_door(session: &Session) -> Position {
    let at = session.position().unwrap();
    let is_door = |object: &&Object| {
        let distance = at.offset_to(object.position()).length();
        distance < 2.5 && object.setup().parts.len() == 1 && object.setup().height > 1.9
    };
    *session.world.objects().find(is_door).unwrap().position()
}

/// Starts in the cottage, facing its front door.
pub(super) fn before_a_door() -> Play {
    let mut play = Play::at("cottage", 60.0);
    let at = play.session.position().unwrap();
    play.session.camera.heading = heading_of(at.offset_to(&front_door(&play.session)));
    play
}

/// Closes the door in front of the player and walks against it. Returns the point where the player stood before.
#[track_caller]
pub(super) fn walk_against_the_closed_door(play: &mut Play) -> [f32; 2] {
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
fn a_closed_door_stops_the_player_and_an_open_one_does_not() {
    let mut play = before_a_door();
    let inside = walk_against_the_closed_door(&mut play);
    assert!(play.cell().is_indoor(), "a closed door stops the player");
    let text = play.session.explain_last_stop().join(" ");
    assert!(text.contains("the door"), "{text}");
    step_back_and_open(&mut play, inside);
    play.frames(&Intent::default(), 1.5);
    play.frames(&AHEAD, 2.0);
    assert!(play.cell().is_outdoor(), "an open door does not");
}

#[test]
fn using_a_door_twice_in_one_frame_leaves_it_open() {
    let mut play = before_a_door();
    let actions = [(); 2].map(|()| play.session.use_door());
    assert_eq!(actions, [DoorAction::Closes, DoorAction::Opens]);
    play.settle();
    play.frames(&Intent::default(), 1.5);
    assert_eq!(play.session.use_door(), DoorAction::Closes, "the door is open");
    play.frames(&Intent::default(), 1.5);
    play.frames(&AHEAD, 2.0);
    assert!(play.cell().is_indoor(), "the door is closed");
}

#[test]
fn using_a_door_without_one_in_reach_does_nothing() {
    let mut play = Play::at("village square", 60.0);
    assert_eq!(play.session.use_door(), DoorAction::NoDoor);
}

#[test]
fn a_jump_held_longer_is_higher_and_ends_on_the_ground() {
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

/// Flies straight ahead in a direction and returns the eye at the end and the cells it was in.
fn fly(play: &mut Play, heading: f32, frames: u32) -> (Position, Vec<CellId>) {
    play.session.camera.mode = CameraMode::Flight;
    (play.session.camera.heading, play.session.camera.pitch) = (heading, 0.0);
    let mut cells = Vec::new();
    for _ in 0..frames {
        play.now += 1.0 / 60.0;
        play.session.advance(play.now, &AHEAD);
        let eye = play.session.update_camera(&AHEAD, 1.0 / 60.0).unwrap().eye;
        let cell = play.session.world.cell(eye.cell).unwrap();
        assert!(cell.contains(eye.frame.origin), "{eye:?}");
        if cells.last() != Some(&eye.cell) {
            cells.push(eye.cell);
        }
    }
    (play.session.camera.flight_position().unwrap(), cells)
}

#[test]
fn a_flying_camera_passes_doorways_but_neither_walls_nor_panes() {
    let mut play = Play::at("inn vestibule", 60.0);
    let body = play.session.position().unwrap();
    let mut cells = std::collections::BTreeSet::new();
    for heading in [0.0, 90.0, 180.0, 270.0] {
        cells.extend(fly(&mut play, heading, 180).1);
    }
    assert!(cells.len() > 1, "{cells:?}");
    let after = play.session.position().unwrap();
    assert_eq!(after.frame.origin, body.frame.origin, "the body stays where it is");

    let mut play = Play::at("0xA9B40121 [84 180 43.26] 0.7071 0 0 0.7071", 60.0);
    let (eye, cells) = fly(&mut play, 270.0, 180);
    assert_eq!(cells, [CellId(0xA9B4_0121)], "the pane of the attic");
    assert!((eye.frame.origin.x - 80.3).abs() < 0.01, "{eye:?}");
}

#[test]
fn a_walk_is_shown_in_steady_steps_at_an_uneven_frame_rate_and_after_a_long_frame() {
    let mut play = Play::at("village square", 60.0);
    play.frames(&AHEAD, 1.0);
    let mut before = play.session.shown_position();
    for frame in 0..400_u32 {
        // In milliseconds. Every fiftieth frame is longer than a quantum, and its rest is left for the next frame.
        let wait = if frame % 50 == 49 { 215 } else { 5 + frame * 7 % 19 };
        play.rate = 1000.0 / f64::from(wait);
        play.frame(&AHEAD);
        let shown = play.session.shown_position();
        #[allow(clippy::cast_possible_truncation, reason = "less than a metre")]
        let expected = (f64::from(WALK_SPEED) / play.rate) as f32;
        let step = before.offset_to(&shown).length();
        assert!((step / expected - 1.0).abs() < 0.05, "{step} m, not {expected}, at {frame}");
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
fn an_explanation_calls_a_door_a_door_and_gives_no_body_number() {
    let mut play = before_a_door();
    walk_against_the_closed_door(&mut play);
    let text = play.session.explain_last_stop().join(" ");
    assert!(text.contains("of the door") && !text.to_lowercase().contains("body 0x"), "{text}");
}
