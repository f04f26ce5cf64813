//! From where one looks.

use serde::{Deserialize, Serialize};
use threshold_land::Position;
use threshold_land::glam::Vec3;
use threshold_motion::{Boom, Pivot, Scratch, Sweeper};

use super::intent::Intent;
use super::player::{EYES, PLAYER};

/// How one looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mode {
    /// Through the eyes of who walks.
    First,
    /// Over its shoulder.
    #[default]
    Third,
    /// From anywhere, while who walks stands.
    Flight,
}

/// How fast one flies, in metres a second: slow, and in a hurry.
const FLIGHT: [f32; 2] = [6.0, 30.0];
/// Nobody looks farther up or down, in degrees.
const STEEPEST: f32 = 88.0;
/// How long the boom is at the least and at the most, in metres.
const BOOM: [f32; 2] = [0.8, 12.0];
/// An eye nearer than this to the head sees with its eyes, in metres.
const OWN_EYES: f32 = 0.7;

/// A camera.
pub(crate) struct Camera {
    pub(crate) mode: Mode,
    /// To the right of north, and up, in degrees.
    pub(crate) heading: f32,
    pub(crate) pitch: f32,
    /// How far behind the head it is wished to be, in metres.
    pub(crate) wish: f32,
    boom: Boom,
    /// Where it flies.
    flies_at: Option<Position>,
    /// What it saw last, while there was anything to look from.
    last: Option<Sight>,
}

/// What it sees from where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    pub(crate) eye: Position,
    /// Of unit length.
    pub(crate) ahead: Vec3,
    /// Whether who walks is not shown: one looks through its eyes.
    pub(crate) is_own: bool,
}

impl Camera {
    pub(crate) fn new(mode: Mode) -> Self {
        let boom = Boom::new(0.0);
        Self { mode, heading: 0.0, pitch: 0.0, wish: 3.2, boom, flies_at: None, last: None }
    }

    /// Turns to the right and up, by so many degrees.
    pub(crate) fn turn(&mut self, right: f32, up: f32) {
        self.heading = (self.heading + right).rem_euclid(360.0);
        self.pitch = (self.pitch + up).clamp(-STEEPEST, STEEPEST);
    }

    /// Looks the way of a position.
    pub(crate) fn face(&mut self, at: &Position) {
        (self.heading, self.pitch) = (at.frame.heading(), 0.0);
        self.boom.length = 0.0;
        (self.flies_at, self.last) = (None, None);
    }

    /// Comes nearer to the head, or goes farther away.
    pub(crate) fn zoom(&mut self, steps: f32) {
        let [near, far] = BOOM;
        self.wish = (self.wish * libm::powf(0.88, steps)).clamp(near, far);
    }

    /// Where one looks to.
    pub(crate) fn ahead(&self) -> Vec3 {
        let [(sin, cos), (up, level)] = [self.heading, self.pitch]
            .map(|angle| (libm::sinf(angle.to_radians()), libm::cosf(angle.to_radians())));
        Vec3::new(sin * level, cos * level, up)
    }

    /// Looks from where it is by now.
    pub(crate) fn look(
        &mut self,
        sweeper: &Sweeper<'_>,
        scratch: &mut Scratch,
        (player, intent): (&Position, &Intent),
        dt: f32,
    ) -> Sight {
        let ahead = self.ahead();
        let pivot = Pivot::above(*player, PLAYER, EYES);
        if self.mode == Mode::Flight {
            let from = self.flies_at.or(self.last.map(|last| last.eye));
            let from = from.unwrap_or_else(|| sweeper.view(scratch, &pivot, Vec3::ZERO).eye);
            let eye = fly(sweeper, scratch, from, self.flight(intent) * dt);
            self.flies_at = Some(eye);
            Sight { eye, ahead, is_own: false }
        } else {
            self.flies_at = None;
            self.follow(sweeper, scratch, &pivot, dt)
        }
    }

    /// Looks from behind the head, or through the eyes.
    fn follow(
        &mut self,
        sweeper: &Sweeper<'_>,
        scratch: &mut Scratch,
        pivot: &Pivot,
        dt: f32,
    ) -> Sight {
        let ahead = self.ahead();
        let wish = if self.mode == Mode::First { 0.0 } else { self.wish };
        // Through one's own eyes there is nothing to wait for.
        if self.mode == Mode::First {
            self.boom.length = 0.0;
        }
        let length = self.boom.length;
        let view = self.boom.follow(sweeper, scratch, pivot, -ahead, wish, dt);
        if let (true, Some(last)) = (view.failed, self.last) {
            // What is at the feet would be shown for as long as there is no cell round the head.
            self.boom.length = length;
            return Sight { ahead, ..last };
        }
        let sight = Sight { eye: view.eye, ahead, is_own: view.distance < OWN_EYES };
        if !view.failed {
            self.last = Some(sight);
        }
        sight
    }

    /// How fast it flies where to.
    fn flight(&self, intent: &Intent) -> Vec3 {
        let ahead = self.ahead();
        let right = ahead.cross(Vec3::Z).normalize_or_zero();
        let way = ahead * intent.ahead + right * intent.aside + Vec3::Z * intent.up;
        let [slow, fast] = FLIGHT;
        way.normalize_or_zero() * if intent.run { fast } else { slow }
    }
}

/// Moves an eye as far as nothing is in its way, and along what is. Its cell is carried along.
fn fly(sweeper: &Sweeper<'_>, scratch: &mut Scratch, from: Position, by: Vec3) -> Position {
    if by == Vec3::ZERO {
        return from;
    }
    let mut at = from;
    at.frame.rotation = threshold_land::Rotation::IDENTITY;
    let mut left = by;
    // Into a corner two walls lead.
    for _ in 0..3 {
        let pivot = Pivot { player: at, body: Some(PLAYER), head: Vec3::ZERO };
        let view = sweeper.view(scratch, &pivot, left);
        if view.failed {
            break;
        }
        left -= at.offset_to(&view.eye);
        at = view.eye;
        match view.stopped {
            Some(normal) => left -= normal * left.dot(normal).min(0.0),
            None => break,
        }
    }
    at
}
