//! Playing without a window.

use std::sync::Arc;

use threshold_conformance::trace::Reader;
use threshold_conformance::{Runner, compare};
use threshold_dat::Source;
use threshold_forge::SEED;
use threshold_land::CellId;
use threshold_land::glam::Vec3;
use threshold_motion::WALK_SPEED;

use super::camera::Mode;
use super::doors::Reached;
use super::intent::Intent;
use super::journal::Transit;
use super::session::Session;
use crate::names::Names;
use crate::world::built_in;

/// Somebody who plays, frame by frame.
struct Play {
    session: Session,
    now: f64,
    /// Frames a second.
    rate: f64,
    transits: Vec<Transit>,
}

impl Play {
    /// In the built-in world, at a place, once everything around has come.
    fn at(place: &str, rate: f64) -> Self {
        let source: Arc<dyn Source> = Arc::new(built_in(SEED).unwrap());
        let names = ("builtin".to_owned(), Names::of(SEED));
        let session = Session::new(&source, names, Some(place), 5).unwrap();
        let mut play = Self { session, now: 0.0, rate, transits: Vec::new() };
        play.settle();
        play
    }

    /// Until nobody is on the way and nothing is waited for.
    fn settle(&mut self) {
        loop {
            self.frame(&Intent::default());
            if self.session.travelling().is_none() && self.session.stream.waiting() == 0 {
                return self.frames(&Intent::default(), 0.5);
            }
            std::thread::yield_now();
        }
    }

    fn frame(&mut self, intent: &Intent) {
        self.now += 1.0 / self.rate;
        let intent = Intent { heading: self.session.camera.heading, ..*intent };
        let happened = self.session.frame(self.now, &intent);
        self.transits.extend(happened.transits);
        #[allow(clippy::cast_possible_truncation, reason = "a part of a second")]
        let _ = self.session.look(&intent, (1.0 / self.rate) as f32);
    }

    /// For so many seconds.
    fn frames(&mut self, intent: &Intent, seconds: f64) {
        let end = self.now + seconds;
        while self.now < end {
            self.frame(intent);
        }
    }

