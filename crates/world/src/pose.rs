//! Bodies that turn where they stand, and parts that turn in them.

use threshold_land::{Frame, Rotation};

use crate::object::BodyId;
use crate::registry::UnknownBody;
use crate::world::World;

/// Why a part was not posed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PoseError {
    /// There is no such body in the world.
    #[error(transparent)]
    UnknownBody(#[from] UnknownBody),
    /// The body has no such part.
    #[error("{body} has no part {part}, only {parts} from 0")]
    NoSuchPart {
        /// The body.
        body: BodyId,
        /// The part that was named.
        part: usize,
        /// How many it has.
        parts: usize,
    },
    /// The origin is not finite, or the rotation not of unit length.
    #[error("the frame for part {part} of {body} is not valid")]
    NotValid {
        /// The body.
        body: BodyId,
        /// The part that was to stand there.
        part: usize,
    },
}

impl World {
    /// Gives part `part` of a body another pose, relative to the body and before its scale, and finds the cells
    /// of the body anew in the way they were found. A pose that it has already changes nothing. Only the first
    /// pose of a body and a change of its cells, or of those that were asked on the way, allocate.
    ///
    /// Retail: the part frames of `CPartArray::UpdateParts`.
    pub fn pose_part(&mut self, body: BodyId, part: usize, pose: Frame) -> Result<(), PoseError> {
        let place = self.place_of(body)?;
        let object = self.objects.at_mut(place).ok_or(UnknownBody(body))?;
        let parts = object.setup().parts.len();
        let before = object.part_pose(part).ok_or(PoseError::NoSuchPart { body, part, parts })?;
        if !(pose.is_valid() && pose.origin.is_finite()) {
            return Err(PoseError::NotValid { body, part });
        }
        if pose != before {
            object.set_pose(part, pose);
            self.register(place);
        }
        Ok(())
    }

    /// Turns a body where it stands, and its parts with it. It stays in the lists it is in until it moves, one of
    /// its parts is posed, or a piece that it asked for comes or goes.
    ///
    /// Retail: `CPhysicsObj::set_frame`, which does not touch the shadows.
    pub fn turn(&mut self, body: BodyId, rotation: Rotation) -> Result<(), UnknownBody> {
        let place = self.place_of(body)?;
        let object = self.objects.at_mut(place).ok_or(UnknownBody(body))?;
        let mut position = *object.position();
        if position.frame.rotation != rotation {
            position.frame.rotation = rotation;
            object.set_position(position);
        }
        Ok(())
    }
}
