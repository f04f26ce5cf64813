//! A lost player, and the cell that events report.

use threshold_land::Position;
use threshold_land::vector::Vec3;
use threshold_world::PieceId;

use threshold_testkit::gate::ReadGate;

use super::{AHEAD, Play};
use crate::Intent;
use crate::player::PLAYER;

/// Loses the player far below where it stands.
fn lose(play: &mut Play) {
    let mut below = play.session.position().unwrap();
    below.frame.origin -= Vec3::Z * 500.0;
    play.session.world.lose(PLAYER, below).unwrap();
}

#[test]
fn a_lost_player_is_put_back_to_where_it_last_stood_with_a_message() {
    for place in ["cottage cellar", "taproom", "great hall below"] {
        let mut play = Play::at(place, 60.0);
        play.frames(&AHEAD, 0.3);
        let before = play.session.position().unwrap();
        lose(&mut play);
        play.frames(&Intent::default(), 0.5);
        let messages = play.session.take_messages();
        assert_eq!(messages.len(), 2, "{place}: {messages:?}");
        let [lost, back] = [&messages[0], &messages[1]];
        assert!(lost.contains("left the world") && back.contains("back"), "{messages:?}");
        let at = play.session.position().unwrap();
        assert!(before.offset_to(&at).length() < 3.0, "{place}: {at}");
        assert!(play.session.player.body.stance.on_walkable);
        assert_eq!(play.session.player_cell, Some(at.cell));
        play.frames(&Intent { ahead: -1.0, ..Intent::default() }, 0.5);
        assert_ne!(
            play.session.position().unwrap().frame.origin,
            at.frame.origin,
            "it walks again"
        );
    }
}

#[test]
fn a_player_stands_as_before_once_its_dropped_room_is_loaded_again() {
    let mut play = Play::at("cottage cellar", 60.0);
    let before = play.session.position().unwrap();
    play.session.world.drop_piece(PieceId::Room(before.cell));
    play.settle();
    assert_eq!(play.cell(), before.cell);
    assert!(before.offset_to(&play.session.position().unwrap()).length() < 0.1);
    assert_eq!(play.session.player_cell, Some(before.cell));
    assert!(play.session.take_messages().is_empty());
    play.frames(&AHEAD, 0.5);
    assert_ne!(play.session.position().unwrap().frame.origin, before.frame.origin);
}

#[test]
fn a_player_lost_while_its_last_rooms_are_not_resident_travels_back() {
    let mut play = Play::at("cottage cellar", 60.0);
    let before = play.session.position().unwrap();
    lose(&mut play);
    // No place where the player stood is resident now.
    let rooms: Vec<PieceId> = play
        .session
        .world
        .rooms(before.cell.block())
        .map(|room| PieceId::Room(room.id()))
        .collect();
    for room in rooms {
        play.session.world.drop_piece(room);
    }
    play.settle();
    let at = play.session.position().unwrap();
    assert_eq!(at.cell, before.cell);
    assert!(play.session.player.body.stance.on_walkable);
}

#[test]
fn the_cell_reported_by_events_is_the_players_cell_after_every_frame() {
    let mut play = Play::at("inn door", 60.0);
    let check = |play: &Play| {
        assert_eq!(play.session.player_cell, play.session.position().map(|at| at.cell));
    };
    for _ in 0..200 {
        play.frame(&AHEAD);
        check(&play);
    }
    for place in ["cottage cellar", "0xACB40112", "lake shore"] {
        play.session.travel_by_name(place).unwrap();
        play.settle();
        check(&play);
    }
    lose(&mut play);
    play.settle();
    check(&play);
}

#[test]
fn leaving_all_cells_and_returning_is_reported_and_recorded() {
    let (gate, source) = ReadGate::before_builtin(usize::MAX);
    let mut play = Play::in_world(&source, "village square", 60.0);
    let cell = play.cell();
    play.transits.clear();
    // Not every frame has a quantum: the land must not be back before the next one.
    gate.allow(0);
    play.session.world.drop_piece(PieceId::Land(cell.block()));
    play.frames(&AHEAD, 0.2);
    gate.allow(usize::MAX);
    play.settle();
    let changes: Vec<_> = play.transits.iter().map(|transit| (transit.from, transit.to)).collect();
    assert_eq!(changes, [(Some(cell), None), (None, Some(cell))]);
    let recorded: Vec<_> = play.session.journal.transits().copied().collect();
    assert!(recorded.ends_with(&play.transits), "{recorded:?}");
    let lines: Vec<String> =
        play.transits.iter().map(|transit| transit.describe(&play.session.names)).collect();
    assert_eq!(lines[0], format!("{cell} -> no cell"));
    assert!(lines[1].starts_with(&format!("no cell -> {cell}  ")), "{lines:?}");
}

/// Loses the player each time it is put back. Returns the places it was put back to.
fn lose_repeatedly(play: &mut Play, times: usize) -> Vec<Position> {
    let mut places = Vec::new();
    for _ in 0..times {
        lose(play);
        play.frame(&Intent::default());
        if play.session.is_lost() || play.session.journey_label().is_some() {
            break;
        }
        places.push(play.session.position().unwrap());
        play.frames(&Intent::default(), 0.3);
    }
    places
}

#[test]
fn a_place_where_the_player_is_lost_again_at_once_is_not_tried_again() {
    let mut play = Play::at("great hall below", 60.0);
    play.frames(&AHEAD, 4.0);
    let places = lose_repeatedly(&mut play, 20);
    assert!((2..20).contains(&places.len()), "{places:?}");
    for (index, place) in places.iter().enumerate() {
        let is_near = |other: &Position| other.offset_to(place).length() < 1.5;
        assert!(!places[..index].iter().any(is_near), "{index}: {places:?}");
    }
}

#[test]
fn a_place_where_the_player_stayed_for_a_while_is_used_again() {
    let mut play = Play::at("great hall below", 60.0);
    play.frames(&AHEAD, 0.5);
    let before = play.session.position().unwrap();
    for _ in 0..4 {
        lose(&mut play);
        play.frames(&Intent::default(), 1.5);
        let at = play.session.position().unwrap();
        assert!(before.offset_to(&at).length() < 3.0, "{at}");
    }
}

#[test]
fn a_player_with_no_place_left_gets_one_message_and_can_travel() {
    let mut play = Play::at("great hall below", 60.0);
    play.session.destinations = std::sync::Arc::new([]);
    lose_repeatedly(&mut play, 20);
    play.frames(&Intent::default(), 2.0);
    let count = |play: &mut Play| {
        let messages = play.session.take_messages();
        messages.iter().filter(|text| text.contains("no place is left")).count()
    };
    assert!(play.session.is_lost());
    assert_eq!(count(&mut play), 1);
    play.session.travel_by_name("great hall below").unwrap();
    while play.session.journey_label().is_some() {
        play.frame(&Intent::default());
        std::thread::yield_now();
    }
    assert!(!play.session.is_lost());
    // The player is lost there at once, too.
    lose(&mut play);
    play.frames(&Intent::default(), 2.0);
    assert_eq!(count(&mut play), 1);
    play.session.travel_by_name("great hall below").unwrap();
    play.settle();
    play.frames(&Intent::default(), 1.5);
    lose(&mut play);
    play.frames(&Intent::default(), 0.5);
    assert!(!play.session.is_lost(), "the player is put back");
}
