//! From where a walk is watched: over the walker's shoulder, and through its eyes where it stops to look.

use threshold_land::Position;
use threshold_land::glam::Vec3;
use threshold_motion::{Boom, Pivot, SweepScratch, Sweeper};
use threshold_world::BodyId;

use super::steering::turn_between;

/// How high the eyes of the walker are, in metres.
const EYES: f32 = 1.65;
/// How far behind them the camera is, in metres: outdoors, and indoors.
const OUTDOORS: f32 = 4.2;
const INDOORS: f32 = 2.4;
/// How far down it looks, in degrees: on the way, and where one stops to look.
const WALKING: f32 = 9.0;
const LOOKING: f32 = 3.0;
/// In how many seconds all but a third of a turn is made up for.
const LAG: f32 = 0.3;
/// How far ahead the point is that it looks at, in metres.
const AHEAD: f32 = 10.0;

/// A camera behind somebody.
pub(super) struct Camera {
    boom: Boom,
    /// The way it looks, in degrees.
    heading: f32,
    /// How far down, in degrees.
    down: f32,
}

/// Whom it watches.
pub(super) struct Watched {
    pub(super) body: BodyId,
    pub(super) at: Position,
    /// It stands and looks.
    pub(super) looks: bool,
}

impl Camera {
    /// Behind somebody at a place.
    pub(super) fn behind(at: &Position) -> Self {
        Self { boom: Boom::new(0.0), heading: at.frame.heading(), down: LOOKING }
    }

    /// Follows for so many seconds. Returns where the eye is, and a point that it looks at, in the frame of the eye's landblock.
    pub(super) fn follow(
        &mut self,
        sweeper: &Sweeper<'_>,
        scratch: &mut SweepScratch,
        watched: &Watched,
        dt: f32,
    ) -> (Position, Vec3) {
        let (length, down) = match watched.looks {
            true => (0.0, LOOKING),
            false if watched.at.cell.is_indoor() => (INDOORS, WALKING),
            false => (OUTDOORS, WALKING),
        };
        let made_up = 1.0 - libm::expf(-dt / LAG);
        self.heading += turn_between(self.heading, watched.at.frame.heading()) * made_up;
        self.down += (down - self.down) * made_up;
        let ahead = direction(self.heading, self.down);
        let pivot = Pivot::above(watched.at, watched.body, EYES);
        let view = self.boom.follow(sweeper, scratch, &pivot, -ahead, length, dt);
        (view.eye, view.eye.frame.origin + ahead * AHEAD)
    }
}

/// The direction of a heading and an angle down, in degrees.
fn direction(heading: f32, down: f32) -> Vec3 {
    let [(sin, cos), (sink, level)] = [heading, down]
        .map(|angle| (libm::sinf(angle.to_radians()), libm::cosf(angle.to_radians())));
    Vec3::new(sin * level, cos * level, -sink)
}
