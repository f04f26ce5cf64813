//! Doors that open while the player walks against them.

use super::{AHEAD, Play, before_a_door, front_door};
use crate::DoorAction;
use crate::Intent;

/// Walks straight into the closed front door of the cottage, then opens it.
fn open_while_walking_against_the_door() -> Play {
    let mut play = before_a_door();
    let hinge = front_door(&play.session).frame.origin;
    // The leaf hangs from the hinge to the west, and the door leads south.
    play.walk_to([hinge.x - 0.5, hinge.y + 1.6], 3.0);
    play.session.camera.heading = 180.0;
    play.frames(&Intent::default(), 0.3);
    assert_eq!(play.session.use_door(), DoorAction::Closes);
    play.settle();
    play.frames(&Intent::default(), 1.5);
    play.frames(&AHEAD, 1.5);
    assert!(play.cell().is_indoor(), "a closed door stops the player");
    assert_eq!(play.session.use_door(), DoorAction::Opens);
    play.frames(&Intent::default(), 1.5);
    play
}

/// The sliding normal of the closed door is kept from move to move as long as nothing else is hit. It must not stop a move straight
/// ahead once the door is open.
#[test]
fn walking_on_against_an_opened_door_leads_through_it() {
    let mut play = open_while_walking_against_the_door();
    play.frames(&AHEAD, 3.0);
    assert!(play.cell().is_outdoor(), "{:?}", play.session.player.body.stance);
}
