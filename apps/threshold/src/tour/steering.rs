//! How somebody is steered to a place: turned smoothly, slower in corners.

use threshold_land::Position;
use threshold_land::glam::Vec3;
use threshold_motion::{Gait, RUN_SPEED};

use super::route::level;

/// How fast one turns at most, in degrees a second.
const TURN: f32 = 240.0;
/// How fast one gets faster, in metres a second squared.
const GAIN: f32 = 9.0;
/// How fast one may be so many metres before a corner or a stop, in metres a second for each of them.
const BRAKE: f32 = 4.0;
/// Nobody creeps, in metres a second.
const SLOWEST: f32 = 0.8;

/// What a step aims at.
pub(super) struct Aim<'a> {
    pub(super) at: &'a Position,
    /// How fast to go on the open way, in metres a second.
    pub(super) speed: f32,
    /// How much of that is left at its end, 0 to 1.
    pub(super) past_corner: f32,
}

impl Aim<'_> {
    /// How to go on from here for so many seconds, having gone at this speed.
    pub(super) fn gait(&self, from: &Position, last: f32, dt: f32) -> Gait {
        let way = level(from, self.at);
        let left = way.length();
        let off = turn_between(from.frame.heading(), heading_of(way));
        // Who faces elsewhere turns first.
        let facing = libm::cosf(off.to_radians()).max(0.0);
        let corner = (self.speed * self.past_corner).max(SLOWEST) + BRAKE * left;
        let speed = (self.speed * facing * facing * facing * facing)
            .min(corner)
            .min(last + GAIN * dt)
            .min(left / dt);
        let turn = turning(off, dt);
        let rate = self.speed / RUN_SPEED;
        Gait { forward: speed / RUN_SPEED, turn, ..Gait::run(rate) }
    }
}

/// Turns on the spot towards a heading.
pub(super) fn turn_to(from: &Position, heading: f32, dt: f32) -> Gait {
    let turn = turning(turn_between(from.frame.heading(), heading), dt);
    Gait { turn, ..Gait::stand() }
}

fn turning(off: f32, dt: f32) -> f32 {
    // No farther than it is, and gently at the end.
    (off / (3.0 * dt)).clamp(-TURN, TURN)
}

/// The heading of a direction, in degrees.
pub(super) fn heading_of(way: Vec3) -> f32 {
    libm::atan2f(way.x, way.y).to_degrees()
}

/// How far to turn from one heading to another, to the right, -180 to 180 degrees.
pub(super) fn turn_between(from: f32, to: f32) -> f32 {
    let off = (to - from).rem_euclid(360.0);
    if off > 180.0 { off - 360.0 } else { off }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_land::CellId;

    #[test]
    fn the_shorter_turn_is_taken() {
        for (from, to, turn) in
            [(0.0, 90.0, 90.0), (350.0, 10.0, 20.0), (10.0, 350.0, -20.0), (90.0, -90.0, 180.0)]
        {
            assert_eq!(turn_between(from, to), turn, "{from} to {to}");
        }
        assert_eq!(heading_of(Vec3::X), 90.0);
    }

    #[test]
    fn one_turns_before_one_goes_and_never_goes_too_far() {
        let from = Position::new(CellId(0xA9B4_0001), Vec3::new(5.0, 5.0, 0.0));
        let to = |x: f32, y: f32| Position::new(CellId(0xA9B4_0001), Vec3::new(x, y, 0.0));
        let gait = |at: Position| {
            Aim { at: &at, speed: 8.0, past_corner: 1.0 }.gait(&from, 8.0, 1.0 / 30.0)
        };
        assert_eq!(gait(to(5.0, 50.0)).velocity().y, 8.0);
        assert_eq!(gait(to(50.0, 4.0)).velocity().y, 0.0);
        assert!(gait(to(50.0, 4.0)).turn > 0.0 && gait(to(-50.0, 4.0)).turn < 0.0);
        assert!((gait(to(5.0, 5.1)).velocity().y - 3.0).abs() < 1e-3, "a tenth of a metre");
    }
}
