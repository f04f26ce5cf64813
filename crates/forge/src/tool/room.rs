//! Rooms.

use threshold_land::Frame;
use threshold_land::vector::{Vec2, Vec3};

use crate::stock::material::Material;
use crate::tool::error::RoomSite;
use crate::tool::shape::Shape;

/// A room: a convex space, and the blocks in it. Retail: `CEnvCell`, `CCellStruct`.
///
/// ```
/// use threshold_forge::{RoomSpec, Shape};
///
/// let hall = RoomSpec::cuboid([0.0, 0.0, 0.0], [8.0, 6.0, 3.0])
///     .named("hall")
///     .block(Shape::cuboid([1.0, 1.0, 0.0], [1.5, 1.5, 3.0]));
/// let turret = RoomSpec::shaped(Shape::regular(8, 3.0, 0.0, 5.0));
/// # let _ = (hall, turret);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RoomSpec {
    pub(crate) shape: Shape,
    pub(crate) frame: Frame,
    pub(crate) name: Option<String>,
    pub(crate) blocks: Vec<(Shape, Material)>,
    pub(crate) looks: FaceMaterials,
    pub(crate) buried: bool,
}

/// Materials for the faces of a room, or of the shell of a building.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceMaterials {
    /// Vertical faces.
    pub walls: Material,
    /// Faces that face up: the floor of a room, the roof of a shell.
    pub up: Material,
    /// Faces that face down: the ceiling of a room.
    pub down: Material,
}

/// Minimum upward part of the normal of a floor or roof: about 45 degrees.
pub(crate) const LEVEL: f32 = 0.7;

/// Maximum upward or downward part of the normal of a vertical face, for shells with steep roofs.
pub(crate) const UPRIGHT: f32 = 0.05;

impl FaceMaterials {
    /// The default materials of a shell.
    pub(crate) const SHELL: Self =
        Self { walls: Material::Plaster, up: Material::Slate, down: Material::Plank };

    /// Creates materials for walls, floor and ceiling.
    pub const fn new(walls: Material, floor: Material, ceiling: Material) -> Self {
        Self { walls, up: floor, down: ceiling }
    }

    /// Creates the same material for all faces.
    pub const fn all(material: Material) -> Self {
        Self::new(material, material, material)
    }

    /// Returns the material for a face: that of walls unless its normal points up or down by more than `level`.
    pub(crate) fn facing(&self, normal: Vec3, level: f32) -> Material {
        match normal.z {
            z if z > level => self.up,
            z if z < -level => self.down,
            _ => self.walls,
        }
    }
}

impl Default for FaceMaterials {
    /// Plaster walls, plank floor and ceiling.
    fn default() -> Self {
        Self::new(Material::Plaster, Material::Plank, Material::Plank)
    }
}

impl RoomSpec {
    /// Creates a room of any convex shape.
    pub fn shaped(shape: Shape) -> Self {
        let (looks, buried) = (FaceMaterials::default(), false);
        Self { shape, frame: Frame::IDENTITY, name: None, blocks: Vec::new(), looks, buried }
    }

    /// Creates a box between two opposite corners; see [`Shape::cuboid`].
    pub fn cuboid(low: impl Into<Vec3>, high: impl Into<Vec3>) -> Self {
        Self::shaped(Shape::cuboid(low, high))
    }

    /// Creates the space over a convex floor; see [`Shape::prism`].
    pub fn prism(floor: impl IntoIterator<Item = impl Into<Vec2>>, low: f32, high: f32) -> Self {
        Self::shaped(Shape::prism(floor, low, high))
    }

    /// Sets the name, for error messages.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    /// Sets the frame of the shape in the plan; by default the plan's origin. The record of the room
    /// keeps this frame, so rooms of the same shape in different places share one environment.
    #[must_use]
    pub fn at(mut self, frame: Frame) -> Self {
        self.frame = frame;
        self
    }

    /// Adds a solid block, in the frame of the shape. Blocks may touch, overlap and stand
    /// against walls, also right beside an opening, but not flush in one, be it a window: a block that
    /// stands in a doorway must keep off the plane of the wall. They must leave free space in the room.
    #[must_use]
    pub fn block(self, block: Shape) -> Self {
        self.block_of(Material::Cobble, block)
    }

    /// Adds a [`block`](Self::block) of its own material.
    #[must_use]
    pub fn block_of(mut self, material: Material, block: Shape) -> Self {
        self.blocks.push((block, material));
        self
    }

    /// Sets the materials of walls, floor and ceiling; by default plaster and planks.
    #[must_use]
    pub fn materials(mut self, looks: FaceMaterials) -> Self {
        self.looks = looks;
        self
    }

    /// Excludes the room from the shell of its building: it lies underground, or inside a solid of the plan
    /// ([`Plan::solid`](crate::Plan::solid)). Such a room may leave the land cell of its building, but no
    /// opening of it may lead outdoors there.
    #[must_use]
    pub fn buried(mut self) -> Self {
        self.buried = true;
        self
    }

    pub(crate) fn site(&self, number: usize) -> RoomSite {
        RoomSite { number, name: self.name.clone() }
    }
}
