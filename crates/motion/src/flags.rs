//! Flags of a mover during a sweep.

/// Flags of a mover during a sweep. Retail: `OBJECTINFO::state`.
///
/// [`CONTACT`](Self::CONTACT) and [`ON_WALKABLE`](Self::ON_WALKABLE) change from sub-step to
/// sub-step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u16);

impl Flags {
    /// No flag.
    pub const NONE: Self = Self(0);
    /// It has a contact plane.
    pub const CONTACT: Self = Self(0x1);
    /// Its contact plane is walkable.
    pub const ON_WALKABLE: Self = Self(0x2);
    /// It is a camera.
    pub const VIEWER: Self = Self(0x4);
    /// The first collision ends the sweep. Retail: missiles and cameras.
    pub const PATH_CLIPPED: Self = Self(0x8);
    /// It turns at once, not gradually over the sub-steps.
    pub const FREE_ROTATE: Self = Self(0x10);
    /// A clipped path ends at the obstacle, not at the last free sub-step.
    pub const PERFECT_CLIP: Self = Self(0x40);
    /// It slides along edges instead of falling off them.
    pub const EDGE_SLIDE: Self = Self(0x200);
    /// It passes through creatures; contacts are still reported.
    pub const IGNORE_CREATURES: Self = Self(0x400);

    /// Flags of a camera. Retail: 0x5C.
    pub const CAMERA: Self =
        Self(Self::VIEWER.0 | Self::PATH_CLIPPED.0 | Self::FREE_ROTATE.0 | Self::PERFECT_CLIP.0);

    /// Returns whether all bits of `other` are set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns whether any bit of `other` is set.
    pub(crate) const fn has_any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the flags with the bits of `other` set or cleared.
    #[must_use]
    pub const fn with(self, other: Self, set: bool) -> Self {
        Self(if set { self.0 | other.0 } else { self.0 & !other.0 })
    }
}

impl std::ops::BitOr for Flags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
