//! Rooms.

use threshold_land::Frame;
use threshold_land::glam::{Vec2, Vec3};

use crate::error::RoomSite;
use crate::shape::Shape;

/// A room: a convex space, and the blocks that stand in it. Retail: `CEnvCell`, `CCellStruct`.
///
/// ```
/// use threshold_forge::{Room, Shape};
///
/// let hall = Room::cuboid([0.0, 0.0, 0.0], [8.0, 6.0, 3.0])
///     .named("hall")
///     .block(Shape::cuboid([1.0, 1.0, 0.0], [1.5, 1.5, 3.0]));
/// let turret = Room::shaped(Shape::regular(8, 3.0, 0.0, 5.0));
/// # let _ = (hall, turret);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Room {
    pub(crate) shape: Shape,
    pub(crate) frame: Frame,
    pub(crate) name: Option<String>,
    pub(crate) blocks: Vec<Shape>,
}

impl Room {
    /// A room of any convex shape.
    pub fn shaped(shape: Shape) -> Self {
        Self { shape, frame: Frame::IDENTITY, name: None, blocks: Vec::new() }
    }

    /// A box between two opposite corners; see [`Shape::cuboid`].
    pub fn cuboid(low: impl Into<Vec3>, high: impl Into<Vec3>) -> Self {
        Self::shaped(Shape::cuboid(low, high))
    }

    /// The space over a convex floor; see [`Shape::prism`].
    pub fn prism(floor: impl IntoIterator<Item = impl Into<Vec2>>, low: f32, high: f32) -> Self {
        Self::shaped(Shape::prism(floor, low, high))
    }

    /// With a name, for error messages.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    /// Where its shape stands in the plan; at the plan's origin unless said. The record of the room
    /// keeps this frame, so rooms of the same shape in different places share one environment.
    #[must_use]
    pub fn at(mut self, frame: Frame) -> Self {
        self.frame = frame;
        self
    }

    /// With a block of matter in it, in the frame of the shape. Blocks may touch, overlap and stand
    /// against walls, also right beside an opening, but not flush in one, be it a window: a block that
    /// stands in a doorway must keep off the plane of the wall. They must leave free space in the room.
    #[must_use]
    pub fn block(mut self, block: Shape) -> Self {
        self.blocks.push(block);
        self
    }

    pub(crate) fn site(&self, number: usize) -> RoomSite {
        RoomSite { number, name: self.name.clone() }
    }
}
