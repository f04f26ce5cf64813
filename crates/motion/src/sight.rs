//! Lines of sight.

use threshold_land::Position;
use threshold_land::glam::Vec3;
use threshold_world::{BodyId, ObjectId};

use crate::constants::SIGHT_RADIUS;
use crate::mover::Mover;
use crate::outcome::Refusal;
use crate::sweep::{SweepScratch, Sweeper};

/// Whether one place can be seen from another.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Sight {
    /// Nothing is between them.
    Clear,
    /// Something is.
    Blocked {
        /// Up to where it is clear.
        at: Position,
        /// The normal of what is in the way.
        normal: Vec3,
    },
    /// It cannot be told: the way is too long, or leads where no cell is resident.
    Unknown(Refusal),
}

impl Sight {
    /// Whether nothing is between.
    pub fn is_clear(&self) -> bool {
        matches!(self, Self::Clear)
    }
}

/// Bodies and objects that do not block a line of sight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SightExclusions {
    /// The body that looks.
    pub viewer: Option<BodyId>,
    /// The object that is looked at.
    pub target: Option<ObjectId>,
}

impl Sweeper<'_> {
    /// Whether nothing is in the way from one place to another but creatures and missiles: walls, ground and things
    /// are. The cell of `from` is the one it is in; that of `to` says in which landblock its point is.
    ///
    /// A camera of 10 cm is swept there, so what is nearer to a wall than that is hidden by it: look from eye to eye,
    /// not from foot to foot. Up to 400 metres.
    pub fn line_of_sight(
        &self,
        scratch: &mut SweepScratch,
        from: &Position,
        to: &Position,
        exclusions: SightExclusions,
    ) -> Sight {
        let SightExclusions { viewer: body, target: passes } = exclusions;
        let mover = Mover { body, passes, ..Mover::viewer(SIGHT_RADIUS) };
        let outcome = self.sweep_camera(scratch, &mut (), &mover, from, to);
        if let Some(refusal) = outcome.refused {
            return Sight::Unknown(refusal);
        }
        let beyond = outcome.held_at_edge && !outcome.missed.is_empty();
        match outcome.hit {
            Some(_) if beyond => Sight::Unknown(Refusal::NoCell),
            Some(normal) => Sight::Blocked { at: outcome.position, normal },
            None => Sight::Clear,
        }
    }
}
