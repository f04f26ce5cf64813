//! Tests of journeys.

use std::sync::Arc;

use threshold_dat::Source;
use threshold_forge::{SEED, builtin};
use threshold_land::CellId;

use threshold_testkit::gate::ReadGate;

use super::{AHEAD, Play, start_session};
use crate::{Intent, PlaceNames, Session, SessionOptions};

#[test]
fn journeys_lead_anywhere_and_back() {
    let mut play = Play::at("lake shore", 60.0);
    let lake = play.cell();
    for text in ["cottage cellar", "A9B4", "0xACB40112", "0xA9B40106:132,106,40.2"] {
        play.session.travel_by_name(text).unwrap();
        play.settle();
        let messages = play.session.take_messages();
        assert!(messages.is_empty(), "{text}: {messages:?}");
    }
    assert_eq!(play.cell(), CellId(0xA9B4_0106));
    play.session.go_back();
    play.settle();
    assert_eq!(play.cell(), CellId(0xACB4_0112));
    for _ in 0..3 {
        play.session.go_back();
        play.settle();
    }
    assert_eq!(play.cell(), lake);
    play.session.go_forward();
    play.settle();
    assert_eq!(play.cell(), CellId(0xA9B4_0104));
    // A landblock that does not exist.
    play.session.travel_by_name("0101").unwrap();
    play.settle();
    assert!(play.session.take_messages()[0].contains("no such place"));
    assert_eq!(play.cell(), CellId(0xA9B4_0104), "the player has not moved");
    assert!(play.session.travel_by_name("over the rainbow").is_err());
}

#[test]
fn naming_a_cell_leads_into_it_even_if_its_middle_is_blocked() {
    let mut play = Play::at("lake shore", 60.0);
    let blocked = [0xA8B4_0033, 0xA9B4_002D, 0xA9B4_0109, 0xA9B6_002A, 0xAAB3_001A_u32];
    for cell in blocked.map(CellId) {
        play.session.travel_by_name(&cell.to_string()).unwrap();
        play.settle();
        let messages = play.session.take_messages();
        assert!(messages.is_empty(), "{cell}: {messages:?}");
        assert_eq!(play.cell(), cell);
    }
    play.session.travel_by_name("A7B4").unwrap();
    play.settle();
    let messages = play.session.take_messages();
    assert!(messages[0].contains("the whole landblock is sea"), "{messages:?}");
}

/// A landblock that does not exist, far from the lake.
const MISSING_BLOCK: &str = "0101";

#[test]
fn a_missing_place_is_reported_before_the_rest_is_loaded() {
    let (gate, source) = ReadGate::before_builtin(0);
    let session = start_session(&source, "lake shore");
    let mut play = Play { session, now: 0.0, rate: 60.0, transits: Vec::new() };
    while play.session.journey_label().is_some() {
        gate.allow(1);
        play.frame(&Intent::default());
    }
    play.session.travel_by_name(MISSING_BLOCK).unwrap();
    while play.session.journey_label().is_some() {
        gate.allow(1);
        play.frame(&Intent::default());
    }
    assert!(play.session.take_messages()[0].contains("no such place"));
    assert!(
        play.session.stream.pending_count() > 0,
        "most pieces around the lake are not loaded yet"
    );
    gate.allow(usize::MAX);
}

#[test]
fn a_place_known_to_be_missing_is_not_awaited_again() {
    let mut play = Play::at("lake shore", 60.0);
    for _ in 0..2 {
        play.session.travel_by_name(MISSING_BLOCK).unwrap();
        play.settle();
        assert!(play.session.take_messages()[0].contains("no such place"));
    }
}

#[test]
fn the_player_is_not_placed_where_there_is_no_cell() {
    let mut play = Play::at("lake shore", 60.0);
    let before = play.session.position().unwrap();
    play.session.travel_by_name("0xA9B40106:9999,0,0").unwrap();
    play.settle();
    let messages = play.session.take_messages();
    assert!(messages[0].contains("the point is not in that room"), "{messages:?}");
    assert_eq!(play.session.position().unwrap().frame.origin, before.frame.origin);
    assert!(!play.session.history.has_back(), "a failed journey is not in the history");
    play.frames(&AHEAD, 0.5);
    assert_ne!(
        play.session.position().unwrap().frame.origin,
        before.frame.origin,
        "the player can walk on"
    );
}

