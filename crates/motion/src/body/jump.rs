//! Jumps.

use threshold_land::glam::Vec3;
use threshold_world::{BodyId, Object, ObjectKind, State, UnknownBody, World};

use super::{Body, Event, Events};
use crate::constants::{DEFAULT_JUMP_SPEED, GRAVITY, MIN_JUMP_HEIGHT};

/// How somebody jumps.
///
/// ```
/// # use threshold_motion::Jump;
/// let jump = Jump { skill: 100.0, ..Jump::default() };
/// assert!((jump.height() - 1.635714).abs() < 1e-6);
/// assert!((jump.speed() - 5.662155).abs() < 1e-5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jump {
    /// How much of what it can do: 0 to 1.
    pub extent: f32,
    /// How well it jumps.
    pub skill: f32,
    /// What a load leaves of that: 1 for none. Retail: `burden_mod`.
    pub burden: f32,
}

impl Default for Jump {
    /// As high as it can, without skill and load.
    fn default() -> Self {
        Self { extent: 1.0, skill: 0.0, burden: 1.0 }
    }
}

impl Jump {
    /// In metres, and never too low to notice.
    pub fn height(&self) -> f32 {
        let extent = self.extent.clamp(0.0, 1.0);
        let skill = self.skill.max(0.0);
        let whole = self.burden * (skill / (skill + 1300.0) * 22.2 + 0.05);
        // So that what is no number is the smallest.
        (whole * extent).max(MIN_JUMP_HEIGHT)
    }

    /// How fast it goes up at first, in metres a second.
    pub fn speed(&self) -> f32 {
        jump_speed(self.height())
    }
}

/// How fast what jumps so high, in metres, goes up at first.
pub fn jump_speed(height: f32) -> f32 {
    (-2.0 * GRAVITY * height).sqrt()
}

/// Why a body cannot jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JumpRefusal {
    /// It is not in the world.
    #[error(transparent)]
    UnknownBody(#[from] UnknownBody),
    /// It does not stand on ground from which it could.
    #[error("{0} does not stand on walkable ground")]
    NotStanding(BodyId),
    /// It is a thing.
    #[error("{0} is a thing")]
    Thing(BodyId),
    /// Nothing would bring it down again.
    #[error("{0} does not fall")]
    NoGravity(BodyId),
}

/// Whether it goes on by itself where the ground ends: creatures, and what nobody asks, that fall.
pub(super) fn leaps(object: &Object) -> bool {
    object.kind() != ObjectKind::Thing && object.state().has(State::GRAVITY)
}

impl Body {
    /// Jumps now: goes on as fast as it walks, and up. It leaves the ground with the next quantum.
    ///
    /// What is nothing to others jumps as retail lets it: at 10 m/s.
    ///
    /// Retail: `CMotionInterp::jump` and `LeaveGround`.
    pub fn jump(&mut self, world: &World, jump: &Jump, now: f64) -> Result<Events, JumpRefusal> {
        let object = world.body(self.id).ok_or(UnknownBody(self.id))?;
        if object.kind() == ObjectKind::Thing {
            return Err(JumpRefusal::Thing(self.id));
        }
        if !object.state().has(State::GRAVITY) {
            return Err(JumpRefusal::NoGravity(self.id));
        }
        if !(self.stance.contact && self.stance.on_walkable) || object.is_lost() {
            return Err(JumpRefusal::NotStanding(self.id));
        }
        let up = match object.kind() {
            ObjectKind::None => DEFAULT_JUMP_SPEED,
            _ => jump.speed(),
        };
        let level = self.gait.unwrap_or_default().jump_velocity();
        self.stance.on_walkable = false;
        let rotation = object.position().frame.rotation;
        self.set_local_velocity(Vec3::new(level.x, level.y, up), rotation, now);
        Ok(Events::from_slice(&[Event::LeftGround]))
    }
}
