//! Things: furniture, plants, tools; solids and cards of several materials in one model.

use threshold_dat::{Colour, Light};
use threshold_land::Frame;
use threshold_land::vector::Vec3;

use crate::stock::material::Material;
use crate::tool::shape::Shape;

/// A thing made of solids and cards.
///
/// ```
/// use threshold_forge::{Forge, Material, ObjectSpec, Shape, Thing, Collision};
///
/// let lantern = Thing::new()
///     .solid(Material::Timber, Shape::cuboid([-0.1, -0.1, 0.0], [0.1, 0.1, 2.4]))
///     .solid(Material::Flame, Shape::cuboid([-0.15, -0.15, 2.4], [0.15, 0.15, 2.7]))
///     .lamp([0.0, 0.0, 2.55], 0xFFFF_D080, 8.0)
///     .touch(Collision::Cylinder { radius: 0.15, height: 2.7 });
/// let mut forge = Forge::new();
/// let lantern = forge.object(ObjectSpec::Thing(lantern));
/// # let _ = lantern;
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thing {
    pub(crate) solids: Vec<(Shape, Material)>,
    pub(crate) cards: Vec<(Card, Material)>,
    pub(crate) touch: Collision,
    pub(crate) lights: Vec<Light>,
}

/// What a mover collides with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Collision {
    /// The solids themselves: the model has a physics tree.
    #[default]
    Solids,
    /// An upright cylinder on the origin. Retail: `CCylSphere`.
    Cylinder {
        /// In metres.
        radius: f32,
        /// In metres.
        height: f32,
    },
    /// Nothing: movers pass through it.
    Nothing,
}

/// The position of a texture: a parallelogram that it fills once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Card {
    /// The lower left corner of the picture.
    pub(crate) corner: Vec3,
    /// The offset to the lower right corner.
    pub(crate) right: Vec3,
    /// The offset to the upper left corner.
    pub(crate) up: Vec3,
    /// Whether the texture repeats beyond it. If not, the picture is single and visible from both sides.
    pub(crate) repeats: bool,
}

impl Thing {
    /// Creates an empty thing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a convex solid.
    #[must_use]
    pub fn solid(mut self, material: Material, shape: Shape) -> Self {
        self.solids.push((shape, material));
        self
    }

    /// Adds a flat picture that is visible from both sides and blocks no mover: its lower left corner, and the offsets from there to
    /// the lower right and the upper left corner.
    #[must_use]
    pub fn card(mut self, material: Material, [corner, right, up]: [[f32; 3]; 3]) -> Self {
        let [corner, right, up] = [corner, right, up].map(Vec3::from);
        self.cards.push((Card { corner, right, up, repeats: false }, material));
        self
    }

    /// Sets a collision shape other than its solids.
    #[must_use]
    pub fn touch(mut self, touch: Collision) -> Self {
        self.touch = touch;
        self
    }

    /// Adds a light of a colour, `0xAARRGGBB`, with a reach in metres. Retail: `LIGHTINFO`.
    #[must_use]
    pub fn lamp(mut self, at: impl Into<Vec3>, colour: u32, reach: f32) -> Self {
        // Few lights: the count fits.
        let key = u32::try_from(self.lights.len()).unwrap_or(u32::MAX);
        let (frame, colour) = (Frame::at(at.into()), Colour(colour));
        self.lights.push(Light { key, frame, colour, intensity: 100.0, falloff: reach, cone: 0.0 });
        self
    }
}
