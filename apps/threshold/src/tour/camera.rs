//! The camera of a tour: over the walker's shoulder, and through its eyes at stations.

use threshold_land::Position;
use threshold_land::vector::Vec3;
use threshold_motion::{Boom, Pivot, SweepScratch, Sweeper};
use threshold_world::BodyId;

use super::steering::turn_between;

/// Height of the walker's eyes over its feet, in metres.
const EYE_HEIGHT: f32 = 1.65;
/// Distances of the camera behind the eyes, in metres.
const OUTDOOR_DISTANCE: f32 = 4.2;
const INDOOR_DISTANCE: f32 = 2.4;
/// Pitch of the camera downwards, in degrees: on the way, and at stations.
const WALKING_PITCH: f32 = 9.0;
const STATION_PITCH: f32 = 3.0;
/// Time constant of the camera's turns, in seconds.
const TURN_TIME: f32 = 0.3;
/// Distance of the point that the camera looks at, in metres.
const LOOK_DISTANCE: f32 = 10.0;

/// A camera that follows a walker.
pub(super) struct TourCamera {
    boom: Boom,
    /// In degrees to the right of north.
    heading: f32,
    /// Pitch downwards, in degrees.
    pitch_down: f32,
}

/// State of the walker that the camera follows.
pub(super) struct CameraSubject {
    pub(super) body: BodyId,
    pub(super) at: Position,
    /// Whether the walker stands at a station.
    pub(super) is_looking: bool,
}

impl TourCamera {
    /// Makes a camera for a walker at a position.
    pub(super) fn new(at: &Position) -> Self {
        Self { boom: Boom::new(0.0), heading: at.frame.heading(), pitch_down: STATION_PITCH }
    }

    /// Moves the camera for `dt` seconds. Returns the eye, and the point that it looks at in the frame of the eye's landblock.
    pub(super) fn follow(
        &mut self,
        sweeper: &Sweeper<'_>,
        scratch: &mut SweepScratch,
        subject: &CameraSubject,
        dt: f32,
    ) -> (Position, Vec3) {
        let (length, pitch_down) = match subject.is_looking {
            true => (0.0, STATION_PITCH),
            false if subject.at.cell.is_indoor() => (INDOOR_DISTANCE, WALKING_PITCH),
            false => (OUTDOOR_DISTANCE, WALKING_PITCH),
        };
        let part = 1.0 - libm::expf(-dt / TURN_TIME);
        self.heading += turn_between(self.heading, subject.at.frame.heading()) * part;
        self.pitch_down += (pitch_down - self.pitch_down) * part;
        let ahead = direction(self.heading, self.pitch_down);
        let pivot = Pivot::above(subject.at, subject.body, EYE_HEIGHT);
        let view = self.boom.follow(sweeper, scratch, &pivot, -ahead, length, dt);
        (view.eye, view.eye.frame.origin + ahead * LOOK_DISTANCE)
    }
}

/// Returns the direction of a heading and a pitch downwards, in degrees.
fn direction(heading: f32, pitch_down: f32) -> Vec3 {
    let [(sin, cos), (sink, level)] = [heading, pitch_down]
        .map(|angle| (libm::sinf(angle.to_radians()), libm::cosf(angle.to_radians())));
    Vec3::new(sin * level, cos * level, -sink)
}
