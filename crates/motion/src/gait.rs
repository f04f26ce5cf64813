//! Walking: how a standing body moves on its own.

use threshold_land::Rotation;
use threshold_land::vector::Vec3;

use crate::constants::{RUN_RATE_CAP, RUN_SKILL_CAP, RUN_SPEED, SIDESTEP_SPEED, WALK_SPEED};

/// Walking or running.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// At [`WALK_SPEED`] times the gait's multiple.
    #[default]
    Walk,
    /// At [`RUN_SPEED`] times the gait's multiple.
    Run,
}

/// Returns the run rate for a run skill, as a multiple of [`RUN_SPEED`]: 1 without skill, 3.2 just
/// below skill 800, and 4.5 from 800. `burden` scales the part that comes from the skill, 1 without
/// a load (retail: `burden_mod`). A negative skill counts as 0.
///
/// ```
/// assert_eq!(threshold_motion::run_rate(0.0, 1.0), 1.0);
/// assert_eq!(threshold_motion::run_rate(800.0, 1.0), 4.5);
/// ```
///
/// Retail: `MovementSystem::GetRunRate`.
pub fn run_rate(skill: f32, burden: f32) -> f32 {
    if skill >= RUN_SKILL_CAP {
        return RUN_RATE_CAP;
    }
    let skill = skill.max(0.0);
    (burden * (skill / (skill + 200.0) * 11.0) + 4.0) / 4.0
}

/// How a body walks: a displacement per quantum, applied only on walkable ground. Retail: the
/// forward, sidestep and turn commands of `InterpretedMotionState`, whose animations move the body.
///
/// ```
/// # use threshold_motion::Gait;
/// assert_eq!(Gait::walk().velocity().y, 3.12);
/// assert_eq!(Gait::run(2.5).velocity().y, 10.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gait {
    /// Pace of [`forward`](Self::forward).
    pub pace: Pace,
    /// Forward speed as a multiple of the pace; negative is backwards.
    pub forward: f32,
    /// Speed to the right as a multiple of [`SIDESTEP_SPEED`]; negative is to the left.
    pub sideways: f32,
    /// Turn rate to the right, in degrees per second.
    pub turn: f32,
    /// Maximum run speed as a multiple of [`RUN_SPEED`], which also limits jumps. Retail:
    /// `my_run_rate`.
    pub run_rate: f32,
}

impl Default for Gait {
    fn default() -> Self {
        Self::stand()
    }
}

impl Gait {
    /// Standing still.
    pub const fn stand() -> Self {
        Self { pace: Pace::Walk, forward: 0.0, sideways: 0.0, turn: 0.0, run_rate: 1.0 }
    }

    /// Walking straight on.
    pub const fn walk() -> Self {
        Self { forward: 1.0, ..Self::stand() }
    }

    /// Running straight on at this rate.
    pub const fn run(rate: f32) -> Self {
        Self { pace: Pace::Run, forward: rate, run_rate: rate, ..Self::stand() }
    }

    /// Velocity in metres per second, in the body's own axes: x to the right, y forward.
    pub fn velocity(&self) -> Vec3 {
        let pace = match self.pace {
            Pace::Walk => WALK_SPEED,
            Pace::Run => RUN_SPEED,
        };
        Vec3::new(SIDESTEP_SPEED * self.sideways, pace * self.forward, 0.0)
    }

    /// Velocity along the ground at the start of a jump: [`velocity`](Self::velocity), limited to
    /// the run speed.
    pub fn jump_velocity(&self) -> Vec3 {
        let velocity = self.velocity();
        let (speed, max_speed) = (velocity.length(), RUN_SPEED * self.run_rate);
        if speed > max_speed && speed > 0.0 {
            velocity * (max_speed.max(0.0) / speed)
        } else {
            velocity
        }
    }

    /// Returns the rotation after `dt` seconds.
    pub(crate) fn turned(&self, dt: f32) -> Rotation {
        Rotation::from_heading(self.turn * dt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_match_the_studies_and_a_jump_is_no_faster_than_a_run() {
        let check = |gait: Gait, want: [f32; 2]| {
            let error = gait.jump_velocity() - Vec3::new(want[0], want[1], 0.0);
            assert!(error.length() < 1e-5, "{gait:?}: {}", gait.jump_velocity());
        };
        check(Gait::stand(), [0.0, 0.0]);
        check(Gait::walk(), [0.0, 3.12]);
        check(Gait { forward: -0.65, ..Gait::walk() }, [0.0, -2.028]);
        check(Gait::run(1.0), [0.0, 4.0]);
        check(Gait::run(2.5), [0.0, 10.0]);
        check(Gait { sideways: -1.0, ..Gait::stand() }, [-1.25, 0.0]);
        check(Gait { sideways: 1.5, ..Gait::run(2.0) }, [1.825_53, 7.788_93]);
        check(Gait { forward: 5.0, ..Gait::run(2.0) }, [0.0, 8.0]);
        let aside = Gait { sideways: 1.5, ..Gait::run(1.0) };
        assert_eq!(
            aside.velocity(),
            Vec3::new(1.875, 4.0, 0.0),
            "only jumps are limited to the run speed"
        );
    }
}
