//! Lines of sight.

use threshold_land::Position;
use threshold_land::vector::Vec3;
use threshold_world::{BodyId, ObjectId};

use crate::constants::SIGHT_RADIUS;
use crate::mover::Mover;
use crate::outcome::Refusal;
use crate::sweep::{SweepScratch, Sweeper};

/// Result of a line-of-sight test.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Sight {
    /// Nothing blocks the line.
    Clear,
    /// Something blocks the line.
    Blocked {
        /// Where the swept sphere was stopped.
        at: Position,
        /// Normal of the obstacle.
        normal: Vec3,
    },
    /// Unknown: the line is too long, or crosses cells that are not resident.
    Unknown(Refusal),
}

impl Sight {
    /// Returns whether nothing blocks the line.
    pub fn is_clear(&self) -> bool {
        matches!(self, Self::Clear)
    }
}

/// Bodies and objects that do not block a line of sight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SightExclusions {
    /// The looking body.
    pub viewer: Option<BodyId>,
    /// The target object.
    pub target: Option<ObjectId>,
}

impl Sweeper<'_> {
    /// Tests the line between two points against walls, ground and objects, except creatures and
    /// missiles. `from.cell` is the cell the line starts in; `to.cell` only names the landblock of
    /// `to`.
    ///
    /// Sweeps a camera with a radius of 10 cm, so a point closer than that to a wall is hidden:
    /// test from eye to eye, not from foot to foot. The limit is about 400 metres.
    pub fn line_of_sight(
        &self,
        scratch: &mut SweepScratch,
        from: &Position,
        to: &Position,
        exclusions: SightExclusions,
    ) -> Sight {
        let SightExclusions { viewer: body, target: ignored_object } = exclusions;
        let mover = Mover { body, ignored_object, ..Mover::viewer(SIGHT_RADIUS) };
        let outcome = self.sweep_camera(scratch, &mut (), &mover, from, to);
        if let Some(refusal) = outcome.refused {
            return Sight::Unknown(refusal);
        }
        let at_unloaded_edge = outcome.held_at_edge && !outcome.missed.is_empty();
        match outcome.hit {
            Some(_) if at_unloaded_edge => Sight::Unknown(Refusal::NoCell),
            Some(normal) => Sight::Blocked { at: outcome.position, normal },
            None => Sight::Clear,
        }
    }
}
