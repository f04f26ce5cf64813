//! Playing without a window.

mod doors;
mod lost;
mod replay;
mod tour;
mod travel;
mod views;

use std::sync::Arc;

use threshold_dat::Source;
use threshold_forge::SEED;
use threshold_land::CellId;
use threshold_land::glam::Vec3;
use threshold_motion::WALK_SPEED;

use crate::names::Names;
use crate::place_names::read_place;
use crate::play::camera::Mode;
use crate::play::doors::Reached;
use crate::play::intent::Intent;
use crate::play::journal::Transit;
use crate::play::session::Session;
use crate::world::built_in;

impl Session {
    /// Goes to a place by what is typed.
    pub(super) fn go_to(&mut self, text: &str) -> Result<(), String> {
        let (place, label) = read_place(text, &self.names)?;
        self.go(place, label);
        Ok(())
    }
}

/// Somebody who plays, frame by frame.
pub(super) struct Play {
    pub(super) session: Session,
    pub(super) now: f64,
    /// Frames a second.
    pub(super) rate: f64,
    pub(super) transits: Vec<Transit>,
}

impl Play {
    /// In the built-in world, at a place, once everything around has come.
    pub(super) fn at(place: &str, rate: f64) -> Self {
        let source: Arc<dyn Source> = Arc::new(built_in(SEED).unwrap());
        let names = ("builtin".to_owned(), Names::of(SEED));
        let session = Session::new(&source, names, Some(place), 5).unwrap();
        let mut play = Self { session, now: 0.0, rate, transits: Vec::new() };
        play.settle();
        play
    }

    /// Until nobody is on the way and nothing is waited for.
    pub(super) fn settle(&mut self) {
        loop {
            self.frame(&Intent::default());
            if self.session.travelling().is_none() && self.session.stream.waiting() == 0 {
                return self.frames(&Intent::default(), 0.5);
            }
            std::thread::yield_now();
        }
    }

    pub(super) fn frame(&mut self, intent: &Intent) {
        self.now += 1.0 / self.rate;
        let intent = Intent { heading: self.session.camera.heading, ..*intent };
        let happened = self.session.frame(self.now, &intent);
        self.transits.extend(happened.transits);
        #[allow(clippy::cast_possible_truncation, reason = "a part of a second")]
        let _ = self.session.look(&intent, (1.0 / self.rate) as f32);
    }

    /// For so many seconds.
    pub(super) fn frames(&mut self, intent: &Intent, seconds: f64) {
        let end = self.now + seconds;
        while self.now < end {
            self.frame(intent);
        }
    }

    /// Walks straight towards a place in the frame of the landblock, until near it or for so many seconds.
    pub(super) fn walk_to(&mut self, to: [f32; 2], seconds: f64) {
        let end = self.now + seconds;
        while self.now < end {
            let at = self.session.at().unwrap();
            let way = Vec3::new(to[0], to[1], 0.0) - at.frame.origin.with_z(0.0);
            if way.length() < 0.15 {
                return;
            }
            self.session.camera.heading = libm::atan2f(way.x, way.y).to_degrees().rem_euclid(360.0);
            self.frame(&AHEAD);
        }
    }

