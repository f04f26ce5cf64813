//! Turns bodies, and sets the poses of their parts.

use threshold_land::{Frame, Rotation};

use crate::object::BodyId;
use crate::registry::UnknownBody;
use crate::world::World;

/// Why the pose of a part was not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PoseError {
    /// The world has no such body.
    #[error(transparent)]
    UnknownBody(#[from] UnknownBody),
    /// The body has no such part.
    #[error("{body} has no part {part}, only {parts} from 0")]
    NoSuchPart {
        /// The body.
        body: BodyId,
        /// The part number.
        part: usize,
        /// The number of its parts.
        parts: usize,
    },
    /// The origin is not finite, or the rotation not of unit length.
    #[error("the frame for part {part} of {body} is not valid")]
    NotValid {
        /// The body.
        body: BodyId,
        /// The part number.
        part: usize,
    },
}

impl World {
    /// Sets the pose of part `part` of a body, relative to the body and before its scale, and
    /// registers the body again in the way it was registered before. Setting the pose that it
    /// already has changes nothing. Allocates only for the first pose of a body, and when its cells
    /// or the pieces that these depend on change.
    ///
    /// Retail: the part frames of `CPartArray::UpdateParts`.
    pub fn pose_part(&mut self, body: BodyId, part: usize, pose: Frame) -> Result<(), PoseError> {
        let slot = self.slot_of(body)?;
        let object = self.objects.at_mut(slot).ok_or(UnknownBody(body))?;
        let parts = object.setup().parts.len();
        let before = object.part_pose(part).ok_or(PoseError::NoSuchPart { body, part, parts })?;
        if !(pose.is_valid() && pose.origin.is_finite()) {
            return Err(PoseError::NotValid { body, part });
        }
        if pose != before {
            object.set_pose(part, pose);
            self.register(slot);
        }
        Ok(())
    }

    /// Turns a body in place, with its parts. It stays registered in the same cells until it moves,
    /// a part is posed, or a piece that its cells depend on is loaded or dropped.
    ///
    /// Retail: `CPhysicsObj::set_frame`, which does not touch the shadows.
    pub fn turn(&mut self, body: BodyId, rotation: Rotation) -> Result<(), UnknownBody> {
        let slot = self.slot_of(body)?;
        let object = self.objects.at_mut(slot).ok_or(UnknownBody(body))?;
        let mut position = *object.position();
        if position.frame.rotation != rotation {
            position.frame.rotation = rotation;
            object.set_position(position);
        }
        Ok(())
    }
}
