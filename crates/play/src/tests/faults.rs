//! Records that cannot be read.

use std::sync::Arc;

use threshold_dat::{FileKind, RecordId, Records, SetupRecord, Source};
use threshold_forge::{SEED, builtin};
use threshold_world::REGION;

use super::{Play, before_a_door, front_door, start_session};
use crate::{DoorAction, HUMAN_SETUP};

/// Returns the built-in world with a record cut in half, and the id of the record as text.
fn with_damaged_record(id: RecordId) -> (Arc<dyn Source>, String) {
    let world = builtin(SEED).unwrap();
    let mut buffer = Vec::new();
    let bytes = world.read(FileKind::Portal, id, &mut buffer).unwrap().unwrap();
    let bytes = bytes[..bytes.len() / 2].to_vec();
    let mut records = world.records().clone();
    records.put_bytes(FileKind::Portal, id, bytes);
    (Arc::new(records), id.to_string())
}

/// Returns the built-in world with a damaged motion table of a setup, and the id of the table.
fn with_damaged_motion_table(setup: RecordId) -> (Arc<dyn Source>, String) {
    let world = builtin(SEED).unwrap();
    let setup: SetupRecord = Records::new(&world).get(setup).unwrap().unwrap();
    with_damaged_record(setup.defaults.motion_table)
}

/// Takes the messages, of which one must name the record. The stream must list the record once.
#[track_caller]
fn check_reported_once(play: &mut Play, record: &str) {
    let messages = play.session.take_messages();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].starts_with("left out: ") && messages[0].contains(record), "{messages:?}");
    let faults = play.session.stream.faults();
    assert_eq!(faults.iter().filter(|fault| fault.contains(record)).count(), 1, "{faults:?}");
}

#[test]
fn a_damaged_record_of_the_players_figure_is_reported_once() {
    let (source, table) = with_damaged_motion_table(HUMAN_SETUP);
    let mut play = Play::in_world(&source, "village square", 60.0);
    check_reported_once(&mut play, &table);
    assert!(play.session.position().is_some(), "the session starts anyway");
}

#[test]
fn a_damaged_region_is_reported_at_the_start() {
    let (source, region) = with_damaged_record(REGION);
    let messages = start_session(&source, "great hall below").take_messages();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].starts_with("left out: ") && messages[0].contains(&region), "{messages:?}");
}

#[test]
fn a_damaged_record_of_a_door_is_reported_once_when_the_door_is_used() {
    let play = before_a_door();
    let door = front_door(&play.session);
    let mut doors = play.session.world.objects().filter(|object| *object.position() == door);
    let (source, table) = with_damaged_motion_table(doors.next().unwrap().setup().id);
    let mut play = Play::in_world(&source, "cottage", 60.0);
    assert!(play.session.take_messages().is_empty());
    assert_eq!(play.session.use_door(), DoorAction::NoDoor);
    check_reported_once(&mut play, &table);
    assert_eq!(play.session.use_door(), DoorAction::NoDoor);
    assert!(play.session.take_messages().is_empty(), "reported once");
}
