//! Steers a walker to a position: smooth turns, slower in corners.

use threshold_land::Position;
use threshold_land::vector::Vec3;
use threshold_motion::{Gait, RUN_SPEED};

use super::route::level;

/// Largest turning rate, in degrees per second.
const MAX_TURN_RATE: f32 = 240.0;
/// Acceleration, in metres per second squared.
const ACCELERATION: f32 = 9.0;
/// Largest speed before a corner or stop, for each metre of distance to it, in metres per second.
const BRAKING_RATE: f32 = 4.0;
/// Least speed before a corner, in metres per second.
const MIN_SPEED: f32 = 0.8;

/// A position to steer to.
pub(super) struct SteeringTarget<'a> {
    pub(super) at: &'a Position,
    /// Speed away from corners, in metres per second.
    pub(super) speed: f32,
    /// Part of the speed to keep at the target, 0 to 1.
    pub(super) corner_speed: f32,
}

impl SteeringTarget<'_> {
    /// Returns the gait for the next `dt` seconds. `last` is the current speed.
    pub(super) fn gait(&self, from: &Position, last: f32, dt: f32) -> Gait {
        let offset = level(from, self.at);
        let left = offset.length();
        let off = turn_between(from.frame.heading(), heading_of(offset));
        // A walker that faces away turns before it walks.
        let facing = libm::cosf(off.to_radians()).max(0.0);
        let corner = (self.speed * self.corner_speed).max(MIN_SPEED) + BRAKING_RATE * left;
        let speed = (self.speed * facing * facing * facing * facing)
            .min(corner)
            .min(last + ACCELERATION * dt)
            .min(left / dt);
        let turn = turn_rate(off, dt);
        let rate = self.speed / RUN_SPEED;
        Gait { forward: speed / RUN_SPEED, turn, ..Gait::run(rate) }
    }
}

/// Returns the gait that turns on the spot towards a heading.
pub(super) fn turn_to(from: &Position, heading: f32, dt: f32) -> Gait {
    let turn = turn_rate(turn_between(from.frame.heading(), heading), dt);
    Gait { turn, ..Gait::stand() }
}

fn turn_rate(off: f32, dt: f32) -> f32 {
    // A third of the remaining turn in each tick, so that turns end smoothly.
    (off / (3.0 * dt)).clamp(-MAX_TURN_RATE, MAX_TURN_RATE)
}

/// Returns the heading of a direction, in degrees.
pub(super) fn heading_of(direction: Vec3) -> f32 {
    libm::atan2f(direction.x, direction.y).to_degrees()
}

/// Returns the shorter turn between two headings, -180 to 180 degrees to the right.
pub(super) fn turn_between(from: f32, to: f32) -> f32 {
    let off = (to - from).rem_euclid(360.0);
    if off > 180.0 { off - 360.0 } else { off }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_land::CellId;

    #[test]
    fn the_walker_turns_the_shorter_way() {
        for (from, to, turn) in
            [(0.0, 90.0, 90.0), (350.0, 10.0, 20.0), (10.0, 350.0, -20.0), (90.0, -90.0, 180.0)]
        {
            assert_eq!(turn_between(from, to), turn, "{from} to {to}");
        }
        assert_eq!(heading_of(Vec3::X), 90.0);
    }

    #[test]
    fn a_walker_turns_before_it_walks_and_never_overshoots() {
        let from = Position::new(CellId(0xA9B4_0001), Vec3::new(5.0, 5.0, 0.0));
        let to = |x: f32, y: f32| Position::new(CellId(0xA9B4_0001), Vec3::new(x, y, 0.0));
        let gait = |at: Position| {
            SteeringTarget { at: &at, speed: 8.0, corner_speed: 1.0 }.gait(&from, 8.0, 1.0 / 30.0)
        };
        assert_eq!(gait(to(5.0, 50.0)).velocity().y, 8.0);
        assert_eq!(gait(to(50.0, 4.0)).velocity().y, 0.0);
        assert!(gait(to(50.0, 4.0)).turn > 0.0 && gait(to(-50.0, 4.0)).turn < 0.0);
        assert!((gait(to(5.0, 5.1)).velocity().y - 3.0).abs() < 1e-3, "a tenth of a metre");
    }
}
