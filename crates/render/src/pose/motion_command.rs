//! What a figure can be told to do.

use core::fmt;

/// A motion, as motion tables call it. Retail: `Motion`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MotionCommand(pub u32);

impl MotionCommand {
    /// Standing.
    pub const READY: Self = Self(0x4100_0003);
    /// Walking ahead.
    pub const WALK_FORWARD: Self = Self(0x4500_0005);
    /// Walking backwards.
    pub const WALK_BACKWARDS: Self = Self(0x4500_0006);
    /// Running ahead.
    pub const RUN_FORWARD: Self = Self(0x4400_0007);
    /// Open, of doors. Retail: `On`.
    pub const ON: Self = Self(0x4000_000B);
    /// Shut, of doors. Retail: `Off`.
    pub const OFF: Self = Self(0x4000_000C);
    /// Turning to the right where it stands.
    pub const TURN_RIGHT: Self = Self(0x6500_000D);
    /// Turning to the left where it stands.
    pub const TURN_LEFT: Self = Self(0x6500_000E);
    /// Stepping to the right.
    pub const SIDE_STEP_RIGHT: Self = Self(0x6500_000F);
    /// Stepping to the left.
    pub const SIDE_STEP_LEFT: Self = Self(0x6500_0010);
    /// In the air.
    pub const FALLING: Self = Self(0x4000_0015);

    /// Those that have motions of their own.
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

    /// The command whose motion is shown, and at which speed: what goes backwards or to the left is the other way round, at a
    /// speed below 0.
    ///
    /// Retail: `CMotionInterp::adjust_motion`, which also walks backwards more slowly; that is for whoever moves the body.
    pub fn shown(self, speed: f32) -> (Self, f32) {
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