    /// Walks straight towards a place in the frame of the landblock, until near it or for so many seconds.
    fn walk_to(&mut self, to: [f32; 2], seconds: f64) {
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

    fn cell(&self) -> CellId {
        self.session.at().unwrap().cell
    }
}

const AHEAD: Intent =
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
        let path: Vec<CellId> = play.transits.iter().map(|transit| transit.to).collect();
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
fn before_a_door() -> Play {
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

#[test]
fn a_door_is_shut_and_opened_again() {
    let mut play = before_a_door();
    let inside = play.session.at().unwrap().frame.origin;
    assert_eq!(play.session.use_door(), Reached::Shuts);
    play.settle();
    play.frames(&Intent::default(), 1.5);
    play.frames(&AHEAD, 2.0);
    assert!(play.cell().is_indoor(), "a shut door is in the way");
    let why = play.session.why().join(" ");
    assert!(why.contains("body"), "{why}");
    // Back to where one was, as everybody steps back from a door to open it.
    let heading = play.session.camera.heading;
    play.walk_to([inside.x, inside.y], 2.0);
    play.session.camera.heading = heading;
    assert_eq!(play.session.use_door(), Reached::Opens);
    play.frames(&Intent::default(), 1.5);
    play.frames(&AHEAD, 2.0);
    assert!(play.cell().is_outdoor(), "an open door is not");
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
    let mut heights = [0.1, 1.2].map(|held| {
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
    heights.sort_by(f32::total_cmp);
}

#[test]
fn one_travels_anywhere_and_back() {
    let mut play = Play::at("lake shore", 60.0);
    let lake = play.cell();
    for text in ["cottage cellar", "A9B4", "0xACB40112", "0xA9B40106:132,106,40.2"] {
        play.session.go_to(text).unwrap();
        play.settle();
        let said = play.session.take_said();
        assert!(said.is_empty(), "{text}: {said:?}");
    }
    assert_eq!(play.cell(), CellId(0xA9B4_0106));
    play.session.go_back(false);
    play.settle();
    assert_eq!(play.cell(), CellId(0xACB4_0112));
    for _ in 0..3 {
        play.session.go_back(false);
        play.settle();
    }
    assert_eq!(play.cell(), lake);
    play.session.go_back(true);
    play.settle();
    assert_eq!(play.cell(), CellId(0xA9B4_0104));
    // Nowhere.
    play.session.go_to("0101").unwrap();
    play.settle();
    assert!(play.session.take_said()[0].contains("no such place"));
    assert_eq!(play.cell(), CellId(0xA9B4_0104), "nobody has moved");
    assert!(play.session.go_to("over the rainbow").is_err());
}

/// There is no landblock there, and the lake is far from it.
const NOWHERE: &str = "0101";

#[test]
fn a_place_that_is_not_there_is_told_of_before_everything_else_has_come() {
    let source: Arc<dyn Source> = Arc::new(built_in(SEED).unwrap());
    let names = ("builtin".to_owned(), Names::of(SEED));
    let session = Session::new(&source, names, Some("lake shore"), 5).unwrap();
    let mut play = Play { session, now: 0.0, rate: 60.0, transits: Vec::new() };
    while play.session.travelling().is_some() {
        play.frame(&Intent::default());
    }
    play.session.go_to(NOWHERE).unwrap();
    while play.session.travelling().is_some() {
        play.frame(&Intent::default());
    }
    assert!(play.session.take_said()[0].contains("no such place"));
    assert!(play.session.stream.waiting() > 0, "most of the lake's surroundings are still to come");
}

#[test]
fn who_already_knows_that_a_place_is_not_there_does_not_wait_for_it_for_ever() {
    let mut play = Play::at("lake shore", 60.0);
    for _ in 0..2 {
        play.session.go_to(NOWHERE).unwrap();
        play.settle();
        assert!(play.session.take_said()[0].contains("no such place"));
    }
}

#[test]
fn nobody_is_put_where_there_is_no_cell() {
    let mut play = Play::at("lake shore", 60.0);
    let before = play.session.at().unwrap();
    play.session.go_to("0xA9B40106:9999,0,0").unwrap();
    play.settle();
    let said = play.session.take_said();
    assert!(said[0].contains("neither a room nor land"), "{said:?}");
    assert_eq!(play.session.at().unwrap().frame.origin, before.frame.origin);
    assert!(!play.session.history.has_back(), "it was not a journey");
    play.frames(&AHEAD, 0.5);
    assert_ne!(play.session.at().unwrap().frame.origin, before.frame.origin, "it walks on");
}

#[test]
fn a_point_beyond_the_edge_of_its_landblock_is_waited_for_where_it_is() {
    let mut play = Play::at("lake shore", 60.0);
    let ground = play.session.world.land(CellId(0xA9B4_0001).block()).unwrap();
    let z = ground.terrain().height([2.0, 30.0].into()).unwrap();
    play.session.set_far(1);
    play.session.go_to("ACB4").unwrap();
    play.settle();
    play.session.go_to(&format!("0xA6B40001:578,30,{z}")).unwrap();
    play.settle();
    assert!(play.session.take_said().is_empty());
    assert_eq!(play.cell(), CellId(0xA9B4_0002), "three landblocks farther east");
}

#[test]
fn who_goes_back_twice_at_once_is_two_places_back_and_can_go_forward_again() {
    let mut play = Play::at("lake shore", 60.0);
    let mut cells = vec![play.cell()];
    for text in ["cottage cellar", "inn vestibule"] {
        play.session.go_to(text).unwrap();
        play.settle();
        cells.push(play.cell());
    }
    play.session.go_back(false);
    play.session.go_back(false);
    play.settle();
    assert_eq!(play.cell(), cells[0]);
    assert!(!play.session.history.has_back());
    for cell in &cells[1..] {
        play.session.go_back(true);
        play.settle();
        assert_eq!(play.cell(), *cell);
    }
    // Back and forward at once leads nowhere, and so does going back before one has arrived.
    play.session.go_back(false);
    play.session.go_back(true);
    play.settle();
    play.session.go_to("village square").unwrap();
    play.session.go_back(false);
    play.settle();
    assert_eq!(play.cell(), cells[2]);
    assert!(play.session.history.has_back() && !play.session.history.has_forward());
}

#[test]
fn who_begins_at_a_place_that_is_not_there_is_at_another() {
    for place in [NOWHERE, "0xA9B40106:9999,0,0", "0xA9B4FFFF"] {
        let mut play = Play::at(place, 60.0);
        let said = play.session.take_said();
        let first = play.session.places()[0].label.clone();
        assert!(said[0].starts_with(place), "{said:?}");
        assert!(said[1].contains(&first), "{said:?}");
        assert!(play.session.at().is_some());
    }
}

#[test]
fn a_world_without_names_says_where_one_goes_first() {
    let source: Arc<dyn Source> = Arc::new(built_in(SEED).unwrap());
    let session = Session::new(&source, ("dats".to_owned(), Names::default()), None, 1).unwrap();
    assert_eq!(session.travelling(), Some(session.places()[0].label.as_str()));
    assert!(session.travelling().is_some_and(|label| !label.is_empty()));
}

#[test]
fn a_change_of_cell_by_a_journey_is_told_of() {
    let mut play = Play::at("lake shore", 60.0);
    let from = play.cell();
    play.transits.clear();
    play.session.go_to("cottage cellar").unwrap();
    play.settle();
    let told: Vec<_> = play.transits.iter().map(|transit| (transit.from, transit.to)).collect();
    assert_eq!(told, [(from, play.cell())]);
    assert_eq!(play.session.journal.transits().count(), 1);
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
    let mut trace = Vec::new();
    let rules = play.session.rules;
    let courses = play.session.journal.write(&mut trace, "builtin", &rules).unwrap();
    assert!(courses > 0);
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
    let steps: usize = read.iter().map(|course| course.record.steps.len()).sum();
    assert!(steps > 300, "{steps} steps in {courses} courses");
    for course in read {
        let record = runner.run(&course.scenario).unwrap();
        let (kind, told) = (course.scenario.kind(), &course.record.steps);
        let difference = compare::first_difference(kind, &record.steps, told);
        assert!(difference.is_none(), "{}: {difference:?}", course.scenario.id);
    }
}
