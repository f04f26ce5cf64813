//! Jumps.

use threshold_land::vector::Vec3;
use threshold_world::{BodyId, Object, ObjectKind, State, UnknownBody, World};

use super::{Body, Event, Events};
use crate::constants::{DEFAULT_JUMP_SPEED, GRAVITY, MIN_JUMP_HEIGHT};

/// A jump: how high a body can jump and how much of that it uses.
///
/// ```
/// # use threshold_motion::Jump;
/// let jump = Jump { skill: 100.0, ..Jump::default() };
/// assert!((jump.height() - 1.635714).abs() < 1e-6);
/// assert!((jump.speed() - 5.662155).abs() < 1e-5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jump {
    /// Fraction of the full height, 0 to 1.
    pub extent: f32,
    /// Jump skill.
    pub skill: f32,
    /// Factor for a load, 1 without one. Retail: `burden_mod`.
    pub burden: f32,
}

impl Default for Jump {
    /// A full jump without skill and load.
    fn default() -> Self {
        Self { extent: 1.0, skill: 0.0, burden: 1.0 }
    }
}

impl Jump {
    /// Height in metres, at least [`MIN_JUMP_HEIGHT`].
    pub fn height(&self) -> f32 {
        let extent = self.extent.clamp(0.0, 1.0);
        let skill = self.skill.max(0.0);
        let full_height = self.burden * (skill / (skill + 1300.0) * 22.2 + 0.05);
        // NaN becomes the minimum.
        (full_height * extent).max(MIN_JUMP_HEIGHT)
    }

    /// Initial vertical speed, in metres per second.
    pub fn speed(&self) -> f32 {
        jump_speed(self.height())
    }
}

/// Returns the initial vertical speed of a jump of this height, in metres.
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
    /// It does not stand on walkable ground.
    #[error("{0} does not stand on walkable ground")]
    NotStanding(BodyId),
    /// It is of kind [`ObjectKind::Thing`]; only creatures and plain objects jump.
    #[error("{0} is an object that cannot jump; only creatures and plain objects can")]
    Thing(BodyId),
    /// It has no gravity.
    #[error("{0} has no gravity")]
    NoGravity(BodyId),
}

/// Returns whether it keeps its walking velocity when it leaves the ground: creatures and plain
/// objects with gravity.
pub(super) fn can_jump(object: &Object) -> bool {
    object.kind() != ObjectKind::Thing && object.state().has(State::GRAVITY)
}

impl Body {
    /// Jumps: keeps its walking velocity and adds a vertical one. It leaves the ground with the
    /// next quantum.
    ///
    /// A body of kind [`ObjectKind::None`] jumps at 10 m/s, as in retail.
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
        let vertical = match object.kind() {
            ObjectKind::None => DEFAULT_JUMP_SPEED,
            _ => jump.speed(),
        };
        let horizontal = self.gait.unwrap_or_default().jump_velocity();
        self.stance.on_walkable = false;
        let rotation = object.position().frame.rotation;
        self.set_local_velocity(Vec3::new(horizontal.x, horizontal.y, vertical), rotation, now);
        Ok(Events::from_slice(&[Event::LeftGround]))
    }
}
