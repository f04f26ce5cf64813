//! Doors of the records as bodies.

use threshold_motion::{DoorState, Gait};

use super::*;

/// In the vestibule of the inn, before the door of the taproom.
fn vestibule() -> Spot {
    Spot::new(CellId(0xA9B4_0105), [132.0, 101.6, 40.2])
}

/// Returns a realm with a player before the door of the taproom, and that door.
fn before_the_inn() -> (Realm, BodyId, BodyId) {
    let mut realm = built_in();
    let player = realm.enter(&BodyOptions::player(), vestibule()).unwrap();
    let door = realm.door_near(player).unwrap().expect("the taproom has a door");
    (realm, player, door)
}

fn run(realm: &mut Realm, seconds: u32) -> Vec<RealmEvent> {
    let (start, mut events) = (realm.now(), Vec::new());
    for tick in 1..=seconds * 30 {
        events.extend_from_slice(realm.tick(start + f64::from(tick) / 30.0).unwrap());
    }
    events
}

#[test]
fn doors_stand_open_at_first_and_close_and_open_with_an_event_at_each_end() {
    let (mut realm, _, door) = before_the_inn();
    assert_eq!(realm.door_state(door).unwrap(), DoorState::Open);
    let event = |state| RealmEvent::Door { door, state };
    realm.close_door(door).unwrap();
    let events = run(&mut realm, 3);
    let of_door = |events: &[RealmEvent]| -> Vec<RealmEvent> {
        events.iter().filter(|event| matches!(event, RealmEvent::Door { .. })).cloned().collect()
    };
    assert_eq!(of_door(&events), [event(DoorState::Closing), event(DoorState::Closed)]);
    realm.close_door(door).unwrap();
    assert!(of_door(&run(&mut realm, 1)).is_empty(), "it is closed already");
    realm.open_door(door).unwrap();
    let events = run(&mut realm, 3);
    assert_eq!(of_door(&events), [event(DoorState::Opening), event(DoorState::Open)]);
}

#[test]
fn a_closed_door_stops_a_walker_and_an_open_one_does_not() {
    let (mut realm, player, door) = before_the_inn();
    realm.close_door(door).unwrap();
    run(&mut realm, 3);
    realm.walk(player, Gait::walk(), 3.0).unwrap();
    assert_eq!(realm.at(player).unwrap().cell, vestibule().cell);
    let why = realm.why(player, 0.5).unwrap().join(" ");
    assert!(why.contains("Stopped by"), "{why}");
    realm.open_door(door).unwrap();
    realm.walk(player, Gait::walk(), 4.0).unwrap();
    assert_eq!(realm.at(player).unwrap().cell, TAPROOM);
}

#[test]
fn a_door_keeps_its_id_and_its_state_while_its_piece_is_not_loaded() {
    let mut realm = Realm::around(builtin(SEED).unwrap());
    realm.set_landscape_radius(0);
    let player = realm.enter(&BodyOptions::player(), vestibule()).unwrap();
    let door = realm.door_near(player).unwrap().unwrap();
    realm.close_door(door).unwrap();
    run(&mut realm, 3);
    realm.teleport(player, place("great hall below")).unwrap();
    run(&mut realm, 12);
    let gone = realm.door_state(door);
    check_refused(gone, &format!("{door} is a door whose piece of the world is not loaded"));
    assert!(matches!(realm.object(door), Err(RealmError::DoorNotLoaded(_))));
    realm.teleport(player, vestibule()).unwrap();
    assert_eq!(realm.door_near(player).unwrap(), Some(door));
    run(&mut realm, 3);
    assert_eq!(realm.door_state(door).unwrap(), DoorState::Closed);
}

#[test]
fn doors_are_part_of_the_hash() {
    let (mut one, _, door) = before_the_inn();
    let (two, ..) = before_the_inn();
    assert_eq!(one.hash(), two.hash());
    one.close_door(door).unwrap();
    assert_ne!(one.hash(), two.hash());
}

#[test]
fn only_a_door_can_be_opened() {
    let (mut realm, player, _) = before_the_inn();
    check_refused(realm.open_door(player), "body 0x00000001 is not a door");
    check_refused(realm.close_door(BodyId(99)), "body 0x00000063 is not a door");
    let door = realm.doors().next().unwrap().0;
    let message = "body 0xD0000000 is a door, and doors only open and close";
    check_refused(realm.leave(door), message);
    check_refused(realm.teleport(door, vestibule()), message);
    check_refused(realm.face(door, 90.0), message);
    check_refused(realm.set_gait(door, Gait::walk()), message);
    realm.teleport(player, place("great hall below")).unwrap();
    assert_eq!(realm.door_near(player).unwrap(), None);
}
