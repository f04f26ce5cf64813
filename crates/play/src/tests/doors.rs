//! Doors that open in front of a player that leans against them.

use super::{AHEAD, Play, before_a_door};
use crate::DoorAction;
use crate::Intent;

/// Walks straight into the closed front door of the cottage, and opens it then.
fn opened_while_leaning() -> Play {
    let mut play = before_a_door();
    let at = play.session.position().unwrap();
    let doors = play.session.world.objects().filter(|object| {
        let far = at.offset_to(object.position()).length();
        far < 2.5 && object.setup().parts.len() == 1 && object.setup().height > 1.9
    });
    let hinge = doors.map(|door| *door.position()).next().unwrap().frame.origin;
    // The leaf hangs from the hinge to the west, and the door leads south.
    play.walk_to([hinge.x - 0.5, hinge.y + 1.6], 3.0);
    play.session.camera.heading = 180.0;
    play.frames(&Intent::default(), 0.3);
    assert_eq!(play.session.use_door(), DoorAction::Closes);
    play.settle();
    play.frames(&Intent::default(), 1.5);
    play.frames(&AHEAD, 1.5);
    assert!(play.cell().is_indoor(), "a shut door is in the way");
    assert_eq!(play.session.use_door(), DoorAction::Opens);
    play.frames(&Intent::default(), 1.5);
    play
}

/// The sliding normal of the closed door is kept from step to step as long as nothing else is hit. It must not stop a step straight
/// ahead once the door is open.
#[test]
fn walking_on_against_a_door_that_has_been_opened_leads_through_it() {
    let mut play = opened_while_leaning();
    play.frames(&AHEAD, 3.0);
    assert!(play.cell().is_outdoor(), "{:?}", play.session.player.body.stance);
}
