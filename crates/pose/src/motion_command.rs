//! Motion commands.

use core::fmt;

/// A motion command of motion tables. Retail: `Motion`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MotionCommand(pub u32);

impl MotionCommand {
    /// Standing.
    pub const READY: Self = Self(0x4100_0003);
    /// Walking forward.
    pub const WALK_FORWARD: Self = Self(0x4500_0005);
    /// Walking backwards.
    pub const WALK_BACKWARDS: Self = Self(0x4500_0006);
    /// Running forward.
    pub const RUN_FORWARD: Self = Self(0x4400_0007);
    /// Open, of doors. Retail: `On`.
    pub const ON: Self = Self(0x4000_000B);
    /// Shut, of doors. Retail: `Off`.
    pub const OFF: Self = Self(0x4000_000C);
    /// Turning right in place.
    pub const TURN_RIGHT: Self = Self(0x6500_000D);
    /// Turning left in place.
    pub const TURN_LEFT: Self = Self(0x6500_000E);
    /// Side-stepping to the right.
    pub const SIDE_STEP_RIGHT: Self = Self(0x6500_000F);
    /// Side-stepping to the left.
    pub const SIDE_STEP_LEFT: Self = Self(0x6500_0010);
    /// In the air.
    pub const FALLING: Self = Self(0x4000_0015);

    /// Commands with motions of their own.
    pub(super) const OWN: [Self; 8] = [
        Self::READY,
        Self::WALK_FORWARD,
        Self::RUN_FORWARD,
        Self::ON,
        Self::OFF,
        Self::TURN_RIGHT,
        Self::SIDE_STEP_RIGHT,
        Self::FALLING,
    ];

    /// Returns the command whose motion is played, and its speed: backwards and to the left play the opposite motion at a
    /// negative speed.
    ///
    /// Retail: `CMotionInterp::adjust_motion`, which also slows down walking backwards; here the caller that moves the body
    /// does that.
    pub fn played(self, speed: f32) -> (Self, f32) {
        match self {
            Self::WALK_BACKWARDS => (Self::WALK_FORWARD, -speed),
            Self::TURN_LEFT => (Self::TURN_RIGHT, -speed),
            Self::SIDE_STEP_LEFT => (Self::SIDE_STEP_RIGHT, -speed),
            _ => (self, speed),
        }
    }
}

impl fmt::Debug for MotionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010X}", self.0)
    }
}