#[test]
fn a_point_beyond_the_edge_of_its_landblock_loads_the_landblock_it_is_in() {
    let mut play = Play::at("lake shore", 60.0);
    let ground = play.session.world.land(CellId(0xA9B4_0001).block()).unwrap();
    let z = ground.terrain().height([2.0, 30.0].into()).unwrap();
    play.session.set_landscape_radius(1);
    play.session.travel_by_name("ACB4").unwrap();
    play.settle();
    play.session.travel_by_name(&format!("0xA6B40001:578,30,{z}")).unwrap();
    play.settle();
    assert!(play.session.take_messages().is_empty());
    assert_eq!(play.cell(), CellId(0xA9B4_0002), "three landblocks farther east");
}

#[test]
fn a_point_far_from_the_room_it_names_is_refused() {
    let mut play = Play::at("lake shore", 60.0);
    let before = play.session.position().unwrap();
    for text in ["0xA9B40106:132,106,4000", "0xA9B40106:0,0,9999"] {
        play.session.travel_by_name(text).unwrap();
        play.settle();
        let messages = play.session.take_messages();
        assert!(messages[0].contains("the point is not in that room"), "{messages:?}");
        assert_eq!(play.session.position().unwrap().frame.origin, before.frame.origin);
    }
}

#[test]
fn a_loc_without_a_rotation_faces_north() {
    let mut play = Play::at("lake shore", 60.0);
    play.session.travel_by_name("0xA9B40031 [150 1 40] 0 0 0 0").unwrap();
    play.settle();
    assert_eq!(play.session.take_messages(), [""; 0]);
    assert_eq!(play.session.position().unwrap().frame.rotation, threshold_land::Rotation::IDENTITY);
}

#[test]
fn going_back_twice_in_one_frame_leads_two_places_back() {
    let mut play = Play::at("lake shore", 60.0);
    let mut cells = vec![play.cell()];
    for text in ["cottage cellar", "inn vestibule"] {
        play.session.travel_by_name(text).unwrap();
        play.settle();
        cells.push(play.cell());
    }
    play.session.go_back();
    play.session.go_back();
    play.settle();
    assert_eq!(play.cell(), cells[0]);
    assert!(!play.session.history.has_back());
    for cell in &cells[1..] {
        play.session.go_forward();
        play.settle();
        assert_eq!(play.cell(), *cell);
    }
    // Back and forward in one frame cancel out, and going back before the arrival cancels the journey.
    play.session.go_back();
    play.session.go_forward();
    play.settle();
    play.session.travel_by_name("village square").unwrap();
    play.session.go_back();
    play.settle();
    assert_eq!(play.cell(), cells[2]);
    assert!(play.session.history.has_back() && !play.session.history.has_forward());
}

#[test]
fn a_start_at_a_missing_place_leads_to_another_one() {
    for place in [MISSING_BLOCK, "0xA9B40106:9999,0,0", "0xA9B4FFFF"] {
        let mut play = Play::at(place, 60.0);
        let messages = play.session.take_messages();
        let first = play.session.destinations()[0].label.clone();
        assert!(messages[0].starts_with(place), "{messages:?}");
        assert!(messages[1].contains(&first), "{messages:?}");
        assert!(play.session.position().is_some());
    }
}

#[test]
fn a_world_without_names_names_its_first_destination() {
    let source: Arc<dyn Source> = Arc::new(builtin(SEED).unwrap());
    let options = SessionOptions {
        world_name: "dats".to_owned(),
        names: PlaceNames::default(),
        start: None,
        landscape_radius: 1,
    };
    let session = Session::new(&source, options, |_| ()).unwrap();
    assert_eq!(session.journey_label(), Some(session.destinations()[0].label.as_str()));
    assert!(session.journey_label().is_some_and(|label| !label.is_empty()));
}

#[test]
fn a_change_of_cell_by_a_journey_is_reported() {
    let mut play = Play::at("lake shore", 60.0);
    let from = play.cell();
    play.transits.clear();
    play.session.travel_by_name("cottage cellar").unwrap();
    play.settle();
    let changes: Vec<_> = play.transits.iter().map(|transit| (transit.from, transit.to)).collect();
    assert_eq!(changes, [(Some(from), Some(play.cell()))]);
    let recorded: Vec<_> = play.session.journal.transits().map(|it| (it.from, it.to)).collect();
    assert_eq!(recorded, [(None, Some(from)), changes[0]], "the first arrival is a change, too");
}
