//! Rooms.

use threshold_land::Frame;
use threshold_land::glam::{Vec2, Vec3};

use crate::stock::material::Material;
use crate::tool::error::RoomSite;
use crate::tool::shape::Shape;

/// A room: a convex space, and the blocks that stand in it. Retail: `CEnvCell`, `CCellStruct`.
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

/// What the faces of a room, or of the shell of a building, are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceMaterials {
    /// Upright faces.
    pub walls: Material,
    /// Faces that look up: the floor of a room, the roof of a shell.
    pub up: Material,
    /// Faces that look down: the ceiling of a room.
    pub down: Material,
}

/// Normals that point up by more than this, about 45 degrees, are those of floors and roofs.
pub(crate) const LEVEL: f32 = 0.7;

/// Normals that point neither up nor down by more than this are those of upright faces, however steep others are.
pub(crate) const UPRIGHT: f32 = 0.05;

impl FaceMaterials {
    /// The usual ones of a shell.
    pub(crate) const SHELL: Self =
        Self { walls: Material::Plaster, up: Material::Slate, down: Material::Plank };

    /// Walls, floor and ceiling.
    pub const fn new(walls: Material, floor: Material, ceiling: Material) -> Self {
        Self { walls, up: floor, down: ceiling }
    }

    /// All of the same.
    pub const fn all(material: Material) -> Self {
        Self::new(material, material, material)
    }

    /// What a face is made of, by the way it faces: a wall unless its normal points up or down by more than `level`.
    pub(crate) fn facing(&self, normal: Vec3, level: f32) -> Material {
        match normal.z {
            z if z > level => self.up,
            z if z < -level => self.down,
            _ => self.walls,
        }
    }
}

impl Default for FaceMaterials {
    /// Plaster, planks below, planks above.
    fn default() -> Self {
        Self::new(Material::Plaster, Material::Plank, Material::Plank)
    }
}

impl RoomSpec {
    /// A room of any convex shape.
    pub fn shaped(shape: Shape) -> Self {
        let (looks, buried) = (FaceMaterials::default(), false);
        Self { shape, frame: Frame::IDENTITY, name: None, blocks: Vec::new(), looks, buried }
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
    pub fn block(self, block: Shape) -> Self {
        self.block_of(Material::Cobble, block)
    }

    /// With a [`block`](Self::block) of a material of its own.
    #[must_use]
    pub fn block_of(mut self, material: Material, block: Shape) -> Self {
        self.blocks.push((block, material));
        self
    }

    /// With walls, floor and ceiling of other materials than plaster and planks.
    #[must_use]
    pub fn materials(mut self, looks: FaceMaterials) -> Self {
        self.looks = looks;
        self
    }

    /// Not part of the shell of its building: it lies underground, or inside a solid of the plan
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
