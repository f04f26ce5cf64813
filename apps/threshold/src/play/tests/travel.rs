//! Going to places, without a window.

use std::sync::Arc;
use std::time::Duration;

use threshold_dat::{FileKind, RecordId, Result, Source};
use threshold_forge::SEED;
use threshold_land::CellId;

use super::{AHEAD, Play};
use crate::names::Names;
use crate::play::intent::Intent;
use crate::play::session::Session;
use crate::world::built_in;

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

/// A source that takes its time over every landblock and every room.
struct Slow(Arc<dyn Source>);

impl Source for Slow {
    fn read<'a>(
        &'a self,
        file: FileKind,
        id: RecordId,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Option<&'a [u8]>> {
        if file == FileKind::Cell {
            std::thread::sleep(Duration::from_millis(10));
        }
        self.0.read(file, id, buffer)
    }

    fn contains(&self, file: FileKind, id: RecordId) -> Result<bool> {
        self.0.contains(file, id)
    }

    fn ids(&self, file: FileKind) -> Vec<RecordId> {
        self.0.ids(file)
    }
}

#[test]
fn a_place_that_is_not_there_is_told_of_before_everything_else_has_come() {
    let source: Arc<dyn Source> = Arc::new(Slow(Arc::new(built_in(SEED).unwrap())));
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
    assert_eq!(told, [(Some(from), Some(play.cell()))]);
    let noted: Vec<_> = play.session.journal.transits().map(|it| (it.from, it.to)).collect();
    assert_eq!(noted, [(None, Some(from)), told[0]], "the first arrival is a change of cell too");
}
