//! Flags and kinds: how an object takes part in physics, and how movers treat it.

/// Flags for how an object takes part in physics. Retail: `PhysicsState`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State(pub u32);

impl State {
    /// Never moves; a mover that it stops reports a collision with the environment.
    pub const STATIC: Self = Self(0x1);
    /// Movers pass through it.
    pub const ETHEREAL: Self = Self(0x4);
    /// Receives collision reports.
    pub const REPORT_COLLISIONS: Self = Self(0x8);
    /// Causes no collision reports.
    pub const IGNORE_COLLISIONS: Self = Self(0x10);
    /// A missile.
    pub const MISSILE: Self = Self(0x40);
    /// Its heading follows its direction of movement.
    pub const ALIGN_PATH: Self = Self(0x100);
    /// Cleared together with [`State::MISSILE`].
    pub const PATH_CLIPPED: Self = Self(0x200);
    /// Falls.
    pub const GRAVITY: Self = Self(0x400);
    /// Emits particles; registered in its own cell only.
    pub const PARTICLE_EMITTER: Self = Self(0x1000);
    /// Neither drawn nor moved.
    pub const HIDDEN: Self = Self(0x4000);
    /// Some part has a physics tree. Set by the world.
    pub const HAS_PHYSICS_TREE: Self = Self(0x1_0000);
    /// Stops where other bodies bounce.
    pub const INELASTIC: Self = Self(0x2_0000);
    /// A mover that it stops reports a collision with the environment.
    pub const REPORT_AS_ENVIRONMENT: Self = Self(0x20_0000);
    /// Slides along edges.
    pub const EDGE_SLIDE: Self = Self(0x40_0000);
    /// Slides down slopes.
    pub const SLEDDING: Self = Self(0x80_0000);
    /// Is not updated.
    pub const FROZEN: Self = Self(0x100_0000);

    /// Returns whether all flags of `other` are set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the flags with those of `other` set or cleared.
    #[must_use]
    pub const fn with(self, other: Self, set: bool) -> Self {
        Self(if set { self.0 | other.0 } else { self.0 & !other.0 })
    }
}

/// How movers treat an object. Retail asks its weenie. Missiles are marked by their [`State`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ObjectKind {
    /// Static scenery. Retail: an object without a weenie.
    #[default]
    None,
    /// An item, door or other inanimate body.
    Thing,
    /// A creature.
    Creature,
    /// A player, which also counts as a creature.
    Player(PlayerStatus),
}

impl ObjectKind {
    /// Returns whether movers treat it as a creature.
    pub fn is_creature(self) -> bool {
        matches!(self, Self::Creature | Self::Player(_))
    }

    /// Returns the player status, if it is a player.
    pub fn player(self) -> Option<PlayerStatus> {
        match self {
            Self::Player(status) => Some(status),
            _ => None,
        }
    }
}

/// Which other players a player may fight, and therefore collides with. Retail:
/// `PlayerKillerStatus`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlayerStatus {
    /// Fights no other player and passes through them.
    #[default]
    Peaceful,
    /// Fights other killers. Retail: PK.
    Killer,
    /// Fights other players of this status. Retail: PKLite.
    KillerLite,
    /// Collides with all players. Retail: "free", `IsImpenetrable`.
    Free,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_set_and_cleared() {
        let state = State::STATIC.with(State::HAS_PHYSICS_TREE, true);
        assert_eq!(state.0, 0x1_0001);
        assert!(state.has(State::STATIC) && !state.has(State::GRAVITY));
        assert_eq!(state.with(State::STATIC, false), State::HAS_PHYSICS_TREE);
    }
}