    pub(super) fn cell(&self) -> CellId {
        self.session.at().unwrap().cell
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
        let mut before = play.session.shown();
        let mut steps = Vec::new();
        for _ in 0..400 {
            play.frame(&AHEAD);
            let shown = play.session.shown();
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
fn who_walks_into_the_inn_changes_cells_once_each_and_the_camera_follows_without_leaving_the_rooms()
{
    let mut play = Play::at("inn door", 60.0);
    assert!(play.cell().is_outdoor());
    let start = play.session.at().unwrap().frame.origin;
    for mode in [Mode::First, Mode::Third] {
        play.session.camera.mode = mode;
        play.transits.clear();
        play.session.camera.heading = play.session.at().unwrap().frame.heading();
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

/// Somebody in the cottage, who faces its front door.
pub(super) fn before_a_door() -> Play {
    let mut play = Play::at("cottage", 60.0);
    let door = play.session.world.objects().find(|object| {
        let far = play.session.at().unwrap().offset_to(object.position()).length();
        far < 2.5 && object.setup().parts.len() == 1 && object.setup().height > 1.9
    });
    let at = play.session.at().unwrap();
    let way = at.offset_to(door.unwrap().position());
    play.session.camera.heading = libm::atan2f(way.x, way.y).to_degrees().rem_euclid(360.0);
    play
}

/// Shuts the door before somebody, who then walks against it; says where they stood.
#[track_caller]
pub(super) fn walk_against_the_shut_door(play: &mut Play) -> [f32; 2] {
    let inside = play.session.at().unwrap().frame.origin;
    assert_eq!(play.session.use_door(), Reached::Shuts);
    play.settle();
    play.frames(&Intent::default(), 1.5);
    play.frames(&AHEAD, 2.0);
    [inside.x, inside.y]
}

/// Goes back to where one stood, as everybody steps back from a door to open it, and opens it.
#[track_caller]
pub(super) fn step_back_and_open(play: &mut Play, to: [f32; 2]) {
    let heading = play.session.camera.heading;
    play.walk_to(to, 2.0);
    play.session.camera.heading = heading;
    assert_eq!(play.session.use_door(), Reached::Opens);
}

#[test]
fn a_door_is_shut_and_opened_again() {
    let mut play = before_a_door();
    let inside = walk_against_the_shut_door(&mut play);
    assert!(play.cell().is_indoor(), "a shut door is in the way");
    let why = play.session.why().join(" ");
    assert!(why.contains("the door"), "{why}");
    step_back_and_open(&mut play, inside);
    play.frames(&Intent::default(), 1.5);
    play.frames(&AHEAD, 2.0);
    assert!(play.cell().is_outdoor(), "an open door is not");
}

#[test]
fn who_reaches_for_a_door_twice_at_once_leaves_it_as_it_was() {
    let mut play = before_a_door();
    let reached = [(); 2].map(|()| play.session.use_door());
    assert_eq!(reached, [Reached::Shuts, Reached::Opens]);
    play.settle();
    play.frames(&Intent::default(), 1.5);
    assert_eq!(play.session.use_door(), Reached::Shuts, "it stands open");
    play.frames(&Intent::default(), 1.5);
    play.frames(&AHEAD, 2.0);
    assert!(play.cell().is_indoor(), "and is shut now");
}

#[test]
fn who_reaches_for_a_door_where_there_is_none_reaches_nothing() {
    let mut play = Play::at("village square", 60.0);
    assert_eq!(play.session.use_door(), Reached::Nothing);
}

#[test]
fn a_jump_is_as_high_as_it_is_held_and_nobody_falls_through_the_ground() {
    let mut play = Play::at("village square", 60.0);
    let ground = play.session.at().unwrap().frame.origin.z;
    let heights = [0.1, 1.2].map(|held| {
        play.frames(&Intent { jump: true, ..Intent::default() }, held);
        let mut highest = ground;
        for _ in 0..180 {
            play.frame(&Intent::default());
            highest = highest.max(play.session.at().unwrap().frame.origin.z);
        }
        assert!((play.session.at().unwrap().frame.origin.z - ground).abs() < 0.05);
        highest - ground
    });
    assert!(heights[0] > 0.3 && heights[1] > 2.0 * heights[0], "{heights:?}");
}

#[test]
fn nobody_jumps_who_begins_to_fly_or_looks_away_while_a_jump_is_held() {
    let mut play = Play::at("village square", 60.0);
    let ground = play.session.at().unwrap().frame.origin.z;
    let held = Intent { jump: true, ..Intent::default() };
    play.frames(&held, 0.5);
    play.session.camera.mode = Mode::Flight;
    play.frames(&Intent::default(), 0.3);
    play.session.camera.mode = Mode::Third;
    play.frames(&held, 0.5);
    play.session.forget_jump();
    for _ in 0..60 {
        play.frame(&Intent::default());
        assert!((play.session.at().unwrap().frame.origin.z - ground).abs() < 0.05);
    }
}

#[test]
fn one_flies_over_the_roofs_and_into_houses_but_not_through_walls() {
    let mut play = Play::at("inn vestibule", 60.0);
    play.session.camera.mode = Mode::Flight;
    play.session.camera.pitch = 0.0;
    let body = play.session.at().unwrap();
    let mut cells = std::collections::BTreeSet::new();
    for heading in [0.0, 90.0, 180.0, 270.0] {
        play.session.camera.heading = heading;
        for _ in 0..180 {
            play.now += 1.0 / 60.0;
            let fast = Intent { run: true, ..AHEAD };
            play.session.frame(play.now, &fast);
            let sight = play.session.look(&fast, 1.0 / 60.0).unwrap();
            let cell = play.session.world.cell(sight.eye.cell).unwrap();
            assert!(cell.contains(sight.eye.frame.origin), "{:?}", sight.eye);
            cells.insert(sight.eye.cell);
        }
    }
    assert!(cells.len() > 1, "{cells:?}");
    let after = play.session.at().unwrap();
    assert_eq!(after.frame.origin, body.frame.origin, "the body stays where it is");
}

#[test]
fn a_walk_is_shown_in_steady_steps_where_frames_come_now_and_then_and_after_a_hitch() {
    let mut play = Play::at("village square", 60.0);
    play.frames(&AHEAD, 1.0);
    let mut before = play.session.shown();
    for frame in 0..400_u32 {
        // Milliseconds, and now and then more than a quantum with a rest that waits.
        let wait = if frame % 50 == 49 { 215 } else { 5 + frame * 7 % 19 };
        play.rate = 1000.0 / f64::from(wait);
        play.frame(&AHEAD);
        let shown = play.session.shown();
        #[allow(clippy::cast_possible_truncation, reason = "less than a metre")]
        let meant = (f64::from(WALK_SPEED) / play.rate) as f32;
        let step = before.offset_to(&shown).length();
        assert!((step / meant - 1.0).abs() < 0.05, "{step} m instead of {meant} at {frame}");
        before = shown;
    }
}

#[test]
fn who_has_no_cell_round_its_head_looks_from_where_it_looked_before() {
    let mut play = Play::at("village square", 60.0);
    play.frames(&Intent::default(), 1.0);
    let before = play.session.look(&Intent::default(), 0.0).unwrap();
    let block = play.cell().block();
    play.session.world.drop_piece(threshold_world::PieceId::Land(block));
    let after = play.session.look(&Intent::default(), 0.0).unwrap();
    assert_eq!(after.eye, before.eye);
    assert_eq!(after.is_own, before.is_own);
}

#[test]
fn a_door_in_the_way_is_called_a_door_and_not_by_a_number() {
    let mut play = before_a_door();
    walk_against_the_shut_door(&mut play);
    let why = play.session.why().join(" ");
    assert!(why.contains("of the door") && !why.to_lowercase().contains("body 0x"), "{why}");
}
