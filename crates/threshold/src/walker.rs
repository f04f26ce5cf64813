//! A walking body in a realm.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Rotation};
use threshold_motion::{Body, Event, Gait, Jump, MoveContext, Sweeper};
use threshold_why as why;

use crate::realm::Realm;

/// Ticks per second.
const TICK_RATE: f64 = 30.0;

/// A walking body in a [`Realm`].
///
/// It moves in retail's quanta, with thirty ticks per second. Each walker has its own time, which advances only in
/// [`go`](Self::go).
#[derive(Debug)]
pub struct Walker {
    /// The body, with velocity, stance and clock, for more than walking.
    pub body: Body,
    /// The last position, in case the body is removed from the world.
    last: Position,
}

impl Walker {
    pub(crate) fn new(body: Body, last: Position) -> Self {
        Self { body, last }
    }

    /// Returns the position.
    pub fn at(&self, realm: &Realm) -> Position {
        realm.world.body(self.body.id).map_or(self.last, |object| *object.position())
    }

    /// Returns the cell.
    pub fn cell(&self, realm: &Realm) -> CellId {
        self.at(realm).cell
    }

    /// Turns to a heading, in degrees to the right of north.
    pub fn face(&mut self, realm: &mut Realm, heading: f32) {
        // A body that was removed from the world has no heading.
        let _ = realm.world.turn(self.body.id, Rotation::from_heading(heading));
    }

    /// Jumps as high as possible. Returns whether it jumped: only a standing body can.
    pub fn jump(&mut self, realm: &Realm) -> bool {
        let now = self.body.clock;
        self.body.jump(&realm.world, &Jump::default(), now).is_ok()
    }

    /// Explains a step of `ahead` metres forwards in sentences: how far it leads, and which obstacle is where. A walker
    /// blocked by a wall stands still without an event; this tells why.
    ///
    /// [`why`](crate::why) explains any move in detail.
    pub fn why(&self, realm: &Realm, ahead: f32) -> Vec<String> {
        let Some(mut mover) = self.body.mover(&realm.world) else { return Vec::new() };
        // With the sliding normal, the explanation would only say that nothing is left of the move.
        mover.stance.sliding = false;
        let from = self.at(realm);
        let mut to = from;
        to.frame.origin += from.frame.rotation.rotate(Vec3::Y) * ahead;
        let sweeper = Sweeper { world: &realm.world, rules: realm.rules };
        let (_, explained) = why::sweep(&sweeper, &mover, &from, &to);
        explained.summary.iter().map(|node| node.text.clone()).collect()
    }

    /// Moves for `seconds` and returns the events. With [`Gait::stand`] it waits, or falls.
    pub fn go(&mut self, realm: &mut Realm, gait: Gait, seconds: f64) -> Vec<Event> {
        self.body.gait = Some(gait);
        let (start, mut events) = (self.body.clock, Vec::new());
        // Counted from `start`, because the body's clock may lag by a part of a quantum, which must not add up.
        let mut tick = 0.0;
        while tick < seconds * TICK_RATE {
            tick += 1.0;
            let now = start + (tick / TICK_RATE).min(seconds);
            self.body.wake(now);
            let Realm { world, rules, scratch, .. } = realm;
            let Ok(updated) = self.body.update(&mut MoveContext::new(world, *rules, scratch), now)
            else {
                break;
            };
            let enters = |event: &Event| matches!(event, Event::CellChanged { to: Some(_), .. });
            let has_entered = updated.events.iter().any(enters);
            events.extend(updated.events);
            self.last = self.at(realm);
            if has_entered {
                realm.hold(self.body.id.0, &self.last);
            }
        }
        events
    }
}
