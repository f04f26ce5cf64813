//! Somebody who walks.

use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position, Rotation};
use threshold_motion::{Body, Event, Gait, Jump, MoveContext, Sweeper};
use threshold_why as why;

use crate::realm::Realm;

/// Ticks a second.
const RATE: f64 = 30.0;

/// Somebody who walks about in a [`Realm`].
///
/// It goes by retail's quanta, thirty ticks a second. Time is its own: it goes on while it is told to go.
#[derive(Debug)]
pub struct Walker {
    /// What moves by itself: velocity, stance, clock. For whoever wants more than walking.
    pub body: Body,
    /// Where it was last, for when it is taken out of the world.
    last: Position,
}

impl Walker {
    pub(crate) fn new(body: Body, last: Position) -> Self {
        Self { body, last }
    }

    /// Where it is.
    pub fn at(&self, realm: &Realm) -> Position {
        realm.world.body(self.body.id).map_or(self.last, |object| *object.position())
    }

    /// The cell it is in.
    pub fn cell(&self, realm: &Realm) -> CellId {
        self.at(realm).cell
    }

    /// Faces a heading, in degrees to the right of north.
    pub fn face(&mut self, realm: &mut Realm, heading: f32) {
        // Who is not in the world faces nowhere.
        let _ = realm.world.turn(self.body.id, Rotation::from_heading(heading));
    }

    /// Jumps, as high as it can. Whether it could: who does not stand cannot.
    pub fn jump(&mut self, realm: &Realm) -> bool {
        let now = self.body.clock;
        self.body.jump(&realm.world, &Jump::default(), now).is_ok()
    }

    /// What would become of a step so many metres straight on, in words: how far it leads, and if something is in the way what and
    /// where. Who walks against a wall stands still and is told nothing; this says why.
    ///
    /// [`why`](crate::why) has the same with all details, for any move.
    pub fn why(&self, realm: &Realm, ahead: f32) -> Vec<String> {
        let Some(mut mover) = self.body.mover(&realm.world) else { return Vec::new() };
        // As if it had just come there: who goes on against a wall is only told that nothing is left of its way.
        mover.stance.sliding = false;
        let from = self.at(realm);
        let mut to = from;
        to.frame.origin += from.frame.rotation.rotate(Vec3::Y) * ahead;
        let sweeper = Sweeper { world: &realm.world, rules: realm.rules };
        let (_, explained) = why::sweep(&sweeper, &mover, &from, &to);
        explained.summary.iter().map(|node| node.text.clone()).collect()
    }

    /// Goes on for so many seconds, and says what happened on the way. With [`Gait::stand`] it waits, or falls.
    pub fn go(&mut self, realm: &mut Realm, gait: Gait, seconds: f64) -> Vec<Event> {
        self.body.gait = Some(gait);
        let (begin, mut happened) = (self.body.clock, Vec::new());
        // The body's own clock may stay behind by a part of a quantum; it is not to add up.
        let mut tick = 0.0;
        while tick < seconds * RATE {
            tick += 1.0;
            let now = begin + (tick / RATE).min(seconds);
            self.body.wake(now);
            let Realm { world, rules, scratch, .. } = realm;
            let Ok(updated) = self.body.update(&mut MoveContext::new(world, *rules, scratch), now)
            else {
                break;
            };
            let enters = |event: &Event| matches!(event, Event::CellChanged { to: Some(_), .. });
            let has_entered = updated.events.iter().any(enters);
            happened.extend(updated.events);
            self.last = self.at(realm);
            if has_entered {
                realm.hold(self.body.id.0, &self.last);
            }
        }
        happened
    }
}
