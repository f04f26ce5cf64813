//! From where one looks.

use serde::{Deserialize, Serialize};
use threshold_land::glam::Vec3;
use threshold_land::{Position, Rotation};
use threshold_motion::{Boom, Pivot, Scratch, Sweeper, View, ViewRoot};

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
    /// The view of the walker that was used last: a flight ends in it.
    walking: Mode,
    /// To the right of north, and up, in degrees.
    pub(crate) heading: f32,
    pub(crate) pitch: f32,
    /// How far behind the head it is wished to be, in metres.
    pub(crate) wish: f32,
    /// The cell that pictures of the walker's views start in.
    pub(crate) root: ViewRoot,
    boom: Boom,
    /// Where it flies.
    flies_at: Option<Position>,
    /// What it saw last, while there was anything to look from.
    last: Option<Sight>,
}

/// Where the walker is, and what it wishes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walker<'a> {
    /// Where its body is, with the cell that its moves have carried it into.
    pub(crate) at: Position,
    /// Where it is shown, between two moves.
    pub(crate) shown: Position,
    /// The middle of its lowest sphere, which is what its cell contains, in metres from its feet.
    pub(crate) centre: Vec3,
    pub(crate) intent: &'a Intent,
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
        Self {
            mode,
            walking: if mode == Mode::Flight { Mode::default() } else { mode },
            heading: 0.0,
            pitch: 0.0,
            wish: 3.2,
            root: ViewRoot::default(),
            boom,
            flies_at: None,
            last: None,
        }
    }

    /// The view of the walker: the one that is used, or that a flight ends in.
    pub(crate) fn walking_view(&self) -> Mode {
        if self.mode == Mode::Flight { self.walking } else { self.mode }
    }

    /// Flies, or goes back to the view from before.
    pub(crate) fn toggle_flight(&mut self) {
        let walking = self.walking_view();
        (self.mode, self.walking) =
            (if self.mode == Mode::Flight { walking } else { Mode::Flight }, walking);
    }

    /// Where it flies; `None` while it does not.
    pub(crate) fn flies_at(&self) -> Option<Position> {
        self.flies_at.filter(|_| self.mode == Mode::Flight)
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

    /// Comes nearer to the head, or goes farther away; a view that has no distance keeps it.
    pub(crate) fn zoom(&mut self, steps: f32) {
        if self.mode != Mode::Third {
            return;
        }
        let [near, far] = BOOM;
        self.wish = (self.wish * libm::powf(0.88, steps)).clamp(near, far);
    }

    /// Returns the eye with the cell that the picture starts in. `committed` is where the player's body is, if it is in a cell. In
    /// flight the picture always starts in the cell of the eye: the player may be anywhere.
    pub(crate) fn picture_eye(&self, sight: &Sight, committed: Option<Position>) -> Position {
        let view = View { eye: sight.eye, distance: 0.0, stopped: None, failed: false };
        match committed {
            Some(committed) if self.mode != Mode::Flight => self.root.eye(&view, &committed),
            _ => sight.eye,
        }
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
        walker: &Walker<'_>,
        dt: f32,
    ) -> Option<Sight> {
        let ahead = self.ahead();
        if self.mode == Mode::Flight {
            let from = self.flies_at.or(self.last.map(|last| last.eye));
            let from = from.or_else(|| head(sweeper, scratch, walker))?;
            let eye = fly(sweeper, scratch, from, self.flight(walker.intent) * dt);
            self.flies_at = Some(eye);
            return Some(Sight { eye, ahead, is_own: false });
        }
        self.walking = self.mode;
        self.flies_at = None;
        match self.follow(sweeper, scratch, walker, dt) {
            Some(sight) => self.last = Some(sight),
            // As long as there is no cell round the head.
            None => self.last = self.last.map(|last| Sight { ahead, ..last }),
        }
        self.last
    }

    /// Looks from behind the head, or through the eyes. The way of the eye begins in the cell of the body.
    fn follow(
        &mut self,
        sweeper: &Sweeper<'_>,
        scratch: &mut Scratch,
        walker: &Walker<'_>,
        dt: f32,
    ) -> Option<Sight> {
        let ahead = self.ahead();
        let head = head(sweeper, scratch, walker)?;
        // Through one's own eyes there is nothing to wait for.
        if self.mode == Mode::First {
            self.boom.length = 0.0;
            return Some(Sight { eye: head, ahead, is_own: true });
        }
        let length = self.boom.length;
        let pivot = around(head);
        let view = self.boom.follow(sweeper, scratch, &pivot, -ahead, self.wish, dt);
        if view.failed {
            self.boom.length = length;
            return None;
        }
        Some(Sight { eye: view.eye, ahead, is_own: view.distance < OWN_EYES })
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

/// A pivot at a position whose cell is known.
fn around(at: Position) -> Pivot {
    let mut player = at;
    player.frame.rotation = Rotation::IDENTITY;
    Pivot { player, body: Some(PLAYER), head: Vec3::ZERO }
}

/// The head of the walker as it is shown, with the cell that a sweep carries it into: from the middle of the body up, and from there
/// as far back as the body is shown behind where it is. Looking the cell up from a point would confuse rooms that overlap.
/// `None` where the body is in no cell.
fn head(sweeper: &Sweeper<'_>, scratch: &mut Scratch, walker: &Walker<'_>) -> Option<Position> {
    let Walker { at, shown, centre, .. } = *walker;
    let mut middle = at;
    middle.frame.origin += centre;
    let up = swept(sweeper, scratch, middle, Vec3::Z * EYES - centre)?;
    swept(sweeper, scratch, up, at.offset_to(&shown)).or(Some(up))
}

/// Where an eye comes to on a straight way.
fn swept(
    sweeper: &Sweeper<'_>,
    scratch: &mut Scratch,
    from: Position,
    by: Vec3,
) -> Option<Position> {
    let view = sweeper.view(scratch, &around(from), by);
    (!view.failed).then_some(view.eye)
}

/// Moves an eye as far as nothing is in its way, and along what is. Its cell is carried along.
fn fly(sweeper: &Sweeper<'_>, scratch: &mut Scratch, from: Position, by: Vec3) -> Position {
    if by == Vec3::ZERO {
        return from;
    }
    let mut at = from;
    let mut left = by;
    // Into a corner two walls lead.
    for _ in 0..3 {
        let view = sweeper.view(scratch, &around(at), left);
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
