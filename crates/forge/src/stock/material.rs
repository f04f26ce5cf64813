//! Materials of surfaces.

use threshold_dat::{Colour, RecordId};

/// A material of a surface. Retail: `CSurface`.
///
/// ```
/// use threshold_forge::Material;
///
/// assert_eq!(Material::named("brick"), Some(Material::Brick));
/// assert_eq!(Material::Brick.name(), "brick");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Material {
    /// Meadow.
    Grass,
    /// Trodden earth.
    Dirt,
    /// Beach sand.
    Sand,
    /// Natural rock: cliffs and caves.
    Rock,
    /// Gravel.
    Road,
    /// Water of a lake.
    Water,
    /// Red bricks.
    Brick,
    /// Boards side by side.
    Plank,
    /// Whitewashed walls.
    Plaster,
    /// Slate roofs.
    Slate,
    /// Rounded stones in mortar.
    Cobble,
    /// Hewn beams, dark.
    Timber,
    /// Straw roofs.
    Thatch,
    /// Bark of a tree.
    Bark,
    /// Twigs of a leafy tree: partly see-through.
    Leaves,
    /// Twigs of a fir: partly see-through.
    Needles,
    /// Wrought iron.
    Iron,
    /// Window panes: light shines through.
    Glass,
    /// Red woven cloth.
    Cloth,
    /// Pale linen.
    Linen,
    /// Leather of shoes and belts.
    Leather,
    /// Skin of a face.
    Skin,
    /// Hair.
    Hair,
    /// Fire and lamps: self-luminous.
    Flame,
    /// Dressed blocks of stone.
    Ashlar,
    /// A bunch of leafy twigs, for cards: partly see-through.
    Twigs,
    /// A bough of a fir from its root to its tip, for cards: partly see-through.
    Bough,
    /// A frond of a fern from its root to its tip, for cards: partly see-through.
    Frond,
    /// Standing grass and reeds, for cards: partly see-through.
    Blades,
    /// Standing flowers, for cards: partly see-through.
    Blossoms,
}

/// Every material with its name and its colour without a texture.
const TABLE: [(Material, &str, u32); 30] = [
    (Material::Grass, "grass", 0xFF5C_7A34),
    (Material::Dirt, "dirt", 0xFF8A_6E4C),
    (Material::Sand, "sand", 0xFFD8_C07A),
    (Material::Rock, "rock", 0xFF7D_7468),
    (Material::Road, "road", 0xFF9A_8A6C),
    (Material::Water, "water", 0xFF2E_5F94),
    (Material::Brick, "brick", 0xFF9C_4A38),
    (Material::Plank, "plank", 0xFF8B_6B4A),
    (Material::Plaster, "plaster", 0xFFE0_D6BC),
    (Material::Slate, "slate", 0xFF54_5C66),
    (Material::Cobble, "cobble", 0xFF8A_8A8A),
    (Material::Timber, "timber", 0xFF55_3C26),
    (Material::Thatch, "thatch", 0xFFB8_9A58),
    (Material::Bark, "bark", 0xFF5A_4632),
    (Material::Leaves, "leaves", 0xFF3F_7D2C),
    (Material::Needles, "needles", 0xFF2C_5A34),
    (Material::Iron, "iron", 0xFF3C_3E42),
    (Material::Glass, "glass", 0xFFB8_D8E4),
    (Material::Cloth, "cloth", 0xFF8C_3030),
    (Material::Linen, "linen", 0xFFC8_BEA5),
    (Material::Leather, "leather", 0xFF6B_4428),
    (Material::Skin, "skin", 0xFFD8_A888),
    (Material::Hair, "hair", 0xFF4A_3420),
    (Material::Flame, "flame", 0xFFFF_C860),
    (Material::Ashlar, "ashlar", 0xFFA8_A090),
    (Material::Twigs, "twigs", 0xFF3F_7D2C),
    (Material::Bough, "bough", 0xFF2C_5A34),
    (Material::Frond, "frond", 0xFF4A_7E30),
    (Material::Blades, "blades", 0xFF5A_7E3C),
    (Material::Blossoms, "blossoms", 0xFF4E_7A34),
];

/// First surface id of the materials, which follow the order of the table.
const FIRST: u16 = 0x0100;

impl Material {
    /// Returns all materials.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|(material, ..)| *material)
    }

    /// Returns the name used in world texts.
    pub fn name(self) -> &'static str {
        TABLE[self.index()].1
    }

    /// Returns the material of a name.
    pub fn named(name: &str) -> Option<Self> {
        TABLE.iter().find(|(_, own, _)| *own == name).map(|(material, ..)| *material)
    }

    /// Returns the index in the order of [`all`](Self::all).
    pub(crate) fn index(self) -> usize {
        self as usize
    }

    /// Returns the colour used without a texture.
    pub(crate) fn colour(self) -> Colour {
        Colour(TABLE[self.index()].2)
    }

    /// Returns the metres to one repeat of the texture: less for surfaces seen from nearby.
    pub(crate) fn repeat(self) -> f32 {
        match self {
            Self::Cloth | Self::Linen | Self::Leather | Self::Iron => 1.0,
            Self::Skin | Self::Hair | Self::Flame => 0.5,
            _ => 2.0,
        }
    }

    /// Returns whether its texture has holes.
    pub(crate) fn has_holes(self) -> bool {
        matches!(
            self,
            Self::Leaves
                | Self::Needles
                | Self::Twigs
                | Self::Bough
                | Self::Frond
                | Self::Blades
                | Self::Blossoms
        )
    }

    /// Returns whether its texture shows fibres, which follow the longest side of a solid.
    pub(crate) fn has_grain(self) -> bool {
        matches!(self, Self::Plank | Self::Timber | Self::Bark)
    }

    /// Returns the low word of its surface.
    pub(crate) fn low(self) -> u16 {
        FIRST + self as u16
    }

    /// Returns its surface.
    pub(crate) fn surface(self) -> RecordId {
        RecordId(0x0800_0000 | u32::from(self.low()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_material_is_in_its_place_of_the_table() {
        for (place, (material, name, _)) in TABLE.iter().enumerate() {
            assert_eq!(material.index(), place, "{name}");
            assert_eq!(Material::named(name), Some(*material));
        }
    }
}
