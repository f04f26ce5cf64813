//! Records that cannot be read.

use std::sync::Arc;

use threshold_dat::{FileKind, RecordId, Records, SetupRecord, Source};
use threshold_forge::{SEED, builtin};

use super::{Play, before_a_door, front_door};
use crate::{DoorAction, HUMAN_SETUP};

/// Returns the built-in world with the motion table of a setup cut in half, and the id of the table.
fn without_motion_table(setup: RecordId) -> (Arc<dyn Source>, String) {
    let world = builtin(SEED).unwrap();
    let setup: SetupRecord = Records::new(&world).get(setup).unwrap().unwrap();
    let table = setup.defaults.motion_table;
    let mut buffer = Vec::new();
    let bytes = world.read(FileKind::Portal, table, &mut buffer).unwrap().unwrap();
    let bytes = bytes[..bytes.len() / 2].to_vec();
    let mut records = world.records().clone();
    records.put_bytes(FileKind::Portal, table, bytes);
    (Arc::new(records), table.to_string())
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
    let (source, table) = without_motion_table(HUMAN_SETUP);
    let mut play = Play::in_world(&source, "village square", 60.0);
    check_reported_once(&mut play, &table);
    assert!(play.session.position().is_some(), "the session starts anyway");
}

#[test]
fn a_damaged_record_of_a_door_is_reported_once_when_the_door_is_used() {
    let play = before_a_door();
    let door = front_door(&play.session);
    let mut doors = play.session.world.objects().filter(|object| *object.position() == door);
    let (source, table) = without_motion_table(doors.next().unwrap().setup().id);
    let mut play = Play::in_world(&source, "cottage", 60.0);
    assert!(play.session.take_messages().is_empty());
    assert_eq!(play.session.use_door(), DoorAction::NoDoor);
    check_reported_once(&mut play, &table);
    assert_eq!(play.session.use_door(), DoorAction::NoDoor);
    assert!(play.session.take_messages().is_empty(), "reported once");
}
