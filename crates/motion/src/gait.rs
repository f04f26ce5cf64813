//! Walking: what a body does by itself while it stands.

use threshold_land::Rotation;
use threshold_land::glam::Vec3;

use crate::constants::{RUN_RATE_CAP, RUN_SKILL_CAP, RUN_SPEED, SIDESTEP_SPEED, WALK_SPEED};

/// Whether a body walks or runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// At [`WALK_SPEED`] times its speed.
    #[default]
    Walk,
    /// At [`RUN_SPEED`] times its speed.
    Run,
}

/// Returns the run rate of a run skill, a multiple of [`RUN_SPEED`]: 1 without skill, 3.2 just below skill 800 and 4.5 from there on.
/// `burden` is what a load leaves of the skill's part, 1 without one (retail: `burden_mod`). A skill below 0 counts as none.
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

/// How a body walks: a displacement each quantum, valid only on walkable ground. Retail: the forward, sidestep and
/// turn commands of `InterpretedMotionState`, whose animations move the body.
///
/// ```
/// # use threshold_motion::Gait;
/// assert_eq!(Gait::walk().velocity().y, 3.12);
/// assert_eq!(Gait::run(2.5).velocity().y, 10.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gait {
    /// Whether [`forward`](Self::forward) is walked or run.
    pub pace: Pace,
    /// How fast ahead, as a multiple of the pace; below 0 backwards.
    pub forward: f32,
    /// How fast to the right, as a multiple of [`SIDESTEP_SPEED`]; below 0 to the left.
    pub sideways: f32,
    /// How fast it turns to the right, in degrees a second.
    pub turn: f32,
    /// How fast it can run at all, as a multiple of [`RUN_SPEED`]: no leap is faster. Retail: `my_run_rate`.
    pub run_rate: f32,
}

impl Default for Gait {
    fn default() -> Self {
        Self::stand()
    }
}

impl Gait {
    /// StandResult.
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

    /// In metres a second, in its own axes: x to the right, y ahead.
    pub fn velocity(&self) -> Vec3 {
        let pace = match self.pace {
            Pace::Walk => WALK_SPEED,
            Pace::Run => RUN_SPEED,
        };
        Vec3::new(SIDESTEP_SPEED * self.sideways, pace * self.forward, 0.0)
    }

    /// With what it leaves the ground: the same, but never faster than it can run.
    pub fn leap(&self) -> Vec3 {
        let velocity = self.velocity();
        let (speed, most) = (velocity.length(), RUN_SPEED * self.run_rate);
        if speed > most && speed > 0.0 { velocity * (most.max(0.0) / speed) } else { velocity }
    }

    /// How far it turns in so many seconds.
    pub(crate) fn turned(&self, dt: f32) -> Rotation {
        Rotation::from_heading(self.turn * dt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_those_of_the_documents_and_a_leap_is_no_faster_than_a_run() {
        let check = |gait: Gait, want: [f32; 2]| {
            let off = gait.leap() - Vec3::new(want[0], want[1], 0.0);
            assert!(off.length() < 1e-5, "{gait:?}: {}", gait.leap());
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
        assert_eq!(aside.velocity(), Vec3::new(1.875, 4.0, 0.0), "walking is as fast as its feet");
    }
}
